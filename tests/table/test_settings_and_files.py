"""A sitting: its settings, and games that come from a file or out of a damaged one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.scoring.castelli.position import FaceUp
from companion.scoring.castelli.records import position_record
from companion.table.castelli.sitting import RuleRefused
from companion.table.castelli.table import Table
from companion.table.errors import BadInput, NotFound, StorageDamaged
from tests.table.playing import new_game, some_turns, turn
from tests.table.tabletop import FOUR, open_table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return open_table(tmp_path)


def test_a_ruling_holds_for_the_whole_game(table: Table) -> None:
    sitting = some_turns(table, 2)
    changed = table.change_settings(
        sitting.game, {"rulings": {"own_space": "ignored"}}, "Anna", "s", sitting.number
    )
    assert changed.position.rulings.own_space == "ignored"
    assert changed.history[-1].changes == {"rulings": {"own_space": "ignored"}}
    assert changed.can_undo == 2


def test_settings_under_which_the_history_breaks_are_refused(table: Table) -> None:
    sitting = turn(table, new_game(table, dilemma=True), "A1", "S1")
    with pytest.raises(RuleRefused) as refused:
        table.change_settings(sitting.game, {"dilemma": False}, "Anna", "s", sitting.number)
    assert refused.value.code == "no-dilemma"
    assert table.sitting(sitting.game).number == sitting.number


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"players": FOUR[:1]}, "players"),
        ({"players": [FOUR[0], FOUR[0]]}, "same colour"),
        ({"players": [FOUR[0], {"colour": "pink"}]}, "no colour “pink”"),
        ({"players": FOUR, "rulings": {"own_space": "maybe"}}, "own_space"),
        ({"players": FOUR, "arrangement": {"NW": {"piece": "P9"}}}, "P9"),
        ({"players": FOUR, "arrangement": {"NW": {"piece": "P1", "turned": 90}}}, "turned"),
        ({"players": FOUR, "wine": True}, "wine"),
        ({"players": FOUR, "start_tiles": {"red": "T01"}}, "T01"),
        ({"players": FOUR, "title": "x" * 1000}, "title"),
        ({}, "players"),
    ],
)
def test_settings_that_cannot_be_played(table: Table, settings: dict[str, object], problem: str) -> None:
    with pytest.raises(BadInput) as bad:
        table.new_game(settings, "Anna", "k")
    assert any(problem in str(told) for told in bad.value.problems)
    assert table.games() == ()


def test_names_come_in_one_line_of_what_can_be_shown(table: Table) -> None:
    players = [
        {**FOUR[0], "name": "  Anna\x00 \x1b[1m\n" + " " * 40},
        {**FOUR[1], "name": "Бен 👩‍👧 \u202eneB"},
    ]
    made = table.new_game({"players": players, "title": "\tMonday \x07"}, "Anna", "new")
    assert [player.name for player in made.settings.players] == ["Anna [1m", "Бен 👩‍👧 neB"]
    assert made.settings.title == "Monday"


def test_a_calibration_that_is_not_there(table: Table) -> None:
    with pytest.raises(NotFound):
        new_game(table, calibration="../../etc")


def test_an_exported_game_goes_on_elsewhere(table: Table, tmp_path: Path) -> None:
    sitting = some_turns(table, 4)
    sitting = table.undo(sitting.game, "Ben", "u", sitting.number)
    elsewhere = open_table(tmp_path / "elsewhere")
    file = table.export_game(sitting.game)
    copy = elsewhere.import_game(file, "Eve", "import")
    assert copy.position == sitting.position and copy.can_redo == 1
    assert [(row.at, row.author) for row in copy.rows] == [(row.at, row.author) for row in sitting.rows]
    assert elsewhere.import_game(file, "Eve", "import").game == copy.game
    assert turn(elsewhere, copy, "H8", "T30").position.slot("H8") == FaceUp("T30")
    assert table.import_game(file, "Eve", "a copy").game != sitting.game


def exported(table: Table) -> dict[str, object]:
    content: dict[str, object] = json.loads(table.export_game(some_turns(table, 2).game))
    return content


def test_a_bad_file_is_refused_with_everything_that_is_wrong(table: Table) -> None:
    content = exported(table)
    log = content["log"]
    assert isinstance(log, list)
    log[1]["entry"]["do"][0]["turns"] = "left"
    log[2]["entry"]["do"].append({"event": "dance"})
    log[0]["entry"]["settings"]["players"][0]["colour"] = "pink"
    with pytest.raises(BadInput) as bad:
        table.import_game(json.dumps(content).encode(), "Eve", "import")
    problems = "\n".join(map(str, bad.value.problems))
    assert "log[1].entry.do[0].turns" in problems and "log[2].entry.do[3]" in problems and "pink" in problems


def test_what_no_page_could_show_is_refused(table: Table) -> None:
    content = exported(table)
    log: Any = content["log"]
    played = table.sitting(table.games()[0].game)
    site = next(iter(played.board.sites))

    def problems() -> str:
        with pytest.raises(BadInput) as bad:
            table.import_game(json.dumps(content).encode(), "Eve", "import")
        return "\n".join(map(str, bad.value.problems))

    log[0]["at"] = "yesterday"
    assert "log[0].at: should be a time" in problems()
    log[0]["at"] = ""
    log[2]["entry"]["do"].append({"event": "correction", "castles": {site: ["pink"], "Z9/0/0": []}})
    assert "do[3]: This board has no place “Z9/0/0”." in problems() and "“pink”" in problems()
    named = {"castles": {site: ["mauve"]}, "towns": {"Q1": "city"}, "tiles": {"B1": "down"}}
    log[0]["entry"]["settings"]["start"] = {**position_record(played.position), **named}
    assert all(f"“{name}”" in problems() for name in ("mauve", "Q1", "B1"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{",
        b'{"companion": 1}',
        b'{"companion": 2, "kind": "castelli", "material": {}, "log": []}',
        b'{"companion": 1, "kind": "chess", "material": {}, "log": [{"at": "", "author": "", "entry": {}}]}',
        b'{"companion": 1, "kind":"castelli","material": {}, "log": [{"at": "", "author": "", "entry": {}}]}',
        b'{"companion": NaN}',
        b"[" * 100_000,
        b'{"a": 1, "a": 2}',
        b" " * 5_000_000,
    ],
)
def test_files_that_are_no_game(table: Table, data: bytes) -> None:
    with pytest.raises(BadInput) as bad:
        table.import_game(data, "Eve", "import")
    assert bad.value.problems and table.games() == ()


def test_a_history_that_the_rules_refuse_keeps_its_good_part(table: Table) -> None:
    content = exported(table)
    log = content["log"]
    assert isinstance(log, list)
    log[2]["entry"]["do"][1]["slot"] = "A1"
    sitting = table.import_game(json.dumps(content).encode(), "Eve", "import")
    assert sitting.failure is not None and sitting.failure.error.code == "not-face-down"
    assert sitting.position.slot("A1") == FaceUp("T01", 0)
    assert [h.error is not None for h in sitting.history[-1].happened] == [False, True, False]
    with pytest.raises(BadInput, match="undo it"):
        turn(table, sitting, "H8", "T30")
    mended = table.undo(sitting.game, "Eve", "u", sitting.number)
    assert mended.failure is None
    assert turn(table, mended, "H8", "T30").position.slot("H8") == FaceUp("T30")


def test_a_game_whose_log_is_damaged_is_named_and_the_others_go_on(table: Table) -> None:
    good, bad = some_turns(table, 1), new_game(table, title="bad")
    with table.store.writing() as write:
        row = (bad.game, 2, "", "", "k", '{"do":[{"event":"dance"}]}', None)
        write.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    with pytest.raises(StorageDamaged, match=bad.game):
        table.sitting(bad.game)
    lines = {line.game: line for line in table.games()}
    assert lines[bad.game].problem is not None and lines[good.game].problem is None
