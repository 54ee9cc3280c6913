"""Lamps over the table, the shadows that solids throw, the glare on gloss print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tools.kitmaker.solids import Part, Solid
from tools.kitmaker.view import Points, View

SAMPLES = 10
"""Points of a lamp's face from which shadows are thrown; their mean is the penumbra."""


@dataclass(frozen=True)
class Lamp:
    at: Points
    """x, y, height in mm."""
    colour: Points
    """BGR light on level print below its own middle of the board."""
    radius: float


@dataclass(frozen=True)
class Gloom:
    """Somebody stands in the light: a soft shadow edge across the table."""

    depth: float
    towards: Points
    """A level unit vector into the shadow."""
    start: float
    """Where the edge runs, mm from the board's middle along `towards`."""
    softness: float

    def on(self, points: Points) -> Points:
        across = (points @ self.towards - self.start) / self.softness
        return np.asarray(1 - self.depth / (1 + np.exp(-np.clip(across, -30, 30))))


@dataclass(frozen=True)
class Light:
    ambient: Points
    lamps: tuple[Lamp, ...]
    middle: Points
    brighter: Points
    """A level direction from which the room itself shines more."""
    gloom: Gloom | None = None

    def on(self, at: Points, normals: Points) -> Points:
        """BGR light (n x 3) on small faces at `at` that look along `normals`; no shadows."""
        total = self.ambient * (0.65 + 0.35 * normals[:, 2:] + 0.28 * (normals @ self.brighter)[:, None])
        for lamp in self.lamps:
            rays = lamp.at - at
            far = np.linalg.norm(rays, axis=1, keepdims=True)
            cosine = np.clip((rays * normals).sum(1, keepdims=True) / far, 0, None)
            reach = float(np.linalg.norm(lamp.at - self.middle))
            total = total + lamp.colour * cosine * (reach / far) ** 2 / (float(lamp.at[2]) / reach)
        return np.asarray(total)


def make_light(rng: Generator, board: tuple[float, float], hard: bool) -> Light:
    middle = np.array([board[0] / 2, board[1] / 2, 0.0])
    share = float(rng.uniform(0.15, 0.65))
    count = int(rng.choice([1, 2, 3], p=[0.5, 0.35, 0.15]))
    weights = rng.dirichlet(np.full(count, 2.0)) * (1 - share)
    lamps = []
    for weight in weights:
        around = rng.uniform(0, 2 * np.pi)
        window = rng.random() < 0.3
        height = float(rng.uniform(600, 1100) if window else rng.uniform(450, 1700))
        off = float(rng.uniform(900, 1800) if window else rng.uniform(100, 1100))
        at = middle + np.array([off * np.cos(around), off * np.sin(around), height])
        radius = float(rng.uniform(150, 350) if window else rng.uniform(10, 110))
        lamps.append(Lamp(at, weight * _warmth(rng), radius))
    brighter = _level(rng)
    gloom = None
    if rng.random() < (0.5 if hard else 0.2):
        depth = float(rng.uniform(0.2, 0.65 if hard else 0.4))
        gloom = Gloom(depth, _level(rng)[:2], float(rng.uniform(-150, 250)), float(rng.uniform(4, 60)))
    return Light(share * _warmth(rng), tuple(lamps), middle, brighter, gloom)


def _level(rng: Generator) -> Points:
    around = rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(around), np.sin(around), 0.0])


def _warmth(rng: Generator) -> Points:
    """BGR of a lamp, from bluish daylight to a warm bulb, of unit green."""
    warm = float(rng.normal(0.1, 0.25))
    return np.array([1 - 0.35 * warm, 1.0, 1 + 0.3 * warm])


def shadow_parts(solids: Sequence[Solid]) -> list[Part]:
    return [part for solid in solids for part in solid.parts]


def shadows(
    rng: Generator,
    lamp: Lamp,
    view: View,
    scale: float,
    flat: Sequence[tuple[Part, Points]],
    solids: Sequence[Solid],
) -> NDArray[Any]:
    """The share of a lamp that reaches each pixel of the ground, in the straight photo scaled by `scale`.

    `flat` are slabs (the board, tiles) from the bottom up, each with its top, which it lifts out of shadow.
    """
    size = (round(view.size[0] * scale), round(view.size[1] * scale))
    total = np.zeros((size[1], size[0]), np.float32)
    parts = shadow_parts(solids)
    tops = [_pixels(view.straight(top), scale) for _, top in flat]
    for _ in range(SAMPLES):
        spot = lamp.at + rng.normal(0, 0.5, 3) * lamp.radius
        spot[2] = max(spot[2], 300.0)
        lit = np.full((size[1], size[0]), 255, np.uint8)
        for (slab, _top), outline in zip(flat, tops, strict=True):
            _fill(lit, _thrown(slab, spot, view, scale), 0)
            _fill(lit, outline, 255)
        for part in parts:
            _fill(lit, _thrown(part, spot, view, scale), 0)
        total += lit
    total *= 1 / (255 * SAMPLES)
    return np.asarray(cv2.GaussianBlur(total, (0, 0), 1.2))


def _pixels(points: Points, scale: float) -> NDArray[np.int32]:
    return np.clip(np.round(points * scale * 16), -2e6, 2e6).astype(np.int32)


def _thrown(part: Part, spot: Points, view: View, scale: float) -> NDArray[np.int32]:
    """The hull of a convex part's shadow on the ground."""
    stretch = spot[2] / (spot[2] - part.corners[:, 2:])
    ground = spot + (part.corners - spot) * stretch
    ground[:, 2] = 0
    return np.asarray(cv2.convexHull(_pixels(view.straight(ground), scale)))


def _fill(canvas: NDArray[np.uint8], outline: NDArray[np.int32], value: int) -> None:
    cv2.fillConvexPoly(canvas, outline, value, cv2.LINE_8, 4)


def ground_points(view: View, scale: float) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """(x, y) in mm under each pixel of the scaled straight photo, and which pixels see the ground."""
    width, height = round(view.size[0] * scale), round(view.size[1] * scale)
    x, y = np.meshgrid((np.arange(width) + 0.5) / scale - 0.5, (np.arange(height) + 0.5) / scale - 0.5)
    back = np.linalg.inv(view.ground())
    back /= np.sign(back[2] @ [view.size[0] / 2, view.size[1] / 2, 1.0])
    flat = np.stack([x, y, np.ones_like(x)], -1) @ back.T
    seen = flat[..., 2] > 1e-6
    depth = np.where(seen, flat[..., 2], 1.0)[..., None]
    return (flat[..., :2] / depth).astype(np.float32), seen


def glare(light: Light, view: View, ground: NDArray[Any], ripple: NDArray[Any], sharp: float) -> NDArray[Any]:
    """The lamps' mirror images on level gloss, smeared by roughness: BGR over the ground points."""
    at = np.dstack([ground, np.zeros(ground.shape[:2], np.float32)])
    to_eye = view.eye - at
    to_eye /= np.linalg.norm(to_eye, axis=2, keepdims=True)
    total = np.zeros_like(at)
    for lamp in light.lamps:
        to_lamp = lamp.at - at
        to_lamp /= np.linalg.norm(to_lamp, axis=2, keepdims=True)
        half = to_eye + to_lamp
        half[..., :2] += ripple
        half /= np.linalg.norm(half, axis=2, keepdims=True)
        fresnel = 0.3 + 0.7 * (1 - to_eye[..., 2:]) ** 3
        total += (np.clip(half[..., 2:], 0, 1) ** sharp) * lamp.colour * fresnel
    return total.astype(np.float32)
