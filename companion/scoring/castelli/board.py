"""The assembled board: pieces laid side by side, turned, and everything about them worked out once.

Questions such as "which tiles border this area" are asked thousands of times a game, so `assemble`
answers them all beforehand.

The charts and the rim. The print along the east side of the field (`frame["H1/E"]` and so on) lies
against the resource charts, and the German, Italian and Dutch rulebooks say that the charts carry arms
too (p. 5). It is therefore taken to travel with the charts: with two players the charts lie beside the
only column of pieces (p. 7), and `H1/E` then stands beside `D1`. The other long side of the charts has no
print, nor has the frame where the charts used to lie: there a tile gets no gift and an octagon borders on
neutral arms. A set that knows better names the place itself (`frame["D1/E"]`, `frame["E1/W"]`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from companion.scoring.castelli.components import (
    CARD,
    Area,
    Cell,
    Colour,
    GameSet,
    Gift,
    Kind,
    Side,
    Space,
    Town,
)

AreaId = str
"""`"B3/1"`: the octagon's cell on the board and the number of the area on its piece."""
SiteKey = str
"""`"B3/1/0"`: an area and the number of the castle site in it; 0 in a grain or wood area."""
RimId = str
"""`"A1/N"`: a side of a tile slot that lies at the rim and has a gift printed beside it."""


class Quadrant(StrEnum):
    NW = "NW"
    NE = "NE"
    SW = "SW"
    SE = "SE"

    @property
    def is_east(self) -> bool:
        return self in (Quadrant.NE, Quadrant.SE)

    @property
    def is_south(self) -> bool:
        return self in (Quadrant.SW, Quadrant.SE)


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece and how it is turned: 0 or 180 degrees."""

    piece: str
    turned: int = 0


@dataclass(frozen=True, slots=True)
class Assembly:
    """Which piece lies in which quadrant; quadrants not named are empty or lie face down."""

    pieces: tuple[tuple[Quadrant, Placed], ...]
    spare_mine: Cell | None = None
    """The octagon covered by the tournament's spare mine tile."""

    @classmethod
    def of(cls, pieces: Mapping[str, Placed], spare_mine: Cell | None = None) -> Assembly:
        """`Assembly.of({"NW": Placed("P1"), "SW": Placed("P3", 180)})`, in any order."""
        by_quadrant = {Quadrant(name): placed for name, placed in pieces.items()}
        return cls(tuple((q, by_quadrant[q]) for q in Quadrant if q in by_quadrant), spare_mine)

    @classmethod
    def column(cls, top: Placed, bottom: Placed) -> Assembly:
        """Two players: the mine's piece and one other, west of the charts (p. 7)."""
        return cls(((Quadrant.NW, top), (Quadrant.SW, bottom)))


@dataclass(frozen=True, slots=True)
class BoardArea:
    """An area where it lies on the board."""

    id: AreaId
    cell: Cell
    kind: Kind
    symbols: int
    sides: tuple[Side, ...]
    """Sides of the octagon it reaches, the piece's turn included."""
    borders: tuple[tuple[Cell, Side], ...]
    """The tile slots beside it, each with the side of the tile that looks at the area."""
    neutral: tuple[Side, ...]
    """Sides at the rim: neutral arms, worth 0."""
    sites: tuple[SiteKey, ...]
    """Building sites of a rocks area; the one place for a castle in a grain or wood area."""


@dataclass(frozen=True, slots=True)
class BoardSpace:
    """An octagon where it lies on the board."""

    cell: Cell
    areas: tuple[BoardArea, ...]
    printed: Town | None
    borders: tuple[tuple[Cell, Side], ...]
    """All tile slots beside it, each with the side of the tile that looks at it."""
    lines: tuple[Cell, ...]
    """The other octagons in its row, then those in its column."""


@dataclass(frozen=True, slots=True)
class Rim:
    """A gift printed beside a tile slot."""

    id: RimId
    slot: Cell
    side: Side
    gift: Gift


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Everything the rules ask about an assembled board. Two boards are equal where set and assembly are."""

    set: GameSet
    assembly: Assembly
    slots: tuple[Cell, ...] = field(repr=False)
    """Tile slots in reading order."""
    spaces: Mapping[Cell, BoardSpace] = field(repr=False)
    areas: Mapping[AreaId, BoardArea] = field(repr=False)
    sites: Mapping[SiteKey, BoardArea] = field(repr=False)
    rims: Mapping[RimId, Rim] = field(repr=False)
    areas_at: Mapping[Cell, tuple[BoardArea, ...]] = field(repr=False)
    """The areas that border each slot."""
    rims_at: Mapping[Cell, tuple[Rim, ...]] = field(repr=False)
    mines: tuple[BoardArea, ...] = field(repr=False)
    """One on a proper board; a messy table may have none."""
    bits: Mapping[Cell, int] = field(repr=False)
    """A bit for each slot."""
    masks: tuple[tuple[int, BoardArea], ...] = field(repr=False)
    """Areas evaluated during the game, each with the bits of the slots it waits for."""
    faces: Mapping[str, tuple[tuple[Colour, int, bool], ...]] = field(repr=False)
    """For each tile, clockwise from its own north: colour, heraldic points, is it a card icon."""
    colours: tuple[Colour, ...]
    """The set's colours, in play or not."""
    columns: int
    rows: int

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.assembly == other.assembly and (self.set is other.set or self.set == other.set)

    def __hash__(self) -> int:
        return hash(self.assembly)

    @property
    def printed_towns(self) -> dict[Cell, Town]:
        return {cell: space.printed for cell, space in self.spaces.items() if space.printed is not None}


def cell_name(column: int, row: int) -> Cell:
    """Column and row from 0; columns after Z go on as AA, AB, as in a spreadsheet."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(65 + letter) + letters
    return f"{letters}{row + 1}"


@lru_cache(maxsize=4096)
def cell_place(cell: Cell) -> tuple[int, int]:
    """Column and row from 0; `ValueError` where it is no cell."""
    letters = cell.rstrip("0123456789")
    digits = cell[len(letters) :]
    if not letters or not digits or not (letters.isascii() and letters.isupper()) or digits[0] == "0":
        raise ValueError(f"“{cell}” is no cell; a cell is a column letter and a row number, such as B3.")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column - 1, int(digits) - 1


def neighbour(cell: Cell, side: Side) -> tuple[int, int]:
    column, row = cell_place(cell)
    return column + (0, 1, 0, -1)[side], row + (-1, 0, 1, 0)[side]


def assembly_problems(game_set: GameSet, assembly: Assembly) -> list[str]:
    """Every reason why these pieces cannot be laid out, each a sentence."""
    problems = []
    if not assembly.pieces:
        problems.append("The arrangement names no board piece; name at least one, such as NW.")
    names = [placed.piece for _, placed in assembly.pieces]
    for quadrant, placed in assembly.pieces:
        if placed.piece not in game_set.pieces:
            known = ", ".join(game_set.pieces)
            problems.append(f"{quadrant}: the set has no board piece “{placed.piece}”; it has {known}.")
        if placed.turned not in (0, 180):
            problems.append(f"{quadrant}: a piece is turned by 0 or 180 degrees, not by {placed.turned}.")
    for name, times in Counter(names).items():
        if times > 1:
            problems.append(f"Board piece “{name}” lies in {times} places.")
    spare = assembly.spare_mine
    if not problems and spare is not None and spare not in _spaces(game_set, assembly)[0]:
        problems.append(f"The spare mine tile lies on {spare}, which is no landscape space of this board.")
    return problems


def assemble(game_set: GameSet, assembly: Assembly) -> Board:
    """Lay the pieces out; `ValueError` with every problem where that cannot be done."""
    if problems := assembly_problems(game_set, assembly):
        raise ValueError(" ".join(problems))
    spaces, meadows = _spaces(game_set, assembly)
    bits = {slot: 1 << number for number, slot in enumerate(meadows)}
    placed = {cell: _board_space(cell, space, spaces, bits) for cell, space in spaces.items()}
    areas = {area.id: area for space in placed.values() for area in space.areas}
    reach = [(sum(bits[slot] for slot in dict(area.borders)), area) for area in areas.values()]
    rims = [
        Rim(f"{slot}/{side.name}", slot, side, gift)
        for slot in meadows
        for side in Side
        if (gift := _gift(game_set, assembly, slot, side, spaces, bits)) not in (None, Gift.NEUTRAL)
    ]
    return Board(
        set=game_set,
        assembly=assembly,
        slots=meadows,
        spaces=placed,
        areas=areas,
        sites={site: area for area in areas.values() for site in area.sites},
        rims={rim.id: rim for rim in rims},
        areas_at={slot: tuple(area for mask, area in reach if mask & bit) for slot, bit in bits.items()},
        rims_at={slot: tuple(rim for rim in rims if rim.slot == slot) for slot in meadows},
        mines=tuple(area for area in areas.values() if area.kind is Kind.MINE),
        bits=bits,
        masks=tuple((mask, area) for mask, area in reach if mask and area.kind is not Kind.MINE),
        faces={
            tile.id: tuple((arms.colour, arms.points, arms.value == CARD) for arms in tile.sides)
            for tile in game_set.tiles.values()
        },
        colours=game_set.colours,
        columns=max(cell_place(cell)[0] for cell in (*spaces, *meadows)) + 1,
        rows=max(cell_place(cell)[1] for cell in (*spaces, *meadows)) + 1,
    )


_SPARE_MINE = Space((Area(Kind.MINE, tuple(Side), 0),))


def _spaces(game_set: GameSet, assembly: Assembly) -> tuple[dict[Cell, Space], tuple[Cell, ...]]:
    """Octagons by their cell on the board with sides turned, and the meadows; both in reading order."""
    spaces: dict[tuple[int, int], Space] = {}
    meadows: list[tuple[int, int]] = []
    for quadrant, placed in assembly.pieces:
        piece = game_set.pieces[placed.piece]
        columns, rows = game_set.columns, game_set.rows
        left = columns if quadrant.is_east else 0
        top = rows if quadrant.is_south else 0
        for row in range(rows):
            for column in range(columns):
                own = (columns - 1 - column, rows - 1 - row) if placed.turned else (column, row)
                space = piece.spaces.get(cell_name(*own))
                if space is None:
                    meadows.append((top + row, left + column))
                else:
                    spaces[(top + row, left + column)] = _turned(space, placed.turned)
    named = {cell_name(column, row): spaces[row, column] for row, column in sorted(spaces)}
    if assembly.spare_mine in named:
        named[assembly.spare_mine] = _SPARE_MINE
    return named, tuple(cell_name(column, row) for row, column in sorted(meadows))


def _turned(space: Space, degrees: int) -> Space:
    if not degrees:
        return space
    areas = tuple(
        Area(a.kind, tuple(side.turned(degrees // 90) for side in a.sides), a.symbols, a.sites, a.polygon)
        for a in space.areas
    )
    return Space(areas, space.printed)


def _board_space(
    cell: Cell, space: Space, spaces: Mapping[Cell, Space], meadows: Collection[Cell]
) -> BoardSpace:
    beside: dict[Side, Cell] = {}
    for side in Side:
        column, row = neighbour(cell, side)
        if column >= 0 and row >= 0 and (slot := cell_name(column, row)) in meadows:
            beside[side] = slot
    areas = tuple(
        BoardArea(
            id=f"{cell}/{number}",
            cell=cell,
            kind=area.kind,
            symbols=area.symbols,
            sides=area.sides,
            borders=tuple((beside[side], side.turned(2)) for side in area.sides if side in beside),
            neutral=tuple(side for side in area.sides if side not in beside),
            sites=_site_keys(f"{cell}/{number}", area),
        )
        for number, area in enumerate(space.areas)
    )
    column, row = cell_place(cell)
    in_row = [c for c in spaces if c != cell and cell_place(c)[1] == row]
    in_column = [c for c in spaces if c != cell and cell_place(c)[0] == column]
    borders = tuple((slot, side.turned(2)) for side, slot in beside.items())
    return BoardSpace(cell, areas, space.printed, borders, (*in_row, *in_column))


def _site_keys(area_id: AreaId, area: Area) -> tuple[SiteKey, ...]:
    if area.kind is Kind.ROCKS:
        return tuple(f"{area_id}/{number}" for number in range(len(area.sites)))
    if area.kind in (Kind.GRAIN, Kind.WOOD):
        return (f"{area_id}/0",)
    return ()


def _gift(
    game_set: GameSet,
    assembly: Assembly,
    slot: Cell,
    side: Side,
    spaces: Mapping[Cell, Space],
    meadows: Collection[Cell],
) -> Gift | None:
    """What the rim shows beside a side of a slot; None inside the field and where nothing is printed."""
    column, row = neighbour(slot, side)
    if column >= 0 and row >= 0 and ((other := cell_name(column, row)) in spaces or other in meadows):
        return None
    own = game_set.frame.get((slot, side))
    has_west = any(not quadrant.is_east for quadrant, _ in assembly.pieces)
    has_east = any(quadrant.is_east for quadrant, _ in assembly.pieces)
    if side is not Side.E or (has_west and has_east):
        return own
    if has_east:
        return None  # the charts, with their print, lie west of it
    beside_charts = cell_name(2 * game_set.columns - 1, cell_place(slot)[1])
    return own or game_set.frame.get((beside_charts, Side.E))
