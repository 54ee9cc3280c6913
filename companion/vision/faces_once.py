"""Faces that exist once cannot lie in two slots: what one slot surely shows, another one does not.

Each slot has some candidates with their odds. Slots that could show the same face are looked at together: all
ways to read them are tried out that are not hopeless, and a reading is as likely as the ways in which it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Odds = NDArray[np.float64]

# The odds of something that is not among the candidates: another edition's tile, a second copy. Without it,
# two slots that both show the same face would each be forced to be read as something that they do not show.
UNKNOWN = 3e-4
# The same where a slot would be read as other than what it looks like most: that is worth a question.
OVERRULED = 2e-2
# A way to read some slots is not followed when it is less likely than this against the likeliest so far; if
# there are too many steps on all of them, dead ends too, those are followed that are likelier.
HOPELESS = 1e-6
MOST_STEPS = 30_000


def settled(
    names: Sequence[Sequence[str]], odds: Sequence[Odds], once: Collection[str], unknown: Sequence[float] = ()
) -> list[Odds]:
    """For each slot the probabilities of its candidates, given their names and odds by the looks alone.

    The first candidate is the one that the slot looks like most; `unknown`: the odds that it is none of them.
    """
    rest = np.array(unknown or [0.0] * len(odds)) + UNKNOWN
    chances = [each / (each.sum() + other) for each, other in zip(odds, rest, strict=True)]
    for slots in _together(names, odds, once):
        options = [_options(names[slot], odds[slot], float(rest[slot]), once) for slot in slots]
        for slot, found in zip(slots, _tried_out(options), strict=True):
            chances[slot] = found[: len(odds[slot])]
    for each in chances:
        if each.argmax() != 0:
            each /= 1 + OVERRULED
    return chances


Option = tuple[float, int, str]
"""Odds, the candidate's number, and its name if that exists once."""


def _options(names: Sequence[str], odds: Odds, unknown: float, once: Collection[str]) -> list[Option]:
    """The likeliest first; the last number stands for what is none of the candidates."""
    known = [(float(p), k, n if n in once else "") for k, (n, p) in enumerate(zip(names, odds, strict=True))]
    return sorted([*known, (unknown, len(names), "")], key=lambda option: (-option[0], option[1]))


def _together(
    names: Sequence[Sequence[str]], odds: Sequence[Odds], once: Collection[str]
) -> Iterator[list[int]]:
    """Groups of slots that could show the same face."""
    group = list(range(len(names)))
    first: dict[str, int] = {}
    for slot, (ours, each) in enumerate(zip(names, odds, strict=True)):
        for name, likely in zip(ours, each, strict=True):
            if name in once and likely > UNKNOWN:
                old, new = group[slot], group[first.setdefault(name, slot)]
                group = [new if one == old else one for one in group]
    for number in sorted(set(group)):
        slots = [slot for slot, one in enumerate(group) if one == number]
        if len(slots) > 1:
            yield slots


def _tried_out(options: Sequence[Sequence[Option]]) -> list[Odds]:
    """For each slot the share of each of its candidates, and of none, in all ways to read them."""
    hopeless = HOPELESS
    while True:
        ways = _Ways(options, hopeless)
        if ways.follow(0, 1.0, frozenset()):
            return [total / total.sum() for total in ways.totals]
        hopeless *= 10


class _Ways:
    def __init__(self, options: Sequence[Sequence[Option]], hopeless: float) -> None:
        # the surest first: what they take is soon gone for the others
        self.order = sorted(range(len(options)), key=lambda slot: options[slot][1][0])
        self.options = [options[slot] for slot in self.order]
        self.hopeless = hopeless
        self.best = 0.0
        self.left = MOST_STEPS
        self.chosen: list[int] = []
        self.totals = [np.zeros(len(each)) for each in options]

    def follow(self, depth: int, weight: float, taken: frozenset[str]) -> bool:
        """Adds up all ways that go on from here; False if there are too many."""
        self.left -= 1
        if depth == len(self.options):
            self.best = max(self.best, weight)
            for slot, number in zip(self.order, self.chosen, strict=True):
                self.totals[slot][number] += weight
            return self.left > 0
        for odds, number, name in self.options[depth]:
            if weight * odds < self.hopeless * self.best or odds == 0:
                break
            if name and name in taken:
                continue
            self.chosen.append(number)
            enough = self.follow(depth + 1, weight * odds, taken | {name} if name else taken)
            self.chosen.pop()
            if not enough:
                return False
        return self.left > 0
