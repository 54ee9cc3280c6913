"""Flat things seen flat: points and pictures moved by 3 x 3 matrices."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Place, Polygon, Sheet

Image = NDArray[np.uint8]
# cv2.remap takes two maps; both coordinates are in our first.
NO_MAP = np.empty(0, np.float32)


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of a plane in millimetres, seen as a picture."""

    left: float
    top: float
    """The middle of pixel (0, 0), in millimetres."""
    per_mm: float
    width: int
    height: int
    """In pixels."""

    @classmethod
    def around(cls, polygons: tuple[Polygon, ...], per_mm: float, margin: float = 0.0) -> Window:
        points = np.array([point for polygon in polygons for point in polygon])
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        width, height = np.maximum(np.ceil((high - low) * per_mm).astype(int), 1)
        return cls(low[0] + 0.5 / per_mm, low[1] + 0.5 / per_mm, per_mm, int(width), int(height))

    def to_mm(self) -> Matrix:
        """Maps pixels of the window to millimetres."""
        return np.array([[1 / self.per_mm, 0, self.left], [0, 1 / self.per_mm, self.top], [0, 0, 1.0]])

    def to_pixels(self) -> Matrix:
        return np.array(
            [
                [self.per_mm, 0, -self.left * self.per_mm],
                [0, self.per_mm, -self.top * self.per_mm],
                [0, 0, 1.0],
            ]
        )

    def mask(self, polygons: tuple[Polygon, ...]) -> Image:
        """255 inside the convex polygons (millimetres), 0 elsewhere."""
        mask = np.zeros((self.height, self.width), np.uint8)
        for polygon in polygons:
            corners = moved(self.to_pixels(), np.array(polygon))
            # 4 more bits keep the outline true to a sixteenth of a pixel
            cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 255, shift=4)
        return mask


def moved(matrix: Matrix, points: Matrix) -> Matrix:
    """Points (n x 2) through a homography."""
    seen = np.asarray(points, np.float64).reshape(-1, 2) @ matrix[:, :2].T
    seen += matrix[:, 2]
    return np.asarray(seen[:, :2] / seen[:, 2:])


def inverse(matrix: Matrix) -> Matrix:
    """Of a 3 x 3 matrix, by its minors: far quicker than to have so small a system solved."""
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    minors = ((e * i - f * h, c * h - b * i, b * f - c * e), (f * g - d * i, a * i - c * g, c * d - a * f),
              (d * h - e * g, b * g - a * h, a * e - b * d))  # fmt: skip
    return np.asarray(np.array(minors) / (a * minors[0][0] + b * minors[1][0] + c * minors[2][0]))


def median(values: Matrix) -> float:
    """The upper one of two middle values: np.median takes ten times as long for a few dozen."""
    return float(np.partition(values, len(values) // 2)[len(values) // 2])


def straightened(image: Image, homography: Matrix, window: Window, smooth: bool = False) -> Image:
    """The picture of `window`, whose millimetres `homography` maps to pixels of `image`."""
    flags = (cv2.INTER_CUBIC if smooth else cv2.INTER_LINEAR) | cv2.WARP_INVERSE_MAP
    size = (window.width, window.height)
    return np.asarray(cv2.warpPerspective(image, homography @ window.to_mm(), size, flags=flags), np.uint8)


@cache
def laid(place: Place, turned: int) -> Matrix:
    """From the millimetres of a sheet to those of the board on which it lies in `place`."""
    angle = math.radians(turned)
    cos, sin = round(math.cos(angle), 12), round(math.sin(angle), 12)
    x, y = place.pivot
    matrix = np.array(
        [
            [cos, -sin, place.x + x - cos * x + sin * y],
            [sin, cos, place.y + y - sin * x - cos * y],
            [0, 0, 1.0],
        ]
    )
    matrix.flags.writeable = False  # one for all who ask
    return matrix


def corners_of(sheet: Sheet) -> Polygon:
    """The rectangle around a sheet."""
    points = np.array([point for part in sheet.parts for point in part])
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def homography_of(points: Matrix, pixels: Matrix) -> Matrix:
    """From four points."""
    return np.asarray(
        cv2.getPerspectiveTransform(np.asarray(points, np.float32), np.asarray(pixels, np.float32)),
        np.float64,
    )


def grid(outline: Matrix, count: int) -> Matrix:
    """`count` x `count` points over the rectangle around an outline."""
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    x, y = np.meshgrid(np.linspace(left, right, count), np.linspace(top, bottom, count))
    return np.stack([x, y], axis=-1).reshape(-1, 2)


def shrunk(image: Image, side: int) -> tuple[Image, float]:
    """A copy whose long side has `side` pixels, or the picture itself if it is smaller; and the factor."""
    factor = side / max(image.shape)
    if factor >= 1:
        return image, 1.0
    size = (round(image.shape[1] * factor), round(image.shape[0] * factor))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def in_gray(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
