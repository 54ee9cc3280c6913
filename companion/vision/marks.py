"""Small marks on a print: counted as a person counted others, and found again once shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.model import Polygon
from companion.vision.plane import Image, in_gray

# Levels (grey values off the ground around) at which a mark may stand out, lighter or darker.
LEVELS = (12, 20, 32, 48, 64)
# Sizes of a mark as parts of the picture's side: of the smallest, and how many times larger the largest is.
SMALLEST = (0.012, 0.02, 0.03, 0.045, 0.065)
LARGER = (2.0, 3.0, 5.0)
# A place has to be this much like one that was shown.
ALIKE = 0.62
# Pixels a side of the copy in which outlines are filled.
MASK = 120

Look = tuple[int, bool]
Counter = tuple[Look, float, float]
"""Level, lighter or not; the smallest and the largest size."""


@dataclass(frozen=True, slots=True)
class Marks:
    """All blobs of a picture: by level, n x 3 of x and y (from the middle) and size, in parts of its side."""

    blobs: Mapping[Look, NDArray[np.float64]]

    def within(self, polygons: Sequence[Polygon], side: float, without: Polygon, reach: float) -> Marks:
        """Those inside the polygons and not near the points `without`; both in the unit of `side`."""
        mask = np.zeros((MASK, MASK), np.uint8)
        for polygon in polygons:
            outline = np.rint((np.array(polygon) / side + 0.5) * MASK).astype(np.int32)
            cv2.fillPoly(mask, [outline], 1)
        chosen = {}
        for look, blobs in self.blobs.items():
            points = blobs[:, :2] * side
            column, row = np.clip(((blobs[:, :2] + 0.5) * MASK).astype(int), 0, MASK - 1).T
            inside = mask[row, column] > 0
            for x, y in without:
                inside &= np.hypot(points[:, 0] - x, points[:, 1] - y) > reach
            chosen[look] = blobs[inside]
        return Marks(chosen)

    def count(self, counter: Counter) -> int:
        look, smallest, largest = counter
        sizes = self.blobs[look][:, 2]
        return int(((sizes >= smallest) & (sizes <= largest)).sum())


def marks_of(image: Image) -> Marks:
    gray = in_gray(image)
    side = gray.shape[0]
    ground = cv2.medianBlur(gray, max(3, side // 8 * 2 + 1))
    off = cv2.GaussianBlur(gray, (0, 0), 0.7).astype(np.int16) - ground
    blobs = {}
    for level, lighter in product(LEVELS, (True, False)):
        there = np.asarray((off if lighter else -off) > level, np.uint8)
        count, _, stats, middles = cv2.connectedComponentsWithStats(there, connectivity=8)
        sizes = np.sqrt(stats[1:count, cv2.CC_STAT_AREA]) / side
        middles = (middles[1:count] + 0.5) / side - 0.5
        keep = (sizes >= SMALLEST[0]) & (sizes <= SMALLEST[-1] * LARGER[-1])
        blobs[level, lighter] = np.column_stack([middles, sizes])[keep]
    return Marks(blobs)


def counter_for(examples: Sequence[tuple[Marks, int]]) -> Counter | None:
    """The way to look at marks that counts the examples as they were counted; the steadiest of several."""
    if not examples:
        return None
    told = np.array([count for _, count in examples])[:, None]
    ranges = [(smallest, smallest * larger) for smallest, larger in product(SMALLEST, LARGER)]
    low, high = np.array(ranges).T
    best: tuple[float, Counter] | None = None
    for look in product(LEVELS, (True, False)):
        sizes = [np.sort(marks.blobs[look][:, 2]) for marks, _ in examples]
        counts = np.array([np.searchsorted(s, high, "right") - np.searchsorted(s, low) for s in sizes])
        wrong = (counts != told).mean(axis=0) + 0.05 * np.abs(counts - told).clip(max=5).mean(axis=0)
        least = int(np.argmin(wrong))
        if best is None or wrong[least] < best[0]:
            best = float(wrong[least]), (look, *ranges[least])
    assert best is not None
    return best[1]


def places_like(
    image: Image, shown: Sequence[Image], polygons: Sequence[Polygon], side: float, most: int
) -> list[tuple[float, float]]:
    """Where the picture looks like one of the small pictures `shown`, in `side` units from its middle."""
    if not shown:
        return []
    gray, small = _half(image), [_half(example) for example in shown]
    size = small[0].shape[0]
    alike = np.full((gray.shape[0] - size + 1, gray.shape[1] - size + 1), -1.0, np.float32)
    for example in small:
        for turns in range(4):
            turned = np.ascontiguousarray(np.rot90(example, turns))
            alike = np.maximum(alike, cv2.matchTemplate(gray, turned, cv2.TM_CCOEFF_NORMED))
    found: list[tuple[float, float]] = []
    outlines = [np.array(polygon, np.float32) for polygon in polygons]
    while len(found) < most:
        _, best, _, (x, y) = cv2.minMaxLoc(alike)
        if best < ALIKE:
            break
        at = (x + size / 2) / gray.shape[1] - 0.5, (y + size / 2) / gray.shape[0] - 0.5
        point = at[0] * side, at[1] * side
        if any(cv2.pointPolygonTest(outline, point, False) > 0 for outline in outlines):
            found.append((round(point[0], 2), round(point[1], 2)))
        cv2.circle(alike, (x, y), size * 2 // 3, -1.0, -1)
    return found


def _half(image: Image) -> Image:
    """In grey and half as large: enough to tell marks apart, and four times as quick to look through."""
    return np.asarray(
        cv2.resize(in_gray(image), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
    )
