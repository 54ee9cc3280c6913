"""The marks of the drawn board, as the template gets them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.castelli.rulebook import Cell, Gift, Kind, Point, Side, SiteKey, Town
from companion.web.castelli.tinctures import Tincture


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the map."""

    x: float
    y: float

    @classmethod
    def at(cls, point: Point) -> Spot:
        return cls(short(point.x), short(point.y))


def short(value: float) -> float:
    """A tenth of a millimetre is all that can be seen; whole numbers need no point."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


@dataclass(frozen=True, slots=True)
class Badge:
    """Who leads an area and by how much; several share it where they tie."""

    at: Spot
    leaders: tuple[Tincture, ...]
    text: str


@dataclass(frozen=True, slots=True)
class AreaMark:
    id: str
    kind: Kind
    path: str
    fill: str
    """The pattern of who leads; empty where nobody does."""
    state: str
    symbols: int
    pips: tuple[Spot, ...]
    badge: Badge | None
    label: str
    lit: bool


@dataclass(frozen=True, slots=True)
class ArmsMark:
    """One side of a tile: its coat is drawn at the bottom, and turned by `degrees` to face its side."""

    side: Side
    """On the screen."""
    degrees: int
    at: Spot
    """Where the value stands, upright on every side: whoever holds the phone has their side at the bottom."""
    tincture: Tincture
    value: str
    is_card: bool


@dataclass(frozen=True, slots=True)
class TileMark:
    cell: Cell
    at: Spot
    tile: str | None
    state: str
    arms: tuple[ArmsMark, ...]
    silver: int
    start: bool
    fresh: bool
    """Revealed in this turn."""
    label: str


@dataclass(frozen=True, slots=True)
class CastleMark:
    site: SiteKey
    at: Spot
    stack: tuple[Tincture, ...]
    label: str
    lit: bool


@dataclass(frozen=True, slots=True)
class TownMark:
    cell: Cell
    at: Spot
    town: Town
    label: str
    lit: bool


@dataclass(frozen=True, slots=True)
class RimMark:
    at: Spot
    degrees: int
    gift: Gift


@dataclass(frozen=True, slots=True)
class Coordinate:
    at: Spot
    text: str


@dataclass(frozen=True, slots=True)
class BoardView:
    near: Side
    box: tuple[float, float, float, float]
    field: tuple[float, float, float, float]
    octagons: tuple[str, ...]
    areas: tuple[AreaMark, ...]
    tiles: tuple[TileMark, ...]
    castles: tuple[CastleMark, ...]
    empty_sites: tuple[Spot, ...]
    towns: tuple[TownMark, ...]
    rims: tuple[RimMark, ...]
    coordinates: tuple[Coordinate, ...]
    mines: tuple[tuple[Spot, int], ...]
    ties: tuple[tuple[str, tuple[Tincture, ...]], ...]
    """Patterns for areas whose leaders tie: a band of each of them."""
    is_lit: bool
    """Some marks are lit, the others step back."""
