"""The score page shows the sheet, number by number."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from urllib.parse import unquote

import pytest

from companion.scoring.castelli import Modules, ScoreSheet, score_sheet
from companion.table.castelli.rulebook import Standing
from companion.web.castelli.chart import LABEL_HEIGHT, points_chart
from companion.web.castelli.exports import bg_stats_link, bg_stats_play, csv_table
from companion.web.castelli.score_view import ROWS, score_view, tie_break_sentence, town_lights
from companion.web.castelli.tinctures import palette
from companion.web.castelli.why_number import why_view
from tests.scoring.boards import BATTLE, toy
from tests.scoring.sets import COLOURS, laid_out, made_set
from tests.scoring.table import Table
from tests.web.castelli.speaking import LANGUAGES, speaking

NAMES = dict(zip(COLOURS, ("Rosa", "=1+1", 'Jan; "J"', "Ann"), strict=True))


def played(seed: int, modules: Modules) -> Table:
    table = Table(laid_out(made_set(seed), 4, seed), COLOURS, seed, modules)
    table.whole_game()
    return table


@pytest.mark.parametrize("modules", [Modules(), Modules(battle=True), Modules(dilemma=True, battle=True)])
@pytest.mark.parametrize("seed", range(3))
def test_the_rows_add_up_to_the_sheet(seed: int, modules: Modules) -> None:
    position = played(seed, modules).position
    sheet = score_sheet(position)
    with speaking():
        view = score_view(position, sheet, finished=True)
        for colour, total in sheet.totals.items():
            shown = [dict(row.amounts)[colour] or 0 for row in view.rows]
            assert sum(shown) == total
            for row in view.rows:
                why = why_view(position, sheet, (), row.key, colour)
                assert why.total == (dict(row.amounts)[colour] or 0)
    assert sum(len(sheet.of(colour)) for colour in sheet.totals) == len(sheet.lines)
    assert all(any(belongs(line.reason) for belongs in ROWS.values()) for line in sheet.lines)


def test_points_on_the_track_are_told_one_by_one() -> None:
    table = played(1, Modules())
    with speaking():
        for player in table.position.players:
            sheet = score_sheet(table.position)
            why = why_view(table.position, sheet, table.game.steps, "track", player.colour)
            castles = [told for told in why.sentences if told.startswith("New castle")]
            built = sum(player.colour in stack for stack in table.position.castles.values())
            assert len(castles) == built


def test_a_town_is_shown_with_the_castles_in_its_row_and_column() -> None:
    position = toy(modules=BATTLE, castles={"B1/0/0": ("red",), "C2/0/0": ("blue", "green")})
    sheet = score_sheet(position)
    assert set(town_lights(sheet, "D1")) == {"D1", "B1/0/0"}
    with pytest.raises(KeyError):
        town_lights(sheet, "A2")


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_page_in_every_language(language: str) -> None:
    position = toy(modules=BATTLE, castles={"B1/0/0": ("red",)}, red={"points": 7, "silver": 3})
    with speaking(language):
        view = score_view(position, score_sheet(position), finished=False)
    assert view.result and view.rows and view.towns and view.rulings


def sheet_of(*standings: Standing) -> ScoreSheet:
    totals = {colour: standing.points for standing in standings for colour in standing.colours}
    return ScoreSheet((), totals, standings, {}, None, ())


@pytest.mark.parametrize(
    ("standings", "sentence"),
    [
        ((Standing(1, ("red",), 9, 2, False), Standing(2, ("blue",), 8, 5, False)), ""),
        (
            (Standing(1, ("red",), 9, 5, True), Standing(2, ("blue",), 9, 1, True)),
            "Equal points: the most castles built decide, "
            "Red with 5 castles and Blue with 1 castle. Rules p.\u00a06.",
        ),
        (
            (Standing(1, ("red", "blue"), 9, 3, False),),
            "Equal points and equally many castles built, Red and Blue with 3 castles. Rules p.\u00a06.",
        ),
    ],
)
def test_the_tie_break_is_explained_where_there_was_one(
    standings: tuple[Standing, ...], sentence: str
) -> None:
    with speaking():
        assert tie_break_sentence(sheet_of(*standings)) == sentence


@pytest.mark.parametrize(
    ("language", "parted_by", "total"),
    [("en", ",", "Total"), ("de", ";", "Summe"), ("it", ";", "Totale"), ("nl", ";", "Totaal")],
)
def test_the_table_file_is_read_back_and_runs_no_formula(language: str, parted_by: str, total: str) -> None:
    position = toy(red={"points": 7, "cards": 2})
    with speaking(language):
        text = csv_table(score_view(position, score_sheet(position), finished=True), NAMES)
    # the mark at its start tells spreadsheets that it is UTF-8
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=parted_by))
    assert rows[0] == ["", "Rosa", "'=1+1", 'Jan; "J"', "Ann"]
    totals = [str(points) for points in score_sheet(position).totals.values()]
    assert rows[-1] == [total, *totals]


def test_a_play_for_bg_stats_says_who_won() -> None:
    position = toy(modules=BATTLE, red={"points": 7}, blue={"points": 9})
    sheet = score_sheet(position)
    play = bg_stats_play(sheet, NAMES, "abc", "2026-11-18T20:15:30+01:00", battle=True, dilemma=False)
    assert (play["playDate"], play["board"]) == ("2026-11-18 19:15:30", "Battle")
    by_name = {player["name"]: player for player in play["players"]}
    assert {name for name, player in by_name.items() if player["winner"]} == {
        NAMES[colour] for colour in sheet.winners
    }
    assert {name: player["score"] for name, player in by_name.items()} == {
        NAMES[colour]: points for colour, points in sheet.totals.items()
    }
    address, _, data = bg_stats_link(play).partition("?data=")
    assert address.startswith("https://app.bgstatsapp.com/") and json.loads(unquote(data)) == play


class Turn:
    def __init__(self, turn: int, **points: int) -> None:
        self.turn, self.points = turn, points


def test_lines_of_the_chart_end_at_their_points_and_their_names_keep_apart() -> None:
    looks = palette(COLOURS)
    rows = [Turn(0), Turn(1, red=2), Turn(2, red=2, blue=10, green=10, yellow=9)]
    chart = points_chart(rows, COLOURS, looks)
    assert chart is not None
    heights = {line.tincture.colour: line.end[1] for line in chart.lines}
    assert heights["blue"] == heights["green"] < heights["yellow"] < heights["red"]
    labels = sorted(line.label_y for line in chart.lines)
    assert all(high - low >= LABEL_HEIGHT - 0.2 for low, high in pairwise(labels))
    assert labels[0] >= LABEL_HEIGHT / 2  # all three who lead are named below the upper edge
    assert len({line.dashes for line in chart.lines}) == len(COLOURS)


def test_there_is_no_chart_before_the_second_turn() -> None:
    assert points_chart([Turn(0)], COLOURS, palette(COLOURS)) is None
