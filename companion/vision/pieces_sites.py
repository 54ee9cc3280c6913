"""Where pieces may stand: the slots of the board on the ground, and the spots of each to look into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Design, Pieces, SheetPose, Slot
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import Ground
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
    outline: Matrix
    """n x 2, column and row in the padded picture."""

    @property
    def reach(self) -> float:
        """How far off the middle it is looked for, in pixels; 0 where a piece may stand anywhere."""
        return 0.0 if self.holds.anywhere else float(np.ptp(self.outline, axis=0).mean()) / 2 * OFF_PLACE


@dataclass(frozen=True, eq=False)
class Sites:
    all: tuple[Site, ...]
    shapes: Mapping[Pieces, tuple[Shape, ...]]
    boxes: Ints
    """For each site the box of the board in which it lies."""
    middles: Matrix
    """Sites x 2: column and row in the padded picture."""
    reaches: Matrix
    areas: Ints
    """For each site the number of its area where a piece may stand anywhere, else 0."""
    ground: NDArray[np.int32]
    """The padded picture in a line: the number of the area in which each spot lies."""
    line: int
    """Spots in a row of the padded picture."""

    def __len__(self) -> int:
        return len(self.all)

    def reached(self, covered: NDArray[np.bool_]) -> list[int]:
        """The sites in whose reach anything is covered: most are bare."""
        counts = cv2.integral(covered.astype(np.uint8))
        low, high = (np.clip(end, 0, np.array(covered.shape[::-1])) for end in self._boxes)
        (left, top), (right, bottom) = low.T, high.T
        inside = counts[bottom, right] - counts[top, right] - counts[bottom, left] + counts[top, left]
        return np.flatnonzero(inside).tolist()

    @cached_property
    def _boxes(self) -> tuple[Ints, Ints]:
        """Sites x 2: the first column and row in reach, and those after the last."""
        outlines = np.array([(site.outline.min(axis=0), site.outline.max(axis=0)) for site in self.all])
        reach = self.reaches[:, None]
        low = np.where(reach > 0, self.middles - reach, outlines[:, 0])
        high = np.where(reach > 0, self.middles + reach, outlines[:, 1])
        return np.floor(low).astype(np.int64), np.ceil(high).astype(np.int64) + 2

    def coarsely(self, site: int) -> Ints:
        """Spots some pixels apart where a piece may stand, the middle among them."""
        outline, reach, middle = self.all[site].outline, self.reaches[site], self.middles[site]
        low, high = (middle - reach, middle + reach) if reach else (outline.min(axis=0), outline.max(axis=0))
        most = np.array([self.line, len(self.ground) // self.line]) - PAD - 1
        low, high = (np.clip(np.round(end).astype(int), PAD, most) for end in (low, high))
        first = low + (np.clip(np.round(middle).astype(int), low, high) - low) % COARSE
        x, y = np.meshgrid(np.arange(first[0], high[0] + 1, COARSE), np.arange(first[1], high[1] + 1, COARSE))
        spots = (y * self.line + x).ravel()
        return np.asarray(spots[self.allowed(spots, np.full(len(spots), site))])

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


def sites_of(poses: Sequence[SheetPose], design: Design, ground: Ground, looks: PieceLooks) -> Sites:
    every = tuple(_sites(poses, design, ground))
    line = ground.window.width + 2 * PAD
    middles = np.array([site.outline.mean(axis=0) for site in every]).reshape(-1, 2)
    anywhere = np.array([site.holds.anywhere for site in every], dtype=bool)
    areas = np.where(anywhere, np.cumsum(anywhere), 0)
    numbered = np.zeros((ground.window.height + 2 * PAD, line), np.int32)
    for site, area in zip(every, areas.tolist(), strict=True):
        if area:
            cv2.fillPoly(numbered, [np.round(site.outline * 16).astype(np.int32)], area, shift=4)
    boxes = Boxes.around(moved(ground.window.to_mm(), middles - PAD), ground.eye)
    kinds = list(dict.fromkeys(site.holds for site in every))
    return Sites(
        every, shapes_of(kinds, looks, ground, boxes, line), boxes.of, middles,
        np.array([site.reach for site in every]), areas.astype(np.int64), numbered.ravel(), line,
    )  # fmt: skip


def _sites(poses: Sequence[SheetPose], design: Design, ground: Ground) -> Iterator[Site]:
    for pose in poses:
        to_pixels = ground.window.to_pixels() @ ground.lies[pose.place]
        for slot in design.slots.get(pose.sheet, ()):
            if isinstance(slot.holds, Pieces):
                yield Site(pose, slot, slot.holds, moved(to_pixels, np.array(slot.polygon)) + PAD)
