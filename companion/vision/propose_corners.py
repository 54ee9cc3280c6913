"""Proposes where the corners of a board lie in a photo of which nothing is known yet.

Only the outline of the board against the table is looked at, so a proposal says where corners are but not
which of them is the board's top left, nor whether it is the board's edge or that of a print upon it.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.camera import Matrix
from companion.vision.photo import Photo
from companion.vision.plane import Image, shrunk
from companion.vision.registration_outline import OUTLINE_SIDE, outlines

# Without any outline to be seen, corners are put this far into the photo, where they are easy to grasp.
INSET = 0.12
# How far inside and outside of a side colours are compared, as a part of the copy's long side.
BESIDE = 0.012
# So many outlines are looked at; those that stand out less are shadows and prints.
MOST = 4


def proposed_outlines(photo: Photo) -> tuple[list[Matrix], bool]:
    """Outlines that may be the board's, likely ones first, in pixels of the whole photo; each clockwise from
    the corner nearest the top left. And whether they were seen, or one was just put somewhere."""
    small, factor = shrunk(photo.image, OUTLINE_SIDE)
    found = sorted(outlines(small), key=lambda corners: -_stands_out(small, corners))
    if not found:
        across, down = photo.width * INSET, photo.height * INSET
        right, bottom = photo.width - across, photo.height - down
        return [np.array([(across, down), (right, down), (right, bottom), (across, bottom)])], False
    whole = [(corners + 0.5) / (factor * photo.scale) - 0.5 for corners in found[:MOST]]
    return [np.roll(one, -int(np.argmin(one.sum(axis=1))), axis=0) for one in whole], True


def _stands_out(image: Image, corners: Matrix) -> float:
    """How far colours differ on both sides of the outline, at its weakest side; large ones are preferred."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    middle = corners.mean(axis=0)
    reach = BESIDE * max(image.shape)
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        points = start + np.linspace(0.05, 0.95, 60)[:, None] * (end - start)
        along = (end - start) / max(float(np.hypot(*(end - start))), 1.0)
        outward = np.array([along[1], -along[0]])
        if outward @ (start - middle) < 0:
            outward = -outward
        inner, outer = (_colours(lab, points + sign * reach * outward) for sign in (-1, 1))
        sides.append(float(np.median(np.linalg.norm(inner - outer, axis=1))))
    share = cv2.contourArea(corners.astype(np.float32)) / (image.shape[0] * image.shape[1])
    return (min(sides) + 0.25 * float(np.mean(sides))) * float(np.sqrt(share))


def _colours(lab: np.ndarray[tuple[int, ...], np.dtype[np.float32]], points: Matrix) -> Matrix:
    height, width = lab.shape[:2]
    x = np.clip(np.round(points[:, 0]).astype(int), 0, width - 1)
    y = np.clip(np.round(points[:, 1]).astype(int), 0, height - 1)
    return np.asarray(lab[y, x], np.float64)
