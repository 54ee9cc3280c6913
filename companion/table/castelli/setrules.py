"""What the parts of a set must be to each other: the counts of the rulebook, and a board that fits.

Every rule looks at all of its parts and yields all of its problems. A rule that counts keeps quiet where
some of what it counts could not be read: that is reported already, and a wrong total would mislead.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.scoring.castelli.board import cell_name, cell_place
from companion.scoring.castelli.components import Cell
from companion.table.castelli.boardmap import is_space
from companion.table.castelli.setshape import (
    ChartShape,
    EditionShape,
    GeometryShape,
    SpaceShape,
    Spot,
    TileShape,
)
from companion.table.castelli.spacerules import SLACK, shown, space_problems
from companion.table.jsondoor import Problem, place

VILLAGES, CITIES = 11, 6  # printed on the board, p. 3
TILES, START_TILES = 32, 4  # p. 2 and 7
PIECES, COLUMNS, ROWS = 4, 4, 4  # p. 2-3
TRACK = 70  # spaces 0-69, p. 2


@dataclass(frozen=True)
class Whole:
    """Which sections were read completely, so that counting makes sense."""

    pieces: bool
    frame: bool
    tiles: bool


@dataclass(frozen=True)
class Parts:
    """The well-shaped parts of a set file; a part that could not be read is None or left out."""

    name: str
    edition: EditionShape | None
    geometry: GeometryShape | None
    pieces: Mapping[str, Mapping[Cell, SpaceShape]]
    frame: Mapping[str, str]
    tiles: Mapping[int, TileShape]
    chart: ChartShape | None
    track: list[Spot] | None
    whole: Whole

    @cached_property
    def cells(self) -> tuple[int, int]:
        """Columns and rows of a piece: the rulebook's, the edition's, or as far as the spaces reach."""
        if self.edition is None:
            return COLUMNS, ROWS
        if self.edition.cells is not None:
            return self.edition.cells[0], self.edition.cells[1]
        reach = [found for spaces in self.pieces.values() for cell in spaces if (found := _cell(cell))]
        return tuple(max((at[axis] + 1 for at in reach), default=4) for axis in (0, 1))  # type: ignore[return-value]

    @cached_property
    def board(self) -> tuple[int, int]:
        """Columns and rows of the whole board: two pieces by two; in another edition as far as its frame."""
        columns, rows = self.cells
        if self.edition is None:
            return 2 * columns, 2 * rows
        reach = [found for key in self.frame if (found := _cell(key.partition("/")[0]))]
        across, down = (max((at[axis] + 1 for at in reach), default=0) for axis in (0, 1))
        return max(1, round(across / columns)) * columns, max(1, round(down / rows)) * rows


def problems(parts: Parts) -> list[Problem]:
    """Everything that is wrong with a set, in the order of its file."""
    return [
        *_geometry_problems(parts),
        *_piece_problems(parts),
        *_landscape_problems(parts),
        *_printed_problems(parts),
        *_frame_problems(parts),
        *_tile_problems(parts),
        *_marker_problems(parts),
    ]


def _geometry_problems(parts: Parts) -> Iterator[Problem]:
    geometry = parts.geometry
    if geometry is None:
        return
    touching = geometry.pitch * math.sqrt(2)
    if not geometry.pitch < geometry.octagon <= touching + SLACK:
        yield Problem(
            "geometry.octagon",
            f"octagons reach over their cell and touch their neighbours at most: with a pitch of "
            f"{geometry.pitch:g} that is more than {geometry.pitch:g} and up to {touching:.2f}, "
            f"not {geometry.octagon:g}.",
        )
    if geometry.tile >= geometry.pitch:
        what = f"a tile of {geometry.tile:g} mm does not fit a cell of {geometry.pitch:g} mm."
        yield Problem("geometry.tile", what)
    for axis, (length, cells) in enumerate(zip(("width", "height"), parts.board, strict=True)):
        start, end = geometry.origin[axis], geometry.origin[axis] + cells * geometry.pitch
        if start < 0 or end > getattr(geometry, length) + SLACK:
            yield Problem(
                f"geometry.{length}",
                f"{cells} cells of {geometry.pitch:g} mm from {start:g} on reach to {end:g}, "
                f"outside the board of {getattr(geometry, length):g} mm.",
            )


def _piece_problems(parts: Parts) -> Iterator[Problem]:
    columns, rows = parts.cells
    if columns % 2 or rows % 2:
        yield Problem(
            "edition.cells" if parts.edition and parts.edition.cells else "pieces",
            f"pieces of {columns} x {rows} cells do not make a checkerboard when laid side by side "
            "and turned; both numbers have to be even.",
        )
    if parts.edition is None and parts.pieces and len(parts.pieces) != PIECES:
        yield Problem("pieces", f"the board has {PIECES} pieces, not {len(parts.pieces)}.")
    expected = {cell_name(c, r) for r in range(rows) for c in range(columns) if is_space(c, r)}
    for piece, spaces in parts.pieces.items():
        for cell in sorted(spaces.keys() - expected):
            at = _cell(cell)
            what = "this is not a cell, such as B3."
            if at and at[0] < columns and at[1] < rows:
                what = "this cell of the checkerboard is a meadow with a tile, not a landscape space."
            elif at:
                what = f"this cell lies outside the piece of {columns} x {rows} cells."
            yield Problem(place(("pieces", piece, "spaces", cell)), what)
        if parts.whole.pieces:
            for cell in sorted(expected - spaces.keys()):
                yield Problem(place(("pieces", piece, "spaces", cell)), "this landscape space is missing.")


def _landscape_problems(parts: Parts) -> Iterator[Problem]:
    octagon = parts.geometry.octagon if parts.geometry else None
    for piece, spaces in parts.pieces.items():
        for cell, space in spaces.items():
            where = place(("pieces", piece, "spaces", cell))
            yield from space_problems(space, where, octagon, any_sites=parts.edition is not None)


def _printed_problems(parts: Parts) -> Iterator[Problem]:
    if not parts.whole.pieces:
        return
    spaces = [space for piece in parts.pieces.values() for space in piece.values()]
    mines = [
        place(("pieces", piece, "spaces", cell))
        for piece, inner in parts.pieces.items()
        for cell, space in inner.items()
        if any(area.kind == "mine" for area in space.areas)
    ]
    if len(mines) != 1:
        found = f"{len(mines)} ({', '.join(mines)})" if mines else "none"
        yield Problem("pieces", f"a set has exactly one silver mine, this one has {found}.")
    printed = Counter(space.printed for space in spaces)
    edition = parts.edition
    for kind, several, standard, expected in (
        ("village", "villages", VILLAGES, edition.villages if edition else None),
        ("city", "cities", CITIES, edition.cities if edition else None),
    ):
        count = standard if edition is None else expected
        if count is not None and printed[kind] != count:  # type: ignore[index]
            yield Problem("pieces", f"{count} {several} are printed on the board, not {printed[kind]}.")  # type: ignore[index]


def _frame_problems(parts: Parts) -> Iterator[Problem]:
    columns, rows = parts.board
    rim = _edge_sides(columns, rows, columns, rows)
    edges = _edge_sides(columns, rows, *parts.cells)
    for key, gift in parts.frame.items():
        where = place(("frame", key))
        if key not in edges:
            what = f"this is no side on the rim of a board of {columns} x {rows} cells, such as A1/N."
            yield Problem(where, what)
        elif is_space(*edges[key]) and gift != "neutral":
            yield Problem(where, f"neutral arms stand beside a landscape space, not {gift}.")
        elif not is_space(*edges[key]) and gift == "neutral":
            yield Problem(where, "a gift stands beside a tile, not neutral arms.")
    if parts.whole.frame:
        for key in sorted(rim.keys() - parts.frame.keys()):
            yield Problem(place(("frame", key)), "this side of the rim is missing.")


def _edge_sides(columns: int, rows: int, across: int, down: int) -> dict[str, tuple[int, int]]:
    """The sides, and their cells, along the edges of all pieces of `across` x `down` cells.

    With fewer players pieces lie apart, and what is printed where they part may be in the file too.
    """
    return {
        f"{cell_name(c, r)}/{side}": (c, r)
        for r in range(rows)
        for c in range(columns)
        for side, is_edge in (
            ("N", r % down == 0),
            ("E", c % across == across - 1),
            ("S", r % down == down - 1),
            ("W", c % across == 0),
        )
        if is_edge
    }


def _tile_problems(parts: Parts) -> Iterator[Problem]:
    edition, tiles = parts.edition, parts.tiles
    seen: dict[str, int] = {}
    for index, tile in tiles.items():
        if tile.id in seen:
            yield Problem(f"tiles[{index}].id", f"{tile.id} is already the name of tiles[{seen[tile.id]}].")
        seen.setdefault(tile.id, index)
        colours = [str(colour) for colour, _ in tile.sides]
        if twice := [colour for colour, times in Counter(colours).items() if times > 1]:
            what = f"{', '.join(twice)} stands on tile {tile.id} more than once."
            yield Problem(f"tiles[{index}].sides", what)
    yield from _colour_problems(parts)
    if parts.whole.tiles:
        columns, rows = parts.board
        start = sum(tile.is_start for tile in tiles.values())
        heraldic = len(tiles) - start
        count = (edition.tiles or columns * rows // 2) if edition else TILES
        if heraldic != count:
            yield Problem("tiles", f"a set has {count} heraldic tiles, this one has {heraldic}.")
        start_count = edition.start_tiles if edition else START_TILES
        if start_count is not None and start != start_count:
            yield Problem("tiles", f"a set has {start_count} start tiles (S1, S2 ...), this one has {start}.")


def _colour_problems(parts: Parts) -> Iterator[Problem]:
    """All tiles show the same colours: those the edition names, or those that most tiles agree on."""
    shown = {index: frozenset(str(colour) for colour, _ in tile.sides) for index, tile in parts.tiles.items()}
    if parts.edition and parts.edition.colours:
        known = frozenset(parts.edition.colours)
    else:
        known = max(Counter(shown.values()).items(), key=lambda entry: entry[1], default=(frozenset(), 0))[0]
    for index, colours in shown.items():
        if strange := sorted(colours - known):
            yield Problem(
                f"tiles[{index}].sides",
                f"{', '.join(strange)} is not a colour of the other tiles ({', '.join(sorted(known))}).",
            )


def _marker_problems(parts: Parts) -> Iterator[Problem]:
    """The places of the charts and of the point track lie on the board."""
    if parts.track is not None and parts.edition is None and len(parts.track) != TRACK:
        yield Problem("track", f"the point track has {TRACK} spaces (0-{TRACK - 1}), not {len(parts.track)}.")
    if parts.geometry is None:
        return
    spots = [(f"track[{index}]", spot) for index, spot in enumerate(parts.track or [])]
    if parts.chart is not None:
        for kind in ("wood", "grain", "rocks"):
            spots += [(f"chart.{kind}[{k}]", spot) for k, spot in enumerate(getattr(parts.chart, kind))]
    for where, spot in spots:
        if not (0 <= spot[0] <= parts.geometry.width and 0 <= spot[1] <= parts.geometry.height):
            yield Problem(where, f"{shown(spot)} lies outside the board.")


def _cell(name: str) -> tuple[int, int] | None:
    """Where a cell is, if the name is one; no board is larger than ZZ99."""
    try:
        return cell_place(name) if len(name) <= 4 else None
    except ValueError:
        return None
