"""Which face lies in each slot, in which turn, or none.

Every candidate (a face in a turn) is searched coarsely; the likeliest are aligned; all are compared where the
best one lies; the likeliest of these are aligned on their own and compared at full resolution. Last, two by
two, only where the two differ: a numeral decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from companion.vision.faces import FINE, MIDDLE, FaceLooks, Floats, Straightened, shrunk_all
from companion.vision.faces_bank import (
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
from companion.vision.faces_duels import COLOUR_COUNTS, Close, champions, looked_at
from companion.vision.faces_fair import TO_FINE, Entries, Sight, blocks_seen, cells_seen, sight_of
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
# Candidates that differ by more than this more than the best are out; the first so many stay in any case.
OUT, STAY = 0.15, 3
# So many candidates of a slot are told.
KEPT = 6


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


def find_faces(
    straight: Straightened, prints: Floats, bare: Ints, looks: FaceLooks, reach: float
) -> list[FaceFinding]:
    """`straight`: slots level with a face, which lies at most `reach` pixels off the slot's middle.

    `prints`: n x 2, where the slot's middle on the print is seen, in pixels; `bare`: which print is theirs.
    """
    bank = bank_of(looks)
    sight = sight_of(straight, looks, bank)
    halves = shrunk_all(sight.details, 2)
    slots, candidates, lies = _ways(*coarse_search(halves, bank, TOP, int(np.ceil(reach * TINY / FINE))))
    lies = align(halves, slots, lies, candidates, bank, WAYS_ROUNDS, WAYS_REACH)
    slots, candidates, lies = _best_way(halves, slots, lies, bank)
    lies = align(halves, slots, lies, candidates, bank, BEST_ROUNDS, WAYS_REACH)
    slots, candidates, lies = _likely(halves, sight.small, lies, bank)
    lies = align(halves, slots, lies, candidates, bank, CLOSE_ROUNDS, CLOSE_REACH)
    close = looked_at(Entries(slots, candidates, lies), sight)
    likeliest = np.lexsort((close.score, slots))[np.searchsorted(slots, np.arange(len(halves)))]
    softer = sight.softened(close.pairs.of_those(likeliest), close.entries.of_those(likeliest))
    if softer is not sight:
        close, sight = looked_at(close.entries, softer), softer
    return _findings(close, sight, _bare(sight, prints, bare), looks)


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
    cells = cells_seen(small, every, lying)[:, None]
    colours = colours_apart(cells, bank.cells[first], bank.cell_counts[first])
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


def _bare(sight: Sight, middles: Floats, bare: Ints) -> list[Candidate]:
    """How much each slot looks like its own print, or where no photo showed that, like another slot's."""
    prints, seen_bare = bare_bank_of(sight.looks), sight.looks.bare_seen
    unknown = ~seen_bare[bare] & (len(prints.usual) > 0) if len(seen_bare) else np.zeros(len(bare), np.bool_)
    pairs = [(k, p) for k, own in enumerate(bare) for p in (prints.usual if unknown[k] else (own,))]
    slots, those = np.array(pairs, dtype=np.int64).T
    lies = (np.column_stack([middles, np.zeros(len(bare))]).astype(np.float32) / TO_FINE)[slots]
    seen = blocks_seen(sight.details, slots, lies)
    colour = colours_apart(cells_seen(sight.small, slots, lies), prints.cells[those], prints.cell_counts)
    off = np.empty(len(slots), dtype=np.float32)
    steps = sight.steps[slots]
    for step in np.unique(steps):
        these = np.flatnonzero(steps == step)
        unlike = apart_each(seen.of_those(these), prints.fine[step].of_those(those[these]))
        off[these] = prints.counts @ unlike
    plain = 1 - (prints.counts @ prints.fine[0].told)[those]
    best = np.lexsort((off + COLOUR_COUNTS * colour, slots))[np.searchsorted(slots, np.arange(len(bare)))]
    return [
        Candidate(NOTHING, a, c, p, 0.0, (0.0, 0.0, 0.0))
        for a, c, p in zip(off[best].tolist(), colour[best].tolist(), plain[best].tolist(), strict=True)
    ]


def _findings(close: Close, sight: Sight, bare: Sequence[Candidate], looks: FaceLooks) -> list[FaceFinding]:
    bank, entries = sight.bank, close.entries
    order = np.lexsort((close.score, entries.slots))
    ends = np.searchsorted(entries.slots[order], np.arange(len(bare) + 1))
    ranked = [_one_each(order[a:b], entries, bank, looks) for a, b in pairwise(ends)]
    nearest = [sorted(leads.items(), key=lambda one: one[1]) for leads in champions(ranked, close, sight)]
    first = np.array([ours[0][0] for ours in nearest])
    all_ = _candidates(close, bank, looks)
    things = [all_[k].thing for k in first]
    seen, unlike = close.pairs.seen.of_those(first), close.pairs.apart[:, first]
    sides = other_sides(seen, sight.steps[entries.slots[first]], things, unlike, looks)
    return [
        FaceFinding(
            tuple(replace(all_[k], behind=max(lead, 0.0)) for k, lead in ours[:KEPT]), bare[slot], words
        )
        for slot, (ours, words) in enumerate(zip(nearest, sides, strict=True))
    ]


def _candidates(close: Close, bank: Bank, looks: FaceLooks) -> list[Candidate]:
    """All that were compared closely, as if none were behind."""
    learnt = bank.fine[0]
    told = learnt.told[:, close.entries.candidates] * close.counts
    missing = (close.pairs.apart * told).sum(axis=0) / np.maximum(told.sum(axis=0), 1e-3)
    lies = close.entries.lies * TO_FINE * np.array([looks.mm, looks.mm, 1.0])
    facts = zip(
        close.entries.candidates.tolist(), close.all_apart.tolist(), close.pairs.colour.tolist(),
        (1 - told.sum(axis=0)).tolist(), missing.tolist(), lies.tolist(), strict=True,
    )  # fmt: skip
    return [
        Candidate(_thing(which, bank, looks), off, colour, plain, gone, (x, y, twist))
        for which, off, colour, plain, gone, (x, y, twist) in facts
    ]


def _thing(candidate: int, bank: Bank, looks: FaceLooks) -> Thing:
    name = looks.names[bank.face[candidate]]
    return Thing((name,), 0 if name in looks.holds.plain else int(bank.turn[candidate]))


def _one_each(order: Ints, entries: Entries, bank: Bank, looks: FaceLooks) -> list[int]:
    """The best of those that read the same, such as the four turns of a tile's back."""
    first: dict[Thing, int] = {}
    for k in order.tolist():
        first.setdefault(_thing(int(entries.candidates[k]), bank, looks), k)
    return list(first.values())
