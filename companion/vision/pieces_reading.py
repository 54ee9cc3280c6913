"""Which pieces stand where: how much each spot of the board speaks for each paint, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from companion.vision.model import Design, Reading, SheetPose
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_confidence import LOOSE, piece_reading
from companion.vision.pieces_ground import MOST_SAID, Floats, Ground
from companion.vision.pieces_settling import settle, sites_of

# Where something flat may lie, its colours may be those of a piece: what is seen there counts this much.
FLAT_COUNTS = 0.2
# How much a paint's log-density counts against the likeliest paint's, and at most.
RIVALS_COUNT, RIVALS_MOST = 0.1, 0.5
# What is less like the print than this (log-density) is something else, whose colours tell about the light.
FOREIGN = -4.0
# How much of the veil that lies over the paper lies over wood, and what it costs to think so.
VEILS = (0.0, 0.25, 0.5, 0.75, 1.0)
VEIL_COST, VEIL_SPOTS = 0.1, 3000
# What is as much like the print as this (log-density) is the print, whatever paint it may look like.
PRINT_SURE = 3.2


def read_pieces(
    ground: Ground, poses: Sequence[SheetPose], design: Design, looks: PieceLooks
) -> tuple[tuple[Reading, ...], NDArray[np.bool_]]:
    """What stands in each slot, and where the ground is seen: not where a piece stands before it."""
    sites = sites_of(poses, design, ground, looks)
    settled, free = settle(sites, weigh(ground, looks))
    loose = (free & ground.seen & ~ground.flat & (ground.printed < LOOSE)).astype(np.float32)[..., None]
    readings = (piece_reading(site, r, looks, ground, loose) for site, r in zip(sites, settled, strict=True))
    return tuple(readings), free


def weigh(ground: Ground, looks: PieceLooks) -> Floats:
    """How much each spot speaks for each paint, against the print, from -1 to 1; the last column tells
    which spots are visible."""
    rows, columns = ground.printed.shape
    said = np.full((rows * columns, len(looks.names) + 1), -1, dtype=np.float32)
    unlike = np.flatnonzero(ground.seen & (ground.printed < PRINT_SURE))
    density = looks.densities(ground.colours(unlike, _veil(ground, looks)))
    against = np.clip((density - ground.printed.ravel()[unlike, None]) / np.float32(MOST_SAID), -1, 1)
    # which paint it is, is said among the paints: against the print, all of them may say as much as they can
    likeliest = reduce(np.maximum, density.T)[:, None]
    rival = (density - likeliest) * np.float32(RIVALS_COUNT)
    ones = np.ones((len(unlike), 1), dtype=np.float32)
    said[unlike] = np.hstack([against + np.maximum(rival, np.float32(-RIVALS_MOST)), ones])
    said[:, -1] = 1
    counts = np.where(ground.flat, np.float32(FLAT_COUNTS), np.float32(1)) * ground.seen
    said *= counts.reshape(-1, 1).astype(np.float32)
    return said.reshape(rows, columns, -1)


def _veil(ground: Ground, looks: PieceLooks) -> float:
    """The part of the paper's veil with which what stands on the board looks most like the paints learnt."""
    foreign = np.flatnonzero(ground.seen & ~ground.flat & (ground.printed < FOREIGN))
    thin = foreign[:: max(1, len(foreign) // VEIL_SPOTS)]
    if not len(thin):
        return 0.0

    def fits(share: float) -> float:
        densities = looks.densities(ground.colours(thin, share))
        return float(reduce(np.maximum, densities.T).mean()) - VEIL_COST * share

    return max(VEILS, key=fits)
