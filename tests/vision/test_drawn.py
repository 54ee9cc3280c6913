"""A drawing that lies some pixels off is drawn to the lines of the photo, and a board's edge is found."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.drawn import FAR, NEAR, Lines, laid_over
from companion.vision.plane import homography_of
from companion.vision.refine import View
from companion.vision.resemble import in_lab
from companion.vision.rim import Box, found_rim

SIZE = (900, 700)
OUTER: Box = (-0.6, -0.6, 6.1, 4.6)
CORNERS = np.array([(210.0, 120.0), (700.0, 90.0), (800.0, 600.0), (130.0, 560.0)])
"""Of the squares' field in the photo."""
FIELD = np.array([(0.0, 0.0), (5, 0), (5, 4), (0, 4)])
STOPS = np.linspace(0.1, 0.9, 9)


def squares() -> list[tuple[float, float]]:
    return [(float(x), float(y)) for y in range(4) for x in range(5) if (x + y) % 2]


def square_lines() -> Lines:
    points, normals = [], []
    for x, y in squares():
        corners = np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            points.append(start + STOPS[:, None] * (end - start))
            normals.append((end[1] - start[1], start[0] - end[0]))
    return Lines(np.array(points), np.array(normals), np.zeros(len(points), np.intp))


def truth(bend: float) -> View:
    return View(homography_of(FIELD, CORNERS), bend, ((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2), float(max(SIZE)))


def photo(view: View) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Squares on a board with a line printed near its edge, and a dark wall below it."""
    rng = np.random.default_rng(3)
    image = np.full((SIZE[1], SIZE[0], 3), (120, 150, 170), np.uint8)

    def fill(box: Box, colour: tuple[int, int, int]) -> None:
        left, top, right, bottom = box
        ends = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        steps = np.linspace(0, 1, 40, endpoint=False)[:, None]
        along = [a + steps * (b - a) for a, b in zip(ends, np.roll(ends, -1, axis=0), strict=True)]
        spots = np.round(view.project(np.concatenate(along)) * 16).astype(np.int32)
        cv2.fillPoly(image, [spots], colour, cv2.LINE_AA, 4)

    left, top, right, bottom = OUTER
    fill((left, top, right, bottom + 0.04), (20, 25, 30))
    fill(OUTER, (60, 90, 60))
    fill((left + 0.12, top + 0.12, right - 0.12, bottom - 0.12), (230, 230, 225))
    for x, y in squares():
        fill((x, y, x + 1, y + 1), (90, 60, 160))
    noisy = cv2.GaussianBlur(image, (0, 0), 0.8) + rng.normal(0, 4, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("bend", [0.0, 0.03])
@pytest.mark.parametrize("seed", range(3))
def test_taps_that_are_off_end_where_the_print_is(bend: float, seed: int) -> None:
    view = truth(bend)
    off = np.random.default_rng(seed).uniform(-7, 7, (4, 2))  # a square is some 110 pixels wide
    rough = View.straight(homography_of(FIELD, CORNERS + off), SIZE)
    laid = laid_over(in_lab(photo(view)), rough, square_lines(), (*FAR, *NEAR))
    assert np.abs(laid.view.project(FIELD) - view.project(FIELD)).max() < 0.5
    assert laid.view.bend == pytest.approx(bend, abs=0.01)
    assert np.median(laid.miss) < 0.004


def test_a_group_tells_how_much_larger_its_squares_are() -> None:
    smaller = square_lines().shifted(np.array([-0.02]))
    laid = laid_over(in_lab(photo(truth(0.0))), truth(0.0), smaller, (*FAR, *NEAR))
    assert laid.shifts == pytest.approx([0.02], abs=0.008)


@pytest.mark.parametrize("off", [-0.06, 0.0, 0.05])
def test_the_edge_is_neither_the_line_before_it_nor_the_wall_below(off: float) -> None:
    left, top, right, bottom = OUTER
    rough = (left - off, top - off, right + off + 0.02, bottom + off)
    found = found_rim(in_lab(photo(truth(0.0))), truth(0.0), rough, 0.2, 0.035)
    assert found == pytest.approx(OUTER, abs=0.015)
