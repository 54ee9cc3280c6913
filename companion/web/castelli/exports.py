"""The result for other programs: a table for a spreadsheet, a play for BG Stats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from companion.table.castelli.rulebook import Colour, ScoreSheet
from companion.web.castelli.score_view import ScoreView
from companion.web.castelli.tongue import _, has_decimal_comma

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Companion"
"""BG Stats remembers a sender's players and games under this name."""


def csv_table(view: ScoreView, names: Mapping[Colour, str]) -> str:
    """A line for each row of the sheet, a column for each player.

    Spreadsheets part the columns by a semicolon where the comma stands in numbers.
    """
    text = io.StringIO()
    text.write("\ufeff")  # the mark tells Excel that the file is UTF-8
    table = csv.writer(text, delimiter=";" if has_decimal_comma() else ",")
    colours = [colour for colour, _points in view.totals]
    table.writerow(["", *(_plain(names[colour]) for colour in colours)])
    for row in view.rows:
        table.writerow([row.title, *("" if number is None else number for _colour, number in row.amounts)])
    table.writerow([_("Total"), *(points for _colour, points in view.totals)])
    return text.getvalue()


def _plain(name: str) -> str:
    """A name that a spreadsheet would take for a formula is shown as text."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name


def bg_stats_play(
    sheet: ScoreSheet, names: Mapping[Colour, str], game: str, at: str, battle: bool, dilemma: bool
) -> dict[str, Any]:
    """A play as BG Stats takes it from other programs. `at` is the ISO time of the last entry."""
    modules = [name for name, used in (("Battle", battle), ("Dilemma", dilemma)) if used]
    return {
        "sourceName": SOURCE,
        "sourcePlayId": game,
        "playDate": datetime.fromisoformat(at).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {"name": "Castelli", "sourceGameId": "castelli", "highestWins": True, "noPoints": False},
        "board": " + ".join(modules),
        "players": [
            {
                "name": names[colour],
                "sourcePlayerId": names[colour],
                "role": colour,
                "startPlayer": colour == next(iter(sheet.totals)),
                "score": standing.points,
                "rank": standing.place,
                "winner": colour in sheet.winners,
            }
            for standing in sheet.standings
            for colour in standing.colours
        ],
    }


def bg_stats_link(play: Mapping[str, Any]) -> str:
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False, separators=(",", ":")), safe="")
