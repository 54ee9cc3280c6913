"""The shape of a set file: its keys and the types of their values, as pydantic checks them.

What the parts of a set must be *to each other* (one mine, each colour once a tile) is in `setrules`.
The format is described in calibration/README.md.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

Number = Annotated[float, Field(allow_inf_nan=False, ge=-10_000, le=10_000)]
Length = Annotated[float, Field(allow_inf_nan=False, gt=0, le=10_000)]
Spot = Annotated[list[Number], Field(min_length=2, max_length=2)]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Cells = Annotated[int, Field(ge=2, le=26)]


class Part(BaseModel):
    """Strict: no number out of a text. Unknown keys are kept, so that they can be named to the owner."""

    model_config = ConfigDict(strict=True, extra="allow", frozen=True)


class GeometryShape(Part):
    width: Length
    height: Length
    origin: Spot
    pitch: Length
    tile: Length
    octagon: Length
    frame: Annotated[Number, Field(ge=0)]
    chart: Annotated[Number, Field(ge=0)]


class AreaShape(Part):
    kind: Literal["wood", "grain", "rocks", "market", "mine"]
    sides: str
    symbols: Annotated[int, Field(ge=0, le=9)]
    sites: list[Spot] = []
    polygon: Annotated[list[Spot], Field(min_length=3, max_length=200)] | None = None
    shared: bool = False

    @field_validator("sides")
    @classmethod
    def _are_sides(cls, sides: str) -> str:
        if not sides or set(sides) - set("NESW") or len(set(sides)) < len(sides):
            raise ValueError("should be some of the sides N, E, S, W of the octagon, each once")
        return sides


class SpaceShape(Part):
    areas: Annotated[list[AreaShape], Field(min_length=1, max_length=8)]
    printed: Literal["village", "city"] | None = None
    open: str = ""

    @field_validator("open")
    @classmethod
    def _are_sides(cls, sides: str) -> str:
        if set(sides) - set("NESW") or len(set(sides)) < len(sides):
            raise ValueError("should be some of the sides N, E, S, W of the octagon, each once")
        return sides


def _arms(side: list[Any]) -> list[Any]:
    """By hand, as a union of types would be reported once for each of them."""
    match side:
        case [str(colour), "card"] if colour:
            return side
        case [str(colour), int(value)] if colour and 1 <= value <= 6 and not isinstance(value, bool):
            return side
    raise ValueError('a side should be a colour and its value, 1 to 6 or "card", such as ["red", 3]')


class TileShape(Part):
    id: Name
    sides: Annotated[list[Annotated[list[Any], AfterValidator(_arms)]], Field(min_length=4, max_length=4)]
    silver: Annotated[int, Field(ge=0, le=2)] = 0
    start: bool | None = None

    @property
    def is_start(self) -> bool:
        """Start tiles are named S1-S4; a file may also say so, or say that its S1 is none."""
        return self.id.startswith("S") if self.start is None else self.start


class EditionShape(Part):
    """Says that a set is not the game of the rulebook; what it does not say is taken as it comes."""

    name: Name
    cells: Annotated[list[Cells], Field(min_length=2, max_length=2)] | None = None
    villages: Annotated[int, Field(ge=0)] | None = None
    cities: Annotated[int, Field(ge=0)] | None = None
    tiles: Annotated[int, Field(ge=1)] | None = None
    start_tiles: Annotated[int, Field(ge=0)] | None = None
    colours: Annotated[list[Name], Field(min_length=4, max_length=12)] | None = None


Gift = Literal["wood", "grain", "rocks", "silver", "card", "neutral"]
Scale = Annotated[list[Spot], Field(min_length=6, max_length=6)]


class ChartShape(Part):
    """A scale 0-5 for each resource."""

    wood: Scale
    grain: Scale
    rocks: Scale


Track = Annotated[list[Spot], Field(min_length=2, max_length=1000)]
