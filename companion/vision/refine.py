"""Where the print really lies: many small blocks of it are found again near where they are expected.

A block that is covered by a tile, a piece, a hand or glare agrees with nothing or lies elsewhere than its
neighbours say, and is left out. All others together give the plane, to a fraction of a pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.plane import Image, Window, inverse, moved

# A block agrees where its correlation with the print is at least this. Shot noise and blur of a phone cost
# some 0.2; unrelated pictures of this size reach 0.5 within a search window.
BLOCK_AGREES = 0.6
# Smaller blocks, in pixels, look like one another.
SMALLEST_BLOCK = 12
# A phone bends straight lines by some 3 in 100 at most after its own correction.
USUAL_LENS = 0.03


@dataclass(frozen=True, slots=True)
class Blocks:
    """Places of a print picture that can be told from their surroundings in every direction."""

    corners: NDArray[np.intp]
    """Top left pixels, n x 2 (x, y)."""
    size: int

    def middles(self) -> Matrix:
        return np.asarray(self.corners + (self.size - 1) / 2, np.float64)


@dataclass(frozen=True, slots=True)
class Level:
    """A print at one size, with its blocks."""

    window: Window
    blocks: Blocks
    cut: Image
    """The blocks' pictures, n x size x size."""

    @classmethod
    def of(cls, picture: Image, mask: Image, window: Window, block: int, most: int) -> Level:
        blocks = textured_blocks(picture, mask, block, block // 2, most)
        while len(blocks.corners) < most // 2 and block > SMALLEST_BLOCK:
            # a narrow sheet, such as a frame, has no room for large ones
            block = block * 3 // 4
            blocks = textured_blocks(picture, mask, block, block // 2, most)
        cut = [picture[y : y + block, x : x + block] for x, y in blocks.corners.tolist()]
        return cls(window, blocks, np.array(cut, np.uint8).reshape(-1, block, block))


@dataclass(frozen=True, slots=True)
class View:
    """A plane seen through a lens: a homography, and one number for how the lens bends lines."""

    homography: Matrix
    bend: float
    middle: tuple[float, float]
    unit: float
    """Pixels that count as 1 for `bend`."""

    @classmethod
    def straight(cls, homography: Matrix, size: tuple[int, int]) -> View:
        """Through a lens that bends nothing, in a photo of `size` (width, height)."""
        return cls(homography, 0.0, ((size[0] - 1) / 2, (size[1] - 1) / 2), float(max(size)))

    def project(self, points: Matrix) -> Matrix:
        ideal = (moved(self.homography, points) - self.middle) / self.unit
        radius = (ideal**2).sum(axis=1, keepdims=True)
        return np.asarray(ideal * (1 + self.bend * radius) * self.unit + self.middle)

    def flat(self, points: Matrix) -> Matrix:
        """The homography that is nearest to the view around `points` (at least four)."""
        seen = self.project(points)
        fitted, _ = cv2.findHomography(np.asarray(points, np.float64), seen, 0)
        return self.homography if fitted is None else np.asarray(fitted, np.float64)

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
    order = np.argsort(-strength, kind="stable")
    return Blocks(_spread(corners[order[strength[order] > 0]], most), size)


def _spread(corners: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """The first `most` that keep a distance, which shrinks until so many are found.

    Blocks all over a sheet hold its plane better than the same number in its most colourful part.
    """
    if len(corners) <= most:
        return corners
    apart = float(np.ptp(corners, axis=0).max())
    kept: list[int] = []
    while len(kept) < most:
        kept = []
        free = np.ones(len(corners), bool)
        for index in range(len(corners)):
            if free[index] and len(kept) < most:
                kept.append(index)
                free &= np.abs(corners - corners[index]).max(axis=1) >= apart
        apart *= 0.85
    return corners[kept]


def patches(image: Image, factor: float, view: View, place: Matrix, level: Level, search: int) -> Image:
    """The photo around each block, straightened: n x side x side.

    `image` is a copy `factor` as large as the one of `view`; `place` leads from the sheet to the board.
    """
    side = level.blocks.size + 2 * search
    if not len(level.cut):
        return np.zeros((0, side, side), np.uint8)
    half = side / 2
    to_board = place @ level.window.to_mm()
    to_photo = view.homography @ to_board
    middles = level.blocks.middles()
    bent = view.project(moved(to_board, middles)) - moved(to_photo, middles)
    at = middles @ to_photo[:, :2].T + to_photo[:, 2]
    mesh = _mesh(side)
    # x, y and depth of every pixel, each as one product of small matrices
    x, y, depth = (
        np.column_stack([at[:, k], np.full((len(at), 2), to_photo[k, :2] * half)]).astype(np.float32) @ mesh
        for k in range(3)
    )
    # within a block the lens bends everything alike
    bent = (bent * factor + (factor - 1) / 2).astype(np.float32)
    depth /= np.float32(factor)
    x, y = (p / depth + off[:, None] for p, off in zip((x, y), bent.T, strict=True))
    seen = cv2.remap(image, x.reshape(-1, side), y.reshape(-1, side), cv2.INTER_LINEAR)
    return np.asarray(seen.reshape(-1, side, side), np.uint8)


@cache
def _mesh(side: int) -> NDArray[np.float32]:
    """1, x, y of every pixel of a patch, 3 x pixels, with -1 and 1 at its rims."""
    steps = (np.arange(side) + 0.5) / (side / 2) - 1
    x, y = np.meshgrid(steps, steps)
    return np.stack([np.ones_like(x), x, y]).reshape(3, -1).astype(np.float32)


def shifts(seen: Image, level: Level, search: int) -> tuple[Matrix, Matrix]:
    """How far each block lies off the middle of its patch, and how well it agrees there (0-1).

    Those found at the rim of their patch agree by 0: the true place may be outside.
    """
    found = np.zeros((len(seen), 2))
    agree = np.zeros(len(seen))
    last = 2 * search
    for index, (patch, block) in enumerate(zip(seen, level.cut, strict=True)):
        scores = cv2.matchTemplate(patch, block, cv2.TM_CCOEFF_NORMED)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        if 0 < column < last and 0 < row < last and best <= 1:  # a flat patch divides by nothing
            found[index] = column - search, row - search
            found[index, 0] += _peak(*scores[row, column - 1 : column + 2].tolist())
            found[index, 1] += _peak(*scores[row - 1 : row + 2, column].tolist())
            agree[index] = best
    return found, agree


def _peak(before: float, top: float, after: float) -> float:
    """Where the parabola through three scores is highest, from the middle one."""
    bow = before - 2 * top + after
    return 0.0 if bow >= 0 else max(-0.5, min(0.5, 0.5 * (before - after) / bow))


def fitted_view(
    points: Matrix,
    pixels: Matrix,
    weights: Matrix,
    start: View,
    steps: int = 20,
) -> tuple[View, Matrix]:
    """The view that takes `points` to `pixels` best, and each point's miss in pixels.

    Robust: what misses by several times the usual counts little. `start` is near the answer.
    """
    middle, unit = start.middle, start.unit
    to_unit = np.array([[1 / unit, 0, -middle[0] / unit], [0, 1 / unit, -middle[1] / unit], [0, 0, 1.0]])
    low, high = points.min(axis=0), points.max(axis=0)
    centre, spread = (low + high) / 2, max(float((high - low).max()) / 2, 1e-9)
    to_mm = np.array([[spread, 0, centre[0]], [0, spread, centre[1]], [0, 0, 1.0]])
    near = (points - centre) / spread
    goal = (pixels - middle) / unit
    flat = to_unit @ start.homography @ to_mm
    unknown = np.append((flat / flat[2, 2]).ravel()[:8], start.bend)
    # one point's noise, about half a pixel, against the usual lens
    prior = np.zeros(9)
    prior[8] = (0.5 / unit / USUAL_LENS) ** 2
    miss = np.zeros(len(points))
    for _ in range(steps):
        predicted, slopes = _predicted(unknown, near)
        off = goal - predicted
        miss = np.hypot(off[:, 0], off[:, 1])
        usual = max(float(np.median(miss)), 0.2 / unit)
        trust = weights / (1 + (miss / (2 * usual)) ** 2) ** 2
        both = np.repeat(trust, 2)
        normal = slopes.T @ (slopes * both[:, None]) + np.diag(prior + 1e-12)
        step = np.linalg.solve(normal, slopes.T @ (both * off.ravel()) - prior * unknown)
        unknown = unknown + step
        if np.abs(step).max() < 1e-6:
            break
    flat = np.append(unknown[:8], 1.0).reshape(3, 3)
    homography = inverse(to_unit) @ flat @ inverse(to_mm)
    return View(homography / homography[2, 2], float(unknown[8]), middle, unit), miss * unit


def _predicted(unknown: Matrix, near: Matrix) -> tuple[Matrix, Matrix]:
    """Where the points are seen, and how that changes with the eight of the homography and the bend."""
    x, y = near[:, 0], near[:, 1]
    one, none = np.ones_like(x), np.zeros_like(x)
    a, b, c, d, e, f, g, h, bend = unknown
    below = 1 / (g * x + h * y + 1)
    u, v = (a * x + b * y + c) * below, (d * x + e * y + f) * below
    for_u = np.array([x, y, one, none, none, none, -u * x, -u * y]) * below
    for_v = np.array([none, none, none, x, y, one, -v * x, -v * y]) * below
    radius = u * u + v * v
    bent = 1 + bend * radius
    # the chain rule through  u * (1 + bend * (u^2 + v^2))
    across = np.vstack([for_u * (bent + 2 * bend * u * u) + for_v * (2 * bend * u * v), u * radius])
    down = np.vstack([for_v * (bent + 2 * bend * v * v) + for_u * (2 * bend * u * v), v * radius])
    slopes = np.stack([across.T, down.T], axis=1).reshape(-1, 9)
    return np.stack([u * bent, v * bent], axis=1), slopes
