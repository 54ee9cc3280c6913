"""What the commands that read a game file have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.table.castelli.gamefile import GameFile, load_game, read_game
from companion.table.jsondoor import LARGEST

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

FILE = click.argument("file", metavar="FILE")
SET: Decorator = click.option(
    "--set",
    "set_path",
    type=click.Path(path_type=Path),
    help="The set that is played with, where the file does not name it.",
)


def game_in(file: str, set_path: Path | None) -> GameFile:
    """The game in a file, or in the standard input for `-`."""
    if file == "-":
        content = sys.stdin.buffer.read(LARGEST + 1)
        return read_game(content, "standard input", Path.cwd(), set_path)
    return load_game(Path(file), set_path)
