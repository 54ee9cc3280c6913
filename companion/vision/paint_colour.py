"""What colour a paint is to the eye, for drawings of it."""

from __future__ import annotations

import numpy as np

from companion.vision.light import FLOOR, GAMMA
from companion.vision.pieces import Paint
from companion.vision.pieces_ground import opponent

RGB = tuple[int, int, int]


def seen_as(paint: Paint) -> RGB:
    """Red, green and blue, 0-255, of the colour that most of the paint shows in the light of the print."""
    middle = paint.middles[int(np.argmax(paint.shares))].astype(np.float64)
    mix = opponent(np.eye(3, dtype=np.float32)).T.astype(np.float64)
    light = np.exp(np.linalg.solve(mix, middle)) - FLOOR
    blue, green, red = (round(255 * float(np.clip(value, 0, 1)) ** (1 / GAMMA)) for value in light)
    return red, green, blue
