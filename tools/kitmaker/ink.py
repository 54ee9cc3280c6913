"""What a whole set shares in its print: textures, lines, symbols."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tools.kitmaker import icons
from tools.kitmaker.paint import TEXTURES, Colour, Picture, contrasting, mix
from tools.kitmaker.palette import Palette

MM = 4.5
"""Pixels a millimetre of all board art."""


@dataclass(frozen=True)
class Ink:
    """What a whole set shares in its print."""

    textures: dict[str, str]
    rough: float
    border: float
    divider: float
    line: Colour
    waviness: float
    site: Picture
    site_size: float
    village: Picture
    city: Picture
    town_size: float
    symbols: dict[str, Picture]
    symbol_size: float
    gifts: dict[str, Picture]
    gift_size: float


def make_ink(rng: Generator, palette: Palette) -> Ink:
    own = {kind: str(rng.choice(TEXTURES)) for kind in palette.terrain}
    if rng.random() < 0.5:  # one hand painted everything
        own = dict.fromkeys(own, str(rng.choice(TEXTURES)))
    dark = bool(rng.random() < 0.7)
    ground = {"wood": "wood", "grain": "grain", "rocks": "rocks", "market": "market"}
    tone = float(rng.uniform(0.35, 0.9))
    draw = {"wood": icons.wood, "grain": icons.grain, "rocks": icons.rocks, "market": icons.tent}
    symbols, gifts = {}, {}
    for kind, field in ground.items():
        colour = palette.terrain[field]
        symbols[kind] = draw[kind](rng, mix(colour, contrasting(colour), tone))
        if kind != "market":
            gifts[kind] = draw[kind](
                rng, mix(palette.terrain["strip"], contrasting(palette.terrain["strip"]), 0.8)
            )
    gifts["card"] = icons.card(rng, (235, 240, 245), (60, 30, 90))
    gifts["silver"] = icons.silver(rng, (225, 220, 215), (90, 85, 80))
    gifts["neutral"] = icons.neutral(rng, (150, 140, 135))
    style = int(rng.integers(1 << 30))
    plate = (150.0, 190.0, 215.0) if rng.random() < 0.6 else palette.terrain["chart"]
    town_ink = (40.0, 50.0, 140.0) if rng.random() < 0.5 else (30.0, 30.0, 35.0)
    return Ink(
        own,
        float(rng.uniform(0.4, 1.3)),
        float(rng.choice([0.0, 0.4, 0.8, 1.3])),
        float(rng.choice([0.0, 0.4, 0.8, 1.3])),
        (35.0, 32.0, 30.0) if dark else (225.0, 235.0, 238.0),
        float(rng.choice([0.0, 0.0, 0.8, 1.6])),
        icons.site(rng, (45.0, 42.0, 40.0) if rng.random() < 0.7 else (235.0, 238.0, 240.0)),
        float(rng.uniform(6.5, 11)),
        icons.town(np.random.default_rng(style), plate, town_ink, False),
        icons.town(np.random.default_rng(style), plate, town_ink, True),
        float(rng.uniform(6.5, 11)),
        symbols,
        float(rng.uniform(2.8, 5.5)),
        gifts,
        float(rng.uniform(4.0, 6.5)),
    )
