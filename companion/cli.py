"""The command line: `companion COMMAND`. A new command is one line in `COMMANDS`."""

from __future__ import annotations

import importlib
import os
import sys

import click

from companion.table.jsondoor import BadFile

COMMANDS = {
    "bench": "companion.commands.bench:bench",
    "calibrate": "companion.commands.calibrate:calibrate",
    "demo": "companion.commands.demo:demo",
    "explain": "companion.commands.explain:explain",
    "scan": "companion.commands.scan:scan",
    "score": "companion.commands.score:score",
    "serve": "companion.commands.serve:serve",
}
"""Where each command is. They are loaded when called, so that a score does not wait for picture libraries."""

BAD_FILE = 2
"""The exit code for a file that cannot be used; click uses it for a wrong call too."""
OUR_MISTAKE = 70
"""The exit code for an error that is nobody's fault but the program's."""


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Errors become sentences here, for all commands; a traceback is for those who ask for it."""
        try:
            return super().invoke(ctx)
        except BadFile as bad:
            tell(bad)
            sys.exit(BAD_FILE)
        except (click.exceptions.Exit, click.Abort, click.ClickException, OSError):
            raise  # click's own business: wrong calls, Ctrl-C, a reader such as `head` that has gone away
        except Exception as error:
            if os.environ.get("COMPANION_DEBUG"):
                raise
            click.echo(
                f"Companion has made a mistake that should be reported: {type(error).__name__}. "
                "Set COMPANION_DEBUG=1 and try again to see where.",
                err=True,
            )
            sys.exit(OUR_MISTAKE)


def tell(bad: BadFile) -> None:
    """All that is wrong with a file, a line each."""
    count = "one problem" if len(bad.problems) == 1 else f"{len(bad.problems)} problems"
    click.echo(f"{bad.name} cannot be used: {count}.", err=True)
    for problem in bad.problems:
        click.echo(f"  {problem}", err=True)


@click.group(cls=Commands)
@click.version_option(package_name="companion")
def main() -> None:
    """Keeps the score of a game of Castelli and explains every number.

    \b
    Example:
      companion score game.json
    """


if __name__ == "__main__":
    main()
