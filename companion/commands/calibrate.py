"""`companion calibrate`: learns an owner's copy of a game from labelled photos."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.told import vision_errors_told
from companion.table.reader import calibrate as learnt

STEPS = 1000
"""Of the progress bar: fine enough to be seen moving."""


@click.command()
@click.argument("kit", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder that is to hold the calibration; one that is there already is replaced.",
)
@vision_errors_told
def calibrate(kit: Path, out: Path) -> None:
    """Learns the look of a set from the labelled photos in the folder KIT.

    Says what is weak in what was learnt, and leaves a picture of it, contact.png, to look at.

    \b
    Example:
      companion calibrate my-set --out my-calibration
    """
    with click.progressbar(length=STEPS, label="Learning", item_show_func=str) as bar:
        done = 0

        def progress(doing: str, share: float) -> None:
            nonlocal done
            step = round(share * STEPS)
            bar.update(max(0, step - done), doing)
            done = max(done, step)

        calibration = learnt(kit, out, progress)
    click.echo(f"Learnt {calibration.design.name}, kept in {out}.")
    if (out / "contact.png").exists():  # a game of pieces alone has no faces to show
        click.echo(f"Look at {out / 'contact.png'}.")
    for sentence in calibration.weak:
        click.echo(f"Weak: {sentence}")
