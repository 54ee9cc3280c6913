"""How the board pieces lie on the photo, against how the game says they lie."""

from __future__ import annotations

from typing import Any

from companion.scoring.castelli.board import Assembly
from companion.table.castelli.asking import Choice, Question, QuestionKind
from companion.table.errors import sentence

ADOPT = "adopt"
LEAVE = "leave"


def is_same_board(seen: Assembly, game: Assembly) -> bool:
    """Pieces that the photo does not show are no contradiction."""
    lying = dict(game.pieces)
    return all(lying.get(quadrant) == placed for quadrant, placed in seen.pieces)


def shows_all(seen: Assembly, game: Assembly) -> bool:
    return {quadrant for quadrant, _ in seen.pieces} == {quadrant for quadrant, _ in game.pieces}


def laid_as(assembly: Assembly) -> dict[str, Any]:
    """The settings of a game whose pieces lie like this."""
    laid = {q.value: {"piece": placed.piece, "turned": placed.turned} for q, placed in assembly.pieces}
    return {"arrangement": laid, "arrangement_seen": True}


def arrangement_question(may_adopt: bool) -> Question:
    text = sentence("The board pieces lie otherwise than in this game. Is it the right board?")
    adopt = Choice(ADOPT, sentence("Yes, the pieces lie as on the photo; play the history again on them"))
    leave = Choice(LEAVE, sentence("No, leave this photo out"))
    choices = (leave, adopt) if may_adopt else (leave,)
    return Question("arrangement", QuestionKind.ARRANGEMENT, "", text, {}, choices)
