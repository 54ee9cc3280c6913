"""A calibration at work: a photo goes in, what lies on the board comes out as a record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.table.games import Beside, Record, record_of, source_in
from companion.vision.calibration import Calibration
from companion.vision.learn import Progress, learn
from companion.vision.model import Observation
from companion.vision.scan import scan
from companion.vision.store import beside, load, save


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads photos of one owner's copy of a game."""

    calibration: Calibration
    beside: Beside

    def observe(self, photo: bytes) -> Observation:
        """Raises VisionError, with a sentence, where the photo cannot be read."""
        return scan(photo, self.calibration)

    def record(self, name: str, observation: Observation) -> Record:
        return record_of(name, observation, self.beside)

    def read(self, name: str, photo: bytes) -> Record:
        return self.record(name, self.observe(photo))


def open_reader(folder: Path) -> Reader:
    """The calibration in a folder. Raises VisionError where it is damaged or too new."""
    return Reader(load(folder), beside(folder))


def calibrate(kit: Path, out: Path, progress: Progress) -> Calibration:
    """Learns from a folder of labelled photos and keeps what was learnt in `out`."""
    source, files = source_in(kit)
    calibration = learn(source, progress)
    save(calibration, out, files)
    return calibration
