"""The photo against the book: what is new on the board, and what has to be asked.

The history settles much of what a picture leaves open: a tile once revealed stays, a castle does not
vanish, a village is never burnt. A doubtful reading that breaks this is simply a poor reading. A *sure*
reading that breaks it is a contradiction, and that is for the players to decide.
"""

from __future__ import annotations

from companion.scoring.castelli.components import Kind
from companion.scoring.castelli.position import Position
from companion.table.castelli.asking import Answers, Choice, Question, QuestionKind
from companion.table.castelli.comparing_pieces import compare_castle, compare_town
from companion.table.castelli.comparing_tiles import compare_tile
from companion.table.castelli.differences import Differences
from companion.table.castelli.seen import Picture
from companion.table.errors import sentence

MANY = 4
"""More contradictions than this have one reason: a table not yet set up, a book that went astray."""
ALL = "contradictions"
BOOK, PHOTO, ONE_BY_ONE = "book", "photo", "one_by_one"


def compare(position: Position, picture: Picture, answers: Answers) -> Differences:
    """What is new, and the questions that are open; many contradictions at once are asked for together."""
    found = _compared(position, picture, answers)
    against = [question for question in found.questions if question.kind is QuestionKind.CONTRADICTION]
    decision = answers.get(ALL, "")
    if decision in (BOOK, PHOTO):
        told = {q.id: q.as_before if decision == BOOK else q.as_seen for q in against}
        return _compared(position, picture, {**told, **answers})
    if len(against) > MANY and decision != ONE_BY_ONE:
        found.questions = [_all_of(len(against))]
    return found


def _all_of(count: int) -> Question:
    text = sentence(
        "%(count)s places look different from before, which the rules do not explain. What is right?"
    )
    choices = (
        Choice(BOOK, sentence("The book; these readings are wrong")),
        Choice(PHOTO, sentence("The photo; put the book right")),
        Choice(ONE_BY_ONE, sentence("Ask me one by one")),
    )
    return Question(ALL, QuestionKind.CONTRADICTIONS, "", text, {"count": count}, choices)


def _compared(position: Position, picture: Picture, answers: Answers) -> Differences:
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
