"""Where pieces may stand: the slots of the board on the ground, and the spots of each to look into."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Design, Pieces, SheetPose, Slot
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import Plan
from companion.vision.pieces_shapes import PAD, Boxes, Ints, Shape, shapes_of
from companion.vision.plane import moved

# How far off its slot's middle a piece is looked for, in parts of the slot's half width.
OFF_PLACE = 0.5
# Steps of the first search, in pixels; the second goes pixel by pixel about the best.
COARSE = 3


@dataclass(frozen=True, eq=False)
class Site:
    """A slot on the ground."""

    pose: SheetPose
    slot: Slot
    holds: Pieces


@dataclass(frozen=True, eq=False)
class Sites:
    all: tuple[Site, ...]
    shapes: Mapping[Pieces, tuple[Shape, ...]]
    boxes: Ints
    """For each site the box of the board in which it lies."""
    middles: Matrix
    """Sites x 2: column and row in the padded picture."""
    reaches: Matrix
    """How far off its middle each is looked into, in pixels; 0 where a piece may stand anywhere."""
    low: Matrix
    """Sites x 2: the first column and row that is looked into."""
    high: Matrix
    """The last ones."""
    areas: Ints
    """For each site the number of its area where a piece may stand anywhere, else 0."""
    ground: NDArray[np.int32]
    """The padded picture in a line: the number of the area in which each spot lies."""
    line: int
    """Spots in a row of the padded picture."""

    def __len__(self) -> int:
        return len(self.all)

    def coarsely(self, covered: NDArray[np.bool_]) -> list[Ints]:
        """For each site the spots some pixels apart where a piece may stand and something is seen.

        `covered`: where something is, in the padded picture in a line.
        """
        found = [np.zeros(0, dtype=np.int64)] * len(self)
        reached = self._reached(covered.reshape(-1, self.line))
        spots = [lattice[covered.take(lattice)] for lattice in map(self._lattice, reached)]
        if reached:
            lengths = [len(ours) for ours in spots]
            allowed = self.allowed(np.concatenate(spots), np.repeat(reached, lengths))
            parts = np.split(allowed, np.cumsum(lengths)[:-1])
            for site, ours, fits in zip(reached, spots, parts, strict=True):
                found[site] = ours[fits]
        return found

    def _reached(self, covered: NDArray[np.bool_]) -> list[int]:
        """The sites in whose reach anything is covered: most are bare."""
        counts = cv2.integral(covered.astype(np.uint8))
        ends = np.floor(self.low).astype(np.int64), np.ceil(self.high).astype(np.int64) + 2
        (left, top), (right, bottom) = (np.clip(end, 0, np.array(covered.shape[::-1])).T for end in ends)
        inside = counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]
        return np.flatnonzero(inside).tolist()

    def _lattice(self, site: int) -> Ints:
        """Spots some pixels apart in the reach of a site, its middle among them."""
        left, top, right, bottom = self._lattices[site].tolist()
        rows = np.arange(top * self.line, bottom * self.line + 1, COARSE * self.line)
        return np.asarray((rows[:, None] + np.arange(left, right + 1, COARSE)).ravel())

    @cached_property
    def _lattices(self) -> Ints:
        """For each site the first column and row of these spots, and the last that there may be."""
        most = np.array([self.line, len(self.ground) // self.line]) - PAD - 1
        low, high = (np.clip(np.round(end).astype(int), PAD, most) for end in (self.low, self.high))
        first = low + (np.clip(np.round(self.middles).astype(int), low, high) - low) % COARSE
        return np.hstack([first, high]).astype(np.int64)

    def near(self, which: Ints, starts: Ints) -> tuple[Ints, Ints]:
        """Spots about the start of each of these sites that belong to it, and the row of the site of each."""
        steps = np.arange(-COARSE + 1, COARSE)
        about = (steps[:, None] * self.line + steps).ravel()
        bases = starts[:, None] + about
        fits = self.allowed(bases.ravel(), np.repeat(which, len(about))).reshape(bases.shape)
        fits[:, len(about) // 2] = True
        of, column = np.nonzero(fits)
        return bases[of, column], of

    def allowed(self, spots: Ints, sites: Ints) -> NDArray[np.bool_]:
        area = self.areas[sites]
        return np.where(area > 0, self.ground[spots] == area, self.off(spots, sites) <= 1)

    def off(self, spots: Ints, sites: Ints) -> Matrix:
        """How far off the middle of its site each spot lies, in parts of the reach; 0 without one."""
        row, column = np.divmod(spots, self.line)
        middle, reach = self.middles[sites], self.reaches[sites]
        away = np.hypot(column - middle[:, 0], row - middle[:, 1])
        return np.where(reach > 0, away / np.maximum(reach, 1e-6), 0.0)

    def in_a_place(self, spot: int) -> bool:
        """Whether a slot with a place of its own is there."""
        row, column = divmod(spot, self.line)
        away = np.hypot(*(self.middles - (column, row)).T)
        return bool((away < self.reaches).any())

    def off_its_middle(self, site: int, spot: int) -> float:
        """The same for one spot."""
        (x, y), reach = self.middles[site].tolist(), float(self.reaches[site])
        row, column = divmod(spot, self.line)
        return math.hypot(column - x, row - y) / reach if reach else 0.0


def sites_of(poses: Sequence[SheetPose], design: Design, plan: Plan, looks: PieceLooks) -> Sites:
    every, outlines = _sites(poses, design, plan)
    line = plan.window.width + 2 * PAD
    anywhere = np.array([site.holds.anywhere for site in every], dtype=bool)
    areas = np.where(anywhere, np.cumsum(anywhere), 0)
    numbered = np.zeros((plan.window.height + 2 * PAD, line), np.int32)
    for outline, area in zip(outlines, areas.tolist(), strict=True):
        if area:
            cv2.fillPoly(numbered, [np.round(outline * 16).astype(np.int32)], area, shift=4)
    middles, low, high = (np.zeros((0, 2)) for _ in range(3))
    if every:
        lengths = np.array([len(outline) for outline in outlines])
        corners, firsts = np.concatenate(outlines), np.cumsum(lengths) - lengths
        middles = np.add.reduceat(corners, firsts) / lengths[:, None]
        low, high = np.minimum.reduceat(corners, firsts), np.maximum.reduceat(corners, firsts)
    reaches = np.where(anywhere, 0.0, (high - low).mean(axis=1) / 2 * OFF_PLACE)
    low = np.where(anywhere[:, None], low, middles - reaches[:, None])
    high = np.where(anywhere[:, None], high, middles + reaches[:, None])
    boxes = Boxes.around(moved(plan.window.to_mm(), middles - PAD), plan.eye)
    kinds = list(dict.fromkeys(site.holds for site in every))
    return Sites(
        every, shapes_of(kinds, looks, plan, boxes, line), boxes.of, middles, reaches, low, high,
        areas.astype(np.int64), numbered.ravel(), line,
    )  # fmt: skip


def _sites(poses: Sequence[SheetPose], design: Design, plan: Plan) -> tuple[tuple[Site, ...], list[Matrix]]:
    """All slots for pieces, and the outline of each: n x 2, column and row in the padded picture."""
    every: list[Site] = []
    outlines: list[Matrix] = []
    for pose in poses:
        slots = [slot for slot in design.slots.get(pose.sheet, ()) if isinstance(slot.holds, Pieces)]
        if slots:
            corners = np.concatenate([slot.polygon for slot in slots])
            seen = moved(plan.window.to_pixels() @ plan.lies[pose.place], corners) + PAD
            outlines += np.split(seen, np.cumsum([len(slot.polygon) for slot in slots])[:-1])
            every += [Site(pose, slot, slot.holds) for slot in slots if isinstance(slot.holds, Pieces)]
    return tuple(every), outlines
