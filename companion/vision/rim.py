"""Where a board ends: its edge against the table, found around a rectangle that is roughly known.

Often a line is printed close to the edge, a shadow falls beside it, and the board's own side is seen below.
The edge is where all sides that are equally wide have one, as far out as they do.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.camera import Matrix
from companion.vision.drawn import Floats, Lines, strengths
from companion.vision.refine import View

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

TOP, RIGHT, BOTTOM, LEFT = range(4)
STRETCHES, STOPS = 16, 9
"""Each side is looked at in so many stretches, so that what lies on one of them does no harm."""
# An edge that is stronger than this is an edge; more makes it no surer.
CLEAR = 12.0
# What is seen where no edge is.
NOISE = 3.0
# The part of the stretches of a side that may show no edge.
HIDDEN = 35
# Each side may lie off by this part of the reach from where all of them agree.
OWN, AGREE = 0.12, 0.04
# An edge with another one this far (in parts of the reach) outside of it on all sides is a printed line; and
# how much that counts.
PRINTED = (0.12, 0.9)
OUTERMOST = 0.9
# Of two edges close to each other the outer one is where the board's own side ends, if both are this clear.
AS_CLEAR = 0.5
STEPS, BESIDE = 60, 2
"""In a reach; and over how many of them colours are compared."""
# How much it counts that a side looks like the others there.
ALIKE = 6.0


def rim_lines(box: Box, groups: Sequence[int] = range(4)) -> Lines:
    """The four sides from the top clockwise, a group each where nothing else is said."""
    left, top, right, bottom = box
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    points, normals = [], []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (end - start) / np.hypot(*(end - start))
        stops = np.linspace(0.03, 0.97, STRETCHES * STOPS + 1)[:-1].reshape(STRETCHES, STOPS)
        points.append(start + stops[..., None] * (end - start))
        normals.append(np.repeat([[along[1], -along[0]]], STRETCHES, axis=0))
    return Lines(np.concatenate(points), np.concatenate(normals), np.repeat(np.array(groups), STRETCHES))


def moved_out(box: Box, shifts: Matrix) -> Box:
    left, top, right, bottom = box
    return (
        left - float(shifts[LEFT]),
        top - float(shifts[TOP]),
        right + float(shifts[RIGHT]),
        bottom + float(shifts[BOTTOM]),
    )


def found_rim(lab: Floats, view: View, box: Box, reach: float, usual: float, alone: int = RIGHT) -> Box:
    """The rectangle of the edge. `box` may be off by `reach` at most and by `usual` usually, in the plane's
    units; the side `alone` may be off by itself, the others are so together."""
    offsets = np.arange(-STEPS - BESIDE, STEPS + BESIDE + 1) * reach / STEPS
    lines = rim_lines(box)
    seen = strengths(lab, view, lines, offsets, BESIDE)
    offsets = offsets[BESIDE:-BESIDE]
    sides = [_profile(seen[lines.groups == side]) for side in range(4)]
    clear = [np.log(np.minimum(side, CLEAR) / NOISE + 1) for side in sides]
    together = [side for side in range(4) if side != alone]
    score = np.sum([clear[side] for side in together], axis=0)
    best = int(np.argmax(_outermost(score, OUTERMOST) - 0.5 * (offsets / usual) ** 2))
    ats = {side: _innermost(sides[side], best, OWN) for side in together}
    # below the edge of the print the board's own side may be seen, and be taken for it on one or two sides
    usually = sorted(ats.values())[(len(ats) - 1) // 2]
    ats = {side: _innermost(sides[side], usually, AGREE) for side in together}
    like = np.mean([_around(sides[side], at) for side, at in ats.items()], axis=0)
    alike = np.array([_alike(_around(sides[alone], at), like) for at in range(len(offsets))])
    at = int(np.argmax(ALIKE * alike + _outermost(clear[alone], 1.0) - 0.5 * (offsets / (1.5 * usual)) ** 2))
    ats[alone] = _innermost(sides[alone], at, AGREE)
    return moved_out(box, np.array([offsets[ats[side]] for side in range(4)]))


def _profile(seen: Floats) -> Floats:
    side = np.percentile(seen, HIDDEN, axis=0).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(side.reshape(1, -1), (0, 0), 1.5).ravel(), np.float32)


def _outermost(score: Matrix, much: float) -> Matrix:
    """Less where another edge lies outside."""
    near, far = (round(part * STEPS) for part in PRINTED)
    padded = np.pad(score, (0, far))
    beyond = np.lib.stride_tricks.sliding_window_view(padded, far - near + 1)[near:][: len(score)]
    return np.asarray(score - much * beyond.max(axis=1))


def _innermost(side: Floats, at: int, part: float) -> int:
    """The first clear edge around a place, from the inside."""
    reach = round(part * STEPS)
    low, high = max(1, at - reach), min(len(side) - 1, at + reach + 1)
    peaks = [k for k in range(low, high) if side[k - 1] < side[k] >= side[k + 1 if k + 1 < len(side) else k]]
    least = AS_CLEAR * max((side[k] for k in peaks), default=0.0)
    return next((k for k in peaks if side[k] >= least), at)


def _around(side: Floats, at: int) -> Floats:
    """Mostly what lies inside of it: the table may look different on each side."""
    return np.asarray(np.pad(side, STEPS)[at : at + STEPS + STEPS // 4])


def _alike(one: Floats, other: Floats) -> float:
    a, b = one - one.mean(), other - other.mean()
    return float((a * b).sum() / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-6))
