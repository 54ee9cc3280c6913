"""What the lamp and the phone did to the colours, and how to take it back.

A photo and the clean print show the same ink under two lamps. Where the print lies bare, the one follows
from the other: brightness that slopes across the photo, a veil of reflected light that slopes too (a window
in the gloss of the paper lifts all colours), the phone's white balance and saturation, and soft local
shade. All of it is fitted robustly, since pieces and tiles cover much of the print. Applied to a photo, it
gives the colours that things would have had when the print was taken, so that looks learnt once compare
under any lamp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Camera
from companion.vision.model import SheetPose
from companion.vision.prints import Print
from companion.vision.products import over_rows, product

Floats = NDArray[np.float32]
Matrix = NDArray[np.float64]

# Cells on which light is compared: small against a shadow's edge, large against print detail and pose error.
CELL_MM = 8.0
# Pixels that are averaged along each side of a cell.
SAMPLES_A_CELL = 4
# Shade finer than this is left alone: it would follow the pieces themselves.
SHADE_MM = 24.0
# A cell off by more than this (in logarithms, about 25 %) is taken for something that covers the print.
COVERED = 0.22
# How strongly the colour matrix is held near "no change", and the veil near none, in cells: a print of few
# colours says little about either.
MATRIX_HOLD = 200.0
VEIL_HOLD = 10.0
# The spread that a print of many colours has (squares of logarithms), and one of many shades (squares of
# light against the mean square). What the cells of a plainer one differ by is noise: a matrix drawn to it
# takes the colours out of all that lies on it, a veil drawn to it puts others in.
MANY_COLOURS, MANY_SHADES = 0.02, 0.15
# None is plainer than this.
LEAST_SPREAD = 1e-4
# How strongly, on such a plain print, the slope of each colour is held to that of all three, as a part of
# what all cells say: tiles that hide much of it would else be taken for print under a lamp of their colour.
SAME_SLOPE, MOST_HELD = 0.04, 0.3
ROUNDS = 5
# Shadows are looked for in so many cells about each, in such steps; light that is off a smooth slope by less
# than this between its darkest and brightest parts (logarithms) has none.
USUAL_CELLS, USUAL_STEP = 9, 0.012
UNEVEN = 0.18
# Cameras store about the 2.2th root of light.
GAMMA = 2.2
# Added to light (1 is white) before its logarithm: below it, sensor noise and JPEG make the dark random.
FLOOR = 0.08

_LIGHT = np.power(np.arange(256, dtype=np.float32) / 255, GAMMA).astype(np.float32)


def linear(image: NDArray[np.uint8]) -> Floats:
    """Light, 1 for white."""
    return np.asarray(cv2.LUT(image, _LIGHT), dtype=np.float32)


def logs(light: Floats) -> Floats:
    """Logarithms of light, in steps of what a camera stores."""
    above = np.maximum(light, 0) + np.float32(FLOOR)
    return np.asarray(cv2.log(above.reshape(len(above), -1)), dtype=np.float32).reshape(
        light.shape
    ) / np.float32(GAMMA)


@dataclass(frozen=True)
class PrintGrid:
    """A print, averaged over cells: all that light is measured by."""

    light: Floats
    """Rows x columns x 3."""
    known: NDArray[np.bool_]
    first: tuple[float, float]
    """Sheet millimetres of the first cell's middle."""

    @classmethod
    def of(cls, print_: Print) -> PrintGrid:
        step = CELL_MM * print_.per_mm
        rows, columns = (max(1, int(n // step)) for n in print_.image.shape[:2])
        box = slice(0, round(rows * step)), slice(0, round(columns * step))
        light = cv2.resize(linear(print_.image[box]), (columns, rows), interpolation=cv2.INTER_AREA)
        known = cv2.resize(print_.known[box], (columns, rows), interpolation=cv2.INTER_AREA) > 200
        x, y = (float(o + (step - 1) / 2 / print_.per_mm) for o in print_.origin)
        return cls(np.asarray(light), np.asarray(known), (x, y))

    @cached_property
    def middles(self) -> Matrix:
        rows, columns = self.known.shape
        x, y = np.meshgrid(
            self.first[0] + CELL_MM * np.arange(columns), self.first[1] + CELL_MM * np.arange(rows)
        )
        return np.column_stack([x.ravel(), y.ravel()])

    @cached_property
    def logs(self) -> Floats:
        return logs(self.light)

    @cached_property
    def to_mm(self) -> Matrix:
        return np.array([[CELL_MM, 0, self.first[0]], [0, CELL_MM, self.first[1]], [0, 0, 1.0]])


@dataclass(frozen=True)
class Light:
    """Maps a photo's light to the logarithms that the print's own lamp would have given."""

    gain: Matrix
    """6 x 3 over (1, u, v, uu, uv, vv), u and v across the photo, -1 to 1: photo = gain * print + veil."""
    veil: Matrix
    matrix: Floats
    """3 x 3, on logarithms."""
    shift: Floats
    """3, on logarithms."""
    shade: Mapping[str, tuple[Floats, tuple[float, float]]]
    """By place: remaining local shade in logarithms (rows x columns x 3), mm of the first cell's middle."""
    size: tuple[int, int]
    spread: float
    """How much bare cells still differ from the print: the noise of the comparison, in logarithms."""

    def at(self, pose: SheetPose, camera: Camera, points: Matrix) -> tuple[Floats, Floats, Floats]:
        """Gain, veil and what to add to logarithms, each n x 3, at n points (mm on the sheet)."""
        width, height = self.size
        seen = camera.project(points)
        powers = quadratics(np.clip(seen / (width / 2, height / 2) - 1, -1.2, 1.2))
        gain, veil = np.maximum(powers @ self.gain, LEAST_GAIN), powers @ self.veil
        add = np.broadcast_to(self.shift, gain.shape)
        if pose.place in self.shade:
            grid, first = self.shade[pose.place]
            spot = ((points - np.array(first)) / CELL_MM).astype(np.float32)
            x, y = np.ascontiguousarray(spot[None, :, 0]), np.ascontiguousarray(spot[None, :, 1])
            add = add + cv2.remap(grid, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
        return gain.astype(np.float32), veil.astype(np.float32), np.asarray(add, dtype=np.float32)

    def apply(self, seen: Floats, at: tuple[Floats, Floats, Floats]) -> Floats:
        """`seen`: light (... x 3); `at`: what `at` gave, broadcast to it."""
        gain, veil, add = at
        return np.asarray(logs((seen - veil) / gain) @ self.matrix + add, dtype=np.float32)


# A photo so dark that it has less than this part of the print's light says nothing about colours.
LEAST_GAIN = 0.02


def quadratics(spots: Matrix) -> Matrix:
    u, v = spots[:, 0], spots[:, 1]
    return np.column_stack([np.ones_like(u), u, v, u * u, u * v, v * v])


# The product of two of the quadratics is one of 15: which, and two that give it.
_EXPONENTS = np.array([(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)])
_PAIRS = (_EXPONENTS[:, None] + _EXPONENTS) @ (1, 5)
_, _first, _inverse = np.unique(_PAIRS, return_index=True, return_inverse=True)
_FACTORS, _PRODUCT = np.divmod(_first, 6), _inverse.reshape(6, 6)


def measure_light(
    image: NDArray[np.uint8], poses: Sequence[SheetPose], scale: float, grids: Mapping[str, PrintGrid]
) -> Light:
    """Compares the photo with the prints that lie in it."""
    height, width = image.shape[:2]
    small, shrink = _reduced(image, poses, scale)
    small_light = linear(small)
    sheets = []
    for pose in poses:
        grid = grids.get(pose.sheet)
        if grid is None:
            continue
        camera = pose.camera.scaled(scale)
        laid = cv2.warpPerspective(
            small_light, camera.scaled(shrink).homography() @ grid.to_mm, grid.known.shape[::-1],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_CONSTANT,
        )  # fmt: skip
        spots = camera.project(grid.middles) / (width / 2, height / 2) - 1
        known = grid.known & (np.abs(spots) < 0.995).all(axis=1).reshape(grid.known.shape)
        sheets.append((pose, grid, known, np.asarray(laid, dtype=np.float32), spots))
    cast = _cast_shadows(sheets)
    sheets = [
        (pose, grid, known, laid * np.exp(-np.float32(GAMMA) * dark)[..., None], spots)
        for (pose, grid, known, laid, spots), dark in zip(sheets, cast, strict=True)
    ]
    seen = np.concatenate([laid[known] for _, _, known, laid, _ in sheets]).astype(np.float64)
    bare = np.concatenate([grid.light[known] for _, grid, known, _, _ in sheets]).astype(np.float64)
    powers = quadratics(np.concatenate([spots[known.ravel()] for _, _, known, _, spots in sheets]))
    bare_logs = np.concatenate([grid.logs[known] for _, grid, known, _, _ in sheets])
    gain, veil, weights = _fit_veil(seen, bare, bare_logs, powers)
    relit = logs(((seen - powers @ veil) / np.maximum(powers @ gain, LEAST_GAIN)).astype(np.float32))
    matrix, shift, spread = _fit_colour(relit.astype(np.float64), bare_logs, weights)
    light = Light(gain, veil, matrix, shift, {}, (width, height), spread)
    shade = {}
    for (pose, grid, known, seen_grid, _), dark in zip(sheets, cast, strict=True):
        at = light.at(pose, pose.camera.scaled(scale), grid.middles)
        relit_grid = light.apply(seen_grid.reshape(-1, 3), at).reshape(grid.light.shape)
        shade[pose.place] = (_shade(grid.logs - relit_grid, known) - dark[..., None], grid.first)
    return Light(gain, veil, matrix, shift, shade, (width, height), spread)


_Laid = tuple[SheetPose, PrintGrid, NDArray[np.bool_], Floats, Matrix]
"""A sheet, its print, which of its cells are seen, what is seen of them, and where in the photo."""


def _cast_shadows(sheets: Sequence[_Laid]) -> list[Floats]:
    """By how much (logarithms) each cell is darker or brighter than a smooth slope of light would have it.

    The edge of a lamp's cone or the shadow of somebody at the window follow no slope. They are wide: the
    usual cell about a place tells them, whatever lies on some of the others. Nothing where light is smooth.
    """
    fields = [_usual_about(logs(laid) - grid.logs, known) for _, grid, known, laid, _ in sheets]
    spots = quadratics(np.concatenate([spots[known.ravel()] for _, _, known, _, spots in sheets]))
    flat = np.concatenate([field[known] for field, (_, _, known, _, _) in zip(fields, sheets, strict=True)])
    # held a little, as the cells of a sliver do not tell all of a slope
    hold = 1e-9 * len(spots) * np.eye(6)
    slope = np.linalg.solve(over_rows(spots, spots.copy()) + hold, over_rows(spots, flat[:, None]))
    if float(np.ptp(np.percentile(flat - product(spots, slope)[:, 0], (2, 98)))) < UNEVEN:
        return [np.zeros_like(field) for field in fields]
    return [
        (field - product(quadratics(np.clip(spots, -1, 1)), slope).reshape(field.shape)).astype(np.float32)
        for field, (*_, spots) in zip(fields, sheets, strict=True)
    ]


def _usual_about(rest: Floats, known: NDArray[np.bool_]) -> Floats:
    """The median of the cells about each, smoothed."""
    brighter = rest.mean(axis=2)
    middle = float(np.median(brighter[known])) if known.any() else 0.0
    steps = np.clip((np.where(known, brighter, middle) - middle) / USUAL_STEP + 128, 0, 255).astype(np.uint8)
    usual = (cv2.medianBlur(steps, USUAL_CELLS).astype(np.float32) - 128) * np.float32(USUAL_STEP) + middle
    return np.asarray(cv2.GaussianBlur(usual, (0, 0), USUAL_CELLS / 4), dtype=np.float32)


def _fit_veil(seen: Matrix, bare: Matrix, bare_logs: Floats, powers: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """seen = (powers @ gain) * bare + powers @ veil, letting covered cells go."""
    ratio = np.median(seen / (bare + FLOOR), axis=0)
    gain, veil = np.zeros((6, 3)), np.zeros((6, 3))
    gain[0] = ratio
    shades = float((np.var(bare, axis=0) / np.square(bare).mean(axis=0)).min())
    plain = max(1.0, MANY_SHADES / max(shades, LEAST_SPREAD)) ** 3
    hold = np.concatenate([np.full(6, 0.02), np.full(6, VEIL_HOLD * plain)])
    hold[1:6] += min(SAME_SLOPE * (plain - 1), MOST_HELD) * len(seen)
    hold *= np.square(bare).mean()
    shape = np.eye(1, 6)[0]
    products = powers[:, _FACTORS[0]] * powers[:, _FACTORS[1]]
    # a given part of its light off is equally bad for a dark cell and a bright one
    even = 1 / (bare + 0.05)
    sums = np.hstack([even, even * bare, even * bare * bare])
    goals = np.hstack([even * bare * seen, even * seen])
    bound = 4 * COVERED
    weights = np.ones(len(seen))
    for _ in range(ROUNDS):
        relit = (seen - powers @ veil) / np.maximum(powers @ gain, LEAST_GAIN)
        off = _largest(logs(relit.astype(np.float32)) - bare_logs)
        weights = np.square(np.maximum(0.0, 1 - np.square(off / bound)))
        bound = max(bound * 0.7, COVERED)
        # 2 x 2 blocks of 6 x 6 a channel: gain with gain, gain with veil, veil with veil
        blocks = (
            over_rows(products * weights[:, None], sums)[_PRODUCT].reshape(6, 6, 3, 3).transpose(3, 2, 0, 1)
        )
        normal = blocks[:, ((2, 1), (1, 0))].transpose(0, 1, 3, 2, 4).reshape(3, 12, 12) + np.diag(hold)
        goal = ((powers * weights[:, None]).T @ goals).reshape(6, 2, 3).transpose(2, 1, 0).reshape(3, 12)
        goal[:, :6] += hold[:6] * shape * ratio[:, None]
        solved = np.linalg.solve(normal, goal[:, :, None])[:, :, 0]
        gain, veil = solved[:, :6].T, solved[:, 6:].T
        shape = (gain / ratio).mean(axis=1)
        shape /= shape[0]
    return gain, veil, weights


def _largest(rest: NDArray[np.floating]) -> NDArray[np.floating]:
    """Of the three of each row."""
    size = np.abs(rest)
    return np.asarray(np.maximum(np.maximum(size[:, 0], size[:, 1]), size[:, 2]))


def _fit_colour(relit: Matrix, bare: Floats, weights: Matrix) -> tuple[Floats, Floats, float]:
    """bare = relit @ matrix + shift."""
    whole = np.hstack([relit, np.ones((len(relit), 1))])
    hold = np.eye(4, 3)
    colourful = max(float(np.var(bare, axis=0).mean()), LEAST_SPREAD)
    held = max(colourful, MANY_COLOURS**2 / colourful)
    ridge = np.diag([1.0, 1.0, 1.0, 1e-6]) * MATRIX_HOLD * held
    weighted = whole * weights[:, None]
    solved = np.linalg.solve(weighted.T @ whole + ridge, weighted.T @ bare + ridge @ hold)
    off = _largest(bare - whole @ solved)
    kept = off < COVERED
    spread = float(np.median(off[kept])) if kept.any() else COVERED
    return solved[:3].astype(np.float32), solved[3].astype(np.float32), spread


def _shade(rest: Floats, known: NDArray[np.bool_]) -> Floats:
    """The local rest, smoothed over the cells that look bare; nothing where none do."""
    bare = (known & (np.abs(rest).max(axis=2) < COVERED)).astype(np.float32)
    sigma = SHADE_MM / CELL_MM
    weight = cv2.GaussianBlur(bare, (0, 0), sigma)
    total = cv2.GaussianBlur(rest * bare[..., None], (0, 0), sigma)
    return np.asarray(total / (weight + 0.15)[..., None], dtype=np.float32)


def _reduced(
    image: NDArray[np.uint8], poses: Sequence[SheetPose], scale: float
) -> tuple[NDArray[np.uint8], float]:
    """The photo, shrunk so that a pixel is about a cell: averaging before sampling."""
    sizes = []
    for pose in poses:
        ends = pose.camera.scaled(scale).project(np.array([[0.0, 0.0], [50.0, 0.0], [0.0, 50.0]]))
        sizes += [float(np.linalg.norm(end - ends[0])) / 50 for end in ends[1:]]
    factor = min(1.0, 1.2 / (CELL_MM * float(np.median(sizes))))
    # a few pixels in each direction are enough for the mean of a cell: the middle one of each few
    step = max(1, int(1 / factor / SAMPLES_A_CELL))
    rows, columns = ((n - step // 2) // step for n in image.shape[:2])
    middles = image[step // 2 : step // 2 + rows * step, step // 2 : step // 2 + columns * step]
    some = cv2.resize(middles, (columns, rows), interpolation=cv2.INTER_NEAREST)
    width, height = round(columns * step * factor), round(rows * step * factor)
    small = cv2.resize(some, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small), width / (columns * step)
