"""The command line on good games: the bundled one, positions, lines of notation, and games that go wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import COMMANDS, main
from companion.scoring.castelli.notation import write
from companion.scoring.castelli.records import position_record
from companion.table.bundled import bundled
from companion.table.castelli.gamefile import load_game

DEMO = bundled("demo.json")


def run(*words: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=stdin)


def position_file(folder: Path, **changes: Any) -> Path:
    """The demo game's last position as a file, with changes."""
    record = position_record(load_game(DEMO).game.position)
    path = folder / "position.json"
    path.write_text(json.dumps({**record, **changes}))
    return path


def row(output: str, label: str) -> list[str]:
    """The words of the one line that begins with a label."""
    (line,) = [line for line in output.splitlines() if line.split()[:1] == [label]]
    return line.split()


def test_the_demo_game_is_scored() -> None:
    result = run("demo")
    assert result.exit_code == 0
    assert row(result.output, "total") == ["total", "50", "47", "42", "29"]
    assert "Red would win." in result.output


def test_score_shows_majorities_and_what_an_area_waits_for() -> None:
    result = run("score", DEMO)
    assert result.exit_code == 0
    assert row(result.output, "E4/0") == ["E4/0", "2", "grain", "red", "+2", "4", "0", "2", "0"]
    assert row(result.output, "A6/0")[-1] == "A7"
    assert "blue = green" in result.output


def test_a_due_area_is_shown_as_due(tmp_path: Path) -> None:
    evaluated = position_record(load_game(DEMO).game.position)["evaluated"]
    evaluated.remove("E4/0")
    result = run("score", position_file(tmp_path, evaluated=evaluated))
    due = result.output.split("Due now")[1].split("\n\n")[0]
    assert "E4/0" in due and "A6/0" not in due


def test_a_position_alone_gives_the_same_sheet_as_its_game(tmp_path: Path) -> None:
    def sheet(result: Result) -> str:
        return result.output.split("Final sheet")[1].split("This hangs")[0]

    assert sheet(run("score", position_file(tmp_path))) == sheet(run("score", DEMO))


def test_a_line_of_notation_from_standard_input() -> None:
    line = write(load_game(DEMO).game.position)
    result = run("score", "-", stdin=line.encode())
    assert result.exit_code == 0
    assert row(result.output, "total") == ["total", "50", "47", "42", "29"]


def test_json_for_programs() -> None:
    result = run("score", "--json", DEMO)
    report = json.loads(result.output)
    assert report["sheet"]["totals"] == {"red": 50, "blue": 47, "green": 42, "yellow": 29}
    assert report["areas"]["A6/0"]["waits_for"] == ["A7"] and report["areas"]["A6/0"]["state"] == "pending"
    assert report["areas"]["B1/1"]["strongest"] == ["blue", "green"] and report["areas"]["B1/1"]["share"] == 1
    assert {line["page"] for line in report["sheet"]["lines"]} == {6}
    assert report["failure"] is None and report["problems"] == []


def test_a_game_that_breaks_a_rule_keeps_its_good_part_and_says_where(tmp_path: Path) -> None:
    record = json.loads(DEMO.read_text())
    record["events"][40:] = [{"event": "build", "site": "A4/1/0"}, {"event": "end-turn"}]
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(record))
    result = run("score", broken)
    assert result.exit_code == 2
    assert "Final sheet" in result.stdout
    assert "events[40]" in result.stderr and "(p. " in result.stderr
    assert json.loads(run("score", "--json", broken).stdout)["failure"].startswith("events[40]")


def test_a_messy_table_is_scored_and_its_problems_are_told(tmp_path: Path) -> None:
    messy = position_file(tmp_path, castles={"A4/1/0": ["red", "blue", "red"]}, mine_silver=90)
    result = run("score", messy)
    assert result.exit_code == 0
    assert "3 castles stand on A4/1/0" in result.output and "silver is on the table" in result.output


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("E4/0", ["red: 4 (E5)", "green: 2 (D4)", "red gains 2 grain", "p. 5"]),
        ("A6/0", ["A7: face down", "Not yet: it waits for A7."]),
        ("H5/1", ["a card icon, worth 0", "neutral arms, worth 0", "never evaluated"]),
        ("mine", ["green: 3 (H6) + 3 (F6) = 6", "6 silver"]),
        ("E4", ["Influence on the whole space: red 7", "E4/0: grain", "E4/1: market"]),
        ("C2/0/0", ["village at A2: 1", "scores 3"]),
        ("red/silver", ["red gains 2 points: second most silver"]),
        ("red", ["Total: 50."]),
        ("cards", ["red gains 2 points", "yellow gains 3 points"]),
        ("towns", ["No such line: 0 points."]),
    ],
)
def test_explain(what: str, expected: list[str]) -> None:
    result = run("explain", DEMO, what)
    assert result.exit_code == 0
    for words in expected:
        assert words in result.output


def test_explain_names_the_rulings_a_line_hangs_on(tmp_path: Path) -> None:
    silver = {"red": 5, "blue": 3, "green": 3, "yellow": 0}
    tied = position_file(tmp_path, silver=silver, mine_silver=0)
    assert "silver_second_tie = shared (p. 6)" in run("explain", tied, "blue/silver").output


@pytest.mark.parametrize("what", ["nope", "Z9/9", "red/nope", "", "mauve", "/", "x" * 5000])
def test_explain_of_what_is_not_there(what: str) -> None:
    result = run("explain", DEMO, what)
    assert result.exit_code == 2
    assert "in this game to explain" in result.stderr and len(result.stderr) < 1000


def test_a_game_names_its_set_by_a_path_from_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "set.json").write_bytes(bundled("set.json").read_bytes())
    for name in ("sets/set.json", "sets", "reference"):
        assert run("score", position_file(tmp_path, set=name)).exit_code == 0
    missing = run("score", position_file(tmp_path, set="elsewhere.json"))
    assert missing.exit_code == 2 and "elsewhere.json cannot be used" in missing.stderr
    overruled = position_file(tmp_path, set="elsewhere.json")
    assert run("score", overruled, "--set", tmp_path / "sets").exit_code == 0


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_help_of_every_command_has_an_example(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert f"companion {command}" in result.output.split("Example")[1]


def test_a_reader_that_goes_away_is_no_error() -> None:
    """`companion score ... | head -1`"""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "companion.cli", "score", str(DEMO)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert done.stderr == b""


def test_a_mistake_of_the_program_is_a_sentence(tmp_path: Path) -> None:
    """An error nobody thought of, provoked by taking the command away under the program's feet."""
    code = "import companion.cli as c; c.COMMANDS['score'] = 'companion.commands.none:x'; c.main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "score", "x"], capture_output=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 70
    assert b"Traceback" not in done.stderr and b"should be reported" in done.stderr


def test_scoring_does_not_load_the_picture_libraries() -> None:
    code = f"import sys; sys.argv = ['companion', 'score', {str(DEMO)!r}]\n" \
           "from companion.cli import main\ntry: main()\nexcept SystemExit: pass\n" \
           "sys.exit('cv2' in sys.modules)"  # fmt: skip
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0
