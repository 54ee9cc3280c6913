"""What colour a paint is to the eye, for drawings of it."""

from __future__ import annotations

import colorsys

import numpy as np

from companion.vision.light import FLOOR, GAMMA
from companion.vision.pieces import Paint
from companion.vision.pieces_print import Floats, opponent

RGB = tuple[int, int, int]

# Colours with less of the paint than this are edges and gloss.
ENOUGH = 0.1
# Gloss and stray light lay white over a paint: its saturation in photos of the reference kit is about half
# of what the wood was painted with (red 0.43 of 0.85, blue 0.40 of 0.80, green 0.42 of 0.72, yellow 0.52).
UNDER_THE_GLOSS = 1.8


def seen_as(paint: Paint) -> RGB:
    """Red, green and blue, 0-255, of the paint where it is purest, without the gloss on it."""
    large = paint.shares >= min(ENOUGH, float(paint.shares.max()))
    return max((_pigment(middle) for middle in paint.middles[large]), key=_saturation)


def _pigment(middle: Floats) -> RGB:
    mix = opponent(np.eye(3, dtype=np.float32)).T.astype(np.float64)
    light = np.exp(np.linalg.solve(mix, middle.astype(np.float64))) - FLOOR
    blue, green, red = (float(np.clip(value, 0, 1)) ** (1 / GAMMA) for value in light)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    red, green, blue = colorsys.hsv_to_rgb(hue, min(1.0, saturation * UNDER_THE_GLOSS), value)
    return round(255 * red), round(255 * green), round(255 * blue)


def _saturation(colour: RGB) -> float:
    return colorsys.rgb_to_hsv(*colour)[1]
