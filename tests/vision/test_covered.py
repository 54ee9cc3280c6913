"""What stands on a print is told from the print, from its shadow, and from a print that lies a little off."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.covered import STRIDE, Floats, covered

SIZE = (203, 161)  # no multiples of anything
MIDDLE, RADIUS = (100, 80), 6


def _print(seed: int) -> Floats:
    """Logarithms of light: fields of colours with some drawing on them."""
    rng = np.random.default_rng(seed)
    fields = rng.uniform(-1.0, -0.1, (5, 6, 3)).astype(np.float32)
    picture = cv2.resize(fields, SIZE, interpolation=cv2.INTER_NEAREST)
    for x, y in rng.integers(0, SIZE, (40, 2)).tolist():
        cv2.circle(picture, (x, y), 2, (-1.2, -1.2, -1.2), 1)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.float32)


def _planes(seen: Floats, due: Floats) -> Floats:
    planes = np.zeros((10, *due.shape[:2]), np.float32)
    planes[:3], planes[3:6], planes[6] = seen.transpose(2, 0, 1), due.transpose(2, 0, 1), 1
    return planes


def _disc(radius: float = RADIUS) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    y, x = np.mgrid[: SIZE[1], : SIZE[0]]
    return np.asarray(np.hypot(x - MIDDLE[0], y - MIDDLE[1]) <= radius)


@pytest.mark.parametrize("seed", range(4))
def test_a_piece_is_seen_and_bare_print_is_not(seed: int) -> None:
    due = _print(seed)
    seen = due.copy()
    seen[_disc()] = (-1.4, -0.3, 0.0)
    told = covered(_planes(seen, due))
    assert told.piece.shape == due.shape[:2]
    assert (told.piece[_disc(RADIUS - 2)] > 0).mean() > 0.9
    assert (told.piece[~_disc(RADIUS + 4)] > 0).mean() < 0.005


@pytest.mark.parametrize("seed", range(4))
def test_shade_another_lamp_and_a_print_half_a_pixel_off_are_no_pieces(seed: int) -> None:
    due = _print(seed)
    off = cv2.warpAffine(due, np.array([[1, 0, 0.5], [0, 1, -0.4]]), SIZE, borderMode=cv2.BORDER_REPLICATE)
    shade = cv2.GaussianBlur(_disc(14).astype(np.float32), (0, 0), 4)[..., None] * 0.25
    tinged = np.asarray(off - shade + (0.08, 0.0, -0.06), np.float32)
    told = covered(_planes(tinged, due))
    assert (told.piece > 0).mean() < 0.005


def test_the_same_picture_gives_the_same_answer_whatever_the_threads() -> None:
    due = _print(9)
    seen = np.roll(due, STRIDE, axis=0)
    threads = cv2.getNumThreads()
    try:
        cv2.setNumThreads(1)
        one = covered(_planes(seen, due)).piece
        cv2.setNumThreads(2)
        two = covered(_planes(seen, due)).piece
    finally:
        cv2.setNumThreads(threads)
    assert np.array_equal(one, two)
