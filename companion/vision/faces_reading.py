"""Which face lies in each slot, in which turn, or none: the likeliest few, compared closely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import (
    CLOSE,
    COARSE,
    FINE,
    MIDDLE,
    PLAIN,
    RIM,
    Bank,
    FaceLooks,
    Floats,
    Straightened,
    align,
    blur_step,
    coarse_search,
    halved,
    likeness,
    sample,
    shrunk,
)
from companion.vision.model import NOTHING, Thing

# Candidates less alike than the best by more than this are not worth a close comparison.
NEAR = 0.08
# The same at half the resolution, before each is aligned on its own.
LIKELY = 0.3
# Noise in neighbouring pixels and channels goes together: as if in this many times fewer pixels, squared.
CORRELATED = 3.0
MOST_CLEAR = 20.0
AROUND = np.ones((3, 3), dtype=np.uint8)
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


def find_faces(
    straight: Straightened, flat: Straightened, bare: Floats, hidden: Floats, looks: FaceLooks
) -> list[FaceFinding]:
    """`straight`: the slots level with a face; `flat`: level with the print; `bare`: the print's colours.

    `hidden` (n x side x side, as `straight`) is 1 where something stands before the slot.
    """
    bank = looks.bank
    every = np.arange(len(straight.colours))
    # first all at one blur, that of the usual face learnt or of the slot itself
    step = blur_step(np.maximum(straight.blurs, np.median(looks.blurs)))
    details = straight.details(step)
    halves = halved(details)
    slots, first, lies = coarse_search(straight, bank)
    lies = align(halves, slots, lies, first, bank)
    which, candidates, lies = _likely(halves, hidden, step, slots, bank.turn[first], lies, bank)
    lies = align(halves, which, lies, candidates, bank, rounds=2)
    close = _look_closely(straight, details, hidden, step, which, candidates, lies, looks)
    empty = _bare_colour(flat, bare)
    return [
        _finding(close, np.flatnonzero(which == slot), int(slot), float(empty[slot]), straight, looks)
        for slot in every
    ]


def _likely(
    halves: Floats,
    hidden: Floats,
    step: NDArray[np.int64],
    slots: NDArray[np.int64],
    turns: NDArray[np.int64],
    lies: Floats,
    bank: Bank,
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Slots, candidates worth a close look, and how those lie; given how each slot lies in each turn."""
    n = len(halves)
    half = lies * np.array([0.5, 0.5, 1.0], dtype=np.float32)
    seen = sample(halves, slots, half, MIDDLE).reshape(len(slots), -1)
    weights = np.ones((len(slots), MIDDLE * MIDDLE), dtype=np.float32)
    covered = np.asarray(hidden.any(axis=(1, 2)), dtype=np.bool_)[slots]
    if covered.any():
        cover = halved(hidden)[..., None]
        weights[covered] -= sample(cover, slots[covered], half[covered], MIDDLE).reshape(-1, MIDDLE * MIDDLE)
    alike = np.full((n, len(bank.face)), -1.0, dtype=np.float32)
    lying = np.zeros((n, len(bank.face)), dtype=np.int64)
    for turn in np.unique(turns):
        those = np.flatnonzero(bank.turn == turn)
        for each in np.unique(step):
            these = np.flatnonzero((turns == turn) & (step[slots] == each))
            alike[np.ix_(slots[these], those)] = likeness(
                seen[these], weights[these], bank.middle[each, those]
            )
            lying[np.ix_(slots[these], those)] = these[:, None]
    rank = np.argsort(-alike, axis=1)[:, :CLOSE]
    near = np.take_along_axis(alike, rank, axis=1)
    # at least two, so that the best has somebody to beat
    which, place = np.nonzero((near > near[:, :1] - LIKELY) | (np.arange(rank.shape[1]) < 2))
    candidates = rank[which, place]
    return which, candidates, lies[lying[which, candidates]]


@dataclass(frozen=True)
class _Close:
    """Candidates after a close look, all arrays over them."""

    candidates: NDArray[np.int64]
    lies: Floats
    seen: Floats
    """Detail as it lies, with nothing where it is hidden or at the rim."""
    targets: Floats
    alike: Floats
    contrast: Floats
    colour: Floats
    visible: Floats


def _look_closely(
    straight: Straightened,
    details: Floats,
    hidden: Floats,
    step: NDArray[np.int64],
    which: NDArray[np.int64],
    candidates: NDArray[np.int64],
    lies: Floats,
    looks: FaceLooks,
) -> _Close:
    bank = looks.bank
    inner = slice(RIM, FINE - RIM)
    cover = np.ones((len(which), FINE, FINE, 1), dtype=np.float32)
    covered = hidden[which].any(axis=(1, 2))
    if covered.any():
        cover[covered] -= sample(hidden[..., None], which[covered], lies[covered], FINE)
    weights = (cover > 0.5)[:, inner, inner]
    seen = sample(details, which, lies, FINE)[:, inner, inner] * weights
    targets = bank.fine[step[which], candidates].reshape(-1, FINE, FINE, 3)[:, inner, inner] * weights
    tiny = np.stack([shrunk(picture, COARSE) for picture in sample(straight.colours, which, lies, FINE)])
    total = np.maximum(weights.sum(axis=(1, 2, 3)), 1)
    product = np.einsum("nijc,nijc->n", seen, targets) / total
    ours = np.einsum("nijc,nijc->n", seen, seen) / total
    theirs = np.einsum("nijc,nijc->n", targets, targets) / total
    return _Close(
        candidates, lies, seen, targets,
        (product + PLAIN) / np.sqrt((ours + PLAIN) * (theirs + PLAIN)),
        product / (theirs + 1e-6),
        _colour_off(tiny, bank.tiny[candidates]),
        total / (FINE - 2 * RIM) ** 2,
    )  # fmt: skip


def _finding(
    close: _Close,
    these: NDArray[np.int64],
    slot: int,
    bare_colour: float,
    straight: Straightened,
    looks: FaceLooks,
) -> FaceFinding:
    order = _one_each(these[np.argsort(-close.alike[these])], close.candidates, looks)
    order = [
        k for number, k in enumerate(order) if number < 2 or close.alike[k] > close.alike[order[0]] - NEAR
    ]
    best, lead, clear, rival = _tournament(order, close)
    found = {k: _candidate(close, k, looks) for k in order}
    empty = Candidate(NOTHING, 0.0, bare_colour, 1.0, (0.0, 0.0, 0.0))
    ranked = (found[best], *(found[k] for k in order if k != best))
    return FaceFinding(
        ranked, lead, clear, None if rival is None else found[rival], empty, float(close.visible[best])
    )


def _candidate(close: _Close, k: int, looks: FaceLooks) -> Candidate:
    x, y, twist = (close.lies[k] * np.array([looks.mm, looks.mm, 1.0])).tolist()
    return Candidate(
        _thing(int(close.candidates[k]), looks), float(close.alike[k]), float(close.colour[k]),
        float(close.contrast[k]), (x, y, twist),
    )  # fmt: skip


def _bare_colour(flat: Straightened, bare: Floats) -> Floats:
    return _colour_off(
        np.stack([shrunk(picture, COARSE) for picture in flat.colours]),
        np.stack([shrunk(picture, COARSE) for picture in bare]),
    )


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


def _tournament(order: Sequence[int], close: _Close) -> tuple[int, float, float, int | None]:
    """The candidate that beats all others where the two differ; by how much the nearest, and which."""
    if len(order) == 1:
        return order[0], 1.0, MOST_CLEAR, None
    champion, leads = order[0], {}
    for _ in range(2):
        leads = {other: _lead(close, champion, other) for other in order if other != champion}
        strongest = min(leads, key=lambda k: leads[k])
        if leads[strongest] >= 0:
            break
        champion = strongest
    rival = min(leads, key=lambda k: leads[k]) if champion not in leads else order[0]
    if rival == champion:
        rival = next(k for k in order if k != champion)
    return champion, _lead(close, champion, rival), _clearness(close, champion, rival), rival


def _lead(close: _Close, one: int, other: int) -> float:
    """By how much one is more alike than the other, where the two differ."""
    differ = _differ(close.targets[one], close.targets[other])
    return _alike_where(close, one, differ) - _alike_where(close, other, differ)


def _alike_where(close: _Close, k: int, weights: Floats) -> float:
    seen, target = close.seen[k], close.targets[k]
    total = float(weights.sum()) + 1e-6
    product = float(np.einsum("ij,ijc,ijc->", weights, seen, target)) / total
    ours = float(np.einsum("ij,ijc,ijc->", weights, seen, seen)) / total
    theirs = float(np.einsum("ij,ijc,ijc->", weights, target, target)) / total
    return (product + PLAIN) / float(np.sqrt((ours + PLAIN) * (theirs + PLAIN)))


def _clearness(close: _Close, one: int, other: int) -> float:
    """How many times what noise does, the photo is nearer to one than to the other where they differ."""
    differ = _differ(close.targets[one], close.targets[other])
    differ = differ / (float(differ.max()) + 1e-6)
    near, far = close.seen[one] - close.targets[one], close.seen[other] - close.targets[other]
    gain = float((differ * (far * far - near * near).sum(axis=2)).sum()) / 2
    noise = float(np.sqrt(np.square(near).mean() / max(float(close.visible[one]), 0.01)))
    apart = float(np.sqrt(np.square(differ[..., None] * (close.targets[one] - close.targets[other])).sum()))
    return float(np.clip(gain / (noise * apart * CORRELATED + 1e-6), -MOST_CLEAR, MOST_CLEAR))


def _differ(one: Floats, other: Floats) -> Floats:
    """Where two faces differ by more than a pixel's misplacement."""
    over = np.maximum(
        np.maximum(one - cv2.dilate(other, AROUND), cv2.erode(other, AROUND) - one),
        np.maximum(other - cv2.dilate(one, AROUND), cv2.erode(one, AROUND) - other),
    )
    return np.asarray(cv2.blur(np.einsum("ijc->ij", np.maximum(over, 0)), (3, 3)))
