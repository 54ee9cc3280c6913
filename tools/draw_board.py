"""Draws the board of a game, from above, into a picture for the README.

    .venv/bin/python tools/draw_board.py GAME.json OUT.png

Colours of players are the ones that their names stand for; everything else is the pen of this file.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image, ImageColor, ImageDraw, ImageFont

from companion.scoring.castelli.board import cell_name, cell_place
from companion.scoring.castelli.components import Area, Gift, Kind, Point, Side, Space, Tile, Town
from companion.scoring.castelli.position import DOWN, FaceUp, Position
from companion.table.castelli.boardmap import (
    Outline,
    area_outlines,
    cell_middle,
    middle_of,
    moved,
    octagon_outline,
    turned,
)
from companion.table.castelli.gamefile import load_game

SCALE = 2.2  # pixels of the picture for a millimetre
FINER = 3  # it is drawn this much larger and reduced, for smooth edges

INK, PAPER, FRAME, MEADOW, CARDBOARD = "#3a2f25", "#efe4cb", "#d9c69c", "#cdd8a4", "#8a6d4b"
GROUND = {
    Kind.WOOD: "#9db77f",
    Kind.GRAIN: "#ead48a",
    Kind.ROCKS: "#c3bcb2",
    Kind.MARKET: "#e3b79a",
    Kind.MINE: "#a9b4c4",
}


class Pen:
    """Millimetres in, pixels out."""

    def __init__(self, width: float, height: float) -> None:
        self.unit = SCALE * FINER
        self.image = Image.new("RGB", (round(width * self.unit), round(height * self.unit)), PAPER)
        self.draw = ImageDraw.Draw(self.image)

    def polygon(
        self, outline: Sequence[Point], fill: str, line: str | None = INK, width: float = 0.5
    ) -> None:
        self.draw.polygon(self.pixels(outline), fill=fill)
        if line is not None:
            self.outline(outline, width, line)

    def outline(self, outline: Sequence[Point], width: float, line: str = INK) -> None:
        closed = self.pixels((*outline, outline[0], outline[1]))
        self.draw.line(closed, fill=line, width=round(width * self.unit), joint="curve")

    def pixels(self, points: Sequence[Point]) -> list[tuple[float, float]]:
        return [(point.x * self.unit, point.y * self.unit) for point in points]

    def dot(self, at: Point, radius: float, fill: str, line: str | None = INK) -> None:
        box = [(at.x - radius) * self.unit, (at.y - radius) * self.unit,
               (at.x + radius) * self.unit, (at.y + radius) * self.unit]  # fmt: skip
        self.draw.ellipse(box, fill=fill, outline=line, width=round(0.4 * self.unit))

    def text(self, at: Point, words: str, size: float, fill: str = INK) -> None:
        font = ImageFont.load_default(size * self.unit)
        self.draw.text((at.x * self.unit, at.y * self.unit), words, fill=fill, font=font, anchor="mm")

    def finished(self) -> Image.Image:
        return self.image.reduce(FINER)


def drawn(position: Position) -> Image.Image:
    """The whole board, from the ground up."""
    geometry = position.board.set.geometry
    pen = Pen(geometry.width, geometry.height)
    draw_frame(pen, position)
    draw_spaces(pen, position)
    draw_tiles(pen, position)
    draw_pieces(pen, position)
    draw_markers(pen, position)
    return pen.finished()


def draw_frame(pen: Pen, position: Position) -> None:
    game_set = position.board.set
    geometry = game_set.geometry
    pen.polygon(box(Point(geometry.width / 2, geometry.height / 2), geometry.width, geometry.height), FRAME)
    inner = geometry.frame
    field = position.board.columns * geometry.pitch + 2 * (geometry.origin.x - inner)
    down = geometry.height - 2 * inner
    pen.polygon(box(Point(inner + field / 2, geometry.height / 2), field, down), MEADOW)
    pen.polygon(
        box(Point(inner + field + geometry.chart / 2, geometry.height / 2), geometry.chart, down), PAPER
    )
    for spot in game_set.track:
        pen.dot(spot, 4.6, PAPER, CARDBOARD)
    for number, spot in enumerate(game_set.track):
        if number % 5 == 0:
            pen.text(spot, str(number), 4, CARDBOARD)
    for kind, scale in game_set.chart.items():
        for number, spot in enumerate(scale):
            pen.polygon(box(spot, geometry.chart - 8, 15), GROUND[kind], CARDBOARD, 0.3)
            pen.text(Point(spot.x - geometry.chart / 2 + 9, spot.y), str(number), 5, CARDBOARD)
    for column in range(position.board.columns):
        middle = cell_middle(geometry, column, 0)
        pen.text(Point(middle.x - 10, inner - 5), cell_name(column, 0)[:-1], 6, CARDBOARD)
    for row in range(position.board.rows):
        pen.text(Point(inner - 5, cell_middle(geometry, 0, row).y - 10), str(row + 1), 6, CARDBOARD)
    for rim in position.board.rims.values():
        column, row = cell_place(rim.slot)
        out = geometry.pitch / 2 + geometry.origin.x - geometry.frame + 5
        outwards = turned(Point(0, -out), 90 * rim.side)
        middle = cell_middle(geometry, column, row)
        if rim.side is Side.E:  # printed beside the charts
            outwards = Point(geometry.pitch / 2 + 4, 0)
        draw_gift(pen, Point(middle.x + outwards.x, middle.y + outwards.y), rim.gift)


def draw_gift(pen: Pen, at: Point, gift: Gift) -> None:
    if gift is Gift.CARD:
        pen.polygon(box(at, 5, 7), "#fffaf0")
    elif gift is Gift.SILVER:
        pen.polygon(box(at, 5, 5), "#dfe3e8")
    else:
        symbol(pen, at, Kind(gift.value), 3.4)


def draw_spaces(pen: Pen, position: Position) -> None:
    octagon = position.board.set.geometry.octagon
    for _, space, middle, degrees in laid_spaces(position):
        for area in space.areas:
            draw_area(pen, area, middle, degrees, octagon)
        pen.outline(moved(octagon_outline(octagon), middle), 0.9)


def laid_spaces(position: Position) -> Iterator[tuple[str, Space, Point, int]]:
    """Every landscape space with its cell on the board, its middle and how it is turned."""
    game_set = position.board.set
    for quadrant, placed in position.board.assembly.pieces:
        for own_cell, space in game_set.pieces[placed.piece].spaces.items():
            column, row = cell_place(own_cell)
            if placed.turned:
                column, row = game_set.columns - 1 - column, game_set.rows - 1 - row
            column += game_set.columns * quadrant.is_east
            row += game_set.rows * quadrant.is_south
            middle = cell_middle(game_set.geometry, column, row)
            yield cell_name(column, row), space, middle, placed.turned


def draw_area(pen: Pen, area: Area, middle: Point, degrees: int, octagon: float) -> None:
    outlines = area_outlines(area, octagon)
    for outline in outlines:
        pen.polygon(moved(outline, middle, degrees), GROUND[area.kind])
    for place in symbol_places(area, outlines[0], octagon):
        symbol(pen, moved([place], middle, degrees)[0], area.kind, 3.2)
    for site in area.sites:
        (at,) = moved([site], middle, degrees)
        pen.dot(at, 4.6, "#f6f1e6")


def symbol_places(area: Area, outline: Outline, octagon: float) -> list[Point]:
    """Side by side across the area: outside of the town, and in rocks inside of the castle sites."""
    middle = middle_of(outline)
    length = math.hypot(middle.x, middle.y)
    way = Point(middle.x / length, middle.y / length) if length > 1 else Point(0, -1)
    out = octagon * (0.18 if area.kind is Kind.ROCKS else 0.3)
    steps = [7 * (number - (area.symbols - 1) / 2) for number in range(area.symbols)]
    return [Point(way.x * out - way.y * step, way.y * out + way.x * step) for step in steps]


def symbol(pen: Pen, at: Point, kind: Kind, size: float) -> None:
    """Tree, sheaf, boulder or tent."""
    if kind is Kind.WOOD:
        pen.polygon(box(Point(at.x, at.y + size * 0.8), size * 0.4, size * 0.7), "#6b4a2b", None)
        pen.polygon(shape(at, [(0, -1.2), (0.9, 0.6), (-0.9, 0.6)], size), "#3f6b38", INK, 0.3)
    elif kind is Kind.GRAIN:
        for lean in (-0.6, 0.0, 0.6):
            ear = [(lean, -1.1), (lean + 0.3, -0.4), (0.1, 1.0), (-0.1, 1.0), (lean - 0.3, -0.4)]
            pen.polygon(shape(at, ear, size), "#c9942c", INK, 0.2)
    elif kind is Kind.ROCKS:
        pen.polygon(
            shape(at, [(-1, 0.7), (-0.7, -0.4), (-0.1, -0.9), (0.7, -0.5), (1, 0.7)], size),
            "#85807a",
            INK,
            0.3,
        )
    elif kind is Kind.MARKET:
        pen.polygon(shape(at, [(0, -1.0), (1.1, 0.8), (-1.1, 0.8)], size), "#b5532f", INK, 0.3)
        pen.polygon(shape(at, [(0, -0.2), (0.35, 0.8), (-0.35, 0.8)], size), PAPER, None)


def draw_tiles(pen: Pen, position: Position) -> None:
    geometry = position.board.set.geometry
    for cell in position.board.slots:
        slot = position.slot(cell)
        middle = cell_middle(geometry, *cell_place(cell))
        if slot == DOWN:
            pen.polygon(box(middle, geometry.tile, geometry.tile), CARDBOARD)
            pen.text(middle, cell, 6, PAPER)
        elif isinstance(slot, FaceUp):
            draw_tile(pen, middle, position.board.set.tiles[slot.tile], slot.turns, geometry.tile)


def draw_tile(pen: Pen, middle: Point, tile: Tile, turns: int, size: float) -> None:
    pen.polygon(box(middle, size, size), PAPER)
    for side in Side:
        arms = tile.facing(side, turns)
        at = moved([turned(Point(0, -size * 0.29), 90 * side)], middle)[0]
        outline = shape(at, [(-0.9, -1), (0.9, -1), (0.9, 0.2), (0, 1.15), (-0.9, 0.2)], size * 0.16)
        pen.polygon(outline, arms.colour, INK, 0.3)
        if arms.value == "card":
            pen.polygon(box(at, size * 0.11, size * 0.16), "#fffaf0", INK, 0.3)
        else:
            pen.text(Point(at.x, at.y - 0.2), str(arms.value), size * 0.24, on_top_of(arms.colour))
    for number in range(tile.silver):
        pen.polygon(
            box(Point(middle.x + (number - (tile.silver - 1) / 2) * 3, middle.y), 2.4, 2.4),
            "#dfe3e8",
            INK,
            0.3,
        )


def draw_pieces(pen: Pen, position: Position) -> None:
    geometry = position.board.set.geometry
    for cell, town in position.towns.items():
        draw_town(pen, cell_middle(geometry, *cell_place(cell)), town)
    for mine in position.board.mines:
        middle = cell_middle(geometry, *cell_place(mine.cell))
        for number in range(position.mine):
            cube = Point(middle.x + (number % 5 - 2) * 6, middle.y + (number // 5 - 1) * 6)
            pen.polygon(box(cube, 4, 4), "#dfe3e8")
    places = site_places(position)
    for site, stack in position.castles.items():
        for height, colour in enumerate(stack):
            at = Point(places[site].x, places[site].y - 4 * height)
            draw_castle(pen, at, colour)


def site_places(position: Position) -> dict[str, Point]:
    """Where on the board a castle stands on each site; in the middle of a grain or wood area."""
    octagon = position.board.set.geometry.octagon
    places = {}
    for cell, space, middle, degrees in laid_spaces(position):
        for number, area in enumerate(space.areas):
            spots = area.sites or (middle_of(area_outlines(area, octagon)[0]),)
            for site, spot in enumerate(moved(spots, middle, degrees)):
                places[f"{cell}/{number}/{site}"] = spot
    return places


def draw_town(pen: Pen, at: Point, town: Town) -> None:
    """A house, or a church between two houses."""
    if town is Town.CITY:
        for aside in (-4.2, 4.2):
            house(pen, Point(at.x + aside, at.y + 1.4), 2.6)
        pen.polygon(
            shape(at, [(-0.7, 1.2), (-0.7, -0.8), (0, -2.4), (0.7, -0.8), (0.7, 1.2)], 3.4), "#f7f2ea"
        )
    else:
        house(pen, at, 3.4)


def house(pen: Pen, at: Point, size: float) -> None:
    pen.polygon(shape(at, [(-0.9, 1), (-0.9, -0.2), (0.9, -0.2), (0.9, 1)], size), "#f7f2ea", INK, 0.4)
    pen.polygon(shape(at, [(-1.15, -0.2), (0, -1.3), (1.15, -0.2)], size), "#a8472f", INK, 0.4)


def draw_castle(pen: Pen, at: Point, colour: str) -> None:
    wall = [(-1, 1.1), (-1, -1.1), (-0.6, -1.1), (-0.6, -0.6), (-0.2, -0.6), (-0.2, -1.1), (0.2, -1.1),
            (0.2, -0.6), (0.6, -0.6), (0.6, -1.1), (1, -1.1), (1, 1.1)]  # fmt: skip
    pen.polygon(shape(at, wall, 4.6), colour, INK, 0.6)


def draw_markers(pen: Pen, position: Position) -> None:
    """Points on the track and resources on the scales, side by side."""
    game_set = position.board.set
    for number, player in enumerate(position.players):
        track = game_set.track[player.points % len(game_set.track)]
        pen.dot(Point(track.x, track.y), 3.6, player.colour)
        for kind, scale in game_set.chart.items():
            spot = scale[min(player.resource(kind), len(scale) - 1)]
            aside = (number - (len(position.players) - 1) / 2) * 9 + 3
            pen.dot(Point(spot.x + aside, spot.y), 3.6, player.colour)


def box(middle: Point, width: float, height: float) -> list[Point]:
    return shape(middle, [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2),
                          (-width / 2, height / 2)], 1)  # fmt: skip


def shape(at: Point, points: Sequence[tuple[float, float]], size: float) -> list[Point]:
    return [Point(at.x + x * size, at.y + y * size) for x, y in points]


def on_top_of(colour: str) -> str:
    """Dark ink on light shields, light ink on dark ones."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return INK if 0.3 * red + 0.6 * green + 0.1 * blue > 140 else "white"


if __name__ == "__main__":
    picture = drawn(load_game(Path(sys.argv[1])).game.position)
    picture.quantize(128).save(sys.argv[2], optimize=True)
