"""Whether a drawn border runs from the middle of a square picture to each of its four corners."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plane import Image

# Where along the way from the middle to a corner's diagonal side the border is looked at, in halves of the
# picture: not in the middle, where something may be printed, nor at the rim.
FROM, TO = 0.3, 0.62
# How far beside the border its two neighbours are looked at, in halves of the picture.
NEAR, FAR = 0.07, 0.22


def border_strengths(image: Image) -> NDArray[np.float64]:
    """At the corners top right, bottom right, bottom left, top left: how far colours differ across."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 1.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    half = image.shape[0] / 2
    stops = np.linspace(FROM, TO, 24)
    strengths = []
    for x, y in ((1, -1), (1, 1), (-1, 1), (-1, -1)):
        along = np.array([x, y]) / np.sqrt(2) * np.sqrt(2)
        beside = np.array([-y, x]) / np.sqrt(2)
        line = _line(lab, half, stops, along, beside, 0.0)
        sides = [
            np.mean([_line(lab, half, stops, along, beside, sign * off) for off in (NEAR, FAR)], axis=0)
            for sign in (-1, 1)
        ]
        step = np.linalg.norm(np.median(sides[0] - sides[1], axis=0))
        drawn = np.linalg.norm(np.median(line - (sides[0] + sides[1]) / 2, axis=0))
        strengths.append(float(step + 1.5 * drawn))
    return np.array(strengths)


def two_classes(values: NDArray[np.float64]) -> float:
    """The level that parts values best into low and high ones."""
    ordered = np.sort(np.sqrt(values))
    levels = (ordered[1:] + ordered[:-1]) / 2
    spread = [
        len(low) * low.var() + len(high) * high.var()
        for level in levels
        for low, high in [(ordered[ordered <= level], ordered[ordered > level])]
    ]
    return float(levels[int(np.argmin(spread))] ** 2)


def _line(
    lab: NDArray[np.float32],
    half: float,
    stops: NDArray[np.float64],
    along: NDArray[np.float64],
    beside: NDArray[np.float64],
    off: float,
) -> NDArray[np.float32]:
    """Colours along the line; the darkest or lightest of a few beside each other would bend to any speck."""
    points = half + half * (stops[:, None] * along + off * beside)
    size = lab.shape[0]
    x = np.clip(np.rint(points[:, 0]).astype(int), 0, size - 1)
    y = np.clip(np.rint(points[:, 1]).astype(int), 0, size - 1)
    return np.asarray(lab[y, x], np.float32)
