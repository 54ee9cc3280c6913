"""Rooms to photograph in: a warm lamp, a window, the sun through it, a low lamp that glares."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from tools.kitmaker.light import Lamp, Light
from tools.kitmaker.view import Points

ROOMS = ("lamp", "window", "sun", "low")


def make_room(rng: Generator, board: tuple[float, float], room: str) -> Light:
    """Light of the named room, or of any."""
    middle = np.array([board[0] / 2, board[1] / 2, 0.0])
    kind = room if room in ROOMS else str(rng.choice(ROOMS))
    share, glow, lamps = {"lamp": _lamp, "window": _window, "sun": _sun, "low": _low}[kind](rng, middle)
    around = rng.uniform(0, 2 * np.pi)
    return Light(share * glow, lamps, middle, np.array([np.cos(around), np.sin(around), 0.0]))


Room = tuple[float, Points, tuple[Lamp, ...]]
"""The share of the light that comes from everywhere, its colour, and the lamps."""


def _lamp(rng: Generator, middle: Points) -> Room:
    """Hanging over the table, warm, and often a second one in the room."""
    warm = tint(float(rng.uniform(0.35, 0.9)))
    share, second = float(rng.uniform(0.2, 0.5)), float(rng.choice([0.0, 0.25]))
    hanging = _placed(rng, middle, (0, 550), (600, 1300))
    lamps = [Lamp(hanging, (1 - share) * (1 - second) * warm, float(rng.uniform(50, 180)))]
    if second:
        other = _placed(rng, middle, (900, 2000), (900, 1900))
        lamps.append(Lamp(other, (1 - share) * second * tint(float(rng.uniform(0, 0.9))), 120.0))
    return share, tint(float(rng.uniform(0.2, 0.7))), tuple(lamps)


def _window(rng: Generator, middle: Points) -> Room:
    cool = tint(float(rng.uniform(-0.55, 0.05)))
    share = float(rng.uniform(0.4, 0.7))
    window = _placed(rng, middle, (1100, 2200), (500, 1300))
    pane = Lamp(window, (1 - share) * cool, float(rng.uniform(350, 650)))
    return share, tint(float(rng.uniform(-0.3, 0.2))), (pane,)


def _sun(rng: Generator, middle: Points) -> Room:
    share = float(rng.uniform(0.25, 0.45))
    sun = _placed(rng, middle, (1500, 3000), (2200, 3600))
    return share, tint(float(rng.uniform(-0.5, -0.1))), (Lamp(sun, (1 - share) * tint(0.25), 22.0),)


def _low(rng: Generator, middle: Points) -> Room:
    """A reading lamp beside the board: uneven light, long shadows, its image on the gloss."""
    share = float(rng.uniform(0.15, 0.35))
    at, warm = _placed(rng, middle, (250, 520), (330, 560)), tint(float(rng.uniform(0.1, 0.7)))
    lamp = Lamp(at, (1 - share) * warm, float(rng.uniform(25, 70)))
    return share, tint(float(rng.uniform(0, 0.5))), (lamp,)


def _placed(rng: Generator, middle: Points, off: tuple[float, float], height: tuple[float, float]) -> Points:
    around, away = rng.uniform(0, 2 * np.pi), rng.uniform(*off)
    return np.asarray(middle + np.array([away * np.cos(around), away * np.sin(around), rng.uniform(*height)]))


def tint(warm: float) -> Points:
    """BGR of unit green, from bluish (-1) to a bulb (1)."""
    return np.array([1 - 0.35 * warm, 1.0, 1 + 0.3 * warm])
