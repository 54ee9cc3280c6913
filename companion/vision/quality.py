"""Whether a photo is good enough to learn from: more is asked of it than of one that is only read."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.camera import Matrix
from companion.vision.photo import Photo
from companion.vision.plane import in_gray, shrunk

# The long side of the copy that is looked at: detail means the same in photos of any size.
SIDE = 1200
# Of 0-255: the brightest twentieth of a photo under a lamp has 140 and more.
TOO_DARK = 70
# The strongest hundredth of the detail of a board in focus has 70 and more; of one blurred by 1.5 pixels
# of the copy, where fine print can no more be told apart, some 12.
TOO_BLURRED = 22
# Pixels that a corner may lie outside the photo, as a part of its long side.
OUTSIDE = 0.004


@dataclass(frozen=True, slots=True)
class Quality:
    brightness: float
    sharpness: float

    @property
    def is_dark(self) -> bool:
        return self.brightness < TOO_DARK

    @property
    def is_blurred(self) -> bool:
        return self.sharpness < TOO_BLURRED


def quality_of(photo: Photo) -> Quality:
    small, _ = shrunk(photo.image, SIDE)
    gray = in_gray(small)
    brightness = float(np.percentile(gray, 95))
    # a dark photo has little detail because it is dark, not because it is blurred
    detail = np.abs(cv2.Laplacian(gray, cv2.CV_32F)) * (160 / max(brightness, 40.0))
    return Quality(brightness, float(np.percentile(detail, 99)))


def is_cut_off(corners: Matrix, photo: Photo) -> bool:
    """Whether a corner (pixels of the whole photo) lies outside of it."""
    slack = OUTSIDE * max(photo.width, photo.height)
    x, y = corners[:, 0], corners[:, 1]
    inside = (x >= -slack) & (x <= photo.width + slack) & (y >= -slack) & (y <= photo.height + slack)
    return not bool(inside.all())
