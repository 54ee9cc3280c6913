"""What happens to lie on the table beside the game, and the hand that reaches over it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker.paint import Colour
from tools.kitmaker.solids import Part, Points, Solid, prism, round_outline, square, turned


def thing(rng: Generator, colour: Colour) -> Solid:
    """Something that happens to lie beside the board."""
    what = int(rng.integers(5))
    size = rng.uniform(30, 90, 2)
    if what == 0:
        parts: tuple[Part, ...] = (prism(square(*size), 0, float(rng.uniform(15, 60))),)
    elif what == 1:
        parts = (prism(round_outline(float(size[0]) * 0.5, 28), 0, float(rng.uniform(40, 110))),)
    elif what == 2:
        parts = (prism(square(56, 87), 0, 0.5),)
    elif what == 3:
        parts = (prism(square(56, 87), 0, float(rng.uniform(5, 15))),)
    else:
        parts = turned([(30, 0), (38, 60), (36, 85)])
    return Solid(parts, colour, float(rng.uniform(0.05, 0.4)))


def hand(rng: Generator, board: tuple[float, float], eye: Points) -> Solid:
    """A hand with its forearm that reaches over the board's rim, mostly from the photographer's side."""
    middle = np.array(board) / 2
    out = eye[:2] - middle + rng.normal(0, 250, 2)
    out /= np.abs(out).max()
    rim = middle + out * middle
    out /= np.hypot(*out)
    across = np.array([-out[1], out[0]])
    tips = rim - out * float(rng.uniform(40, 150)) + across * float(rng.uniform(-80, 80))
    wrist = tips + out * 175
    low = float(rng.uniform(4, 20))
    skin = SKIN[int(rng.integers(len(SKIN)))]
    parts = [_limb(wrist, wrist + out * 260 + across * float(rng.uniform(-60, 60)), 30, 36, low, low + 50)]
    palm = tips + out * 85
    parts.append(_limb(palm, wrist, 40, 30, low, low + 28))
    for k, length in enumerate((0.0, -12.0, -5.0, 15.0)):
        side = (k - 1.5) * 20
        parts.append(
            _limb(tips + across * side * 1.25 + out * length, palm + across * side, 8, 10, low, low + 17)
        )
    parts.append(_limb(palm - across * 70 - out * 12, palm + out * 35 - across * 20, 9, 14, low, low + 20))
    return Solid(tuple(parts), skin, 0.05)


# BGR, from pale to dark
SKIN: tuple[Colour, ...] = (
    (150.0, 175.0, 225.0),
    (120.0, 150.0, 205.0),
    (85.0, 120.0, 175.0),
    (50.0, 70.0, 110.0),
)


def _limb(a: Points, b: Points, r_a: float, r_b: float, low: float, high: float) -> Part:
    """A rounded bar from `a` to `b`."""
    ring = np.array(round_outline(1.0, 16))
    hull = cv2.convexHull(np.vstack([a + r_a * ring, b + r_b * ring]).astype(np.float32))[:, 0]
    middle = hull.mean(0)
    return prism(hull.astype(np.float64), low, high, 0.8, (float(middle[0]), float(middle[1])))
