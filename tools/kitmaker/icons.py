"""Small drawings: resources, tents, cards, silver, castle sites, towns, shields. Each is a BGRA stamp."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker.paint import Colour, Picture, contrasting, mix

SIZE = 128

Points = list[tuple[float, float]]


def blank() -> Picture:
    return np.zeros((SIZE, SIZE, 4), np.uint8)


def shape(art: Picture, points: Points, colour: Colour, edge: Colour | None = None, width: int = 6) -> None:
    """A polygon in shares of the stamp's size."""
    path = np.round(np.array(points) * SIZE * 16).astype(np.int32)
    cv2.fillPoly(art, [path], (*colour, 255), cv2.LINE_AA, 4)
    if edge is not None:
        cv2.polylines(art, [path], True, (*edge, 255), width, cv2.LINE_AA, 4)


def stroke(art: Picture, points: Points, colour: Colour, width: int = 8, closed: bool = False) -> None:
    path = np.round(np.array(points) * SIZE * 16).astype(np.int32)
    cv2.polylines(art, [path], closed, (*colour, 255), width, cv2.LINE_AA, 4)


def disc(art: Picture, x: float, y: float, radius: float, colour: Colour, edge: Colour | None = None) -> None:
    at = (round(x * SIZE), round(y * SIZE))
    cv2.circle(art, at, round(radius * SIZE), (*colour, 255), -1, cv2.LINE_AA)
    if edge is not None:
        cv2.circle(art, at, round(radius * SIZE), (*edge, 255), 6, cv2.LINE_AA)


def ring(count: int, radius: float, turn: float = 0.0, x: float = 0.5, y: float = 0.5) -> Points:
    """Corners of a regular polygon; the first looks up."""
    angles = turn + np.arange(count) * 2 * np.pi / count
    return [(x + radius * float(np.sin(a)), y - radius * float(np.cos(a))) for a in angles]


def wood(rng: Generator, ink: Colour) -> Picture:
    art, style = blank(), int(rng.integers(4))
    shape(art, [(0.44, 0.7), (0.56, 0.7), (0.56, 0.98), (0.44, 0.98)], ink)
    if style == 0:
        shape(art, [(0.5, 0.02), (0.85, 0.75), (0.15, 0.75)], ink)
    elif style == 1:
        disc(art, 0.5, 0.4, 0.36, ink)
    elif style == 2:
        for top in (0.02, 0.24, 0.46):
            shape(art, [(0.5, top), (0.62 + top * 0.5, top + 0.32), (0.38 - top * 0.5, top + 0.32)], ink)
    else:
        for x, y in ((0.3, 0.45), (0.7, 0.45), (0.5, 0.25)):
            disc(art, x, y, 0.22, ink)
    return art


def grain(rng: Generator, ink: Colour) -> Picture:
    art, style = blank(), int(rng.integers(3))
    if style == 0:
        for x in (0.2, 0.5, 0.8):
            stroke(art, [(0.5, 0.95), (x, 0.15)], ink, 9)
            disc(art, x, 0.15, 0.09, ink)
    elif style == 1:
        stroke(art, [(0.5, 0.98), (0.5, 0.1)], ink, 8)
        for y in (0.1, 0.28, 0.46, 0.64):
            shape(art, [(0.5, y + 0.2), (0.22, y), (0.5, y + 0.06), (0.78, y)], ink)
    else:
        shape(art, [(0.2, 0.1), (0.8, 0.1), (0.6, 0.5), (0.8, 0.95), (0.2, 0.95), (0.4, 0.5)], ink)
        stroke(art, [(0.3, 0.5), (0.7, 0.5)], contrasting(ink), 8)
    return art


def rocks(rng: Generator, ink: Colour) -> Picture:
    art, style = blank(), int(rng.integers(4))
    if style == 0:
        shape(art, [(0.5, 0.08), (0.95, 0.92), (0.05, 0.92)], ink)
    elif style == 1:
        shape(art, [(0.3, 0.3), (0.6, 0.1), (0.95, 0.6), (0.75, 0.95), (0.1, 0.9)], ink, contrasting(ink), 4)
    elif style == 2:
        shape(art, [(0.32, 0.2), (0.62, 0.92), (0.02, 0.92)], ink)
        shape(art, [(0.66, 0.4), (0.98, 0.92), (0.35, 0.92)], mix(ink, contrasting(ink), 0.3))
    else:
        shape(art, ring(4, 0.45), ink)
    return art


def tent(rng: Generator, ink: Colour) -> Picture:
    art, style = blank(), int(rng.integers(3))
    if style == 0:
        shape(art, [(0.5, 0.1), (0.9, 0.95), (0.62, 0.95), (0.5, 0.5), (0.38, 0.95), (0.1, 0.95)], ink)
    elif style == 1:
        shape(art, [(0.5, 0.25), (0.95, 0.95), (0.05, 0.95)], ink)
        stroke(art, [(0.5, 0.3), (0.5, 0.02), (0.75, 0.1), (0.5, 0.18)], ink, 7)
    else:
        shape(art, [(0.1, 0.95), (0.1, 0.5), (0.5, 0.1), (0.9, 0.5), (0.9, 0.95)], ink)
        for x in (0.36, 0.64):
            stroke(art, [(x, 0.95), (0.5, 0.15)], contrasting(ink), 7)
    return art


def card(rng: Generator, paper: Colour, ink: Colour) -> Picture:
    art, style = blank(), int(rng.integers(4))
    if style == 3:
        turned = [(0.35, 0.05), (0.95, 0.25), (0.65, 0.95), (0.05, 0.75)]
        shape(art, turned, paper, ink, 8)
        return art
    shape(art, [(0.18, 0.04), (0.82, 0.04), (0.82, 0.96), (0.18, 0.96)], paper, ink, 8)
    if style == 0:
        disc(art, 0.5, 0.5, 0.17, ink)
    elif style == 1:
        for y in (0.32, 0.5, 0.68):
            stroke(art, [(0.32, y), (0.68, y)], ink, 8)
    else:
        shape(art, ring(4, 0.25), ink)
    return art


def silver(rng: Generator, metal: Colour, edge: Colour) -> Picture:
    art, style = blank(), int(rng.integers(3))
    if style == 0:
        shape(art, [(0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88)], metal, edge, 9)
    elif style == 1:
        disc(art, 0.5, 0.5, 0.42, metal, edge)
    else:
        shape(art, ring(6, 0.45), metal, edge, 9)
    return art


def neutral(rng: Generator, ink: Colour) -> Picture:
    art = blank()
    shape(art, SHIELDS[int(rng.integers(len(SHIELDS)))](), ink, contrasting(ink), 5)
    return art


def site(rng: Generator, ink: Colour) -> Picture:
    """Where a castle may be built."""
    art, style = blank(), int(rng.integers(6))
    square = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
    if style == 0:
        stroke(art, [(0.06, 0.35), (0.94, 0.35), (0.94, 0.95), (0.06, 0.95)], ink, 7, True)
        for x in (0.06, 0.4, 0.74):
            stroke(art, [(x, 0.1), (x + 0.2, 0.1), (x + 0.2, 0.35), (x, 0.35)], ink, 6, True)
    elif style == 1:
        cv2.circle(art, (SIZE // 2, SIZE // 2), round(0.43 * SIZE), (*ink, 255), 10, cv2.LINE_AA)
    elif style == 2:
        shape(art, square, mix(ink, (220, 225, 230), 0.75), ink, 8)
    elif style == 3:
        stroke(art, square, ink, 6, True)
        stroke(art, [(0.1, 0.1), (0.9, 0.9)], ink, 5)
        stroke(art, [(0.9, 0.1), (0.1, 0.9)], ink, 5)
    elif style == 4:
        disc(art, 0.5, 0.5, 0.42, mix(ink, (225, 225, 225), 0.6), ink)
    else:
        shape(
            art,
            [
                (0.1, 0.95),
                (0.1, 0.1),
                (0.3, 0.1),
                (0.3, 0.3),
                (0.42, 0.3),
                (0.42, 0.1),
                (0.58, 0.1),
                (0.58, 0.3),
                (0.7, 0.3),
                (0.7, 0.1),
                (0.9, 0.1),
                (0.9, 0.95),
            ],
            ink,
        )
    return art


def town(rng: Generator, plate: Colour, ink: Colour, city: bool) -> Picture:
    """The place of a village or city; a whole set shares one `rng` state for both."""
    art, style = blank(), int(rng.integers(4))
    if style == 0:
        disc(art, 0.5, 0.5, 0.48, plate, mix(plate, ink, 0.6))
    elif style == 1:
        shape(art, [(0.04, 0.04), (0.96, 0.04), (0.96, 0.96), (0.04, 0.96)], plate, ink, 5)
    elif style == 2:
        shape(art, ring(6, 0.49), plate, ink, 5)
    roofs = (0.28, 0.5, 0.72) if city else (0.5,)
    reach = 0.1 if city else 0.17
    for x in roofs:
        top = 0.36 if not city or x != 0.5 else 0.26
        shape(art, [(x, top), (x + reach, 0.52), (x + reach, 0.7), (x - reach, 0.7), (x - reach, 0.52)], ink)
    return art


SHIELDS: tuple[Callable[[], Points], ...] = (
    lambda: [(0.1, 0.08), (0.9, 0.08), (0.9, 0.55), (0.5, 0.97), (0.1, 0.55)],
    lambda: [(0.5, 0.03), (0.92, 0.35), (0.92, 0.95), (0.08, 0.95), (0.08, 0.35)],
    lambda: [
        (0.08, 0.08),
        (0.92, 0.08),
        *[(0.5 + 0.42 * float(np.cos(a)), 0.5 + 0.47 * float(np.sin(a))) for a in np.linspace(0, np.pi, 9)],
    ],
    lambda: [(0.05, 0.1), (0.95, 0.1), (0.8, 0.5), (0.95, 0.9), (0.05, 0.9), (0.2, 0.5)],
    lambda: ring(16, 0.47),
    lambda: [(0.5, 0.02), (0.95, 0.5), (0.72, 0.5), (0.72, 0.97), (0.28, 0.97), (0.28, 0.5), (0.05, 0.5)],
    lambda: ring(4, 0.49),
    lambda: ring(6, 0.49),
    lambda: [(0.1, 0.05), (0.9, 0.05), (0.9, 0.95), (0.5, 0.7), (0.1, 0.95)],
    lambda: [(0.02, 0.1), (0.98, 0.1), (0.75, 0.92), (0.25, 0.92)],
)
