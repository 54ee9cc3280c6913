"""The picture on an answer: the tile, castle or town that somebody would tap."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.castelli.asking import (
    Choice,
    Question,
    is_town_answer,
    slot_from,
    stack_from,
    town_from,
)
from companion.table.castelli.rulebook import DOWN, MISSING, FaceUp, GameSet, Town
from companion.web.castelli.board_marks import ArmsMark
from companion.web.castelli.board_view import tile_arms
from companion.web.castelli.tinctures import Palette, Tincture


@dataclass(frozen=True, slots=True)
class Pictured:
    """At most one of these is there."""

    arms: tuple[ArmsMark, ...] = ()
    silver: int = 0
    start: bool = False
    is_back: bool = False
    stack: tuple[Tincture, ...] = ()
    town: Town | None = None
    is_empty: bool = False
    """No tile, no castle, no village and no city."""
    player: str | None = None


def tile_look(lying: FaceUp, game_set: GameSet, palette: Palette) -> Pictured:
    """A file may name a tile that the set does not have: the rules refuse it, and its name has to do."""
    tile = game_set.tiles.get(lying.tile)
    if tile is None:
        return Pictured()
    return Pictured(tile_arms(tile, lying.turns, palette), tile.silver, tile.start)


def pictured(choice: Choice, question: Question, game_set: GameSet, palette: Palette) -> Pictured:
    about = question.id.partition("/")[0]
    if about == "tile":
        slot = slot_from(choice.id, game_set)
        if isinstance(slot, FaceUp):
            return tile_look(slot, game_set, palette)
        return Pictured(is_back=slot == DOWN, is_empty=slot == MISSING)
    if about == "castle":
        stack = stack_from(choice.id, game_set.colours) or ()
        return Pictured(stack=tuple(palette[colour] for colour in stack), is_empty=not stack)
    if about == "town" and is_town_answer(choice.id):
        town = town_from(choice.id)
        return Pictured(town=town, is_empty=town is None)
    player = choice.values.get("player")
    return Pictured(player=player if isinstance(player, str) and player in palette.tinctures else None)
