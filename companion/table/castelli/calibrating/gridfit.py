"""Lays the grid over a straightened picture of the empty board: where frame, field and charts end.

Octagons all but touch, so everything follows from the pitch and from how wide the frame and the strip of
charts are, counted in pitches. All of these widths are tried; the sides of the octagons then have to lie
where the picture has edges. How near they come to touching is tried last. Nothing is known of the board's own
proportions: they come out of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.table.castelli.boardmap import OCTAGON_SIDE, is_space
from companion.vision.edge_field import EdgeField
from companion.vision.plane import Image

Floats = NDArray[np.float32]

TOUCHING = math.sqrt(2)
"""The width of octagons that touch at their diagonal sides, in pitches."""
TILE = 0.565
"""The side of a tile in pitches, where none was seen yet: it just fits between four octagons."""
FRAMES = np.arange(0.0, 1.21, 0.03)
CHARTS = np.arange(0.0, 2.61, 0.03)
"""Widths of the frame and of the charts that are tried, in pitches: some 0.5 and 1.3 are usual."""
STOPS = np.linspace(-0.8, 0.8, 7)
"""Where along an octagon's side its edge is looked at."""
OCTAGONS = np.linspace(-0.07, 0.0, 8)
"""How much narrower than touching octagons may be, in pitches: some sets leave a line between them."""
LINE = 2.0
"""Octagons are outlined by lines about this broad, in pixels: the grid runs along the middle of them."""
BESIDE = 0.1
"""An edge has to be stronger than what runs beside it, this far off in pitches."""
COARSE = 2
"""Each so many of the widths are tried where other numbers of cells are."""


@dataclass(frozen=True, slots=True)
class Fit:
    """In pitches: frame, charts, octagons. `score` is in grey values, to compare fits of one photo."""

    frame: float
    chart: float
    octagon: float
    score: float


def grid_fit(image: Image, columns: int, rows: int) -> Fit:
    """The best grid for a board of `columns` x `rows` cells that fills the picture, charts on the right."""
    best = rough_fit(image, columns, rows)
    fine = EdgeField.of(image, 0.8).smeared(LINE)
    for step, narrower in ((0.01, OCTAGONS), (0.004, OCTAGONS / 4)):
        charts = best.chart + step * np.arange(-3, 4)
        # the pitch stays, so that the octagons' outer sides move and not the grid
        tried = (
            _fit(fine, best.frame - less / 2 + off, charts, best.octagon + less, columns, rows)
            for less in narrower - narrower.mean() * (best.octagon < TOUCHING)
            for off in step * np.arange(-3, 4)
            if best.frame - less / 2 + off >= 0
        )
        best = max(tried, key=lambda fit: fit.score)
    return best


def rough_fit(image: Image, columns: int, rows: int) -> Fit:
    """Frame and charts to a thirtieth of a pitch: tells whether a board lies there, and which way."""
    field = EdgeField.of(image, 1.5)
    tried = (_fit(field, f, CHARTS, TOUCHING, columns, rows) for f in FRAMES)
    return max(tried, key=lambda fit: fit.score)


def likely_cells(image: Image, choices: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], float]:
    """The columns and rows whose grid fits best, and its score; the true ones score thrice the next best."""
    field = EdgeField.of(image, 1.5)
    tried = {
        (columns, rows): max(
            _fit(field, frame, CHARTS[::COARSE], TOUCHING, columns, rows).score for frame in FRAMES[::COARSE]
        )
        for columns, rows in choices
    }
    best = max(tried, key=lambda cells: tried[cells])
    return best, tried[best]


def size_in_pitches(
    frame: float, chart: float, octagon: float, columns: int, rows: int
) -> tuple[float, float]:
    """Width and height of the whole board."""
    over = octagon - 1
    return 2 * frame + chart + columns + over, 2 * frame + rows + over


def _fit(
    field: EdgeField, frame: float, charts: NDArray[Any], octagon: float, columns: int, rows: int
) -> Fit:
    """The best width of the charts for this frame and these octagons."""
    charts = charts[charts >= 0]
    total = np.zeros(len(charts), np.float32)
    margin = frame + (octagon - 1) / 2
    height, width = field.across.shape
    across = np.array([size_in_pitches(frame, chart, octagon, columns, rows)[0] for chart in charts])[:, None]
    down = size_in_pitches(frame, 0, octagon, columns, rows)[1]
    for upright, x, y in _sides(octagon, columns, rows):
        shifts = (0.0, -BESIDE, BESIDE)
        strengths = []
        for shift in shifts:
            px = ((x + margin + (shift if upright else 0)) / across * width - 0.5).astype(np.float32)
            py = ((y + margin + (0 if upright else shift)) / down * height - 0.5).astype(np.float32)
            py = np.broadcast_to(py, px.shape)
            look = field.upright if upright else field.level
            # one strong speck must not outweigh an edge that is not there
            strengths.append(np.minimum(look(px, py), 24).mean(axis=1))
        total += strengths[0] - (strengths[1] + strengths[2]) / 2
    best = int(np.argmax(total))
    return Fit(float(frame), float(charts[best]), float(octagon), float(total[best]) / 4)


def _sides(octagon: float, columns: int, rows: int) -> Iterator[tuple[bool, Floats, Floats]]:
    """Points on the left, right, upper and lower sides of all octagons, in pitches."""
    cells = [(c + 0.5, r + 0.5) for r in range(rows) for c in range(columns) if is_space(c, r)]
    middles = np.array(cells, np.float32)
    half = octagon / 2
    along = (STOPS * half * OCTAGON_SIDE).astype(np.float32)
    for sign in (-half, half):
        x = np.repeat(middles[:, 0] + sign, len(along))
        y = (middles[:, 1][:, None] + along).ravel()
        yield True, x[None].astype(np.float32), y[None].astype(np.float32)
        x = (middles[:, 0][:, None] + along).ravel()
        y = np.repeat(middles[:, 1] + sign, len(along))
        yield False, x[None].astype(np.float32), y[None].astype(np.float32)
