"""How painted wood looks in one photo, against the photos that it was learnt from.

Paper tells how bright a lamp is and of what hue, but wood is no paper: it mirrors less of the window, another
lamp makes its paints paler or stronger, and brighter or darker against the print. All that stands on a board
shares this, so that it shows in all pieces together: reds that turned pale are told from orange by the
oranges that turned pale with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.pieces import UNLIKE_ITSELF, PieceLooks
from companion.vision.pieces_ground import Ground
from companion.vision.pieces_print import ANYTHING, Floats

# Spots with more than these odds (logarithm) show a piece, whose colours tell about the light.
FOREIGN = 1.7
# So many of them are looked at, and a fraction of those again for the shift.
SPOTS, FEWEST, SHIFT_EVERY = 1000, 50, 3
# How much of the veil that lies over the paper may lie over wood, and what it costs to think so.
VEILS, VEIL_COST = (0.0, 0.25, 0.5, 0.75, 1.0), 0.1
# What is darker than a veil shows that it does not lie there; of this part of the spots, that may be noise.
# Taken off all the same, it leaves every dark paint black.
DARKER = 0.02
# How much stronger or paler all paints may be, and how far from 1 is usual (logarithm).
STRENGTHS, USUAL_STRENGTH = (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4), 0.25
# How far all paints usually are off in luminance, red - green and yellow - blue (logarithms).
USUAL_SHIFT = np.array([0.15, 0.05, 0.05], dtype=np.float32)
# Spots of one piece say much the same: all of them say as much as so many that know nothing of each other.
SAY, ROUNDS = 60, 4
# By how much less, for each factor e: two for both hues, were paints known as narrowly as they are.
APART = 1.5


@dataclass(frozen=True)
class WoodLight:
    veil: float = 0.0
    """The part of the paper's veil that lies over wood."""
    strength: float = 1.0
    """By how much colours have to be strengthened to be those that were learnt."""
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """And moved."""

    def colours(self, ground: Ground, where: NDArray[np.bool_] | NDArray[np.int64]) -> Floats:
        """As `Ground` has them, as they would have been in the photos that were learnt from."""
        return self._taken_back(ground.colours(where, self.veil))

    def _taken_back(self, colours: Floats) -> Floats:
        strength = np.array([1, self.strength, self.strength], dtype=np.float32)
        return np.asarray(colours * strength + np.array(self.shift, dtype=np.float32))


def wood_light(ground: Ground, looks: PieceLooks) -> WoodLight:
    """The light in which what stands on the board looks most like the paints that were learnt."""
    foreign = np.flatnonzero(ground.seen & ~ground.flat & (ground.piece > FOREIGN))
    thin = foreign[:: max(1, len(foreign) // SPOTS)]
    if len(thin) < FEWEST:
        return WoodLight()
    seen = {veil: ground.colours(thin, veil) for veil in VEILS if _darker(ground, thin, veil) <= DARKER}
    veil = max(seen, key=lambda veil: _fits(seen[veil], looks) - VEIL_COST * veil)
    tried = (_with_shift(veil, strength, seen[veil], looks) for strength in STRENGTHS)
    return max(tried, key=lambda told: told[1])[0]


def _darker(ground: Ground, spots: NDArray[np.int64], veil: float) -> float:
    """The part of these spots that are darker than this part of the veil alone would be."""
    light, over = (part.reshape(-1, 3).take(spots, axis=0) for part in (ground.light, ground.veil))
    return float((light < np.float32(veil) * over).any(axis=1).mean())


def _fits(colours: Floats, looks: PieceLooks) -> float:
    """How much spots look like any of the paints, in the mean."""
    return float(np.ascontiguousarray(looks.densities(colours).T).max(axis=0).mean())


def _with_shift(veil: float, strength: float, seen: Floats, looks: PieceLooks) -> tuple[WoodLight, float]:
    """Paints this much stronger, moved to where they fit best, and how likely that is (logarithm)."""
    paled = WoodLight(veil, strength)._taken_back(seen[::SHIFT_EVERY])
    shift = np.zeros(3, np.float32)
    for _ in range(ROUNDS):
        towards, trust = _pull(paled + shift, looks)
        shift += (SAY * towards - shift / USUAL_SHIFT**2) / (SAY * trust + 1 / USUAL_SHIFT**2)
    light = WoodLight(veil, strength, (float(shift[0]), float(shift[1]), float(shift[2])))
    # colours that are drawn apart lie less densely
    fits = _fits(light._taken_back(seen), looks) + APART * np.log(strength)
    unusual = (np.log(strength) / USUAL_STRENGTH) ** 2 + float(np.square(shift / USUAL_SHIFT).sum())
    return light, SAY * float(fits) - unusual / 2


def _pull(colours: Floats, looks: PieceLooks) -> tuple[Floats, Floats]:
    """How much the paints that spots look like pull them, and how sure that is, in the mean of all spots."""
    middles, narrow, peaks = _all_paints(looks)
    off = middles - colours[:, None]
    likely = peaks * np.exp(-0.5 * np.square(off * narrow).sum(axis=2))
    likely /= likely.sum(axis=1, keepdims=True) + np.float32(UNLIKE_ITSELF * ANYTHING)
    trust = likely[..., None] * np.square(narrow)
    both = (trust * off).sum(axis=(0, 1)), trust.sum(axis=(0, 1))
    return np.asarray(both[0] / len(colours)), np.asarray(both[1] / len(colours))


@lru_cache(maxsize=8)
def _all_paints(looks: PieceLooks) -> tuple[Floats, Floats, Floats]:
    """The colours of all paints: middles, one over their spreads, and how likely each is at its middle."""
    paints = [looks.paints[name] for name in looks.names]
    middles, spreads = (np.concatenate([getattr(p, part) for p in paints]) for part in ("middles", "spreads"))
    shares = np.concatenate([paint.shares for paint in paints]) / len(paints)
    peaks = (1 - UNLIKE_ITSELF) * shares / (np.prod(spreads, axis=1) * (2 * np.pi) ** 1.5)
    return middles, np.asarray(1 / spreads), peaks.astype(np.float32)
