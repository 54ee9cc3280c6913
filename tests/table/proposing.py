"""Photos of a position with some places changed, and what they propose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.scoring.castelli.events import (
    Event,
)
from companion.scoring.castelli.position import Position
from companion.table.castelli.asking import Question
from companion.table.castelli.proposal import Proposal
from tests.table.tabletop import Record, doubtful, photo_of, sure

POOR = {"wood": 0, "grain": 1, "rocks": 1}
"""Wood is missing for a castle."""


def seen(
    position: Position,
    tiles: Mapping[str, Any] | None = None,
    castles: Mapping[str, Any] | None = None,
    towns: Mapping[str, Any] | None = None,
) -> Record:
    """A photo of the position with these places changed; a dict is a record's own entry."""
    photo = photo_of(position)
    for part, changes in (("tiles", tiles), ("castles", castles), ("towns", towns)):
        for place, reading in (changes or {}).items():
            entry = reading if isinstance(reading, dict) else sure(doubtful(reading, 1.0))
            entry = {key: value for key, value in entry.items() if key != "alternatives" or entry["doubtful"]}
            photo[part][place] = entry
    return photo


def ids(question: Question) -> list[str]:
    return [choice.id for choice in question.choices]


def events(proposal: Proposal) -> list[Event]:
    assert proposal.questions == ()
    return list(proposal.events)
