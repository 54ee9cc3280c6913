"""What a stack of pieces hides of the board, as pixels of the ground around the spot where it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Pieces
from companion.vision.pieces import Form, PieceLooks, levels, silhouette
from companion.vision.pieces_ground import Floats, Ground

Ints = NDArray[np.int64]

# Silhouettes hardly change over this distance: shapes are made once for each box of it, in parts of the
# distance to the lens.
SAME_SHAPE = 0.15
# The ring around a silhouette, in parts of the piece's radius: what lies there is not the piece.
RING = (1.25, 1.7)
# A stack must say this much more than what it is compared to, for each piece more.
EACH_MORE = 0.03
# Of one piece in a stack, this part of a whole piece must be seen before its evidence counts in full.
LEAST_SEEN = 0.15


@dataclass(frozen=True, eq=False)
class Shape:
    """A stack of some pieces of one form."""

    stacks: tuple[tuple[int, ...], ...]
    """The stacks it may be: columns of the evidence, from the bottom up."""
    parts: tuple[Ints, ...]
    """From the bottom up: n x 2 offsets (row, column) of the pixels seen of each piece."""
    ring: Ints
    full: int
    """Pixels that the largest single piece of its slot hides."""
    low: Ints
    high: Ints
    """The box around all parts, as offsets."""


@dataclass(frozen=True, eq=False)
class Weighed:
    """Evidence for each base (rows) and stack (columns) of a shape."""

    sums: Floats
    """In parts of all that one piece can say."""
    visible: Floats
    """For each base: the part of the stack that is visible."""
    means: Floats
    """Evidence of what is visible of the piece that says least, from -1 to 1."""


class Shapes:
    """All shapes on one ground."""

    def __init__(self, ground: Ground, looks: PieceLooks) -> None:
        self._ground = ground
        self._looks = looks
        self._box = SAME_SHAPE * float(ground.eye[2])
        self._made: dict[tuple[tuple[str, ...], int, int, int], tuple[Shape, ...]] = {}

    def of(self, holds: Pieces, middle: Matrix) -> tuple[Shape, ...]:
        """One for each form and number of pieces that a slot about `middle` (mm on the board) may hold."""
        x, y = np.floor(middle / self._box).astype(int).tolist()
        key = (holds.names, holds.most, x, y)
        if key not in self._made:
            self._made[key] = tuple(self._shapes(holds, (np.array([x, y]) + 0.5) * self._box))
        return self._made[key]

    def _shapes(self, holds: Pieces, middle: Matrix) -> list[Shape]:
        by_form: dict[object, list[str]] = {}
        for name in holds.names:
            if name in self._looks.forms:
                by_form.setdefault(self._looks.forms[name].key, []).append(name)
        shapes = []
        for names in by_form.values():
            form = self._looks.forms[names[0]]
            columns = [self._looks.names.index(name) for name in names]
            for count in range(1, holds.most + 1 if len(names) > 1 else 2):
                parts, ring = _hidden(form, count, middle, self._ground)
                # the same paint twice is no stack that anybody builds
                stacks = tuple(s for s in product(columns, repeat=count) if len(set(s)) == count)
                every = np.concatenate(parts)
                shapes.append(Shape(stacks, parts, ring, len(every), every.min(axis=0), every.max(axis=0)))
        # all that may stand in one slot is measured by the largest single piece
        full = max((shape.full for shape in shapes if len(shape.parts) == 1), default=1)
        return [replace(shape, full=full) for shape in shapes]


def _hidden(form: Form, count: int, middle: Matrix, ground: Ground) -> tuple[tuple[Ints, ...], Ints]:
    """The pixels seen of each piece of a stack, as offsets from its base, and those around all of it."""
    eye, per_mm = ground.eye, ground.window.per_mm
    top = form.rise * (count - 1) + form.height
    far = (middle - eye[:2]) * top / (eye[2] - top)
    room = 1.2 * RING[1] * form.radius
    low = np.floor((np.minimum(0, far) - room) * per_mm).astype(int)
    high = np.ceil((np.maximum(0, far) + room) * per_mm).astype(int) + 1
    y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
    offsets = np.column_stack([y.ravel(), x.ravel()])
    spots = middle + offsets[:, ::-1] / per_mm
    nearest = np.full(len(spots), np.inf)
    free = np.ones(len(spots), dtype=bool)
    parts = []
    for level in reversed(range(count)):
        off = silhouette(spots, middle, eye, *levels(form, form.rise * level))
        parts.append(offsets[(off < 1) & free])
        free &= off >= 1
        nearest = np.minimum(nearest, off)
    ring = (nearest > RING[0]) & (nearest < RING[1])
    return tuple(reversed(parts)), offsets[ring]


def sums(evidence: Floats, bases: Ints, part: Ints) -> Floats:
    """Evidence (rows x columns x k) added up over pixels about each base: n x k."""
    rows, columns, k = evidence.shape
    y = np.clip(bases[:, :1] + part[None, :, 0], 0, rows - 1)
    x = np.clip(bases[:, 1:] + part[None, :, 1], 0, columns - 1)
    said = evidence.reshape(-1, k)[y * columns + x]
    return np.asarray(np.matmul(np.ones((1, len(part)), dtype=np.float32), said)[:, 0])


def weighed(evidence: Floats, bases: Ints, shape: Shape, thinned: int = 1) -> Weighed:
    """The last column of `evidence` is 1 where the ground is visible; all others are 0 where it is not."""
    parts = [sums(evidence, bases, part[::thinned]) * np.float32(thinned) for part in shape.parts]
    seen = np.sum([part[:, -1] for part in parts], axis=0)
    columns = np.array(shape.stacks).T
    said = np.stack([part[:, column] for part, column in zip(parts, columns, strict=True)])
    pixels = sum(len(part) for part in shape.parts)
    # a part of which little is visible says little, not nothing
    known = np.stack([np.maximum(part[:, -1:], LEAST_SEEN * shape.full) for part in parts])
    means = (said / known).min(axis=0)
    more = np.float32(EACH_MORE * (len(parts) - 1))
    return Weighed(said.sum(axis=0) / np.float32(shape.full) - more, seen / np.float32(pixels), means)
