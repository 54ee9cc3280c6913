"""Lays the whole board over a photo of it, exactly, from corners that are only roughly known.

A thumb taps a corner some ten pixels off. The sides of all octagons together tell the plane of the board to a
fraction of a pixel; in that plane the outer edge runs straight, and as far from the octagons on three sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.table.castelli.boardmap import is_space, octagon_outline
from companion.table.castelli.calibrating.draft import CELLS, Geometry
from companion.table.castelli.calibrating.gridfit import (
    TILE,
    Fit,
    grid_fit,
    likely_cells,
    rough_fit,
    size_in_pitches,
)
from companion.vision.camera import Matrix
from companion.vision.drawn import FAR, NEAR, Lines, laid_over, strengths
from companion.vision.photo import Photo
from companion.vision.plane import Image, Window, homography_of, inverse, moved, straightened
from companion.vision.propose_corners import proposed_outlines
from companion.vision.refine import View
from companion.vision.resemble import in_lab
from companion.vision.rim import Box, found_rim, moved_out, rim_lines

FLAT = (640, 600)
"""Pixels of the picture over which grids are tried."""
GRID_SEEN = 6.0
"""Grey values by which octagons stand out where a grid fits: 9 to 20; where it does not, 2 to 4."""
STOPS = np.linspace(-0.8, 0.8, 9)
"""Where along a side of an octagon its edge is looked at."""
FRAME_SIDES = [0, 1, 0, 0]
"""From the top clockwise: the frame is as wide on all sides, but on the right it has the charts beside it."""
TAPPED = 0.2, 0.035
"""How far off the edge a tapped board may be at most, and usually, in pitches: a pitch is some 130 pixels."""
OUTLINED = 0.25, 0.09
"""The same for an outline that was seen from afar: it often runs along a printed line."""
NO_FRAME = 0.2
"""Pitches; an outline with less of a frame is where the field ends, and the frame looks like the table."""
FRAME_USUAL, FRAME_ROOM = 0.6, 0.4
FITS = 0.008
"""Pitches by which a line of a good fit is off at most; they are 0.001 off."""
STRAYED = 0.035
"""How far from its tap, as a part of the board's long side, a corner is never drawn."""
BIG_ENOUGH = 0.75
"""Of the grid's clearness: the largest outline that has so much of the best one's is the board."""


@dataclass(frozen=True, slots=True)
class BoardFit:
    """In the plane of the grid: pitches from the top left of cell A1."""

    view: View
    """From that plane to the pixels of the photo's working copy."""
    box: Box
    octagon: float
    miss: float

    @property
    def corners(self) -> Matrix:
        left, top, right, bottom = self.box
        return self.view.project(np.array([(left, top), (right, top), (right, bottom), (left, bottom)]))


@dataclass(frozen=True)
class BoardPhoto:
    """A photo of a board with `across` x `down` cells."""

    photo: Photo
    across: int
    down: int

    @cached_property
    def lab(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        return in_lab(self.photo.image)

    def shows_grid(self, corners: Matrix) -> bool:
        """Whether the edges of octagons are seen where some grid has them."""
        return grid_fit(self._flat(corners), self.across, self.down).score > GRID_SEEN

    def other_cells(self, corners: Matrix) -> tuple[int, int] | None:
        """Columns and rows of the pieces of another edition, where their grid is clearly seen."""
        choices = [(2 * columns, 2 * rows) for columns in CELLS for rows in CELLS]
        (across, down), score = likely_cells(self._flat(corners), choices)
        return (across // 2, down // 2) if score > GRID_SEEN else None

    def laid(self, corners: Matrix) -> tuple[Matrix, dict[str, float]]:
        """The corners drawn to the board's edge, and the lengths of its grid, in pitches."""
        rough = grid_fit(self._flat(corners), self.across, self.down)
        fit = self._fit(corners, rough) if rough.score > GRID_SEEN else None
        if fit is None or self._strays(corners, fit):
            return corners, self._lengths(rough.frame, rough.chart, rough.octagon)
        left, _, right, _ = fit.box
        frame = -left - (fit.octagon - 1) / 2
        return self._whole(fit.corners), self._lengths(frame, right - self.across + left, fit.octagon)

    def drawn(self, corners: Matrix, grid: Geometry) -> Matrix:
        """The corners of a board whose grid is known, where its octagons say that they are."""
        left, top = -grid.x / grid.pitch, -grid.y / grid.pitch
        right, bottom = left + grid.width / grid.pitch, top + grid.height / grid.pitch
        found = self._octagons(corners, (left, top, right, bottom), grid.octagon / grid.pitch)
        strays = found.miss > FITS or self._strays(corners, found)
        return corners if strays else self._whole(found.corners)

    def proposed(self) -> tuple[Matrix, bool]:
        """Four corners clockwise from the board's top left; and whether a board was seen there."""
        outlines, seen = proposed_outlines(self.photo)
        tried = [
            (rough_fit(self._flat(turned), self.across, self.down), turned)
            for outline in outlines
            for turned in (np.roll(outline, first, axis=0) for first in range(4))
        ]
        clearest = max(fit.score for fit, _ in tried)
        if not seen or clearest < GRID_SEEN:
            return outlines[0], False
        clear = [(fit, corners) for fit, corners in tried if fit.score > BIG_ENOUGH * clearest]
        rough, corners = max(clear, key=lambda one: one[0].frame)
        fitted = self._fit(corners, rough, OUTLINED)
        return (self._whole(fitted.corners), True) if fitted else (corners, True)

    def _fit(self, corners: Matrix, rough: Fit, off: tuple[float, float] = TAPPED) -> BoardFit | None:
        width, height = size_in_pitches(rough.frame, rough.chart, rough.octagon, self.across, self.down)
        margin = rough.frame + (rough.octagon - 1) / 2
        laid = self._octagons(corners, (-margin, -margin, width - margin, height - margin), rough.octagon)
        tapped = moved(inverse(laid.view.homography), laid.view.ideal(self._working(corners)))
        margin = float(np.mean([-tapped[[0, 3], 0], -tapped[[0, 1], 1], tapped[[2, 3], 1] - self.down]))
        box = (-margin, -margin, float(tapped[[1, 2], 0].mean()), self.down + margin)
        if rough.frame < NO_FRAME:
            box = moved_out(box, np.full(4, FRAME_USUAL))
            box = found_rim(self.lab, laid.view, box, FRAME_USUAL, FRAME_ROOM)
        box = found_rim(self.lab, laid.view, box, *off)
        lines = [octagon_lines(laid.octagon, self.across, self.down), rim_lines(box, FRAME_SIDES)]
        near = laid_over(self.lab, laid.view, Lines.joined(lines), NEAR[2:])
        box = moved_out(box, near.shifts[2:][FRAME_SIDES])
        octagon = self._octagon(near.view, laid.octagon)
        fitted = BoardFit(near.view, box, octagon, float(np.median(near.miss)))
        return fitted if fitted.miss < FITS else None

    def _octagons(self, corners: Matrix, box: Box, octagon: float) -> BoardFit:
        """The octagons found again; the box stays as it is."""
        left, top, right, bottom = box
        outline = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
        height, width = self.lab.shape[:2]
        view = View.straight(homography_of(outline, self._working(corners)), (width, height))
        laid = laid_over(self.lab, view, octagon_lines(octagon, self.across, self.down), (*FAR, *NEAR))
        octagon += 2 * float(laid.shifts[0])
        return BoardFit(laid.view, box, octagon, float(np.median(laid.miss)))

    def _octagon(self, view: View, octagon: float) -> float:
        """From side to side, between the middles of the lines around it."""
        lines = octagon_lines(octagon, self.across, self.down)
        offsets = np.arange(-26.0, 27.0) * 0.004
        seen = strengths(self.lab, view, lines, offsets, 1)[lines.groups == 0].mean(axis=0)
        clear = np.maximum(seen - np.percentile(seen, 30), 0)
        middle = 0.0
        for _ in range(10):
            weights = clear * np.exp(-0.5 * ((offsets[1:-1] - middle) / 0.02) ** 2)
            middle = float((weights * offsets[1:-1]).sum() / max(float(weights.sum()), 1e-6))
        return octagon + 2 * middle

    def _strays(self, corners: Matrix, fit: BoardFit) -> bool:
        longest = float(np.ptp(corners, axis=0).max())
        return bool(np.hypot(*(self._whole(fit.corners) - corners).T).max() > STRAYED * longest)

    def _lengths(self, frame: float, chart: float, octagon: float) -> dict[str, float]:
        width, height = size_in_pitches(frame, chart, octagon, self.across, self.down)
        origin = frame + (octagon - 1) / 2
        return {
            "width": width,
            "height": height,
            "x": origin,
            "y": origin,
            "pitch": 1.0,
            "tile": TILE,
            "octagon": octagon,
            "frame": frame,
            "chart": chart,
        }

    def _working(self, corners: Matrix) -> Matrix:
        return np.asarray((np.asarray(corners, np.float64) + 0.5) * self.photo.scale - 0.5)

    def _whole(self, pixels: Matrix) -> Matrix:
        return np.asarray((pixels + 0.5) / self.photo.scale - 0.5)

    def _flat(self, corners: Matrix) -> Image:
        """The board in a picture of fixed size, whatever its proportions."""
        width, height = FLAT
        outline = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
        window = Window(0.5, 0.5, 1.0, width, height)
        return straightened(self.photo.image, homography_of(outline, self._working(corners)), window)


def octagon_lines(octagon: float, columns: int, rows: int) -> Lines:
    """Two groups: sides with a tile beside them, and diagonal ones between two octagons."""
    outline = np.array([(point.x, point.y) for point in octagon_outline(octagon)])
    ends = np.stack([outline, np.roll(outline, -1, axis=0)], axis=1)
    middles = ends.mean(axis=1)
    around = middles[:, None] + STOPS[:, None] * (ends[:, 1] - ends[:, 0])[:, None] / 2
    cells = [(c + 0.5, r + 0.5) for r in range(rows) for c in range(columns) if is_space(c, r)]
    points = (np.array(cells)[:, None, None] + around).reshape(-1, len(STOPS), 2)
    normals = middles / np.hypot(*middles.T)[:, None]
    return Lines(points, np.tile(normals, (len(cells), 1)), np.tile(np.arange(8) % 2, len(cells)))
