"""The photo against the book: what is new on the board, and what has to be asked.

The history settles much of what a picture leaves open: a tile once revealed stays, a castle does not
vanish, a village is never burnt. A doubtful reading that breaks this is simply a poor reading. A *sure*
reading that breaks it is a contradiction, and that is for the players to decide.
"""

from __future__ import annotations

from companion.scoring.castelli.components import Kind
from companion.scoring.castelli.position import Position
from companion.table.castelli.asking import Answers
from companion.table.castelli.comparing_pieces import compare_castle, compare_town
from companion.table.castelli.comparing_tiles import compare_tile
from companion.table.castelli.differences import Differences
from companion.table.castelli.seen import Picture


def compare(position: Position, picture: Picture, answers: Answers) -> Differences:
    found = Differences()
    for cell in position.board.slots:
        compare_tile(found, position, picture, answers, cell)
    for site, area in position.board.sites.items():
        if picture.shows(position.board, area.cell):
            compare_castle(found, position, picture, answers, site)
    for cell, space in position.board.spaces.items():
        # silver lies on the mine's space, so the camera does not look for a village there
        is_mine = any(area.kind is Kind.MINE for area in space.areas)
        if picture.shows(position.board, cell) and (cell in picture.towns or not is_mine):
            compare_town(found, position, picture, answers, cell)
    return found
