"""How much each spot of the board speaks for each paint, against its print."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import MOST_SAID, PRINT_SURE, Ground
from companion.vision.pieces_print import Floats
from companion.vision.pieces_shapes import PAD, Ints, Region
from companion.vision.wood_light import WoodLight

# Where something flat may lie, its colours may be those of a piece: what is seen there counts this much.
FLAT_COUNTS = 0.2
# How much a paint's log-density counts against the likeliest paint's, and at most.
RIVALS_COUNT, RIVALS_MOST = 0.15, 0.8
# What is as much like the print as this (log-density), and print by its surroundings too (odds, as a
# logarithm), is print. Either alone is not: paints may have the print's colours.
PRINT_FITS, PRINT_LIKELY = 3.2, -2.0
# How much the surroundings of a spot count, beside its colour.
AROUND_COUNTS = 0.3
# A base is looked into where the mean evidence of a box of so many pixels about it is more than this.
COVERED_BOX, COVERED = 7, -0.8
# So many numbers are picked at once.
AT_ONCE = 4_000_000
# Rows of a whole number of so many are picked, and multiplied, twice as quickly as others.
ROW = 8
# The rows of evidence that many spots share: nothing is seen there, or nothing but the print, in the open or
# where something flat may lie.
HIDDEN, BARE, BARE_FLAT, SHARED = 0, 1, 2, 3


@dataclass(frozen=True, eq=False)
class Evidence:
    rows: NDArray[np.int32]
    """For each spot of the padded picture, in a line, the row of `said` that tells of it."""
    said: Floats
    """n rows: from -1 to 1 for each paint, how much of the spot counts, 0 to 1; spare columns hold 0."""
    colours: Floats
    """Of the rows that only one spot has, in the light of all wood of the photo: n x 3."""
    paints: int
    size: tuple[int, int]
    """Of the padded picture."""

    def over(self, region: Region, bases: Ints, boxes: Ints) -> Floats:
        """Added up over the region about each base: n x (paints + 1)."""
        step = max(1, AT_ONCE // (region.offsets.shape[1] * self.said.shape[1]))
        sums = [
            self._over(region, bases[start : start + step], boxes[start : start + step])
            for start in range(0, max(len(bases), 1), step)
        ]
        return sums[0] if len(sums) == 1 else np.concatenate(sums)

    def _over(self, region: Region, bases: Ints, boxes: Ints) -> Floats:
        spots = region.offsets.take(boxes, axis=0)
        spots += bases[:, None]
        said = self.said.take(self.rows.take(spots), axis=0)
        sums = np.matmul(region.counts.take(boxes, axis=0)[:, None], said)
        return np.asarray(sums[:, 0, : self.paints + 1])

    def colour(self, spots: Ints) -> Floats | None:
        """The middle colour of what is seen there and is no print, if anything is."""
        rows = self.rows.take(spots)
        rows = rows[rows >= SHARED]
        # rows first: to take them from some of the columns would copy all of the evidence
        rows = rows[likeliest(self.said.take(rows, axis=0)[:, : self.paints]) > 0]
        if not len(rows):
            return None
        # the median of each channel: np.median takes ten times as long for a few dozen
        ordered = np.sort(self.colours.take(rows - SHARED, axis=0), axis=0)
        return np.asarray((ordered[(len(rows) - 1) // 2] + ordered[len(rows) // 2]) / 2)

    def hide(self, spots: Ints) -> None:
        """What stands here hides what is behind."""
        self.rows[spots] = HIDDEN

    def free(self) -> NDArray[np.bool_]:
        """Where the ground is seen."""
        return np.asarray(self.rows.reshape(self.size)[PAD:-PAD, PAD:-PAD] != HIDDEN)

    def covered(self) -> NDArray[np.bool_]:
        """The padded picture in a line: where something may stand; elsewhere there is but print."""
        most = likeliest(self.said[:, : self.paints]).take(self.rows).reshape(self.size)
        return np.asarray(cv2.blur(most, (COVERED_BOX, COVERED_BOX)) > COVERED).ravel()


def likeliest(said: Floats) -> Floats:
    """The largest number of each row: numpy is slow where rows are short."""
    return np.asarray(np.ascontiguousarray(said.T).max(axis=0))


def weigh(ground: Ground, looks: PieceLooks, light: WoodLight) -> Evidence:
    print_ = (ground.printed > PRINT_FITS) & (ground.piece < PRINT_LIKELY)
    unlike = np.flatnonzero(ground.seen & (ground.piece > PRINT_SURE) & ~print_)
    colours = light.colours(ground, unlike)
    density = looks.densities(colours)
    paints = len(looks.names)
    said = np.zeros((len(unlike) + SHARED, paints + 1 + -(paints + 1) % ROW), dtype=np.float32)
    against = density - ground.printed.ravel()[unlike, None]
    against *= np.float32(1 / MOST_SAID)
    np.clip(against, -1, 1, out=against)
    # its colour and its surroundings both say whether something stands there
    around = np.clip(ground.piece.ravel()[unlike, None] * np.float32(1 / MOST_SAID), -1, 1)
    against += (around - against) * np.float32(AROUND_COUNTS)
    # which paint it is, is said among the paints: against the print, all of them may say as much as they can
    density -= likeliest(density)[:, None]
    density *= np.float32(RIVALS_COUNT)
    against += np.maximum(density, np.float32(-RIVALS_MOST), out=density)
    said[SHARED:, :paints] = against
    said[SHARED:, paints] = 1
    said[SHARED:] *= np.where(ground.flat.ravel()[unlike], np.float32(FLAT_COUNTS), np.float32(1))[:, None]
    said[BARE, :paints], said[BARE, paints] = -1, 1
    said[BARE_FLAT] = said[BARE] * np.float32(FLAT_COUNTS)
    padded = np.zeros((ground.seen.shape[0] + 2 * PAD, ground.seen.shape[1] + 2 * PAD), np.int32)
    rows = np.where(ground.flat, np.int32(BARE_FLAT), np.int32(BARE)) * ground.seen
    rows.ravel()[unlike] = np.arange(SHARED, len(unlike) + SHARED, dtype=np.int32)
    padded[PAD:-PAD, PAD:-PAD] = rows
    return Evidence(padded.ravel(), said, colours, paints, padded.shape)
