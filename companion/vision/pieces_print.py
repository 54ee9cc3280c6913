"""How much what is seen looks like the bare print, by its colours, under the light of each place.

No light fits every ink and every corner: brightness and veil are drawn tight from place to place, then every
ink and every area is allowed its own small change, by what most of its spots have in common.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.light import LEAST_GAIN
from companion.vision.plane import Window

Floats = NDArray[np.float32]
Spots = NDArray[np.int64]
"""Numbers of spots of a picture laid out in a line."""

# Wood does not mirror the window that the paper's gloss does: the veil is left in its colours, as the
# light that it adds to a print of this (linear) brightness.
USUAL_PRINT = 0.4
# Added to light before its logarithm: below it a dark paint's hue is noise.
FLOOR = 0.02
PRINT_FLOOR = 0.05
GAMMA = 2.2
# From logarithms of B, G, R to luminance, red - green, yellow - blue.
OPPONENT = np.array([[0.2, 0.5, 0.3], [0.0, -1.0, 1.0], [-1.0, 0.5, 0.5]], dtype=np.float32)
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
INK_STEP, AREA_STEP, FEWEST = 4, 3, 24
# An ink or an area changes by no more than this; what it varies by counts this much, and at most so many
# PRINT_OFF.
MOST_OFF = np.array([0.35, 0.25, 0.25], dtype=np.float32)
INK_SPREADS, PRINT_MOST = 1.5, 3.0
# Nothing is farther off the print than this, in logarithms.
MOST_APART = 2.0
# A sheet lies off by about this part of a pixel: where the print changes, so does what is seen.
EDGE_OFF = 0.35


@dataclass(frozen=True, eq=False)
class Laid:
    """A board laid flat: what is seen of it, its bare print, and the light on it (all rows x columns x 3)."""

    seen: Floats
    bare: Floats
    gain: Floats
    veil: Floats

    def off(self, spots: Spots) -> Floats:
        """How far what is seen at these spots (numbers) is off the bare print under this light: n x 3."""
        seen, bare, gain, veil = (
            part.reshape(-1, 3).take(spots, axis=0) for part in (self.seen, self.bare, self.gain, self.veil)
        )
        white: Floats = gain + veil * np.float32(1 / USUAL_PRINT)
        expected: Floats = gain * bare + veil
        shown, due = logs(seen / white, PRINT_FLOOR), logs(expected / white, PRINT_FLOOR)
        return opponent(np.subtract(shown, due))


def drawn_tight(laid: Laid, open_: NDArray[np.bool_], window: Window) -> Laid:
    """Brightness and veil corrected from place to place by what is bare around it."""
    step = slice(None, None, LOCAL_STEP), slice(None, None, LOCAL_STEP)
    seen, bare, gain, veil = laid.seen[step], laid.bare[step], laid.gain[step], laid.veil[step]
    factor, more = _local(seen, gain * bare + veil, gain, open_[step], window.per_mm)
    size = (window.width, window.height)
    local = (
        np.asarray(cv2.resize(part, size), dtype=np.float32)
        for part in (np.maximum(factor * gain, LEAST_GAIN), np.maximum(factor * veil + more, 0))
    )
    return Laid(laid.seen, laid.bare, *local)


@dataclass(frozen=True, eq=False)
class Usual:
    """How the bare print looks in one photo."""

    laid: Laid
    """Under light that was drawn tight."""
    areas: NDArray[np.int32]
    shift: Floats
    """Inks x 3: how each differs from what is due."""
    spread: Floats
    """Inks x 3: how much that varies."""
    moved_by: Floats
    """Areas x 3: how each differs beyond its inks."""

    def compared(self, due: Floats, asked: Spots) -> Floats:
        """The log-density of what is seen at the spots `asked`, were it the print.

        `due`: logarithms of B, G, R as the bare print would look, of all spots.
        """
        ink = _ink(self.laid.bare, asked)
        off = self.laid.off(asked) - self.shift.take(ink, axis=0)
        off -= self.moved_by.take(self.areas.ravel()[asked], axis=0)
        return _density(off, _edges(due, asked), self.spread.take(ink, axis=0))


def usual(laid: Laid, open_: NDArray[np.bool_], areas: NDArray[np.int32], window: Window) -> Usual:
    """What most of the print that is open has in common."""
    laid = drawn_tight(laid, open_, window)
    inks = _spots_of(open_, INK_STEP)
    shift, spread = _medians(laid.off(inks), _ink(laid.bare, inks), int(np.prod(INK_SIZE)))
    inside = _spots_of(open_ & (areas > 0), AREA_STEP)
    off = laid.off(inside) - shift.take(_ink(laid.bare, inside), axis=0)
    moved_by, _ = _medians(off, areas.ravel()[inside], int(areas.max()) + 1)
    return Usual(laid, areas, shift, spread, moved_by)


def _spots_of(where: NDArray[np.bool_], step: int) -> Spots:
    """Numbers of the spots in every so many rows and columns."""
    thin = np.zeros_like(where)
    thin[::step, ::step] = where[::step, ::step]
    return np.flatnonzero(thin)


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


def logs(light: Floats, floor: float) -> Floats:
    if not light.size:  # cv2 makes one number of none
        return light
    return np.asarray(cv2.log(light + np.float32(floor)), dtype=np.float32) / np.float32(GAMMA)


def opponent(logs: Floats) -> Floats:
    """Logarithms of B, G, R as luminance and two colour differences."""
    flat = np.ascontiguousarray(logs).reshape(-1, 1, 3)
    # cv2 makes one number of none
    return np.asarray(cv2.transform(flat, OPPONENT), np.float32).reshape(logs.shape) if logs.size else logs


def _medians(off: Floats, kind: NDArray[np.int32], kinds: int) -> tuple[Floats, Floats]:
    """How each kind of spot differs from what is due in this photo, and how much that varies: two tables.

    No light fits every ink and every corner: a lamp's spectrum and a phone's taste change some inks more than
    others. What most spots of one ink, or most of one area, have in common is no piece.
    """
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


def _ink(bare: Floats, spots: Spots) -> NDArray[np.int32]:
    """The number of each spot's print colour in the tables of `_medians`."""
    steps = (opponent(logs(bare.reshape(-1, 3).take(spots, axis=0), PRINT_FLOOR)) - INK_LOW) * INK_STEPS
    number = np.zeros(len(spots), dtype=np.int32)
    for channel, size in enumerate(INK_SIZE):
        number = number * size + np.clip(steps[:, channel], 0, size - 1).astype(np.int32)
    return number


def _edges(due: Floats, spots: Spots) -> Floats:
    """How much the print changes within a pixel."""
    box = np.ones((3, 3), np.uint8)
    colours = np.asarray(cv2.transform(due, OPPONENT))
    change = cv2.dilate(colours, box) - cv2.erode(colours, box)
    return np.asarray(change.reshape(-1, 3).take(spots, axis=0)) * np.float32(EDGE_OFF)


def _density(off: Floats, edges: Floats, spread: Floats) -> Floats:
    """The log-density of seeing something this far off the bare print."""
    usual = np.minimum(np.maximum(spread * np.float32(INK_SPREADS), PRINT_OFF), PRINT_OFF * PRINT_MOST)
    wide = np.sqrt(np.square(usual) + np.square(edges))
    light, red_green, yellow_blue = (off / wide).T
    hue = red_green * red_green + yellow_blue * yellow_blue
    whole = hue + light * light
    # a shadow: anything between nothing and SHADOW darker is the same
    dark = np.float32(SHADOW) / wide[:, 0]
    beyond = np.maximum(light, 0) + np.maximum(-light - dark, 0)
    peak = np.float32(1 / (2 * np.pi) ** 1.5) / wide.prod(axis=1)
    shadow = np.float32(SHADOW_SHARE) / np.maximum(dark, 1) * np.exp(-0.5 * (hue + np.square(beyond)))
    return np.asarray(np.log(peak * (np.exp(-0.5 * whole) + shadow) + np.float32(ANYTHING / 20)), np.float32)
