"""`companion demo`: the bundled game, scored."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.score import as_text
from companion.table.bundled import bundled
from companion.table.castelli.gamefile import load_game


@click.command()
def demo() -> None:
    """Shows the score of the bundled demo game.

    \b
    Example:
      companion demo
    """
    path = bundled("demo.json")
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    click.echo(f"The demo game, {path}\n")
    click.echo(as_text(load_game(path)))
    click.echo(f"\nTo see where a number comes from: .venv/bin/companion explain {path} E4/0")
