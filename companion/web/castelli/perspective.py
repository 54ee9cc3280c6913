"""From the board to the photo: four corners are enough to say where everything lies in between."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Perspective:
    """The unit square as the photo shows it: (0, 0) top left, (1, 1) bottom right of the square."""

    across: tuple[float, float, float]
    down: tuple[float, float, float]
    depth: tuple[float, float]

    @classmethod
    def of(cls, corners: Sequence[Sequence[float]]) -> Perspective:
        """Corners clockwise from the top left. `ValueError` where three of them lie in a line."""
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = ((float(x), float(y)) for x, y in corners)
        dx1, dy1, dx2, dy2 = x1 - x2, y1 - y2, x3 - x2, y3 - y2
        sx, sy = x0 - x1 + x2 - x3, y0 - y1 + y2 - y3
        size = dx1 * dy2 - dx2 * dy1
        if abs(size) < 1e-9:
            raise ValueError("three corners lie in a line")
        g, h = (sx * dy2 - dx2 * sy) / size, (dx1 * sy - sx * dy1) / size
        return cls((x1 - x0 + g * x1, x3 - x0 + h * x3, x0), (y1 - y0 + g * y1, y3 - y0 + h * y3, y0), (g, h))

    def at(self, u: float, v: float) -> Spot:
        w = self.depth[0] * u + self.depth[1] * v + 1
        x = (self.across[0] * u + self.across[1] * v + self.across[2]) / w
        y = (self.down[0] * u + self.down[1] * v + self.down[2]) / w
        return round(x, 1), round(y, 1)


def in_order(outline: Sequence[Spot], like: Sequence[Spot]) -> tuple[Spot, ...]:
    """Four corners in the order of four others that lie about there: which comes first is not told."""
    turns = [tuple(outline[start:]) + tuple(outline[:start]) for start in range(4)]
    turns += [tuple(reversed(turn)) for turn in turns]
    return min(turns, key=lambda turn: sum(math.dist(a, b) for a, b in zip(turn, like, strict=True)))


def middle(outline: Sequence[Spot]) -> Spot:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def reach(outline: Iterable[Spot], around: Spot) -> float:
    """How far an outline lies from a point at the most."""
    return max(math.dist(spot, around) for spot in outline)
