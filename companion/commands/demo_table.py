"""The demo table: the bundled game in progress, and a photo of its board two turns later."""

from __future__ import annotations

import json
from pathlib import Path

from companion.table.bundled import bundled
from companion.table.castelli.rulebook import EndTurn, Event, event_from
from companion.table.castelli.sitting import Sitting
from companion.web.opening import Companion

SAMPLE = Path(__file__).resolve().parent.parent.parent / "sample_images" / "reference" / "games" / "05.jpg"
NAMES = {"red": "Rosa", "blue": "Ben", "green": "Greta", "yellow": "Jan"}


def set_up_demo(companion: Companion) -> str:
    """The page of the demo game; a table that has it already goes on with it."""
    known = [line.game for line in companion.table.games() if line.problem is None]
    game = known[0] if known else _new_game(companion).game
    if SAMPLE.exists():
        companion.samples[game] = SAMPLE.read_bytes()
    return f"/g/{game}/"


def _new_game(companion: Companion) -> Sitting:
    demo = json.loads(bundled("demo.json").read_text(encoding="utf-8"))
    settings = {
        "title": "Demo",
        "players": [{"colour": colour, "name": NAMES.get(colour, "")} for colour in demo["start"]["players"]],
        "arrangement": demo["start"]["arrangement"],
        "arrangement_seen": True,
        "start": demo["start"],
    }
    sitting = companion.table.new_game(settings, "", "demo")
    for number, turn in enumerate(_turns([event_from(record) for record in demo["events"]])):
        who = NAMES.get(sitting.position.turn, "")
        sitting = companion.table.apply(sitting.game, turn, who, f"demo-turn-{number}", sitting.number)
    return sitting


def _turns(events: list[Event]) -> list[list[Event]]:
    """One entry of the history a turn, as confirming photos makes them."""
    turns: list[list[Event]] = [[]]
    for event in events:
        turns[-1].append(event)
        if isinstance(event, EndTurn):
            turns.append([])
    return [turn for turn in turns if turn]
