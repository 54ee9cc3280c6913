"""How sure a reading of a piece is: from margins of evidence to a probability."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.confidence import DOUBTFUL
from companion.vision.model import NOTHING, Reading, Thing
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import Ground
from companion.vision.pieces_settling import (
    STANDS,
    STANDS_ANYWHERE,
    STANDS_APART,
    STANDS_OUT,
    VISIBLE,
    Guess,
    stands,
)
from companion.vision.pieces_shapes import PAD
from companion.vision.pieces_sites import Site, Sites
from companion.vision.plane import moved

# Confidence rises with the margin by which a piece stands, and with that by which its top beats another:
# 0.985 at margins of 0.2 (0.3 for a bare slot, 0.19 for a top): right readings mostly have more.
STAND_SLOPE, BARE_SLOPE, TOP_SLOPE = 21.0, 14.0, 22.0
# How the margin by which a piece stands out of its ring compares to that of its own evidence: a piece in its
# place that stands out by 0.2 more than it must is as sure, one that may stand anywhere needs 0.3.
APART_WEIGHT, ANYWHERE_WEIGHT = 1.0, 0.7
# What looks like a piece (odds, as a logarithm, above this) just around a piece, and no other piece: a larger
# thing than was read. A tenth of the ring is like that if all is right, seldom a fifth.
LOOSE, LOOSE_SHARE, LOOSE_SLOPE = 1.5, 0.3, 45.0
SURELY_BARE = 0.999
# What speaks for a piece in its place and is no piece, since it has no outline, is something unknown.
CLUTTER_SAYS, CLUTTER = -0.1, 0.6
# What stands before a slot may hide a piece: in the sets measured, 9 of 32 slots of which almost nothing was
# visible held one. In an area where a piece may stand anywhere, that is seldom where nothing is visible.
HIDDEN, HIDDEN_AREA = 0.7, 0.995


def piece_reading(
    sites: Sites,
    number: int,
    ranked: Sequence[Guess],
    looks: PieceLooks,
    ground: Ground,
    loose: NDArray[np.bool_],
) -> Reading:
    """`loose`: the padded picture in a line, where something is neither print nor a piece."""
    site = sites.all[number]
    if not ranked:
        return Reading(site.slot, site.pose.place, NOTHING, SURELY_BARE, False)
    best = ranked[0]
    there = stands(sites, number, best)
    thing = Thing(tuple(looks.names[column] for column in best.stack)) if there else NOTHING
    confidence = _confidence(site, ranked, there)
    if there:
        around = float(loose[best.base + best.shape.ring.of(best.box)].mean())
        confidence = min(confidence, _logistic(LOOSE_SLOPE * (LOOSE_SHARE - around)))
    others = [Thing(tuple(looks.names[c] for c in guess.stack)) for guess in ranked[there : 2 + there]]
    share = (1 - confidence) / (len(others) + there)
    alternatives = [(other, share) for other in others] + [(NOTHING, share)] * there
    return Reading(
        site.slot, site.pose.place, thing, confidence, confidence < DOUBTFUL, tuple(alternatives),
        _outline(best, sites, site, ground) if there or confidence < DOUBTFUL else (),
    )  # fmt: skip


def _confidence(site: Site, ranked: Sequence[Guess], there: bool) -> float:
    """Fitted over generated sets: how often readings with such margins are right."""
    best = ranked[0]
    if best.visible < VISIBLE:
        return HIDDEN if site.reach else HIDDEN_AREA
    most = max(guess.mean for guess in ranked)
    if site.reach:
        alone, apart = most - STANDS, APART_WEIGHT * (best.out - STANDS_APART)
        if not there and most > CLUTTER_SAYS:
            return CLUTTER
    else:
        alone, apart = best.mean - STANDS_ANYWHERE, ANYWHERE_WEIGHT * (best.stands_out - STANDS_OUT)
    margin = min(alone, apart)
    sure = _logistic(STAND_SLOPE * margin if there else -BARE_SLOPE * margin)
    if there:
        rivals = [guess.score for guess in ranked if guess.stack[-1] != best.stack[-1]]
        sure = min(sure, _logistic(TOP_SLOPE * (best.score - max(rivals, default=-1.0))))
    return min(sure, SURELY_BARE)


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))


def _outline(guess: Guess, sites: Sites, site: Site, ground: Ground) -> tuple[tuple[float, float], ...]:
    """The silhouette's hull in the upright photo at full size."""
    rows, columns = np.divmod(guess.hidden, sites.line)
    pixels = np.column_stack([columns, rows]) - PAD
    hull = np.array(cv2.convexHull(pixels.astype(np.int32))).reshape(-1, 2).astype(np.float64)
    to_pixels = ground.window.to_pixels() @ ground.lies[site.pose.place]
    to_sheet = np.asarray(np.linalg.inv(to_pixels), dtype=np.float64)
    seen = site.pose.camera.project(moved(to_sheet, hull))
    return tuple((float(x), float(y)) for x, y in seen)
