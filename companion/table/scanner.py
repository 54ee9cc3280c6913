"""Reads photos with the calibration in a folder; calibrations stay open, as loading one takes a while."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from companion.table.calibrations import Record
from companion.table.errors import BadInput, BoardNotFound, NotAPhoto, TableError, sentence
from companion.table.reader import Reader, open_reader
from companion.vision.errors import BadCalibration, PoorPhoto, VisionError
from companion.vision.errors import NotAPhoto as NoPhoto
from companion.vision.paint_colour import RGB, seen_as

KEPT_OPEN = 3
"""Calibrations: a table uses one; each takes some tens of megabytes."""


class Scanner:
    def __init__(self) -> None:
        self._readers: OrderedDict[tuple[Path, int], Reader] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, data: bytes, name: str, folder: Path) -> Record:
        try:
            return self._reader(folder).read(name, data)
        except VisionError as error:
            raise told(error) from error

    def paints(self, folder: Path, kind: str) -> dict[str, RGB]:
        """How the pieces of a kind look, by what follows the kind in their name; empty where unknown."""
        try:
            paints = self._reader(folder).calibration.looks.pieces.paints
        except VisionError:
            return {}
        return {
            name.removeprefix(kind): seen_as(paint) for name, paint in paints.items() if name.startswith(kind)
        }

    def _reader(self, folder: Path) -> Reader:
        """A calibration that was made anew in the same folder is another one."""
        made = folder.stat().st_mtime_ns if folder.is_dir() else 0
        with self._lock:
            reader = self._readers.pop((folder, made), None) or open_reader(folder)
            self._readers[folder, made] = reader
            while len(self._readers) > KEPT_OPEN:
                self._readers.popitem(last=False)
            return reader


def told(error: VisionError) -> TableError:
    """What players are told, in words that translate: the vision room speaks English only."""
    match error:
        case NoPhoto():
            return NotAPhoto(sentence("This photo is damaged. Take it again, or save it anew as JPEG."))
        case PoorPhoto():
            return BoardNotFound(
                sentence("The photo is too dark or too blurred to be read. Take another one with more light.")
            )
        case BadCalibration():
            return BadInput(sentence("The calibration cannot be used: %(why)s"), why=str(error))
        case _:
            return BoardNotFound(
                sentence(
                    "The board was not found. Take another photo: all of it in the picture, from above, "
                    "with light on it."
                )
            )
