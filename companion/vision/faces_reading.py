"""Which face lies in each slot, in which turn, or none: the likeliest few, compared closely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import (
    BLURS,
    CLOSE,
    COARSE,
    FINE,
    PLAIN,
    RIM,
    Bank,
    FaceLooks,
    Floats,
    Straightened,
    align,
    blur_step,
    brought,
    coarse_search,
    detail,
    halved,
    likeness,
    sample,
    shrunk,
)
from companion.vision.model import NOTHING, Thing

# Candidates less alike than the best by more than this are not worth a close comparison.
NEAR = 0.08
# Noise in neighbouring pixels and channels goes together: it counts as if in this many times fewer pixels, squared.
CORRELATED = 3.0
MOST_CLEAR = 20.0
# A pixel's colour is no more different than this (logarithms): what it is then, does not matter.
OTHER_COLOUR = 0.5
# Luminance against colour when telling what kind of thing lies there: shade changes luminance.
COLOUR_WEIGHTS = np.array([0.5, 1.0, 1.0], dtype=np.float32)


@dataclass(frozen=True)
class Candidate:
    """One reading of a slot."""

    thing: Thing
    alike: float
    """How alike the detail is, 1 for the same."""
    colour: float
    """How different the colours are, in logarithms."""
    contrast: float
    """Of its detail in the photo, against the learnt one."""
    lies: tuple[float, float, float]
    """In mm from the slot's middle, and degrees."""


@dataclass(frozen=True)
class FaceFinding:
    """What was found out about one slot: candidates, the likeliest first, one for each reading."""

    candidates: tuple[Candidate, ...]
    lead: float
    """By how much the first face is more alike than the next, where the two differ."""
    clear: float
    """The same in units of what noise alone would do."""
    rival: Candidate | None
    bare: Candidate
    visible: float


def find_faces(straight: Straightened, flat: Straightened, bare: Floats, hidden: Floats, looks: FaceLooks) -> list[FaceFinding]:
    """`straight`: the slots level with a face; `flat`: level with the print; `bare`: the print's colours.

    `hidden` (n x FINE x FINE) is 1 where something stands before the slot.
    """
    bank = looks.bank
    n = len(straight.colours)
    every = np.arange(n)
    weights = _weights(bank, hidden)
    # first all at one blur, that of the usual face learnt or of the slot itself
    step = blur_step(np.maximum(straight.blurs, np.median(looks.blurs)))
    details = straight.details(step)
    halves = halved(details)
    lies, first = coarse_search(straight, bank)
    lies = align(halves, every, lies, first, bank)
    seen = sample(details, every, lies, FINE).reshape(n, -1)
    alike = np.empty((n, len(bank.face)), dtype=np.float32)
    for each in np.unique(step):
        these = step == each
        alike[these] = likeness(seen[these], weights[these], bank.fine[each])
    close = np.argpartition(-alike, min(CLOSE, alike.shape[1]) - 1, axis=1)[:, :CLOSE]
    which, candidates = np.repeat(every, close.shape[1]), close.ravel()
    lies = align(halves, which, np.repeat(lies, close.shape[1], axis=0), candidates, bank, rounds=3)
    return _compare_closely(straight, flat, bare, weights, step, details, lies, close, looks)


def _weights(bank: Bank, hidden: Floats) -> Floats:
    inner = np.zeros((FINE, FINE), dtype=np.float32)
    inner[RIM:-RIM, RIM:-RIM] = 1
    return np.asarray((inner * (1 - hidden)).reshape(len(hidden), -1), dtype=np.float32)


def _compare_closely(
    straight: Straightened, flat: Straightened, bare: Floats, weights: Floats, step: NDArray[np.int64],
    details: Floats, lies: Floats, close: NDArray[np.int64], looks: FaceLooks,
) -> list[FaceFinding]:  # fmt: skip
    bank = looks.bank
    n, few = close.shape
    which, candidates = np.repeat(np.arange(n), few), close.ravel()
    seen = sample(details, which, lies, FINE).reshape(n, few, -1)
    targets = bank.fine[np.repeat(step, few), candidates].reshape(n, few, -1)
    heavy = np.repeat(weights, 3, axis=1)
    alike = _alike(seen, targets, heavy[:, None])
    contrast = (seen * targets * heavy[:, None]).sum(axis=-1) / (
        (targets * targets * heavy[:, None]).sum(axis=-1) + 1e-6
    )
    colours = sample(straight.colours, which, lies, FINE)
    tiny = np.stack([shrunk(picture, COARSE) for picture in colours])
    colour = _colour_off(tiny, bank.tiny[candidates]).reshape(n, few)
    bare_alike = _alike(
        flat.details(step).reshape(n, -1), np.stack([detail(b) for b in bare]).reshape(n, -1), heavy
    )
    bare_colour = _colour_off(
        np.stack([shrunk(p, COARSE) for p in flat.colours]), np.stack([shrunk(b, COARSE) for b in bare])
    )
    visible = weights.sum(axis=1) / (FINE - 2 * RIM) ** 2
    mm = np.array([looks.mm, looks.mm, 1.0])
    findings = []
    for i in range(n):
        order = _one_each(np.argsort(-alike[i]), close[i], looks)
        order = [k for k in order if alike[i, k] > alike[i, order[0]] - NEAR] + order[1:2]
        order = list(dict.fromkeys(order))
        finer = int(blur_step(max(straight.blurs[i], looks.blurs[bank.face[close[i, order]]].max())))
        if finer != step[i] and len(order) > 1:
            # fair among those that are left: all as blurred as the worst of them
            sharp = detail(brought(straight.colours[i], float(straight.blurs[i]), BLURS[finer]))[None]
            zero = np.zeros(len(order), dtype=np.int64)
            seen[i, order] = sample(sharp, zero, lies[[i * few + k for k in order]], FINE).reshape(len(order), -1)
            targets[i, order] = bank.fine[finer, close[i, order]]
        best, lead, clear, rival = _tournament(order, seen[i], targets[i], heavy[i])
        found = {
            k: Candidate(
                _thing(close[i, k], looks), float(alike[i, k]), float(colour[i, k]), float(contrast[i, k]),
                tuple((lies[i * few + k] * mm).tolist()),
            )
            for k in order
        }  # fmt: skip
        ranked = [found[best]] + [found[k] for k in order if k != best]
        empty = Candidate(NOTHING, float(bare_alike[i]), float(bare_colour[i]), 1.0, (0.0, 0.0, 0.0))
        findings.append(
            FaceFinding(tuple(ranked), lead, clear, None if rival is None else found[rival], empty, float(visible[i]))
        )
    return findings


def _alike(seen: Floats, targets: Floats, heavy: Floats) -> Floats:
    total = np.maximum(heavy.sum(axis=-1) / 3, 1e-6)
    product = (seen * targets * heavy).sum(axis=-1) / total
    ours = (seen * seen * heavy).sum(axis=-1) / total
    theirs = (targets * targets * heavy).sum(axis=-1) / total
    return np.asarray((product + PLAIN) / np.sqrt((ours + PLAIN) * (theirs + PLAIN)))


def _colour_off(seen: Floats, learnt: Floats) -> Floats:
    off = np.minimum(np.abs(seen - learnt) * COLOUR_WEIGHTS, OTHER_COLOUR)
    return np.asarray(np.sqrt(np.square(off).sum(axis=-1).mean(axis=(1, 2))))


def _thing(candidate: int, looks: FaceLooks) -> Thing:
    name = looks.names[looks.bank.face[candidate]]
    return Thing((name,), 0 if name in looks.holds.plain else int(looks.bank.turn[candidate]))


def _one_each(order: NDArray[np.int64], candidates: NDArray[np.int64], looks: FaceLooks) -> list[int]:
    """The best of those that read the same, such as the four turns of a tile's back."""
    first: dict[Thing, int] = {}
    for k in order:
        first.setdefault(_thing(int(candidates[k]), looks), int(k))
    return list(first.values())


def _tournament(
    order: Sequence[int], seen: Floats, targets: Floats, heavy: Floats
) -> tuple[int, float, float, int | None]:
    """The candidate that beats all others where the two differ; by how much it beats the nearest, and which."""
    if len(order) == 1:
        return order[0], 1.0, MOST_CLEAR, None
    lead = np.ones((len(order), len(order)))
    for a in range(len(order)):
        for b in range(a):
            one, other = order[a], order[b]
            differ = _differ(targets[one], targets[other]) * heavy
            gap = _alike(seen[one], targets[one], differ) - _alike(seen[other], targets[other], differ)
            lead[a, b], lead[b, a] = gap, -gap
    best = int(lead.min(axis=1).argmax())
    rival = int(lead[best].argmin())
    clear = _clearness(seen, targets, heavy, order[best], order[rival])
    return order[best], float(lead[best, rival]), clear, order[rival]


def _clearness(seen: Floats, targets: Floats, heavy: Floats, one: int, other: int) -> float:
    """How many times what noise does, the photo is nearer to one than to the other where they differ."""
    differ = _differ(targets[one], targets[other]) * heavy
    differ /= differ.max() + 1e-6
    near, far = seen[one] - targets[one], seen[other] - targets[other]
    gain = float((differ * (far * far - near * near)).sum()) / 2
    noise = float(np.sqrt((heavy * near * near).sum() / max(float(heavy.sum()), 1.0)))
    apart = float(np.sqrt((np.square(differ * (targets[one] - targets[other]))).sum()))
    return float(np.clip(gain / (noise * apart * CORRELATED + 1e-6), -MOST_CLEAR, MOST_CLEAR))


def _differ(one: Floats, other: Floats) -> Floats:
    """Where two faces differ by more than a pixel's misplacement."""
    a, b = one.reshape(FINE, FINE, 3), other.reshape(FINE, FINE, 3)
    kernel = np.ones((3, 3), dtype=np.uint8)
    over = np.maximum(
        np.maximum(a - cv2.dilate(b, kernel), cv2.erode(b, kernel) - a),
        np.maximum(b - cv2.dilate(a, kernel), cv2.erode(a, kernel) - b),
    )
    return np.repeat(cv2.blur(np.maximum(over, 0).sum(axis=2), (3, 3)).ravel(), 3)
