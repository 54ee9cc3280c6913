"""What an owner has said so far of their copy of Castelli, and where that lies on the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.scoring.castelli.board import cell_name, cell_place
from companion.scoring.castelli.components import Cell
from companion.table.calibrating.drafts import State
from companion.table.castelli import boardmap
from companion.table.castelli.setrules import COLUMNS, ROWS
from companion.table.castelli.setshape import Length, Number

Spot = tuple[Number, Number]
Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, in millimetres of the assembled board."""
Kind = Literal["wood", "grain", "rocks", "market", "mine"]
Town = Literal["village", "city"]
Gift = Literal["wood", "grain", "rocks", "silver", "card"]
GIFTS: tuple[Gift, ...] = ("wood", "grain", "rocks", "silver", "card")
Value = Annotated[int, Field(ge=1, le=6)] | Literal["card"]
Colour = Annotated[str, Field(min_length=1, max_length=40)]
Laid = tuple[str, Literal[0, 180]]

EMPTY, START, TILES, CASTLES = "empty", "start", "tiles", "castles"
QUADRANTS = {"NW": "P1", "NE": "P2", "SW": "P3", "SE": "P4"}
"""Pieces are called by where they lie, unturned, when the empty board is photographed."""
SIDES = "NESW"
CELLS = range(2, 13, 2)
"""Cells across or down a piece; even, so that pieces side by side and turned still make a checkerboard."""


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Shot(Part):
    """A photo, and how the board lies in it."""

    file: str
    width: int
    height: int
    corners: tuple[Spot, ...] = ()
    corners_confirmed: bool = False
    board_seen: bool = True
    """Of the empty board: its corners were proposed by what the picture shows, and not just put somewhere."""
    arrangement: dict[str, Laid] = Field(default_factory=dict)
    assembly: str = "full"
    reading: dict[str, Any] | None = None
    """What a scan read, of a photo that was taken to try the calibration; with what the owner put right."""
    taught: bool = False
    """The reading was confirmed: it is a label to learn from."""

    @property
    def version(self) -> str:
        """Changes when the pictures made from it do."""
        return sha256(f"{self.file}{self.corners}".encode()).hexdigest()[:12]


class Geometry(Part):
    """Millimetres, as in a set file; (x, y) is the top left corner of cell A1."""

    width: Length
    height: Length
    x: Number
    y: Number
    pitch: Length
    tile: Length
    octagon: Length
    frame: Annotated[Number, Field(ge=0)]
    chart: Annotated[Number, Field(ge=0)]

    def scaled(self, factor: float) -> Geometry:
        return Geometry(**{name: value * factor for name, value in self.model_dump().items()})


class Area(Part):
    sides: Annotated[str, Field(pattern="^[NESW]{1,4}$")]
    kind: Kind | None = None
    symbols: Annotated[int, Field(ge=0, le=9)] | None = None
    sites: tuple[Spot, ...] = ()


class Space(Part):
    areas: Annotated[tuple[Area, ...], Field(min_length=1, max_length=4)]
    printed: Town | None = None


class Tile(Part):
    """The sides as they lie on its photo, from the top clockwise."""

    sides: Annotated[tuple[tuple[Colour | None, Value | None], ...], Field(min_length=4, max_length=4)]
    silver: Annotated[int, Field(ge=0, le=2)] = 0
    start: bool = False

    @property
    def is_whole(self) -> bool:
        return all(colour is not None and value is not None for colour, value in self.sides)

    @property
    def likeness(self) -> object | None:
        """The same for tiles that are the same when turned; None where something is not said yet."""
        if not self.is_whole:
            return None
        turned = [tuple(map(str, self.sides[k:] + self.sides[:k])) for k in range(4)]
        return min(turned), self.silver, self.start

    def turns_to(self, other: Tile) -> int:
        """Quarter turns clockwise by which this tile lies as the other does."""
        ways = (k for k in range(4) if tuple(self.sides[(n - k) % 4] for n in range(4)) == other.sides)
        return next(ways, 0)


class ScaleState(Part):
    spaces: Annotated[tuple[Spot, ...], Field(max_length=1000)]
    anchors: tuple[int, ...] = ()
    """Spaces that the owner put there; those between them follow."""


class Draft(State):
    NOTED = ("calibration", "learnt")

    columns: Annotated[int, Field(ge=2, le=12)] = COLUMNS
    """Cells of one piece, as `rows`."""
    rows: Annotated[int, Field(ge=2, le=12)] = ROWS
    edition: Annotated[str, Field(max_length=60)] = ""
    """The name of another edition; empty: the game of the rulebook, whose counts are checked."""
    shots: dict[str, Shot] = Field(default_factory=dict)
    geometry: Geometry | None = None
    grid_confirmed: bool = False
    spaces: dict[str, Space] = Field(default_factory=dict)
    """By piece and its cell: `P1/B1`."""
    frame: dict[str, Gift] = Field(default_factory=dict)
    colours: tuple[Colour, ...] = ()
    tiles: dict[str, Tile] = Field(default_factory=dict)
    """By photo and cell of the board: `tiles/C3`."""
    bare: tuple[str, ...] = ()
    """Meadows on photos of tiles, `tiles/C3`, on which none lies: an edition may have fewer than meadows."""
    castles: dict[str, tuple[Colour, ...]] = Field(default_factory=dict)
    """By site on the board, as the castles' photo shows it; an empty site has an empty stack."""
    scales: dict[str, ScaleState] = Field(default_factory=dict)
    calibration: str = ""
    """The name under which it was learnt."""
    learnt: str = ""
    """Of what was learnt: changes when the draft says something else."""

    def files(self) -> Iterable[str]:
        return [shot.file for shot in self.shots.values()]

    @property
    def across(self) -> int:
        """Columns of the whole board."""
        return 2 * self.columns

    @property
    def down(self) -> int:
        return 2 * self.rows

    @property
    def is_named(self) -> bool:
        """Whether something was said of its cells."""
        return bool(self.spaces or self.frame or self.tiles or self.castles)

    @property
    def grid(self) -> Geometry:
        """The geometry, where it is known; whoever asks has made sure."""
        assert self.geometry is not None
        return self.geometry

    @cached_property
    def said(self) -> str:
        """All that a calibration is learnt from, as a short word to compare."""
        leave = dict.fromkeys(("id", "number", "changed", "keys", "version", *self.NOTED), True)
        proposed = {"shots": {"__all__": {"board_seen"}}}
        tried = {role for role, shot in self.shots.items() if shot.reading is not None and not shot.taught}
        shots = {role: shot for role, shot in self.shots.items() if role not in tried}
        plain = self.model_copy(update={"shots": shots}).model_dump_json(exclude={**leave, **proposed})
        return sha256(plain.encode()).hexdigest()[:16]

    def shot(self, role: str) -> Shot | None:
        return self.shots.get(role)

    def cells(self) -> Iterator[tuple[int, int]]:
        for row in range(self.down):
            for column in range(self.across):
                yield column, row

    def meadows(self) -> tuple[Cell, ...]:
        return tuple(cell_name(c, r) for c, r in self.cells() if not boardmap.is_space(c, r))

    def landscapes(self) -> tuple[Cell, ...]:
        return tuple(cell_name(c, r) for c, r in self.cells() if boardmap.is_space(c, r))

    def middle(self, cell: Cell) -> tuple[float, float]:
        column, row = cell_place(cell)
        pitch = self.grid.pitch
        return self.grid.x + (column + 0.5) * pitch, self.grid.y + (row + 0.5) * pitch

    def around(self, cell: Cell, reach: float) -> Rect:
        x, y = self.middle(cell)
        return x - reach, y - reach, x + reach, y + reach

    def octagon_outline(self, cell: Cell) -> tuple[tuple[float, float], ...]:
        x, y = self.middle(cell)
        outline = boardmap.octagon_outline(self.grid.octagon)
        return tuple((x + point.x, y + point.y) for point in outline)

    def key_of(self, cell: Cell) -> str:
        """The piece and its own cell, as pieces lie in the empty photo."""
        column, row = cell_place(cell)
        quadrant = ("N" if row < self.rows else "S") + ("W" if column < self.columns else "E")
        return f"{QUADRANTS[quadrant]}/{cell_name(column % self.columns, row % self.rows)}"

    def cell_of(self, key: str) -> Cell | None:
        """Where the cell of a piece lies on the empty board; None for no piece."""
        piece, _, own = key.partition("/")
        place = next((place for place, name in QUADRANTS.items() if name == piece), None)
        if place is None:
            return None
        column, row = cell_place(own)
        return cell_name(column + ("E" in place) * self.columns, row + ("S" in place) * self.rows)

    def keys_of_spaces(self) -> dict[str, Cell]:
        """Where each landscape space lies on the empty board, by its key."""
        return {self.key_of(cell): cell for cell in self.landscapes()}
