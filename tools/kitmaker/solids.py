"""Wooden pieces and things on the table as convex parts with real height."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tools.kitmaker.paint import Colour

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Part:
    """A convex body: corners (n x 3, mm, height up) and its faces as corner numbers."""

    corners: Points
    faces: tuple[tuple[int, ...], ...]
    tone: float = 1.0
    """Brightness against the solid's colour."""


@dataclass(frozen=True)
class Solid:
    """Parts from the bottom up, all of one colour."""

    parts: tuple[Part, ...]
    colour: Colour
    gloss: float = 0.15

    def placed(self, x: float, y: float, z: float = 0.0, yaw: float = 0.0) -> Solid:
        c, s = np.cos(np.radians(yaw)), np.sin(np.radians(yaw))
        turn = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]])
        parts = tuple(Part(part.corners @ turn + (x, y, z), part.faces, part.tone) for part in self.parts)
        return Solid(parts, self.colour, self.gloss)

    @property
    def height(self) -> float:
        return float(max(part.corners[:, 2].max() for part in self.parts))


def prism(
    outline: Points | list[tuple[float, float]],
    low: float,
    high: float,
    top: float = 1.0,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Part:
    """An upright body over a convex outline; `top` scales its upper end about `shift`."""
    base = np.asarray(outline, np.float64)
    n = len(base)
    upper = (base - shift) * top + shift
    corners = np.vstack(
        [np.column_stack([base, np.full(n, low)]), np.column_stack([upper, np.full(n, high)])]
    )
    walls = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    return Part(corners, (*walls, tuple(range(n, 2 * n))))


def square(width: float, depth: float, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float]]:
    return [
        (x - width / 2, y - depth / 2),
        (x + width / 2, y - depth / 2),
        (x + width / 2, y + depth / 2),
        (x - width / 2, y + depth / 2),
    ]


def round_outline(
    radius: float, count: int = 18, x: float = 0.0, y: float = 0.0
) -> list[tuple[float, float]]:
    angles = np.arange(count) * 2 * np.pi / count
    return [(x + radius * float(np.cos(a)), y + radius * float(np.sin(a))) for a in angles]


def turned(profile: list[tuple[float, float]]) -> tuple[Part, ...]:
    """A body from the lathe: (radius, height) from the bottom up."""
    return tuple(
        prism(round_outline(r0), z0, z1, r1 / r0) for (r0, z0), (r1, z1) in pairwise(profile) if z1 > z0
    )


def gable(width: float, depth: float, wall: float, ridge: float) -> Part:
    """A house: walls and a roof in one convex body."""
    base = square(width, depth)
    corners = [(x, y, 0.0) for x, y in base] + [(x, y, wall) for x, y in base]
    corners += [(-width / 2, 0.0, ridge), (width / 2, 0.0, ridge)]
    faces = ((0, 1, 5, 4), (1, 2, 6, 9, 5), (2, 3, 7, 6), (3, 0, 4, 8, 7), (4, 5, 9, 8), (6, 7, 8, 9))
    return Part(np.array(corners, np.float64), faces)


@dataclass(frozen=True)
class Forms:
    """The shapes of a set's wooden pieces; every one stands on height 0 about (0, 0)."""

    castle: tuple[Part, ...]
    castle_width: float
    village: tuple[Part, ...]
    city: tuple[Part, ...]
    resource: tuple[Part, ...]
    resource_width: float
    marker: tuple[Part, ...]
    marker_width: float
    silver: float
    gloss: float


def make_forms(rng: Generator) -> Forms:
    castle_width = float(rng.uniform(9, 12.5))
    castle_height = castle_width * float(rng.uniform(1.0, 1.5))
    village = float(rng.uniform(7, 9.5))
    city = float(rng.uniform(9.5, 13))
    resource, marker = float(rng.uniform(5.5, 8)), float(rng.uniform(6, 9))
    return Forms(
        _pick(rng, (_keep, _round_tower, _pawn, _two_towers, _tapered))(castle_width, castle_height),
        castle_width,
        _pick(rng, (_house, _hut, _low_box, _pyramid))(village, village * float(rng.uniform(0.6, 1.0))),
        _pick(rng, (_cathedral, _stepped, _hex_hall, _three_houses))(
            city, city * float(rng.uniform(0.7, 1.3))
        ),
        _pick(rng, (_cube, _cube, _disc, _barrel))(resource, resource),
        resource,
        _pick(rng, (_cube, _disc, _disc, _barrel, _pawn))(marker, marker * float(rng.uniform(0.8, 1.3))),
        marker,
        float(rng.uniform(4.5, 6.5)),
        float(rng.uniform(0.05, 0.35)),
    )


Maker = Callable[[float, float], tuple[Part, ...]]


def _pick(rng: Generator, makers: tuple[Maker, ...]) -> Maker:
    return makers[int(rng.integers(len(makers)))]


def _keep(width: float, height: float) -> tuple[Part, ...]:
    body, merlon = height * 0.78, width * 0.3
    off = (width - merlon) / 2
    corners = [prism(square(merlon, merlon, x, y), body, height) for x in (-off, off) for y in (-off, off)]
    return prism(square(width, width), 0, body), *corners


def _round_tower(width: float, height: float) -> tuple[Part, ...]:
    body = prism(round_outline(width / 2), 0, height * 0.8)
    teeth = [
        prism(
            round_outline(width * 0.14, 6, *(0.34 * width * np.array((np.cos(a), np.sin(a))))),
            height * 0.8,
            height,
        )
        for a in np.arange(5) * 2 * np.pi / 5
    ]
    return body, *teeth


def _pawn(width: float, height: float) -> tuple[Part, ...]:
    r = width / 2
    return turned(
        [
            (r, 0),
            (r, height * 0.12),
            (r * 0.45, height * 0.6),
            (r * 0.62, height * 0.72),
            (r * 0.62, height * 0.85),
            (r * 0.25, height),
        ]
    )


def _two_towers(width: float, height: float) -> tuple[Part, ...]:
    side = width * 0.36
    towers = [
        prism(square(side, width * 0.8, x, 0), height * 0.55, height) for x in (-width * 0.32, width * 0.32)
    ]
    return prism(square(width, width * 0.8), 0, height * 0.55), *towers


def _tapered(width: float, height: float) -> tuple[Part, ...]:
    return prism(square(width, width), 0, height * 0.75, 0.68), prism(
        square(width * 0.9, width * 0.9), height * 0.75, height
    )


def _house(width: float, height: float) -> tuple[Part, ...]:
    return (gable(width, width * 0.8, height * 0.55, height),)


def _hut(width: float, height: float) -> tuple[Part, ...]:
    return turned([(width / 2, 0), (width / 2, height * 0.45), (width * 0.05, height)])


def _low_box(width: float, height: float) -> tuple[Part, ...]:
    return (prism(square(width, width), 0, height * 0.8),)


def _pyramid(width: float, height: float) -> tuple[Part, ...]:
    return (prism(square(width, width), 0, height, 0.12),)


def _cathedral(width: float, height: float) -> tuple[Part, ...]:
    hall = prism(square(width, width * 0.55), 0, height * 0.5)
    wing = prism(square(width * 0.4, width * 0.9, width * 0.1), 0, height * 0.5)
    return hall, wing, prism(square(width * 0.36, width * 0.36, -width * 0.28), height * 0.5, height)


def _stepped(width: float, height: float) -> tuple[Part, ...]:
    return prism(square(width, width), 0, height * 0.45), prism(
        square(width * 0.6, width * 0.6), height * 0.45, height
    )


def _hex_hall(width: float, height: float) -> tuple[Part, ...]:
    return prism(round_outline(width / 2, 6), 0, height * 0.6), prism(
        round_outline(width / 2, 6), height * 0.6, height, 0.3
    )


def _three_houses(width: float, height: float) -> tuple[Part, ...]:
    low = prism(square(width, width * 0.5), 0, height * 0.55)
    return low, *[
        prism(
            square(width * 0.3, width * 0.5, x), height * 0.55, height * (1 if x == 0 else 0.8), 0.3, (x, 0)
        )
        for x in (-width * 0.34, 0.0, width * 0.34)
    ]


def _cube(width: float, _: float) -> tuple[Part, ...]:
    return (prism(square(width, width), 0, width),)


def _disc(width: float, height: float) -> tuple[Part, ...]:
    return (prism(round_outline(width / 2), 0, height * 0.45),)


def _barrel(width: float, height: float) -> tuple[Part, ...]:
    return (prism(round_outline(width * 0.45), 0, height),)
