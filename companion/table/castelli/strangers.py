"""What a file names that this board and its set do not have: no page could draw it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.scoring.castelli.board import Board
from companion.scoring.castelli.components import Colour, GameSet
from companion.scoring.castelli.events import Correction
from companion.scoring.castelli.position import Position
from companion.table.errors import Told, sentence


def strangers(named: Position | Correction, board: Board) -> Iterator[Told]:
    """Colours that are in the set and merely do not play are no strangers: the score sheet tells of them."""
    places = (
        *(named.tiles.keys() - set(board.slots)),
        *(named.castles.keys() - board.sites.keys()),
        *(named.towns.keys() - board.spaces.keys()),
    )
    for place in sorted(places):
        yield Told(sentence("This board has no place “%(place)s”."), {"place": place[:40]})
    for colour in sorted({colour for stack in named.castles.values() for colour in stack}):
        if colour not in board.colours:
            yield no_such_colour(colour, board.set)


def no_such_colour(colour: Colour, game_set: GameSet) -> Told:
    return Told(
        sentence("The set has no colour “%(colour)s”; it has %(known)s."),
        {"colour": colour[:40], "known": ", ".join(game_set.colours)},
    )
