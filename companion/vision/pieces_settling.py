"""Stacks that may stand in a slot, and which of them do: the surest first.

For a stack that may stand in a slot, the evidence of all spots that it would hide is added up, for all slots
at once. Every stack that is surer than those it touches is taken, what it hides counts no longer, and its
neighbours are looked at again, until nothing speaks for another piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.vision.pieces_evidence import Evidence, likeliest
from companion.vision.pieces_print import Floats
from companion.vision.pieces_shapes import Ints, Shape
from companion.vision.pieces_sites import Sites

# What it costs to stand as far off the slot's middle as is looked, in parts of all that a piece can say.
OFF_COST = 0.15
# Few pieces stand where they may stand anywhere: what is as likely in its own place stands there.
ANYWHERE_COST = 0.2
# Where a piece may stand anywhere, a place where nothing of it would be visible costs this much.
UNSEEN_COST = 0.4
# A stack must say this much more than what it is compared to, for each piece more.
EACH_MORE = 0.03
# Of one piece in a stack, this part of a whole piece must be seen before its evidence counts in full.
LEAST_SEEN = 0.15
# Every so many pixels of a silhouette are enough for the first search, and for the second.
THINNED, FINELY = 4, 2
# A shape of which even the best base says no more than this is not looked into, nor a stack of such pieces.
BARE = -0.8
# Mean evidence from which a piece stands in its place: a bare place shows its print (-1), a covered one does
# not, even where print and paint are much alike.
STANDS = -0.45
# And how much more it must say than the ring around it: a shadow has no outline.
STANDS_APART = 0.5
# The same where a piece may stand anywhere, and how much more it must say than the ring around it: what goes
# on beyond the silhouette is the print under an odd light.
STANDS_ANYWHERE, STANDS_OUT = -0.1, 0.95
# A piece behind another must say this much more than a stack of the two would.
TWO_SAY_MORE = 0.2
# How much the paints of two pieces of different forms count where both would be, beside all that is said.
PAINT_COUNTS = 0.6
# Of a piece this much must be visible.
VISIBLE = 0.3


@dataclass(frozen=True, eq=False)
class Guess:
    """A stack that may stand in a slot."""

    stack: tuple[int, ...]
    """Paints by number, from the bottom up."""
    score: float
    """Evidence, in parts of all that one piece can say."""
    mean: float
    """Evidence of what is visible of the part that says least, from -1 to 1."""
    visible: float
    out: float
    """How much more it says than the ring around it."""
    base: int
    """The spot on which it stands."""
    shape: Shape
    box: int
    taken: bool = False
    """It stands there."""
    top: Floats | None = None
    """The colour of its top, where anything stands and shows it."""
    strange: float = 30.0
    """How far that is off its paint in this photo (squares of what is usual); much, where it is not seen."""

    @property
    def says(self) -> float:
        """Evidence in pixels: what explains most of the picture goes first, be it large or small."""
        return self.score * float(self.shape.full[self.box])

    @property
    def stands_out(self) -> float:
        """Less if little of it is visible."""
        return self.out * float(np.sqrt(self.visible))

    def scored(self, score: float) -> Guess:
        """The same with another score: there are hundreds, and `replace` takes three times as long."""
        return Guess(
            self.stack, score, self.mean, self.visible, self.out, self.base, self.shape, self.box,
            self.taken, self.top, self.strange,
        )  # fmt: skip

    @cached_property
    def hidden(self) -> Ints:
        """The spots that it hides."""
        return self.base + np.concatenate([part.of(self.box) for part in self.shape.parts])


def settle(sites: Sites, evidence: Evidence) -> list[list[Guess]]:
    """The guesses for each site, the likeliest first, at the time when its turn came. Uses `evidence` up."""
    bases = sites.coarsely(evidence.covered())
    guesses = _guesses(sites, [i for i, spots in enumerate(bases) if len(spots)], bases, evidence)
    waiting = set(guesses)
    while True:
        standing = [i for i in sorted(waiting) if guesses[i] and stands(sites, i, guesses[i][0])]
        if not standing:
            return [guesses.get(i, []) for i in range(len(sites))]
        extents = _extents([guesses[i][0] for i in standing], evidence)
        scores = np.array([guesses[i][0].says for i in standing])
        order = np.argsort(np.argsort(-scores, kind="stable"))
        outdone = np.asarray((_touching(extents, extents) & (order[None] < order[:, None])).any(axis=1))
        surest = [standing[row] for row in np.flatnonzero(~outdone)]
        waiting -= set(surest)
        for i in surest:
            others = (guesses[k] for k in waiting if sites.reaches[k])
            guesses[i] = _or_two(guesses[i], others, evidence)
            guesses[i] = _taken(guesses[i], evidence)
            evidence.hide(guesses[i][0].hidden)
        rest = [i for i in sorted(waiting) if guesses[i]]
        if rest:
            taken = _extents([guesses[i][0] for i in surest], evidence)
            near = _touching(_extents([guesses[i][0] for i in rest], evidence), taken)
            # what spoke louder than the piece before it and yet stood for nothing is settled
            louder = np.array([guesses[i][0].says for i in rest])[:, None] > scores[~outdone][None]
            again = np.flatnonzero(np.asarray((near & ~louder).any(axis=1)))
            guesses |= _guesses(sites, [rest[row] for row in again], bases, evidence)


def stands(sites: Sites, site: int, guess: Guess) -> bool:
    if guess.visible < VISIBLE:
        return False
    if sites.reaches[site]:
        return guess.mean > STANDS and guess.out > STANDS_APART
    return guess.mean > STANDS_ANYWHERE and guess.stands_out > STANDS_OUT


def _or_two(ranked: list[Guess], others: Iterable[list[Guess]], evidence: Evidence) -> list[Guess]:
    """A stack, or one piece before another: the other one may explain the top better from its own slot."""
    stack = ranked[0]
    alone = next((guess for guess in ranked if guess.stack == stack.stack[:-1]), None)
    if alone is None:
        return ranked
    rivals = [rest[0] for rest in others if rest and rest[0].stack[-1] == stack.stack[-1]]
    if not rivals:
        return ranked
    touch = _touching(_extents(rivals, evidence), _extents([stack], evidence))[:, 0]
    tops = [rival.score for rival, is_near in zip(rivals, touch, strict=True) if is_near]
    if max(tops, default=-1.0) < stack.score - alone.score + TWO_SAY_MORE:
        return ranked
    return [alone, *(guess for guess in ranked if guess is not alone)]


def _taken(ranked: list[Guess], evidence: Evidence) -> list[Guess]:
    """The first one stands; with the colours of its top and of the likeliest stack of another number."""
    numbers: set[int] = set()
    found = []
    for guess in ranked:
        if len(guess.stack) not in numbers:
            numbers.add(len(guess.stack))
            top = evidence.colour(guess.base + guess.shape.parts[-1].of(guess.box))
            guess = replace(guess, taken=guess is ranked[0], top=top)
        found.append(guess)
    return found


def _extents(guesses: Sequence[Guess], evidence: Evidence) -> Ints:
    """The boxes around stacks: n x 4, top, left, bottom, right."""
    bases = np.array([divmod(guess.base, evidence.size[1]) * 2 for guess in guesses], dtype=np.int64)
    return np.asarray(bases + np.array([guess.shape.extent[guess.box] for guess in guesses]))


def _touching(some: Ints, others: Ints) -> NDArray[np.bool_]:
    a, b = some[:, None], others[None]
    apart = (a[..., :2] > b[..., 2:]) | (b[..., :2] > a[..., 2:])
    return np.asarray(~apart.any(axis=2))


def _guesses(
    sites: Sites, which: Sequence[int], bases: Sequence[Ints], evidence: Evidence
) -> dict[int, list[Guess]]:
    """Each stack that may stand in each of these sites, where it does so best, the likeliest first."""
    found: dict[int, list[Guess]] = {i: [] for i in which}
    for holds, shapes in sites.shapes.items():
        left = np.array([i for i in which if sites.all[i].holds == holds], dtype=np.int64)
        for shape in shapes:
            single = len(shape.parts) == 1
            looked = left if single else np.array([i for i in left if found[i]], dtype=np.int64)
            for guess, site in _best(sites, looked, bases, shape, evidence):
                found[site].append(guess)
    for ranked in found.values():
        # a small piece that does not stand here has less against it than a large one that does
        ranked.sort(key=lambda guess: (guess.mean <= STANDS, -guess.score))
        if len(ranked) > 1 and ranked[0].shape is not ranked[1].shape:
            _by_paint(ranked, evidence)
    _compare_with_rings([ranked for ranked in found.values() if ranked], evidence)
    return found


def _by_paint(ranked: list[Guess], evidence: Evidence) -> None:
    """Pieces of different forms are seen in other spots each: over the same spots, their paints tell more."""
    single = [guess for guess in ranked if len(guess.stack) == 1 and guess.mean > STANDS]
    if len(single) < 2:
        return
    first = single[0]
    sums = evidence.over(first.shape.parts[0], np.array([first.base]), np.array([first.box]))[0]
    said = PAINT_COUNTS * sums / max(float(sums[-1]), 1.0)
    most = max(float(said[guess.stack[0]]) for guess in single)
    for guess in single:
        k = ranked.index(guess)
        ranked[k] = guess.scored(guess.score + float(said[guess.stack[0]]) - most)
    ranked.sort(key=lambda guess: (guess.mean <= STANDS, -guess.score))


def _best(
    sites: Sites, which: Ints, bases: Sequence[Ints], shape: Shape, evidence: Evidence
) -> list[tuple[Guess, int]]:
    """For each of these sites where anything speaks for this shape, each stack of it where it stands best."""
    if not len(which):
        return []
    coarse = np.concatenate([bases[i] for i in which])
    lengths = np.array([len(bases[i]) for i in which])
    ends = np.cumsum(lengths)
    rough = _weighed(sites, np.repeat(which, lengths), coarse, shape, THINNED, evidence)
    says = np.maximum.reduceat(likeliest(rough.means), ends - lengths)
    kept = np.flatnonzero(says >= BARE)
    if not len(kept):
        return []
    value = likeliest(rough.sums)
    parts = zip((ends - lengths)[kept].tolist(), ends[kept].tolist(), strict=True)
    starts = coarse[[low + int(value[low:high].argmax()) for low, high in parts]]
    near, of = sites.near(which[kept], starts)
    fine = _weighed(sites, which[kept][of], near, shape, FINELY, evidence)
    groups = pairwise(np.searchsorted(of, np.arange(len(kept) + 1)).tolist())
    tops = np.array([low + fine.sums[low:high].argmax(axis=0) for low, high in groups])
    columns = np.arange(len(shape.stacks))
    found = []
    for site, *told in zip(
        which[kept].tolist(), fine.sums[tops, columns].tolist(), fine.means[tops, columns].tolist(),
        fine.visible[tops].tolist(), near[tops].tolist(), strict=True,
    ):  # fmt: skip
        box = int(sites.boxes[site])
        for stack, score, mean, visible, base in zip(shape.stacks, *told, strict=True):
            found.append((Guess(stack, score, mean, visible, 0.0, base, shape, box), site))
    return found


@dataclass(frozen=True, eq=False)
class _Weighed:
    """Evidence for each base (rows) and stack (columns) of a shape."""

    sums: Floats
    """In parts of all that one piece can say, less what its place costs."""
    visible: Floats
    """For each base: the part of the stack that is visible."""
    means: Floats
    """Evidence of what is visible of the piece that says least, from -1 to 1."""


def _weighed(sites: Sites, of: Ints, bases: Ints, shape: Shape, thinned: int, evidence: Evidence) -> _Weighed:
    boxes = sites.boxes[of]
    full = shape.full[boxes]
    columns = shape.columns
    totals = np.zeros((len(bases), len(shape.stacks)), dtype=np.float32)
    means = np.full(totals.shape, np.inf, dtype=np.float32)
    seen, sizes = np.zeros(len(bases), dtype=np.float32), np.zeros(len(bases), dtype=np.float32)
    for part, whole, column in zip(shape.thinned(thinned), shape.parts, columns, strict=True):
        # a part that was thinned out stands for all of it
        more = whole.sizes[boxes] / np.maximum(part.sizes[boxes], 1)
        sums = evidence.over(part, bases, boxes) * more[:, None]
        said = sums[:, column]
        totals += said
        # a part of which little is visible says little, not nothing
        means = np.minimum(means, said / np.maximum(sums[:, -1], LEAST_SEEN * full)[:, None])
        seen += sums[:, -1]
        sizes += whole.sizes[boxes]
    visible = seen / np.maximum(sizes, 1)
    placed = OFF_COST * np.square(sites.off(bases, of))
    costs = np.where(sites.reaches[of] > 0, placed, ANYWHERE_COST + UNSEEN_COST * (1 - visible))
    costs = (costs + EACH_MORE * (len(columns) - 1)).astype(np.float32)
    return _Weighed(totals / full[:, None] - costs[:, None], visible.astype(np.float32), means)


def _compare_with_rings(found: Iterable[list[Guess]], evidence: Evidence) -> None:
    """How much more the likeliest stack of each slot says than the ring around it, for its own top."""
    by_shape: dict[Shape, list[list[Guess]]] = {}
    for ranked in found:
        by_shape.setdefault(ranked[0].shape, []).append(ranked)
    for shape, ours in by_shape.items():
        bases, boxes = np.array([(ranked[0].base, ranked[0].box) for ranked in ours]).T
        for ranked, ring in zip(ours, evidence.over(shape.ring, bases, boxes).tolist(), strict=True):
            first = ranked[0]
            ranked[0] = replace(first, out=first.mean - ring[first.stack[-1]] / max(ring[-1], 1))
