"""A position: everything on the table at one moment, whether the rules allow it or not.

Positions are values. The rules make the next one from the last and never change one; a table that
breaks the rules is a position too, and `status` says what is wrong with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeVar

from companion.scoring.castelli.board import AreaId, Board, RimId, SiteKey
from companion.scoring.castelli.components import Cell, Colour, Kind, Side, Town
from companion.scoring.castelli.rulings import DEFAULT_RULINGS, Rulings

MOST_OF_A_RESOURCE = 5
CASTLES_OF_A_COLOUR = 9
MOST_ON_THE_TRACK = 69
SPARE_TOWNS = 2
"""Villages, and as many cities, that wait beside the board (p. 3)."""
SILVER_IN_GAME: Mapping[int, int] = {2: 11, 3: 16, 4: 22}
"""Silver cubes by number of players (p. 3, 7)."""

RESOURCES = (Kind.WOOD, Kind.GRAIN, Kind.ROCKS)


class Card(StrEnum):
    """The characters (p. 1). The King comes with three values."""

    KING_3 = "king-3"
    KING_4 = "king-4"
    KING_5 = "king-5"
    STEWARD = "steward"
    LANDGRAVE = "landgrave"
    LANDGRAVINE = "landgravine"
    ROBBER_BARON = "robber-baron"
    RAIDER = "raider"
    BRIGANDS = "brigands"
    TRAITOR = "traitor"
    MASTER_BUILDER = "master-builder"
    PEASANT = "peasant"
    DUKE = "duke"
    GUARD = "guard"
    INCENDIARY = "incendiary"
    ABBOT = "abbot"
    ARMY_OF_KNIGHTS = "army-of-knights"


CHARACTER_CARDS: Mapping[Card, int] = {
    Card.KING_3: 1,
    Card.KING_4: 2,
    Card.KING_5: 1,
    Card.STEWARD: 3,
    Card.LANDGRAVE: 3,
    Card.LANDGRAVINE: 3,
    Card.ROBBER_BARON: 2,
    Card.RAIDER: 2,
    Card.BRIGANDS: 1,
    Card.TRAITOR: 2,
    Card.MASTER_BUILDER: 3,
    Card.PEASANT: 2,
}
BATTLE_CARDS: Mapping[Card, int] = {
    Card.DUKE: 2,
    Card.GUARD: 2,
    Card.INCENDIARY: 2,
    Card.ABBOT: 1,
    Card.ARMY_OF_KNIGHTS: 1,
}


@dataclass(frozen=True, slots=True)
class FaceUp:
    """A tile on its slot and its quarter turns clockwise, 0-3."""

    tile: str
    turns: int = 0


Down = Literal["down"]
Missing = Literal["none"]
DOWN: Down = "down"
MISSING: Missing = "none"
"""No tile lies there: a table before setup, or a tile that somebody took away."""

Slot = FaceUp | Down | Missing


class Phase(StrEnum):
    """How far the turn has got."""

    REVEAL = "reveal"
    """A tile has to be revealed."""
    PLACED = "placed"
    """It lies face up; a Steward may still turn it; areas wait to be evaluated."""
    BUILD = "build"
    """Areas are evaluated; castles may be built."""


@dataclass(frozen=True, slots=True)
class Modules:
    dilemma: bool = False
    battle: bool = False


@dataclass(frozen=True)
class Player:
    """What lies in front of one player, and their markers."""

    colour: Colour
    wood: int = 0
    grain: int = 0
    rocks: int = 0
    silver: int = 0
    points: int = 0
    """On the victory point track."""
    cards: int = 0
    known: tuple[Card, ...] = ()
    """Those of the cards in hand whose kind is known, sorted."""
    castles_left: int = CASTLES_OF_A_COLOUR
    hand_tile: str | None = None
    """Dilemma: the tile in hand where it is known; the hand is secret."""
    holds_start: bool = False
    """Dilemma: the start tile has not been placed."""

    def resource(self, kind: Kind) -> int:
        amount: int = getattr(self, kind)
        return amount

    @property
    def resources(self) -> int:
        return self.wood + self.grain + self.rocks


@dataclass(frozen=True)
class Position:
    board: Board
    players: tuple[Player, ...]
    """In the order in which they sit, clockwise. Colours that are missing here are neutral."""
    tiles: Mapping[Cell, Slot]
    """By slot; a slot that is not named is `MISSING`."""
    towns: Mapping[Cell, Town] = field(default_factory=dict)
    castles: Mapping[SiteKey, tuple[Colour, ...]] = field(default_factory=dict)
    """Stacks from the bottom up."""
    mine: int = 0
    """Silver cubes in the mine."""
    deck: int = 0
    """Cards in the deck."""
    spare_villages: int = SPARE_TOWNS
    spare_cities: int = SPARE_TOWNS
    evaluated: frozenset[AreaId | RimId] = frozenset()
    """Areas, and sides at the rim, that have been paid."""
    turn: Colour = ""
    """Whose turn it is."""
    phase: Phase = Phase.REVEAL
    placed: Cell | None = None
    """The slot of the tile revealed this turn."""
    silver_bought: bool = False
    """2 silver already stood in for a resource this turn."""
    card_used: bool = False
    """The one card of the own turn is used."""
    guarded: frozenset[SiteKey] = frozenset()
    """Castles a Guard protects for the rest of this turn."""
    finished: bool = False
    modules: Modules = Modules()
    rulings: Rulings = DEFAULT_RULINGS

    @property
    def colours(self) -> tuple[Colour, ...]:
        return tuple([player.colour for player in self.players])  # faster than a generator, and asked a lot

    def is_playing(self, colour: Colour) -> bool:
        for player in self.players:  # noqa: SIM110  # asked of every event, and `any` takes twice as long
            if player.colour == colour:
                return True
        return False

    def player(self, colour: Colour) -> Player:
        for player in self.players:
            if player.colour == colour:
                return player
        raise KeyError(colour)

    def slot(self, cell: Cell) -> Slot:
        return self.tiles.get(cell, MISSING)

    @property
    def silver(self) -> int:
        """All silver on the table; the same from the first turn to the last."""
        return self.mine + sum(player.silver for player in self.players)


Value = TypeVar("Value", Position, Player)


def changed(value: Value, **changes: Any) -> Value:
    """`dataclasses.replace` without its second trip through `__init__`: a replay does this a lot."""
    fresh = object.__new__(type(value))
    object.__setattr__(fresh, "__dict__", {**value.__dict__, **changes})
    return fresh


def all_cards(modules: Modules) -> Counter[Card]:
    """The deck before the first draw."""
    cards = Counter(CHARACTER_CARDS)
    if modules.battle:
        cards.update(BATTLE_CARDS)
    return cards


def complete(board: Board, tiles: Mapping[Cell, Slot]) -> frozenset[AreaId | RimId]:
    """What must have been paid by the end of a turn in which the tiles lie like this.

    Used where a photo is all there is. Areas with card icons and neutral arms only are never paid (p. 5),
    and the mine waits for the end of the game.
    """
    up = {cell: slot for cell, slot in tiles.items() if isinstance(slot, FaceUp)}
    areas = {
        area.id
        for area in board.areas.values()
        if area.kind is not Kind.MINE
        and all(slot in up for slot, _ in area.borders)
        and any(_shows_value(board, up[slot], side) for slot, side in area.borders)
    }
    return frozenset(areas | {rim.id for rim in board.rims.values() if rim.slot in up})


def _shows_value(board: Board, lying: FaceUp, side: Side) -> bool:
    face = board.faces.get(lying.tile)
    return face is not None and not face[(side - lying.turns) % 4][2]


def new_game(
    board: Board,
    colours: tuple[Colour, ...],
    modules: Modules = Modules(),  # a frozen value
    rulings: Rulings = DEFAULT_RULINGS,
    start_tiles: Mapping[Colour, str] | None = None,
) -> Position:
    """The table as set up for these players (p. 2-3, 7); the first colour begins."""
    if len(colours) not in SILVER_IN_GAME or len(set(colours)) != len(colours):
        raise ValueError(
            f"Castelli is for 2, 3 or 4 players of different colours, not for {', '.join(colours) or 'none'}."
        )
    if unknown := [colour for colour in colours if colour not in board.set.colours]:
        raise ValueError(f"The set has no {unknown[0]}; its colours are {', '.join(board.set.colours)}.")
    in_hand = start_tiles or {}
    return Position(
        board=board,
        players=tuple(
            Player(colour, hand_tile=in_hand.get(colour), holds_start=modules.dilemma) for colour in colours
        ),
        tiles=dict.fromkeys(board.slots, DOWN),
        towns=board.printed_towns,
        mine=SILVER_IN_GAME[len(colours)],
        deck=all_cards(modules).total(),
        turn=colours[0],
        modules=modules,
        rulings=rulings,
    )
