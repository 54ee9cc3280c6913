"""The printed board: four pieces, and under them the rim with track, gifts and charts."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker import icons
from tools.kitmaker.box import KINDS, PIECES, Kit, cells, direction, is_meadow, middle_angle
from tools.kitmaker.paint import (
    FONTS,
    TEXTURES,
    Colour,
    Picture,
    contrasting,
    fill,
    glyph,
    line,
    mix,
    noise,
    stamp,
    texture,
)
from tools.kitmaker.palette import Palette

MM = 4.5
"""Pixels a millimetre of all board art."""


@dataclass(frozen=True)
class PieceArt:
    """A piece in its unturned position; `overhang` is how far its octagons reach over its 4 x 4 cells, in mm."""

    print: Picture
    mask: Picture
    overhang: float


@dataclass(frozen=True)
class BoardArt:
    rim: Picture
    """The whole board as it is printed where no piece lies."""
    pieces: dict[str, PieceArt]
    back: Picture
    """What a piece shows face down."""


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


def make_board(rng: Generator, kit: Kit, palette: Palette) -> BoardArt:
    ink = _ink(rng, palette)
    rim = _rim(rng, kit, palette, ink)
    pieces = {name: _piece(rng, kit, name, palette, ink) for name in PIECES}
    side = round((4 * kit["geometry"]["pitch"] + 2 * pieces["P1"].overhang) * MM)
    back = texture(rng, str(rng.choice(TEXTURES)), (side, side), mix(palette.terrain["frame"], palette.terrain["meadow"], 0.5), MM)
    return BoardArt(rim, pieces, np.clip(back, 0, 255).astype(np.uint8))


def _ink(rng: Generator, palette: Palette) -> Ink:
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
            gifts[kind] = draw[kind](rng, mix(palette.terrain["strip"], contrasting(palette.terrain["strip"]), 0.8))
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


def octagon(pitch: float, width: float) -> np.ndarray:
    """Corners clockwise from the north side's left end, mm from the middle."""
    a, b = width / 2, pitch - width / 2
    return np.array([(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)])


def wedge(pitch: float, width: float, sides: str) -> np.ndarray:
    """An area's outline, mm from the octagon's middle."""
    corners = octagon(pitch, width)
    start = "NESW".index(sides[0])
    if len(sides) == 4:
        return corners
    reach = pitch / np.sqrt(2)
    points: list[tuple[float, float]] = [(0.0, 0.0), tuple(reach * np.array(direction(start * 90 - 45)))]  # type: ignore[list-item]
    for k in range(start, start + len(sides)):
        points += [tuple(corners[2 * (k % 4)]), tuple(corners[2 * (k % 4) + 1])]
    points.append(tuple(reach * np.array(direction((start + len(sides)) * 90 - 45))))  # type: ignore[arg-type]
    return np.array(points)


def _piece(rng: Generator, kit: Kit, name: str, palette: Palette, ink: Ink) -> PieceArt:
    geometry = kit["geometry"]
    pitch, width = geometry["pitch"], geometry["octagon"]
    overhang = (width - pitch) / 2 + 1.0
    side = round((4 * pitch + 2 * overhang) * MM)
    fields = {
        kind: texture(rng, ink.textures[kind], (side, side), palette.terrain[kind], MM, ink.rough)
        for kind in ("wood", "grain", "rocks", "market", "mine", "meadow")
    }
    canvas = np.zeros((side, side, 3), np.float32)
    mask = np.zeros((side, side), np.uint8)
    spaces = kit["pieces"][name]["spaces"]
    for cell, c, r in cells(4, 4):
        middle = np.array([overhang + (c + 0.5) * pitch, overhang + (r + 0.5) * pitch])
        if is_meadow(c, r):
            half = pitch - width / 2 + 0.1
            outline = (middle + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])) * MM
            fill(canvas, outline, fields["meadow"])
            if ink.border:
                line(canvas, outline, ink.line, 0.4 * MM)
        else:
            outline = (middle + octagon(pitch, width + 0.2)) * MM
            _space(rng, canvas, spaces[cell], middle, (pitch, width), fields, ink)
        cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    canvas += noise(rng, (side, side), 2.0, 1)[..., None] * 3
    return PieceArt(np.clip(canvas, 0, 255).astype(np.uint8), mask, overhang)


def _space(
    rng: Generator,
    canvas: Picture,
    space: Kit,
    middle: np.ndarray,
    size: tuple[float, float],
    fields: dict[str, Picture],
    ink: Ink,
) -> None:
    """One landscape space: its areas, their borders, symbols, castle sites, and the town's place."""
    meeting = rng.normal(0, 1, 2) * ink.waviness  # hand-drawn areas do not meet quite in the middle
    dividers = []
    for area in space["areas"]:
        outline = wedge(*size, area["sides"]) + middle
        if len(area["sides"]) < 4:
            outline[0] += meeting
            dividers.append(outline[:2])
        tint = (rng.normal(0, 6, 3) + rng.normal(0, 9)).astype(np.float32)
        fill(canvas, outline * MM, fields[area["kind"]], tint=tint)
    for divider in dividers:
        line(canvas, divider * MM, ink.line, ink.divider * MM, False)
    line(canvas, (middle + octagon(*size)) * MM, ink.line, ink.border * MM)
    if space["areas"][0]["kind"] == "mine":
        radius = size[1] * float(rng.uniform(0.15, 0.2)) * MM
        at = (round(middle[0] * MM), round(middle[1] * MM))
        cv2.circle(canvas, at, round(radius), (38, 34, 34), -1, cv2.LINE_AA)
        cv2.circle(canvas, at, round(radius), (200, 205, 205), round(0.6 * MM), cv2.LINE_AA)
        return
    taken = [np.zeros(2)] if space["printed"] else []
    for area in space["areas"]:
        sites = [np.array(site) for site in area.get("sites", ())]
        for site in sites:
            stamp(canvas, ink.site, (middle + site) * MM, ink.site_size * MM)
        for at in _symbol_places(rng, area, size[1], taken + sites):
            stamp(canvas, ink.symbols[area["kind"]], (middle + at) * MM, ink.symbol_size * MM)
    if space["printed"]:
        stamp(canvas, ink.city if space["printed"] == "city" else ink.village, middle * MM, ink.town_size * MM)


def _symbol_places(rng: Generator, area: Kit, width: float, taken: list[np.ndarray]) -> list[np.ndarray]:
    """Spots in the wedge, as far as possible from its sites and from each other."""
    look, spread = middle_angle(area["sides"]), len(area["sides"]) * 45.0 - 18
    places: list[np.ndarray] = []
    for _ in range(area["symbols"]):
        angles = look + rng.uniform(-spread, spread, 24)
        radii = rng.uniform(0.2, 0.42, 24) * width
        tries = [radius * np.array(direction(a)) for a, radius in zip(angles, radii, strict=True)]
        others = taken + places
        clear = [min((float(np.hypot(*(t - o))) for o in others), default=1.0) for t in tries]
        places.append(tries[int(np.argmax(np.minimum(clear, 11.0)))])
    return places


def _rim(rng: Generator, kit: Kit, palette: Palette, ink: Ink) -> Picture:
    geometry = kit["geometry"]
    shape = (round(geometry["height"] * MM), round(geometry["width"] * MM))
    canvas = texture(rng, ink.textures["frame"], shape, palette.terrain["frame"], MM, ink.rough)
    frame, field = geometry["frame"], 8 * geometry["pitch"] + geometry["octagon"] - geometry["pitch"]
    strip = texture(rng, ink.textures["strip"], shape, palette.terrain["strip"], MM, ink.rough)
    fill(canvas, _box(frame, frame, field, field), strip)
    chart = texture(rng, "washed", shape, palette.terrain["chart"], MM, 0.4)
    fill(canvas, _box(frame + field, frame, geometry["chart"], field), chart)
    if rng.random() < 0.5:
        line(canvas, _box(frame, frame, field + geometry["chart"], field), ink.line, 0.6 * MM)
    _gifts(canvas, kit, ink)
    _track(rng, canvas, kit, palette)
    _charts(rng, canvas, kit, palette, ink)
    return np.clip(canvas, 0, 255).astype(np.uint8)


def _box(x: float, y: float, width: float, height: float) -> np.ndarray:
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)]) * MM


def _gifts(canvas: Picture, kit: Kit, ink: Ink) -> None:
    geometry = kit["geometry"]
    for key, gift in kit["frame"].items():
        cell, side = key.split("/")
        c, r = ord(cell[0]) - 65, int(cell[1]) - 1
        out = np.array(direction("NESW".index(side) * 90))
        reach = geometry["pitch"] / 2 + (geometry["octagon"] - geometry["pitch"]) / 2 * (1.35 if gift == "neutral" else 0.6)
        at = np.array(geometry["origin"]) + (np.array([c, r]) + 0.5) * geometry["pitch"] + out * reach
        stamp(canvas, ink.gifts[gift], at * MM, ink.gift_size * MM)


def _track(rng: Generator, canvas: Picture, kit: Kit, palette: Palette) -> None:
    geometry, track = kit["geometry"], kit["track"]
    step = float(np.hypot(*(np.array(track[2]) - track[1])))
    size = min(step * 0.75, geometry["frame"] * 0.62) * float(rng.uniform(0.6, 1.0))
    plate, facing = int(rng.integers(5)), str(rng.choice(["upright", "out", "in"]))
    paper = mix(palette.terrain["chart"], (255, 255, 255), float(rng.uniform(0, 0.5)))
    ground = palette.terrain["frame"] if plate == 4 else paper
    ink = mix(ground, contrasting(ground), 0.9)
    font, bold = FONTS[int(rng.integers(len(FONTS)))], float(rng.uniform(0.06, 0.16))
    digits = size * float(rng.uniform(0.36, 0.55))
    for k, (x, y) in enumerate(track):
        at = np.array([x, y])
        corners = {0: 4, 1: 24, 2: 6, 3: 8}.get(plate)
        if corners:
            turn = {4: np.pi / 4, 6: 0.0, 8: np.pi / 8, 24: 0.0}[corners]
            radius = size / 2 * (1.35 if corners == 4 else 1.05)
            outline = [at + p for p in icons.ring(corners, radius, turn, 0, 0)]
            fill(canvas, np.array(outline) * MM, paper)
            line(canvas, np.array(outline) * MM, ink, 0.3 * MM)
        sides = [y, geometry["width"] - x, geometry["height"] - y, x]
        turn_out = int(np.argmin(sides)) * 90
        degrees = {"upright": 0, "out": turn_out, "in": turn_out + 180}[facing]
        stamp(canvas, glyph(str(k), font, ink, bold), at * MM, digits * MM, degrees)


def _charts(rng: Generator, canvas: Picture, kit: Kit, palette: Palette, ink: Ink) -> None:
    geometry = kit["geometry"]
    step = abs(kit["chart"]["wood"][1][1] - kit["chart"]["wood"][0][1])
    wide = geometry["chart"] * float(rng.uniform(0.62, 0.85))
    high = step * float(rng.uniform(0.72, 0.96))
    font, bold = FONTS[int(rng.integers(len(FONTS)))], float(rng.uniform(0.06, 0.16))
    rounded = bool(rng.random() < 0.3)
    size = min(high * 0.6, 6.0)
    for kind in KINDS:
        colour = palette.terrain[kind] if rng.random() < 0.8 else palette.terrain["chart"]
        mark = mix(colour, contrasting(colour), 0.75)
        for k, (x, y) in enumerate(kit["chart"][kind]):
            half = np.array([wide, high]) / 2
            corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
            if rounded:
                cut = 0.75
                corners = np.array([(-cut, -1), (cut, -1), (1, -cut), (1, cut), (cut, 1), (-cut, 1), (-1, cut), (-1, -cut)]) * half
            fill(canvas, (corners + (x, y)) * MM, mix(colour, (255, 255, 255), 0.05 * k))
            line(canvas, (corners + (x, y)) * MM, mark, 0.35 * MM)
            stamp(canvas, glyph(str(k), font, mark, bold), np.array([x - wide * 0.4, y]) * MM, size * MM)
            stamp(canvas, ink.symbols[kind], np.array([x + wide * 0.4, y]) * MM, size * 1.2 * MM)
