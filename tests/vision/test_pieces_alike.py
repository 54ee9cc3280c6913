"""Pieces of one photo tell each other's paints: luminance, red - green, yellow - blue."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.vision.pieces_alike import paints_here

LEARNT = {
    "white": (-0.5, 0.0, 0.0),
    "black": (-1.6, 0.0, 0.0),
    "red": (-1.0, 0.8, 0.4),
    "orange": (-0.8, 0.5, 0.6),
}


def told(tops: Sequence[tuple[float, float, float]], may: str = "white black red orange") -> str:
    seen = np.array(tops, np.float32) + np.random.default_rng(3).normal(0, 0.03, (len(tops), 3))
    allowed = np.array([[name in may.split() for name in LEARNT]] * len(tops))
    here = paints_here(seen.astype(np.float32), allowed, np.array(list(LEARNT.values()), np.float32))
    names = list(LEARNT)
    return " ".join(names[k] for k in here.likely(seen.astype(np.float32), allowed).argmax(axis=1))


def test_what_is_dark_beside_its_likes_is_the_dark_paint() -> None:
    # in the light of this photo black is nearer to what was learnt of white
    assert (
        told([(-0.25, 0, 0)] * 3 + [(-1.0, 0, 0)] * 3, "white black") == "white white white black black black"
    )


def test_a_paint_as_it_was_learnt_is_not_drawn_to_another_one() -> None:
    assert told([(-1.0, 0.8, 0.4)] * 5 + [(-0.8, 0.5, 0.6)]) == "red red red red red orange"


def test_paints_that_all_turned_pale_are_told_apart() -> None:
    seen = [(-0.9, 0.65, 0.32)] * 3 + [(-0.7, 0.4, 0.5)] * 3
    assert told(seen) == "red red red orange orange orange"


def test_a_paint_that_may_not_stand_there_is_none() -> None:
    assert told([(-1.0, 0.8, 0.4)], "black orange") == "orange"
