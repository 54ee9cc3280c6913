"""How sure a reading of a piece is: from margins of evidence to a probability."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.confidence import DOUBTFUL
from companion.vision.model import NOTHING, Reading, Thing
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import Floats, Ground
from companion.vision.pieces_settling import (
    STANDS,
    STANDS_ANYWHERE,
    STANDS_APART,
    STANDS_OUT,
    VISIBLE,
    Guess,
    Site,
    stands,
)
from companion.vision.pieces_shapes import sums
from companion.vision.plane import moved

# Confidence rises with the margin by which a piece stands, and with that by which its top beats another:
# 0.985 at margins of 0.2 (0.3 for a bare slot) and 0.12, which one right reading in 200 has not.
STAND_SLOPE, BARE_SLOPE, TOP_SLOPE = 21.0, 14.0, 35.0
# How the margin by which a piece stands out of its ring compares to that of its own evidence: a piece in its
# place that stands out by 0.2 more than it must is as sure, one that may stand anywhere needs 0.3.
APART_WEIGHT, ANYWHERE_WEIGHT = 1.0, 0.7
# What is unlike the print (log-density below this) just around a piece, and no other piece: a larger thing
# than was read, its deep shadow, or a hand. A tenth of the ring is like that if all is right, seldom a fifth.
LOOSE, LOOSE_SHARE, LOOSE_SLOPE = -3.8, 0.3, 45.0
SURELY_BARE = 0.999
# What speaks for a piece in its place and is no piece, since it has no outline, is something unknown.
CLUTTER_SAYS, CLUTTER = -0.1, 0.6
# What stands before a slot may hide a piece: in the sets measured, 9 of 32 slots of which almost nothing was
# visible held one. In an area where a piece may stand anywhere, that is seldom where nothing is visible.
HIDDEN, HIDDEN_AREA = 0.7, 0.995


def piece_reading(
    site: Site, ranked: Sequence[Guess], looks: PieceLooks, ground: Ground, loose: Floats
) -> Reading:
    if not ranked:
        return Reading(site.slot, site.pose.place, NOTHING, SURELY_BARE, False)
    best = ranked[0]
    there = stands(site, best)
    thing = Thing(tuple(looks.names[column] for column in best.stack)) if there else NOTHING
    confidence = _confidence(site, ranked, there)
    if there:
        around = float(sums(loose, np.array([best.at]), best.shape.ring)[0, 0]) / max(len(best.shape.ring), 1)
        confidence = min(confidence, _logistic(LOOSE_SLOPE * (LOOSE_SHARE - around)))
    others = [Thing(tuple(looks.names[c] for c in guess.stack)) for guess in ranked[there : 2 + there]]
    share = (1 - confidence) / (len(others) + there)
    alternatives = [(other, share) for other in others] + [(NOTHING, share)] * there
    return Reading(
        site.slot, site.pose.place, thing, confidence, confidence < DOUBTFUL, tuple(alternatives),
        _outline(best, site, ground) if there or confidence < DOUBTFUL else (),
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


def _outline(guess: Guess, site: Site, ground: Ground) -> tuple[tuple[float, float], ...]:
    """The silhouette's hull in the upright photo at full size."""
    pixels = (np.concatenate(guess.shape.parts) + np.array(guess.at))[:, ::-1]
    hull = np.array(cv2.convexHull(pixels.astype(np.int32))).reshape(-1, 2).astype(np.float64)
    to_pixels = ground.window.to_pixels() @ ground.lies[site.pose.place]
    to_sheet = np.asarray(np.linalg.inv(to_pixels), dtype=np.float64)
    seen = site.pose.camera.project(moved(to_sheet, hull))
    return tuple((float(x), float(y)) for x, y in seen)
