"""How strong the edges of a picture run along given lines: by this a drawn grid is laid over a print."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plane import Image

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EdgeField:
    """The change of colour across upright lines (`across`) and level ones (`down`), pixel by pixel."""

    across: Floats
    down: Floats

    @classmethod
    def of(cls, image: Image, blur: float = 1.0) -> EdgeField:
        """`blur` widens the edges, in pixels: a rough grid then feels where to go."""
        lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
        smooth = cv2.GaussianBlur(lab, (0, 0), blur)
        across = np.abs(cv2.Scharr(smooth, cv2.CV_32F, 1, 0)).max(axis=2) / 16
        down = np.abs(cv2.Scharr(smooth, cv2.CV_32F, 0, 1)).max(axis=2) / 16
        return cls(across, down)

    def smeared(self, reach: float) -> EdgeField:
        """Both edges of a printed line become one, in its middle. `reach` is in pixels."""
        across, down = (cv2.GaussianBlur(field, (0, 0), reach) for field in (self.across, self.down))
        return EdgeField(np.asarray(across, np.float32), np.asarray(down, np.float32))

    def upright(self, x: Floats, y: Floats) -> Floats:
        """The strength of upright edges at pixels; 0 outside the picture."""
        return _at(self.across, x, y)

    def level(self, x: Floats, y: Floats) -> Floats:
        return _at(self.down, x, y)


def _at(field: Floats, x: Floats, y: Floats) -> Floats:
    height, width = field.shape
    column, row = np.rint(x).astype(np.int32), np.rint(y).astype(np.int32)
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    values = field[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]
    return np.where(inside, values, np.float32(0))
