"""The board seen from straight above, compared with its print: where does something stand on it?

All sheets are laid into one plane, so that a piece on one sheet may lean over the next. For every spot
the colour that a thing standing there would have, and how much less it looks like the print than like
anything at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Camera, Matrix
from companion.vision.covered import covered
from companion.vision.light import LEAST_GAIN, Light, linear, quadratics
from companion.vision.model import Design, Faces, Found, Pieces, SheetPose, Slot
from companion.vision.pieces_print import (
    ANYTHING,
    FLOOR,
    PRINT_FLOOR,
    USUAL_PRINT,
    Floats,
    Laid,
    logs,
    opponent,
    usual,
)
from companion.vision.plane import Window, homography_of, inverse, moved
from companion.vision.prints import Print

# Pixels for the board's long side: a piece a fiftieth as wide has then ten pixels across.
LONG_SIDE = 448
# Tall things at the rim lean out of the board by up to this part of its long side.
MARGIN = 0.06
# Light is measured on spots this many pixels apart and interpolated.
LIGHT_STEP = 16
# No pixel says more than this, in natural logarithms: neighbours are alike, and all models are wrong.
MOST_SAID = 3.0
# A lifted tile's edge and a careless hand: where flat things may lie, the print says little.
FLAT_ROOM = 0.06
# What has less than these odds of a piece (logarithm) is print, whatever paint it may look like: its colours
# are not looked at, it is as much like the print as anything is.
PRINT_SURE, SURELY_PRINTED = -5.0, 4.0


@dataclass(frozen=True)
class Plan:
    """How a board lies in a photo."""

    window: Window
    eye: Matrix
    """Where the lens is: x, y and height in millimetres of the board."""
    lies: Mapping[str, Matrix]
    """By place: from the sheet's millimetres to the board's."""
    view: Matrix
    """From the board's millimetres to pixels of the photo."""


@dataclass(frozen=True)
class Ground(Plan):
    light: Floats
    """Rows x columns x 3: what is seen, 1 for white."""
    gain: Floats
    veil: Floats
    """The same: how bright the print's white would be, and what the gloss of the paper adds."""
    printed: Floats
    """Rows x columns: the log-density of what is seen, were it the print."""
    piece: Floats
    """The same: logarithm of the odds that a piece is seen there, by its surroundings."""
    flat: NDArray[np.bool_]
    """Where something flat may lie."""
    seen: NDArray[np.bool_]
    """False outside the photo, and under what is neither print nor piece."""

    def colours(
        self, where: tuple[slice, slice] | NDArray[np.bool_] | NDArray[np.int64], veil: float = 0.0
    ) -> Floats:
        """Luminance, red - green, yellow - blue under the print's light; `veil`: the part that is on wood."""
        if isinstance(where, np.ndarray):  # the numbers of pixels are much quicker to pick than a mask
            picks = np.flatnonzero(where) if where.dtype == bool else where
            parts = (self.light, self.gain, self.veil)
            light, gain, over = (part.reshape(-1, 3).take(picks, axis=0) for part in parts)
        else:
            light, gain, over = self.light[where], self.gain[where], self.veil[where]
        lit = (light - np.float32(veil) * over) / (gain + np.float32((1 - veil) / USUAL_PRINT) * over)
        return opponent(logs(np.maximum(lit, 0), FLOOR))


def plan_of(image: NDArray[np.uint8], found: Found, scale: float, design: Design) -> Plan:
    assembly = next(a for a in design.assemblies if a.name == found.assembly)
    height, width = image.shape[:2]
    corners = np.array(assembly.corners)
    view = homography_of(corners, (np.array(found.corners) + 0.5) * scale - 0.5)
    long_side = float(np.ptp(corners, axis=0).max())
    window = Window.around((assembly.corners,), LONG_SIDE / long_side, MARGIN * long_side)
    lies = {}
    for pose in found.poses:
        lies[pose.place] = inverse(view) @ pose.camera.scaled(scale).homography()
        lies[pose.place] /= lies[pose.place][2, 2]
    return Plan(window, eye_of(Camera.from_homography(view, (width, height))), lies, view)


def survey(
    image: NDArray[np.uint8],
    found: Found,
    scale: float,
    design: Design,
    prints: Mapping[str, Print],
    light: Callable[[], Light],
    everywhere: bool = False,
) -> Ground:
    """Lays the photo into the plane of the board and compares it with the prints.

    `light` is only asked for once the photo lies flat: it may still be being measured.
    `everywhere`: also where there is but print, by its surroundings.
    """
    plan = plan_of(image, found, scale, design)
    window, eye, lies = plan.window, plan.eye, plan.lies
    seen, inside = _laid_flat(image, plan.view @ window.to_mm(), window)
    bare, known = _printed(found.poses, prints, lies, window)
    flat, taken, areas = _slots(design, found, lies, window)
    laid = Laid(seen, bare, *_lit(light(), window, plan.view))
    shown, due = _logs(laid)
    there = covered(_planes(shown, due, known, flat, window, eye))
    bare_here = usual(laid, known & inside & ~taken, areas, window)
    laid = bare_here.laid
    free = inside & ~there.other
    asked = known if everywhere else known & free & (there.piece > PRINT_SURE)
    printed = np.where(known, np.float32(SURELY_PRINTED), np.float32(np.log(ANYTHING)))
    printed[asked] = bare_here.compared(due, np.flatnonzero(asked))
    return Ground(window, eye, lies, plan.view, seen, laid.gain, laid.veil, printed, there.piece, flat, free)


def _logs(laid: Laid) -> tuple[Floats, Floats]:
    """Logarithms of light as seen, and as the bare print would look."""
    white: Floats = laid.gain + laid.veil * np.float32(1 / USUAL_PRINT)
    expected: Floats = np.maximum(laid.gain * laid.bare + laid.veil, 0) / white
    shown: Floats = laid.seen / white
    return logs(shown, PRINT_FLOOR), logs(expected, PRINT_FLOOR)


def _planes(
    shown: Floats, due: Floats, known: NDArray[np.bool_], flat: NDArray[np.bool_], window: Window, eye: Matrix
) -> Floats:
    """As the network takes them."""
    planes = np.empty((10, *known.shape), np.float32)
    # channel by channel: numpy takes several times as long to take pixels apart
    for plane, channel in zip(planes, (*cv2.split(shown), *cv2.split(due)), strict=False):
        plane[:] = channel
    planes[3:6] *= known
    planes[6], planes[7] = known, flat
    # by how much a spot appears farther off, across and down, for each unit that it lies higher
    planes[8] = (np.arange(window.width) / window.per_mm + window.left - eye[0]) / eye[2]
    planes[9] = ((np.arange(window.height) / window.per_mm + window.top - eye[1]) / eye[2])[:, None]
    return planes


def _laid_flat(image: NDArray[np.uint8], view: Matrix, window: Window) -> tuple[Floats, NDArray[np.bool_]]:
    """Light seen at each spot of the board, and which spots lie in the photo."""
    size = (window.width, window.height)
    seen = cv2.warpPerspective(image, view, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    height, width = image.shape[:2]
    spots, count = _spots(window.height, window.width)
    u, v = moved(view, spots).T
    inside = np.minimum(np.minimum(u, width - 1 - u), np.minimum(v, height - 1 - v))
    return linear(np.asarray(seen)), _spread(inside, count, (window.height, window.width)) >= 0


def _printed(
    poses: Sequence[SheetPose], prints: Mapping[str, Print], lies: Mapping[str, Matrix], window: Window
) -> tuple[Floats, NDArray[np.bool_]]:
    """The light of the bare prints where they lie, and where these are known."""
    bare = np.zeros((window.height, window.width, 3), np.uint8)
    known = np.zeros((window.height, window.width), np.uint8)
    for pose in poses:
        print_ = prints[pose.sheet]
        onto = window.to_pixels() @ lies[pose.place] @ print_.window.to_mm()
        rows, columns = print_.known.shape
        outline = moved(onto, np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float64))
        most = np.array([window.width, window.height])
        left, top = np.clip(np.floor(outline.min(axis=0)).astype(int), 0, most - 1)
        right, bottom = np.minimum(np.ceil(outline.max(axis=0)).astype(int) + 1, most)
        size = (max(int(right - left), 1), max(int(bottom - top), 1))
        view = inverse(onto) @ np.array([[1.0, 0, left], [0, 1.0, top], [0, 0, 1.0]])
        there = cv2.warpPerspective(print_.known, view, size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_NEAREST)
        picture = cv2.warpPerspective(print_.image, view, size, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR)
        box = slice(top, top + size[1]), slice(left, left + size[0])
        cv2.copyTo(picture, there, bare[box])
        known[box] |= np.asarray(there, np.uint8)
    return linear(bare), known > 0


def _lit(light: Light, window: Window, flat_view: Matrix) -> tuple[Floats, Floats]:
    """Brightness at each spot against the print's own light, and the veil over it, for the whole photo."""
    spots, count = _spots(window.height, window.width)
    width, height = light.size
    photo = moved(flat_view @ window.to_mm(), spots) / (width / 2, height / 2) - 1
    terms = quadratics(np.clip(photo, -1.2, 1.2))
    size = (window.height, window.width)
    gain = _spread(np.maximum(terms @ light.gain, LEAST_GAIN), count, size)
    return gain, _spread(terms @ light.veil, count, size)


def eye_of(camera: Camera) -> Matrix:
    """The point that projects nowhere: the lens."""
    _, _, rows = np.linalg.svd(camera.matrix)
    return np.asarray(rows[3, :3] / rows[3, 3])


def _spots(rows: int, columns: int) -> tuple[Matrix, tuple[int, int]]:
    """Pixels LIGHT_STEP apart that reach over all of a picture, and how many there are down and across."""
    y, x = (np.arange(0, n + LIGHT_STEP, LIGHT_STEP, dtype=np.float64) for n in (rows, columns))
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), (len(y), len(x))


def _spread(values: Matrix, count: tuple[int, int], size: tuple[int, int]) -> Floats:
    """Values at `_spots`, interpolated to all pixels of a picture of `size` (rows, columns)."""
    step = 1 / LIGHT_STEP
    matrix = np.array([[step, 0.0, 0.0], [0.0, step, 0.0]])
    return np.asarray(
        cv2.warpAffine(
            values.reshape(*count, -1).astype(np.float32), matrix, size[::-1],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )
    )  # fmt: skip


def _slots(
    design: Design, found: Found, lies: Mapping[str, Matrix], window: Window
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int32]]:
    """Where something flat may lie, where anything is likely to, and the areas (numbered from 1) anywhere in
    which something may stand."""
    flat = np.zeros((window.height, window.width), np.uint8)
    taken = np.zeros_like(flat)
    areas = np.zeros(flat.shape, np.int32)
    number = 0
    for pose in found.poses:
        slots = design.slots.get(pose.sheet, ())
        to_pixels = window.to_pixels() @ lies[pose.place]
        for slot, outline in zip(slots, _outlines(slots, to_pixels), strict=True):
            if isinstance(slot.holds, Faces):
                cv2.fillConvexPoly(flat, outline, 255, shift=4)
            elif not slot.holds.anywhere:
                cv2.fillConvexPoly(taken, outline, 255, shift=4)
            else:
                number += 1
                cv2.fillPoly(areas, [outline], number, shift=4)
    return flat > 0, (taken | flat) > 0, areas


def _outlines(slots: Sequence[Slot], to_pixels: Matrix) -> list[NDArray[np.int32]]:
    """In sixteenths of a pixel; those of things that may lie askew are a little wider than the slot."""
    if not slots:
        return []
    lengths = np.array([len(slot.polygon) for slot in slots])
    corners = np.concatenate([slot.polygon for slot in slots])
    middles = np.add.reduceat(corners, np.cumsum(lengths) - lengths) / lengths[:, None]
    anywhere = [isinstance(slot.holds, Pieces) and slot.holds.anywhere for slot in slots]
    wider = np.repeat(np.where(anywhere, 0.0, 2 * FLAT_ROOM), lengths)[:, None]
    pixels = moved(to_pixels, corners + (corners - np.repeat(middles, lengths, axis=0)) * wider)
    return np.split(np.round(pixels * 16).astype(np.int32), np.cumsum(lengths)[:-1])
