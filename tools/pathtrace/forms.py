"""Wooden pieces that only a tracer can light: smooth from the lathe, with eaves, arches and chimneys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from tools.kitmaker.solids import Forms, Part, gable, make_forms, prism, round_outline, square

Parts = tuple[Part, ...]
Maker = Callable[[float, float], Parts]
ROUND = 40
"""Corners about a body from the lathe."""


def make_traced_forms(rng: Generator) -> Forms:
    """Kitmaker's shapes and sizes, most of them with another one in its stead."""
    forms = make_forms(rng)
    castle = _pick(rng, CASTLES)(forms.castle_width, forms.castle_width * float(rng.uniform(1.0, 1.5)))
    wide = float(np.ptp(np.vstack([part.corners for part in forms.village])[:, 0]))
    village = _pick(rng, VILLAGES)(wide, wide * float(rng.uniform(0.8, 1.1)))
    wide = float(np.ptp(np.vstack([part.corners for part in forms.city])[:, 0]))
    city = _pick(rng, CITIES)(wide, wide * float(rng.uniform(0.9, 1.4)))
    marker = _pick(rng, MARKERS)(forms.marker_width, forms.marker_width * float(rng.uniform(0.7, 1.2)))
    return replace(
        forms,
        castle=_mostly(rng, castle, forms.castle),
        village=_mostly(rng, village, forms.village),
        city=_mostly(rng, city, forms.city),
        marker=_mostly(rng, marker, forms.marker),
    )


def _pick(rng: Generator, makers: tuple[Maker, ...]) -> Maker:
    return makers[int(rng.integers(len(makers)))]


def _mostly(rng: Generator, own: Parts, other: Parts) -> Parts:
    return own if rng.random() < 0.75 else other


def lathe(profile: list[tuple[float, float]], x: float = 0.0, y: float = 0.0) -> Part:
    """One smooth body of (radius, height) from the bottom up."""
    rings = [
        np.column_stack([round_outline(max(radius, 0.02), ROUND, x, y), np.full(ROUND, height)])
        for radius, height in profile
    ]
    n = ROUND
    walls = [
        (k * n + j, k * n + (j + 1) % n, (k + 1) * n + (j + 1) % n, (k + 1) * n + j)
        for k in range(len(profile) - 1)
        for j in range(n)
    ]
    top = tuple(range((len(profile) - 1) * n, len(profile) * n))
    return Part(np.vstack(rings), (*walls, top))


def _raised(part: Part, x: float, y: float, z: float) -> Part:
    return Part(part.corners + np.array((x, y, z)), part.faces)


def _crenellated(width: float, height: float) -> Parts:
    """A block with four merlons and a slit between them both ways."""
    body, merlon = height * 0.72, width * 0.32
    off = (width - merlon) / 2
    feet = [prism(square(merlon, merlon, x, y), body, height) for x in (-off, off) for y in (-off, off)]
    rim = prism(square(width * 0.82, width * 0.82), body, body + height * 0.08)
    return prism(square(width, width), 0, body), rim, *feet


def _rook(width: float, height: float) -> Parts:
    r = width / 2
    profile = [(0.72, 0.24), (0.66, 0.6), (0.95, 0.68), (0.95, 0.84)]
    body = lathe([(r * share, height * z) for share, z in profile])
    foot = lathe([(r, 0), (r, height * 0.14), (r * 0.72, height * 0.24)])
    teeth = []
    for angle in np.arange(4) * np.pi / 2:
        at = 0.72 * r * np.array((np.cos(angle), np.sin(angle)))
        teeth.append(prism(round_outline(r * 0.28, 8, *at), height * 0.84, height))
    return foot, body, *teeth


def _cone(width: float, height: float) -> Parts:
    r = width / 2
    return (lathe([(r, 0), (r, height * 0.1), (r * 0.3, height * 0.85), (r * 0.18, height)]),)


def _pawn(width: float, height: float) -> Parts:
    r, head = width / 2, width * 0.3
    body = lathe([(r, 0), (r, height * 0.1), (r * 0.5, height * 0.35), (r * 0.34, height * 0.62)])
    middle = height - head
    ball = [(head * float(np.sin(a)), middle - head * float(np.cos(a))) for a in np.linspace(0.35, np.pi, 9)]
    return body, lathe(ball)


def _gatehouse(width: float, height: float) -> Parts:
    """Two round towers and the wall between them."""
    r = width * 0.24
    towers = [lathe([(r, 0), (r, height * 0.86), (r * 1.2, height * 0.9), (r * 1.2, height)], x)
              for x in (-width * 0.3, width * 0.3)]  # fmt: skip
    return prism(square(width * 0.6, width * 0.34), 0, height * 0.62), *towers


def _spire(width: float, height: float) -> Parts:
    r = width * 0.42
    return (lathe([(r, 0), (r, height * 0.6), (r * 1.25, height * 0.6), (0.05, height)]),)


def _chimney_house(width: float, height: float) -> Parts:
    stack = prism(square(width * 0.18, width * 0.18, width * 0.25, width * 0.18), height * 0.6, height * 1.1)
    return gable(width, width * 0.75, height * 0.55, height), stack


def _saddle(width: float, height: float) -> Parts:
    """A bar with a roof, sawn off: the commonest little house."""
    return (gable(width * 0.8, width, height * 0.5, height * 0.95),)


def _dome(width: float, height: float) -> Parts:
    r = width / 2
    curve = [(r * float(np.cos(a)), height * (0.35 + 0.5 * float(np.sin(a)))) for a in np.linspace(0, 1.5, 7)]
    return (lathe([(r, 0), *curve]),)


def _church(width: float, height: float) -> Parts:
    nave = _raised(gable(width * 0.7, width * 0.5, height * 0.35, height * 0.6), width * 0.14, 0, 0)
    side, x = width * 0.32, -width * 0.32
    tower = prism(square(side, side, x), 0, height * 0.7)
    roof = prism(square(side, side, x), height * 0.7, height, 0.05, (x, 0.0))
    return nave, tower, roof


def _crossed(width: float, height: float) -> Parts:
    """Two houses through each other and a turret on top."""
    one = gable(width, width * 0.45, height * 0.35, height * 0.62)
    turn = np.array([[0, 1.0, 0], [-1.0, 0, 0], [0, 0, 1.0]])
    turret = lathe([(width * 0.13, height * 0.4), (width * 0.13, height * 0.8), (0.05, height)])
    return one, Part(one.corners @ turn, one.faces), turret


def _towers(width: float, height: float) -> Parts:
    """Three cylinders of different height."""
    r = width * 0.25
    places = ((-0.24, 0.12, 0.75), (0.24, 0.14, 0.6), (0.0, -0.22, 1.0))
    return tuple(lathe([(r, 0), (r, height * z)], width * x, width * y) for x, y, z in places)


def _disc(width: float, height: float) -> Parts:
    return (lathe([(width / 2, 0), (width / 2, height * 0.4)]),)


def _block(width: float, _: float) -> Parts:
    return (prism(square(width * 0.85, width * 0.85), 0, width * 0.85),)


def _octagonal(width: float, height: float) -> Parts:
    return (prism(round_outline(width / 2, 8), 0, height * 0.6),)


CASTLES: tuple[Maker, ...] = (_crenellated, _rook, _cone, _pawn, _gatehouse, _spire)
VILLAGES: tuple[Maker, ...] = (_chimney_house, _saddle, _dome)
CITIES: tuple[Maker, ...] = (_church, _crossed, _towers, _spire)
MARKERS: tuple[Maker, ...] = (_disc, _block, _octagonal, _cone, _pawn)
