"""The heraldic tiles: faces in many designs, and one back a set."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker import icons
from tools.kitmaker.box import Kit, direction
from tools.kitmaker.paint import (
    FONTS,
    TEXTURES,
    Colour,
    Font,
    Picture,
    contrasting,
    fill,
    glyph,
    hsv,
    inked,
    line,
    mix,
    noise,
    stamp,
    texture,
)
from tools.kitmaker.palette import Palette

FACE = 320
"""Pixels along a tile's side while it is drawn."""

PIPS: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-1, 0), (1, 0)],
    3: [(-1, 0.6), (1, 0.6), (0, -0.9)],
    4: [(-1, -0.8), (1, -0.8), (-1, 0.8), (1, 0.8)],
    5: [(-1, -0.9), (1, -0.9), (-1, 0.9), (1, 0.9), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


@dataclass(frozen=True)
class TileStyle:
    paper: Colour
    ground: str
    """triangles, plain, pie or edges: how the players' colours tint the face."""
    tint: float
    texture: str
    shield: int | None
    shield_size: float
    shield_out: float
    """How far from the middle the arms stand, in shares of the tile."""
    outline: Colour | None
    pips: bool
    font: Font
    bold: float
    value_size: float
    facing: str
    split: float
    border: float
    silver: Picture
    silver_size: float
    card: Picture
    rosette: bool
    start_mark: int


def make_style(rng: Generator, palette: Palette) -> TileStyle:
    shield = None if rng.random() < 0.15 else int(rng.integers(len(icons.SHIELDS)))
    paper = hsv(rng.uniform(30, 60), rng.uniform(0.05, 0.3), rng.uniform(0.75, 0.95))
    if rng.random() < 0.2:
        paper = hsv(rng.uniform(0, 360), 0.3, 0.35)
    ground = "triangles" if shield is None else str(rng.choice(["triangles", "plain", "pie", "edges"]))
    return TileStyle(
        paper,
        ground,
        0.85 if shield is None else float(rng.uniform(0.2, 0.6)),
        str(rng.choice(TEXTURES)),
        shield,
        float(rng.uniform(0.21, 0.29)),
        float(rng.uniform(0.31, 0.35)),
        None if rng.random() < 0.4 else ((25.0, 25.0, 25.0) if rng.random() < 0.6 else (240.0, 240.0, 240.0)),
        bool(rng.random() < 0.3),
        FONTS[int(rng.integers(len(FONTS)))],
        float(rng.uniform(0.1, 0.2)),
        float(rng.uniform(0.55, 0.72)),
        str(rng.choice(["out", "out", "in", "upright"])),
        float(rng.choice([0.0, 0.004, 0.012])),
        float(rng.choice([0.0, 0.01, 0.025, 0.04])),
        icons.silver(rng, (225, 220, 212), (70, 65, 60)),
        float(rng.uniform(0.07, 0.1)),
        icons.card(rng, (235, 240, 245), (60, 30, 110)),
        bool(rng.random() < 0.2),
        int(rng.integers(4)),
    )


def make_faces(
    rng: Generator, kit: Kit, palette: Palette, pixels: int, font: Font | None = None
) -> dict[str, Picture]:
    """Every tile's face, north up, `pixels` along a side; numerals in `font` instead of any."""
    style = make_style(rng, palette)
    style = style if font is None else replace(style, font=font)
    ground = texture(rng, style.texture, (FACE, FACE), style.paper, FACE / 28, 0.5)
    return {tile["id"]: _shrink(_face(tile, style, palette, ground), pixels) for tile in kit["tiles"]}


def _shrink(face: Picture, pixels: int) -> Picture:
    small = cv2.resize(np.clip(face, 0, 255).astype(np.uint8), (pixels, pixels), interpolation=cv2.INTER_AREA)
    return np.asarray(small)


def _face(tile: Kit, style: TileStyle, palette: Palette, ground: Picture) -> Picture:
    face = ground.copy()
    for side, (colour, value) in enumerate(tile["sides"]):
        _arms(face, side, palette.player[colour], value, style)
    square = np.array([(0, 0), (FACE, 0), (FACE, FACE), (0, FACE)], float)
    for a, b in (((0, 0), (FACE, FACE)), ((FACE, 0), (0, FACE))):
        line(face, [a, b], (60.0, 60.0, 60.0), style.split * FACE, False)
    if style.rosette:
        stamp(face, inked(_rosette(), (60.0, 70.0, 80.0)), (FACE / 2, FACE / 2), FACE * 0.2)
    shift = FACE * style.silver_size * 0.6
    for at in {0: [], 1: [0.0], 2: [-1.0, 1.0]}[tile["silver"]]:
        stamp(face, style.silver, (FACE / 2 + at * shift, FACE / 2), FACE * style.silver_size)
    edge = (40.0, 40.0, 40.0)
    if tile["id"][0] == "S" and style.start_mark:
        edge = {1: (60.0, 170.0, 200.0), 2: (230.0, 230.0, 230.0), 3: (60.0, 60.0, 160.0)}[style.start_mark]
        line(face, square, edge, 0.05 * FACE)
    elif style.border:
        line(face, square, edge, style.border * 2 * FACE)
    return face


def _rosette() -> Picture:
    mask = np.zeros((96, 96), np.uint8)
    for k in range(8):
        dx, dy = direction(k * 45)
        cv2.line(mask, (48, 48), (round(48 + 44 * dx), round(48 + 44 * dy)), 200, 4, cv2.LINE_AA)
    return mask


def _arms(face: Picture, side: int, colour: Colour, value: int | str, style: TileStyle) -> None:
    """One side of the face: its tint, shield, and what it is worth."""
    out = np.array(direction(side * 90))
    middle, half = np.array([FACE / 2, FACE / 2]), FACE / 2
    across = np.array([-out[1], out[0]])
    field = {
        "triangles": [middle, middle + half * (out - across), middle + half * (out + across)],
        "pie": [
            middle,
            *[middle + 0.46 * FACE * np.array(direction(side * 90 + a)) for a in range(-45, 46, 9)],
        ],
        "edges": [
            middle + half * (f * out + s * across)
            for f, s in ((1, -0.8), (1, 0.8), (0.84, 0.66), (0.84, -0.66))
        ],
        "plain": None,
    }[style.ground]
    if field is not None:
        fill(face, field, colour, style.tint if style.ground != "edges" else 0.9)
    at = middle + out * style.shield_out * FACE
    size = style.shield_size * FACE
    behind = colour
    if style.shield is not None:
        art = icons.blank()
        icons.shape(art, icons.SHIELDS[style.shield](), colour, style.outline, 5)
        stamp(face, art, at, size, side * 90)
    else:
        behind = mix(style.paper, colour, style.tint)
    degrees = {"out": side * 90, "in": side * 90 + 180, "upright": 0}[style.facing]
    if value == "card":
        stamp(face, style.card, at, size * 0.7, degrees)
    elif style.pips:
        stamp(face, _pips(int(value), contrasting(behind)), at, size * 0.8, degrees)
    else:
        number = glyph(str(value), style.font, contrasting(behind), style.bold)
        stamp(face, number, at, size * style.value_size, degrees)


def _pips(value: int, colour: Colour) -> Picture:
    mask = np.zeros((96, 96), np.uint8)
    for x, y in PIPS[value]:
        cv2.circle(mask, (round(48 + 20 * x), round(48 + 20 * y)), 9, 255, -1, cv2.LINE_AA)
    return inked(mask, colour)


def make_back(rng: Generator, pixels: int) -> Picture:
    colour = hsv(rng.uniform(0, 360), rng.uniform(0.2, 0.75), rng.uniform(0.3, 0.75))
    ink = mix(colour, contrasting(colour), float(rng.uniform(0.4, 0.9)))
    gold = hsv(42, 0.55, 0.8) if rng.random() < 0.5 else ink
    back = texture(rng, str(rng.choice(TEXTURES)), (FACE, FACE), colour, FACE / 28, 0.5)
    middle, design = np.array([FACE / 2, FACE / 2]), int(rng.integers(6))
    if design == 0:
        for k in range(8):
            out = np.array(direction(k * 45)) * FACE
            line(back, [middle + 0.16 * out, middle + 0.34 * out], gold, FACE * 0.02, False)
        cv2.circle(back, (FACE // 2, FACE // 2), FACE // 8, gold, 5, cv2.LINE_AA)
    elif design == 1:
        for k in range(-8, 17):
            line(back, [(k * FACE / 8, 0), (k * FACE / 8 + FACE, FACE)], gold, 3, False)
            line(back, [(k * FACE / 8, 0), (k * FACE / 8 - FACE, FACE)], gold, 3, False)
    elif design == 2:
        for share in (0.12, 0.22, 0.32, 0.42):
            line(back, middle + FACE * share * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), gold, 5)
    elif design == 3:
        stamp(back, icons.site(np.random.default_rng(9), gold), middle, FACE * 0.6)
    elif design == 4:
        stamp(back, inked(_rosette(), gold), middle, FACE * 0.75)
        line(back, icons.ring(4, 0.36 * FACE, 0, FACE / 2, FACE / 2), gold, 6)
    else:
        art = icons.blank()
        icons.shape(art, icons.SHIELDS[int(rng.integers(len(icons.SHIELDS)))](), gold, contrasting(gold), 5)
        stamp(back, art, middle, FACE * 0.5)
    if rng.random() < 0.6:
        line(back, middle + FACE * 0.46 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]), gold, 5)
    return _shrink(back + noise(rng, (FACE, FACE), 3, 1)[..., None] * 4, pixels)
