"""A paint as it was learnt is shown in the colour it has."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.light import FLOOR, linear
from companion.vision.paint_colour import seen_as
from companion.vision.pieces import Paint
from companion.vision.pieces_ground import opponent


@pytest.mark.parametrize(
    "rgb", [(200, 32, 40), (30, 86, 176), (38, 128, 62), (240, 196, 40), (250, 250, 248)]
)
def test_most_of_the_paint_decides(rgb: tuple[int, int, int]) -> None:
    shades = np.array([[rgb[::-1], (10, 10, 10)]], dtype=np.uint8)
    middles = opponent(np.log(linear(shades) + np.float32(FLOOR))).reshape(-1, 3)
    paint = Paint(middles, np.full((2, 3), 0.1, np.float32), np.array([0.7, 0.3], np.float32))
    assert np.abs(np.subtract(seen_as(paint), rgb)).max() <= 1
