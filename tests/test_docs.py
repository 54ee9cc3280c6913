"""The documentation is complete, and what it shows is true."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from companion.cli import COMMANDS, main
from companion.scoring.castelli.event_records import EVENTS
from companion.scoring.castelli.records import KEYS
from companion.table.bundled import bundled
from companion.table.castelli import setshape
from companion.table.castelli.gamefile import read_game

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SET_FORMAT = (ROOT / "calibration" / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "calibration/README.md")]


def shown_commands() -> list[tuple[str, str]]:
    """Each `$ command` in the README with the output shown below it."""
    blocks = re.findall(r"^    \$ (.+)\n((?:(?:    .*)?\n)*?)(?=    \$ |\S|\Z)", README, re.MULTILINE)
    return [
        (command, re.sub(r"^    ", "", shown, flags=re.MULTILINE).strip("\n")) for command, shown in blocks
    ]


def parameters(command: click.Command) -> list[str]:
    return [option for parameter in command.params for option in parameter.opts if option.startswith("--")]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_option_is_documented(name: str) -> None:
    assert f"companion {name}" in README, f"say what `companion {name}` does in README.md"
    command = main.get_command(click.Context(main), name)
    assert command is not None
    for option in parameters(command):
        assert option in README + SET_FORMAT, f"say what {option} of `companion {name}` does in README.md"


def test_every_make_target_is_documented() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z]+):", makefile, re.MULTILINE)
    assert set(targets) >= {"run", "test", "bench", "help"}
    for target in targets:
        assert f"make {target}" in README, f"say what `make {target}` does in README.md"
        assert re.search(rf"^{target}:.*## .", makefile, re.MULTILINE), f"make help does not know {target}"


def test_every_key_of_a_set_is_documented() -> None:
    shapes = (
        setshape.GeometryShape,
        setshape.AreaShape,
        setshape.SpaceShape,
        setshape.TileShape,
        setshape.EditionShape,
        setshape.ChartShape,
    )
    for shape in shapes:
        for key in shape.model_fields:
            assert re.search(rf"[`.\"]{key}[`\"\[]", SET_FORMAT), f"{shape.__name__}.{key}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize(("command", "shown"), shown_commands(), ids=[c for c, _ in shown_commands()])
def test_what_the_readme_shows_is_what_comes_out(command: str, shown: str) -> None:
    stdin = None
    if command.startswith("echo "):
        words, _, command = command.partition(" | ")
        stdin = shlex.split(words)[1] + "\n"
    words_of_it = shlex.split(command)
    assert words_of_it[0] == ".venv/bin/companion"
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", *words_of_it[1:]],
        cwd=ROOT, input=stdin, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    for part in shown.split("\n...\n"):
        assert part in output, f"{part}\n--- is not in\n{output}"
        output = output[output.index(part) + len(part) :]


def test_the_readme_shows_commands() -> None:
    assert len(shown_commands()) >= 4


def test_game_files_in_the_readme_can_be_read() -> None:
    record = re.search(r'^    \{"set".*?\}\}$', README, re.MULTILINE | re.DOTALL)
    line = re.search(r"^    board .*$", README, re.MULTILINE)
    assert record is not None and line is not None
    position = {**json.loads(record.group()), "set": "reference"}
    assert set(position) - {"set"} <= set(KEYS)
    for text in (json.dumps(position), line.group()):
        assert len(read_game(text.encode(), "README", ROOT).game.position.players) == 3


def test_events_in_the_readme_are_events() -> None:
    named = re.findall(r'"event": "([a-z-]+)"', README)
    assert named and set(named) <= set(EVENTS)


def test_the_demo_game_can_be_made_again(tmp_path: Path) -> None:
    made = tmp_path / "demo.json"
    subprocess.run([sys.executable, "tools/make_demo_game.py", str(made)], cwd=ROOT, check=True)
    assert made.read_bytes() == bundled("demo.json").read_bytes()
