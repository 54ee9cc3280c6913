"""Places the spaces of the charts and of the track between those that the owner tapped."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from companion.table.castelli.calibrating.draft import Geometry, ScaleState, Spot
from companion.table.castelli.setrules import TRACK

RESOURCES = ("wood", "grain", "rocks")
NAMES = (*RESOURCES, "track")
COUNTS = {"wood": 6, "grain": 6, "rocks": 6, "track": TRACK}


def placed(name: str, grid: Geometry, anchors: Mapping[int, Spot]) -> ScaleState:
    """All spaces from the first to the last anchor: along straight lines, the track's round the rim."""
    order = sorted(anchors)
    spaces: list[Spot] = []
    for start, end in itertools.pairwise(order):
        path = _way(grid, anchors[start], anchors[end]) if name == "track" else [anchors[start], anchors[end]]
        spaces += _along(path, end - start)[:-1]
    spaces.append(anchors[order[-1]])
    return ScaleState(spaces=tuple((round(x, 2), round(y, 2)) for x, y in spaces), anchors=tuple(order))


def moved(name: str, grid: Geometry, scale: ScaleState, space: int, to: Spot) -> ScaleState:
    """One space put elsewhere: it is an anchor from then on."""
    anchors = {index: scale.spaces[index] for index in {*scale.anchors, 0, len(scale.spaces) - 1}}
    return placed(name, grid, anchors | {space: to})


def _along(path: Sequence[Spot], steps: int) -> list[Spot]:
    """Equal steps along a path, both ends included."""
    lengths = [math.dist(a, b) for a, b in itertools.pairwise(path)]
    total = sum(lengths)
    spots = []
    for step in range(steps + 1):
        left = total * step / max(steps, 1)
        for (a, b), length in zip(itertools.pairwise(path), lengths, strict=True):
            if left <= length or (a, b) == (path[-2], path[-1]):
                share = left / length if length else 0.0
                spots.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
                break
            left -= length
    return spots


def _way(grid: Geometry, start: Spot, end: Spot) -> list[Spot]:
    """Clockwise round the frame, over its corners, unless both lie on one side and follow each other."""
    inset = min(_depth(grid, start), _depth(grid, end))
    right, bottom = grid.width - inset, grid.height - inset
    corners = [(inset, inset), (right, inset), (right, bottom), (inset, bottom)]
    at, to = _round(grid, start, inset), _round(grid, end, inset)
    lap = 2 * (right - inset + bottom - inset)
    far = (to - at) % lap or lap
    stops = sorted(((_round(grid, corner, inset) - at) % lap, corner) for corner in corners)
    return [start, *(corner for off, corner in stops if 1e-6 < off < far - 1e-6), end]


def _depth(grid: Geometry, spot: Spot) -> float:
    """How far from the board's edge."""
    return max(0.0, min(spot[0], spot[1], grid.width - spot[0], grid.height - spot[1]))


def _round(grid: Geometry, spot: Spot, inset: float) -> float:
    """How far along the frame, clockwise from its top left corner, the nearest point of it lies."""
    across, down = grid.width - 2 * inset, grid.height - 2 * inset
    x, y = spot[0] - inset, spot[1] - inset
    sides = (
        (abs(y), min(max(x, 0.0), across)),
        (abs(across - x), across + min(max(y, 0.0), down)),
        (abs(down - y), across + down + across - min(max(x, 0.0), across)),
        (abs(x), 2 * across + down + down - min(max(y, 0.0), down)),
    )
    return min(sides)[1]
