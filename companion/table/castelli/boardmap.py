"""Where things lie on the assembled board, in millimetres: cells, octagons, areas, sites.

The field is a checkerboard. A landscape space is a regular octagon that reaches over its cell, with a
side to each of the four tiles around it and a diagonal side between them; octagons touch at those.
An area without an outline of its own is the wedge from the octagon's middle to the sides it names: a
quarter of the octagon a side, cut in the middle of the diagonal sides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.scoring.castelli.components import Area, Geometry, Point, Side

Outline = tuple[Point, ...]

OCTAGON_SIDE = math.tan(math.pi / 8)
"""Half a side of a regular octagon, in halves of its width."""


def is_space(column: int, row: int) -> bool:
    """Landscape spaces and meadows alternate, with a meadow at the top left."""
    return (column + row) % 2 == 1


def cell_middle(geometry: Geometry, column: int, row: int) -> Point:
    return Point(
        geometry.origin.x + (column + 0.5) * geometry.pitch,
        geometry.origin.y + (row + 0.5) * geometry.pitch,
    )


def octagon_outline(width: float) -> Outline:
    """A landscape space from its middle: eight corners clockwise, the first two are the ends of side N."""
    half = width / 2
    short = half * OCTAGON_SIDE
    north = (Point(-short, -half), Point(short, -half))
    return tuple(turned(point, 90 * side) for side in range(4) for point in north)


def area_outlines(area: Area, width: float) -> tuple[Outline, ...]:
    """An area's parts from the middle of its octagon: one, or two where it names opposite sides only."""
    if area.polygon is not None:
        return (area.polygon,)
    runs = side_runs(area.sides)
    if len(runs) == 1 and len(runs[0]) == 4:
        return (octagon_outline(width),)
    return tuple(_wedge(run, width) for run in runs)


def side_runs(sides: Iterable[Side]) -> list[list[Side]]:
    """Neighbouring sides together, clockwise: W and N are neighbours, N and S are not."""
    named = set(sides)
    if len(named) == 4:
        return [[Side.N, Side.E, Side.S, Side.W]]
    runs = []
    for first in sorted(side for side in named if side.turned(-1) not in named):
        run = [first]
        while run[-1].turned(1) in named:
            run.append(run[-1].turned(1))
        runs.append(run)
    return runs


def _wedge(run: Sequence[Side], width: float) -> Outline:
    half = width / 2
    short = half * OCTAGON_SIDE
    diagonal = half * math.sqrt(0.5)  # the middle of a diagonal side lies half a width out, at 45 degrees
    points = [Point(0.0, 0.0), turned(Point(-diagonal, -diagonal), 90 * run[0])]
    for side in run:
        points += [turned(Point(-short, -half), 90 * side), turned(Point(short, -half), 90 * side)]
    points.append(turned(Point(diagonal, -diagonal), 90 * run[-1]))
    return tuple(points)


def turned(point: Point, degrees: int) -> Point:
    """A point turned clockwise about (0, 0) by a multiple of 90 degrees, exactly."""
    x, y = point.x, point.y
    for _ in range(degrees // 90 % 4):
        x, y = -y, x
    return Point(x, y)


def moved(outline: Iterable[Point], middle: Point, degrees: int = 0) -> Outline:
    """An outline on the board, given from the middle of its octagon on an unturned piece."""
    return tuple(
        Point(middle.x + point.x, middle.y + point.y)
        for point in (turned(point, degrees) for point in outline)
    )


def contains(outline: Outline, point: Point) -> bool:
    """Whether a point lies inside, by counting the edges to its right."""
    inside = False
    for a, b in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (a.y > point.y) != (b.y > point.y) and point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x):
            inside = not inside
    return inside


def distance_to(outline: Outline, point: Point) -> float:
    """How far a point lies outside an outline: 0 inside."""
    if contains(outline, point):
        return 0.0
    edges = zip(outline, (*outline[1:], outline[0]), strict=True)
    return min(_distance_to_edge(a, b, point) for a, b in edges)


def _distance_to_edge(a: Point, b: Point, point: Point) -> float:
    along_x, along_y = b.x - a.x, b.y - a.y
    length = along_x**2 + along_y**2
    share = ((point.x - a.x) * along_x + (point.y - a.y) * along_y) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return math.hypot(point.x - a.x - share * along_x, point.y - a.y - share * along_y)


def size(outline: Outline) -> float:
    """The area of an outline, in square millimetres."""
    edges = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(a.x * b.y - b.x * a.y for a, b in edges)) / 2


def middle_of(outline: Outline) -> Point:
    """The centre of gravity, for a label, or for a castle that may stand anywhere in an area."""
    twice = x = y = 0.0
    for a, b in zip(outline, (*outline[1:], outline[0]), strict=True):
        cross = a.x * b.y - b.x * a.y
        twice += cross
        x += (a.x + b.x) * cross
        y += (a.y + b.y) * cross
    return Point(x / (3 * twice), y / (3 * twice))
