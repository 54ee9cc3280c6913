"""The Castelli tournament (p. 8): two 2-player games side by side that share track, charts and deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import Step
from companion.scoring.castelli.board import (
    Assembly,
    Board,
    Placed,
    Quadrant,
    assemble,
    cell_name,
    cell_place,
)
from companion.scoring.castelli.components import Colour, GameSet
from companion.scoring.castelli.events import Event
from companion.scoring.castelli.position import Modules, Position, changed, new_game
from companion.scoring.castelli.rulings import DEFAULT_RULINGS, Rulings

Pairing = tuple[Colour, Colour]
Round = tuple[Pairing, Pairing]
Entrants = tuple[Colour, Colour, Colour, Colour]


class Variant(StrEnum):
    KNOCKOUT = "knockout"
    """Variant 1: winners play for first, losers for third place."""
    ROUND_ROBIN = "round-robin"
    """Variant 2: all play each other, three rounds, points added up."""


@dataclass(frozen=True, slots=True)
class Result:
    """One 2-player game: the points of both, and who won; both where they share the victory."""

    points: Mapping[Colour, int]
    winners: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Place:
    place: int
    players: tuple[Colour, ...]
    points: int
    """Over all rounds."""


def tournament_boards(
    game_set: GameSet, west: tuple[Placed, Placed], east: tuple[Placed, Placed]
) -> tuple[Board, Board]:
    """Both boards, each a top and a bottom piece; the spare mine tile lies where the other has none.

    The eastern board keeps the cell names it has beside the western one, from column E on.
    """
    boards = [
        Assembly(((Quadrant.NW, west[0]), (Quadrant.SW, west[1]))),
        Assembly(((Quadrant.NE, east[0]), (Quadrant.SE, east[1]))),
    ]
    laid = [assemble(game_set, assembly) for assembly in boards]
    mines = [board.mines for board in laid]
    if bool(mines[0]) == bool(mines[1]):
        raise ValueError("One of the two boards must have the piece with the silver mine, and only one.")
    with_mine = 0 if mines[0] else 1
    column, row = cell_place(mines[with_mine][0].cell)
    column += game_set.columns if with_mine == 0 else -game_set.columns
    bare = 1 - with_mine
    laid[bare] = assemble(game_set, replace(boards[bare], spare_mine=cell_name(column, row)))
    return laid[0], laid[1]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two games that draw from one deck."""

    games: tuple[Position, Position]

    def apply(self, board: int, event: Event) -> tuple[SideBySide, Step]:
        """An event on board 0 or 1; cards it draws or puts under the deck are gone, or there, for both."""
        step = apply(self.games[board], event)
        other = changed(self.games[1 - board], deck=step.position.deck)
        games = (step.position, other) if board == 0 else (other, step.position)
        return SideBySide(games), step


def side_by_side(
    boards: tuple[Board, Board],
    pairings: Round,
    modules: Modules = Modules(),  # noqa: B008  # a frozen value
    rulings: Rulings = DEFAULT_RULINGS,
) -> SideBySide:
    return SideBySide(
        (
            new_game(boards[0], pairings[0], modules, rulings),
            new_game(boards[1], pairings[1], modules, rulings),
        )
    )


def pairings(
    variant: Variant, players: Entrants, results: Sequence[tuple[Result, Result]] = ()
) -> Round | None:
    """Who plays whom in the next round, after these rounds; None where the tournament is over."""
    if variant is Variant.ROUND_ROBIN:
        rounds = round_robin(players)
        return rounds[len(results)] if len(results) < len(rounds) else None
    if not results:
        return (players[0], players[1]), (players[2], players[3])
    if len(results) > 1:
        return None
    winners, losers = zip(*(decided(result) for result in results[0]), strict=True)
    return (winners[0], winners[1]), (losers[0], losers[1])


def round_robin(players: Entrants) -> tuple[Round, ...]:
    """Three rounds in which everybody meets everybody once."""
    first = players[0]
    rounds: list[Round] = []
    for pair in combinations(players, 2):
        if first in pair:
            rest = [player for player in players if player not in pair]
            rounds.append(((pair[0], pair[1]), (rest[0], rest[1])))
    return tuple(rounds)


def decided(result: Result) -> Pairing:
    """Winner and loser; a shared victory has to be decided by the players, the book does not say how."""
    if len(result.winners) != 1:
        tied = " and ".join(result.winners)
        raise ValueError(f"{tied} share the victory; say who goes on by naming one winner.")
    loser = next(player for player in result.points if player not in result.winners)
    return result.winners[0], loser


def final_places(
    variant: Variant, players: Entrants, results: Sequence[tuple[Result, Result]]
) -> tuple[Place, ...]:
    """The standings so far; in a knockout, of the finals, once they are played."""
    points = {
        player: sum(result.points.get(player, 0) for played in results for result in played)
        for player in players
    }
    if variant is Variant.KNOCKOUT:
        return _knockout_places(points, results)
    places: list[Place] = []
    for total in sorted(set(points.values()), reverse=True):
        sharing = tuple(player for player in players if points[player] == total)
        places.append(Place(1 + sum(len(place.players) for place in places), sharing, total))
    return tuple(places)


def _knockout_places(
    points: Mapping[Colour, int], results: Sequence[tuple[Result, Result]]
) -> tuple[Place, ...]:
    if len(results) < 2:
        return ()
    places: list[Place] = []
    for first, result in zip((1, 3), results[1], strict=True):
        for colour in sorted(result.points, key=lambda player: player not in result.winners):
            shared = len(result.winners) > 1
            place = first if shared or colour in result.winners else first + 1
            if shared and places and places[-1].place == first:
                places[-1] = Place(first, (*places[-1].players, colour), points[colour])
            else:
                places.append(Place(place, (colour,), points[colour]))
    return tuple(places)
