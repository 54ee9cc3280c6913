"""Whether a place shows its print, by the drawing alone: a piece of the print's own colour hides that too."""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.pieces_ground import Ground

# The part of a slot that a piece in it hides, in parts of its half width.
INNER = 0.75
# This part of it must be seen.
ENOUGH = 0.6
# How much flatter or stronger a photo may draw the print, and the noise below which a print has no drawing.
STRENGTHS, NOISE = (0.6, 1.3), 0.03


def oddness(ground: Ground, outline: Matrix, free: NDArray[np.bool_]) -> float:
    """How much of the brightness in a slot the print does not explain, in logarithms; 0 where it is not seen.

    `outline`: in pixels of the ground. The print may lie off by a pixel, and be drawn flatter or stronger.
    """
    middle, half = outline.mean(axis=0), float(np.ptp(outline, axis=0).mean()) / 2
    x, y = np.round(middle).astype(int).tolist()
    reach = max(2, int(np.ceil(INNER * half)))
    rows, columns = free.shape
    if not (reach < x < columns - reach - 1 and reach < y < rows - reach - 1):
        return 0.0
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.hypot(down, across) <= INNER * half
    seen = disc & free[y - reach : y + reach + 1, x - reach : x + reach + 1]
    if seen.sum() < ENOUGH * disc.sum():
        return 0.0
    shown = ground.shown[y - reach : y + reach + 1, x - reach : x + reach + 1][seen]
    shown = shown - shown.mean()
    least = np.inf
    for dy, dx in product((-1, 0, 1), repeat=2):
        due = ground.due[y + dy - reach : y + dy + reach + 1, x + dx - reach : x + dx + reach + 1][seen]
        due = due - due.mean()
        strength = np.clip((shown @ due) / (due @ due + NOISE**2 * len(due)), *STRENGTHS)
        least = min(least, float(np.square(shown - strength * due).mean()))
    return float(np.sqrt(least))
