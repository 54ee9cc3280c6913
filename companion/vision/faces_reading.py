"""Which face lies in each slot, in which turn, or none.

Every candidate (a face in a turn) is searched coarsely; the likeliest are aligned; all are compared where the
best one lies; the likeliest of these are aligned on their own and compared at full resolution. Last, two by
two, only where the two differ: a numeral decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from companion.vision.faces import FINE, MIDDLE, FaceLooks, Floats, Straightened, blur_step, shrunk_all
from companion.vision.faces_bank import (
    CELLS,
    FINE_BLOCK,
    INSIDE,
    MIDDLE_BLOCK,
    TINY,
    Bank,
    Blocks,
    apart,
    apart_each,
    bank_of,
    bare_bank_of,
    colours_apart,
)
from companion.vision.faces_search import Ints, align, coarse_search, sample_spots, spots
from companion.vision.faces_sides import other_sides
from companion.vision.model import NOTHING, Thing

# Ways to lie in a slot that are drawn tight after the coarse search, in so many rounds; then the best of them
# with the face that fits best there; then candidates where that one lies.
TOP, WAYS, WAYS_ROUNDS, BEST_ROUNDS = 8, 3, 3, 2
# Two ways to lie that are no farther apart than this (half pixels, half pixels, degrees) end in the same
# place when drawn tight; one that fits less well than this part of the best is not tried.
NEAR = np.array([2.5, 2.5, 7.0], dtype=np.float32)
HOPELESS = 0.7
LIKELY, CLOSE, CLOSE_ROUNDS = 24, 8, 2
# How far drawing tight may move: from the coarse search (half a step and some), from another face (half
# pixels, half pixels, degrees).
WAYS_REACH = np.array([3.0, 3.0, 6.0], dtype=np.float32)
CLOSE_REACH = np.array([2.0, 2.0, 4.0], dtype=np.float32)
TO_FINE = np.array([2.0, 2.0, 1.0], dtype=np.float32)
# What other colours count against other detail.
COLOUR_COUNTS = 0.4
# Candidates that differ by more than this more than the best are out; the first so many stay in any case.
OUT, STAY = 0.15, 3
# A block that differs by more than this from two faces shows neither.
NEITHER = 0.7
# So many candidates of a slot are told.
KEPT = 6
# Fine pixels in one pixel of the small pictures whose colours are compared.
CELL = FINE // CELLS


@dataclass(frozen=True)
class Candidate:
    """One reading of a slot."""

    thing: Thing
    apart: float
    """In which part of its detail it differs, 0 for nowhere to 1."""
    colour: float
    """In which part of its colours."""
    plain: float
    """Which part of it has no detail to be known by."""
    missing: float
    """Which part of the detail that it has is not seen."""
    lies: tuple[float, float, float]
    """In mm from the slot's middle, and degrees."""
    behind: float = 0.0
    """Where it differs from the first candidate: 1 where the slot looks just like that one, -1 like this."""

    @property
    def off(self) -> float:
        return self.apart + COLOUR_COUNTS * self.colour


@dataclass(frozen=True)
class FaceFinding:
    """What was found out about one slot: candidates, the likeliest first, one for each reading."""

    candidates: tuple[Candidate, ...]
    bare: Candidate
    sides: tuple[str, ...] = ()
    """What its sides show, in words, where that is not what the first candidate has."""

    @property
    def lead(self) -> float:
        """How far the nearest of the others is behind."""
        return min((candidate.behind for candidate in self.candidates[1:]), default=1.0)


@dataclass(frozen=True)
class _Close:
    """Candidates that were compared closely, those of one slot in a row; all arrays over them."""

    slots: Ints
    candidates: Ints
    lies: Floats
    blurs: Ints
    seen: Blocks
    apart: Floats
    """Blocks x n."""
    counts: Floats
    """Blocks x n: how much each counts, together 1."""
    colour: Floats

    @cached_property
    def all_apart(self) -> Floats:
        return np.asarray(np.einsum("bn,bn->n", self.apart, self.counts))

    @property
    def score(self) -> Floats:
        return np.asarray(self.all_apart + COLOUR_COUNTS * self.colour)


def find_faces(
    straight: Straightened, prints: Floats, bare: Ints, looks: FaceLooks, reach: float
) -> list[FaceFinding]:
    """`straight`: slots level with a face, which lies at most `reach` pixels off the slot's middle.

    `prints`: n x 2, where the slot's middle on the print is seen, in pixels; `bare`: which print is theirs.
    """
    bank = bank_of(looks)
    # all at one blur, that of the usual face learnt or of the slot itself
    blurs = blur_step(np.maximum(straight.blurs, np.median(looks.blurs)))
    details = straight.details(blurs)
    halves = shrunk_all(details, 2)
    small = shrunk_all(straight.colours, CELL)
    slots, candidates, lies = _ways(*coarse_search(halves, bank, TOP, int(np.ceil(reach * TINY / FINE))))
    lies = align(halves, slots, lies, candidates, bank, WAYS_ROUNDS, WAYS_REACH)
    slots, candidates, lies = _best_way(halves, slots, lies, bank)
    lies = align(halves, slots, lies, candidates, bank, BEST_ROUNDS, WAYS_REACH)
    slots, candidates, lies = _likely(halves, small, lies, bank)
    lies = align(halves, slots, lies, candidates, bank, CLOSE_ROUNDS, CLOSE_REACH)
    close = _compared(details, small, blurs, slots, candidates, lies, bank)
    return _findings(close, _bare(details, small, blurs, prints, bare, looks), bank, looks)


def _ways(slots: Ints, candidates: Ints, lies: Floats, fits: Floats) -> tuple[Ints, Ints, Floats]:
    """Those of the likely ways to lie that are worth drawing tight: no two that would end in one place."""
    n = int(slots[-1]) + 1
    by_slot, fits = lies.reshape(n, -1, 3), fits.reshape(n, -1)
    chosen = np.zeros(fits.shape, dtype=np.bool_)
    open_ = fits >= fits[:, :1] * HOPELESS
    for _ in range(WAYS):
        first = open_.argmax(axis=1)
        there = open_[np.arange(n), first]
        chosen[np.arange(n), first] |= there
        near = np.abs(by_slot - by_slot[np.arange(n), first][:, None]) < NEAR
        open_ &= ~near.all(axis=2)
    which = np.flatnonzero(chosen.ravel())
    return slots[which], candidates[which], lies[which]


def _middle_apart(halves: Floats, slots: Ints, lies: Floats, bank: Bank) -> Floats:
    """Ways x candidates: in which part of its detail each differs from what lies so."""
    seen = _blocks(halves, slots, lies, MIDDLE, MIDDLE_BLOCK)
    return np.asarray(np.einsum("bnm,bm->nm", apart(seen, bank.middle_blocks), bank.middle_counts))


def _best_way(halves: Floats, slots: Ints, lies: Floats, bank: Bank) -> tuple[Ints, Ints, Floats]:
    """For each slot the way to lie in which any candidate fits best, and that candidate."""
    score = _middle_apart(halves, slots, lies, bank)
    every = np.arange(len(halves))
    way = np.lexsort((score.min(axis=1), slots))[np.searchsorted(slots, every)]
    return every, score[way].argmin(axis=1), lies[way]


def _likely(halves: Floats, small: Floats, lying: Floats, bank: Bank) -> tuple[Ints, Ints, Floats]:
    """Slots, candidates worth a close look, and how those lie, given how the thing in each slot lies."""
    every = np.arange(len(halves))
    best = _middle_apart(halves, every, lying, bank)
    # a plain back has little detail to be known by: it is always in the running
    best[:, bank.plain] -= 1
    first = np.argsort(best, axis=1, kind="stable")[:, : LIKELY + bank.plain.sum()]
    best[:, bank.plain] += 1
    colours = colours_apart(_cells(small, every, lying)[:, None], bank.cells[first])
    score = np.take_along_axis(best, first, axis=1) + COLOUR_COUNTS * colours
    top = np.argsort(score, axis=1, kind="stable")[:, :CLOSE]
    near = np.take_along_axis(score, top, axis=1)
    which, place = np.nonzero((near <= near[:, :1] + OUT) | (np.arange(top.shape[1]) < STAY))
    return which, first[which, top[which, place]], lying[which]


def _blocks(canvases: Floats, slots: Ints, lies: Floats, pixels: int, block: int) -> Blocks:
    at = spots(pixels, block)
    return Blocks.cut_up(
        sample_spots(canvases, slots, lies, at).reshape(len(slots), (pixels // block) ** 2, -1)
    )


def _cells(small: Floats, slots: Ints, lies: Floats) -> Floats:
    """The colours of parts of what lies so in the slots."""
    to_cells = np.array([2 / CELL, 2 / CELL, 1.0], dtype=np.float32)
    return sample_spots(small, slots, lies * to_cells, spots(CELLS))


def _compared(
    details: Floats, small: Floats, blurs: Ints, slots: Ints, candidates: Ints, lies: Floats, bank: Bank
) -> _Close:
    seen = _blocks(details, slots, lies * TO_FINE, INSIDE, FINE_BLOCK)
    blur = blurs[slots]
    off = np.empty((len(seen.cut), len(slots)), dtype=np.float32)
    for step in np.unique(blur):
        these = np.flatnonzero(blur == step)
        off[:, these] = apart_each(seen.of_those(these), bank.fine[step].of_those(candidates[these]))
    colour = colours_apart(_cells(small, slots, lies), bank.cells[candidates])
    return _Close(slots, candidates, lies, blur, seen, off, bank.counts[:, candidates], colour)


def _bare(
    details: Floats, small: Floats, blurs: Ints, middles: Floats, bare: Ints, looks: FaceLooks
) -> list[Candidate]:
    """How much each slot looks like its own print."""
    prints = bare_bank_of(looks)
    every = np.arange(len(bare))
    lies = np.column_stack([middles, np.zeros(len(bare))]).astype(np.float32)
    seen = _blocks(details, every, lies, INSIDE, FINE_BLOCK)
    colour = colours_apart(_cells(small, every, (lies / TO_FINE).astype(np.float32)), prints.cells[bare])
    off = np.empty(len(bare), dtype=np.float32)
    for step in np.unique(blurs):
        these = np.flatnonzero(blurs == step)
        off[these] = apart_each(seen.of_those(these), prints.fine[step].of_those(bare[these])).mean(axis=0)
    plain = prints.fine[0].plain[bare]
    return [
        Candidate(NOTHING, a, c, p, 0.0, (0.0, 0.0, 0.0))
        for a, c, p in zip(off.tolist(), colour.tolist(), plain.tolist(), strict=True)
    ]


def _findings(close: _Close, bare: Sequence[Candidate], bank: Bank, looks: FaceLooks) -> list[FaceFinding]:
    score = close.score
    order = np.lexsort((score, close.slots))
    ends = np.searchsorted(close.slots[order], np.arange(len(bare) + 1))
    ranked = [_one_each(order[a:b], close, bank, looks) for a, b in pairwise(ends)]
    nearest = [sorted(leads.items(), key=lambda one: one[1]) for leads in _champions(ranked, close, bank)]
    first = np.array([ours[0][0] for ours in nearest])
    all_ = _candidates(close, bank, looks)
    things = [all_[k].thing for k in first]
    seen, unlike = close.seen.of_those(first), close.apart[:, first]
    sides = other_sides(seen, close.blurs[first], things, unlike, looks)
    return [
        FaceFinding(
            tuple(replace(all_[k], behind=max(lead, 0.0)) for k, lead in ours[:KEPT]), bare[slot], words
        )
        for slot, (ours, words) in enumerate(zip(nearest, sides, strict=True))
    ]


def _candidates(close: _Close, bank: Bank, looks: FaceLooks) -> list[Candidate]:
    """All that were compared closely, as if none were behind."""
    learnt = bank.fine[0]
    told = learnt.told[:, close.candidates]
    missing = (close.apart * told).sum(axis=0) / np.maximum(told.sum(axis=0), 1)
    lies = close.lies * TO_FINE * np.array([looks.mm, looks.mm, 1.0])
    facts = zip(
        close.candidates.tolist(), close.all_apart.tolist(), close.colour.tolist(),
        learnt.plain[close.candidates].tolist(), missing.tolist(), lies.tolist(), strict=True,
    )  # fmt: skip
    return [
        Candidate(_thing(which, bank, looks), off, colour, plain, gone, (x, y, twist))
        for which, off, colour, plain, gone, (x, y, twist) in facts
    ]


def _thing(candidate: int, bank: Bank, looks: FaceLooks) -> Thing:
    name = looks.names[bank.face[candidate]]
    return Thing((name,), 0 if name in looks.holds.plain else int(bank.turn[candidate]))


def _one_each(order: Ints, close: _Close, bank: Bank, looks: FaceLooks) -> list[int]:
    """The best of those that read the same, such as the four turns of a tile's back."""
    first: dict[Thing, int] = {}
    for k in order.tolist():
        first.setdefault(_thing(int(close.candidates[k]), bank, looks), k)
    return list(first.values())


def _champions(ranked: Sequence[Sequence[int]], close: _Close, bank: Bank) -> list[dict[int, float]]:
    """For each slot: how far each is behind the one that beats all others where the two differ, itself -9."""
    champions = [ours[0] for ours in ranked]
    leads: dict[tuple[int, int], float] = {}
    for last in (False, True):
        wanted = [
            (champion, other)
            for champion, ours in zip(champions, ranked, strict=True)
            for other in ours
            if other != champion and (champion, other) not in leads
        ]
        pairs = np.array(wanted, dtype=np.int64).reshape(-1, 2)
        leads |= dict(zip(wanted, _duels(close, pairs, bank), strict=True))
        if last:
            break
        for slot, ours in enumerate(ranked):
            first = champions[slot]
            rival = min((k for k in ours if k != first), key=lambda k: leads[first, k], default=first)
            if rival != first and leads[first, rival] < 0:
                champions[slot] = rival
    return [
        {k: leads[champion, k] if k != champion else -9.0 for k in ours}
        for champion, ours in zip(champions, ranked, strict=True)
    ]


def _duels(close: _Close, pairs: Ints, bank: Bank) -> list[float]:
    """Which of two faces a slot looks like where they differ, 1 to -1."""
    lead = np.empty(len(pairs))
    blur = close.blurs[pairs[:, 0]]
    for step in np.unique(blur):
        these = np.flatnonzero(blur == step)
        one, other = pairs[these].T
        a, b = close.candidates[one], close.candidates[other]
        learnt, loose = bank.fine[step], bank.loose[step]
        ours, theirs = learnt.cut[:, a], learnt.cut[:, b]
        off = _energy(ours - theirs)
        # what a little misplacement could do as well says little
        telling = off * off / (off + loose[:, a] + loose[:, b] + 1e-3)
        telling *= np.minimum(bank.counts[:, a], bank.counts[:, b]) * len(telling)
        nearer = _energy(close.seen.cut[:, other] - theirs) - _energy(close.seen.cut[:, one] - ours)
        said = np.clip(nearer / (off + 1e-3), -1, 1)
        # where neither is seen, something covers both
        better = np.minimum(close.apart[:, one], close.apart[:, other])
        said *= np.clip(2 - 2 * better / NEITHER, 0, 1)
        lead[these] = (said * telling).sum(axis=0) / (telling.sum(axis=0) + 1e-3)
        lead[these] += close.colour[other] - close.colour[one]
    return [float(value) for value in lead]


def _energy(cut: Floats) -> Floats:
    return np.asarray(np.einsum("bnd,bnd->bn", cut, cut))
