"""Pieces of one paint look alike in one photo, more than they look like what was learnt of their paint.

The light of a room, a phone's taste and the seat change all pieces of a paint by much the same. So they are
compared with each other: each paint is moved to where the pieces that have it are, and what is dark beside
its likes is told from what has a dark side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.pieces import Paint, PieceLooks
from companion.vision.pieces_print import Floats
from companion.vision.pieces_settling import Guess
from companion.vision.pieces_sites import Sites

Mask = NDArray[np.bool_]

# How far tops of one paint are off each other in one photo (luminance, red - green, yellow - blue), and all
# of them off what was learnt. Measured on eleven sets: 0.09, 0.04 and 0.05; 0.16, 0.06 and 0.07.
OFF_EACH_OTHER = np.array([0.11, 0.045, 0.055], dtype=np.float32)
OFF_LEARNT = np.array([0.2, 0.07, 0.09], dtype=np.float32)
# Below this log-density a top shows something else, such as gloss: how far it is off then says less.
ODD, ODD_COUNTS = np.float32(-5.0), np.float32(0.05)
# No paint that may stand there.
NEVER = np.float32(-1e3)
# Paints are looked for at once brighter or darker than they were learnt by this; then drawn to their pieces.
STARTS, ROUNDS = (-0.3, 0.0, 0.3), 4
# How much a paint that is less likely (logarithm) counts in the score of a guess, and at most.
COUNTS, MOST = 0.11, np.float32(6.0)


@dataclass(frozen=True, eq=False)
class PaintsHere:
    """How each paint looks in one photo."""

    middles: Floats
    """Paints x 3."""
    unsure: Floats
    """The same: the square of how far off that may be."""

    def likely(self, tops: Floats, may: Mask) -> Floats:
        """Pieces x paints: the log-density of each top, were it of a paint that it `may` be."""
        wide = OFF_EACH_OTHER**2 + self.unsure
        off = np.square(tops[:, None] - self.middles) / wide + np.log(wide / OFF_EACH_OTHER**2)
        dense = -0.5 * off.sum(axis=2)
        return np.where(may, np.maximum(dense, ODD + dense * ODD_COUNTS), NEVER)

    def off(self, guess: Guess) -> float:
        """How far the top of a guess is off its paint, as the square of what is usual."""
        paint = guess.stack[-1]
        wide = OFF_EACH_OTHER**2 + self.unsure[paint]
        return float((np.square(guess.top - self.middles[paint]) / wide).sum())


def told_together(settled: Sequence[list[Guess]], sites: Sites, looks: PieceLooks) -> list[list[Guess]]:
    """The guesses of each site, ranked anew by the paints of all pieces that stand in the photo."""
    found = list(settled)
    standing = [(i, ranked[0].top) for i, ranked in enumerate(settled) if ranked]
    shown = [(i, top) for i, top in standing if top is not None]
    if not shown:
        return found
    may = {holds: np.array([name in holds.names for name in looks.names]) for holds in sites.shapes}
    middles = np.stack([_middle(looks.paints[name]) for name in looks.names])
    here = paints_here(
        np.stack([top for _, top in shown]), np.stack([may[sites.all[i].holds] for i, _ in shown]), middles
    )
    for i, _ in shown:
        found[i] = _ranked(settled[i], may[sites.all[i].holds], here)
    return found


def paints_here(tops: Floats, may: Mask, middles: Floats) -> PaintsHere:
    """The paints of one photo, by the tops of its pieces; `middles`: as the paints were learnt."""
    tried = (_drawn_from(np.float32(start), tops, may, middles) for start in STARTS)
    return max(tried, key=lambda told: told[1])[0]


def _drawn_from(start: np.float32, tops: Floats, may: Mask, middles: Floats) -> tuple[PaintsHere, float]:
    """Paints drawn to the pieces that look like them, from a start, and how likely that is (logarithm)."""
    near, far = OFF_EACH_OTHER**2, OFF_LEARNT**2
    here = PaintsHere(middles + np.array([start, 0, 0], np.float32), np.tile(far, (len(middles), 1)))
    off = tops[:, None] - middles
    for _ in range(ROUNDS):
        likely = here.likely(tops, may)
        share = np.exp(likely - likely.max(axis=1, keepdims=True)) * (likely > ODD)
        share /= share.sum(axis=1, keepdims=True) + np.float32(1e-9)
        unsure = 1 / (share.sum(axis=0)[:, None] / near + 1 / far)
        here = PaintsHere(middles + (share[..., None] * off).sum(axis=0) / near * unsure, unsure)
    moved = np.square((here.middles - middles) / OFF_LEARNT).sum() / 2
    return here, float(np.log(np.exp(here.likely(tops, may)).sum(axis=1)).sum() - moved)


def _middle(paint: Paint) -> Floats:
    return np.asarray(paint.shares @ paint.middles / paint.shares.sum())


def _ranked(ranked: list[Guess], may: Mask, here: PaintsHere) -> list[Guess]:
    # stacks of one number of pieces have their tops in one place
    less = {len(guess.stack): _less_likely(guess.top, may, here) for guess in ranked if guess.top is not None}
    anew = [
        guess.scored(guess.score + COUNTS * float(less[len(guess.stack)][guess.stack[-1]]))
        if len(guess.stack) in less
        else guess
        for guess in ranked
    ]
    anew.sort(key=lambda guess: -guess.score)
    # another name for the thing that stands out there
    first = replace(anew[0], out=ranked[0].out, top=ranked[0].top, taken=True)
    return [replace(first, strange=here.off(first)), *anew[1:]]


def _less_likely(top: Floats, may: Mask, here: PaintsHere) -> Floats:
    """By how much each paint is less likely than the likeliest, as a logarithm."""
    likely = here.likely(top[None], may[None])[0]
    return np.asarray(np.maximum(likely - likely.max(), -MOST))
