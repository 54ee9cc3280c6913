"""Castelli sets made in code: every seed another printing, all with the counts of the box."""

from __future__ import annotations

import random
from functools import cache

from companion.scoring.castelli.board import Assembly, Board, Placed, assemble, cell_name
from companion.scoring.castelli.components import (
    CARD,
    Area,
    Arms,
    Cell,
    GameSet,
    Geometry,
    Gift,
    Kind,
    Piece,
    Point,
    Side,
    Space,
    Tile,
    Town,
)

COLOURS = ("red", "blue", "green", "yellow")
GIFTS = (Gift.WOOD, Gift.GRAIN, Gift.ROCKS, Gift.SILVER, Gift.CARD)
SPLITS = (
    ((0, 1, 2), (3,)),
    ((0, 1), (2, 3)),
    ((0, 1), (2,), (3,)),
    ((0,), (1,), (2,), (3,)),
    ((0, 1, 2, 3),),
)


@cache
def made_set(seed: int, columns: int = 4, rows: int = 4) -> GameSet:
    """Four pieces, one with the mine, 11 villages and 6 cities, 32 + 4 tiles, gifts all round the rim."""
    rng = random.Random(seed)
    octagons = [
        (f"P{number}", cell_name(column, row))
        for number in range(1, 5)
        for row in range(rows)
        for column in range(columns)
        if (column + row) % 2
    ]
    mine, *others = rng.sample(octagons, len(octagons))
    towns = dict(zip(others, [Town.VILLAGE] * 11 + [Town.CITY] * 6, strict=False))
    pieces: dict[str, dict[Cell, Space]] = {f"P{number}": {} for number in range(1, 5)}
    for place in octagons:
        areas = (Area(Kind.MINE, tuple(Side), 0),) if place == mine else _areas(rng)
        pieces[place[0]][place[1]] = Space(areas, towns.get(place))
    return GameSet(
        name=f"made {seed}",
        geometry=Geometry(500, 440, Point(30, 30), 46, 26, 65, 25, 60),
        pieces={name: Piece(name, spaces) for name, spaces in pieces.items()},
        frame=_frame(rng, 2 * columns, 2 * rows),
        tiles={tile.id: tile for tile in _tiles(rng, 2 * columns * rows)},
        chart={},
        track=(),
        columns=columns,
        rows=rows,
    )


def _areas(rng: random.Random) -> tuple[Area, ...]:
    split, shift = rng.choice(SPLITS), rng.randrange(4)
    areas = []
    for group in split:
        kind = rng.choice((Kind.WOOD, Kind.GRAIN, Kind.ROCKS, Kind.ROCKS, Kind.ROCKS, Kind.MARKET))
        sites = (Point(0, 0),) * rng.choice((1, 1, 2)) if kind is Kind.ROCKS else ()
        sides = tuple(Side(side).turned(shift) for side in group)
        areas.append(Area(kind, sides, rng.choice((1, 2, 2, 3)), sites))
    return tuple(areas)


def _frame(rng: random.Random, columns: int, rows: int) -> dict[tuple[Cell, Side], Gift]:
    frame = {}
    for column in range(columns):
        for row in range(rows):
            rim = {
                Side.N: row == 0,
                Side.E: column == columns - 1,
                Side.S: row == rows - 1,
                Side.W: column == 0,
            }
            for side, is_rim in rim.items():
                if is_rim:
                    gift = Gift.NEUTRAL if (column + row) % 2 else rng.choice(GIFTS)
                    frame[cell_name(column, row), side] = gift
    return frame


def _tiles(rng: random.Random, number: int) -> list[Tile]:
    tiles = []
    for count in range(number + 4):
        value = rng.randint(1, 6)
        cards = rng.choice((0, 0, 0, 1, 4)) if value < 3 else 0
        colours = rng.sample(COLOURS, 4)
        arms = [Arms(colour, CARD if place < cards else value) for place, colour in enumerate(colours)]
        rng.shuffle(arms)
        start = count >= number
        name = f"S{count - number + 1}" if start else f"T{count + 1:02}"
        silver = 0 if start else rng.choice((0, 0, 1, 2))
        tiles.append(Tile(name, (arms[0], arms[1], arms[2], arms[3]), silver, start))
    return tiles


def mine_piece(game_set: GameSet) -> str:
    return next(
        name
        for name, piece in game_set.pieces.items()
        if any(area.kind is Kind.MINE for space in piece.spaces.values() for area in space.areas)
    )


def laid_out(game_set: GameSet, players: int, seed: int = 0) -> Board:
    """The pieces at random, as the players would lay them."""
    rng = random.Random(seed)
    first = mine_piece(game_set)
    rest = rng.sample([name for name in game_set.pieces if name != first], 3)
    if players == 2:
        pair = [Placed(name, rng.choice((0, 180))) for name in rng.sample([first, rest[0]], 2)]
        return assemble(game_set, Assembly.column(pair[0], pair[1]))
    names = rng.sample([first, *rest], 4)
    quadrants = dict(zip(("NW", "NE", "SW", "SE"), names, strict=True))
    pieces = {quadrant: Placed(name, rng.choice((0, 180))) for quadrant, name in quadrants.items()}
    return assemble(game_set, Assembly.of(pieces))
