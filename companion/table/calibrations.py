"""The calibrations at hand: those of this folder, and the one that comes with the program."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.table.errors import BadInput, NotFound, Stale, StorageFailed, sentence

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""A name is a folder's name, so it holds nothing that a path could be made of."""

Record = dict[str, Any]
Scan = Callable[[bytes, str, Path], Record]
"""Reads a photo with the calibration in a folder: bytes, the photo's name, the folder. Its errors are
`TableError`s."""


@dataclass(frozen=True, slots=True)
class Calibration:
    name: str
    folder: Path
    is_bundled: bool


class Calibrations:
    def __init__(self, own: Path, bundled: Mapping[str, Path]) -> None:
        """`own` is where calibrations made here lie, one folder each; `bundled` are others, by name."""
        self._own = own
        self._bundled = tuple(Calibration(name, folder, True) for name, folder in bundled.items())

    def all(self) -> tuple[Calibration, ...]:
        """Bundled ones first, then by name."""
        folders = sorted(self._own.iterdir()) if self._own.is_dir() else []
        taken = {calibration.name for calibration in self._bundled}
        own = (
            Calibration(folder.name, folder, False)
            for folder in folders
            if folder.is_dir() and NAME.fullmatch(folder.name) and folder.name not in taken
        )
        return (*self._bundled, *own)

    def get(self, name: str) -> Calibration:
        for calibration in self.all():
            if calibration.name == name:
                return calibration
        raise NotFound(
            sentence("There is no calibration “%(name)s” here; choose another or make it anew."),
            name=name[:40],
        )

    def place_for(self, name: str) -> Path:
        """The folder of a calibration that is about to be made."""
        if not NAME.fullmatch(name):
            raise BadInput(
                sentence("A calibration's name has small letters, digits and hyphens, such as “my-set”.")
            )
        if any(calibration.name == name for calibration in self.all()):
            raise Stale(
                sentence("There is a calibration “%(name)s” already; choose another name."), name=name
            )
        return self._own / name

    def delete(self, name: str) -> None:
        calibration = self.get(name)
        if calibration.is_bundled:
            raise BadInput(sentence("The calibration that comes with the program stays."))
        try:
            shutil.rmtree(calibration.folder)
        except OSError as error:
            raise StorageFailed(
                sentence("The calibration cannot be deleted: %(reason)s."), reason=error.strerror or error
            ) from None
