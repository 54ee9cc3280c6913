"""What a set is: geometry, split of the spaces, frame, tiles, chart, track, as kit.json holds it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.random import Generator

Kit = dict[str, Any]
XY = tuple[float, float]

SIDES = "NESW"
COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWX"
PIECES = ("P1", "P2", "P3", "P4")
QUADRANTS = ("NW", "NE", "SW", "SE")
KINDS = ("wood", "grain", "rocks")
PIECE = 4, 4  # columns and rows of a piece, where an edition does not say otherwise
VILLAGES, CITIES = 11, 6  # printed on the four pieces together
CASTLES_A_COLOUR = 9
MINE_SILVER = {4: 22, 3: 16, 2: 11}
DRAWS_A_TILE = 500  # the rarest look comes up once in some fifty draws
LEAST_SITES = 22  # the castles photo alone needs twelve, and games want a choice

# Names by which sets call their players; the look of each is the palette's business.
COLOUR_SETS = (
    ("red", "blue", "green", "yellow"),
    ("orange", "black", "white", "purple"),
    ("red", "black", "blue", "orange"),
    ("white", "black", "green", "red"),
    ("yellow", "purple", "teal", "brown"),
    ("blue", "pink", "yellow", "grey"),
    ("red", "blue", "white", "green"),
    ("orange", "red", "yellow", "blue"),
)


def is_meadow(column: int, row: int) -> bool:
    return (column + row) % 2 == 0


def cells(columns: int, rows: int) -> list[tuple[str, int, int]]:
    return [(f"{COLUMNS[c]}{r + 1}", c, r) for r in range(rows) for c in range(columns)]


def piece_size(kit: Kit) -> tuple[int, int]:
    columns, rows = kit.get("edition", {}).get("cells", PIECE)
    return int(columns), int(rows)


def board_cells(kit: Kit) -> list[tuple[str, int, int]]:
    columns, rows = piece_size(kit)
    return cells(2 * columns, 2 * rows)


def direction(degrees: float) -> XY:
    """Clockwise from north, y down."""
    return math.sin(math.radians(degrees)), -math.cos(math.radians(degrees))


def middle_angle(sides: str) -> float:
    """The direction in which an area's wedge looks; its sides are named clockwise."""
    return SIDES.index(sides[0]) * 90.0 + (len(sides) - 1) * 45.0


def runs(sides: str) -> list[str]:
    """Sides beside each other, clockwise: "NS" are two runs of one, "NW" is one run of two."""
    if len(sides) == 4:
        return [sides]
    starts = [side for side in SIDES if side in sides and SIDES[SIDES.index(side) - 1] not in sides]
    found = []
    for start in starts:
        turn = SIDES.index(start)
        ahead = SIDES[turn:] + SIDES[:turn]
        length = next(k for k, side in enumerate(ahead) if side not in sides)
        found.append(ahead[:length])
    return found


def make_kit(rng: Generator, name: str, piece: tuple[int, int] = PIECE) -> Kit:
    """`piece`: columns and rows of each of the four pieces; others than the rulebook's are an edition."""
    columns, rows = piece
    geometry = _geometry(rng, columns, rows)
    tiles = 2 * columns * rows  # one for each meadow
    edition = {"name": "other cells", "cells": [columns, rows], "tiles": tiles, "start_tiles": 4}
    return {
        "name": name,
        **({} if piece == PIECE else {"edition": edition}),
        "unit": "mm",
        "geometry": geometry,
        "pieces": _pieces(rng, geometry, columns, rows),
        "frame": _frame(rng, 2 * columns, 2 * rows),
        "tiles": _tiles(rng, COLOUR_SETS[int(rng.integers(len(COLOUR_SETS)))], tiles),
        "chart": _chart(rng, geometry, columns),
        "track": _track(rng, geometry),
    }


def player_colours(kit: Kit) -> tuple[str, ...]:
    return tuple(sorted({colour for tile in kit["tiles"] for colour, _ in tile["sides"]}))


def _geometry(rng: Generator, columns: int, rows: int) -> dict[str, Any]:
    pitch = round(float(rng.uniform(42, 56)) * min(1.0, 4 / max(columns, rows)), 1)
    regular = pitch * math.sqrt(2)
    # narrower ones still meet at their diagonal sides, which are then the longer ones
    octagon = regular if rng.random() < 0.5 else float(rng.uniform(1.37, 1.41)) * pitch
    octagon = math.floor(100 * octagon) / 100
    frame = round(float(rng.uniform(20, 32)), 1)
    chart = round(float(rng.uniform(50, 74)), 1)
    origin = round(frame + (octagon - pitch) / 2, 2)
    tile = round(2 * pitch - octagon - float(rng.uniform(0.4, 2.0)), 1)
    return {
        "width": round(2 * origin + 2 * columns * pitch + chart, 2),
        "height": round(2 * origin + 2 * rows * pitch, 2),
        "origin": [origin, origin],
        "pitch": pitch,
        "tile": tile,
        "octagon": octagon,
        "frame": frame,
        "chart": chart,
    }


def _pieces(rng: Generator, geometry: dict[str, Any], columns: int, rows: int) -> Kit:
    while True:
        pieces = _try_pieces(rng, geometry, columns, rows)
        sites = sum(
            len(area.get("sites", ()))
            for piece in pieces.values()
            for space in piece["spaces"].values()
            for area in space["areas"]
        )
        if sites >= min(LEAST_SITES, 1.2 * columns * rows):
            return pieces


def _try_pieces(rng: Generator, geometry: dict[str, Any], columns: int, rows: int) -> Kit:
    spaces = [(p, cell) for p in PIECES for cell, c, r in cells(columns, rows) if not is_meadow(c, r)]
    mine = spaces[int(rng.integers(len(spaces)))]
    others = [space for space in spaces if space != mine]
    share_of_board = columns * rows / (PIECE[0] * PIECE[1])
    towns = ["village"] * round(VILLAGES * share_of_board) + ["city"] * round(CITIES * share_of_board)
    chosen = rng.permutation(len(others))[: len(towns)]
    printed = {others[int(k)]: town for k, town in zip(chosen, towns, strict=True)}
    radius = geometry["octagon"] * float(rng.uniform(0.3, 0.34))
    # how rich the sets are in rocks differs
    share = rng.dirichlet([4, 4, 8, 2.5])
    pieces: Kit = {p: {"spaces": {}} for p in PIECES}
    for p, cell in spaces:
        if (p, cell) == mine:
            areas = [{"kind": "mine", "sides": "NESW", "symbols": 0}]
        else:
            areas = _split(rng, radius, share)
        pieces[p]["spaces"][cell] = {"areas": areas, "printed": printed.get((p, cell))}
    return pieces


def _split(rng: Generator, radius: float, share: np.ndarray) -> list[dict[str, Any]]:
    parts = int(rng.choice([1, 2, 3, 4], p=[0.05, 0.42, 0.42, 0.11]))
    cuts = sorted(int(k) for k in rng.permutation(4)[:parts])
    areas: list[dict[str, Any]] = []
    for k, start in enumerate(cuts):
        length = (cuts[(k + 1) % parts] - start) % 4 or 4
        sides = "".join(SIDES[(start + j) % 4] for j in range(length))
        kind = str(rng.choice(["wood", "grain", "rocks", "market"], p=share))
        area: dict[str, Any] = {"kind": kind, "sides": sides, "symbols": int(rng.integers(1, 4))}
        if kind == "rocks":
            count = 1 if length == 1 else int(rng.integers(1, 3))
            spread = {1: (0.0,), 2: (-24.0, 24.0)}[count]
            look = middle_angle(sides)
            area["sites"] = [
                [round(radius * direction(look + a)[0], 2), round(radius * direction(look + a)[1], 2)]
                for a in spread
            ]
        areas.append(area)
    return areas


def _frame(rng: Generator, columns: int, rows: int) -> dict[str, str]:
    gifts = ["wood", "grain", "rocks", "silver", "card"]
    frame = {}
    for k in range(max(columns, rows)):
        for c, r, side in ((k, 0, "N"), (k, rows - 1, "S"), (0, k, "W"), (columns - 1, k, "E")):
            if c < columns and r < rows:
                gift = gifts[int(rng.integers(5))] if is_meadow(c, r) else "neutral"
                frame[f"{COLUMNS[c]}{r + 1}/{side}"] = gift
    return frame


def _canonical(sides: list[tuple[str, Any]], silver: int) -> tuple[Any, ...]:
    """Equal for tiles that cannot be told apart by turning them."""
    return min(tuple(map(str, sides[k:] + sides[:k])) for k in range(4)), silver


def _tiles(rng: Generator, colours: tuple[str, ...], count: int) -> list[dict[str, Any]]:
    scheme = str(rng.choice(["same", "same", "mixed", "pairs"]))
    while True:
        tiles = _try_tiles(rng, colours, scheme, count)
        if tiles is not None:
            return tiles


def _try_tiles(
    rng: Generator, colours: tuple[str, ...], scheme: str, count: int
) -> list[dict[str, Any]] | None:
    """None when the earlier tiles have taken every look that a later one could have: with one value on all
    sides there are only six ways round without silver, and start tiles never show any."""
    worths = [1] * 5 + [2] * 6 + [3] * 6 + [4] * 6 + [5] * 5 + [6] * 4
    values = [worths[k * len(worths) // count] for k in range(count)] + [3, 4, 3, 3]
    names = [f"T{k + 1:02d}" for k in range(count)] + ["S1", "S2", "S3", "S4"]
    tiles: list[dict[str, Any]] = []
    seen: set[tuple[Any, ...]] = set()
    for name, value in zip(names, values, strict=True):
        for _ in range(DRAWS_A_TILE):
            worth: list[Any] = [value] * 4
            if scheme == "mixed":
                worth = [int(v) for v in rng.integers(1, 7, 4)]
            elif scheme == "pairs":
                other = int(rng.integers(1, 7))
                worth = [value, other, value, other]
            if value <= 3 and rng.random() < 0.3 and name[0] == "T":
                worth[int(rng.integers(4))] = "card"
            sides = [(colours[int(k)], v) for k, v in zip(rng.permutation(4), worth, strict=True)]
            silver = 0 if name[0] == "S" else int(rng.choice([0, 1, 2], p=[0.45, 0.38, 0.17]))
            if _canonical(sides, silver) not in seen:
                break
        else:
            return None
        seen.add(_canonical(sides, silver))
        tiles.append({"id": name, "sides": [list(side) for side in sides], "silver": silver})
    return tiles


def _chart(rng: Generator, geometry: dict[str, Any], columns: int) -> dict[str, list[list[float]]]:
    """Three scales below each other in the strip to the right of the field."""
    top = geometry["frame"] + 8.0
    free = geometry["height"] - 2 * top
    gap = free * float(rng.uniform(0.04, 0.09))
    step = (free - 2 * gap) / 18
    right = geometry["origin"][0] + 2 * columns * geometry["pitch"]
    x = right + (geometry["octagon"] - geometry["pitch"]) / 2
    x += geometry["chart"] / 2 + float(rng.uniform(-2, 2))
    order = [KINDS[int(k)] for k in rng.permutation(3)]
    upward = bool(rng.random() < 0.3)
    chart = {}
    for kind in KINDS:
        start = top + order.index(kind) * (6 * step + gap) + step / 2
        ys = [start + k * step for k in range(6)]
        chart[kind] = [[round(x, 2), round(y, 2)] for y in (ys[::-1] if upward else ys)]
    return chart


def _track(rng: Generator, geometry: dict[str, Any]) -> list[list[float]]:
    """70 spaces clockwise along the rim from the top left corner."""
    inset = geometry["frame"] * float(rng.uniform(0.33, 0.45))
    wide, high = geometry["width"] - 2 * inset, geometry["height"] - 2 * inset
    step = 2 * (wide + high) / 70
    start = float(rng.uniform(0, step * 0.4))
    spaces = []
    for k in range(70):
        s = start + k * step
        if s < wide:
            x, y = s, 0.0
        elif s < wide + high:
            x, y = wide, s - wide
        elif s < 2 * wide + high:
            x, y = 2 * wide + high - s, high
        else:
            x, y = 0.0, 2 * (wide + high) - s
        spaces.append([round(inset + x, 2), round(inset + y, 2)])
    return spaces
