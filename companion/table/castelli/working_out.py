"""A photo of a running game against its book, the arrangement of the pieces first."""

from __future__ import annotations

from dataclasses import replace

from companion.scoring.castelli.board import Assembly
from companion.table.castelli.arrangement import (
    ADOPT,
    LEAVE,
    arrangement_question,
    is_same_board,
    laid_as,
    shows_all,
)
from companion.table.castelli.asking import Answers
from companion.table.castelli.book import past_of
from companion.table.castelli.proposal import Proposal, propose
from companion.table.castelli.seen import Record, picture_of
from companion.table.castelli.settings import check_settings
from companion.table.castelli.sitting import Sitting, sit_down
from companion.table.errors import BadInput


def work_out(sitting: Sitting, record: Record, answers: Answers) -> Proposal:
    """What the photo says has happened since, whichever way the pieces lie.

    Before anything has happened the photo tells how the board was laid out. Later another layout means
    another board, or a mistake at the start, and that is asked.
    """
    seen, laid = picture_of(record).assembly, sitting.board.assembly
    if is_same_board(seen, laid):
        proposal = propose(sitting.position, record, answers, past_of(sitting))
        is_news = not sitting.settings.arrangement_seen and shows_all(seen, laid)
        return replace(proposal, arrangement=laid) if is_news else proposal
    again = _on_board(sitting, seen) if shows_all(seen, laid) else None
    answer = answers.get("arrangement")
    if again is not None and (not sitting.events or answer == ADOPT):
        proposal = propose(again.position, record, answers, past_of(again))
        return replace(proposal, arrangement=seen)
    if answer == LEAVE:
        return Proposal(answered=tuple(answers))
    return Proposal(questions=(arrangement_question(may_adopt=again is not None),))


def _on_board(sitting: Sitting, seen: Assembly) -> Sitting | None:
    """The same game on the pieces as they lie in the photo; None where its history cannot be played there."""
    try:
        raw = {**sitting.settings.model_dump(mode="json"), **laid_as(seen)}
        settings = check_settings(raw, sitting.game_set)
    except BadInput:
        return None
    again = sit_down(sitting.game, sitting.rows, settings, sitting.game_set, sitting)
    return None if again.failure else again
