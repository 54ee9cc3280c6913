"""The colours of a set: terrains, frame, players, wooden pieces."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.random import Generator

from tools.kitmaker.paint import Colour, hsv

# hue, saturation, value of paint on wood and of print, before a set's own shift
PLAYER_HSV: dict[str, tuple[float, float, float]] = {
    "red": (358, 0.85, 0.72),
    "blue": (218, 0.80, 0.66),
    "green": (135, 0.72, 0.48),
    "yellow": (47, 0.85, 0.90),
    "orange": (24, 0.88, 0.88),
    "black": (220, 0.15, 0.13),
    "white": (45, 0.05, 0.92),
    "purple": (285, 0.55, 0.50),
    "teal": (182, 0.75, 0.52),
    "brown": (22, 0.62, 0.36),
    "pink": (335, 0.50, 0.85),
    "grey": (210, 0.06, 0.52),
}
TERRAIN_HSV: dict[str, tuple[float, float, float]] = {
    "wood": (130, 0.55, 0.36),
    "grain": (45, 0.65, 0.85),
    "rocks": (250, 0.10, 0.62),
    "market": (14, 0.65, 0.72),
    "mine": (255, 0.35, 0.32),
    "meadow": (95, 0.45, 0.62),
    "strip": (105, 0.50, 0.60),
    "frame": (42, 0.30, 0.55),
    "chart": (45, 0.15, 0.85),
}
WOODS_HSV = (
    (28, 0.45, 0.65),
    (40, 0.04, 0.85),
    (25, 0.6, 0.4),
    (0, 0.02, 0.35),
    (38, 0.35, 0.85),
    (10, 0.55, 0.5),
    (210, 0.12, 0.6),
)


@dataclass(frozen=True)
class Palette:
    terrain: dict[str, Colour]
    player: dict[str, Colour]
    """Print on tiles."""
    wood: dict[str, Colour]
    """Paint on castles and markers."""
    village: Colour
    city: Colour
    silver: Colour


def make_palette(rng: Generator, colours: tuple[str, ...]) -> Palette:
    mood_saturation = float(rng.uniform(0.45, 1.25))
    mood_value = float(rng.uniform(0.8, 1.15))
    swing = float(rng.choice([12, 25, 60]))  # some sets are painted in quite other hues
    terrain = {}
    for kind, (hue, saturation, value) in TERRAIN_HSV.items():
        terrain[kind] = hsv(
            hue + rng.normal(0, swing),
            saturation * mood_saturation + rng.normal(0, 0.06),
            value * mood_value + rng.normal(0, 0.06),
        )
    player, wood = {}, {}
    for name in colours:
        hue, saturation, value = PLAYER_HSV[name]
        hue += float(rng.normal(0, 6))
        saturation *= float(rng.uniform(0.8, 1.05))
        player[name] = hsv(hue, saturation, value * rng.uniform(0.85, 1.15))
        wood[name] = hsv(
            hue + rng.normal(0, 4), saturation * rng.uniform(0.85, 1.1), value * rng.uniform(0.8, 1.1)
        )
    village, city = rng.permutation(len(WOODS_HSV))[:2]
    return Palette(
        terrain,
        player,
        wood,
        hsv(*WOODS_HSV[int(village)]),
        hsv(*WOODS_HSV[int(city)]),
        hsv(210, 0.05, float(rng.uniform(0.6, 0.9))),
    )
