"""A kitmaker scene in the words of `blender.py`: millimetres, linear colours, textures as files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker.ink import MM
from tools.kitmaker.light import Light
from tools.kitmaker.paint import Colour, Picture
from tools.kitmaker.render import slab
from tools.kitmaker.scene import Cardboard, Scene
from tools.kitmaker.solids import Solid
from tools.kitmaker.view import Points, View

Described = dict[str, Any]
TABLE_REACH = 3500.0
"""Half a side of the table, mm: far enough for a horizon in steep photos."""


@dataclass(frozen=True)
class Finish:
    """How a set's surfaces take the light."""

    print_rough: float
    print_gloss: float
    emboss: float
    wood_rough: float
    wood_gloss: float
    grain: float
    """How much bare or painted wood shows its rings, as a share of its colour."""
    sanded: float
    """Radius of the pieces' edges, mm."""


def any_finish(rng: Generator) -> Finish:
    return Finish(
        float(rng.uniform(0.25, 0.6)),
        float(rng.uniform(0.15, 0.6)),
        float(rng.choice([0.0, 0.03, 0.08])),
        float(rng.uniform(0.3, 0.65)),
        float(rng.uniform(0.15, 0.6)),
        float(rng.choice([0.05, 0.12, 0.3])),
        float(rng.choice([0.15, 0.35, 0.6])),
    )


def describe(
    rng: Generator,
    scene: Scene,
    around: Sequence[Solid],
    view: View,
    light: Light,
    table: Picture,
    wall: Colour,
    cardboard: Cardboard,
    finish: Finish,
    folder: Path,
) -> Described:
    """All but the quality of the picture. The board's top is height 0, so the table lies below."""
    below = -cardboard.board_thickness
    return {
        "camera": _camera(rng, view, light),
        "room": {
            "ambient": rgb(light.ambient),
            "brighter": light.brighter.tolist(),
            "wall": (linear(wall) * float(light.ambient.mean()) * 1.2).tolist(),
        },
        "lamps": [
            {
                "at": lamp.at.tolist(),
                "towards": light.middle.tolist(),
                "colour": rgb(lamp.colour),
                "radius": max(lamp.radius, 8.0),
            }
            for lamp in light.lamps
        ],
        "table": {
            "texture": texture(table, folder),
            "millimetres": float(len(table)),
            "reach": TABLE_REACH,
            "height": below,
            "rough": float(rng.uniform(0.3, 0.8)),
            "gloss": float(rng.uniform(0.1, 0.5)),
            "emboss": 0.0,
        },
        "sheets": _sheets(scene, cardboard, finish, folder),
        "solids": [_solid(rng, solid, finish, 0.0) for solid in scene.solids]
        + [_solid(rng, solid, finish, below) for solid in around],
    }


def linear(colour: Colour) -> Points:
    """Linear RGB from kitmaker's BGR of 0-255."""
    return np.asarray((np.clip(np.array(colour[::-1]), 0, 255) / 255) ** 2.2)


def rgb(bgr: Points) -> list[float]:
    return [float(part) for part in bgr[::-1]]


def texture(art: Picture, folder: Path) -> str:
    """The file that holds `art`; the same art is kept once."""
    name = hashlib.sha1(np.ascontiguousarray(art).tobytes()).hexdigest()[:16]
    path = folder / f"{name}.png"
    if not path.exists():
        cv2.imwrite(str(path), art, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    return str(path)


def axes(view: View) -> Points:
    """Rows: right, down and forward of the camera in (x, y, height), as it is straight behind its pinhole."""
    width, height = view.size
    inner = np.array([[view.focal, 0, (width - 1) / 2], [0, view.focal, (height - 1) / 2], [0, 0, 1.0]])
    return np.asarray(np.linalg.inv(inner) @ view.matrix[:, :3])


def _camera(rng: Generator, view: View, light: Light) -> Described:
    """Focused near the middle of the board, through an opening as wide as a phone's."""
    turn = axes(view)
    away = float(turn[2] @ (light.middle - view.eye))
    return {
        "eye": view.eye.tolist(),
        "axes": turn.tolist(),
        "focal": view.focal,
        "size": list(view.size),
        "focus": away * float(rng.uniform(0.95, 1.05)),
        "aperture": float(rng.uniform(0.4, 1.3)),
    }


def _sheets(scene: Scene, cardboard: Cardboard, finish: Finish, folder: Path) -> list[Described]:
    height, width = (side / MM for side in scene.print.shape[:2])
    print_ = {
        "edge": linear(cardboard.edge).tolist(),
        "rough": finish.print_rough,
        "gloss": finish.print_gloss,
        "emboss": finish.emboss,
    }
    board = {
        **print_,
        "texture": texture(scene.print, folder),
        "outline": [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)],
        "low": -cardboard.board_thickness,
        "high": 0.0,
    }
    tiles = [
        {
            **print_,
            "texture": texture(tile.art, folder),
            "outline": slab(tile, cardboard.tile_thickness).corners[:4, :2].tolist(),
            "low": 0.0,
            "high": cardboard.tile_thickness,
        }
        for tile in scene.tiles
    ]
    return [board, *tiles]


def _solid(rng: Generator, solid: Solid, finish: Finish, low: float) -> Described:
    """No two pieces are of quite the same wood, and none shows its grain the same way."""
    return {
        "parts": [
            {
                "corners": (part.corners + np.array((0, 0, low))).tolist(),
                "faces": [list(face) for face in part.faces],
            }
            for part in solid.parts
        ],
        "colour": (linear(solid.colour) * float(rng.uniform(0.92, 1.08))).clip(0, 1).tolist(),
        "rough": finish.wood_rough,
        "gloss": finish.wood_gloss,
        "grain": finish.grain,
        "sanded": finish.sanded,
        "lie": rng.uniform(0, np.pi, 3).tolist(),
    }
