"""The blocks of a sheet in the photo: where they are found, and what follows for the board and the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.plane import Image, inverse, laid, median, moved, shrunk
from companion.vision.refine import BLOCK_AGREES, Level, View, fitted_view, patches, shifts
from companion.vision.registration_arrange import Lying

# Blocks that must agree before a plane is drawn to them, or one sheet is moved by them.
FEWEST_BLOCKS, FEWEST_OF_A_SHEET = 10, 6
# A block that agrees but lies this far off the plane, as a part of the photo's long side, agrees by chance.
BLOCK_NEAR = 0.0025
# In a wide search blocks that lie this far off the others are strays.
STRAYS = 0.004
# With such a part of the blocks on one plane no sheet lies out of its place.
HARDLY_STRAYS = 0.85


@dataclass(frozen=True, slots=True)
class Copies:
    """The photo in grey, as it is worked on, and a small copy of it in which coarse work is quicker."""

    gray: Image
    small: Image
    factor: float
    """Pixels of the small copy for one of the working image."""

    @classmethod
    def of(cls, gray: Image, small_side: int) -> Copies:
        factor = small_side / max(gray.shape)
        if not 0.5 <= factor < 1:
            return cls(gray, *shrunk(gray, small_side))
        # by less than half nothing is left out between pixels, and this takes a quarter of the time
        size = (round(gray.shape[1] * factor), round(gray.shape[0] * factor))
        return cls(gray, np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_LINEAR), np.uint8), factor)


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Blocks of one sheet that were looked for in the photo."""

    lying: Lying
    points: Matrix
    """In the sheet's millimetres."""
    pixels: Matrix
    agree: Matrix
    """Correlation, 0 where a block was not found."""
    in_picture: float
    """The part of the blocks that lies in the picture."""

    @property
    def on_board(self) -> Matrix:
        return moved(self.lying.motion, self.points)

    @property
    def in_place(self) -> Matrix:
        """Where the blocks are on the board if the sheet lies exactly in its place."""
        return moved(laid(self.lying.place, self.lying.turned), self.points)

    def holds(self, view: View) -> Matrix:
        """Which blocks agree and lie where the view says."""
        return _holds(self, view)

    def there(self, view: View) -> float:
        """The part of the sheet in the picture that shows its print, 0-1."""
        count = self.in_picture * len(self.agree)
        return float(self.holds(view).sum()) / count if count >= 1 else 0.0


@lru_cache(maxsize=64)
def _holds(seen: Seen, view: View) -> Matrix:
    # asked for again and again while one board is weighed against another
    miss = np.hypot(*(view.project(seen.on_board) - seen.pixels).T)
    return np.asarray((seen.agree > BLOCK_AGREES) & (miss < BLOCK_NEAR * view.unit))


def found_blocks(
    image: Image, factor: float, view: View, lying: Sequence[Lying], levels: Mapping[str, Level], search: int
) -> list[Seen]:
    """The blocks of each sheet, looked for where the view expects them.

    `image` is the copy that is `factor` as large as the working image.
    """
    found: dict[str, Seen] = {}
    for size in sorted({levels[one.sheet].blocks.size for one in lying}):
        alike = [one for one in lying if levels[one.sheet].blocks.size == size]
        own = [levels[one.sheet] for one in alike]
        counts = [len(level.middles) for level in own]
        to_board = np.array(
            [one.motion @ level.window.to_mm() for one, level in zip(alike, own, strict=True)]
        ).repeat(counts, axis=0)
        middles = np.concatenate([level.middles for level in own])
        seen = patches(image, factor, view, to_board, middles, size + 2 * search)
        off, agree = shifts(seen, np.concatenate([level.pattern for level in own]), search)
        there = np.einsum("nij,nj->ni", to_board[:, :2, :2], middles + off) + to_board[:, :2, 2]
        pixels = view.project(there)
        inside = np.all((pixels > 0) & (pixels < np.multiply(view.middle, 2)), axis=1)
        agree = np.where(inside, agree, 0.0)
        ends = np.cumsum(counts)
        for one, level, start, end in zip(alike, own, ends - counts, ends, strict=True):
            mine = slice(start, end)
            share = float(inside[mine].mean()) if end > start else 0.0
            found[one.sheet] = Seen(one, level.points, pixels[mine], agree[mine], share)
    return [found[one.sheet] for one in lying]


def fitted(seen: Sequence[Seen], start: View, wide: bool = False) -> View | None:
    """The view that takes the blocks where they were found; a `wide` search finds some elsewhere."""
    if not seen:
        return None
    points, pixels = (np.concatenate(p) for p in ([s.in_place for s in seen], [s.pixels for s in seen]))
    agree = np.concatenate([s.agree for s in seen])
    good = agree > BLOCK_AGREES
    if good.sum() < FEWEST_BLOCKS:
        return None
    points, pixels, agree = points[good], pixels[good], agree[good]
    if wide:
        sheets = np.repeat(np.arange(len(seen)), [len(s.points) for s in seen])[good]
        start, near = _rough(points, pixels, sheets, start)
        if near.sum() < FEWEST_BLOCKS:
            return None
        points, pixels, agree = points[near], pixels[near], agree[near]
    view, _ = fitted_view(points, pixels, agree**2, start, steps=3 if wide else 6)
    return view if np.isfinite(view.homography).all() else None


def _rough(points: Matrix, pixels: Matrix, sheets: NDArray[np.intp], start: View) -> tuple[View, Matrix]:
    """The plane on which most blocks lie, and which do. In doubt it is drawn without this or that sheet too:
    one out of its place, which in some layouts nothing holds there, bends a plane until it takes it in."""
    near = STRAYS * start.unit
    best, best_kept, most = start, np.zeros(len(points), bool), -1
    for left_out in (-1, *np.unique(sheets).tolist()):
        others = sheets != left_out
        if others.sum() < FEWEST_BLOCKS:
            continue
        rough, _ = cv2.findHomography(
            points[others], start.ideal(pixels[others]), cv2.RANSAC, near, maxIters=200
        )
        if rough is None:
            continue
        view = replace(start, homography=np.asarray(rough, np.float64))
        kept = np.hypot(*(view.project(points) - pixels).T) < near
        if left_out == -1 and kept.mean() >= HARDLY_STRAYS:
            return view, kept
        agreeing = 0
        for sheet in range(int(sheets.max()) + 1):
            mine = sheets == sheet
            motion = own_motion(view, points[mine], pixels[mine])
            off = view.project(moved(motion, points[mine])) - pixels[mine]
            agreeing += int((np.hypot(*off.T) < near / 2).sum())
        if agreeing > most:
            best, best_kept, most = view, kept, agreeing
    return best, best_kept


def own_motion(view: View, points: Matrix, pixels: Matrix) -> Matrix:
    """The shift and turn on the board that takes points to where they are seen; none for too few points."""
    motion = np.eye(3)
    if len(points) < FEWEST_OF_A_SHEET:
        return motion
    there = moved(inverse(view.homography), view.ideal(pixels))
    off = np.hypot(*(there - points).T)
    for _ in range(3):
        weight = 1 / (1 + (off / (2 * max(median(off), 1e-6))) ** 2) ** 2
        weight /= weight.sum()
        start, goal = weight @ points, weight @ there
        (x, y), (u, v) = (points - start).T, (there - goal).T
        turn = float(weight @ (x * v - y * u) / (weight @ (x * x + y * y)))
        motion[:2, :2] = ((1, -turn), (turn, 1))
        motion[:2, 2] = goal - motion[:2, :2] @ start
        off = np.hypot(*(there - moved(motion, points)).T)
    return motion
