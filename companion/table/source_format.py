"""The shape of a calibration source file: `source.json`, as documented in calibration/README.md."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=100)]
Millimetres = Annotated[float, Field(ge=-10_000, le=10_000)]
Length = Annotated[float, Field(gt=0, le=10_000)]
Height = Annotated[float, Field(ge=0, le=500)]
Pixel = Annotated[float, Field(ge=-100_000, le=100_000)]
Spot = tuple[Millimetres, Millimetres]
Outline = Annotated[list[Spot], Field(min_length=3, max_length=1000)]
FourPixels = Annotated[list[tuple[Pixel, Pixel]], Field(min_length=4, max_length=4)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SheetIn(Part):
    """Either a rectangle from (0, 0), or its convex parts."""

    size: tuple[Length, Length] | None = None
    parts: list[Outline] = []


class PlaceIn(Part):
    name: Name
    sheets: Annotated[list[Name], Field(min_length=1)]
    at: Spot = (0.0, 0.0)
    turns: Annotated[list[Literal[0, 90, 180, 270]], Field(min_length=1)] = [0]
    pivot: Spot = (0.0, 0.0)


class AssemblyIn(Part):
    name: Name
    corners: Annotated[list[Spot], Field(min_length=4, max_length=4)]
    places: Annotated[list[PlaceIn], Field(min_length=1)]


class FacesIn(Part):
    faces: Annotated[list[Name], Field(min_length=1)]
    turns: Literal[1, 2, 4] = 1
    thickness: Height = 0.0
    size: tuple[Length, Length]
    shift: Height = 4.0
    twist: Annotated[float, Field(ge=0, le=45)] = 10.0
    plain: list[Name] = []
    once: list[Name] = []
    parts: dict[Name, list[str]] = {}


class PiecesIn(Part):
    pieces: Annotated[list[Name], Field(min_length=1)]
    most: Annotated[int, Field(ge=1, le=10)] = 1
    anywhere: bool = False


class SlotIn(Part):
    name: Name
    polygon: Outline
    holds: Name


class GridIn(Part):
    """Slots in rows and columns, named A1, B1 and so on, `size` each, `pitch` apart."""

    columns: Annotated[int, Field(ge=1, le=26)]
    rows: Annotated[int, Field(ge=1, le=99)]
    origin: Spot
    pitch: tuple[Length, Length]
    size: tuple[Length, Length]
    holds: Name


class ScaleIn(Part):
    name: Name
    sheet: Name
    spaces: Annotated[list[Spot], Field(min_length=1)]
    markers: Annotated[list[Name], Field(min_length=1)]
    radius: Length


class FormIn(Part):
    height: Height = 0.0
    footprint: Height = 0.0
    paint: str = ""


class LaidIn(Part):
    sheet: Name
    turned: Literal[0, 90, 180, 270] = 0


class FaceUp(Part):
    face: Name
    turns: Annotated[int, Field(ge=0, le=3)] = 0


class PhotoIn(Part):
    photo: Name
    corners: FourPixels
    assembly: Name | None = None
    arrangement: dict[Name, LaidIn] = {}
    shows: dict[Name, Name | FaceUp | list[Name] | None] = {}
    markers: dict[Name, int] = {}
    rest: Literal["empty", "unknown"] = "empty"
    covered: bool = False


class SourceIn(Part):
    format: Literal["companion-source"]
    version: int
    name: Name
    sheets: Annotated[dict[Name, SheetIn], Field(min_length=1)]
    assemblies: list[AssemblyIn] = []
    things: dict[Name, FacesIn | PiecesIn]
    slots: dict[Name, list[SlotIn] | GridIn]
    scales: list[ScaleIn] = []
    forms: dict[Name, FormIn] = {}
    photos: Annotated[list[PhotoIn], Field(min_length=1)]
