"""From a scene to the light that falls on the sensor: straight picture, linear BGR, 1.0 about white paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tools.kitmaker.ink import MM
from tools.kitmaker.light import Light, glare, ground_points, shadows
from tools.kitmaker.paint import Colour, Picture, noise
from tools.kitmaker.scene import Cardboard, LaidTile, Scene
from tools.kitmaker.shading import FINE, draw_solids, far, outward, painting_distance
from tools.kitmaker.solids import Part, Solid, prism
from tools.kitmaker.view import Points, View

LIGHT_SCALE = 0.5
GLARE_SCALE = 0.125

TO_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


@dataclass(frozen=True)
class Surfaces:
    """What shines how, and the table."""

    table: Picture
    """A seamless texture, one pixel a millimetre."""
    wall: Colour
    print_gloss: float
    table_gloss: float
    sharpness: float
    cardboard: Cardboard


def render(
    rng: Generator, scene: Scene, clutter: Sequence[Solid], view: View, light: Light, surfaces: Surfaces
) -> NDArray[Any]:
    canvas, covered = _table(view, surfaces, scene)
    tiles = [slab(tile, surfaces.cardboard.tile_thickness) for tile in scene.tiles]
    board = _board_slab(scene, surfaces)
    _lay_print(canvas, covered, scene, tiles, view, surfaces, light)
    picture: NDArray[Any] = np.asarray(cv2.LUT(canvas, np.dstack([TO_LINEAR] * 3)), np.float32)
    solids = sorted([*scene.solids, *clutter], key=lambda solid: -painting_distance(solid, view))
    flat = [(board, board.corners[4:]), *[(tile, tile.corners[4:]) for tile in tiles]]
    lit = _ground_light(rng, view, light, flat, solids)
    picture *= cv2.resize(lit, view.size, interpolation=cv2.INTER_LINEAR)
    picture += _shine(rng, view, light, covered, surfaces)
    draw_solids(rng, picture, solids, view, light)
    return np.asarray(picture, np.float32)


def _table(view: View, surfaces: Surfaces, scene: Scene) -> tuple[Picture, Picture]:
    """The table's texture under the lens, and a mask (of 0) for the print that will cover it."""
    width, height = view.size
    canvas = cv2.warpPerspective(
        surfaces.table, view.ground(), (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    points, seen = ground_points(view, GLARE_SCALE)
    far = ~seen | (np.abs(points).max(-1) > 2600)
    if far.any():  # over the edge of the table
        mask = cv2.resize(far.astype(np.uint8) * 255, (width, height), interpolation=cv2.INTER_LINEAR) > 127
        canvas[mask] = np.clip(surfaces.wall, 0, 255)
    return canvas, np.zeros((height, width), np.uint8)


def slab(tile: LaidTile, thickness: float) -> Part:
    size = tile.size / 2
    angle = np.radians(tile.degrees)
    across = np.array([np.cos(angle), np.sin(angle)]) * size
    along = np.array([-np.sin(angle), np.cos(angle)]) * size
    middle = np.array([tile.x, tile.y])
    outline = np.array(
        [middle - across - along, middle + across - along, middle + across + along, middle - across + along]
    )
    return prism(outline, 0, thickness)


def _board_slab(scene: Scene, surfaces: Surfaces) -> Part:
    height, width = (side / MM for side in scene.print.shape[:2])
    return prism([(0, 0), (width, 0), (width, height), (0, height)], -surfaces.cardboard.board_thickness, 0)


def _lay_print(
    canvas: Picture,
    covered: Picture,
    scene: Scene,
    tiles: list[Part],
    view: View,
    surfaces: Surfaces,
    light: Light,
) -> None:
    """Board and tiles, drawn fine over the part of the photo that they take."""
    board = _board_slab(scene, surfaces)
    seen = view.straight(board.corners)
    low = np.clip(np.floor(seen.min(0)) - 2, 0, view.size).astype(int)
    high = np.clip(np.ceil(seen.max(0)) + 3, 0, view.size).astype(int)
    size = (int(high[0] - low[0]) * FINE, int(high[1] - low[1]) * FINE)
    if min(size) <= 0:
        return
    zoom = np.array(
        [[FINE, 0, (FINE - 1) / 2 - low[0] * FINE], [0, FINE, (FINE - 1) / 2 - low[1] * FINE], [0, 0, 1.0]]
    )
    print_art, mm = _shrunk_print(scene.print, view)
    to_mm = np.array([[1 / mm, 0, 0.5 / mm], [0, 1 / mm, 0.5 / mm], [0, 0, 1.0]])
    warp = zoom @ view.ground() @ to_mm
    fine = cv2.warpPerspective(print_art, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0]), np.uint8)
    for wall in _visible_walls(board, view):
        _polygon(fine, wall, view, zoom, surfaces.cardboard.edge, 0.75)
        _polygon(mask, wall, view, zoom, (255,) * 3, 1.0)
    _polygon(mask, board.corners[4:], view, zoom, (255,) * 3, 1.0)
    for tile, part in sorted(
        zip(scene.tiles, tiles, strict=True), key=lambda pair: -far(pair[1].corners, view)
    ):
        for wall in _visible_walls(part, view):
            normal = outward(wall, part.corners.mean(0))
            tone = float(
                light.on(wall.mean(0)[None], normal[None]).mean()
                / light.on(wall.mean(0)[None], np.array([[0, 0, 1.0]])).mean()
            )
            _polygon(fine, wall, view, zoom, surfaces.cardboard.edge, min(max(tone, 0.5), 1.2))
        _print_tile(fine, tile, part, view, zoom)
    block = canvas[low[1] : high[1], low[0] : high[0]]
    fine = cv2.resize(fine, (block.shape[1], block.shape[0]), interpolation=cv2.INTER_AREA)
    small = cv2.resize(mask, (block.shape[1], block.shape[0]), interpolation=cv2.INTER_AREA)
    alpha = small.astype(np.float32)[..., None] / 255
    block[:] = (block * (1 - alpha) + fine * alpha + 0.5).astype(np.uint8)
    covered[low[1] : high[1], low[0] : high[0]] = small


def _shrunk_print(art: Picture, view: View) -> tuple[Picture, float]:
    """The print at about the photo's own resolution, so that shrinking does not sparkle."""
    middle = np.array([art.shape[1], art.shape[0]]) / MM / 2
    ends = view.straight(
        np.array([(*middle, 0.0), (middle[0] + 10, middle[1], 0.0), (middle[0], middle[1] + 10, 0.0)])
    )
    seen = FINE * float(np.hypot(*(ends[1:] - ends[0]).T).mean()) / 10
    scale = min(1.0, 1.15 * seen / MM)
    if scale > 0.9:
        return art, MM
    return cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), MM * scale


def _print_tile(fine: Picture, tile: LaidTile, part: Part, view: View, zoom: Points) -> None:
    """The face lies a thickness above the board."""
    corners = _zoomed(view.straight(part.corners[4:]), zoom)
    low = np.maximum(np.floor(corners.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(corners.max(0)).astype(int) + 2, (fine.shape[1], fine.shape[0]))
    if (high <= low).any():
        return
    art = tile.art
    across = float(np.hypot(*(corners - np.roll(corners, 1, 0)).T).mean())
    if across < art.shape[0] * 0.8:
        side = max(8, round(across * 1.1))
        art = cv2.resize(art, (side, side), interpolation=cv2.INTER_AREA)
    side = art.shape[0]
    source = np.array(
        [(-0.5, -0.5), (side - 0.5, -0.5), (side - 0.5, side - 0.5), (-0.5, side - 0.5)], np.float32
    )
    warp = cv2.getPerspectiveTransform(source, (corners - low).astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    face = cv2.warpPerspective(art, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round((corners - low) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    cv2.copyTo(face, mask, fine[low[1] : high[1], low[0] : high[0]])


def _visible_walls(part: Part, view: View) -> list[Points]:
    middle = part.corners.mean(0)
    walls = [part.corners[list(face)] for face in part.faces[:-1]]
    return [wall for wall in walls if outward(wall, middle) @ (view.eye - wall[0]) > 0]


def _zoomed(points: Points, zoom: Points) -> Points:
    return np.asarray(points * zoom[[0, 1], [0, 1]] + zoom[:2, 2])


def _polygon(canvas: Picture, corners: Points, view: View, zoom: Points, colour: Any, tone: float) -> None:
    path = np.clip(np.round(_zoomed(view.straight(corners), zoom) * 16), -1e6, 1e6).astype(np.int32)
    paint = [min(255.0, float(c) * tone) for c in colour]
    cv2.fillConvexPoly(canvas, path, paint, cv2.LINE_8, 4)


def _ground_light(
    rng: Generator, view: View, light: Light, flat: list[tuple[Part, Points]], solids: Sequence[Solid]
) -> NDArray[Any]:
    points, _ = ground_points(view, GLARE_SCALE)
    small = (
        np.dstack([np.clip(points, -5000, 5000), np.zeros(points.shape[:2], np.float32)])
        .reshape(-1, 3)
        .astype(np.float64)
    )
    up = np.tile(np.array([0, 0, 1.0]), (len(small), 1))
    size = (round(view.size[0] * LIGHT_SCALE), round(view.size[1] * LIGHT_SCALE))
    ambient = replace(light, lamps=()).on(small, up)
    contact = _contact(view, flat, solids)
    total = _grown(ambient, points.shape, size) * contact[..., None]
    for lamp in light.lamps:
        alone = replace(light, ambient=np.zeros(3), lamps=(lamp,)).on(small, up)
        total += (
            _grown(alone, points.shape, size) * shadows(rng, lamp, view, LIGHT_SCALE, flat, solids)[..., None]
        )
    if light.gloom is not None:
        shade = light.gloom.on(small[:, :2] - light.middle[:2])
        total *= _grown(np.tile(shade[:, None], 3), points.shape, size)
    return np.asarray(total, np.float32)


def _grown(values: Points, shape: tuple[int, ...], size: tuple[int, int]) -> NDArray[Any]:
    return np.asarray(
        cv2.resize(values.reshape(*shape[:2], 3).astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    )


def _contact(view: View, flat: list[tuple[Part, Points]], solids: Sequence[Solid]) -> NDArray[Any]:
    """Little light from the room reaches the foot of a solid."""
    size = (round(view.size[0] * LIGHT_SCALE), round(view.size[1] * LIGHT_SCALE))
    dark = np.zeros((size[1], size[0]), np.uint8)
    for solid in solids:
        foot = solid.parts[0].corners.copy()
        foot[:, 2] = 0
        hull = cv2.convexHull(
            np.clip(np.round(view.straight(foot) * LIGHT_SCALE * 16), -1e6, 1e6).astype(np.int32)
        )
        cv2.fillConvexPoly(dark, hull, 255, cv2.LINE_8, 4)
    mm = (
        float(np.hypot(*np.diff(view.straight(np.array([[200, 200, 0], [210, 200, 0]])), axis=0)[0]))
        / 10
        * LIGHT_SCALE
    )
    return np.asarray(1 - 0.5 / 255 * cv2.GaussianBlur(dark, (0, 0), max(0.8, 2.5 * mm)).astype(np.float32))


def _shine(rng: Generator, view: View, light: Light, covered: Picture, surfaces: Surfaces) -> NDArray[Any]:
    points, seen = ground_points(view, GLARE_SCALE)
    shape = points.shape[:2]
    ripple = np.dstack([noise(rng, shape, shape[1] / 3, 2), noise(rng, shape, shape[1] / 3, 2)]) * 0.02
    blobs = glare(light, view, np.clip(points, -5000, 5000), ripple, surfaces.sharpness) * seen[..., None]
    full = cv2.resize(blobs, view.size, interpolation=cv2.INTER_LINEAR)
    amount = cv2.LUT(covered, np.linspace(surfaces.table_gloss, surfaces.print_gloss, 256).astype(np.float32))
    return np.asarray(full * amount[..., None])
