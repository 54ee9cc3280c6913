"""What a stack of pieces hides of the board, as pixels of the ground around the spot where it stands.

A silhouette hardly changes over a hand's breadth: it is drawn once for each box of the board, and looked up
for all spots of that box at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Pieces
from companion.vision.pieces import Form, PieceLooks, levels
from companion.vision.pieces_ground import Plan
from companion.vision.pieces_print import Floats

Ints = NDArray[np.int64]
Masks = NDArray[np.uint8]

# Silhouettes hardly change over this distance, in parts of the distance to the lens.
SAME_SHAPE = 0.15
# The ring around a silhouette, in parts of the piece's radius: what lies there is not the piece.
RING = (1.25, 1.7)
# Rows around the picture of the board, so that no silhouette reaches over its edge; none is larger.
PAD = 96
# Circles are drawn true to a sixteenth of a pixel.
BITS = 4


@dataclass(frozen=True, eq=False)
class Region:
    """Pixels about a base, for each box of the board."""

    offsets: Ints
    """Boxes x pixels: how far each lies from the base, in pixels of a picture laid out in a line."""
    counts: Floats
    """Boxes x pixels: 1, and 0 where a box has fewer pixels than others."""

    @cached_property
    def sizes(self) -> Floats:
        return np.asarray(self.counts.sum(axis=1))

    def of(self, box: int) -> Ints:
        """Its pixels in one box."""
        return self.offsets[box, : int(self.sizes[box])]

    def thinned(self, step: int) -> Region:
        """Every so many pixels."""
        return Region(
            np.ascontiguousarray(self.offsets[:, ::step]), np.ascontiguousarray(self.counts[:, ::step])
        )


def region_of(masks: Masks, line: int) -> Region:
    """Masks (boxes x side x side) have the base in their middle; `line`: pixels in a row of the picture."""
    side = masks.shape[1]
    steps = np.arange(side) - side // 2
    from_base = (steps[:, None] * line + steps).ravel()
    # one number for each pixel, which is much quicker to find than three
    filled = np.flatnonzero(masks.view(np.bool_))
    sizes = np.diff(np.searchsorted(filled, np.arange(len(masks) + 1) * side * side))
    box = np.repeat(np.arange(len(masks)), sizes)
    column = np.arange(len(box)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    offsets = np.zeros((len(masks), max(int(sizes.max()), 1)), dtype=np.int64)
    counts = np.zeros(offsets.shape, dtype=np.float32)
    offsets[box, column] = from_base[filled - box * side * side]
    counts[box, column] = 1
    return Region(offsets, counts)


@dataclass(frozen=True, eq=False)
class Shape:
    """A stack of so many pieces of one form, seen from every box of the board."""

    stacks: tuple[tuple[int, ...], ...]
    """The stacks it may be: paints by number, from the bottom up."""
    parts: tuple[Region, ...]
    """From the bottom up: what is seen of each piece."""
    ring: Region
    extent: Ints
    """Boxes x 4: the box of pixels about all parts (top, left, bottom, right), from the base."""
    full: Floats
    """Boxes: pixels that the largest single piece of its slot hides."""

    def thinned(self, step: int) -> tuple[Region, ...]:
        if step not in self._thinned:
            self._thinned[step] = tuple(part.thinned(step) for part in self.parts)
        return self._thinned[step]

    @cached_property
    def _thinned(self) -> dict[int, tuple[Region, ...]]:
        return {}

    @cached_property
    def columns(self) -> Ints:
        """Pieces x stacks."""
        return np.array(self.stacks).T


@dataclass(frozen=True, eq=False)
class Boxes:
    """The boxes of the board in which slots lie, by their middles (mm)."""

    middles: Matrix
    of: Ints
    """For each slot its box."""

    @classmethod
    def around(cls, points: Matrix, eye: Matrix) -> Boxes:
        side = SAME_SHAPE * float(eye[2])
        cells, of = np.unique(np.floor(points / side), axis=0, return_inverse=True)
        return cls((cells + 0.5) * side, np.asarray(of, dtype=np.int64).ravel())


def shapes_of(
    kinds: Sequence[Pieces], looks: PieceLooks, plan: Plan, boxes: Boxes, line: int
) -> Mapping[Pieces, tuple[Shape, ...]]:
    """For each kind of slot: one for each form and number of pieces that it may hold, single pieces first."""
    drawn: dict[tuple[object, int], list[tuple[tuple[Region, ...], Region, Ints]]] = {}
    found = {}
    for holds in kinds:
        by_form: dict[object, list[str]] = {}
        for name in holds.names:
            if name in looks.forms:
                by_form.setdefault(looks.forms[name].key, []).append(name)
        ours = []
        for key, names in by_form.items():
            most = holds.most if len(names) > 1 else 1
            if (key, most) not in drawn:
                drawn[key, most] = _drawn(looks.forms[names[0]], most, plan, boxes, line)
            # the same paint twice is no stack that anybody builds
            paints = [looks.names.index(name) for name in names]
            ours += [
                (tuple(permutations(paints, count)), *each)
                for count, each in enumerate(drawn[key, most], start=1)
                if count <= len(paints)
            ]
        ours.sort(key=lambda shape: len(shape[1]))
        singles = [parts[0].sizes for _, parts, _, _ in ours if len(parts) == 1]
        full = np.max(singles, axis=0) if singles else np.ones(len(boxes.middles), np.float32)
        found[holds] = tuple(Shape(*shape, full) for shape in ours)
    return found


def _drawn(
    form: Form, most: int, plan: Plan, boxes: Boxes, line: int
) -> list[tuple[tuple[Region, ...], Region, Ints]]:
    """Parts, ring and extent of a stack of one, of two... pieces.

    Seen from the lens, a disc at some height hides a larger disc of the board, farther from the lens.
    """
    high, per_mm = float(plan.eye[2]), plan.window.per_mm
    away_from = boxes.middles - plan.eye[:2]
    top = form.rise * (most - 1) + form.height
    lean = float(np.hypot(*away_from.T).max()) * top / max(high - top, top)
    wide = RING[1] * form.radius * high / max(high - top, top)
    reach = min(int(np.ceil((lean + wide) * per_mm)) + 1, PAD)
    size = (len(boxes.middles), 2 * reach + 1, 2 * reach + 1)
    inner, outer = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    every: list[Masks] = []
    found = []
    for level in range(most):
        piece = np.zeros(size, np.uint8)
        for height, radius in zip(*levels(form, form.rise * level), strict=True):
            away = float(height) / max(high - float(height), 1e-6)
            at = np.round((away_from * away * per_mm + reach) * (1 << BITS)).astype(int).tolist()
            wide = float(radius) * (1 + away) * per_mm * (1 << BITS)
            for masks, more in ((piece, 1.0), (inner, RING[0]), (outer, RING[1])):
                # a filled circle takes in every pixel that it touches: half a pixel more than its radius
                round_ = max(round(wide * more) - (1 << BITS) // 2, 1)
                for mask, middle in zip(masks, at, strict=True):
                    cv2.circle(mask, middle, round_, 1, -1, cv2.LINE_8, BITS)
        every = [*(below & (1 - piece) for below in every), piece]
        parts = tuple(region_of(masks, line) for masks in every)
        found.append((parts, region_of(outer & (1 - inner), line), _extent(np.bitwise_or.reduce(every))))
    return found


def _extent(masks: Masks) -> Ints:
    reach = masks.shape[1] // 2
    boxes = np.array([cv2.boundingRect(mask) for mask in masks], dtype=np.int64)
    low, sizes = boxes[:, 1::-1] - reach, boxes[:, :1:-1]
    return np.hstack([low, low + sizes - 1])
