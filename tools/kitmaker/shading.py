"""Paints solids: the faces that the camera sees, far ones first, each in its own light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tools.kitmaker.light import Light
from tools.kitmaker.paint import noise
from tools.kitmaker.solids import Solid
from tools.kitmaker.view import Points, View

FINE = 2
"""Things are drawn this many times larger and shrunk, for smooth edges."""


def outward(face: Points, middle: Points) -> Points:
    """The unit normal that looks away from the body's middle."""
    (ax, ay, az), (bx, by, bz) = face[1] - face[0], face[2] - face[1]
    normal = np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])  # np.cross is slow on two
    length = np.linalg.norm(normal)
    if length < 1e-9:
        return np.array([0, 0, 1.0])
    normal = normal / length
    return np.asarray(normal if normal @ (face.mean(0) - middle) > 0 else -normal)


def far(corners: Points, view: View) -> float:
    return float(np.linalg.norm(corners.mean(0) - view.eye))


def painting_distance(solid: Solid, view: View) -> float:
    """For painting from far to near: over the ground first, then a stack from the bottom up."""
    base = solid.parts[0].corners
    foot = base.mean(0)
    return float(np.hypot(*(foot[:2] - view.eye[:2]))) - float(base[:, 2].min())


def draw_solids(
    rng: Generator, picture: NDArray[Any], solids: Sequence[Solid], view: View, light: Light
) -> None:
    """Shaded faces, far ones first, painted fine where they stand and blended over the picture."""
    faces = [face for solid in solids for face in _shaded(rng, solid, view, light)]
    if not faces:
        return
    points = np.vstack([outline for outline, _ in faces])
    low = np.clip(np.floor(points.min(0)) - 2, 0, view.size).astype(int)
    high = np.clip(np.ceil(points.max(0)) + 3, 0, view.size).astype(int)
    if (high <= low).any():
        return
    size = ((high - low) * FINE).astype(int)
    paint, mask = np.zeros((size[1], size[0], 3), np.uint8), np.zeros((size[1], size[0]), np.uint8)
    for outline, colour in faces:
        path = np.clip(np.round(((outline - low) * FINE + (FINE - 1) / 2) * 16), -1e6, 1e6).astype(np.int32)
        cv2.fillConvexPoly(paint, path, colour, cv2.LINE_8, 4)
        # sanded edges catch a little light
        cv2.polylines(paint, [path], True, [min(255.0, 1.06 * c + 4) for c in colour], 1, cv2.LINE_8, 4)
        cv2.fillConvexPoly(mask, path, 255, cv2.LINE_8, 4)
    block = picture[low[1] : high[1], low[0] : high[0]]
    small = (block.shape[1], block.shape[0])
    paint = cv2.resize(paint, small, interpolation=cv2.INTER_AREA)
    alpha = cv2.resize(mask, small, interpolation=cv2.INTER_AREA)
    rows = np.flatnonzero(alpha.any(1))
    if not len(rows):  # all of them lie outside the photo
        return
    grain = noise(rng, (64, block.shape[1]), 5.0, 2)[..., None] * 0.05  # brush marks in the paint
    for top in range(int(rows[0]), int(rows[-1]) + 1, 64):
        part, a = block[top : top + 64], alpha[top : top + 64].astype(np.float32)[..., None] / 255
        shade = (paint[top : top + 64].astype(np.float32) / np.maximum(a, 1 / 255) / 180) ** 2
        shade *= 1 + grain[: len(part)]
        part *= 1 - a
        part += shade * a


def _shaded(rng: Generator, solid: Solid, view: View, light: Light) -> list[tuple[Points, list[float]]]:
    """The visible faces of a solid in the order of painting, in square roots of light with white at 180."""
    albedo = np.clip(np.array(solid.colour) / 255, 0, 1) ** 2.2 * float(rng.uniform(0.9, 1.1))
    faces = []
    # parts are listed from the bottom up; those of one level are painted from far to near
    for part in sorted(solid.parts, key=lambda p: (float(p.corners[:, 2].min()), -far(p.corners, view))):
        middle = part.corners.mean(0)
        for face in part.faces:
            corners = part.corners[list(face)]
            normal = outward(corners, middle)
            to_eye = view.eye - corners.mean(0)
            if normal @ to_eye <= 0:
                continue
            at = corners.mean(0)
            seen = albedo * light.on(at[None], normal[None])[0] * float(rng.uniform(0.95, 1.05))
            seen = seen + solid.gloss * _spark(light, at, normal, to_eye / np.linalg.norm(to_eye))
            colour = np.clip(np.sqrt(np.maximum(seen, 0)) * 180, 0, 255)
            faces.append((view.straight(corners), [float(c) for c in colour]))
    return faces


def _spark(light: Light, at: Points, normal: Points, to_eye: Points) -> Points:
    total = np.zeros(3)
    for lamp in light.lamps:
        ray = lamp.at - at
        half = ray / np.linalg.norm(ray) + to_eye
        total = total + max(0.0, float(half @ normal) / float(np.linalg.norm(half))) ** 30 * lamp.colour
    return total
