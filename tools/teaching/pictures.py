"""Pictures to learn from: photos of made-up sets laid flat, their prints, and what truly stands where."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.games import source_in
from companion.vision import pieces_ground
from companion.vision.covered import OTHER, PIECE, Covered
from companion.vision.errors import VisionError
from companion.vision.landmarks import prepared
from companion.vision.learn import opened
from companion.vision.light import PrintGrid, measure_light
from companion.vision.photo import decode, decode_gray
from companion.vision.plane import homography_of
from companion.vision.prints import learn_prints
from companion.vision.registration import find_board
from tools.kitmaker.clutter import SKIN
from tools.kitmaker.kit import Order, write_kit
from tools.kitmaker.scene import Scene
from tools.kitmaker.solids import Solid
from tools.kitmaker.view import View

# Photos of smaller sizes are drawn faster, and the board laid flat is smaller still.
SIZES = ((1600, 1200), (2000, 1500), (1440, 1080))
GAMES = 8
# A board found farther off its corners than this (pixels) teaches nothing.
MOST_OFF = 25.0


@dataclass(frozen=True, eq=False)
class Lesson:
    planes: NDArray[np.float16]
    """As `covered` takes them."""
    shown: NDArray[np.uint8]
    """Rows x columns: PRINT, PIECE or OTHER."""
    inside: NDArray[np.bool_]
    """False outside the photo."""


def lessons(seed: int) -> Iterator[Lesson]:
    """All photos of one made-up set; every third set is a hard one."""
    watched: list[tuple[Scene, Sequence[Solid], View]] = []
    with tempfile.TemporaryDirectory() as folder:
        kit = Path(folder)
        order = Order(seed, GAMES, SIZES[seed % 3], hard=seed % 3 == 2)
        write_kit(kit, order, watch=lambda scene, around, view: watched.append((scene, around, view)))
        source, _ = source_in(kit)
        prints, _ = learn_prints(source, [opened(labelled) for labelled in source.photos])
        landmarks = prepared(source.design, prints)
        grids = {name: PrintGrid.of(bare) for name, bare in prints.items()}
        names = [f"setup/{name}" for name in ("empty", "start", "tiles", "castles")]
        names += [f"games/{number + 1:02d}" for number in range(GAMES)]
        for name, told in zip(names, watched, strict=True):
            data = (kit / f"{name}.jpg").read_bytes()
            photo = decode(data)
            try:
                found = find_board(decode_gray(data, partial(decode, data)), landmarks)
            except VisionError:
                continue
            corners = np.array(json.loads((kit / f"{name}.json").read_text())["corners"])
            if np.hypot(*(corners - np.array(found.corners)).T).max() > MOST_OFF:
                continue
            light = partial(measure_light, photo.image, found.poses, photo.scale, grids)
            heard: list[NDArray[np.float32]] = []
            with patch.object(pieces_ground, "covered", lambda planes, heard=heard: _heard(planes, heard)):
                ground = pieces_ground.survey(photo.image, found, photo.scale, source.design, prints, light)
            board = next(a for a in source.design.assemblies if a.name == found.assembly)
            view = homography_of(np.array(board.corners), np.array(found.corners)) @ ground.window.to_mm()
            size = (ground.window.width, ground.window.height)
            shown = cv2.warpPerspective(
                _truth(*told), view, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
            )
            yield Lesson(heard[0].astype(np.float16), np.asarray(shown, np.uint8), ground.seen)


def _heard(planes: NDArray[np.float32], heard: list[NDArray[np.float32]]) -> Covered:
    """Takes the place of the network that is yet to be taught."""
    heard.append(planes)
    nowhere = np.zeros(planes.shape[1:], np.float32)
    return Covered(nowhere, nowhere > 0)


def _truth(scene: Scene, around: Sequence[Solid], view: View) -> NDArray[np.uint8]:
    """What each pixel of the upright photo shows. A hand is above all pieces, other things lie beside."""
    width, height = view.size
    shown = np.zeros((height, width), np.uint8)
    hands = [solid for solid in around if solid.colour in SKIN]
    for solids, what in ((around, OTHER), (scene.solids, PIECE), (hands, OTHER)):
        for part in (part for solid in solids for part in solid.parts):
            _fill(shown, view.project(part.corners), what)
    return shown


def _fill(shown: NDArray[np.uint8], corners: NDArray[Any], what: int) -> None:
    if np.isfinite(corners).all():
        hull = cv2.convexHull(np.clip(corners, -1e5, 1e5).astype(np.float32))
        cv2.fillConvexPoly(shown, np.round(hull * 16).astype(np.int32), what, cv2.LINE_8, 4)
