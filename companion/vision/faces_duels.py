"""Candidates of a slot against each other, two by two, only where the two differ: a numeral decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from companion.vision.faces import Floats
from companion.vision.faces_fair import Entries, Pairs, Sight
from companion.vision.faces_search import Ints

# What other colours count against other detail.
COLOUR_COUNTS = 0.4
# A block that differs by more than this from two faces shows neither.
NEITHER = 0.7
# Blocks that differ by no more than the usual block, times this, differ by noise; at most by so much.
NOISE, MOST_NOISE = 2.0, 1.0
# With this much to tell two faces apart (squares of detail), half of what it says is believed.
LITTLE = 8.0
# How much fainter or stronger a photo may show all detail.
FAINTER = (0.5, 1.3)
# What the colours say in a duel: less, since light tells them wrong over a whole face.
COLOUR_LEADS = 0.5


@dataclass(frozen=True)
class Close:
    """Candidates that were compared closely with their slots."""

    entries: Entries
    pairs: Pairs
    counts: Floats
    """Blocks x entries: how much each counts, together 1."""

    @cached_property
    def all_apart(self) -> Floats:
        return np.asarray(np.einsum("bn,bn->n", self.pairs.apart, self.counts))

    @property
    def score(self) -> Floats:
        return np.asarray(self.all_apart + COLOUR_COUNTS * self.pairs.colour)


def looked_at(entries: Entries, sight: Sight) -> Close:
    return Close(entries, sight.pairs(entries), sight.bank.counts[:, entries.candidates])


def champions(ranked: Sequence[Sequence[int]], close: Close, sight: Sight) -> list[dict[int, float]]:
    """For each slot: how far each is behind the one that beats all others where the two differ, itself -9."""
    best = [ours[0] for ours in ranked]
    leads: dict[tuple[int, int], float] = {}
    for last in (False, True):
        wanted = [
            (champion, other)
            for champion, ours in zip(best, ranked, strict=True)
            for other in ours
            if other != champion and (champion, other) not in leads
        ]
        pairs = np.array(wanted, dtype=np.int64).reshape(-1, 2)
        leads |= dict(zip(wanted, _leads(close, pairs, sight).tolist(), strict=True))
        if last:
            break
        for slot, ours in enumerate(ranked):
            first = best[slot]
            rival = min((k for k in ours if k != first), key=lambda k: leads[first, k], default=first)
            if rival != first and leads[first, rival] < 0:
                best[slot] = rival
    return [
        {k: leads[champion, k] if k != champion else -9.0 for k in ours}
        for champion, ours in zip(best, ranked, strict=True)
    ]


def _leads(close: Close, pairs: Ints, sight: Sight) -> Floats:
    """Which of two faces a slot looks like where they differ, 1 to -1."""
    lead = _duels(close.pairs, close.counts, pairs)
    bank, entries = sight.bank, close.entries
    # where one of the two is known less well than the slot is seen, both are looked at as poorly
    both, own = entries.candidates[pairs], sight.steps[entries.slots[pairs[:, 0]]]
    steps = np.maximum(bank.steps[both].max(axis=1), own)
    unfair = (steps > own) | bank.full[both].any(axis=1)
    for step in np.unique(steps[unfair]):
        these = np.flatnonzero(unfair & (steps == step))
        which, inverse = np.unique(pairs[these], return_inverse=True)
        poorer = sight.poorer(entries.of_those(which), np.full(len(which), step))
        lead[these] = _duels(poorer, close.counts[:, which], inverse.reshape(-1, 2))
    return lead


def _duels(shown: Pairs, counts: Floats, pairs: Ints) -> Floats:
    one, other = pairs.T
    ours, theirs = shown.learnt.energy[:, one], shown.learnt.energy[:, other]
    common = np.einsum("bnd,bnd->bn", shown.learnt.cut[:, one], shown.learnt.cut[:, other])
    off = np.maximum(ours + theirs - 2 * common, 0)
    # what differs all over is noise, or another light; what a little misplacement could do says little too
    noise = np.minimum(NOISE * np.quantile(off, 0.25, axis=0), MOST_NOISE)
    clear = np.maximum(off - noise, 0) * np.minimum(counts[:, one], counts[:, other]) * len(off)
    telling = clear * np.sqrt(clear / (off + shown.loose[:, one] + shown.loose[:, other] + 1e-3))
    # a photo that shows all detail fainter than it was learnt would else look like the plainer face
    agreed = shown.agreed[:, one].sum(axis=0) + shown.agreed[:, other].sum(axis=0)
    faint = np.clip(agreed / (ours.sum(axis=0) + theirs.sum(axis=0) + 1e-3), *FAINTER)
    nearer = (shown.seen.energy[:, other] - shown.seen.energy[:, one]) / faint**2 + theirs - ours
    nearer += (shown.agreed[:, one] - shown.agreed[:, other]) * (2 / faint)
    said = np.clip(nearer / (off + 1e-3), -1, 1)
    # where neither is seen, something covers both
    better = np.minimum(shown.apart[:, one], shown.apart[:, other])
    said *= np.clip(2 - 2 * better / NEITHER, 0, 1)
    lead = (said * telling).sum(axis=0) / (telling.sum(axis=0) + LITTLE)
    return np.asarray(lead + COLOUR_LEADS * (shown.colour[other] - shown.colour[one]), dtype=np.float32)
