"""The rooms of the program keep to themselves: what each may import, print and mention."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MAY_IMPORT = {
    "vision": {"numpy", "cv2", "companion.vision"},
    "scoring": {"companion.scoring"},
    "table": {"pydantic", "PIL", "numpy", "companion.vision", "companion.scoring", "companion.table"},
    "web": {
        "flask",
        "flask_babel",
        "babel",
        "werkzeug",
        "jinja2",
        "markupsafe",
        "qrcode",
        "waitress",
        "cryptography",
        "companion.table",
        "companion.web",
    },
}
"""Beside the standard library. Files outside the rooms (the command line) may import everything."""

NO_WAY_AROUND = {"importlib", "runpy", "imp"}
"""Modules of the standard library that could import by name, past this test."""

WORDS_OF_A_GAME = r"castelli|castles?|villages?|octagons?|meadows?|heraldic|silver|landgrave|tents?"
"""The vision room reads any game: none of these may stand in it, not even in a comment."""

MAY_PRINT = ("cli.py", "commands/")


def broken_rules(package: Path) -> list[str]:
    """Every line of a package tree that breaks a rule of the rooms, as `room/file.py:3 why`."""
    found = []
    for file in sorted(package.rglob("*.py")):
        name = file.relative_to(package).as_posix()
        source = file.read_text(encoding="utf-8")
        tree = ast.parse(source)
        room = name.split("/")[0]
        if room in MAY_IMPORT:
            found += [f"{name}:{line} imports {module}" for line, module in imports(tree, name)
                      if not allowed(room, module) or crosses_games(name, module)]  # fmt: skip
            found += [f"{name}:{line} calls __import__" for line in calls(tree, {"__import__"})]
        if room == "vision":
            found += [f"{name}:{line} says {word!r}" for line, word in words_of_a_game(source)]
        if not name.startswith(MAY_PRINT):
            found += [f"{name}:{line} prints" for line in calls(tree, {"print", "echo", "secho"})]
            found += [f"{name}:{line} uses sys.{stream}" for line, stream in streams(tree)]
    return found


def allowed(room: str, module: str) -> bool:
    top = module.split(".")[0]
    if top in sys.stdlib_module_names:
        return top not in NO_WAY_AROUND
    return any(module == known or module.startswith(known + ".") for known in MAY_IMPORT[room])


def crosses_games(name: str, module: str) -> bool:
    """Only a game's own folder in scoring knows that game: what games share knows none."""
    if not name.startswith("scoring/"):
        return False
    match = re.match(r"companion\.scoring\.(castelli|castellum)(\.|$)", module)
    return match is not None and not name.startswith(f"scoring/{match.group(1)}/")


def imports(tree: ast.AST, name: str) -> Iterator[tuple[int, str]]:
    """The line and full name of every module imported, anywhere in the file."""
    package = ["companion", *name.split("/")[:-1]]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                # `from companion import web` imports a room, `from companion.table.x import y` a name of x
                yield node.lineno, f"{module}.{alias.name}" if module == "companion" else module


def calls(tree: ast.AST, names: set[str]) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            called = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
            if called in names:
                yield node.lineno


def streams(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys" \
                and node.attr in ("stdout", "stderr"):  # fmt: skip
            yield node.lineno, node.attr


def words_of_a_game(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        for match in re.finditer(rf"(?<![a-z])({WORDS_OF_A_GAME})(?![a-z])", line, re.IGNORECASE):
            yield number, match.group(1)


def test_every_room_keeps_to_itself() -> None:
    assert broken_rules(ROOT / "companion") == []


def test_the_rooms_of_the_design_are_there() -> None:
    rooms = {folder.name for folder in (ROOT / "companion").iterdir() if (folder / "__init__.py").exists()}
    assert rooms >= MAY_IMPORT.keys()


@pytest.mark.parametrize(
    ("file", "source", "why"),
    [
        ("vision/a.py", "import json\nimport flask", "vision/a.py:2 imports flask"),
        ("vision/a.py", "from companion.table import x", "vision/a.py:1 imports companion.table"),
        ("vision/a.py", "from ..table.setfile import x", "vision/a.py:1 imports companion.table.setfile"),
        ("vision/a.py", "from .. import table", "vision/a.py:1 imports companion.table"),
        ("vision/a.py", "def f():\n    import PIL.Image", "vision/a.py:2 imports PIL.Image"),
        ("vision/a.py", "x = 1  # the castle's top", "vision/a.py:1 says 'castle'"),
        ("vision/a.py", "villages = 3", "vision/a.py:1 says 'villages'"),
        ("scoring/castelli/a.py", "import numpy", "scoring/castelli/a.py:1 imports numpy"),
        ("scoring/a.py", "from companion import vision", "scoring/a.py:1 imports companion.vision"),
        ("scoring/a.py", "import companion.scoring.castelli.board",
         "scoring/a.py:1 imports companion.scoring.castelli.board"),
        ("scoring/castelli/a.py", "print('x')", "scoring/castelli/a.py:1 prints"),
        ("table/a.py", "import cv2", "table/a.py:1 imports cv2"),
        ("table/a.py", "from companion.web import app", "table/a.py:1 imports companion.web"),
        ("table/a.py", "import sys\nsys.stdout.write('x')", "table/a.py:2 uses sys.stdout"),
        ("table/a.py", "import importlib", "table/a.py:1 imports importlib"),
        ("table/a.py", "__import__('cv2')", "table/a.py:1 calls __import__"),
        ("web/a.py", "from companion.scoring import castelli", "web/a.py:1 imports companion.scoring"),
        ("web/a.py", "import click\nclick.echo('x')", "web/a.py:2 prints"),
        ("newroom/a.py", "print('x')", "newroom/a.py:1 prints"),
    ],
)  # fmt: skip
def test_a_broken_rule_is_found(tmp_path: Path, file: str, source: str, why: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    assert why in broken_rules(tmp_path)


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("vision/a.py", "import cv2, math\nimport numpy as np\nfrom companion.vision.model import Sheet"),
        ("vision/a.py", "capacity = 1  # a city of pixels: 'city' alone is not a word of one game"),
        ("scoring/castelli/a.py", "from companion.scoring.castelli.board import Board"),
        ("table/a.py", "import sqlite3, PIL\nfrom companion.vision import model\nimport companion.scoring"),
        ("web/a.py", "import flask\nfrom companion.table import games"),
        ("cli.py", "import cv2, companion.web\nprint('x')"),
        ("commands/score.py", "import click\nclick.echo('x')"),
    ],
)  # fmt: skip
def test_what_is_allowed_is_not_reported(tmp_path: Path, file: str, source: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    assert broken_rules(tmp_path) == []
