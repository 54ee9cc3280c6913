"""Writes calibration/reference/set.json: an invented Castelli set that obeys every count of the rulebook.

    .venv/bin/python tools/make_reference_set.py

The split of the landscape spaces, the values and the gifts are this project's own; no printing of the
game looks like this one. Demo game, tests and sample pictures are made with it.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parent.parent / "calibration" / "reference" / "set.json"

PITCH, TILE, FRAME, CHART = 46.0, 26.0, 25.0, 60.0
OCTAGON = round(PITCH * math.sqrt(2), 2)
ORIGIN = round(FRAME + (OCTAGON - PITCH) / 2, 2)
HEIGHT = round(2 * ORIGIN + 8 * PITCH, 2)
WIDTH = round(HEIGHT + CHART, 2)

# cell, what is printed in its middle, and its areas: kind, sides, symbols, and *2 for two castle sites
PIECES = {
    "P1": """
        B1 -       wood NE 2, rocks SW 2 *2
        D1 village grain N 1, wood E 1, rocks S 2, market W 1
        A2 -       rocks WN 2, grain ES 3
        C2 city    market NES 2, rocks W 1
        B3 village grain NS 2, rocks E 1, wood W 1
        D3 -       wood WNE 3, rocks S 2 *2
        A4 village grain SWN 3, rocks E 1
        C4 -       rocks NE 2 *2, wood SW 2
    """,
    "P2": """
        B1 city    rocks N 1, grain ESW 3
        D1 -       wood NE 2, grain S 1, rocks W 2
        A2 village wood WN 1, rocks ES 2 *2
        C2 -       rocks NE 1, rocks SW 1
        B3 -       market N 1, wood ES 2, grain W 1
        D3 village rocks NES 3 *2, market W 1
        A4 city    wood N 1, rocks E 2, grain SW 2
        C4 village grain NE 2, rocks S 1, wood W 1
    """,
    "P3": """
        B1 village rocks WN 2 *2, grain E 1, wood S 1
        D1 city    wood N 1, rocks ES 3 *2, grain W 1
        A2 -       grain NES 2, rocks W 1
        C2 -       mine NESW 0
        B3 -       wood NE 2, rocks S 1, market W 1
        D3 village rocks N 2, wood ESW 3
        A4 -       market WN 2, rocks ES 2
        C4 city    grain N 1, wood E 2, rocks SW 1 *2
    """,
    "P4": """
        B1 -       rocks NES 3 *2, wood W 2
        D1 village grain NE 2, market SW 1
        A2 city    rocks N 1, wood E 1, grain S 1, market W 2
        C2 village wood NS 2 valley, rocks E 1 slope, rocks W 1 slope
        B3 -       grain NE 2, rocks SW 2 *2
        D3 -       market NES 2, rocks W 2
        A4 village wood NE 2, rocks SW 1
        C4 -       rocks N 1, grain E 1, wood S 1, wood W 1
    """,
}

COLOURS = ("red", "blue", "green", "yellow")
# what a tile is worth to the first, second, third and fourth of its colours, and its silver; each line
# gives four tiles on which the colours change places, so that no player is better off than another
VALUES: tuple[tuple[int | str, ...], ...] = (
    (1, 1, 1, 1, 2),
    (2, 1, 1, "card", 1),
    (2, 2, 1, 2, 1),
    (3, 2, 2, "card", 0),
    (3, 3, 2, 1, 1),
    (4, 3, 3, 2, 0),
    (5, 4, 2, 3, 0),
    (6, "card", 4, 3, 0),
)
START_VALUES = (4, 2, 2, 2, 0)
# the six ways in which four colours can follow each other around a tile
ROUNDS = ((0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 1, 3), (0, 2, 3, 1), (0, 3, 1, 2), (0, 3, 2, 1))

GIFTS = {
    "N": ("grain", "card", "silver", "rocks"),
    "E": ("wood", "silver", "card", "grain"),
    "S": ("rocks", "silver", "wood", "card"),
    "W": ("silver", "rocks", "card", "wood"),
}


def main(out: Path = OUT) -> None:
    reference = {
        "name": "reference",
        "unit": "mm",
        "geometry": {
            "width": WIDTH,
            "height": HEIGHT,
            "origin": [ORIGIN, ORIGIN],
            "pitch": PITCH,
            "tile": TILE,
            "octagon": OCTAGON,
            "frame": FRAME,
            "chart": CHART,
        },
        "pieces": {name: {"spaces": dict(map(space, lines(text)))} for name, text in PIECES.items()},
        "frame": dict(frame()),
        "tiles": list(tiles()),
        "chart": {kind: scale(number) for number, kind in enumerate(("wood", "grain", "rocks"))},
        "track": [spot(*place) for place in track(70)],
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(compact(reference) + "\n", encoding="utf-8")


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def space(line: str) -> tuple[str, dict[str, Any]]:
    cell, printed, areas = line.split(maxsplit=2)
    return cell, {
        "areas": [area(part.split()) for part in areas.split(", ")],
        "printed": None if printed == "-" else printed,
    }


def area(words: list[str]) -> dict[str, Any]:
    kind, sides, symbols, *more = words
    made: dict[str, Any] = {"kind": kind, "sides": sides, "symbols": int(symbols)}
    if kind == "rocks":
        made["sites"] = sites(sides, 2 if "*2" in more else 1)
    if "valley" in more:
        made["polygon"] = valley()
    if "slope" in more:
        made["polygon"] = slope(-1 if sides == "W" else 1)
    return made


def sites(sides: str, count: int) -> list[list[float]]:
    """Castle sites a third of the octagon's width out, in the direction of the middle of the sides."""
    first = "NESW".index(sides[0])
    middle = 90 * first + 45 * (len(sides) - 1)
    spread = (0,) if count == 1 else (-24, 24)
    return [spot(*outwards(middle + degrees, OCTAGON * 0.33)) for degrees in spread]


def outwards(degrees: float, distance: float) -> tuple[float, float]:
    """Degrees clockwise from north."""
    return distance * math.sin(math.radians(degrees)), -distance * math.cos(math.radians(degrees))


def valley() -> list[list[float]]:
    """A band from the tile in the north to the tile in the south."""
    half, short = OCTAGON / 2, OCTAGON / 2 * math.tan(math.pi / 8)
    waist = 9.0
    return [spot(x, y) for x, y in [
        (-short, -half), (short, -half), (waist, 0), (short, half), (-short, half), (-waist, 0),
    ]]  # fmt: skip


def slope(way: int) -> list[list[float]]:
    """What the valley leaves of the octagon: on its east (1) or west (-1)."""
    half, short = OCTAGON / 2, OCTAGON / 2 * math.tan(math.pi / 8)
    waist = 9.0
    return [spot(way * x, y) for x, y in [
        (short, -half), (half, -short), (half, short), (short, half), (waist, 0),
    ]]  # fmt: skip


def frame() -> Iterator[tuple[str, str]]:
    """A gift beside each tile on the rim, neutral arms beside each octagon."""
    for side, gifts in GIFTS.items():
        left = iter(gifts)
        for number in range(8):
            column, row = {"N": (number, 0), "E": (7, number), "S": (number, 7), "W": (0, number)}[side]
            is_meadow = (column + row) % 2 == 0
            yield f"{'ABCDEFGH'[column]}{row + 1}/{side}", next(left) if is_meadow else "neutral"


def tiles() -> Iterator[dict[str, Any]]:
    for group, values in enumerate(VALUES):
        for shift in range(4):
            yield tile(f"T{group * 4 + shift + 1:02}", values, group, shift)
    for shift in range(4):
        yield tile(f"S{shift + 1}", START_VALUES, 2, shift)


def tile(name: str, values: tuple[int | str, ...], group: int, shift: int) -> dict[str, Any]:
    worth = {COLOURS[(shift + number) % 4]: value for number, value in enumerate(values[:4])}
    around = [COLOURS[number] for number in ROUNDS[(group + shift) % 6]]
    first = (3 * group + shift) % 4
    return {
        "id": name,
        "sides": [[colour, worth[colour]] for colour in around[first:] + around[:first]],
        "silver": values[4],
    }


def scale(number: int) -> list[list[float]]:
    """Space 0 nearest to the next scale, one below the other, in the strip right of the field."""
    x = ORIGIN + 8 * PITCH + (ORIGIN - FRAME) + CHART / 2
    top = ORIGIN + 18 + number * 122
    return [spot(x, top + 18 * k) for k in range(6)]


def track(spaces: int) -> Iterator[tuple[float, float]]:
    """Evenly around the frame, clockwise from the top left, in the middle of its outer half."""
    edge = 9.0
    across, down = WIDTH - 2 * edge, HEIGHT - 2 * edge
    for k in range(spaces):
        way = k * 2 * (across + down) / spaces
        if way <= across:
            yield edge + way, edge
        elif way <= across + down:
            yield edge + across, edge + way - across
        elif way <= 2 * across + down:
            yield edge + 2 * across + down - way, edge + down
        else:
            yield edge, edge + 2 * (across + down) - way


def spot(x: float, y: float) -> list[float]:
    return [round(x, 2) + 0.0, round(y, 2) + 0.0]


def compact(value: Any, indent: str = "") -> str:
    """JSON with a line for each thing that a person would point at: an area, a tile, a gift."""
    flat = json.dumps(value)
    if len(flat) + len(indent) <= 105 or not isinstance(value, dict | list):
        return flat
    deeper = indent + " "
    if isinstance(value, dict):
        inner = [f"{json.dumps(key)}: {compact(part, deeper)}" for key, part in value.items()]
    else:
        inner = [compact(part, deeper) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(inner) + f"\n{indent}{closing}"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
