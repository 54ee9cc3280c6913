"""A tile's place: what lies there, what it touches, what would lie there, and how to set it right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.table.castelli.rulebook import (
    Award,
    Cell,
    Colour,
    FaceUp,
    Phase,
    Position,
    RuleBroken,
    Side,
    Tile,
    What,
    area_states,
    changed,
    majorities,
    what_if,
)
from companion.web.castelli import labels
from companion.web.castelli.board_marks import ArmsMark
from companion.web.castelli.board_view import tile_arms
from companion.web.castelli.mapping import map_turns
from companion.web.castelli.refusals import refusal
from companion.web.castelli.tinctures import Palette
from companion.web.castelli.why import award_sentence
from companion.web.castelli.words import amount


@dataclass(frozen=True, slots=True)
class TileChoice:
    id: str
    arms: tuple[ArmsMark, ...]
    silver: int
    start: bool
    lies_on: Cell | None
    """Where else on the board it is believed to lie."""


@dataclass(frozen=True, slots=True)
class Gain:
    colour: Colour
    amounts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnChoice:
    """The chosen tile in one of its four turns, and what revealing it like that would bring."""

    turns: int
    arms: tuple[ArmsMark, ...]
    gains: tuple[Gain, ...]
    sentences: tuple[str, ...]
    refused: str = ""
    """Why the rules do not allow it."""


@dataclass(frozen=True, slots=True)
class SlotView:
    cell: Cell
    title: str
    state: str
    lying: TileChoice | None
    chosen: TileChoice | None
    turns_now: int | None
    turns: tuple[TurnChoice, ...]
    choices: tuple[TileChoice, ...]
    areas: tuple[tuple[str, str], ...]
    """Areas beside it, each with how it stands."""
    player: Colour
    """Who would reveal it."""


@dataclass(frozen=True, slots=True)
class _Pictures:
    """Tiles as this reader sees them."""

    palette: Palette
    view_turns: int

    def arms(self, tile: Tile, turns: int) -> tuple[ArmsMark, ...]:
        return tile_arms(tile, turns + self.view_turns, self.palette)

    def choice(self, tile: Tile, turns: int, lies_on: Cell | None = None) -> TileChoice:
        return TileChoice(tile.id, self.arms(tile, turns), tile.silver, tile.start, lies_on)


def slot_view(
    position: Position, cell: Cell, palette: Palette, tile: str | None = None, near: Side = Side.S
) -> SlotView:
    """Pictures are turned as the map is. `KeyError` where there is no such slot or tile."""
    if cell not in position.board.slots:
        raise KeyError(cell)
    lying = position.slot(cell)
    is_up = isinstance(lying, FaceUp)
    tiles = position.board.set.tiles
    known = tiles.get(lying.tile) if isinstance(lying, FaceUp) else None
    chosen = tiles[tile] if tile else known
    turns_now = lying.turns if isinstance(lying, FaceUp) and chosen is known else None
    verdicts, states = majorities(position), area_states(position)
    pictures = _Pictures(palette, map_turns(near))
    return SlotView(
        cell=cell,
        title=labels.slot(position, cell),
        state="up" if is_up else str(lying),
        lying=pictures.choice(known, turns_now or 0) if known else None,
        chosen=pictures.choice(chosen, turns_now or 0) if chosen else None,
        turns_now=turns_now,
        turns=tuple(_turns(position, cell, chosen, pictures, is_up)) if chosen else (),
        choices=tuple(_choices(position, cell, pictures)),
        areas=tuple(
            (area.id, labels.area(area, verdicts[area.id], states[area.id]))
            for area in position.board.areas_at.get(cell, ())
        ),
        player=next_to_reveal(position),
    )


def next_to_reveal(position: Position) -> Colour:
    """Once a tile lies face up in this turn, the next tile is the next player's."""
    if position.phase is Phase.REVEAL or position.turn not in position.colours:
        return position.turn
    seat = position.colours.index(position.turn)
    return position.colours[(seat + 1) % len(position.colours)]


def _turns(
    position: Position, cell: Cell, tile: Tile, pictures: _Pictures, is_up: bool
) -> Iterable[TurnChoice]:
    colour = next_to_reveal(position)
    for turns in range(4):
        arms = pictures.arms(tile, turns)
        if is_up:
            yield TurnChoice(turns, arms, (), ())
            continue
        ready = changed(position, turn=colour)
        try:
            step = what_if(ready, cell, tile.id, turns, swapped=tile.start)
        except RuleBroken as broken:
            yield TurnChoice(turns, arms, (), (), refusal(broken))
        else:
            yield TurnChoice(turns, arms, gains(step.awards), tuple(map(award_sentence, step.awards)))


def gains(awards: Iterable[Award]) -> tuple[Gain, ...]:
    """What awards come to for each player, in a few words."""
    sums: dict[Colour, dict[What, int]] = {}
    for award in awards:
        own = sums.setdefault(award.player, {})
        own[award.what] = own.get(award.what, 0) + award.amount
    return tuple(
        Gain(colour, tuple(amount(what, number) for what, number in own.items() if number > 0))
        for colour, own in sums.items()
        if any(number > 0 for number in own.values())
    )


def _choices(position: Position, cell: Cell, pictures: _Pictures) -> Iterable[TileChoice]:
    """Tiles that lie nowhere yet come first: one of them it must be, unless another slot is wrong."""
    lie_on = {slot.tile: at for at, slot in position.tiles.items() if isinstance(slot, FaceUp) and at != cell}
    tiles = [tile for tile in position.board.set.tiles.values() if position.modules.dilemma or not tile.start]
    for tile in sorted(tiles, key=lambda tile: tile.id in lie_on):
        yield pictures.choice(tile, 0, lie_on.get(tile.id))
