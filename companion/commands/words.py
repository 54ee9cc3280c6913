"""Sentences that several commands say."""

from __future__ import annotations

from collections.abc import Iterable

from companion.scoring.castelli.awards import Award
from companion.scoring.castelli.position import Position
from companion.scoring.castelli.rulings import PAGES
from companion.scoring.castelli.sentences import award_sentence


def sentence(award: Award) -> str:
    """Without its rulings, which `ruling_sentences` says with how they are set in this game."""
    return award_sentence(Award(award.player, award.what, award.amount, award.reason, (), award.lost))


def ruling_sentences(position: Position, rulings: Iterable[str]) -> list[str]:
    """Which rulings a number hangs on, and how they are set in this game."""
    return [
        f"This hangs on the ruling {name} = {getattr(position.rulings, name)} "
        f"(p. {', '.join(map(str, PAGES[name]))})."
        for name in dict.fromkeys(rulings)
    ]
