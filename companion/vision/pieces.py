"""Things with height as they were learnt: the form of their silhouette and the colours of their paint.

A form is a body of revolution, which it need not be in truth: pieces are put down turned any way, and what
counts is where paint can be expected and where not. Paint is a few colours with their spread (top, bright
and dark side), compared under the light of the print.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from companion.vision.camera import Matrix
from companion.vision.pieces_print import ANYTHING, Floats

# Colours are looked up in a table of this many steps a logarithm, over the range that wood can have.
LOOKUP_STEPS = np.array([12.0, 20.0, 20.0], dtype=np.float32)
LOOKUP_LOW = np.array([-2.0, -1.3, -1.6], dtype=np.float32)
LOOKUP_SIZE = (32, 60, 68)
# Of a piece's pixels this part is something else: cracks, gloss, a neighbour's shadow.
UNLIKE_ITSELF = 0.1
# A form is seen as so many discs: a piece leans by about its own radius, so that these leave no gap.
LEVELS = 5


@dataclass(frozen=True)
class Form:
    """A body of revolution, in millimetres."""

    heights: Matrix
    """From 0 to its top."""
    radii: Matrix
    """At these heights."""
    rise: float
    """How much higher the next piece stands on it: less than its height where pieces nest."""

    @property
    def key(self) -> tuple[bytes, bytes, float]:
        """The same for pieces of the same form."""
        return self.heights.tobytes(), self.radii.tobytes(), self.rise

    @property
    def height(self) -> float:
        return float(self.heights[-1])

    @property
    def radius(self) -> float:
        return float(self.radii.max())


@dataclass(frozen=True)
class Paint:
    """Colours as `Ground` has them, each with its spread and its share."""

    middles: Floats
    """n x 3."""
    spreads: Floats
    shares: Floats


@dataclass(frozen=True, eq=False)
class PieceLooks:
    forms: Mapping[str, Form]
    """By piece."""
    paints: Mapping[str, Paint]
    """By piece."""
    weak: tuple[str, ...] = ()
    """What the owner should know of it, a sentence each."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.forms))

    @cached_property
    def lookup(self) -> Floats:
        """(All colours) x pieces: log-density of each piece's paint."""
        return np.stack([_densities(self.paints[name]) for name in self.names], axis=1)

    def densities(self, colours: Floats) -> Floats:
        """n x 3 -> n x pieces, in the order of `names`."""
        number = np.zeros(len(colours), dtype=np.int32)
        for channel, size in enumerate(LOOKUP_SIZE):
            step = (colours[:, channel] - LOOKUP_LOW[channel]) * LOOKUP_STEPS[channel] + np.float32(0.5)
            number = number * size + np.clip(step, 0, size - 1).astype(np.int32)
        return np.asarray(self.lookup.take(number, axis=0))

    def to_store(self) -> tuple[dict[str, Floats], dict[str, Any]]:
        """Arrays by name, and a part that fits into JSON."""
        arrays = {}
        for name in self.names:
            form, paint = self.forms[name], self.paints[name]
            arrays[f"{name}/form"] = np.stack([form.heights, form.radii]).astype(np.float32)
            arrays[f"{name}/paint"] = np.column_stack([paint.middles, paint.spreads, paint.shares])
        rises = {name: form.rise for name, form in self.forms.items()}
        return arrays, {"names": list(self.names), "rises": rises, "weak": list(self.weak)}

    @classmethod
    def from_store(cls, arrays: Mapping[str, Floats], data: Mapping[str, Any]) -> PieceLooks:
        forms, paints = {}, {}
        for name in data["names"]:
            heights, radii = arrays[f"{name}/form"].astype(np.float64)
            forms[name] = Form(heights, radii, float(data["rises"][name]))
            paint = arrays[f"{name}/paint"].astype(np.float32)
            paints[name] = Paint(paint[:, :3], paint[:, 3:6], paint[:, 6])
        return cls(forms, paints, tuple(data["weak"]))


def _densities(paint: Paint) -> Floats:
    axes = [
        np.arange(size, dtype=np.float32) / steps + low
        for size, steps, low in zip(LOOKUP_SIZE, LOOKUP_STEPS, LOOKUP_LOW, strict=True)
    ]
    total = np.zeros(LOOKUP_SIZE, dtype=np.float32)
    for middle, spread, share in zip(paint.middles, paint.spreads, paint.shares, strict=True):
        parts = [
            np.exp(-0.5 * np.square((axis - m) / s)) / (s * np.float32(np.sqrt(2 * np.pi)))
            for axis, m, s in zip(axes, middle, spread, strict=True)
        ]
        total += share * parts[0][:, None, None] * parts[1][None, :, None] * parts[2][None, None, :]
    mixed = (1 - UNLIKE_ITSELF) * total + UNLIKE_ITSELF * ANYTHING
    return np.asarray(np.log(mixed), dtype=np.float32).ravel()


def densities(paint: Paint, colours: Floats) -> Floats:
    """The log-density of a paint at n colours, computed in full."""
    off = (colours[:, None] - paint.middles) / paint.spreads
    peaks = paint.shares / (np.prod(paint.spreads, axis=1) * np.float32((2 * np.pi) ** 1.5))
    total = (peaks * np.exp(-0.5 * np.square(off).sum(axis=2))).sum(axis=1)
    return np.asarray(np.log((1 - UNLIKE_ITSELF) * total + UNLIKE_ITSELF * ANYTHING), dtype=np.float32)


def levels(form: Form, base: float = 0.0) -> tuple[Matrix, Matrix]:
    """Heights above the board and radii, close enough to each other that discs at them leave no gap."""
    z = np.linspace(0.0, form.height, LEVELS)
    return z + base, np.interp(z, form.heights, form.radii)


def silhouette(spots: Matrix, base: Matrix, eye: Matrix, heights: Matrix, radii: Matrix) -> Matrix:
    """Which spots on the board (n x 2) a piece on `base` hides from the eye: below 1 inside, above outside.

    Seen from the eye, a disc at some height hides a larger disc of the board, farther from the eye.
    """
    away = heights / (eye[2] - heights)
    middles = base + away[:, None] * (base - eye[:2])
    wide = np.maximum(radii * (1 + away), 1e-6)
    nearest = np.full(len(spots), np.inf)
    for (x, y), radius in zip(middles, wide, strict=True):
        off = (np.square(spots[:, 0] - x) + np.square(spots[:, 1] - y)) / radius**2
        np.minimum(nearest, off, out=nearest)
    return np.asarray(np.sqrt(nearest), dtype=np.float64)
