"""All that can be said about a game, as plain values for programs: areas, sheet, problems."""

from __future__ import annotations

from typing import Any

from companion.scoring.castelli import awards
from companion.scoring.castelli.components import Colour
from companion.scoring.castelli.questions import area_states, majorities
from companion.scoring.castelli.sentences import award_sentence
from companion.scoring.castelli.sheet import ScoreSheet
from companion.scoring.castelli.status import status
from companion.table.castelli.gamefile import GameFile

SHEET_LINES: dict[type[awards.EndReason], str] = {
    awards.OnTheTrack: "track",
    awards.CardsInHand: "cards",
    awards.ResourcesLeft: "resources",
    awards.StartTileHeld: "start tile",
    awards.SilverPrize: "silver",
    awards.TownMajority: "towns",
    awards.CastlesOnTop: "castles",
}
"""The lines of a score sheet in the order in which they are read out, by what they are for."""


def sheet_amounts(sheet: ScoreSheet, kind: type[awards.EndReason]) -> dict[Colour, int]:
    """What each player gets in one line; empty where nobody has such a line."""
    amounts: dict[Colour, int] = {}
    for line in sheet.lines:
        if isinstance(line.reason, kind):
            amounts[line.player] = amounts.get(line.player, 0) + line.amount
    return amounts


def report(found: GameFile) -> dict[str, Any]:
    position = found.game.position
    sheet = found.game.sheet()
    return {
        "set": position.board.set.name,
        "players": list(position.colours),
        "turn": position.turn or None,
        "finished": position.finished,
        "areas": _areas(found),
        "sheet": _sheet(sheet),
        "rulings": {name: getattr(position.rulings, name) for name in sheet.rulings},
        "problems": [
            {"code": problem.code, "where": problem.where, "what": problem.sentence}
            for problem in status(position)
        ],
        "events": len(found.game.events),
        "failure": str(found.failure) if found.failure else None,
    }


def _areas(found: GameFile) -> dict[str, Any]:
    position = found.game.position
    states = area_states(position)
    return {
        area: {
            "kind": verdict.majority.kind.value,
            "symbols": verdict.majority.symbols,
            "state": states[area].state.value,
            "waits_for": list(states[area].waits_for),
            "sums": dict(verdict.majority.sums),
            "strongest": list(verdict.majority.strongest),
            "winners": list(verdict.winners),
            "share": verdict.majority.share,
            "rulings": list(verdict.rulings),
        }
        for area, verdict in majorities(position).items()
    }


def _sheet(sheet: ScoreSheet) -> dict[str, Any]:
    return {
        "lines": [
            {
                "player": line.player,
                "line": SHEET_LINES[type(line.reason)],  # type: ignore[index]  # a sheet has end reasons only
                "points": line.amount,
                "why": award_sentence(line),
                "page": line.reason.rule.page,
                "rulings": list(line.rulings),
            }
            for line in sheet.lines
        ],
        "totals": dict(sheet.totals),
        "standings": [
            {
                "place": standing.place,
                "players": list(standing.colours),
                "points": standing.points,
                "castles": standing.castles,
                "by_castles": standing.by_castles,
            }
            for standing in sheet.standings
        ],
        "winners": list(sheet.winners),
        "shared": sheet.is_shared,
    }
