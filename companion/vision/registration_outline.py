"""Guesses of where the board lies, from its outline against the table: no print is looked at.

For boards whose print is much the same all over, or too soft for points to be recognised. Every outline with
four corners is a guess for each assembly and each side of the table from which it may have been photographed.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Assembly
from companion.vision.plane import Image, homography_of
from companion.vision.registration_features import Guess

# Long side of the copy in which outlines are looked for.
OUTLINE_SIDE = 400
# A board fills at least this part of the photo, and at most nearly all of it.
SMALLEST_PART, LARGEST_PART = 0.06, 0.97
# How much of the blob the four corners must hold, and how much more they may.
FITS = 0.92
# Pixels by which the rim of a blob may lie off the straight side it belongs to.
SIDE_REACH = 5.0
# Outlines whose corners all lie closer than this many pixels are the same.
SAME_OUTLINE = 8.0


def outline_guesses(image: Image, assemblies: tuple[Assembly, ...]) -> Iterator[Guess]:
    """`image` is the colour photo. The pixels of the guesses are those of a copy `OUTLINE_SIDE` long."""
    for corners in outlines(image):
        for assembly in assemblies:
            board = np.array(assembly.corners)
            for first in range(4):
                yield Guess(assembly, homography_of(board, np.roll(corners, first, axis=0)))


def outlines(image: Image) -> Iterator[Matrix]:
    """Four corners each, clockwise."""
    smooth = np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), np.uint8)
    found: list[Matrix] = []
    for blob in (*_unlike_the_rim(smooth), *_behind_edges(smooth)):
        corners = _four_corners(blob)
        if corners is not None and all(np.abs(corners - other).max() > SAME_OUTLINE for other in found):
            found.append(corners)
            yield corners


def _unlike_the_rim(image: Image) -> Iterator[Image]:
    """What has another colour than the rim of the photo, where the table is seen."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 0.5  # light and shadow change brightness more than colour
    height, width = lab.shape[:2]
    band = max(4, round(0.03 * max(height, width)))
    rim = np.ones((height, width), bool)
    rim[band:-band, band:-band] = False
    table = lab[rim][::3]
    criteria = (cv2.TERM_CRITERIA_MAX_ITER, 8, 0.0)
    cv2.setRNGSeed(1)  # the same photo gives the same clusters
    start = np.zeros((len(table), 1), np.int32)
    _, _, centres = cv2.kmeans(table, 4, start, criteria, 1, cv2.KMEANS_PP_CENTERS)
    off = np.min([np.linalg.norm(lab - centre, axis=2) for centre in centres], axis=0)
    unlike = np.asarray(np.clip(off * 4, 0, 255), np.uint8)
    level, _ = cv2.threshold(unlike, 0, 255, cv2.THRESH_OTSU)
    for part in (1.0, 0.7, 0.45):
        yield np.where(unlike > level * part, 255, 0).astype(np.uint8)


def _behind_edges(image: Image) -> Iterator[Image]:
    """What cannot be reached from the rim of the photo without crossing an edge."""
    for low, high in ((120, 240), (60, 140), (25, 70)):
        edges = np.max([cv2.Canny(channel, low, high) for channel in cv2.split(image)], axis=0)
        walls = np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8)
        yield np.where(_reached(walls), 0, 255).astype(np.uint8)


def _reached(walls: Image) -> NDArray[np.bool_]:
    """Pixels joined to the rim outside of the walls."""
    free = cv2.copyMakeBorder(255 - walls, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=255)
    _, labels = cv2.connectedComponents(free, connectivity=4)
    return np.asarray(labels[1:-1, 1:-1] == labels[0, 0])


def _four_corners(blob: Image) -> Matrix | None:
    """The corners of the largest blob, clockwise, where it is a quadrilateral."""
    solid = cv2.morphologyEx(blob, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    rim = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(rim)
    area = cv2.contourArea(hull)
    if not SMALLEST_PART * blob.size < area < LARGEST_PART * blob.size:
        return None
    for part in (0.01, 0.015, 0.02, 0.03, 0.04, 0.06):
        simple = cv2.approxPolyDP(hull, part * cv2.arcLength(hull, True), True).reshape(-1, 2)
        if len(simple) <= 4:
            break
    if len(simple) != 4:
        return None
    corners = _sides_met(rim.reshape(-1, 2).astype(np.float64), simple.astype(np.float64))
    if corners is None or not FITS < cv2.contourArea(corners.astype(np.float32)) / area < 1 / FITS:
        return None
    return corners if cv2.contourArea(corners.astype(np.float32), True) > 0 else corners[::-1].copy()


def _sides_met(rim: Matrix, rough: Matrix) -> Matrix | None:
    """Where lines along the four sides meet: a corner itself may be rounded or covered."""
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        length = max(float(np.hypot(*(end - start))), 1.0)
        along = (end - start) / length
        away = rim - start
        share, off = away @ along / length, np.abs(away @ np.array([-along[1], along[0]]))
        on_side = rim[(share > 0.1) & (share < 0.9) & (off < SIDE_REACH)]
        if len(on_side) < 8:
            return None
        vx, vy, x, y = cv2.fitLine(on_side.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    pairs = zip(np.roll(lines, 1, axis=0), lines, strict=True)
    met = np.array([np.cross(before, line) for before, line in pairs])
    if np.abs(met[:, 2]).min() < 1e-6:
        return None
    return np.asarray(met[:, :2] / met[:, 2:])
