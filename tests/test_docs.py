"""The documentation is complete, and what it shows is true."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from pydantic import BaseModel

from companion.cli import COMMANDS, main
from companion.scoring.castelli.event_records import EVENTS
from companion.scoring.castelli.records import KEYS
from companion.table import source_format
from companion.table.bundled import bundled
from companion.table.castelli import kit as kit_directory
from companion.table.castelli import setshape
from companion.table.castelli.gamefile import read_game
from companion.table.source import load_source
from companion.vision.model import NOTHING, Thing

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SET_FORMAT = (ROOT / "calibration" / "README.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "calibration/README.md",
        "sample_images/README.md",
    )
]


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


def example_source() -> dict[str, Any]:
    shown = SET_FORMAT.partition("### A complete example")[2]
    block = re.search(r"^    \{\n(?:    .*\n)+", shown, re.MULTILINE)
    assert block is not None
    return dict(json.loads(block.group()))


def test_the_source_in_the_documentation_can_be_read(tmp_path: Path) -> None:
    example = example_source()
    (tmp_path / "source.json").write_text(json.dumps(example), encoding="utf-8")
    for photo in example["photos"]:
        (tmp_path / photo["photo"]).touch()
    source = load_source(tmp_path)
    bare, laid = source.photos
    assert set(bare.things.values()) == {NOTHING} and len(bare.things) == 8
    assert laid.things["town", "yard"] == Thing(("red house", "blue house"))
    assert laid.things["letters", "A1"] == Thing(("A",), 1)
    assert laid.markers == {("score", "red"): 3, ("score", "blue"): 0}
    assert laid.arrangement == {"left": ("letters", 0), "right": ("town", 180)}


def shapes_of_a_source() -> list[type[BaseModel]]:
    found = [shape for shape in vars(source_format).values() if isinstance(shape, type)]
    return [shape for shape in found if issubclass(shape, source_format.Part) and shape.model_fields]


@pytest.mark.parametrize("shape", shapes_of_a_source(), ids=lambda shape: shape.__name__)
def test_every_key_of_a_source_is_documented_and_in_the_example(shape: type[BaseModel]) -> None:
    table = SET_FORMAT.partition("### Every key")[2].partition("## The calibration folder")[0]
    for key in shape.model_fields:
        assert re.search(rf"[`.\"]{key}[`\".\[]", table), f"{key} is not in the table of keys"
        assert f'"{key}":' in json.dumps(example_source()), f"{key} is not in the example"


def test_every_key_of_a_label_is_documented() -> None:
    kit = SET_FORMAT.partition("## Kit directories")[2].partition("## The set file")[0]
    for key in kit_directory.Label.model_fields:
        assert f"| `{key}` |" in kit, f"say in calibration/README.md what {key} of a label is"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8")):
        target = page.parent / link if link else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), f"{link}#{anchor}"


def anchors(page: Path) -> set[str]:
    """As GitHub calls the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}


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
