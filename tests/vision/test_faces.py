"""Faces read from slots that are drawn here: shifted, twisted, half covered, under odd light, alike."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.camera import Camera
from companion.vision.confidence import DOUBTFUL, face_readings
from companion.vision.faces import FINE, RIM, SHARP, SHARP_RIM, FaceLooks, Straightened
from companion.vision.faces_reading import Candidate, FaceFinding, find_faces
from companion.vision.model import NOTHING, Faces, SheetPose, Slot, Thing

Picture = NDArray[np.float32]

NAMES = ("sun", "moon", "star", "tree", "star*", "back")
"""star* is the star with one more small mark; the back looks the same in every turn."""
HOLDS = Faces(NAMES, turns=4, thickness=0.0, size=(24.0, 24.0), shift=2.0, twist=8.0, plain=("back",))
SIDE = FINE + 2 * RIM
CANVAS = FINE + 16
REACH = 6.0
SLOT = Slot("a", "sheet", ((40, 40), (64, 40), (64, 64), (40, 64)), HOLDS)
POSE = SheetPose("here", "sheet", 0, Camera.from_homography(np.diag([4.0, 4.0, 1.0]), (960, 720)), 0.2, 1.0)


def drawn(seed: int) -> Picture:
    """Shapes of many colours: luminance and two colour differences, in logarithms."""
    rng = np.random.default_rng(seed)
    art = np.zeros((SIDE, SIDE, 3), np.float32) + rng.uniform(-0.6, -0.3, 3).astype(np.float32)
    for _ in range(14):
        corners = rng.uniform(4, SIDE - 4, 2) + rng.normal(0, 9, (4, 2))
        colour = rng.uniform((-1.2, -0.5, -0.5), (0, 0.5, 0.5)).tolist()
        cv2.fillPoly(art, [np.round(corners).astype(np.int32)], colour)
    return np.asarray(cv2.GaussianBlur(art, (0, 0), 1.0))


def all_faces() -> Picture:
    faces = [drawn(seed) for seed in (1, 2, 3, 4)]
    marked = faces[2].copy()
    cv2.circle(marked, (40, 22), 4, (-1.4, 0.4, -0.4), -1)
    back = np.full((SIDE, SIDE, 3), (-0.5, 0.3, 0.2), np.float32)
    return np.stack([*faces, marked, back])


@pytest.fixture(scope="module")
def looks() -> FaceLooks:
    bare = np.full((1, FINE, FINE, 3), (-0.9, -0.3, 0.3), np.float32)
    side = SHARP + 2 * SHARP_RIM
    sharp = np.stack([cv2.resize(face, (side, side), interpolation=cv2.INTER_CUBIC) for face in all_faces()])
    return FaceLooks(HOLDS, NAMES, sharp, np.full(len(NAMES), 4.0, np.float32), 0.0, (("sheet", "a"),), bare)


def lying(
    name: str, turns: int = 0, shift: tuple[float, float] = (0, 0), twist: float = 0.0, seed: int = 0
) -> Picture:
    """A slot with a face in it, on a meadow."""
    face = np.rot90(all_faces()[NAMES.index(name)], -turns)
    middle = (SIDE - 1) / 2
    matrix = np.asarray(cv2.getRotationMatrix2D((middle, middle), -twist, 1.0), np.float64)
    matrix[:, 2] += (CANVAS - SIDE) / 2 + np.array(shift)
    meadow = np.full((CANVAS, CANVAS, 3), (-0.9, -0.3, 0.3), np.float32)
    there = cv2.warpAffine(np.ones((SIDE, SIDE), np.float32), matrix, (CANVAS, CANVAS))[..., None]
    seen = cv2.warpAffine(np.ascontiguousarray(face), matrix, (CANVAS, CANVAS)) * there + meadow * (1 - there)
    return np.asarray(seen + np.random.default_rng(seed).normal(0, 0.03, seen.shape), np.float32)


def found(looks: FaceLooks, *canvases: Picture) -> list[FaceFinding]:
    straight = Straightened(np.stack(canvases), np.full(len(canvases), 0.9, np.float32))
    prints = np.zeros((len(canvases), 2), np.float32)
    return find_faces(straight, prints, np.zeros(len(canvases), np.int64), looks, REACH)


def read(looks: FaceLooks, *canvases: Picture) -> list[tuple[str, int, bool]]:
    """Name, turn and whether it is doubtful; an empty name where nothing lies."""
    findings = found(looks, *canvases)
    readings = face_readings(findings, [(POSE, SLOT)] * len(findings), looks, (960, 720))
    return [("".join(r.thing.names), r.thing.turns, r.doubtful) for r in readings]


@pytest.mark.parametrize("name", ["sun", "moon", "star", "tree"])
def test_every_turn_shifted_and_twisted(looks: FaceLooks, name: str) -> None:
    ways = [(0, (0.0, 0.0), 0.0), (1, (4.0, -3.0), 6.0), (2, (-4.0, 4.0), -7.0), (3, (0.5, 5.0), 3.0)]
    seen = read(looks, *(lying(name, *way) for way in ways))
    assert seen == [(name, turns, False) for turns, _, _ in ways]


def test_it_says_how_the_thing_lies(looks: FaceLooks) -> None:
    (one,) = found(looks, lying("sun", 1, (4.0, -3.0), 6.0))
    x, y, twist = one.candidates[0].lies
    assert (x / looks.mm, y / looks.mm, twist) == pytest.approx((4.0, -3.0, 6.0), abs=0.5)


def test_a_back_has_no_turn_and_an_empty_slot_no_face(looks: FaceLooks) -> None:
    meadow = np.full((CANVAS, CANVAS, 3), (-0.9, -0.3, 0.3), np.float32)
    assert read(looks, lying("back", 3, (2.0, 1.0)), meadow) == [("back", 0, False), ("", 0, False)]


def test_what_covers_a_part_spoils_only_that_part(looks: FaceLooks) -> None:
    canvas = lying("moon", 2, (2.0, 2.0), 3.0)
    canvas[: CANVAS // 2, : CANVAS // 3] = (-0.2, 0.5, 0.5)
    ((name, turns, _),) = read(looks, canvas)
    assert (name, turns) == ("moon", 2)


def test_what_is_covered_all_over_is_doubtful(looks: FaceLooks) -> None:
    rng = np.random.default_rng(5)
    hand = cv2.GaussianBlur(rng.normal(-0.4, 1.5, (CANVAS, CANVAS, 3)).astype(np.float32), (0, 0), 3.0)
    ((_, _, doubtful),) = read(looks, np.asarray(hand, np.float32))
    assert doubtful


@pytest.mark.parametrize(("missing", "doubtful"), [(0.1, False), (0.95, True)])
def test_a_hand_in_the_colour_of_a_back_is_no_back(looks: FaceLooks, missing: float, doubtful: bool) -> None:
    """A back is nearly plain, but what it shows must be seen."""
    back = Candidate(Thing(("back",)), 0.2, 0.1, 0.9, missing, (0.0, 0.0, 0.0))
    bare = Candidate(NOTHING, 0.6, 0.9, 0.9, 0.0, (0.0, 0.0, 0.0))
    (reading,) = face_readings([FaceFinding((back,), bare)], [(POSE, SLOT)], looks, (960, 720))
    assert reading.thing.names == ("back",) and reading.doubtful == doubtful


def test_a_slope_of_light_and_a_tint_change_nothing(looks: FaceLooks) -> None:
    slope = np.linspace(-0.3, 0.3, CANVAS)[None, :, None] * np.array([1.0, 0.1, -0.1])
    assert read(looks, np.asarray(lying("tree", 3, (1.0, 1.0)) + slope, np.float32)) == [("tree", 3, False)]


def test_one_small_mark_decides_and_where_it_is_hidden_nobody_can(looks: FaceLooks) -> None:
    plain, marked, hidden = lying("star"), lying("star*"), lying("star*")
    place = (CANVAS - SIDE) // 2
    cv2.circle(hidden, (40 + place, 22 + place), 9, (-0.6, -0.4, 0.5), -1)
    seen = read(looks, plain, marked, hidden)
    assert seen[:2] == [("star", 0, False), ("star*", 0, False)]
    assert seen[2][0] in ("star", "star*") and seen[2][2]


def test_confidence_is_what_it_says(looks: FaceLooks) -> None:
    """Slots with more and more noise and cover: the sure ones are right, the unsure ones not all wrong."""
    rng = np.random.default_rng(7)
    right, sure = [], []
    for start in range(0, 240, 40):
        canvases, wanted = [], []
        for number in range(start, start + 40):
            name, turns = NAMES[int(rng.integers(0, 5))], int(rng.integers(0, 4))
            shift, twist = tuple(rng.uniform(-4, 4, 2)), float(rng.uniform(-7, 7))
            canvas = lying(name, turns, shift, twist, seed=number)
            noise = rng.normal(0, 1, canvas.shape).astype(np.float32)
            canvas += cv2.GaussianBlur(noise, (0, 0), 1.5) * float(rng.uniform(0, 2.5))
            low, high = sorted(rng.integers(0, CANVAS, 2))
            canvas[low:high, : int(rng.integers(0, CANVAS * 2 // 3))] = rng.uniform(
                (-1, -0.4, -0.4), (0, 0.4, 0.4)
            )
            canvases.append(canvas)
            wanted.append((name, turns))
        findings = found(looks, *canvases)
        readings = face_readings(findings, [(POSE, SLOT)] * len(findings), looks, (960, 720))
        for reading, want in zip(readings, wanted, strict=True):
            right.append((reading.thing.names, reading.thing.turns) == ((want[0],), want[1]))
            sure.append(reading.confidence)
    told, were = np.array(sure), np.array(right)
    clear = told >= DOUBTFUL
    assert clear.sum() > 60 and (~clear).sum() > 20
    assert were[clear].mean() >= 0.985
    assert were[~clear].mean() < were[clear].mean()
