"""The printed board: four pieces, and under them the rim with track, gifts and charts."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker.box import PIECES, Kit, cells, direction, is_meadow, middle_angle, piece_size, runs
from tools.kitmaker.ink import MM, Ink, make_ink
from tools.kitmaker.paint import TEXTURES, Picture, fill, line, mix, noise, stamp, texture
from tools.kitmaker.palette import Palette
from tools.kitmaker.rim_art import draw_rim


@dataclass(frozen=True)
class PieceArt:
    """A piece in its unturned position."""

    print: Picture
    mask: Picture
    overhang: float
    """How far its octagons reach over its cells, in mm."""


@dataclass(frozen=True)
class BoardArt:
    rim: Picture
    """The whole board as it is printed where no piece lies."""
    pieces: dict[str, PieceArt]
    back: Picture
    """What a piece shows face down."""


def make_board(rng: Generator, kit: Kit, palette: Palette) -> BoardArt:
    ink = make_ink(rng, palette)
    rim = draw_rim(rng, kit, palette, ink)
    pieces = {name: _piece(rng, kit, name, palette, ink) for name in PIECES}
    shape = pieces["P1"].mask.shape[:2]
    back = texture(
        rng,
        str(rng.choice(TEXTURES)),
        shape,
        mix(palette.terrain["frame"], palette.terrain["meadow"], 0.5),
        MM,
    )
    return BoardArt(rim, pieces, np.clip(back, 0, 255).astype(np.uint8))


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
    points: list[tuple[float, float]] = [(0.0, 0.0), tuple(reach * np.array(direction(start * 90 - 45)))]
    for k in range(start, start + len(sides)):
        points += [tuple(corners[2 * (k % 4)]), tuple(corners[2 * (k % 4) + 1])]
    points.append(tuple(reach * np.array(direction((start + len(sides)) * 90 - 45))))
    return np.array(points)


def outlines(pitch: float, width: float, area: Kit) -> list[np.ndarray]:
    """Where an area lies, mm from the octagon's middle: as its set says, or a wedge for each run of sides."""
    if "polygon" in area:
        return [np.array(area["polygon"], np.float64)]
    return [wedge(pitch, width, run) for run in runs(area["sides"])]


def _piece(rng: Generator, kit: Kit, name: str, palette: Palette, ink: Ink) -> PieceArt:
    geometry = kit["geometry"]
    pitch, width = geometry["pitch"], geometry["octagon"]
    overhang = (width - pitch) / 2 + 1.0
    columns, rows = piece_size(kit)
    shape = round((rows * pitch + 2 * overhang) * MM), round((columns * pitch + 2 * overhang) * MM)
    fields = {
        kind: texture(rng, ink.textures[kind], shape, palette.terrain[kind], MM, ink.rough)
        for kind in ("wood", "grain", "rocks", "market", "mine", "meadow")
    }
    canvas = np.zeros((*shape, 3), np.float32)
    mask = np.zeros(shape, np.uint8)
    spaces = kit["pieces"][name]["spaces"]
    for cell, c, r in cells(columns, rows):
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
    canvas += noise(rng, shape, 2.0, 1)[..., None] * 3
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
        tint = (rng.normal(0, 6, 3) + rng.normal(0, 9)).astype(np.float32)
        for outline in outlines(*size, area):
            outline += middle
            if "polygon" in area:
                dividers.append(np.vstack([outline, outline[:1]]))
            elif len(area["sides"]) < 4:
                outline[0] += meeting
                dividers.append(outline[:2])
            fill(canvas, outline * MM, fields[area["kind"]], tint=tint)
    for divider in dividers:
        line(canvas, divider * MM, ink.line, ink.divider * MM, False)
    line(canvas, (middle + octagon(*size)) * MM, ink.line, ink.border * MM)
    if space["areas"][0]["kind"] == "mine":
        radius = size[1] * float(rng.uniform(0.15, 0.2)) * MM
        mouth = (round(middle[0] * MM), round(middle[1] * MM))
        cv2.circle(canvas, mouth, round(radius), (38, 34, 34), -1, cv2.LINE_AA)
        cv2.circle(canvas, mouth, round(radius), (200, 205, 205), round(0.6 * MM), cv2.LINE_AA)
        return
    taken = [np.zeros(2)] if space["printed"] else []
    for area in space["areas"]:
        sites = [np.array(site) for site in area.get("sites", ())]
        for site in sites:
            stamp(canvas, ink.site, (middle + site) * MM, ink.site_size * MM)
        for at in _symbol_places(rng, area, size, taken + sites):
            stamp(canvas, ink.symbols[area["kind"]], (middle + at) * MM, ink.symbol_size * MM)
    if space["printed"]:
        stamp(
            canvas, ink.city if space["printed"] == "city" else ink.village, middle * MM, ink.town_size * MM
        )


def _symbol_places(
    rng: Generator, area: Kit, size: tuple[float, float], taken: list[np.ndarray]
) -> list[np.ndarray]:
    """Spots in the area, as far as possible from its sites and from each other."""
    places: list[np.ndarray] = []
    wedges = runs(area["sides"])
    for number in range(area["symbols"]):
        run = wedges[number % len(wedges)]
        look, spread = middle_angle(run), len(run) * 45.0 - 18
        angles = look + rng.uniform(-spread, spread, 24)
        radii = rng.uniform(0.2, 0.42, 24) * size[1]
        tries = [radius * np.array(direction(a)) for a, radius in zip(angles, radii, strict=True)]
        if "polygon" in area:
            tries = _inside(outlines(*size, area)[0], tries)
        others = taken + places
        clear = [min((float(np.hypot(*(t - o))) for o in others), default=1.0) for t in tries]
        places.append(tries[int(np.argmax(np.minimum(clear, 11.0)))])
    return places


def _inside(outline: np.ndarray, tries: list[np.ndarray]) -> list[np.ndarray]:
    """Those well inside the outline; where none is, the one that is least outside."""
    depths = [cv2.pointPolygonTest(outline.astype(np.float32), tuple(map(float, t)), True) for t in tries]
    enough = min(3.0, max(depths))
    return [at for at, depth in zip(tries, depths, strict=True) if depth >= enough]
