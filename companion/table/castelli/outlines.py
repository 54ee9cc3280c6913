"""Where the places of the board lie in a photo, from the board's four corners in it.

Good enough to show a player where to look; the reading itself does not depend on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from companion.scoring.castelli.board import Board, Placed, SiteKey, cell_name, cell_place
from companion.scoring.castelli.components import Cell, Point, Space
from companion.table.castelli import boardmap
from companion.table.castelli.asking import Outline
from companion.table.castelli.design import SITE_REACH, TOURNAMENT


def outlines_in(record: Mapping[str, Any], board: Board) -> dict[str, Outline]:
    """By name of the slot, site or space (`C3`, `B3/1/0`, `B3/town`), in pixels of the upright photo."""
    corners = record.get("board", {}).get("corners")
    if not corners or len(corners) != 4:
        return {}
    geometry = board.set.geometry
    flat = [(0.0, 0.0), (geometry.width, 0.0), (geometry.width, geometry.height), (0.0, geometry.height)]
    view = _view(flat, corners)
    east = geometry.chart if record.get("assembly") == TOURNAMENT else 0.0
    return {name: _seen(view, outline) for name, outline in _places(board, east)}


def _places(board: Board, east: float) -> Iterator[tuple[str, boardmap.Outline]]:
    """In millimetres of the assembled board; east pieces lie further right where the charts part them."""
    geometry = board.set.geometry
    reach = SITE_REACH * geometry.pitch
    for cell in board.slots:
        yield cell, _square(_middle(board, cell, east), geometry.tile / 2)
    for cell in board.spaces:
        middle = _middle(board, cell, east)
        yield f"{cell}/town", _square(middle, reach)
        for site, spot in _sites(board, cell):
            yield site, _square(Point(middle.x + spot.x, middle.y + spot.y), reach)


def _sites(board: Board, cell: Cell) -> Iterator[tuple[SiteKey, Point]]:
    """Castle sites from the middle of their octagon; a grain or wood area has one, in its own middle."""
    printed, turned = _printed(board, cell)
    if printed is None:
        return
    for area, on_board in zip(printed.areas, board.spaces[cell].areas, strict=False):
        outlines = boardmap.area_outlines(area, board.set.geometry.octagon)
        spots = area.sites or (boardmap.middle_of(outlines[0]),)
        for site, spot in zip(on_board.sites, spots, strict=False):
            yield site, boardmap.turned(spot, turned)


def _printed(board: Board, cell: Cell) -> tuple[Space | None, int]:
    """The space as it is printed on its piece, and how the piece is turned."""
    column, row = cell_place(cell)
    columns, rows = board.set.columns, board.set.rows
    for quadrant, placed in board.assembly.pieces:
        if quadrant.is_east == (column >= columns) and quadrant.is_south == (row >= rows):
            own = _own_cell(placed, column % columns, row % rows, columns, rows)
            return board.set.pieces[placed.piece].spaces.get(own), placed.turned
    return None, 0


def _own_cell(placed: Placed, column: int, row: int, columns: int, rows: int) -> Cell:
    return cell_name(columns - 1 - column, rows - 1 - row) if placed.turned else cell_name(column, row)


def _middle(board: Board, cell: Cell, east: float) -> Point:
    column, row = cell_place(cell)
    middle = boardmap.cell_middle(board.set.geometry, column, row)
    return Point(middle.x + (east if column >= board.set.columns else 0.0), middle.y)


def _square(middle: Point, reach: float) -> boardmap.Outline:
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(Point(middle.x + x * reach, middle.y + y * reach) for x, y in corners)


def _view(flat: Sequence[tuple[float, float]], corners: Sequence[Sequence[float]]) -> np.ndarray[Any, Any]:
    """The homography that takes the board's corners to where they are in the photo."""
    equations = []
    for (x, y), (u, v) in zip(flat, corners, strict=True):
        equations += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    wanted = [value for corner in corners for value in corner]
    try:
        solved = np.linalg.solve(np.array(equations, float), np.array(wanted, float))
    except np.linalg.LinAlgError:  # corners on one line: nothing can be seen like that
        return np.zeros((3, 3))
    return np.append(solved, 1.0).reshape(3, 3)


def _seen(view: np.ndarray[Any, Any], outline: boardmap.Outline) -> Outline:
    seen = []
    for point in outline:
        x, y, depth = view @ (point.x, point.y, 1.0)
        seen.append((round(float(x / depth), 1), round(float(y / depth), 1)) if depth else (0.0, 0.0))
    return tuple(seen)
