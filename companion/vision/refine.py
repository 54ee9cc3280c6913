"""Where the print really lies: many small blocks of it are found again near where they are expected.

A block that is covered by a tile, a piece, a hand or glare agrees with nothing or lies elsewhere than its
neighbours say, and is left out. All others together give the plane, to a fraction of a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.plane import Image, moved

# A block agrees where its correlation with the print is at least this. Shot noise and blur of a phone cost
# some 0.2; unrelated pictures of this size reach 0.5 within a search window.
BLOCK_AGREES = 0.6
# A phone bends straight lines by some 3 in 100 at most after its own correction.
USUAL_LENS = 0.03


@dataclass(frozen=True, slots=True)
class Blocks:
    """Places of a print picture that can be told from their surroundings in every direction."""

    corners: NDArray[np.intp]
    """Top left pixels, n x 2 (x, y)."""
    size: int

    def middles(self) -> Matrix:
        return self.corners + (self.size - 1) / 2


@dataclass(frozen=True, slots=True)
class View:
    """A plane seen through a lens: a homography, and one number for how the lens bends lines."""

    homography: Matrix
    bend: float
    middle: tuple[float, float]
    unit: float
    """Pixels that count as 1 for `bend`."""

    def project(self, points: Matrix) -> Matrix:
        ideal = (moved(self.homography, points) - self.middle) / self.unit
        radius = (ideal**2).sum(axis=1, keepdims=True)
        return np.asarray(ideal * (1 + self.bend * radius) * self.unit + self.middle)

    def flat(self, points: Matrix) -> Matrix:
        """The homography that is nearest to the view around `points` (at least four)."""
        seen = self.project(points)
        fitted, _ = cv2.findHomography(np.asarray(points, np.float64), seen, 0)
        return np.asarray(fitted, np.float64)

    def ideal(self, pixels: Matrix) -> Matrix:
        """Pixels as a lens that bends nothing would have shown them."""
        seen = (np.asarray(pixels) - self.middle) / self.unit
        straight = seen
        for _ in range(5):
            straight = seen / (1 + self.bend * (straight**2).sum(axis=1, keepdims=True))
        return np.asarray(straight * self.unit + self.middle)


def textured_blocks(picture: Image, mask: Image, size: int, step: int, most: int) -> Blocks:
    """Blocks wholly inside `mask` with edges in more than one direction, the best `most` of them."""
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1)
    window = (size, size)
    xx, yy, xy = (cv2.boxFilter(a, cv2.CV_32F, window) for a in (across * across, down * down, across * down))
    weaker = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    inside = cv2.boxFilter((mask > 0).astype(np.float32), cv2.CV_32F, window) > 0.999
    height, width = picture.shape
    xs, ys = np.arange(0, width - size + 1, step), np.arange(0, height - size + 1, step)
    corners = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    middles = corners + size // 2
    strength = np.where(inside, weaker, 0)[middles[:, 1], middles[:, 0]]
    order = np.argsort(-strength, kind="stable")[:most]
    return Blocks(corners[order[strength[order] > 0]], size)


def shifts(
    view: Image, picture: Image, blocks: Blocks, search: int, origin: tuple[int, int] = (0, 0)
) -> tuple[Matrix, Matrix]:
    """How far each block of `picture` lies off in `view`, and how well it agrees there (0-1).

    `origin` is where the view's pixel (0, 0) lies in `picture`. Blocks whose window leaves the view, and
    those found at the rim of their window, agree by 0.
    """
    found = np.zeros((len(blocks.corners), 2))
    agree = np.zeros(len(blocks.corners))
    size, reach = blocks.size, blocks.size + 2 * search
    for index, (x, y) in enumerate(blocks.corners.tolist()):
        left, top = x - search - origin[0], y - search - origin[1]
        if left < 0 or top < 0 or left + reach > view.shape[1] or top + reach > view.shape[0]:
            continue
        window = view[top : top + reach, left : left + reach]
        scores = cv2.matchTemplate(window, picture[y : y + size, x : x + size], cv2.TM_CCOEFF_NORMED)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        if not (0 < column < 2 * search and 0 < row < 2 * search):
            continue
        found[index] = column - search + _peak(scores[row, column - 1 : column + 2]), (
            row - search + _peak(scores[row - 1 : row + 2, column])
        )
        agree[index] = best if best <= 1 else 0.0  # a flat window divides by nothing
    return found, agree


def _peak(three: NDArray[np.float32]) -> float:
    """Where the parabola through three scores is highest, from the middle one."""
    a, b, c = (float(v) for v in three)
    bow = a - 2 * b + c
    return 0.0 if bow >= 0 else max(-0.5, min(0.5, 0.5 * (a - c) / bow))


def fitted_view(
    points: Matrix, pixels: Matrix, weights: Matrix, start: Matrix, size: tuple[int, int], lens: bool = True
) -> tuple[View, Matrix]:
    """The view that takes `points` to `pixels` best, and each point's miss in pixels.

    Robust: what misses by several times the usual counts little. `start` is a homography near the answer,
    `size` the photo's width and height.
    """
    middle = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    unit = float(max(size))
    to_unit = np.array([[1 / unit, 0, -middle[0] / unit], [0, 1 / unit, -middle[1] / unit], [0, 0, 1.0]])
    low, high = points.min(axis=0), points.max(axis=0)
    centre, spread = (low + high) / 2, max(float((high - low).max()) / 2, 1e-9)
    to_mm = np.array([[spread, 0, centre[0]], [0, spread, centre[1]], [0, 0, 1.0]])
    near = (points - centre) / spread
    goal = (pixels - middle) / unit
    flat = to_unit @ start @ to_mm
    unknown = np.append((flat / flat[2, 2]).ravel()[:8], 0.0)
    # one point's noise, about half a pixel, against the usual lens
    prior = np.zeros(9)
    prior[8] = (0.5 / unit / USUAL_LENS) ** 2 if lens else 1e9
    miss = np.zeros(len(points))
    for _ in range(8):
        predicted, slopes = _predicted(unknown, near)
        off = goal - predicted
        miss = np.hypot(off[:, 0], off[:, 1])
        usual = max(float(np.median(miss)), 0.2 / unit)
        trust = weights / (1 + (miss / (2 * usual)) ** 2) ** 2
        both = np.repeat(trust, 2)
        normal = slopes.T @ (slopes * both[:, None]) + np.diag(prior + 1e-12)
        step = np.linalg.solve(normal, slopes.T @ (both * off.ravel()) - prior * unknown)
        unknown = unknown + step
        if np.abs(step).max() < 1e-7:
            break
    flat = np.append(unknown[:8], 1.0).reshape(3, 3)
    homography = np.linalg.inv(to_unit) @ flat @ np.linalg.inv(to_mm)
    return View(homography / homography[2, 2], float(unknown[8]), middle, unit), miss * unit


def _predicted(unknown: Matrix, near: Matrix) -> tuple[Matrix, Matrix]:
    """Where the points are seen, and how that changes with the eight of the homography and the bend."""
    x, y = near[:, 0], near[:, 1]
    one, none = np.ones_like(x), np.zeros_like(x)
    a, b, c, d, e, f, g, h, bend = unknown
    below = 1 / (g * x + h * y + 1)
    u, v = (a * x + b * y + c) * below, (d * x + e * y + f) * below
    for_u = np.stack([x, y, one, none, none, none, -u * x, -u * y]) * below
    for_v = np.stack([none, none, none, x, y, one, -v * x, -v * y]) * below
    radius = u * u + v * v
    bent = 1 + bend * radius
    # the chain rule through  u * (1 + bend * (u^2 + v^2))
    across = np.vstack([for_u * (bent + 2 * bend * u * u) + for_v * (2 * bend * u * v), u * radius])
    down = np.vstack([for_v * (bent + 2 * bend * v * v) + for_u * (2 * bend * u * v), v * radius])
    slopes = np.stack([across.T, down.T], axis=1).reshape(-1, 9)
    return np.stack([u * bent, v * bent], axis=1), slopes
