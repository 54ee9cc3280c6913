"""From bytes to readings, on a small game that the code has never seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.calibration import Calibration
from companion.vision.learn import learn
from companion.vision.model import NOTHING, Observation, Thing
from companion.vision.scan import scan
from tests.vision import smallgame
from tests.vision.smallgame import TILTED, jpeg, photographed
from tests.vision.test_photo import STORED, with_orientation

LIES = {
    ("P", "a"): Thing(("A",), 1),
    ("P", "c"): Thing(("B",), 0),
    ("Q", "a"): Thing(("C",), 2),
    ("Q", "b"): Thing(("A",), 3),
}
SHOT = replace(TILTED, things=LIES, arrangement={"W": ("Q", 180), "E": ("P", 0)})


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    return learn(smallgame.source(tmp_path_factory.mktemp("setup")))


def things(seen: Observation) -> dict[tuple[str, str], Thing]:
    return {(r.slot.sheet, r.slot.name): r.thing for r in seen.readings if r.thing != NOTHING}


@pytest.mark.parametrize("orientation", range(1, 9))
def test_however_the_phone_was_held_the_reading_is_the_same(orientation: int, learnt: Calibration) -> None:
    stored = np.ascontiguousarray(STORED[orientation](photographed(SHOT)))
    seen = scan(with_orientation(jpeg(stored), orientation), learnt)
    assert (seen.width, seen.height) == (960, 720)
    assert smallgame.corner_error(seen.found.corners, SHOT) < smallgame.CORNERS_TO
    assert things(seen) == LIES


def test_the_same_photo_reads_the_same_whatever_the_threads(learnt: Calibration) -> None:
    data = jpeg(photographed(SHOT))
    before = cv2.getNumThreads()
    try:
        answers = []
        for threads in (1, 3):
            cv2.setNumThreads(threads)
            answers.append(scan(data, learnt))
    finally:
        cv2.setNumThreads(before)
    assert answers[0].readings == answers[1].readings
    assert answers[0].markers == answers[1].markers


def test_progress_is_told_from_start_to_end(tmp_path_factory: pytest.TempPathFactory) -> None:
    told: list[tuple[str, float]] = []
    learn(smallgame.source(tmp_path_factory.mktemp("setup")), lambda what, share: told.append((what, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert told[0][0] == "opening empty.jpg"
