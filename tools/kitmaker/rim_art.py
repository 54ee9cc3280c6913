"""The print under the pieces: rim with its track and gifts, green strip about the field, resource charts."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker import icons
from tools.kitmaker.box import KINDS, Kit, direction, piece_size
from tools.kitmaker.ink import MM, Ink
from tools.kitmaker.paint import FONTS, Picture, contrasting, fill, glyph, line, mix, stamp, texture
from tools.kitmaker.palette import Palette


def draw_rim(rng: Generator, kit: Kit, palette: Palette, ink: Ink) -> Picture:
    geometry = kit["geometry"]
    shape = (round(geometry["height"] * MM), round(geometry["width"] * MM))
    canvas = texture(rng, ink.textures["frame"], shape, palette.terrain["frame"], MM, ink.rough)
    frame = geometry["frame"]
    wide, high = (
        2 * count * geometry["pitch"] + geometry["octagon"] - geometry["pitch"] for count in piece_size(kit)
    )
    strip = texture(rng, ink.textures["strip"], shape, palette.terrain["strip"], MM, ink.rough)
    fill(canvas, _box(frame, frame, wide, high), strip)
    chart = texture(rng, "washed", shape, palette.terrain["chart"], MM, 0.4)
    fill(canvas, _box(frame + wide, frame, geometry["chart"], high), chart)
    if rng.random() < 0.5:
        line(canvas, _box(frame, frame, wide + geometry["chart"], high), ink.line, 0.6 * MM)
    if rng.random() < 0.5:
        _frame_seams(rng, canvas, geometry)
    _gifts(canvas, kit, ink)
    _track(rng, canvas, kit, palette)
    _charts(rng, canvas, kit, palette, ink)
    return np.clip(canvas, 0, 255).astype(np.uint8)


def _frame_seams(rng: Generator, canvas: Picture, geometry: Kit) -> None:
    """The rim is cut into several strips."""
    width, height, frame = geometry["width"], geometry["height"], geometry["frame"]
    for x in width * (np.array([0.33, 0.66]) + rng.uniform(-0.1, 0.1, 2)):
        for y in (0.0, height - frame):
            line(canvas, np.array([(x, y), (x, y + frame)]) * MM, (40.0, 40.0, 40.0), 0.25 * MM, False)
    for x in (0.0, width - frame):
        y = height * float(rng.uniform(0.35, 0.65))
        line(canvas, np.array([(x, y), (x + frame, y)]) * MM, (40.0, 40.0, 40.0), 0.25 * MM, False)


def _box(x: float, y: float, width: float, height: float) -> np.ndarray:
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)]) * MM


def _gifts(canvas: Picture, kit: Kit, ink: Ink) -> None:
    geometry = kit["geometry"]
    for key, gift in kit["frame"].items():
        cell, side = key.split("/")
        c, r = ord(cell[0]) - 65, int(cell[1:]) - 1
        out = np.array(direction("NESW".index(side) * 90))
        reach = geometry["pitch"] / 2 + (geometry["octagon"] - geometry["pitch"]) / 2 * (
            1.35 if gift == "neutral" else 0.6
        )
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
    every = 5 if rng.random() < 0.2 else 1  # some tracks name only each fifth space
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
        if k % every == 0:
            stamp(canvas, glyph(str(k), font, ink, bold), at * MM, digits * MM, degrees)
        elif plate == 4:
            cv2.circle(canvas, (round(x * MM), round(y * MM)), round(digits * MM / 3), ink, -1, cv2.LINE_AA)


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
            at = np.array([x, y])
            half = np.array([wide, high]) / 2
            corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
            if rounded:
                cut = 0.75
                corners = (
                    np.array(
                        [
                            (-cut, -1),
                            (cut, -1),
                            (1, -cut),
                            (1, cut),
                            (cut, 1),
                            (-cut, 1),
                            (-1, cut),
                            (-1, -cut),
                        ]
                    )
                    * half
                )
            fill(canvas, (corners + at) * MM, mix(colour, (255, 255, 255), 0.05 * k))
            line(canvas, (corners + at) * MM, mark, 0.35 * MM)
            stamp(canvas, glyph(str(k), font, mark, bold), np.array([x - wide * 0.4, y]) * MM, size * MM)
            stamp(canvas, ink.symbols[kind], np.array([x + wide * 0.4, y]) * MM, size * 1.2 * MM)
