"""`companion scan`: what lies on the board in a photo."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from companion.commands.told import vision_errors_told
from companion.table.games import Record
from companion.table.photofile import photo_in
from companion.table.reader import Reader, open_reader
from companion.vision.annotate import annotated
from companion.vision.errors import VisionError

NOT_READ = 3
"""The exit code where a photo could not be read; the others were."""


@click.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(path_type=Path))
@click.option(
    "--calibration",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder with what was learnt of your set.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for programs.")
@click.option(
    "--annotate",
    metavar="OUT.jpg",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw what was read on the photo (only with one photo).",
)
@vision_errors_told
def scan(photos: tuple[Path, ...], calibration: Path, as_json: bool, annotate: Path | None) -> None:
    """Reads the board in each PHOTO.

    \b
    Example:
      companion scan board.jpg --calibration my-calibration --json
    """
    if annotate is not None and len(photos) > 1:
        raise click.UsageError("--annotate draws on one photo: name only one.")
    reader = open_reader(calibration)
    failed = False
    for photo in photos:
        record = _read(reader, photo, annotate)
        failed = failed or "error" in record
        click.echo(json.dumps(record) if as_json else in_words(record))
    sys.exit(NOT_READ if failed else 0)


def _read(reader: Reader, photo: Path, annotate: Path | None) -> Record:
    try:
        data = photo_in(photo)
        observation = reader.observe(data)
        if annotate is not None:
            annotate.write_bytes(annotated(data, observation))
        return reader.record(photo.name, observation)
    except VisionError as error:
        return {"photo": {"name": photo.name}, "error": str(error)}


def in_words(record: Record) -> str:
    """A short account for the terminal."""
    name = record["photo"]["name"]
    if "error" in record:
        return f"{name}: {record['error']}"
    lines = [f"{name}: the board was found, to {record['board']['error_px']} pixels."]
    for what in ("tiles", "castles", "towns", "slots"):
        readings = record.get(what, {})
        if readings:
            doubts = [key for key, reading in readings.items() if reading["doubtful"]]
            in_doubt = f", {len(doubts)} in doubt: {', '.join(doubts)}" if doubts else ""
            lines.append(f"  {what}: {len(readings)}{in_doubt}")
    return "\n".join(lines)
