"""Stacks that may stand in a slot, and which of them do: the surest first.

For a stack that may stand in a slot, the evidence of all spots that it would hide is added up. The surest
stack of the whole board is taken, what it hides counts no longer, and its neighbours are looked at again,
until nothing speaks for another piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Design, Pieces, SheetPose, Slot
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import Floats, Ground
from companion.vision.pieces_shapes import Ints, Shape, Shapes, sums, weighed
from companion.vision.plane import moved

# How far off its slot's middle a piece is looked for, in parts of the slot's half width, and what that
# costs at that distance, in parts of all that a piece can say.
OFF_PLACE, OFF_COST = 0.5, 0.15
# Where a piece may stand anywhere, a place where nothing of it would be visible costs this much.
UNSEEN_COST = 0.4
# Steps of the first search, in pixels; the second goes pixel by pixel about the best.
COARSE = 3
# Every so many pixels of a silhouette are enough for the first search, and for the second.
THINNED, FINELY = 4, 2
# A shape of which even the best base says no more than this is not looked into, nor a stack of such pieces.
BARE = -0.8
# A base is not looked into where the mean evidence of a box of so many pixels about it is less than this.
COVERED_BOX, COVERED = 7, -0.8
# Mean evidence from which a piece stands in its place: a bare place shows its print (-1), a covered one does
# not, even where print and paint are much alike.
STANDS = -0.35
# And how much more it must say than the ring around it: a shadow has no outline.
STANDS_APART = 0.5
# The same where a piece may stand anywhere, and how much more it must say than the ring around it: what goes
# on beyond the silhouette is the print under an odd light.
STANDS_ANYWHERE, STANDS_OUT = -0.1, 0.95
# A piece behind another must say this much more than a stack of the two would.
TWO_SAY_MORE = 0.2
# Of a piece this much must be visible.
VISIBLE = 0.3


@dataclass(frozen=True, eq=False)
class Guess:
    """A stack that may stand in a slot."""

    stack: tuple[int, ...]
    """Columns of the evidence, from the bottom up."""
    score: float
    """Evidence, in parts of all that one piece can say."""
    mean: float
    """Evidence of what is visible of it, from -1 to 1."""
    visible: float
    out: float
    """How much more it says than the ring around it."""
    at: tuple[int, int]
    """Row and column of its base."""
    shape: Shape

    @property
    def stands_out(self) -> float:
        """Less if little of it is visible."""
        return self.out * float(np.sqrt(self.visible))


@dataclass(frozen=True, eq=False)
class Site:
    """A slot on the ground."""

    pose: SheetPose
    slot: Slot
    shapes: tuple[Shape, ...]
    bases: Ints
    """n x 2, row and column: where a piece may stand, coarsely."""
    allowed: NDArray[np.bool_]
    """Where it may, pixel by pixel."""
    origin: tuple[int, int]
    """Row and column of `allowed`'s first pixel."""
    middle: Matrix
    reach: float
    """How far off the middle it is looked for, in pixels; 0 where a piece may stand anywhere."""

    def costs(self, bases: Ints, visible: Floats) -> Floats:
        if not self.reach:
            return np.asarray(UNSEEN_COST * (1 - visible), dtype=np.float32)
        off = np.hypot(bases[:, 0] - self.middle[1], bases[:, 1] - self.middle[0]) / self.reach
        return np.asarray(OFF_COST * off * off, dtype=np.float32)

    def near(self, base: Ints) -> Ints:
        """Pixel by pixel about a coarse base."""
        steps = np.arange(-COARSE + 1, COARSE)
        bases = base + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        inner = bases - np.array(self.origin)
        inside = (inner >= 0).all(axis=1) & (inner < np.array(self.allowed.shape)).all(axis=1)
        bases, inner = bases[inside], inner[inside]
        return np.asarray(bases[self.allowed[inner[:, 0], inner[:, 1]]])


def sites_of(poses: Sequence[SheetPose], design: Design, ground: Ground, looks: PieceLooks) -> list[Site]:
    shapes = Shapes(ground, looks)
    sites = []
    for pose in poses:
        to_pixels = ground.window.to_pixels() @ ground.lies[pose.place]
        for slot in design.slots.get(pose.sheet, ()):
            if isinstance(slot.holds, Pieces):
                outline = moved(to_pixels, np.array(slot.polygon))
                middle = moved(ground.window.to_mm(), outline.mean(axis=0)[None])[0]
                site = _site(pose, slot, outline, ground.printed.shape)
                sites.append(replace(site, shapes=shapes.of(slot.holds, middle)))
    return sites


def _site(pose: SheetPose, slot: Slot, outline: Matrix, size: tuple[int, ...]) -> Site:
    middle = outline.mean(axis=0)
    anywhere = isinstance(slot.holds, Pieces) and slot.holds.anywhere
    reach = 0.0 if anywhere else float(np.ptp(outline, axis=0).mean()) / 2 * OFF_PLACE
    low, high = (outline.min(axis=0), outline.max(axis=0)) if anywhere else (middle - reach, middle + reach)
    low = np.clip(np.floor(low).astype(int), 0, (size[1] - 1, size[0] - 1))
    high = np.clip(np.ceil(high).astype(int) + 1, low + 1, (size[1], size[0]))
    y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
    if anywhere:
        mask = np.zeros(x.shape, np.uint8)
        cv2.fillPoly(mask, [np.round((outline - low) * 16).astype(np.int32)], 1, shift=4)
        allowed = mask > 0
    else:
        allowed = np.hypot(x - middle[0], y - middle[1]) <= reach
    coarse = allowed & ((x - int(middle[0])) % COARSE == 0) & ((y - int(middle[1])) % COARSE == 0)
    bases = np.column_stack([y[coarse], x[coarse]])
    return Site(pose, slot, (), bases, allowed, (int(low[1]), int(low[0])), middle, reach)


def settle(sites: Sequence[Site], evidence: Floats) -> tuple[list[list[Guess]], NDArray[np.bool_]]:
    """The guesses for each site at the time when its turn came, the surest site first; and where none stands.

    Uses `evidence` up.
    """
    covered = _covered(evidence)
    sites = [replace(site, bases=site.bases[covered[site.bases[:, 0], site.bases[:, 1]]]) for site in sites]
    waiting = {index: guesses(site, evidence) for index, site in enumerate(sites)}
    settled: dict[int, list[Guess]] = {}
    while waiting:
        index = max(waiting, key=lambda i: waiting[i][0].score if waiting[i] else -np.inf)
        settled[index] = waiting.pop(index)
        if not settled[index] or not stands(sites[index], settled[index][0]):
            continue
        settled[index] = _or_two(settled[index], (waiting[i] for i in waiting if sites[i].reach))
        first = settled[index][0]
        _hide(evidence, first)
        for other, rest in waiting.items():
            if rest and _touch(first, rest[0]):
                waiting[other] = guesses(sites[other], evidence)
    return [settled[index] for index in range(len(sites))], evidence[..., -1] > 0


def _or_two(ranked: list[Guess], others: Iterable[list[Guess]]) -> list[Guess]:
    """A stack, or one piece before another: the other one may explain the top better from its own slot."""
    stack = ranked[0]
    alone = next((guess for guess in ranked if guess.stack == stack.stack[:-1]), None)
    if alone is None:
        return ranked
    likeliest = (rest[0] for rest in others if rest)
    tops = (g.score for g in likeliest if g.stack[-1] == stack.stack[-1] and _touch(stack, g))
    if max(tops, default=-1.0) < stack.score - alone.score + TWO_SAY_MORE:
        return ranked
    return [alone, *(guess for guess in ranked if guess is not alone)]


def _covered(evidence: Floats) -> NDArray[np.bool_]:
    """Where something may stand at all: elsewhere the print is all there is."""
    any_ = reduce(np.maximum, (evidence[..., k] for k in range(evidence.shape[2] - 1)))
    return np.asarray(cv2.blur(any_, (COVERED_BOX, COVERED_BOX)) > COVERED)


def guesses(site: Site, evidence: Floats) -> list[Guess]:
    """Each stack that may stand here, where it does so best, the likeliest first."""
    best: dict[tuple[int, ...], Guess] = {}
    bare = True
    for shape in site.shapes if len(site.bases) else ():
        if len(shape.parts) > 1 and bare:
            continue
        rough = weighed(evidence, site.bases, shape, THINNED)
        bare = float(rough.means.max()) < BARE
        if bare:
            continue
        start = site.bases[(rough.sums.max(axis=1) - site.costs(site.bases, rough.visible)).argmax()]
        bases = site.near(start)
        fine = weighed(evidence, bases, shape, FINELY)
        scores = fine.sums - site.costs(bases, fine.visible)[:, None]
        for column, stack in enumerate(shape.stacks):
            row = int(scores[:, column].argmax())
            score, mean = float(scores[row, column]), float(fine.means[row, column])
            at = (int(bases[row, 0]), int(bases[row, 1]))
            best[stack] = Guess(stack, score, mean, float(fine.visible[row]), 0.0, at, shape)
    # a small piece that does not stand here has less against it than a large one that does
    ranked = sorted(best.values(), key=lambda guess: (guess.mean <= STANDS, -guess.score))
    if ranked:
        ranked[0] = replace(ranked[0], out=_stands_out(evidence, ranked[0]))
    return ranked


def _stands_out(evidence: Floats, guess: Guess) -> float:
    """How much more a stack says than the ring around it, for its own top."""
    ring = sums(evidence, np.array([guess.at]), guess.shape.ring)[0]
    return guess.mean - float(ring[guess.stack[-1]] / max(ring[-1], 1))


def stands(site: Site, guess: Guess) -> bool:
    if guess.visible < VISIBLE:
        return False
    if site.reach:
        return guess.mean > STANDS and guess.out > STANDS_APART
    return guess.mean > STANDS_ANYWHERE and guess.stands_out > STANDS_OUT


def _hide(evidence: Floats, guess: Guess) -> None:
    """What a piece hides speaks for nothing else."""
    pixels = np.concatenate(guess.shape.parts) + np.array(guess.at)
    rows, columns = evidence.shape[:2]
    inside = (pixels >= 0).all(axis=1) & (pixels < (rows, columns)).all(axis=1)
    evidence[pixels[inside, 0], pixels[inside, 1]] = 0


def _touch(one: Guess, other: Guess) -> bool:
    """Whether the boxes around two stacks meet."""
    apart = np.array(one.at) - np.array(other.at)
    low, high = other.shape.low - one.shape.high, other.shape.high - one.shape.low
    return bool((apart >= low).all() and (apart <= high).all())
