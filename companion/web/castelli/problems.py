"""What does not fit together on a board, in the reader's language.

The rules say it in English, with all the numbers. For the other languages what can happen on a table has a
sentence of its own.
"""

from __future__ import annotations

from companion.table.castelli.rulebook import Problem
from companion.web.castelli.tongue import lazy, locale
from companion.web.castelli.words import colour_name

SENTENCES = {
    "card-count": lazy("More cards are in hands than the game has."),
    "castles": lazy("More castles of this colour stand on the board than there are."),
    "cities": lazy("More cities stand on the board than there are."),
    "no-battle": lazy("Castles are built over in the “Battle” module only."),
    "no-coat": lazy("No coat of arms of the castle’s colour points at this landscape space."),
    "not-playing": lazy("Castles of a colour that nobody plays stand on the board."),
    "own-castle": lazy("Somebody built over their own castle."),
    "silver-too-much": lazy("More silver is on the table than the game has."),
    "stack": lazy("A castle is built over only once."),
    "tile-twice": lazy("The same heraldic tile lies in two places."),
    "villages": lazy("More villages stand on the board than there are."),
}
"""By the code that the rules give."""
OF_A_COLOUR = frozenset({"castles", "not-playing"})


def problem_sentence(problem: Problem) -> str:
    known = SENTENCES.get(problem.code)
    if known is None or locale() == "en":
        return problem.sentence
    where = colour_name(problem.where) if problem.code in OF_A_COLOUR else problem.where.split("/")[0]
    return f"{where}: {known}" if where else str(known)
