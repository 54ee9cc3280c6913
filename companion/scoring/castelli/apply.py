"""The rules of a turn: `apply(position, event)` gives the next position and what happened (p. 4-6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.scoring.castelli.awards import RuleBroken, Step, TileShows
from companion.scoring.castelli.building import build, overbuild
from companion.scoring.castelli.cards import check_own_card, guard, play_card, sell, turn_tile
from companion.scoring.castelli.components import Tile
from companion.scoring.castelli.evaluation import due, due_rims, evaluate, judge_mine, pay_mine
from companion.scoring.castelli.events import (
    Brigands,
    Build,
    Correction,
    Duke,
    EndGame,
    EndTurn,
    Evaluate,
    Event,
    Guard,
    Incendiary,
    King,
    Overbuild,
    Peasant,
    PlayerCorrection,
    Raider,
    Reveal,
    RobberBaron,
    Sell,
    Traitor,
    TurnTile,
)
from companion.scoring.castelli.ledger import Ledger
from companion.scoring.castelli.position import DOWN, FaceUp, Phase, Player, Position, changed
from companion.scoring.castelli.rules_index import Rule


def apply(position: Position, event: Event) -> Step:
    """Raises `RuleBroken` where the rules do not allow the event. A `Correction` is always allowed."""
    if isinstance(event, Correction):
        return correct(position, event)
    if position.finished:
        raise RuleBroken("game-over", "The game has ended.", Rule.END)
    if not position.is_playing(position.turn):
        named = position.turn or "nobody"
        raise RuleBroken("nobodys-turn", f"It is the turn of {named}, who is not playing.", Rule.TURN)
    return _RULES[type(event)](position, event)


def reveal(position: Position, event: Reveal) -> Step:
    """The tile goes back face up; its cards and silver come at once, the rim when it is evaluated."""
    tile = _check_reveal(position, event)
    colour = position.turn
    ledger = Ledger(position, event.drawn)
    if event.swapped:
        ledger.players[colour] = changed(ledger.players[colour], hand_tile=event.taken, holds_start=False)
    if cards := tile.cards:
        ledger.draw(colour, cards, TileShows(event.slot, tile.id, cards))
    if tile.silver:
        ledger.silver_from_mine(colour, tile.silver, TileShows(event.slot, tile.id, tile.silver))
    tiles = {**position.tiles, event.slot: FaceUp(event.tile, event.turns)}
    return ledger.step(tiles=tiles, placed=event.slot, phase=Phase.PLACED)


def _check_reveal(position: Position, event: Reveal) -> Tile:
    if position.phase is not Phase.REVEAL:
        raise RuleBroken(
            "revealed-before", f"{position.turn} has already revealed a tile this turn.", Rule.TURN
        )
    if event.slot not in position.board.areas_at:
        raise RuleBroken(
            "no-slot", f"“{event.slot}” is no place for a heraldic tile on this board.", Rule.SETUP
        )
    if position.slot(event.slot) != DOWN:
        raise RuleBroken("not-face-down", f"No tile lies face down on {event.slot}.", Rule.REVEAL)
    tile = position.board.set.tiles.get(event.tile)
    if tile is None:
        raise RuleBroken("no-such-tile", f"The set has no tile “{event.tile}”.", Rule.COMPONENTS)
    if event.turns not in range(4):
        raise RuleBroken("bad-turn", f"A tile lies in quarter turns 0 to 3, not {event.turns}.", Rule.REVEAL)
    for slot, lying in position.tiles.items():
        if lying.__class__ is FaceUp and lying.tile == event.tile:
            raise RuleBroken("tile-twice", f"Tile {event.tile} already lies on {slot}.", Rule.COMPONENTS)
    _check_hand_tile(position, event, tile)
    return tile


def _check_hand_tile(position: Position, event: Reveal, tile: Tile) -> None:
    """Dilemma: does this tile come from the board, or from the hand (p. 7)?"""
    player = position.player(position.turn)
    if not event.swapped:
        if event.taken is not None:
            raise RuleBroken("taken-without-swap", "A tile goes into the hand only in a swap.", Rule.DILEMMA)
        if tile.start:
            raise RuleBroken("start-tile", f"Start tile {tile.id} can only come out of a hand.", Rule.DILEMMA)
        for other in position.players:
            if other.hand_tile == tile.id:
                raise RuleBroken("tile-in-hand", f"Tile {tile.id} is in {other.colour}'s hand.", Rule.DILEMMA)
        return
    if not position.modules.dilemma:
        raise RuleBroken("no-dilemma", "Tiles are swapped in the Dilemma module only.", Rule.DILEMMA)
    if player.hand_tile is not None and player.hand_tile != tile.id:
        raise RuleBroken(
            "not-in-hand",
            f"{player.colour} has tile {player.hand_tile} in hand, not {tile.id}.",
            Rule.DILEMMA,
        )
    if tile.start != player.holds_start:
        held = "still holds the start tile" if player.holds_start else "no longer holds a start tile"
        raise RuleBroken(
            "not-in-hand", f"{player.colour} {held}, so {tile.id} was not in hand.", Rule.DILEMMA
        )
    if any(other.hand_tile == tile.id for other in position.players if other is not player):
        raise RuleBroken("tile-in-hand", f"Tile {tile.id} is in another player's hand.", Rule.DILEMMA)
    _check_taken(position, event)


def _check_taken(position: Position, event: Reveal) -> None:
    if event.taken is None:
        return
    taken = position.board.set.tiles.get(event.taken)
    if taken is None or taken.start:
        raise RuleBroken("no-such-tile", f"“{event.taken}” is no tile that lay on the board.", Rule.DILEMMA)
    elsewhere = [lying.tile for lying in position.tiles.values() if isinstance(lying, FaceUp)]
    elsewhere += [player.hand_tile for player in position.players if player.hand_tile is not None]
    if event.taken in elsewhere:
        raise RuleBroken("tile-twice", f"Tile {event.taken} was not face down on the board.", Rule.DILEMMA)


def _castle(position: Position, event: Build | Overbuild) -> Step:
    _check_evaluated(position, "castles are built after that")
    if event.card is not None:
        check_own_card(position, event.card)
    return build(position, event) if isinstance(event, Build) else overbuild(position, event)


def _check_evaluated(position: Position, therefore: str) -> None:
    if position.phase is Phase.REVEAL:
        raise RuleBroken("not-revealed", f"{position.turn} has to reveal a tile; {therefore}.", Rule.TURN)
    if position.phase is Phase.PLACED and (due(position) or due_rims(position)):
        raise RuleBroken("not-evaluated", f"Areas wait to be evaluated; {therefore}.", Rule.TURN)


def end_turn(position: Position, _: EndTurn) -> Step:
    """The next player clockwise."""
    _check_evaluated(position, "the turn ends after that")
    seats = position.colours
    return Step(
        changed(
            position,
            turn=seats[(seats.index(position.turn) + 1) % len(seats)],
            phase=Phase.REVEAL,
            placed=None,
            silver_bought=False,
            card_used=False,
            guarded=frozenset(),
        )
    )


def end_game(position: Position, _: EndGame) -> Step:
    """All tiles lie face up and the last turn is over: the mine's silver goes to the strongest there."""
    down = [slot for slot in position.board.slots if position.slot(slot) == DOWN]
    if down:
        raise RuleBroken("tiles-down", f"Tiles still lie face down: {', '.join(down)}.", Rule.END)
    if position.phase is not Phase.REVEAL:
        _check_evaluated(position, "the game ends after that")
    ledger = Ledger(position)
    verdict = judge_mine(position)
    if verdict is None:
        return ledger.step(finished=True)
    pay_mine(ledger, verdict)
    evaluated = position.evaluated | {verdict.majority.area}
    return ledger.step((verdict,), finished=True, evaluated=evaluated)


def correct(position: Position, event: Correction) -> Step:
    """Set what the event names, and nothing else."""
    scalars = ("mine", "deck", "spare_villages", "spare_cities", "turn", "phase")
    changes: dict[str, Any] = {name: value for name in scalars if (value := getattr(event, name)) is not None}
    if event.tiles:
        changes["tiles"] = {**position.tiles, **event.tiles}
    if event.castles:
        stacks = {**position.castles, **event.castles}
        changes["castles"] = {site: stack for site, stack in stacks.items() if stack}
    if event.towns:
        towns = {**position.towns, **event.towns}
        changes["towns"] = {cell: town for cell, town in towns.items() if town is not None}
    if event.players:
        changes["players"] = tuple(
            _corrected(player, event.players.get(player.colour)) for player in position.players
        )
    changes["evaluated"] = (position.evaluated | event.paid) - event.not_paid
    return Step(changed(position, **changes))


def _corrected(player: Player, correction: PlayerCorrection | None) -> Player:
    if correction is None:
        return player
    changes = {
        name: value
        for name in PlayerCorrection.__dataclass_fields__
        if (value := getattr(correction, name)) is not None
    }
    if changes.get("hand_tile") == "":
        changes["hand_tile"] = None
    return changed(player, **changes)


_RULES: Mapping[type[Event], Callable[[Position, Any], Step]] = {
    Reveal: reveal,
    TurnTile: turn_tile,
    Evaluate: evaluate,
    Build: _castle,
    Overbuild: _castle,
    Guard: guard,
    Sell: sell,
    EndTurn: end_turn,
    EndGame: end_game,
    **dict.fromkeys((King, RobberBaron, Raider, Brigands, Traitor, Peasant, Duke, Incendiary), play_card),
}
