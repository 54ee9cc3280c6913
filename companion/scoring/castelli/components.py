"""What is in the box: a Castelli set as frozen values, in the words of the rulebook.

Nothing here knows a particular printing. Colours, values, the split of each landscape space and the
gifts of the frame all come out of the owner's set file, which `companion.table` reads and checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Literal

Colour = str
"""The name of a player colour, as the set calls it."""

Cell = str
"""A cell of the checkerboard: column letter and row number, `"A1"` is the top left."""

CARD: Literal["card"] = "card"


class Side(IntEnum):
    """A side of a cell, clockwise, so that a quarter turn clockwise adds one."""

    N = 0
    E = 1
    S = 2
    W = 3

    def turned(self, quarter_turns: int) -> Side:
        return Side((self + quarter_turns) % 4)


class Kind(StrEnum):
    """What an area brings to the strongest player."""

    WOOD = "wood"
    GRAIN = "grain"
    ROCKS = "rocks"
    MARKET = "market"
    MINE = "mine"


class Town(StrEnum):
    VILLAGE = "village"
    CITY = "city"


class Gift(StrEnum):
    """What the frame shows beside a cell."""

    WOOD = "wood"
    GRAIN = "grain"
    ROCKS = "rocks"
    SILVER = "silver"
    CARD = "card"
    NEUTRAL = "neutral"


@dataclass(frozen=True, slots=True)
class Point:
    """Millimetres, x to the right, y down."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a landscape space: judged by itself, bordered by the tiles at its sides."""

    kind: Kind
    sides: tuple[Side, ...]
    symbols: int
    sites: tuple[Point, ...] = ()
    """Castle sites, from the middle of the octagon, in the piece's unturned position."""
    polygon: tuple[Point, ...] | None = None
    """Its outline from the middle of the octagon, where it is not simply the wedge to its sides."""


@dataclass(frozen=True, slots=True)
class Space:
    """An octagonal landscape space with its one to four areas."""

    areas: tuple[Area, ...]
    printed: Town | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the board pieces; cells are named in its own, unturned position."""

    name: str
    spaces: Mapping[Cell, Space]


@dataclass(frozen=True, slots=True)
class Arms:
    """One side of a tile: a colour and what it is worth there."""

    colour: Colour
    value: int | Literal["card"]

    @property
    def points(self) -> int:
        """A coat of arms with a card icon counts 0 (p. 4)."""
        return 0 if self.value == CARD else self.value


@dataclass(frozen=True, slots=True)
class Tile:
    """A heraldic tile: arms at N, E, S, W when it is not turned, and silver in its middle."""

    id: str
    sides: tuple[Arms, Arms, Arms, Arms]
    silver: int = 0
    start: bool = False
    """A start tile of the Dilemma module."""

    def facing(self, side: Side, turns: int) -> Arms:
        """The arms that look at `side` after `turns` quarter turns clockwise."""
        return self.sides[side.turned(-turns)]

    @property
    def cards(self) -> int:
        return sum(arms.value == CARD for arms in self.sides)


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where things lie on the assembled board, in millimetres."""

    width: float
    height: float
    origin: Point
    pitch: float
    tile: float
    octagon: float
    frame: float
    chart: float


@dataclass(frozen=True, slots=True)
class GameSet:
    """A whole set: everything printed that a game is played with."""

    name: str
    geometry: Geometry
    pieces: Mapping[str, Piece]
    frame: Mapping[tuple[Cell, Side], Gift]
    tiles: Mapping[str, Tile]
    chart: Mapping[Kind, tuple[Point, ...]]
    track: tuple[Point, ...]
    columns: int = 4
    """Cells across one piece."""
    rows: int = 4
    """Cells down one piece."""

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The player colours, in the order in which the tiles first name them."""
        return tuple(dict.fromkeys(arms.colour for tile in self.tiles.values() for arms in tile.sides))
