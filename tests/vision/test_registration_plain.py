"""Boards on which little or nothing is printed: a cloth, a grid with a few signs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.errors import BoardNotFound
from companion.vision.landmarks import Landmarks, prepared
from companion.vision.model import Assembly, Design, Place, Sheet
from companion.vision.photo import decode
from companion.vision.plane import homography_of
from companion.vision.prints import Print
from companion.vision.registration import find_board
from tests.vision.smallgame import Picture, Points, jpeg, rectangle

PER_MM, SIZE = 4.0, (1280, 960)


def board_of(picture: Picture) -> Landmarks:
    """A game whose one sheet looks so, from above."""
    height, width = (side / PER_MM for side in picture.shape[:2])
    outline = rectangle(0, 0, width, height)
    sheet = Sheet("board", (outline,))
    place = Place("board", ("board",), 0.0, 0.0)
    design = Design("plain", {"board": sheet}, (Assembly("board", (place,), outline),), {"board": ()})
    known = np.full(picture.shape[:2], 255, np.uint8)
    return prepared(design, {"board": Print(picture, known, PER_MM, (0.0, 0.0))})


def tilted(width: float, height: float) -> Points:
    """The corners of a board of so many mm, by a camera that looks at it from 35 degrees off the vertical."""
    lean, far, focal = np.radians(35), 1.9 * max(width, height), 0.8 * max(SIZE)
    x, y = (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)).T
    depth = far - y * np.sin(lean)
    seen = np.column_stack([x, y * np.cos(lean)]) / depth[:, None] * focal
    return np.asarray(seen + np.array(SIZE) / 2)


def photo_of(picture: Picture, corners: Points) -> Picture:
    """On a table of another colour, with a sensor's noise."""
    rng = np.random.default_rng(4)
    height, width = picture.shape[:2]
    outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], float)
    seen = np.full((SIZE[1], SIZE[0], 3), (60, 90, 120), np.uint8)
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    cv2.warpPerspective(
        soft, homography_of(outline, corners), SIZE, dst=seen, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.clip(seen + rng.normal(0, 3, seen.shape), 0, 255).astype(np.uint8)


def corners_found(picture: Picture, landmarks: Landmarks) -> Points:
    return np.array(find_board(decode(jpeg(picture)).in_gray(), landmarks).corners)


def grid() -> Picture:
    """Six by six squares, two of them with a sign: nothing else tells one side from another."""
    picture = np.full((720, 720, 3), 225, np.uint8)
    for at in range(0, 721, 120):
        cv2.line(picture, (at, 0), (at, 720), (40, 40, 40), 5)
        cv2.line(picture, (0, at), (720, at), (40, 40, 40), 5)
    for x, y in ((180, 60), (540, 420)):
        cv2.circle(picture, (x, y), 26, (40, 40, 200), -1)
        cv2.line(picture, (x - 40, y - 40), (x + 40, y - 20), (160, 60, 20), 8)
    return picture


@pytest.mark.parametrize("side", range(4))
def test_a_grid_is_told_from_its_turned_self_by_its_signs(side: int) -> None:
    corners = np.roll(tilted(180, 180), side, axis=0)
    assert np.abs(corners_found(photo_of(grid(), corners), board_of(grid())) - corners).max() < 5


def cloth() -> Picture:
    return np.full((600, 800, 3), (150, 120, 170), np.uint8)


def test_a_plain_cloth_is_found_by_its_outline() -> None:
    laid = tilted(200, 150)
    assert np.abs(corners_found(photo_of(cloth(), laid), board_of(cloth())) - laid).max() < 5


def test_what_has_other_proportions_is_not_the_cloth() -> None:
    narrow = tilted(90, 180)
    with pytest.raises(BoardNotFound, match="not in the picture"):
        corners_found(photo_of(cloth(), narrow), board_of(cloth()))
