"""A Castelli set, told to the vision room in its own words: sheets, slots, scales and assemblies.

The four board pieces, the frame and the resource charts are sheets; meadows hold tiles, building sites,
grain and wood areas hold castles, the middle of each landscape space holds a village or a city, and
the charts and the victory point track are scales. The vision room learns no more of Castelli than this.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.scoring.castelli.board import Quadrant, cell_name, cell_place
from companion.scoring.castelli.components import Area, Cell, GameSet, Kind, Tile, Town
from companion.table.castelli.boardmap import area_outlines, is_space, octagon_outline
from companion.vision.model import (
    Assembly,
    Design,
    Faces,
    PieceForm,
    Pieces,
    Place,
    Polygon,
    Scale,
    Sheet,
    Slot,
)

FRAME = "frame"
CHART = "chart"
TRACK = "track"
DOWN = "down"
CASTLE = "castle/"
TOURNAMENT = "tournament"

# How far from a building site or a space's middle a piece is still meant to stand there, as part of the
# pitch: two sites of one area lie about a third of the pitch apart, so a fifth keeps them apart.
SITE_REACH = 0.2
# A castle may be built over once (p. 8), so a stack has two at the most.
MOST_CASTLES = 2


def design_of(game_set: GameSet) -> Design:
    pieces = {name: _piece_sheet(game_set, name) for name in game_set.pieces}
    return Design(
        name=game_set.name,
        sheets={**pieces, CHART: _chart_sheet(game_set), FRAME: _frame_sheet(game_set)},
        assemblies=(_full(game_set), _two(game_set), _tournament(game_set)),
        slots={name: tuple(slots_of(game_set, name)) for name in game_set.pieces},
        scales=(*_resource_scales(game_set), _track(game_set)),
        forms={CASTLE + c: PieceForm(CASTLE + c, 0.0, 0.0, paint=c) for c in game_set.colours},
    )


def middle(game_set: GameSet, cell: Cell) -> tuple[float, float]:
    """The middle of a cell, in millimetres of its piece."""
    column, row = cell_place(cell)
    return (column + 0.5) * game_set.geometry.pitch, (row + 0.5) * game_set.geometry.pitch


def _area(game_set: GameSet, area: Area) -> Polygon:
    """Where an area lies, from the middle of its octagon; its parts meet there where it has two."""
    return tuple(
        (point.x, point.y) for part in area_outlines(area, game_set.geometry.octagon) for point in part
    )


def _octagon(game_set: GameSet) -> Polygon:
    return tuple((point.x, point.y) for point in octagon_outline(game_set.geometry.octagon))


def _moved(outline: Polygon, by: tuple[float, float]) -> Polygon:
    return tuple((x + by[0], y + by[1]) for x, y in outline)


def _square(reach: float) -> Polygon:
    return (-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)


def _rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def meadows(game_set: GameSet) -> Iterator[Cell]:
    """The cells of a piece that take a tile: column and row number add up to an even number."""
    for row in range(game_set.rows):
        for column in range(game_set.columns):
            if not is_space(column, row):
                yield cell_name(column, row)


def _piece_sheet(game_set: GameSet, name: str) -> Sheet:
    octagons = [_moved(_octagon(game_set), middle(game_set, cell)) for cell in game_set.pieces[name].spaces]
    # octagons that touch at their diagonal sides leave a square between four of them
    between = game_set.geometry.pitch - game_set.geometry.octagon / 2
    squares = [_moved(_square(between), middle(game_set, cell)) for cell in meadows(game_set)]
    return Sheet(name, tuple(octagons + squares))


def _chart_sheet(game_set: GameSet) -> Sheet:
    geometry = game_set.geometry
    return Sheet(CHART, (_rectangle(0, 0, geometry.chart, geometry.height - 2 * geometry.frame),))


def _frame_sheet(game_set: GameSet) -> Sheet:
    g = game_set.geometry
    return Sheet(
        FRAME,
        (
            _rectangle(0, 0, g.width, g.frame),
            _rectangle(0, g.height - g.frame, g.width, g.height),
            _rectangle(0, g.frame, g.frame, g.height - g.frame),
            _rectangle(g.width - g.frame, g.frame, g.width, g.height - g.frame),
        ),
    )


def slots_of(game_set: GameSet, piece: str) -> Iterator[Slot]:
    """What may lie on a board piece, by cells of the piece that is not turned."""
    geometry = game_set.geometry
    tiles = Faces(
        names=(*game_set.tiles, DOWN),
        turns=4,
        thickness=0.0,
        size=(geometry.tile, geometry.tile),
        plain=(DOWN,),
        once=tuple(game_set.tiles),
        parts={name: _arms(tile) for name, tile in game_set.tiles.items()},
    )
    castles = tuple(CASTLE + colour for colour in game_set.colours)
    site = _square(SITE_REACH * geometry.pitch)
    for cell in meadows(game_set):
        yield Slot(cell, piece, _moved(_square(geometry.tile / 2), middle(game_set, cell)), tiles)
    for cell, space in game_set.pieces[piece].spaces.items():
        at = middle(game_set, cell)
        for number, area in enumerate(space.areas):
            for index, point in enumerate(area.sites):
                outline = _moved(site, (at[0] + point.x, at[1] + point.y))
                yield Slot(f"{cell}/{number}/{index}", piece, outline, Pieces(castles, MOST_CASTLES))
            if area.kind in (Kind.GRAIN, Kind.WOOD):
                outline = _moved(_area(game_set, area), at)
                holds = Pieces(castles, MOST_CASTLES, anywhere=True)
                yield Slot(f"{cell}/{number}/0", piece, outline, holds)
        if all(area.kind is not Kind.MINE for area in space.areas):
            yield Slot(f"{cell}/town", piece, _moved(site, at), Pieces(tuple(Town)))


def _arms(tile: Tile) -> tuple[str, ...]:
    return tuple(f"{arms.colour} {arms.value}" for arms in tile.sides)


def _resource_scales(game_set: GameSet) -> Iterator[Scale]:
    left, top = _chart_corner(game_set), game_set.geometry.frame
    for kind, points in game_set.chart.items():
        spaces = tuple((point.x - left, point.y - top) for point in points)
        # four markers lie side by side on one space, which reaches over most of the chart
        yield Scale(kind.value, CHART, spaces, game_set.colours, game_set.geometry.chart * 0.4)


def _track(game_set: GameSet) -> Scale:
    spaces = tuple((point.x, point.y) for point in game_set.track)
    return Scale(TRACK, FRAME, spaces, game_set.colours, game_set.geometry.frame * 0.5)


def _chart_corner(game_set: GameSet) -> float:
    geometry = game_set.geometry
    return geometry.width - geometry.frame - geometry.chart


def _place(game_set: GameSet, name: str, x: float, y: float) -> Place:
    pitch = game_set.geometry.pitch
    pivot = (game_set.columns * pitch / 2, game_set.rows * pitch / 2)
    return Place(name, tuple(game_set.pieces), x, y, (0, 180), pivot)


def _assembly(game_set: GameSet, name: str, places: list[Place], chart_x: float) -> Assembly:
    geometry = game_set.geometry
    fixed = [Place(FRAME, (FRAME,), 0.0, 0.0), Place(CHART, (CHART,), chart_x, geometry.frame)]
    return Assembly(name, (*places, *fixed), _rectangle(0, 0, geometry.width, geometry.height))


def _full(game_set: GameSet) -> Assembly:
    """Three and four players: all pieces as a square, the charts to its right (p. 2)."""
    x, y = game_set.geometry.origin.x, game_set.geometry.origin.y
    across, down = game_set.columns * game_set.geometry.pitch, game_set.rows * game_set.geometry.pitch
    places = [
        _place(game_set, "NW", x, y),
        _place(game_set, "NE", x + across, y),
        _place(game_set, "SW", x, y + down),
        _place(game_set, "SE", x + across, y + down),
    ]
    return _assembly(game_set, "full", places, _chart_corner(game_set))


def _two(game_set: GameSet) -> Assembly:
    """Two players: two pieces, the charts beside them, then two pieces face down (p. 7)."""
    x, y = game_set.geometry.origin.x, game_set.geometry.origin.y
    across, down = game_set.columns * game_set.geometry.pitch, game_set.rows * game_set.geometry.pitch
    places = [_place(game_set, "NW", x, y), _place(game_set, "SW", x, y + down)]
    return _assembly(game_set, "two", places, _chart_corner(game_set) - across)


def _tournament(game_set: GameSet) -> Assembly:
    """Two boards of two pieces with the charts between them (p. 8)."""
    x, y = game_set.geometry.origin.x, game_set.geometry.origin.y
    across, down = game_set.columns * game_set.geometry.pitch, game_set.rows * game_set.geometry.pitch
    east = x + across + game_set.geometry.chart
    places = [
        _place(game_set, "NW", x, y),
        _place(game_set, "NE", east, y),
        _place(game_set, "SW", x, y + down),
        _place(game_set, "SE", east, y + down),
    ]
    return _assembly(game_set, TOURNAMENT, places, _chart_corner(game_set) - across)


def board_cell(game_set: GameSet, place: str, turned: int, cell: Cell) -> Cell:
    """The name on the board of a piece's own cell, once the piece lies in its quadrant."""
    column, row = cell_place(cell)
    if turned % 360 == 180:
        column, row = game_set.columns - 1 - column, game_set.rows - 1 - row
    quadrant = Quadrant(place)
    return cell_name(column + game_set.columns * quadrant.is_east, row + game_set.rows * quadrant.is_south)
