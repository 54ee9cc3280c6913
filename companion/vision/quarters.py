"""A square that its diagonals divide into four quarters: where its middle is, and where each quarter's mark.

Whoever lays squares down by hand does not lay them exactly, and no two prints have their marks in one place.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plane import Image, in_gray
from companion.vision.resemble import in_lab

Floats = NDArray[np.float32]
Shift = tuple[int, int]

# Every third pixel is looked at to find the middle; shifts of four pixels first, then of one.
THINNED = 3
COARSE = 4
# How much a shift has to gain a pixel to be believed.
RELUCTANCE = 0.04
# Strokes are narrower than this part of the square's side.
STROKE = 0.1
# Where the colour of a quarter is taken: not at the middle, beside its diagonals, or at the rim.
NARROW, NOT_BESIDE, RIM = 0.08, 0.9, 0.46
# Where marks are looked for: this far from the middle, and not at the edge, where the next quarter begins.
INNER, OUTER, WIDE = 0.1, 0.42, 0.8


def centred(image: Image, side: int) -> Image:
    """The square of `side` pixels in the picture whose quarters are each most of one colour."""
    slack = min(image.shape[:2]) - side
    if slack <= 0:
        return image
    lab = cv2.GaussianBlur(in_lab(image), (0, 0), side / 80).astype(np.float32)
    y, x = np.mgrid[:side:THINNED, :side:THINNED] / (side - 1) - 0.5
    away = np.maximum(abs(x), abs(y))
    inside = (away > 0.04) & (away < 0.3) & (abs(abs(x) - abs(y)) > 0.02)
    quarters = [inside & quarter for quarter in (-y > abs(x), x > abs(y), y > abs(x), -x > abs(y))]

    def unevenness(shift: Shift) -> float:
        down, right = shift
        part = lab[down : down + side : THINNED, right : right + side : THINNED]
        colours = (part[quarter] for quarter in quarters)
        mixed = sum(float(np.abs(some - np.median(some, axis=0)).mean()) for some in colours)
        return mixed + RELUCTANCE * float(np.hypot(down - slack / 2, right - slack / 2))

    steps = range(slack % COARSE // 2, slack + 1, COARSE)
    down, right = min(((y, x) for y in steps for x in steps), key=unevenness)
    down, right = min(_near(down, right, slack), key=unevenness)
    return np.ascontiguousarray(image[down : down + side, right : right + side])


def _near(down: int, right: int, slack: int) -> Iterable[Shift]:
    for y in range(max(0, down - COARSE // 2), min(slack, down + COARSE // 2) + 1):
        for x in range(max(0, right - COARSE // 2), min(slack, right + COARSE // 2) + 1):
            yield y, x


def quarter_colours(lab: Floats) -> Floats:
    """The mean colour of each quarter, from the upper one clockwise: 4 x 3."""
    side = lab.shape[0]
    y, x = np.mgrid[:side, :side] / (side - 1) - 0.5
    upper = (y < -NARROW) & (abs(x) < -y * NOT_BESIDE) & (y > -RIM)
    return np.array([np.rot90(lab, quarter)[upper].mean(axis=0) for quarter in range(4)], np.float32)


def mark_depth(lab: Floats) -> float:
    """How far from the upper edge the mark of the upper quarter has its middle, in sides of the square."""
    side = lab.shape[0]
    y, x = np.mgrid[:side, :side] / (side - 1) - 0.5
    quarter = (y < -INNER) & (y > -OUTER) & (abs(x) < -y * WIDE)
    off = np.linalg.norm(lab - np.median(lab[quarter], axis=0), axis=2) * quarter
    level = max(10.0, float(np.percentile(off[quarter], 80)))
    weights = np.clip(off - level / 2, 0, level) * quarter
    total = float(weights.sum())
    return float((weights * (y + 0.5)).sum() / total) if total > 1 else 0.25


def strokes(image: Image) -> Floats:
    """What is narrow, light on dark or dark on light: the ground and everything wide is gone."""
    gray = in_gray(image)
    width = max(3, int(gray.shape[0] * STROKE) // 2 * 2 + 1)
    return np.asarray(np.abs(gray.astype(np.float32) - cv2.medianBlur(gray, width)), np.float32)
