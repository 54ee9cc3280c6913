"""A paint as it was learnt is shown in the colour it has."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest

from companion.vision.light import FLOOR, linear
from companion.vision.paint_colour import seen_as
from companion.vision.pieces import Paint
from companion.vision.pieces_print import opponent

RGB = tuple[int, int, int]


def paint_of(*shades: tuple[RGB, float]) -> Paint:
    bgr = np.array([[rgb[::-1] for rgb, _ in shades]], dtype=np.uint8)
    middles = opponent(np.log(linear(bgr) + np.float32(FLOOR))).reshape(-1, 3)
    shares = np.array([share for _, share in shades], np.float32)
    return Paint(middles, np.full(middles.shape, 0.1, np.float32), shares)


@pytest.mark.parametrize(
    ("seen", "name"),
    [
        ((190, 109, 114), "red"),
        ((109, 128, 171), "blue"),
        ((107, 184, 129), "green"),
        ((231, 217, 111), "yellow"),
    ],
)
def test_paint_under_gloss_keeps_its_hue_and_gets_its_depth(seen: RGB, name: str) -> None:
    shown = seen_as(paint_of((seen, 0.6), ((235, 235, 235), 0.05)))
    before, after = colorsys.rgb_to_hsv(*seen), colorsys.rgb_to_hsv(*shown)
    assert after[0] == pytest.approx(before[0], abs=0.01)
    assert after[1] > 1.5 * before[1], name


def test_where_the_paint_is_purest_decides() -> None:
    assert seen_as(paint_of(((190, 109, 114), 0.3), ((224, 180, 182), 0.6))) == seen_as(
        paint_of(((190, 109, 114), 1.0))
    )


@pytest.mark.parametrize("grey", [(250, 250, 250), (128, 128, 128), (20, 20, 20)])
def test_white_grey_and_black_stay_what_they_are(grey: RGB) -> None:
    assert np.abs(np.subtract(seen_as(paint_of((grey, 1.0))), grey)).max() <= 2
