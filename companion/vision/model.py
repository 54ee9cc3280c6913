"""The words of the vision room: sheets, slots, faces, and what was read.

A *sheet* is a rigid printed part. A *slot* is a place on a sheet where something may lie. A *face* is
the look of a flat thing (a tile, a card), a *piece* has height. Nothing here knows a game: the names of
sheets, slots, faces and pieces are whatever the calibration source calls them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.vision.camera import Camera

Polygon = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rigid printed part, in millimetres of its own."""

    name: str
    parts: tuple[Polygon, ...]
    """Where its print is: convex parts that together make it up; may reach below 0."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sheet may lie on the assembled board, and which ones."""

    name: str
    sheets: tuple[str, ...]
    x: float
    y: float
    """Where the sheet's (0, 0) comes to lie when it is not turned."""
    turns: tuple[int, ...] = (0,)
    """In degrees clockwise about `pivot`."""
    pivot: tuple[float, float] = (0.0, 0.0)
    """The point of the sheet about which it is turned, in the sheet's millimetres."""


@dataclass(frozen=True, slots=True)
class Assembly:
    """One way to lay the sheets out: a whole board, or half of it for fewer players."""

    name: str
    places: tuple[Place, ...]
    corners: Polygon
    """The four outer corners, clockwise from the top left, in millimetres of the assembled board."""


@dataclass(frozen=True, slots=True)
class Faces:
    """A slot for something flat: one of `names`, or nothing."""

    names: tuple[str, ...]
    turns: int
    """In how many turns each may lie: 1, 2 or 4."""
    thickness: float
    """In millimetres; 0 where the owner did not say."""
    size: tuple[float, float]
    """Width and height of the thing in millimetres."""
    shift: float = 4.0
    """How far it may lie off its place, in millimetres."""
    twist: float = 10.0
    """How far it may be turned off its place, in degrees."""
    plain: tuple[str, ...] = ()
    """Names whose turn does not matter, such as the back of a tile: always read as turn 0."""
    once: tuple[str, ...] = ()
    """Names of which the game has only one: what surely lies in one slot is not read in another."""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What each side of a face shows, N E S W when it is not turned, where that can be said in a word."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A slot for things with height: one of `names`, or a stack of them, or nothing."""

    names: tuple[str, ...]
    most: int = 1
    """How many may stand on each other."""
    anywhere: bool = False
    """It may stand anywhere in the polygon, not just about its middle."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place on a sheet where something may lie."""

    name: str
    sheet: str
    polygon: Polygon
    holds: Faces | Pieces


@dataclass(frozen=True, slots=True)
class Scale:
    """A row of spaces along which markers move: each of `markers` stands on exactly one of them."""

    name: str
    sheet: str
    spaces: tuple[tuple[float, float], ...]
    markers: tuple[str, ...]
    radius: float
    """How far from a space's middle a marker on it may stand, in millimetres."""


@dataclass(frozen=True, slots=True)
class PieceForm:
    """The measurable form of a piece: what can be expected of its silhouette."""

    name: str
    height: float
    footprint: float
    """Diameter of the circle that it stands in. Both in millimetres; 0 where the owner did not say."""
    paint: str = ""
    """Pieces of one paint, and a scale's marker named like that paint, have the same colour."""


@dataclass(frozen=True, slots=True)
class Design:
    """All that is known of a game before a photo is seen."""

    name: str
    sheets: Mapping[str, Sheet]
    assemblies: tuple[Assembly, ...]
    slots: Mapping[str, tuple[Slot, ...]]
    """By sheet."""
    scales: tuple[Scale, ...] = ()
    forms: Mapping[str, PieceForm] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Thing:
    """What may lie in a slot: a face with its quarter turns, or a stack of pieces from the bottom up."""

    names: tuple[str, ...] = ()
    """Empty: nothing lies there."""
    turns: int = 0


NOTHING = Thing()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A photo of which the owner said what it shows."""

    photo: Path
    assembly: str
    corners: Polygon
    """The assembly's corners in the upright photo, as a person taps them: off by several pixels."""
    arrangement: Mapping[str, tuple[str, int]]
    """By place: the sheet and its turn in degrees."""
    things: Mapping[tuple[str, str], Thing]
    """By sheet and slot. A slot that is not named was not looked at; an empty one holds NOTHING."""
    markers: Mapping[tuple[str, str], int]
    """By scale and marker: the space it stands on."""
    covered: bool = False
    """Something may lie on the print that no slot tells of."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a calibration is learnt from."""

    design: Design
    photos: tuple[Labelled, ...]


@dataclass(frozen=True, slots=True)
class SheetPose:
    """A sheet that was found: where, in which view, how well it fits."""

    place: str
    sheet: str
    turned: int
    camera: Camera
    """Projects the sheet's own millimetres into the upright photo at full size."""
    error_px: float
    visible: float
    """The part of it that lies in the frame and agrees with its print, 0-1."""


@dataclass(frozen=True, slots=True)
class Found:
    """A board that was found in a photo."""

    assembly: str
    poses: tuple[SheetPose, ...]
    corners: Polygon
    """The board's four outer corners in the upright photo at full size."""
    error_px: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in one slot, and how sure that is."""

    slot: Slot
    place: str
    thing: Thing
    confidence: float
    """Calibrated: of the readings given 0.99, 99 in 100 are right."""
    doubtful: bool
    alternatives: tuple[tuple[Thing, float], ...] = ()
    """The next likeliest readings with their confidence."""
    outline: Polygon = ()
    """Where it was seen, in the upright photo at full size."""
    parts: tuple[str, ...] = ()
    """For a face that is in no catalogue: what each of its sides looks like, N E S W; else empty."""


@dataclass(frozen=True, slots=True)
class MarkerReading:
    """The space on which one marker of a scale stands; None where it was not seen."""

    scale: str
    marker: str
    space: int | None
    confidence: float
    doubtful: bool


@dataclass(frozen=True, slots=True)
class Observation:
    """All that one photo shows."""

    width: int
    height: int
    found: Found
    readings: tuple[Reading, ...]
    markers: tuple[MarkerReading, ...]
