"""A game of Castelli from elsewhere: its set, settings and events, with everything that is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from companion.scoring.castelli.components import GameSet
from companion.scoring.castelli.event_records import event_from
from companion.scoring.castelli.events import Correction, Event
from companion.scoring.castelli.plain import BadRecord
from companion.table.castelli.reading import set_in
from companion.table.castelli.settings import board_of, check_settings
from companion.table.castelli.sitting import sit_down
from companion.table.castelli.strangers import strangers
from companion.table.errors import BadInput
from companion.table.exports import bad_export
from companion.table.jsondoor import BadFile, Problem
from companion.table.store import LogRow
from companion.table.undo import standing

KIND = "castelli"


def checked_material(kind: str, material: dict[str, Any]) -> str:
    """The set's text, once it is sure to be one."""
    if kind != KIND:
        raise bad_export([Problem("kind", f"this game is not known here; it should be “{KIND}”.")])
    text = json.dumps(material, ensure_ascii=False)
    try:
        set_in(text.encode(), "set")
    except BadFile as bad:
        raise bad_export([Problem(f"material.{p.where}", p.what) for p in bad.problems]) from None
    return text


def check_entries(entries: Sequence[Mapping[str, Any]], game_set: GameSet) -> None:
    """Settings and every event; that the rules refuse one is no fault of the file, and shown as such."""
    rows = [LogRow(number, "", "", entry, None) for number, entry in enumerate(entries, 1)]
    events, problems = _events(rows)
    try:
        settings = check_settings(standing(rows).settings, game_set)
        board = board_of(settings, game_set)
        for place, event in events.items():
            if isinstance(event, Correction):
                problems += [Problem(place, str(told)) for told in strangers(event, board)]
        if not problems:
            sit_down("", rows, settings, game_set)
    except BadInput as bad:
        problems += [Problem("settings", str(told)) for told in bad.problems]
    if problems:
        raise bad_export(problems)


def _events(rows: Sequence[LogRow]) -> tuple[dict[str, Event], list[Problem]]:
    """By their place in the file."""
    events: dict[str, Event] = {}
    problems: list[Problem] = []
    for row in rows:
        for index, record in enumerate(row.entry.get("do", ())):
            place = f"log[{row.number - 1}].entry.do[{index}]"
            try:
                events[place] = event_from(record)
            except BadRecord as bad:
                problems += [Problem(f"{place}.{where}", what) for where, what in bad.problems]
    return events, problems
