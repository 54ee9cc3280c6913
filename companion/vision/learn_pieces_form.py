"""Finds the form of a piece: the one whose silhouettes cover what differs from the print, and no more.

Photos from above hardly tell a height: a piece that is a little off its place, or that narrows towards its
top, looks much like a lower one. So heights, widths and outlines are tried together, with each piece
standing where that suits it best, and stacks tell as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.pieces import Form, levels
from companion.vision.pieces_print import Floats

# Widths and heights that are tried, in parts of a slot's half width: from a coin to a tower.
WIDTHS = np.arange(0.25, 1.0, 0.07)
HEIGHTS = np.geomspace(0.3, 2.6, 12)
# Outlines that are tried: how wide pieces are from the bottom to the top, in parts of their foot.
OUTLINES = ((1, 1, 1, 1), (1, 0.95, 0.8, 0.7), (1, 0.75, 0.5, 0.25), (1, 0.75, 0.55, 0.5), (1, 1, 0.6, 0.5))
# How much higher the second piece of a stack stands, in parts of the height of the first.
RISES = (1.0, 0.93, 0.86, 0.78, 0.7)
# Then one thing after another is changed by these parts as long as that helps.
STEPS = (0.15, 0.08, 0.04)
# One width that differs from the next must explain this much more, or noise makes fringes.
LEAST_GAINED = 0.004
# How tall pieces usually are against their width, those that are stacked (towers) and others (houses), and
# what part of the evidence a height costs that is off by a factor e.
TOWERS, HOUSES = (0.95, 0.04), (0.75, 0.02)
# How far off its place a piece may stand, in parts of the slot's half width; standing that far off costs this
# part of what is said for it.
OFF_PLACE, OFF_COST = 0.36, 0.2


@dataclass(frozen=True, eq=False)
class Sight:
    """A stack of pieces as it is seen: what each spot around it says for each of its pieces."""

    spots: Matrix
    """Rows x columns x 2, millimetres on the board."""
    said: Floats
    """Pieces x rows x columns, from the bottom up."""
    place: Matrix
    eye: Matrix
    half: float
    """Half the width of its slot, in millimetres."""

    @property
    def step(self) -> float:
        """From one spot to the next, in millimetres."""
        return float(self.spots[0, 1, 0] - self.spots[0, 0, 0])


@dataclass(frozen=True, eq=False)
class Shifted:
    """What is said for each piece of a stack, wherever it may stand."""

    sight: Sight
    shifts: Matrix
    """n x 2, millimetres."""
    said: tuple[Floats, ...]
    """For each piece: shifts x spots."""
    costs: Matrix
    """For each shift: the part of all that is said that it costs to stand there."""

    @classmethod
    def of(cls, sight: Sight) -> Shifted:
        reach = max(1, round(OFF_PLACE * sight.half / sight.step))
        rows, columns = sight.said.shape[1:]
        padded = np.pad(sight.said, ((0, 0), (reach, reach), (reach, reach)))
        steps = [
            (y, x)
            for y in range(-reach, reach + 1)
            for x in range(-reach, reach + 1)
            if np.hypot(x, y) <= reach + 0.5
        ]
        boxes = [
            (slice(reach + y, reach + y + rows), slice(reach + x, reach + x + columns)) for y, x in steps
        ]
        said = tuple(np.stack([each[box].ravel() for box in boxes]) for each in padded)
        shifts = np.array([(x, y) for y, x in steps], dtype=np.float64) * sight.step
        far = np.square(shifts).sum(axis=1) / (OFF_PLACE * sight.half) ** 2
        return cls(sight, shifts, said, OFF_COST * far)

    def score(self, form: Form) -> tuple[float, int]:
        """How much speaks for this form, and the number of the shift with which it does so most."""
        covered = covers(self.sight, form, len(self.said))
        total = np.sum([said @ cover for said, cover in zip(self.said, covered, strict=True)], axis=0)
        total = total - self.costs * np.abs(total)
        best = int(np.argmax(total))
        return float(total[best]), best


def covers(sight: Sight, form: Form, pieces: int) -> list[Floats]:
    """The part of each spot that each piece of a stack covers, from the bottom up; each flat."""
    seen: list[NDArray[np.float32]] = []
    for level in range(pieces):
        heights, radii = levels(form, form.rise * level)
        away = heights / (sight.eye[2] - heights)
        middles = sight.place + away[:, None] * (sight.place - sight.eye[:2])
        off = np.full(sight.spots.shape[:2], np.inf)
        for (x, y), radius in zip(middles, radii * (1 + away), strict=True):
            np.minimum(off, np.hypot(sight.spots[..., 0] - x, sight.spots[..., 1] - y) - radius, out=off)
        cover = np.clip(0.5 - off / sight.step, 0, 1).astype(np.float32).ravel()
        seen = [*(below * (1 - cover) for below in seen), cover]
    return seen


def form_of(sights: Sequence[Sight]) -> Form:
    shifted = [Shifted.of(sight) for sight in sights]
    half = float(np.median([sight.half for sight in sights]))
    single = [s for s in shifted if len(s.said) == 1] or shifted
    stacked = any(len(s.said) > 1 for s in shifted)
    usually = TOWERS if stacked else HOUSES
    form = max(_tried(half), key=lambda form: _score(single, form, usually))
    if stacked:
        rising = (replace(form, rise=part * form.height) for part in RISES)
        form = max(rising, key=lambda form: _score(shifted, form, usually))
    return _refined(shifted, form, usually, stacked)


def shift_of(sight: Sight, form: Form) -> Matrix:
    """How far off its place a stack stands."""
    shifted = Shifted.of(sight)
    _, best = shifted.score(form)
    return np.asarray(shifted.shifts[best])


def _tried(half: float) -> Iterator[Form]:
    for height in HEIGHTS * half:
        heights = np.linspace(0, height, len(OUTLINES[0]))
        for width in WIDTHS * half:
            for outline in OUTLINES:
                yield Form(heights, width * np.array(outline), float(height))


def _score(shifted: Sequence[Shifted], form: Form, usually: tuple[float, float]) -> float:
    total = sum(each.score(form)[0] for each in shifted)
    tall, cost = usually
    unusual = np.log(form.height / (2 * tall * form.radius))
    return float(total - abs(total) * cost * unusual**2)


def _refined(shifted: Sequence[Shifted], form: Form, usually: tuple[float, float], stacked: bool) -> Form:
    best = _score(shifted, form, usually)
    for step in STEPS:
        for _ in range(2):
            for tried, gain in _changed(form, step, stacked):
                value = _score(shifted, tried, usually)
                if value > best * (1 + gain):
                    best, form = value, tried
    return form


def _changed(form: Form, step: float, stacked: bool) -> Iterator[tuple[Form, float]]:
    """Forms a little different, and by how much each must be better."""
    for factor in (1 + step, 1 - step):
        rise = form.rise * factor
        yield Form(form.heights * factor, form.radii, rise), 0.0
        yield Form(form.heights, form.radii * factor, form.rise), 0.0
        if stacked and rise < 1.03 * form.height:
            yield replace(form, rise=rise), 0.0
        for k in range(len(form.radii)):
            radii = form.radii.copy()
            radii[k] *= factor
            yield Form(form.heights, radii, form.rise), LEAST_GAINED
