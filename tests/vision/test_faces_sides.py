"""A tile that is in no catalogue: its sides are read by the words that other tiles have taught."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.vision.camera import Camera
from companion.vision.confidence import face_readings
from companion.vision.faces import FINE, RIM, SHARP, SHARP_RIM, FaceLooks, Straightened
from companion.vision.faces_reading import find_faces
from companion.vision.model import Faces, Reading, SheetPose, Slot

Picture = NDArray[np.float32]

COLOURS = {
    "red": (-0.6, 0.7, 0.2),
    "blue": (-1.0, -0.2, -0.8),
    "gold": (-0.4, 0.2, 0.8),
    "jade": (-0.7, -0.7, 0.1),
}
TILES = {
    "T1": ("red 1", "blue 1", "gold 1", "jade 1"),
    "T2": ("red 2", "gold 2", "blue 2", "jade 2"),
    "T3": ("blue 3", "red 3", "gold 3", "jade 3"),
    "T4": ("jade 1", "red 3", "blue 2", "gold 2"),
    "T5": ("gold 3", "blue 1", "jade 2", "red 1"),
}
HOLDS = Faces(tuple(TILES), turns=4, thickness=0.0, size=(24.0, 24.0), shift=2.0, twist=8.0, parts=TILES)
SLOT = Slot("a", "sheet", ((40, 40), (64, 40), (64, 64), (40, 64)), HOLDS)
POSE = SheetPose("here", "sheet", 0, Camera.from_homography(np.diag([4.0, 4.0, 1.0]), (960, 720)), 0.2, 1.0)
SIDE, CANVAS = FINE + 2 * RIM, FINE + 16


def tile(words: tuple[str, ...]) -> Picture:
    """A shield on each side, with as many dots as the word says."""
    art = np.full((SIDE, SIDE, 3), (-0.2, 0.0, 0.1), np.float32)
    for quarter, word in enumerate(words):
        colour, dots = word.split()
        art = np.ascontiguousarray(np.rot90(art, quarter))
        cv2.rectangle(art, (SIDE // 2 - 9, 6), (SIDE // 2 + 8, 19), COLOURS[colour], -1)
        for dot in range(int(dots)):
            cv2.circle(art, (SIDE // 2 - 5 + 5 * dot, 12), 2, (0.2, 0.0, 0.0), -1)
        art = np.ascontiguousarray(np.rot90(art, -quarter))
    return np.asarray(cv2.GaussianBlur(art, (0, 0), 0.9))


def looks(holds: Faces) -> FaceLooks:
    side = SHARP + 2 * SHARP_RIM
    sharp = [cv2.resize(tile(words), (side, side), interpolation=cv2.INTER_CUBIC) for words in TILES.values()]
    bare = np.full((1, FINE, FINE, 3), (-0.9, -0.3, 0.3), np.float32)
    return FaceLooks(
        holds, holds.names, np.stack(sharp), np.full(5, 4.0, np.float32), 0.0, (("sheet", "a"),), bare
    )


def read(words: tuple[str, ...], turns: int, holds: Faces = HOLDS) -> Reading:
    canvas = np.full((CANVAS, CANVAS, 3), (-0.9, -0.3, 0.3), np.float32)
    start = (CANVAS - SIDE) // 2
    canvas[start : start + SIDE, start : start + SIDE] = np.rot90(tile(words), -turns)
    canvas += np.random.default_rng(1).normal(0, 0.03, canvas.shape).astype(np.float32)
    straight = Straightened(canvas[None], np.full(1, 0.9, np.float32))
    known = looks(holds)
    findings = find_faces(straight, np.zeros((1, 2), np.float32), np.zeros(1, np.int64), known, 6.0)
    (reading,) = face_readings(findings, [(POSE, SLOT)], known, (960, 720))
    return reading


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_proxy_is_asked_about_and_its_sides_are_told(turns: int) -> None:
    proxy = ("red 1", "blue 1", "gold 1", "jade 3")  # as T1, but for one value
    reading = read(proxy, turns)
    assert reading.doubtful
    assert reading.parts == tuple(proxy[(side - turns) % 4] for side in range(4))


@pytest.mark.parametrize("name", list(TILES))
def test_a_tile_of_the_catalogue_has_no_such_sides(name: str) -> None:
    reading = read(TILES[name], 1)
    assert (reading.thing.names, reading.thing.turns) == ((name,), 1)
    assert not reading.parts and not reading.doubtful


def test_without_words_nothing_is_told() -> None:
    assert read(("red 1", "blue 1", "gold 1", "jade 3"), 0, replace(HOLDS, parts={})).parts == ()
