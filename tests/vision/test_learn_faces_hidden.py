"""A piece leans over a face while it is learnt: what it hides is known, and guessed from sides alike."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.camera import Camera
from companion.vision.labelled_view import LabelledView
from companion.vision.learn_faces_hidden import cut_hidden, filled, hidden_in
from companion.vision.model import Design, Faces, Labelled, Pieces, Sheet, SheetPose, Slot, Thing
from companion.vision.pieces import Form

SIDE = 40
COLOURS = {
    "red": (-0.5, 0.6, 0.1),
    "blue": (-0.9, -0.2, -0.7),
    "gold": (-0.3, 0.2, 0.6),
    "ash": (-0.6, 0.0, 0.0),
}
TILES = {
    "one": ("red", "blue", "gold", "ash"),
    "two": ("gold", "red", "ash", "blue"),
    "three": ("blue", "gold", "red", "ash"),
}
HOLDS = Faces(("one", "two", "three"), 4, 2.0, (20.0, 20.0), parts=TILES)


def tile(words: tuple[str, ...]) -> np.ndarray:
    """Four wedges, each in the colour that its word says, with a mark in it."""
    art = np.zeros((SIDE, SIDE, 3), np.float32)
    middle = ((SIDE - 1) / 2,) * 2
    for quarter, word in enumerate(words):
        wedge = np.zeros((SIDE, SIDE, 3), np.float32)
        corners = np.array([[0, 0], [SIDE, 0], [SIDE / 2, SIDE / 2]]) - 0.5
        cv2.fillConvexPoly(wedge, np.round(corners).astype(np.int32), COLOURS[word])
        cv2.circle(wedge, (SIDE // 2, 8), 2 + len(word), (0.2, 0.0, 0.0), -1)
        turned = np.asarray(
            cv2.warpAffine(wedge, cv2.getRotationMatrix2D(middle, -90 * quarter, 1.0), (SIDE, SIDE))
        )
        art = np.where(turned.any(axis=2, keepdims=True), turned, art)
    return art


def test_a_hidden_side_is_taken_from_the_same_word_on_other_faces_in_its_own_light() -> None:
    faces = np.stack([tile(words) for words in TILES.values()])
    truth = faces[0].copy() - np.float32(0.3)  # the first lies in the shade
    faces[0] = truth
    known = np.ones((3, SIDE, SIDE), np.bool_)
    known[0, :12, 8:32] = False  # most of its side N
    faces[0][~known[0]] = (1.0, -1.0, 1.0)  # the piece
    guessed = filled(faces, known, HOLDS, HOLDS.names)
    assert np.abs(guessed[0] - truth)[2:10, 14:26].mean() < 0.1
    assert np.array_equal(guessed[1:], faces[1:])
    assert np.array_equal(guessed[0][known[0]], faces[0][known[0]])


@pytest.mark.parametrize("tilt", [0.0, 0.0012])
def test_what_a_piece_hides_is_where_it_leans(tilt: float) -> None:
    """From straight above hardly more than its foot; from the south what lies north of it."""
    onto = np.array([[4.0, 0.0, 100.0], [0.0, 4.0, 100.0], [0.0, -tilt, 1.0]])
    camera = Camera.from_homography(onto, (800, 800))
    standing = Slot("p", "s", ((55, 55), (65, 55), (65, 65), (55, 65)), Pieces(("tower",)))
    lying = Slot("f", "s", ((50, 30), (70, 30), (70, 50), (50, 50)), HOLDS)
    things = {("s", "p"): Thing(("tower",)), ("s", "f"): Thing(("one",))}
    corners = ((0.0, 0.0), (150.0, 0.0), (150.0, 150.0), (0.0, 150.0))
    design = Design("d", {"s": Sheet("s", (corners,))}, (), {"s": (standing, lying)})
    pose = SheetPose("here", "s", 0, camera, 0.1, 1.0)
    labelled = Labelled(Path("a.jpg"), "a", corners, {}, things, {})
    view = LabelledView(np.zeros((800, 800, 3), np.uint8), (pose,), labelled, 1.0)
    mask = hidden_in(view, design, {"tower": Form(np.array([0.0, 25.0]), np.array([4.0, 4.0]), 25.0)})
    (seen,) = cut_hidden(mask, 1.0, 0.5, [(pose, lying)], SIDE)
    assert mask.any()
    assert (seen < 0.5).mean() == 0 if tilt == 0 else 0.1 < (seen < 0.5).mean() < 0.7
    assert seen[0].mean() >= seen[-1].mean()
