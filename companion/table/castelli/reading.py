"""Castelli on the shelf: its kits as calibration sources, its scans in its own words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from companion.scoring.castelli.components import GameSet, Town
from companion.scoring.castelli.position import CASTLES_OF_A_COLOUR, SPARE_TOWNS
from companion.table.castelli.design import CASTLE
from companion.table.castelli.kit import source_of
from companion.table.castelli.plausible import doubted
from companion.table.castelli.record import Record, record_of
from companion.table.castelli.setfile import read_set
from companion.table.jsondoor import read_file
from companion.vision.model import Observation, Source

KIT = "kit.json"
SET = "set.json"
"""The set's file, as it lies in a calibration."""


@dataclass(frozen=True, slots=True)
class Castelli:
    def is_kit(self, folder: Path) -> bool:
        return (folder / KIT).exists()

    def source(self, folder: Path) -> tuple[Source, Mapping[str, bytes]]:
        content = read_file(folder / KIT)
        return source_of(folder, set_in(content, str(folder / KIT))), {SET: content}

    def knows(self, beside: Mapping[str, bytes]) -> bool:
        return SET in beside

    def record(self, name: str, observation: Observation, beside: Mapping[str, bytes]) -> Record:
        game_set = set_in(beside[SET], SET)
        return record_of(name, doubted(observation, in_the_box(game_set)), game_set)


CASTELLI = Castelli()


@lru_cache(maxsize=8)
def set_in(content: bytes, name: str) -> GameSet:
    return read_set(content, name).game_set


def in_the_box(game_set: GameSet) -> dict[str, int]:
    """How many castles, villages and cities there can be on the board at most."""
    printed = [space.printed for piece in game_set.pieces.values() for space in piece.spaces.values()]
    limits = {town.value: printed.count(town) + SPARE_TOWNS for town in Town}
    return limits | {CASTLE + colour: CASTLES_OF_A_COLOUR for colour in game_set.colours}
