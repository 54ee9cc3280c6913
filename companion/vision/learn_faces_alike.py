"""Laying what was cut out of calibration photos alike: those that share a layout onto each other.

An outline is found to a pixel or two. What faces show tells better how they lie, since they resemble each
other, and the few pixels in which they differ stand out later only if all others agree.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import FINE, MIDDLE, RIM, Floats, Straightened, blur_step, detail, shrunk_all
from companion.vision.faces_search import sample
from companion.vision.model import Faces

# Rounds of aligning faces to each other, and how far each may move in them (half pixels, degrees).
CONGEAL_ROUNDS = 8
LEAPS = ((10.0, 10.0), (6.0, 5.0), (3.0, 2.5), (2.0, 1.5), (2.0, 1.0), (2.0, 0.5))
# A move farther than this (half pixels) away from its outline must make a face this much more like the others
# (correlation).
CLOSE_BY, MUCH_BETTER = 2.0, 0.15
# What faces show is taken for symmetric when half a turn leaves it this much the same (correlation).
SYMMETRIC = 0.5
TO_HALF = np.array([0.5, 0.5, 1.0], dtype=np.float32)
# Views of a plain face that are learnt from, the most alike: others may be covered or seen from the side.
BEST_VIEWS = 9


def congealed(straight: Straightened, visible: Floats, lies: Floats, turns: Sequence[int]) -> Floats:
    """Moves and twists each cut-out to where it has most in common, turned upright, with those like it."""
    every = np.arange(len(lies))
    halves = _halves(straight)
    # what is hidden neither stands out nor does it not
    weight = shrunk_all(visible[..., None], 2).reshape(halves.shape)
    usual = (halves * weight).sum(axis=(1, 2), keepdims=True) / weight.sum(axis=(1, 2), keepdims=True)
    halves = halves * weight + usual * (1 - weight)
    halves = np.stack([np.rot90(canvas, turn) for canvas, turn in zip(halves, turns, strict=True)])
    now = np.stack([upright_lie(lie, turn) for lie, turn in zip(lies, turns, strict=True)]) * TO_HALF
    for number in range(CONGEAL_ROUNDS):
        seen = sample(halves, every, now, MIDDLE)
        flat = seen.reshape(len(seen), -1) - seen.mean(axis=(1, 2, 3))[:, None]
        flat = flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)
        like = np.square(np.maximum(flat @ flat.T, 0))
        np.fill_diagonal(like, 0)
        others = np.tensordot(like / (like.sum(axis=1, keepdims=True) + 1e-6), seen, axes=1)
        now = np.stack(
            [
                _moved(canvas, lie, other, number)
                for canvas, lie, other in zip(halves, now, others.astype(np.float32), strict=True)
            ]
        )
    return np.stack([upright_lie(lie, -turn) for lie, turn in zip(now / TO_HALF, turns, strict=True)])


def _halves(straight: Straightened) -> Floats:
    """Where something stands out, n x half the side x half the side x 1."""
    steps = np.full(len(straight.blurs), blur_step(straight.blurs).max())
    # what stands out in black on white in one face may be white on black in the next: only where counts
    return np.asarray(
        np.linalg.norm(shrunk_all(straight.details(steps), 2), axis=3, keepdims=True), dtype=np.float32
    )


def _moved(canvas: Floats, lie: Floats, others: Floats, number: int) -> Floats:
    """Where a canvas looks most like the others: anywhere at first, if that is much better, then close by."""
    reach = LEAPS[min(number, len(LEAPS) - 1)]
    twists = lie[2] + np.linspace(-1, 1, 5) * reach[1]
    room = round(reach[0])
    best, found, here = -np.inf, lie, -np.inf
    for twist in twists:
        there = np.array([[*lie[:2], twist]], dtype=np.float32)
        wide = sample(canvas[None], np.zeros(1, dtype=np.int64), there, MIDDLE + 2 * room)
        fits = _match(wide[0], others)
        if twist == lie[2]:
            here = float(fits[room, room])
        _, value, _, (x, y) = cv2.minMaxLoc(fits)
        if value > best:
            best = value
            across, down = x - room + _peak(fits[y], x), y - room + _peak(fits[:, x], y)
            cos, sin = np.cos(np.deg2rad(twist)), np.sin(np.deg2rad(twist))
            shift = np.array([cos * across - sin * down, sin * across + cos * down, 0.0])
            found = np.array([*(lie + shift)[:2], twist], dtype=np.float32)
    far = np.abs(found[:2] - lie[:2]).max() > CLOSE_BY
    return lie if far and best < here + MUCH_BETTER else found


def centred(straight: Straightened, lies: Floats, turns: Sequence[int]) -> Floats:
    """Moves all by one and the same shift, so that they look the same after half a turn.

    A face that is learnt off its middle would seem to lie elsewhere in each of its turns. What faces show
    is trusted where it is symmetric; else their outline is, though one edge of it shows the thing's side.
    """
    seen = sample(straight.colours, np.arange(len(lies)), lies, FINE + 4 * RIM)
    upright = [np.rot90(np.linalg.norm(detail(p), axis=2), turn) for p, turn in zip(seen, turns, strict=True)]
    whole = np.mean(upright, axis=0).astype(np.float32)
    inside = np.ascontiguousarray(whole[3 * RIM : -3 * RIM, 3 * RIM : -3 * RIM])
    shift, symmetry = _half_turn(inside, RIM)
    if symmetry < SYMMETRIC:
        shift, _ = _half_turn(whole, 2 * RIM)
    moved = [upright_lie(np.array([*shift, 0.0], dtype=np.float32), -turn) for turn in turns]
    return lies + np.stack(moved)


def _half_turn(shape: Floats, reach: int) -> tuple[tuple[float, float], float]:
    """How far a picture lies off the middle about which half a turn changes it least; how little that is."""
    turned = np.ascontiguousarray(shape[::-1, ::-1])
    inner = np.ascontiguousarray(shape[reach:-reach, reach:-reach])
    fits = _match(turned, inner)
    _, best, _, (x, y) = cv2.minMaxLoc(fits)
    # the turned picture is off by twice what the picture is
    across = (x + _peak(fits[y], x) - reach) / -2
    down = (y + _peak(fits[:, x], y) - reach) / -2
    return (across, down), float(best)


def _peak(values: Floats, at: int) -> float:
    """By what part of a step the top of a parabola through three values lies off the middle one."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, here, after = (float(values[at + k]) for k in (-1, 0, 1))
    curve = before - 2 * here + after
    return float(np.clip((before - after) / (2 * curve), -0.5, 0.5)) if curve < 0 else 0.0


def upright_lie(lie: Floats, turn: int) -> Floats:
    """How a thing lies in a picture that was turned anticlockwise by quarters."""
    x, y, twist = lie
    for _ in range(turn % 4):
        x, y = y, -x
    return np.array([x, y, twist], dtype=np.float32)


def plain_laid_alike(
    straight: Straightened, lies: Floats, turns: Sequence[int], names: Sequence[str], holds: Faces
) -> tuple[Floats, list[int], NDArray[np.bool_]]:
    """Turns views of plain faces, of which nobody said how they are turned, all like the clearest one.

    How all lie, the turns of all, and which are good to learn from.
    """
    lies, turns = lies.copy(), list(turns)
    good = np.ones(len(lies), dtype=np.bool_)
    halves = _halves(straight)
    for name in holds.plain:
        ours = np.flatnonzero([n == name for n in names])
        if len(ours) < 2:
            continue
        seen = sample(halves, ours, lies[ours] * TO_HALF, MIDDLE)
        first = ours[np.square(seen).sum(axis=(1, 2, 3)).argmax()]
        goal = np.ascontiguousarray(seen[list(ours).index(first)])
        fits = np.full(len(lies), -1.0)
        for view in ours:
            for turn in range(0, 4, 4 // holds.turns):
                canvas = np.ascontiguousarray(np.rot90(halves[view], turn))
                lie = _moved(canvas, upright_lie(lies[view], turn) * TO_HALF, goal, len(LEAPS) - 3)
                fit = _like(sample(canvas[None], np.zeros(1, dtype=np.int64), lie[None], MIDDLE)[0], goal)
                if fit > fits[view]:
                    fits[view], turns[view] = fit, turn
                    best = upright_lie(lie / TO_HALF, -turn)
            lies[view] = best
        good[ours] = fits[ours] >= np.sort(fits[ours])[-BEST_VIEWS:][0]
    return lies, turns, good


def _like(one: Floats, other: Floats) -> float:
    """Correlation."""
    a, b = one - one.mean(), other - other.mean()
    return float((a * b).sum() / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-6))


def _match(wide: Floats, pattern: Floats) -> Floats:
    """Correlation at every place."""
    found = cv2.matchTemplate(np.ascontiguousarray(wide), pattern, cv2.TM_CCOEFF_NORMED)
    return np.asarray(found, dtype=np.float32)
