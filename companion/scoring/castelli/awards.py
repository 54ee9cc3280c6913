"""What an event brought to whom, and why: every number carries the facts it follows from.

Reasons are data, not sentences, because the players read them in four languages; `sentences` puts them
into English. What a replay makes by the hundred is a named tuple, which is as frozen and quicker to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from companion.scoring.castelli.board import AreaId, RimId, SiteKey
from companion.scoring.castelli.components import Cell, Colour, Gift, Kind, Side, Town
from companion.scoring.castelli.position import Card, Position
from companion.scoring.castelli.rules_index import Rule


class What(StrEnum):
    """What a player gains or gives."""

    WOOD = "wood"
    GRAIN = "grain"
    ROCKS = "rocks"
    SILVER = "silver"
    CARD = "card"
    POINTS = "points"


class Counted(NamedTuple):
    """A side of a tile that counts for an area."""

    slot: Cell
    tile: str
    side: Side
    colour: Colour
    points: int
    is_card: bool


class Scored(NamedTuple):
    """A village or city in line with a castle."""

    cell: Cell
    town: Town
    points: int


class Majority(NamedTuple):
    """An area was evaluated."""

    area: AreaId
    kind: Kind
    symbols: int
    """Resources, tents, or silver in the mine, to be shared."""
    sums: Mapping[Colour, int]
    counted: tuple[Counted, ...]
    strongest: tuple[Colour, ...]
    """Those with the highest sum, neutral colours among them; nobody where all sums are 0."""
    share: int
    """What each strongest player gets before limits."""

    @property
    def rule(self) -> Rule:
        if self.kind is Kind.MARKET:
            return Rule.MARKET
        return Rule.END if self.kind is Kind.MINE else Rule.RESOURCES


@dataclass(frozen=True, slots=True)
class TileShows:
    """The tile revealed shows cards or silver."""

    slot: Cell
    tile: str
    shown: int
    rule = Rule.TILE_GIFT


@dataclass(frozen=True, slots=True)
class RimGift:
    """A coat of arms looks at a gift on the rim."""

    rim: RimId
    gift: Gift
    tile: str
    rule = Rule.RIM_TILE


@dataclass(frozen=True, slots=True)
class CastleScored:
    site: SiteKey
    towns: tuple[Scored, ...]
    rule = Rule.CASTLE_POINTS


@dataclass(frozen=True, slots=True)
class CastlePaid:
    """Resources or silver given for a castle."""

    site: SiteKey
    card: Card | None
    instead_of: tuple[Kind, ...] = ()
    """The missing resources that silver stands in for."""
    over: Colour | None = None
    """Whose castle was built over."""

    @property
    def rule(self) -> Rule:
        return Rule.BUILD if self.over is None else Rule.OVERBUILD


@dataclass(frozen=True, slots=True)
class CardPlayed:
    card: Card
    other: Colour | None = None
    """The other player concerned."""

    @property
    def rule(self) -> Rule:
        return Rule.BATTLE_CARDS if self.card in _BATTLE else Rule.CHARACTERS


_BATTLE = frozenset((Card.DUKE, Card.GUARD, Card.INCENDIARY, Card.ABBOT, Card.ARMY_OF_KNIGHTS))


@dataclass(frozen=True, slots=True)
class CardsSold:
    count: int
    rule = Rule.MARKET


@dataclass(frozen=True, slots=True)
class OnTheTrack:
    """Points made during the game."""

    rule = Rule.CASTLE_POINTS


@dataclass(frozen=True, slots=True)
class CardsInHand:
    count: int
    rule = Rule.END


@dataclass(frozen=True, slots=True)
class ResourcesLeft:
    wood: int
    grain: int
    rocks: int
    rule = Rule.END


@dataclass(frozen=True, slots=True)
class SilverPrize:
    """Most or second most silver."""

    place: int
    silver: Mapping[Colour, int]
    """Everybody's, after the mine was shared out."""
    tied: tuple[Colour, ...]
    battle: bool

    @property
    def rule(self) -> Rule:
        return Rule.BATTLE_SCORING if self.battle else Rule.END


@dataclass(frozen=True, slots=True)
class StartTileHeld:
    rule = Rule.DILEMMA


@dataclass(frozen=True, slots=True)
class TownMajority:
    """Battle: most castles in line with a village or city."""

    cell: Cell
    town: Town
    worth: int
    castles: Mapping[Colour, tuple[SiteKey, ...]]
    """Castles on top in its row and column, by owner."""
    tied: tuple[Colour, ...]
    rule = Rule.BATTLE_SCORING


@dataclass(frozen=True, slots=True)
class CastlesOnTop:
    """Battle: castles that nobody built over."""

    sites: tuple[SiteKey, ...]
    rule = Rule.BATTLE_SCORING


EventReason = Majority | TileShows | RimGift | CastleScored | CastlePaid | CardPlayed | CardsSold
EndReason = (
    OnTheTrack | CardsInHand | ResourcesLeft | SilverPrize | StartTileHeld | TownMajority | CastlesOnTop
)
Reason = EventReason | EndReason


class Award(NamedTuple):
    """An amount, to whom, and why. Below 0 where something is paid or stolen."""

    player: Colour
    what: What
    amount: int
    reason: Reason
    rulings: tuple[str, ...] = ()
    """Rulings without which this would be another amount."""
    lost: int = 0
    """What the player could not take: above 5, the mine or the deck empty."""


class Verdict(NamedTuple):
    """How one area came out, also where nobody gained."""

    majority: Majority
    winners: tuple[Colour, ...]
    """Players in the game who share it."""
    rulings: tuple[str, ...] = ()


class Step(NamedTuple):
    """An event applied: the next position and what happened."""

    position: Position
    awards: tuple[Award, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    rulings: tuple[str, ...] = ()
    """Rulings that allowed the event itself."""


class RuleBroken(Exception):
    """An event the rules do not allow. Its text says what is wrong and where the rule stands."""

    def __init__(self, code: str, sentence: str, rule: Rule, rulings: tuple[str, ...] = ()) -> None:
        super().__init__(f"{sentence} ({rule})")
        self.code = code
        """A fixed name of the problem, for programs and translations."""
        self.sentence = sentence
        self.rule = rule
        self.rulings = rulings
        """Rulings under whose other option it would have been allowed."""
