"""What a photo shows, out of a scan's record: by slot the reading, how sure it is, what else it may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from companion.scoring.castelli.board import Assembly, Board, Placed, Quadrant, SiteKey, cell_place
from companion.scoring.castelli.components import Cell, Colour, Town
from companion.scoring.castelli.position import DOWN, MISSING, RESOURCES, FaceUp, Slot
from companion.table.castelli.asking import Outline, Stack

Record = Mapping[str, Any]
T = TypeVar("T")

SETTLED = 0.98
"""How likely one of the readings that the rules leave possible has to be, so that nobody is asked: of a
hundred doubts settled like this two may be wrong, and they can be seen on the page before confirming."""


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """The reading of one slot."""

    reading: T
    confidence: float = 1.0
    doubtful: bool = False
    alternatives: tuple[tuple[T, float], ...] = ()

    @property
    def candidates(self) -> tuple[tuple[T, float], ...]:
        return ((self.reading, self.confidence), *self.alternatives)

    def possible(self, is_possible: Callable[[T], bool]) -> list[tuple[T, float]]:
        """What the rules and the history leave of it, the likeliest first."""
        left = [(reading, sure) for reading, sure in self.candidates if is_possible(reading)]
        return sorted(left, key=lambda candidate: -candidate[1])

    def settled(self, is_possible: Callable[[T], bool]) -> tuple[T] | None:
        """The one reading that is left, once the impossible ones are out and nothing else is likely.

        What no candidate names may be it too, so it keeps its share of the chances.
        """
        left = self.possible(is_possible)
        if not left:
            return None
        unnamed = max(0.0, 1.0 - sum(sure for _, sure in self.candidates))
        chances = sum(sure for _, sure in left) + unnamed
        best, sure = left[0]
        return (best,) if chances > 0 and sure / chances >= SETTLED else None


@dataclass(frozen=True, slots=True)
class Marker:
    space: int | None
    doubtful: bool


@dataclass(frozen=True)
class Picture:
    """A scan, checked against the board that it is meant to show."""

    assembly: Assembly
    """Only the quadrants that were seen."""
    tiles: Mapping[Cell, Seen[Slot]]
    castles: Mapping[SiteKey, Seen[Stack]]
    towns: Mapping[Cell, Seen[Town | None]]
    markers: Mapping[tuple[str, Colour], Marker]
    """By scale (`wood`, `grain`, `rocks`, `track`) and colour."""
    outlines: Mapping[str, Outline] = field(default_factory=dict)

    def shows(self, board: Board, cell: Cell) -> bool:
        """Whether the piece on which a cell lies was found in the photo."""
        column, row = cell_place(cell)
        east, south = column >= board.set.columns, row >= board.set.rows
        return any(q.is_east == east and q.is_south == south for q, _ in self.assembly.pieces)


def picture_of(record: Record) -> Picture:
    """Reads a record of our own scanner; what is not in it was seen to be empty."""
    return Picture(
        assembly=_assembly(record.get("arrangement", {})),
        tiles={cell: _seen(entry, _slot, entry) for cell, entry in record.get("tiles", {}).items()},
        castles={
            site: _seen(entry, _stack, entry.get("stack", ()))
            for site, entry in record.get("castles", {}).items()
        },
        towns={
            cell: _seen(entry, _town, entry.get("kind")) for cell, entry in record.get("towns", {}).items()
        },
        markers=_markers(record),
        outlines={name: _outline(points) for name, points in record.get("outlines", {}).items()},
    )


def _assembly(arrangement: Mapping[str, Any]) -> Assembly:
    pieces = {name: Placed(laid["piece"], laid["turned"]) for name, laid in arrangement.items()}
    return Assembly.of({name: placed for name, placed in pieces.items() if name in Quadrant.__members__})


def _seen(entry: Mapping[str, Any], words: Callable[[Any], T], reading: Any) -> Seen[T]:
    return Seen(
        words(reading),
        float(entry.get("confidence", 1.0)),
        bool(entry.get("doubtful", False)),
        tuple(
            (words(other["reading"]), float(other["confidence"])) for other in entry.get("alternatives", ())
        ),
    )


def _slot(reading: Mapping[str, Any]) -> Slot:
    if reading["state"] == "up":
        return FaceUp(reading["tile"], reading["turns"])
    return DOWN if reading["state"] == DOWN else MISSING


def _stack(reading: Sequence[Colour]) -> Stack:
    return tuple(reading)


def _town(reading: str | None) -> Town | None:
    return None if reading is None else Town(reading)


def _outline(points: Sequence[Sequence[float]]) -> Outline:
    return tuple((float(x), float(y)) for x, y in points)


def _markers(record: Record) -> dict[tuple[str, Colour], Marker]:
    doubtful = set(record.get("doubtful_markers", ()))
    markers = {
        (kind.value, colour): Marker(stands.get(kind.value), f"{kind.value}/{colour}" in doubtful)
        for colour, stands in record.get("resources", {}).items()
        for kind in RESOURCES
    }
    for colour, space in record.get("track", {}).items():
        markers["track", colour] = Marker(space, f"track/{colour}" in doubtful)
    return markers
