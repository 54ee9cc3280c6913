"""What can happen in a game. The list of events is the truth; positions follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.scoring.castelli.board import AreaId, RimId, SiteKey
from companion.scoring.castelli.components import Cell, Colour, Kind, Town
from companion.scoring.castelli.position import Card, Phase, Slot

Drawn = tuple[tuple[Colour, Card], ...]
"""The kinds of cards drawn, where somebody told them: who drew what."""


@dataclass(frozen=True, slots=True)
class Reveal:
    """The active player reveals the tile at a slot and puts it back face up (p. 4)."""

    slot: Cell
    tile: str
    """The tile that now lies there."""
    turns: int = 0
    swapped: bool = False
    """Dilemma: it came out of the hand, and the tile taken went into the hand."""
    taken: str | None = None
    """Dilemma: the tile that went into the hand, where it is known."""
    drawn: Drawn = ()


@dataclass(frozen=True, slots=True)
class TurnTile:
    """Another player's Steward turns the tile just placed."""

    player: Colour
    turns: int
    """Quarter turns clockwise in which the tile lies afterwards."""


@dataclass(frozen=True, slots=True)
class Evaluate:
    """Rim gifts of the placed tile and every area that is now complete are paid (p. 4-5)."""

    drawn: Drawn = ()


@dataclass(frozen=True, slots=True)
class Build:
    """The active player builds a castle (p. 6)."""

    site: SiteKey
    buy: Kind | None = None
    """The missing resource that 2 silver stand in for."""
    card: Card | None = None
    """Landgrave, Landgravine or Master Builder, where it makes this castle possible."""


@dataclass(frozen=True, slots=True)
class Overbuild:
    """Battle: the active player builds over another player's castle (p. 8)."""

    site: SiteKey
    buy: Kind | None = None
    card: Card | None = None
    """Abbot or Army of Knights."""


@dataclass(frozen=True, slots=True)
class King:
    points: int


@dataclass(frozen=True, slots=True)
class RobberBaron:
    pass


@dataclass(frozen=True, slots=True)
class Raider:
    pass


@dataclass(frozen=True, slots=True)
class Brigands:
    pass


@dataclass(frozen=True, slots=True)
class Traitor:
    victim: Colour
    card: Card | None = None
    """The card bought, where its kind is told."""


@dataclass(frozen=True, slots=True)
class Peasant:
    cell: Cell


@dataclass(frozen=True, slots=True)
class Duke:
    cell: Cell


@dataclass(frozen=True, slots=True)
class Incendiary:
    cell: Cell


@dataclass(frozen=True, slots=True)
class Guard:
    """A castle's owner answers an attempt to build over it; the attempt costs the attacker nothing."""

    player: Colour
    site: SiteKey


@dataclass(frozen=True, slots=True)
class Sell:
    """Any player, at any time, sells cards for 2 silver each (p. 5)."""

    player: Colour
    count: int = 1
    cards: tuple[Card, ...] = ()
    """Their kinds, where told."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    pass


@dataclass(frozen=True, slots=True)
class EndGame:
    """After the turn of the last tile the mine is evaluated (p. 6)."""


@dataclass(frozen=True, slots=True)
class PlayerCorrection:
    """What to set for one player; None leaves it as it is."""

    wood: int | None = None
    grain: int | None = None
    rocks: int | None = None
    silver: int | None = None
    points: int | None = None
    cards: int | None = None
    known: tuple[Card, ...] | None = None
    castles_left: int | None = None
    hand_tile: str | None = None
    """An empty string says that the tile in hand is not known."""
    holds_start: bool | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """Somebody sets by hand what the program has got wrong; no rule is asked."""

    tiles: Mapping[Cell, Slot] = field(default_factory=dict)
    castles: Mapping[SiteKey, tuple[Colour, ...]] = field(default_factory=dict)
    """An empty stack clears the site."""
    towns: Mapping[Cell, Town | None] = field(default_factory=dict)
    """None clears the space."""
    players: Mapping[Colour, PlayerCorrection] = field(default_factory=dict)
    mine: int | None = None
    deck: int | None = None
    spare_villages: int | None = None
    spare_cities: int | None = None
    paid: frozenset[AreaId | RimId] = frozenset()
    not_paid: frozenset[AreaId | RimId] = frozenset()
    turn: Colour | None = None
    phase: Phase | None = None
    note: str = ""


CardEvent = King | RobberBaron | Raider | Brigands | Traitor | Peasant | Duke | Incendiary
"""Cards of the own turn that are an event by themselves."""

Event = (
    Reveal
    | TurnTile
    | Evaluate
    | Build
    | Overbuild
    | CardEvent
    | Guard
    | Sell
    | EndTurn
    | EndGame
    | Correction
)
