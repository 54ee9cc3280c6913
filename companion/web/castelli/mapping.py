"""The map: where everything is drawn, as on the real board, turned for whoever looks at it.

Its unit is the millimetre of a board whose cells lie 50 mm apart, whatever the size of the owner's copy, so
that symbols and letters have one size. Cells lie where they lie on the table. Only the share of tile and
landscape space differs: on a phone a tile of its true size would be too small to read, so octagons lend
the tiles a little of their width. They still touch as they do in print, because an octagon whose straight
sides are as long as a tile is wide always leaves exactly that tile free between four of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from companion.table.castelli.boardmap import (
    OCTAGON_SIDE,
    Outline,
    area_outlines,
    cell_middle,
    middle_of,
    octagon_outline,
    side_runs,
    turned,
)
from companion.table.castelli.rulebook import (
    Area,
    Board,
    BoardArea,
    Cell,
    Kind,
    Placed,
    Point,
    Side,
    SiteKey,
    cell_name,
    cell_place,
)

PITCH = 50.0
"""From cell to cell on the map."""
TILE = 37.0
"""A drawn tile is the largest that leaves a castle and its labels room in an area."""
LABEL_REACH = 24.5
"""How far from an octagon's middle its labels stand: clear of a town, inside the sides."""
CROWDED_REACH = 12.5
"""The same for a badge that castles leave no room beside them."""
CASTLE_ANGLE = 21.0
"""Degrees to either side that a castle takes up as seen from the octagon's middle."""
LABEL_ANGLE = 19.0
"""Degrees from the middle of an area to either of its two labels where no castle is in the way."""
LEAST_GAP = 12.0
"""Degrees that a label needs beside a castle."""
RIM = 15.5
"""Room for the frame around the field, beyond the outermost octagons."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Where an area's symbols and its leader's badge stand."""

    symbols: Point
    badge: Point


def map_turns(near: Side) -> int:
    """Quarter turns clockwise by which the board is turned on the screen, to have `near` at the bottom."""
    return (Side.S - near) % 4


@dataclass(frozen=True)
class BoardMap:
    """A board as seen by somebody who has `near` at the bottom."""

    board: Board
    near: Side = Side.S

    @property
    def scale(self) -> float:
        """From millimetres of the owner's board to the map."""
        return PITCH / self.board.set.geometry.pitch

    @property
    def turns(self) -> int:
        return map_turns(self.near)

    @cached_property
    def middle(self) -> Point:
        first = cell_middle(self.board.set.geometry, 0, 0)
        last = cell_middle(self.board.set.geometry, self.board.columns - 1, self.board.rows - 1)
        return Point((first.x + last.x) / 2, (first.y + last.y) / 2)

    @cached_property
    def frame(self) -> tuple[float, float, float, float]:
        """Left, top, width and height of everything that is drawn."""
        reach = PITCH - TILE / 2 + RIM
        cells = [*self.board.slots, *self.board.spaces]
        spots = [self.spot(cell) for cell in cells]
        left, top = min(spot.x for spot in spots) - reach, min(spot.y for spot in spots) - reach
        right, bottom = max(spot.x for spot in spots) + reach, max(spot.y for spot in spots) + reach
        return left, top, right - left, bottom - top

    def side(self, side: Side) -> Side:
        """Where a side of the board comes to lie on the screen."""
        return side.turned(self.turns)

    def spot(self, cell: Cell) -> Point:
        """The middle of a cell, from the middle of the board."""
        at = cell_middle(self.board.set.geometry, *cell_place(cell))
        from_middle = Point((at.x - self.middle.x) * self.scale, (at.y - self.middle.y) * self.scale)
        return turned(from_middle, 90 * self.turns)

    def octagon(self, cell: Cell) -> Outline:
        return self._on_map(cell, octagon_outline(self.board.set.geometry.octagon))

    def area(self, area: BoardArea) -> tuple[Outline, ...]:
        """The parts of an area, as a printed outline or the wedge to its sides."""
        printed, degrees = self._printed(area)
        return tuple(
            self._on_map(area.cell, (turned(point, degrees) for point in outline))
            for outline in area_outlines(printed, self.board.set.geometry.octagon)
        )

    def site(self, site: SiteKey) -> Point:
        """Where a castle stands; in a grain or wood area that is the middle of the area's arc."""
        area = self.board.sites[site]
        printed, degrees = self._printed(area)
        if printed.sites:
            at = turned(printed.sites[int(site.rsplit("/", 1)[1])], degrees)
        else:
            at = _at(_middle_angle(area), LABEL_REACH / self.scale)
        return self._on_map(area.cell, (at,))[0]

    def labels(self, area: BoardArea, castles: Iterable[SiteKey]) -> Labels:
        """Beside the building sites and castles: symbols in the widest gap, the badge in the next. Where
        castles fill the arc, the symbols stand between them and the badge nearer to the middle."""
        if len(area.sides) == 0:
            middle = middle_of(self.area(area)[0])
            return Labels(middle, middle)
        sites = dict.fromkeys((*(area.sites if area.kind is Kind.ROCKS else ()), *castles))
        angles = (self._angle(area, site) for site in sites)
        castle_angles = sorted(angle for angle in angles if angle is not None)
        gaps = _gaps(*_arc(area), castle_angles)
        if castle_angles and not gaps:
            middle_angle = _middle_angle(area)
            return Labels(self._label(area, middle_angle), self._label(area, middle_angle, CROWDED_REACH))
        first, second = _label_angles(*_arc(area), gaps)
        return Labels(self._label(area, first), self._label(area, second))

    def _label(self, area: BoardArea, angle: float, reach: float = LABEL_REACH) -> Point:
        spot, away = self.spot(area.cell), turned(_at(angle, reach), 90 * self.turns)
        return Point(spot.x + away.x, spot.y + away.y)

    def mine_badge(self, area: BoardArea) -> Point:
        """Above the silver on the screen, whichever way the board is turned."""
        spot = self.spot(area.cell)
        return Point(spot.x, spot.y - LABEL_REACH)

    def beside(self, cell: Cell, side: Side, reach: float) -> Point:
        """A point `reach` from a cell's middle, out of one of its sides on the board."""
        spot = self.spot(cell)
        away = turned(Point(0.0, -reach), 90 * self.side(side))
        return Point(spot.x + away.x, spot.y + away.y)

    def _angle(self, area: BoardArea, site: SiteKey) -> float | None:
        """The direction of a site from the middle of its octagon; None where it is not in the area's arc."""
        printed, degrees = self._printed(area)
        if not printed.sites:
            return _middle_angle(area)
        at = turned(printed.sites[int(site.rsplit("/", 1)[1])], degrees)
        start, end = _arc(area)
        angle = start + (math.degrees(math.atan2(at.y, at.x)) - start) % 360
        return angle if (at.x or at.y) and angle < end else None

    def _printed(self, area: BoardArea) -> tuple[Area, int]:
        """The area as it is printed on its piece, and how far the piece is turned."""
        column, row = cell_place(area.cell)
        game_set = self.board.set
        for quadrant, placed in self.board.assembly.pieces:
            across = column - game_set.columns * quadrant.is_east
            down = row - game_set.rows * quadrant.is_south
            if 0 <= across < game_set.columns and 0 <= down < game_set.rows:
                return self._on_piece(placed, across, down, area)
        raise KeyError(area.id)

    def _on_piece(self, placed: Placed, column: int, row: int, area: BoardArea) -> tuple[Area, int]:
        game_set = self.board.set
        if placed.turned:
            column, row = game_set.columns - 1 - column, game_set.rows - 1 - row
        if area.cell == self.board.assembly.spare_mine:
            return Area(area.kind, area.sides, area.symbols), 0
        areas = game_set.pieces[placed.piece].spaces[cell_name(column, row)].areas
        return areas[int(area.id.rsplit("/", 1)[1])], placed.turned

    def _on_map(self, cell: Cell, outline: Iterable[Point]) -> Outline:
        """Points from an octagon's middle on the board, on the map."""
        spot = self.spot(cell)
        drawn = (turned(self._lent(point), 90 * self.turns) for point in outline)
        return tuple(Point(spot.x + point.x, spot.y + point.y) for point in drawn)

    def _lent(self, point: Point) -> Point:
        """A point of the printed octagon in the drawn one, whose straight sides are longer.

        Between the middle of a straight side, a corner and the middle of a diagonal side it is a linear
        map, so that straight lines to the middle stay straight and neighbours still touch.
        """
        half = self.board.set.geometry.octagon / 2
        corner = half * OCTAGON_SIDE
        new_corner = TILE / 2
        new_half = PITCH - new_corner
        far, near = max(abs(point.x), abs(point.y)), min(abs(point.x), abs(point.y))
        if near * half <= far * corner:
            new_far, new_near = far * new_half / half, near * new_corner / corner
        else:
            towards_corner = (far - near) / (half - corner)
            towards_diagonal = (near - towards_corner * corner) / ((half + corner) / 2)
            diagonal = towards_diagonal * PITCH / 2
            new_far, new_near = towards_corner * new_half + diagonal, towards_corner * new_corner + diagonal
        x, y = (new_far, new_near) if abs(point.x) >= abs(point.y) else (new_near, new_far)
        return Point(math.copysign(x, point.x), math.copysign(y, point.y))


def _arc(area: BoardArea) -> tuple[float, float]:
    """The widest run of an area's sides, in degrees clockwise from the east."""
    run = max(side_runs(area.sides), key=len)
    return 90 * run[0] - 135, 90 * (run[0] + len(run)) - 135


def _middle_angle(area: BoardArea) -> float:
    return sum(_arc(area)) / 2


def _at(degrees: float, reach: float) -> Point:
    return Point(math.cos(math.radians(degrees)) * reach, math.sin(math.radians(degrees)) * reach)


def _gaps(start: float, end: float, castles: list[float]) -> list[tuple[float, float]]:
    """What castles leave of an area's arc, widest first, as far as a label has room in it."""
    gaps = (
        (low + (CASTLE_ANGLE if low in castles else 0), high - (CASTLE_ANGLE if high in castles else 0))
        for low, high in pairwise([start, *castles, end])
    )
    return sorted((gap for gap in gaps if gap[1] - gap[0] >= LEAST_GAP), key=lambda gap: gap[0] - gap[1])


def _label_angles(start: float, end: float, gaps: list[tuple[float, float]]) -> tuple[float, float]:
    """Where symbols and badge stand on an area's arc: in the two widest gaps, or both in the only one."""
    if len(gaps) > 1:
        first, second = (_close_to_castle(gap, start, end) for gap in gaps[:2])
        return first, second
    low, high = gaps[0]
    apart = min(LABEL_ANGLE, (high - low) / 4)
    return (low + high) / 2 - apart, (low + high) / 2 + apart


def _close_to_castle(gap: tuple[float, float], start: float, end: float) -> float:
    """The middle of a gap beside a castle, but not far off in a wide area: what belongs together stays so."""
    low, high = gap
    middle = (low + high) / 2
    if low > start:
        middle = min(middle, low + LABEL_ANGLE)
    if high < end:
        middle = max(middle, high - LABEL_ANGLE)
    return middle
