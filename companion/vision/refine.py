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
from companion.vision.plane import Image, Window, inverse, median, moved

# A block agrees where its correlation with the print is at least this. Shot noise and blur of a phone cost
# some 0.2; unrelated pictures of this size reach 0.5 within a search window.
BLOCK_AGREES = 0.6
# Smaller blocks, in pixels, look like one another.
SMALLEST_BLOCK = 12
# Blocks whose edges are weaker than this in some direction (mean squares of Sobel's grey values) show no
# print but the noise of the photos it was learnt from, which no other photo has: plain paint has some 10 of
# that; a soft painted ground, of which nine blocks in ten agree, has 200.
# Up to the second it may be what tiles left at their edges, or the grain of a single photo.
LEAST_TEXTURE, CLEAR_TEXTURE = 60.0, 400.0
# A phone bends straight lines by some 3 in 100 at most after its own correction.
USUAL_LENS = 0.03
# A fit whose numbers (of about 1) change by less than this is done: some hundredth of a pixel.
SETTLED = 1e-5


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
    pattern: NDArray[np.float32]
    """The blocks' pictures, n x size x size, each with mean 0 and length 1."""
    middles: Matrix
    points: Matrix
    """Of the blocks' middles, in millimetres of the sheet."""
    clear: int = 0
    """How many of them show a print beyond doubt."""

    @classmethod
    def of(cls, picture: Image, mask: Image, window: Window, block: int, most: int) -> Level:
        blocks = textured_blocks(picture, mask, block, block // 2, most)
        while len(blocks.corners) < most // 2 and block > SMALLEST_BLOCK:
            # a narrow sheet, such as a frame, has no room for large ones
            block = block * 3 // 4
            blocks = textured_blocks(picture, mask, block, block // 2, most)
        cut = [picture[y : y + block, x : x + block] for x, y in blocks.corners.tolist()]
        pattern = np.array(cut, np.float32).reshape(-1, block, block)
        pattern -= pattern.mean(axis=(1, 2), keepdims=True)
        pattern /= np.maximum(np.sqrt(np.square(pattern).sum(axis=(1, 2), keepdims=True)), 1e-6)
        middles = blocks.middles()
        x, y = (blocks.corners + block // 2).T
        clear = int((texture(picture, block)[y, x] > CLEAR_TEXTURE).sum())
        return cls(window, blocks, pattern, middles, moved(window.to_mm(), middles), clear)

    def of_those(self, which: NDArray[np.intp]) -> Level:
        blocks = Blocks(self.blocks.corners[which], self.blocks.size)
        return Level(self.window, blocks, self.pattern[which], self.middles[which], self.points[which])


@dataclass(frozen=True, slots=True, eq=False)
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
        return self.bent(moved(self.homography, points))

    def bent(self, straight: Matrix) -> Matrix:
        away = straight - self.middle
        bent = away * (self.bend / self.unit**2 * np.einsum("ij,ij->i", away, away))[:, None]
        return np.asarray(straight + bent)

    def flat(self, points: Matrix) -> Matrix:
        """The homography that is nearest to the view around `points` (at least four)."""
        return np.asarray(self.flats(points[None])[0])

    def flats(self, points: Matrix) -> Matrix:
        """One for each of several sets of points (k x n x 2): k x 3 x 3."""
        count = len(points)
        if not self.bend:
            return np.asarray(np.repeat(self.homography[None], count, axis=0))
        straight = moved(self.homography, points.reshape(-1, 2))
        bent = self.bent(straight).reshape(points.shape)
        straight = straight.reshape(points.shape)
        # the lens moves each pixel a little: what that does to all of them is nearly a homography
        centre, spread = straight.mean(axis=1), np.ptp(straight, axis=1).max(axis=1) / 2
        x, y = ((straight - centre[:, None]) / spread[:, None, None]).transpose(2, 0, 1)
        u, v = ((bent - centre[:, None]) / spread[:, None, None]).transpose(2, 0, 1)
        one, none = np.ones_like(x), np.zeros_like(x)
        rows = np.concatenate(
            [
                np.stack([x, y, one, none, none, none, -u * x, -u * y], axis=1),
                np.stack([none, none, none, x, y, one, -v * x, -v * y], axis=1),
            ],
            axis=2,
        )
        goal = np.concatenate([u, v], axis=1)[:, :, None]
        solved = np.linalg.solve(rows @ rows.transpose(0, 2, 1), rows @ goal)[..., 0]
        moves = np.append(solved, np.ones((count, 1)), axis=1).reshape(count, 3, 3)
        from_unit = np.zeros((count, 3, 3))
        from_unit[:, 0, 0] = from_unit[:, 1, 1] = spread
        from_unit[:, :2, 2], from_unit[:, 2, 2] = centre, 1
        to_unit = np.array([inverse(matrix) for matrix in from_unit])
        return np.asarray(from_unit @ moves @ to_unit @ self.homography)

    def ideal(self, pixels: Matrix) -> Matrix:
        """Pixels as a lens that bends nothing would have shown them."""
        seen = (np.asarray(pixels) - self.middle) / self.unit
        straight = seen
        for _ in range(5):
            straight = seen / (1 + self.bend * (straight**2).sum(axis=1, keepdims=True))
        return np.asarray(straight * self.unit + self.middle)


def textured_blocks(picture: Image, mask: Image, size: int, step: int, most: int) -> Blocks:
    """Blocks wholly inside `mask` with edges in more than one direction, the best `most` of them."""
    inside = cv2.boxFilter((mask > 0).astype(np.float32), cv2.CV_32F, (size, size)) > 0.999
    height, width = picture.shape
    xs, ys = np.arange(0, width - size + 1, step), np.arange(0, height - size + 1, step)
    corners = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    middles = corners + size // 2
    strength = np.where(inside, texture(picture, size), 0)[middles[:, 1], middles[:, 0]]
    order = np.argsort(-strength, kind="stable")
    return Blocks(_spread(corners[order[strength[order] > LEAST_TEXTURE]], most), size)


def texture(picture: Image, size: int) -> NDArray[np.float32]:
    """How strong edges are in a block about each pixel, in the direction in which they are weakest."""
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1)
    xx, yy, xy = (
        cv2.boxFilter(a, cv2.CV_32F, (size, size)) for a in (across * across, down * down, across * down)
    )
    return np.asarray((xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2), np.float32)


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


def patches(image: Image, factor: float, view: View, to_board: Matrix, middles: Matrix, side: int) -> Image:
    """The photo around each block, straightened: n x side x side.

    `image` is a copy `factor` as large as the one of `view`. `middles` of the blocks are in pixels of the
    print, which `to_board` (n x 3 x 3) takes to millimetres of the board.
    """
    if not len(middles):
        return np.zeros((0, side, side), np.uint8)
    to_photo = view.homography @ to_board
    at = np.einsum("nij,nj->ni", to_photo[:, :, :2], middles) + to_photo[:, :, 2]
    straight = at[:, :2] / at[:, 2:]
    # within a block the lens bends everything alike
    bent = ((view.bent(straight) - straight) * factor + (factor - 1) / 2).astype(np.float32)
    # x, y and depth of every pixel, each as one product of small matrices
    to_photo[:, :, :2] *= side / 2
    to_photo[:, :, 2] = at
    to_photo[:, 2] /= factor
    x, y, depth = to_photo.astype(np.float32).transpose(1, 0, 2) @ _mesh(side)
    x, y = (np.divide(p, depth, out=p) for p in (x, y))
    x += bent[:, :1]
    y += bent[:, 1:]
    seen = cv2.remap(image, x.reshape(-1, side), y.reshape(-1, side), cv2.INTER_LINEAR)
    return np.asarray(seen.reshape(-1, side, side), np.uint8)


@cache
def _mesh(side: int) -> NDArray[np.float32]:
    """x, y, 1 of every pixel of a patch, 3 x pixels, with -1 and 1 at its rims."""
    steps = (np.arange(side) + 0.5) / (side / 2) - 1
    x, y = np.meshgrid(steps, steps)
    return np.stack([x, y, np.ones_like(x)]).reshape(3, -1).astype(np.float32)


def shifts(seen: Image, pattern: NDArray[np.float32], search: int) -> tuple[Matrix, Matrix]:
    """How far each block lies off the middle of its patch, and how well its pattern agrees there (0-1).

    Those found at the rim of their patch agree by 0: the true place may be outside.
    """
    if not len(seen):
        return np.zeros((0, 2)), np.zeros(0)
    scores = _correlations(seen, pattern)
    places = 2 * search + 1
    each = np.arange(len(seen))
    best = scores.reshape(len(seen), -1).argmax(axis=1)
    row, column = np.clip(best // places, 1, places - 2), np.clip(best % places, 1, places - 2)
    top = scores[each, row, column]
    inside = (row * places + column == best) & (top > 0)
    across = _peak(scores[each, row, column - 1], top, scores[each, row, column + 1])
    down = _peak(scores[each, row - 1, column], top, scores[each, row + 1, column])
    found = np.stack([column - search + across, row - search + down], axis=1)
    return np.where(inside[:, None], found, 0.0), np.where(inside, top, 0.0).astype(np.float64)


def _correlations(seen: Image, pattern: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of each pattern (n x size x size, mean 0, length 1) with its patch (n x side x side) at every shift."""
    count, side, size = len(seen), seen.shape[1], pattern.shape[1]
    places = side - size + 1
    # with zeros after each of its rows, a pattern is one long row that slides over the rows of its patch
    rows = np.zeros((count, size, side), np.float32)
    rows[:, :, :size] = pattern
    length = (size - 1) * side + size
    light = seen.astype(np.float32)
    step = light.itemsize
    windows = np.lib.stride_tricks.as_strided(
        light, (count, places, places, 1, length), (side * side * step, side * step, step, step, step),
        writeable=False,
    )  # fmt: skip
    product = np.matmul(windows, rows.reshape(count, 1, 1, -1, 1)[:, :, :, :length])[..., 0, 0]
    # all patches below each other: those of the sums that reach into the next one are not asked for
    column = seen.reshape(-1, side)
    total, squares = (
        box(
            column, cv2.CV_64F, (size, size), anchor=(0, 0), normalize=False, borderType=cv2.BORDER_CONSTANT
        ).reshape(seen.shape)[:, :places, :places]
        for box in (cv2.boxFilter, cv2.sqrBoxFilter)
    )
    # less than a grey value of spread is noise
    spread = np.sqrt(np.maximum(squares - total * total / size**2, size**2))
    return np.asarray(product / spread, np.float32)


def _peak(before: Matrix, top: Matrix, after: Matrix) -> Matrix:
    """Where the parabola through three scores is highest, from the middle one."""
    bow = np.minimum(before - 2 * top + after, -1e-9)
    return np.asarray(np.clip(0.5 * (before - after) / bow, -0.5, 0.5), np.float64)


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
    near = ((points - centre) / spread).T
    goal = ((pixels - middle) / unit).T
    flat = to_unit @ start.homography @ to_mm
    unknown = np.append((flat / flat[2, 2]).ravel()[:8], start.bend)
    # one point's noise, about half a pixel, against the usual lens
    prior = np.zeros(9)
    prior[8] = (0.5 / unit / USUAL_LENS) ** 2
    miss = np.zeros(len(points))
    for _ in range(steps):
        predicted, slopes = _predicted(unknown, near)
        off = goal - predicted
        miss = np.hypot(*off)
        usual = max(median(miss), 0.2 / unit)
        trust = weights / (1 + (miss / (2 * usual)) ** 2) ** 2
        trusted = (slopes * trust).reshape(9, -1)
        normal = trusted @ slopes.reshape(9, -1).T
        normal[np.diag_indices(9)] += prior + 1e-12
        step = np.linalg.solve(normal, trusted @ off.ravel() - prior * unknown)
        unknown = unknown + step
        if np.abs(step).max() < SETTLED:
            break
    flat = np.append(unknown[:8], 1.0).reshape(3, 3)
    homography = inverse(to_unit) @ flat @ inverse(to_mm)
    return View(homography / homography[2, 2], float(unknown[8]), middle, unit), miss * unit


def _predicted(unknown: Matrix, near: Matrix) -> tuple[Matrix, Matrix]:
    """Where the points (2 x n) are seen, and how that changes with each of the homography's eight and with
    the bend (9 x 2 x n)."""
    a, b, c, d, e, f, g, h, bend = unknown.tolist()
    x, y = near
    below = 1 / (g * x + h * y + 1)
    u, v = (a * x + b * y + c) * below, (d * x + e * y + f) * below
    radius = u * u + v * v
    # the chain rule through  u * (1 + bend * (u^2 + v^2))
    bent = 1 + bend * radius
    by_u = np.stack([bent + 2 * bend * u * u, 2 * bend * u * v]) * below
    by_v = np.stack([2 * bend * u * v, bent + 2 * bend * v * v]) * below
    slopes = np.empty((9, 2, len(x)))
    slopes[0], slopes[1], slopes[2] = by_u * x, by_u * y, by_u
    slopes[3], slopes[4], slopes[5] = by_v * x, by_v * y, by_v
    both = -(by_u * u + by_v * v)
    slopes[6], slopes[7] = both * x, both * y
    slopes[8] = u * radius, v * radius
    return np.stack([u * bent, v * bent]), slopes
