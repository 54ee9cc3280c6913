"""The board seen from straight above, compared with its print: where does something stand on it?

All sheets are laid into one plane, so that a piece on one sheet may lean over the next. For every spot
the colour that a thing standing there would have, and how much less it looks like the print than like
anything at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Camera, Matrix
from companion.vision.covered import covered
from companion.vision.light import LEAST_GAIN, Light, linear, quadratics
from companion.vision.model import Design, Faces, Found, SheetPose
from companion.vision.plane import Window, homography_of, moved
from companion.vision.prints import Print

Floats = NDArray[np.float32]

# Pixels for the board's long side: a piece a fiftieth as wide has then ten pixels across.
LONG_SIDE = 448
# Tall things at the rim lean out of the board by up to this part of its long side.
MARGIN = 0.06
# Light is measured on spots this many pixels apart and interpolated.
LIGHT_STEP = 16
# Wood does not mirror the window that the paper's gloss does: the veil is left in its colours, as the
# light that it adds to a print of this (linear) brightness.
USUAL_PRINT = 0.4
# Added to light before its logarithm: below it a dark paint's hue is noise.
FLOOR = 0.02
PRINT_FLOOR = 0.05
GAMMA = 2.2
# Brightness and veil change from place to place over about this distance; every so many pixels tell.
LOCAL_MM, LOCAL_STEP, LOCAL_ROUNDS = 25.0, 8, 3
# Spots further off than this (logarithms) are covered. Brightness is held to that of the whole photo by this.
LOCAL_COVERED, LOCAL_HOLD = 0.12, 0.05
# How far bare print is off after relighting, in logarithms: luminance, red - green, yellow - blue. About
# three times what is usual, since pose, shade and gloss are never quite right.
PRINT_OFF = np.array([0.09, 0.05, 0.06], dtype=np.float32)
# A thing's shadow darkens the print by up to this much (logarithms) and leaves its hue.
SHADOW = 0.45
SHADOW_SHARE = 0.1
# The density of "anything at all": colours spread over about 2 x 2 x 2.5 logarithms.
ANYTHING = 0.1
# One ink of the print is a box of this many colours, in steps a logarithm.
INK_STEPS = np.array([6.0, 10.0, 10.0], dtype=np.float32)
INK_LOW = np.array([-1.7, -1.0, -1.0], dtype=np.float32)
INK_SIZE = (11, 20, 22)
# Every so many pixels are enough to tell how an ink looks in this photo; fewer than this many do not tell.
INK_STEP, AREA_STEP, FEWEST = 4, 2, 24
# An ink or an area changes by no more than this; what it varies by counts this much, and at most so many
# PRINT_OFF.
MOST_OFF = np.array([0.35, 0.25, 0.25], dtype=np.float32)
INK_SPREADS, PRINT_MOST = 1.5, 3.0
# Nothing is farther off the print than this, in logarithms.
MOST_APART = 2.0
# A sheet lies off by about this part of a pixel: where the print changes, so does what is seen.
EDGE_OFF = 0.35
# No pixel says more than this, in natural logarithms: neighbours are alike, and all models are wrong.
MOST_SAID = 3.0
# A lifted tile's edge and a careless hand: where flat things may lie, the print says little.
FLAT_ROOM = 0.06


@dataclass(frozen=True)
class Ground:
    window: Window
    eye: Matrix
    """Where the lens is: x, y and height in millimetres of the board."""
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
    lies: Mapping[str, Matrix]
    """By place: from the sheet's millimetres to the board's."""

    def colours(
        self, where: tuple[slice, slice] | NDArray[np.bool_] | NDArray[np.int64], veil: float = 0.0
    ) -> Floats:
        """Luminance, red - green, yellow - blue under the print's light; `veil`: the part that is on wood."""
        if isinstance(where, np.ndarray):  # the numbers of pixels are much quicker to pick than a mask
            picks = np.flatnonzero(where) if where.dtype == bool else where
            light, gain, over = (part.reshape(-1, 3)[picks] for part in (self.light, self.gain, self.veil))
        else:
            light, gain, over = self.light[where], self.gain[where], self.veil[where]
        lit = (light - np.float32(veil) * over) / (gain + np.float32((1 - veil) / USUAL_PRINT) * over)
        return opponent(_logs(np.maximum(lit, 0), FLOOR))


def survey(
    image: NDArray[np.uint8],
    found: Found,
    scale: float,
    design: Design,
    prints: Mapping[str, Print],
    light: Light,
) -> Ground:
    """Lays the photo into the plane of the board and compares it with the prints."""
    assembly = next(a for a in design.assemblies if a.name == found.assembly)
    height, width = image.shape[:2]
    corners = np.array(assembly.corners)
    flat_view = homography_of(corners, (np.array(found.corners) + 0.5) * scale - 0.5)
    camera = Camera.from_homography(flat_view, (width, height))
    long_side = float(np.ptp(corners, axis=0).max())
    window = Window.around((assembly.corners,), LONG_SIDE / long_side, MARGIN * long_side)
    lies = {}
    for pose in found.poses:
        lies[pose.place] = np.linalg.inv(flat_view) @ pose.camera.scaled(scale).homography()
        lies[pose.place] /= lies[pose.place][2, 2]
    seen, inside = _laid_flat(image, flat_view @ window.to_mm(), window)
    bare, known = _printed(found.poses, prints, lies, window)
    flat, taken, areas = _slots(design, found, lies, window)
    eye = eye_of(camera)
    gain, veil = _lit(light, window, flat_view)
    there = covered(_planes(seen, bare, gain, veil, known, flat, _lean(window, eye)))
    gain, veil, expected = _expected(seen, bare, known & inside & ~taken, gain, veil, window)
    veiled: Floats = gain + veil / np.float32(USUAL_PRINT)
    shown = opponent(_logs(seen / veiled, PRINT_FLOOR))
    due = opponent(_logs(expected / veiled, PRINT_FLOOR))
    ink = _ink(bare)
    open_ = known & inside & ~taken
    off = shown - due
    shift, spread = _medians(off, ink, open_, INK_STEP, int(np.prod(INK_SIZE)))
    off -= shift.take(ink, axis=0)
    moved_by, _ = _medians(off, areas, open_ & (areas > 0), AREA_STEP, int(areas.max()) + 1)
    off -= moved_by.take(areas, axis=0)
    density = _density(off, _edges(due), spread.take(ink, axis=0))
    printed = np.where(known, density, np.float32(np.log(ANYTHING)))
    return Ground(window, eye, seen, gain, veil, printed, there.piece, flat, inside & ~there.other, lies)


def _planes(
    seen: Floats, bare: Floats, gain: Floats, veil: Floats, known: NDArray[np.bool_],
    flat: NDArray[np.bool_], lean: Floats,
) -> Floats:  # fmt: skip
    """As the network takes them."""
    white = gain + veil * np.float32(1 / USUAL_PRINT)
    shown = _logs(np.maximum(seen / white, 0), PRINT_FLOOR)
    due = _logs(np.maximum((gain * bare + veil) / white, 0), PRINT_FLOOR)
    planes = np.empty((10, *known.shape), np.float32)
    planes[:3], planes[3:6] = shown.transpose(2, 0, 1), due.transpose(2, 0, 1) * known
    planes[6], planes[7], planes[8:] = known, flat, lean
    return planes


def _lean(window: Window, eye: Matrix) -> Floats:
    """2 x rows x columns: by how much a spot appears farther off for each unit that it lies higher."""
    x = (np.arange(window.width) / window.per_mm + window.left - eye[0]) / eye[2]
    y = (np.arange(window.height) / window.per_mm + window.top - eye[1]) / eye[2]
    return np.stack(np.meshgrid(x, y)).astype(np.float32)


def _logs(light: Floats, floor: float) -> Floats:
    if not light.size:  # cv2 makes one number of none
        return light
    return np.asarray(cv2.log(light + np.float32(floor)), dtype=np.float32) / np.float32(GAMMA)


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
        view = np.linalg.inv(onto) @ np.array([[1.0, 0, left], [0, 1.0, top], [0, 0, 1.0]])
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


def _expected(
    seen: Floats, bare: Floats, open_: NDArray[np.bool_], gain: Floats, veil: Floats, window: Window
) -> tuple[Floats, Floats, Floats]:
    """Brightness, veil, and how the bare print would look, corrected from place to place by what is bare
    around it."""
    expected = gain * bare + veil
    step = slice(None, None, LOCAL_STEP), slice(None, None, LOCAL_STEP)
    factor, more = _local(seen[step], expected[step], gain[step], open_[step], window.per_mm)
    factor, more = (
        np.asarray(cv2.resize(part, (window.width, window.height)), dtype=np.float32)
        for part in (factor, more)
    )
    veil = np.maximum(factor * veil + more, 0)
    gain = np.maximum(factor * gain, LEAST_GAIN)
    return gain, veil, np.maximum(gain * bare + veil, 0)


def _local(
    seen: Floats, expected: Floats, gain: Floats, open_: NDArray[np.bool_], per_mm: float
) -> tuple[Floats, Floats]:
    """seen = factor * expected + more, from place to place, letting go of what is covered."""
    sigma = LOCAL_MM * per_mm / LOCAL_STEP
    factor, more = np.ones_like(seen), np.zeros_like(seen)
    bound = LOCAL_COVERED * 2
    hold = np.square(expected[open_]).mean(axis=0) * LOCAL_HOLD if open_.any() else np.ones(3, np.float32)
    for _ in range(LOCAL_ROUNDS):
        floor = np.float32(PRINT_FLOOR) * gain
        off = np.abs(np.log((seen + floor) / np.maximum(factor * expected + more + floor, 1e-4))).max(axis=2)
        trust = open_ * np.square(np.maximum(0, 1 - np.square(off / GAMMA / bound)))
        bound = max(bound / 2, LOCAL_COVERED)
        # a given part of its light off is as bad in the dark
        trust = (trust / np.square(expected.mean(axis=2) + 0.05)).astype(np.float32)[..., None]
        whole = cv2.GaussianBlur(trust, (0, 0), sigma)[..., None] + np.float32(1e-3)
        x = cv2.GaussianBlur(trust * expected, (0, 0), sigma) / whole
        y = cv2.GaussianBlur(trust * seen, (0, 0), sigma) / whole
        xx = cv2.GaussianBlur(trust * expected * expected, (0, 0), sigma) / whole - x * x
        xy = cv2.GaussianBlur(trust * expected * seen, (0, 0), sigma) / whole - x * y
        known = whole / (whole + np.median(whole) * 0.1)
        factor = np.clip(1 + known * ((xy + hold) / (xx + hold) - 1), 0.4, 2.5)
        more = known * (y - factor * x)
    return factor, more


def opponent(logs: Floats) -> Floats:
    """Logarithms of B, G, R as luminance and two colour differences."""
    mix = np.array([[0.2, 0.5, 0.3], [0.0, -1.0, 1.0], [-1.0, 0.5, 0.5]], dtype=np.float32)
    return np.asarray(logs @ mix.T, dtype=np.float32)


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


def _medians(
    off: Floats, kind: NDArray[np.int32], open_: NDArray[np.bool_], step: int, kinds: int
) -> tuple[Floats, Floats]:
    """How each kind of spot differs from what is due in this photo, and how much that varies: two tables.

    No light fits every ink and every corner: a lamp's spectrum and a phone's taste change some inks more than
    others. What most spots of one ink, or most of one area, have in common is no piece.
    """
    thin = slice(None, None, step), slice(None, None, step)
    off, kind = off[thin][open_[thin]], kind[thin][open_[thin]]
    count = np.bincount(kind, minlength=kinds)
    told = np.flatnonzero(count >= FEWEST)
    few = count[kind] < FEWEST
    off, number = off[~few], np.searchsorted(told, kind[~few])
    middle = _middles(off, number, len(told))
    shift, spread = np.zeros((2, kinds, 3), dtype=np.float32)
    trust = (count[told] / (count[told] + FEWEST))[:, None]
    shift[told] = np.clip(middle, -MOST_OFF, MOST_OFF) * trust
    spread[told] = 1.5 * _middles(np.abs(off - middle[number]), number, len(told))
    return shift, spread


def _middles(values: Floats, number: NDArray[np.int64], numbers: int) -> Floats:
    """The median of the values (n x 3) of each number, channel by channel."""
    count = np.bincount(number, minlength=numbers)
    first = np.cumsum(count) - count
    middles = []
    # in the order of their numbers, and of their values among those, which are less than a number apart
    apart = 2 * MOST_APART + 1
    shelves = number * apart
    for channel in np.ascontiguousarray(values.T):
        ordered = np.sort(shelves + np.clip(channel, -MOST_APART, MOST_APART).astype(np.float64))
        both = ordered[first + (count - 1) // 2] + ordered[first + count // 2]
        middles.append(both / 2 - np.arange(numbers) * apart)
    return np.stack(middles, axis=1).astype(np.float32) if len(count) else np.zeros((0, 3), np.float32)


def _ink(bare: Floats) -> NDArray[np.int32]:
    """The number of each print colour in the tables of `_medians`."""
    steps = (opponent(_logs(bare, PRINT_FLOOR)) - INK_LOW) * INK_STEPS
    number = np.zeros(bare.shape[:2], dtype=np.int32)
    for channel, size in enumerate(INK_SIZE):
        number = number * size + np.clip(steps[..., channel], 0, size - 1).astype(np.int32)
    return number


def _edges(due: Floats) -> Floats:
    """How much the print changes within a pixel."""
    box = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.dilate(due, box) - cv2.erode(due, box)) * np.float32(EDGE_OFF)


def _density(off: Floats, edges: Floats, spread: Floats) -> Floats:
    """The log-density of seeing something this far off the bare print."""
    usual = np.minimum(np.maximum(spread * np.float32(INK_SPREADS), PRINT_OFF), PRINT_OFF * PRINT_MOST)
    wide = np.sqrt(np.square(usual) + np.square(edges))
    off = off / wide
    light, red_green, yellow_blue = (np.ascontiguousarray(off[..., k]) for k in range(3))
    hue = red_green * red_green + yellow_blue * yellow_blue
    whole = hue + light * light
    # a shadow: anything between nothing and SHADOW darker is the same
    dark = np.float32(SHADOW) / wide[..., 0]
    beyond = np.maximum(light, 0) + np.maximum(-light - dark, 0)
    peak = np.float32(1 / (2 * np.pi) ** 1.5) / (wide[..., 0] * wide[..., 1] * wide[..., 2])
    shadow = np.float32(SHADOW_SHARE) / np.maximum(dark, 1) * cv2.exp(-0.5 * (hue + np.square(beyond)))
    return np.asarray(cv2.log(peak * (cv2.exp(-0.5 * whole) + shadow) + np.float32(ANYTHING / 20)))


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
        to_pixels = window.to_pixels() @ lies[pose.place]
        for slot in design.slots.get(pose.sheet, ()):
            outline = np.array(slot.polygon)
            middle = outline.mean(axis=0)
            wider = moved(to_pixels, middle + (outline - middle) * (1 + 2 * FLAT_ROOM))
            corners = np.round(wider * 16).astype(np.int32)
            if isinstance(slot.holds, Faces):
                cv2.fillConvexPoly(flat, corners, 255, shift=4)
            elif not slot.holds.anywhere:
                cv2.fillConvexPoly(taken, corners, 255, shift=4)
            else:
                number += 1
                corners = np.round(moved(to_pixels, outline) * 16).astype(np.int32)
                cv2.fillPoly(areas, [corners], number, shift=4)
    return flat > 0, (taken | flat) > 0, areas
