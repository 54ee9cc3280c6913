"""The games on the shelf: how each one's kit is learnt from and how its scans are told.

A game with rules of its own has a folder beside this file and a line in `GAMES`. Any other game can still
be read from photos: its calibration source says all, and its scans name slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from companion.table.castelli.reading import CASTELLI
from companion.table.jsondoor import BadFile, Problem
from companion.table.slots_record import slots_record
from companion.table.source import load_source
from companion.vision.model import Observation, Source

Record = dict[str, Any]
Beside = Mapping[str, bytes]
"""Files of a game's own that lie in its calibrations, by name."""


class Game(Protocol):
    def is_kit(self, folder: Path) -> bool:
        """Whether this folder holds what an owner of the game photographed."""

    def source(self, folder: Path) -> tuple[Source, Beside]:
        """What a calibration is learnt from, and what is to lie beside it."""

    def knows(self, beside: Beside) -> bool:
        """Whether a calibration with these files is one of this game's."""

    def record(self, name: str, observation: Observation, beside: Beside) -> Record:
        """A scan in the game's own words."""


GAMES: tuple[Game, ...] = (CASTELLI,)


def source_in(folder: Path) -> tuple[Source, Beside]:
    """What a folder of labelled photos says, whichever game it is of."""
    for game in GAMES:
        if game.is_kit(folder):
            return game.source(folder)
    if (folder / "source.json").exists():
        return load_source(folder), {}
    what = "there is no kit.json and no source.json in this folder. Is it the right one?"
    raise BadFile(str(folder), [Problem("", what)])


def record_of(name: str, observation: Observation, beside: Beside) -> Record:
    for game in GAMES:
        if game.knows(beside):
            return game.record(name, observation, beside)
    return slots_record(name, observation)
