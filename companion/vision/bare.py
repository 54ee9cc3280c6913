"""What a label tells of a setup photo: where each sheet lies, and where nothing covers the print."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from companion.vision.camera import Camera, Matrix
from companion.vision.errors import BadCalibration
from companion.vision.model import NOTHING, Assembly, Design, Faces, Labelled
from companion.vision.photo import Photo
from companion.vision.plane import Image, laid
from companion.vision.refine import View

# How far a thing may lie off its slot, and its shadow fall, in parts of the board's long side: some 8 mm.
ROOM_AROUND = 0.015
# How high a piece may stand where the design does not tell, likewise: some 32 mm, a stack of two.
USUAL_HEIGHT = 0.06


def assembly_of(design: Design, labelled: Labelled) -> Assembly:
    for assembly in design.assemblies:
        if assembly.name == labelled.assembly:
            return assembly
    raise BadCalibration(
        f"{labelled.photo.name} is labelled as '{labelled.assembly}', which is no assembly of this game."
    )


def arrangement_of(assembly: Assembly, labelled: Labelled) -> dict[str, Matrix]:
    """From each sheet's millimetres to the board's; places with one sheet and turn need no label."""
    placed = {}
    for place in assembly.places:
        if place.name in labelled.arrangement:
            sheet, turned = labelled.arrangement[place.name]
        elif len(place.sheets) == 1 and len(place.turns) == 1:
            sheet, turned = place.sheets[0], place.turns[0]
        else:
            continue
        placed[sheet] = laid(place, turned)
    return placed


def long_side(design: Design) -> float:
    points = np.array([assembly.corners for assembly in design.assemblies]).reshape(-1, 2)
    return float((points.max(axis=0) - points.min(axis=0)).max())


def bare(design: Design, labelled: Labelled, photo: Photo, view: View) -> Image:
    """255 in a labelled photo where nothing lies or leans over the board, 0 elsewhere."""
    height, width = photo.image.shape[:2]
    free = np.full((height, width), 255, np.uint8)
    board = long_side(design)
    for name, place in arrangement_of(assembly_of(design, labelled), labelled).items():
        camera = Camera.from_homography(view.homography @ place, (width, height))
        for outline, tall in _things(design, name, labelled, board):
            hull = cv2.convexHull(
                np.vstack([camera.project(outline), camera.project(outline, tall)]).astype(np.float32)
            )
            cv2.fillConvexPoly(free, np.round(hull).astype(np.int32), 0)
    return free


def _things(design: Design, name: str, labelled: Labelled, board: float) -> Iterator[tuple[Matrix, float]]:
    """Where something lies, or may lie, on a sheet, with room around it, and how high."""
    for slot in design.slots.get(name, ()):
        if labelled.things.get((name, slot.name)) == NOTHING:
            continue
        outline = np.array(slot.polygon)
        if isinstance(slot.holds, Faces):
            # a thick tile's shadow falls about as far as it is high
            yield _wider(outline, slot.holds.shift + slot.holds.thickness), slot.holds.thickness
        else:
            heights = [design.forms[n].height for n in slot.holds.names if n in design.forms]
            yield _wider(outline, ROOM_AROUND * board), max(heights, default=0.0) * 2 or USUAL_HEIGHT * board
    for scale in design.scales:
        if scale.sheet == name:
            for space in sorted({labelled.markers[key] for key in labelled.markers if key[0] == scale.name}):
                around = np.array(scale.spaces[space]) + scale.radius * np.array(
                    [(-1, -1), (1, -1), (1, 1), (-1, 1)]
                )
                yield _wider(around, ROOM_AROUND * board), USUAL_HEIGHT * board / 2


def _wider(outline: Matrix, by: float) -> Matrix:
    """A convex outline pushed outward from its middle."""
    middle = outline.mean(axis=0)
    away = outline - middle
    far = np.hypot(away[:, 0], away[:, 1])[:, None]
    return np.asarray(middle + away * (1 + 1.4 * by / np.maximum(far, 1e-6)))
