"""Lays a drawing over a photo: lines whose shape is known are drawn to the edges that the photo shows.

A hand that taps corners is some pixels off; hundreds of printed lines together are not. Each line looks along
its own normal for the edge that belongs to it, and all of them move the view of the drawing's plane. First
they look far and at blurred edges, then near. How broad a printed line is, or that something runs beside it,
is learnt in the photo itself: all lines of a group look alike there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.plane import NO_MAP, inverse, moved
from companion.vision.refine import USUAL_LENS, View

Floats = NDArray[np.float32]

# Reaches of the looks, one after another, in the drawing's units, and how many parts of each are told apart.
FAR = (0.07, 0.05, 0.035, 0.025, 0.016)
NEAR = (0.012, 0.01, 0.008, 0.008)
PARTS = 5
# An edge differs by up to this much (in L*a*b*); a stronger one counts no more.
STRONG = 25.0
# How finely a single line tells where it is, in the drawing's units: against how lenses usually are.
LINE_NOISE = 0.001


@dataclass(frozen=True, slots=True)
class Lines:
    """Straight lines of a drawing, each seen at the same number of points."""

    points: Matrix
    """n x k x 2"""
    normals: Matrix
    """n x 2, of length 1."""
    groups: NDArray[np.intp]
    """Lines of one group look alike and may all lie a little farther along their normals than drawn."""

    @classmethod
    def joined(cls, several: Sequence[Lines]) -> Lines:
        """Each one's groups come after those before; all are seen at the same number of points."""
        firsts = np.cumsum([0, *(int(lines.groups.max()) + 1 for lines in several[:-1])])
        groups = [lines.groups + first for lines, first in zip(several, firsts, strict=True)]
        return cls(
            np.concatenate([lines.points for lines in several]),
            np.concatenate([lines.normals for lines in several]),
            np.concatenate(groups),
        )

    def shifted(self, shifts: Matrix) -> Lines:
        """Each group moved along its normals."""
        return replace(self, points=self.points + (shifts[self.groups, None] * self.normals)[:, None])


@dataclass(frozen=True, slots=True)
class Laid:
    view: View
    shifts: Matrix
    """How far each group lies farther out than it was drawn."""
    miss: Matrix
    """Of each line, in the drawing's units."""
    strength: Matrix
    """Of each line's edge, 0 to `STRONG`."""


def laid_over(lab: Floats, view: View, lines: Lines, reaches: Sequence[float]) -> Laid:
    """`lab` is the photo in L*a*b*; `view` shows roughly where the drawing lies."""
    shifts = np.zeros(int(lines.groups.max()) + 1)
    laid = Laid(view, shifts, np.zeros(0), np.zeros(0))
    for reach in reaches:
        laid = _look(lab, laid.view, lines.shifted(shifts), reach)
        shifts = shifts + laid.shifts
    return replace(laid, shifts=shifts)


def strengths(lab: Floats, view: View, lines: Lines, offsets: Matrix, beside: int) -> Floats:
    """How strong an edge runs along each line at each offset (n x offsets), compared over `beside` offsets
    to either side, by which fewer come back at both ends; 0 outside of the photo."""
    points = lines.points[:, :, None] + offsets[:, None] * lines.normals[:, None, None]
    pixels = view.project(points.reshape(-1, 2)).astype(np.float32)
    count, stops, steps = points.shape[:3]
    at = pixels.reshape(count * stops, steps, 2)
    strip = cv2.remap(lab, at, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    # the mean along a line keeps what runs along it and drowns the rest of the print
    along = np.asarray(strip, np.float32).reshape(count, stops, steps, 3).mean(axis=1)
    height, width = lab.shape[:2]
    inside = np.all((pixels >= 0) & (pixels < (width, height)), axis=1)
    inside = np.all(inside.reshape(count, stops, steps), axis=1)
    step = np.linalg.norm(along[:, 2 * beside :] - along[:, : -2 * beside], axis=2)
    there = inside[:, 2 * beside :] & inside[:, : -2 * beside]
    return np.where(there, np.minimum(step, STRONG), 0).astype(np.float32)


def _look(lab: Floats, view: View, lines: Lines, reach: float) -> Laid:
    fine = reach / PARTS
    # as far as lines look, and as far again, where their neighbourhood is compared
    far = round(2.5 * reach / fine)
    span, beside = 2 * far, max(1, PARTS // 3)
    offsets = np.arange(-span - beside, span + beside + 1, dtype=np.float64) * fine
    seen = strengths(lab, view, lines, offsets, beside)
    seen -= np.median(seen, axis=1, keepdims=True)
    agree = _agreement(seen, lines.groups, far, reach / fine, learnt=reach < FAR[-1])
    steps = np.arange(-far, far + 1) * fine
    believed = agree * np.exp(-0.5 * (steps / reach) ** 2)
    best = np.clip(believed.argmax(axis=1), 1, len(steps) - 2)
    each = np.arange(len(best))
    before, top, after = (believed[each, best + off] for off in (-1, 0, 1))
    bow = np.minimum(before - 2 * top + after, -1e-6)
    found = steps[best] + np.clip(0.5 * (before - after) / bow, -0.5, 0.5) * fine
    return _moved(view, lines, found, np.maximum(top, 0.0))


def _agreement(seen: Floats, groups: NDArray[np.intp], far: int, reach: float, learnt: bool) -> Matrix:
    """How well each line's neighbourhood, shifted by up to `far`, agrees with what lines look like."""
    span = seen.shape[1] // 2
    middle = np.exp(-0.5 * (np.arange(-far, far + 1) / (0.4 * reach)) ** 2)
    agree = np.empty((len(seen), 2 * far + 1))
    for group in np.unique(groups):
        chosen = groups == group
        like = middle
        if learnt:
            like = seen[chosen].mean(axis=0)[span - far : span + far + 1] * np.exp(
                -0.5 * (np.arange(-far, far + 1) / (1.6 * reach)) ** 2
            )
            like = np.maximum(like, 0)
        windows = np.lib.stride_tricks.sliding_window_view(seen[chosen], 2 * far + 1, axis=1)
        agree[chosen] = windows @ (like / max(float(like.sum()), 1e-6))
    return agree


def _moved(view: View, lines: Lines, found: Matrix, weights: Matrix) -> Laid:
    """The view under which lines lie where they were found; robust, and all groups may shift."""
    middles = lines.points.mean(axis=1)
    centre = (middles.min(axis=0) + middles.max(axis=0)) / 2
    size = float(np.abs(middles - centre).max())
    x, y = ((middles - centre) / size).T
    across, down = lines.normals.T
    bent = _bent(view, middles) / size
    member = lines.groups[:, None] == np.arange(int(lines.groups.max()) + 1)
    turns = (across, across * x, across * y, down, down * x, down * y)
    tilts = (x * (across * x + down * y), y * (across * x + down * y))
    slopes = np.column_stack([*turns, *tilts, (bent * lines.normals).sum(axis=1), member])
    prior = np.full(slopes.shape[1], 1e-12)
    usual = float(np.median(weights)) + 1e-6
    prior[8] = usual * (LINE_NOISE / size / USUAL_LENS) ** 2
    prior[9:] = usual * 1e-3
    goal = found / size
    unknown = np.zeros(slopes.shape[1])
    for _ in range(8):
        miss = np.abs(goal - slopes @ unknown)
        trust = weights / (1 + (miss / max(2 * float(np.median(miss)), 1e-4)) ** 2) ** 2
        wanted = (slopes * trust[:, None]).T @ goal
        wanted[8] -= prior[8] * view.bend
        unknown = np.linalg.solve((slopes * trust[:, None]).T @ slopes + np.diag(prior), wanted)
    a, b, c, d, e, f, g, h, bend = unknown[:9]
    change = np.array([[1 + b, c, a], [e, 1 + f, d], [-g, -h, 1.0]])
    to_plane = np.array([[size, 0, centre[0]], [0, size, centre[1]], [0, 0, 1.0]])
    homography = view.homography @ to_plane @ change @ inverse(to_plane)
    fresh = replace(view, homography=homography / homography[2, 2], bend=view.bend + float(bend))
    return Laid(fresh, unknown[9:] * size, np.abs(goal - slopes @ unknown) * size, weights)


def _bent(view: View, points: Matrix) -> Matrix:
    """How points of the plane seem to move for each unit that the lens bends more."""
    little = 1e-4
    pixels = view.project(points)
    away = pixels - view.middle
    pushed = pixels + away * (little / view.unit**2 * np.einsum("ij,ij->i", away, away))[:, None]
    return np.asarray((moved(inverse(view.homography), view.ideal(pushed)) - points) / little)
