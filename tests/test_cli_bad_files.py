"""Whatever a file holds, the answer is exit code 2 and a sentence, never a traceback."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.table.bundled import bundled

DEMO = bundled("demo.json").read_text(encoding="utf-8")
START: dict[str, Any] = json.loads(DEMO)["start"]


def score(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["score", str(path), *more])


def refused(content: bytes | str, tmp_path: Path) -> str:
    """What is said about a file that must be refused."""
    path = tmp_path / "bad.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    result = score(path)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert "cannot be used" in result.stderr and result.stdout == ""
    return result.stderr


def position(**changes: Any) -> str:
    return json.dumps({**START, **changes})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is empty"),
        (b"\x00\x01\x02\x03", "neither JSON"),
        (bytes(range(256)) * 40, "not UTF-8"),
        (DEMO.encode("utf-16"), "not UTF-8"),
        ("hello", "neither JSON"),
        ("5", "neither JSON"),
        ("[]", "one JSON object"),
        ("{}", "arrangement: is missing"),
        (DEMO[: len(DEMO) // 2], "Is the file cut off?"),
        ("[" * 100_000, "nested more than"),
        ('{"tiles": ' + "[" * 5000 + "]" * 5000 + "}", "nested more than"),
        (" " * 5_000_000, "larger than 4 MB"),
        ('{"mine_silver": 1' + "0" * 5000 + "}", "too long to be read"),
        (DEMO.replace('"deck"', '"mine_silver"'), "start.mine_silver: this key is given more than once"),
        (position(mine_silver=float("nan")), "mine_silver: this is not a number"),
        (position(mine_silver=10**30), "mine_silver: must be a whole number"),
        (position(mine_silver="six"), "mine_silver: must be a whole number"),
        (position(mine_silver=2.5), "mine_silver: must be a whole number"),
        (position(tiles=[]), "tiles: must be an object"),
        (position(tiles={"A1": {"tile": "T99", "turns": 0}}), "tiles.A1: A1: the set has no tile “T99”"),
        (position(tiles={"A1": {"tile": "T01", "turns": 9}}), "tiles.A1"),
        (position(tiles={"B1": "down"}), "tiles.B1"),
        (position(tiles={"A1": "sideways"}), "tiles.A1: a slot is"),
        (position(castles={"Z9/1/0": ["red"]}), "castles.Z9/1/0"),
        (position(towns={"A1": "village"}), "towns.A1"),
        (position(towns={"B1": "castle"}), "towns.B1"),
        (position(players=["red", "mauve"]), "players[1]: the set has no “mauve”"),
        (position(arrangement={"NW": {"piece": "P9"}}), "no board piece “P9”"),
        (position(arrangement={"NW": {"piece": "P1", "turned": 90}}), "0 or 180 degrees"),
        (position(arrangement=[1]), "arrangement: must be an object"),
        (position(weather="fine"), "weather: a position has no “weather”"),
        (position(set=7), "set: should be a valid string"),
        (position(set="no-such-set.json"), "there is no such file"),
        (position(set="bad\0path"), "cannot be read"),
        (json.dumps({"events": []}), "start: must be an object"),
        (json.dumps({"start": START, "events": 5}), "events: must be a list"),
        (json.dumps({"start": START, "events": [{"event": "dance"}]}), "events[0].event: must name an event"),
        (json.dumps({"start": START, "events": [{"event": "reveal"}]}), "events[0].slot: is missing"),
        (json.dumps({"start": START, "events": [[]]}), "events[0]: must be an object"),
        ("board", "neither JSON"),
        ("board P1", "board"),
        ("board P1 P2 / P3 P9; tiles .; turn red reveal", "tiles: must have rows"),
        ("board P1 P2 / P3 P4; tiles T99^; red 0; turn red reveal", "tiles"),
        ("board " + "x " * 100_000, "board"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(content: bytes | str, sentence: str, tmp_path: Path) -> None:
    assert sentence in refused(content, tmp_path)


def test_every_problem_of_a_file_is_told(tmp_path: Path) -> None:
    told = refused(position(mine_silver="six", deck=1.5, modules=["weather"], weather="fine"), tmp_path)
    for place in ("mine_silver", "deck", "modules[0]", "weather"):
        assert f"\n  {place}: " in told
    assert "4 problems" in told


def test_what_is_no_file(tmp_path: Path) -> None:
    for path, sentence in [(tmp_path, "a folder"), (tmp_path / "none.json", "no such file")]:
        result = score(path)
        assert result.exit_code == 2 and sentence in result.stderr


def test_a_bad_set_is_told_with_all_its_problems(tmp_path: Path) -> None:
    made = json.loads(bundled("set.json").read_text())
    made["tiles"].pop()
    made["frame"]["A1/N"] = "neutral"
    (tmp_path / "set.json").write_text(json.dumps(made))
    result = score(bundled("demo.json"), "--set", str(tmp_path / "set.json"))
    assert result.exit_code == 2
    assert (
        "2 problems" in result.stderr
        and 'frame["A1/N"]' in result.stderr
        and "4 start tiles" in result.stderr
    )


def cut(text: str, dice: random.Random) -> bytes:
    return text.encode()[: dice.randrange(len(text))]


def scrambled(text: str, dice: random.Random) -> bytes:
    made = bytearray(text.encode())
    for _ in range(dice.randrange(1, 30)):
        made[dice.randrange(len(made))] = dice.randrange(256)
    return bytes(made)


def swapped(text: str, dice: random.Random) -> bytes:
    """Values in the wrong places: JSON that is still JSON."""
    record = json.loads(text)
    values = [record, record["start"], record["events"], *record["start"].values(), *record["events"][:5]]
    for _ in range(3):
        inside = dice.choice([value for value in values if isinstance(value, dict) and value])
        inside[dice.choice(list(inside))] = dice.choice(
            [None, True, -1, 10**12, "", [], {}, [[]], dice.choice(values)]
        )
    try:
        return json.dumps(record).encode()
    except ValueError:  # it contains itself
        return b"{}"


@pytest.mark.parametrize("spoil", [cut, scrambled, swapped])
def test_files_spoilt_at_random_never_end_in_a_traceback(
    spoil: Callable[[str, random.Random], bytes], tmp_path: Path
) -> None:
    path = tmp_path / "spoilt.json"
    dice = random.Random(7)
    for _ in range(60):
        path.write_bytes(spoil(DEMO, dice))
        result = score(path)
        assert result.exit_code in (0, 2), result.stderr
        assert result.exit_code == 0 or result.stderr
