"""How well scans of a kit's games agree with their labels: one row a photo, and the totals.

A slot is wrong where it differs from its label. A wrong slot that the scan did not call doubtful is a
silent error, the one thing that must not happen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from companion.table.castelli.kit import Label, TileUp
from companion.table.castelli.record import Record


@dataclass(frozen=True, slots=True)
class Grade:
    """One photo against its label."""

    photo: str
    found: bool
    arranged: bool = False
    tiles: int = 0
    tiles_wrong: int = 0
    pieces: int = 0
    pieces_wrong: int = 0
    stacks_wrong: int = 0
    markers: int = 0
    markers_wrong: int = 0
    silent: int = 0
    doubts: int = 0
    corner_px: float | None = None
    mistakes: tuple[str, ...] = ()

    @property
    def perfect(self) -> bool:
        return self.found and not self.tiles_wrong and not self.pieces_wrong


@dataclass(frozen=True, slots=True)
class Totals:
    """All photos of a kit together."""

    grades: tuple[Grade, ...] = field(repr=False)

    @property
    def found(self) -> int:
        return sum(grade.found for grade in self.grades)

    @property
    def arranged(self) -> int:
        return sum(grade.arranged for grade in self.grades)

    @property
    def perfect(self) -> int:
        return sum(grade.perfect for grade in self.grades)

    def sum(self, name: str) -> int:
        return sum(getattr(grade, name) for grade in self.grades)

    def right(self, what: str) -> float:
        """The part of `tiles`, `pieces` or `markers` that was read right."""
        return 1 - self.sum(what + "_wrong") / max(1, self.sum(what))

    @property
    def doubts(self) -> float:
        return self.sum("doubts") / max(1, self.sum("tiles") + self.sum("pieces"))

    @property
    def corner_px(self) -> float | None:
        corners = [grade.corner_px for grade in self.grades if grade.corner_px is not None]
        return median(corners) if corners else None


def grade(label: Label, scan: Record) -> Grade:
    if "error" in scan:
        slots = len(label.tiles)
        return Grade(
            label.photo, False, tiles=slots, tiles_wrong=slots, doubts=slots, mistakes=(str(scan["error"]),)
        )
    tiles = list(_tiles(label, scan))
    pieces = [*_castles(label, scan), *_towns(label, scan)]
    compared = tiles + pieces
    stacks = sum(
        scan["castles"][key]["stack"] != stack
        for key, stack in label.castles.items()
        if key in scan["castles"] and scan["castles"][key]["stack"][-1:] == stack[-1:]
    )
    markers = list(_markers(label, scan))
    return Grade(
        photo=label.photo,
        found=True,
        arranged=scan["arrangement"]
        == {place: {"piece": laid.piece, "turned": laid.turned} for place, laid in label.arrangement.items()},
        tiles=len(tiles),
        tiles_wrong=sum(slot.wrong for slot in tiles),
        pieces=sum(slot.counts for slot in pieces),
        pieces_wrong=sum(slot.wrong for slot in pieces),
        stacks_wrong=stacks,
        markers=len(markers),
        markers_wrong=sum(slot.wrong for slot in markers),
        silent=sum(slot.wrong and not slot.doubtful for slot in compared),
        doubts=sum(slot.doubtful for slot in compared),
        corner_px=max(math.dist(a, b) for a, b in zip(label.corners, scan["board"]["corners"], strict=True)),
        mistakes=tuple(str(slot) for slot in compared + markers if slot.wrong),
    )


@dataclass(frozen=True, slots=True)
class _Slot:
    where: str
    truth: Any
    read: Any
    doubtful: bool

    @property
    def wrong(self) -> bool:
        return bool(self.truth != self.read)

    @property
    def counts(self) -> bool:
        return self.truth is not None or self.read is not None

    def __str__(self) -> str:
        return f"{self.where}: {self.truth} read as {self.read}{' (doubtful)' if self.doubtful else ''}"


def _tiles(label: Label, scan: Record) -> Iterator[_Slot]:
    for cell, truth in label.tiles.items():
        read = scan["tiles"].get(cell, {"state": "none", "doubtful": False})
        up = f"{read.get('tile')} turned {read.get('turns')}" if read["state"] == "up" else read["state"]
        told = f"{truth.tile} turned {truth.turns % 4}" if isinstance(truth, TileUp) else truth
        yield _Slot(cell, told, up, read["doubtful"])


def _castles(label: Label, scan: Record) -> Iterator[_Slot]:
    for key in sorted({*label.castles, *scan["castles"]}):
        read = scan["castles"].get(key, {"stack": [], "doubtful": False})
        yield _Slot(key, _top(label.castles.get(key, [])), _top(read["stack"]), read["doubtful"])


def _top(stack: Sequence[str]) -> str | None:
    return stack[-1] if stack else None


def _towns(label: Label, scan: Record) -> Iterator[_Slot]:
    for cell in sorted({*label.towns, *scan["towns"]}):
        read = scan["towns"].get(cell, {"kind": None, "doubtful": False})
        truth = label.towns.get(cell)
        yield _Slot(cell, truth.value if truth else None, read["kind"], read["doubtful"])


def _markers(label: Label, scan: Record) -> Iterator[_Slot]:
    doubts = set(scan["doubtful_markers"])
    for colour, stands in label.resources.items():
        for kind, space in stands.items():
            read = scan["resources"].get(colour, {}).get(kind)
            yield _Slot(f"{colour} {kind}", space, read, f"{kind}/{colour}" in doubts)
    for colour, space in label.track.items():
        yield _Slot(f"{colour} track", space, scan["track"].get(colour), f"track/{colour}" in doubts)
