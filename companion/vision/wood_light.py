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
from companion.vision.products import product

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
        strength = np.array([1, self.strength, self.strength], dtype=np.float32)
        return np.asarray(
            ground.colours(where, self.veil) * strength + np.array(self.shift, dtype=np.float32)
        )


def wood_light(ground: Ground, looks: PieceLooks) -> WoodLight:
    """The light in which what stands on the board looks most like the paints that were learnt."""
    foreign = np.flatnonzero(ground.seen & ~ground.flat & (ground.piece > FOREIGN))
    thin = foreign[:: max(1, len(foreign) // SPOTS)]
    if len(thin) < FEWEST:
        return WoodLight()
    seen = {veil: ground.colours(thin, veil) for veil in VEILS if _darker(ground, thin, veil) <= DARKER}
    veil = max(seen, key=lambda veil: float(_fits(seen[veil], looks)) - VEIL_COST * veil)
    strength, shift = _strength_and_shift(veil, seen[veil], looks)
    return WoodLight(veil, strength, shift)


def _darker(ground: Ground, spots: NDArray[np.int64], veil: float) -> float:
    """The part of these spots that are darker than this part of the veil alone would be."""
    light, over = (part.reshape(-1, 3).take(spots, axis=0) for part in (ground.light, ground.veil))
    return float((light < np.float32(veil) * over).any(axis=1).mean())


def _fits(colours: Floats, looks: PieceLooks) -> Floats:
    """How much spots (... x n x 3) look like any of the paints, in the mean of each n."""
    by_paint = np.ascontiguousarray(looks.densities(colours.reshape(-1, 3)).T)
    return np.asarray(by_paint.max(axis=0).reshape(colours.shape[:-1]).mean(axis=-1))


def _strength_and_shift(
    veil: float, seen: Floats, looks: PieceLooks
) -> tuple[float, tuple[float, float, float]]:
    """Paints of each strength are moved to where they fit best; the likeliest of these."""
    strengths = np.array(STRENGTHS, np.float32)
    stronger = np.stack([np.ones_like(strengths), strengths, strengths], axis=1)[:, None]
    paled = seen[::SHIFT_EVERY] * stronger
    shift = np.zeros((len(strengths), 3), np.float32)
    for _ in range(ROUNDS):
        towards, trust = _pull(paled + shift[:, None], looks)
        shift += (SAY * towards - shift / USUAL_SHIFT**2) / (SAY * trust + 1 / USUAL_SHIFT**2)
    # colours that are drawn apart lie less densely
    fits = _fits(seen * stronger + shift[:, None], looks) + APART * np.log(strengths)
    unusual = np.square(np.log(strengths) / USUAL_STRENGTH) + np.square(shift / USUAL_SHIFT).sum(axis=1)
    best = int((SAY * fits - unusual / 2).argmax())
    luminance, red_green, yellow_blue = shift[best].tolist()
    return STRENGTHS[best], (luminance, red_green, yellow_blue)


def _pull(colours: Floats, looks: PieceLooks) -> tuple[Floats, Floats]:
    """How much the paints that spots (k x n x 3) look like pull them, and how sure that is, in the mean of
    each n: k x 3."""
    paints = _all_paints(looks)
    flat = colours.reshape(-1, 3)
    # all squares of (colour - middle) / spread in one product: far quicker than one by one
    powers = np.column_stack([np.square(flat), flat, np.ones(len(flat))])
    likely = np.exp(product(powers, paints.exponents).astype(np.float32))
    likely /= likely.sum(axis=1, keepdims=True) + np.float32(UNLIKE_ITSELF * ANYTHING)
    trust = product(likely, paints.trust).reshape(colours.shape)
    towards = product(likely, paints.goals).reshape(colours.shape) - trust * colours
    return towards.mean(axis=1), trust.mean(axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class _AllPaints:
    """The colours of all paints, n in all, prepared for `_pull`."""

    exponents: NDArray[np.float64]
    """7 x n, over the squares of a colour, the colour and 1: the logarithm of its density."""
    trust: Floats
    """n x 3: one over the square of the spread."""
    goals: Floats
    """n x 3: the middle by its trust."""


@lru_cache(maxsize=8)
def _all_paints(looks: PieceLooks) -> _AllPaints:
    paints = [looks.paints[name] for name in looks.names]
    middles, spreads = (
        np.concatenate([getattr(p, part) for p in paints]).astype(np.float64)
        for part in ("middles", "spreads")
    )
    shares = np.concatenate([paint.shares for paint in paints]) / len(paints)
    peaks = (1 - UNLIKE_ITSELF) * shares / (np.prod(spreads, axis=1) * (2 * np.pi) ** 1.5)
    trust = 1 / np.square(spreads)
    whole = np.log(np.maximum(peaks, 1e-30)) - np.square(middles / spreads).sum(axis=1) / 2
    exponents = np.vstack([-trust.T / 2, (trust * middles).T, whole])
    return _AllPaints(exponents, trust.astype(np.float32), (trust * middles).astype(np.float32))
