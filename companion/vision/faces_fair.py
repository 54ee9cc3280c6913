"""Slots and faces brought to one sharpness and one white, so that they compare fairly.

A face that was learnt from a coarse photo lacks detail that the slot shows, and where a photo was so bright
that white paper is full of light, what is printed in pale colours on it is gone. Neither says that it is
another face. Whatever is compared is therefore first made as blurred and as full of light as the poorest of
all that take part in the comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import (
    BLURS,
    FINE,
    RIM,
    FaceLooks,
    Floats,
    Straightened,
    blur_step,
    brought,
    capped,
    detail,
    shrunk_all,
)
from companion.vision.faces_bank import (
    CELLS,
    FINE_BLOCK,
    INSIDE,
    Bank,
    Blocks,
    apart_each,
    apart_of,
    cells_of,
    colours_apart,
    loose_of,
    mask_of,
)
from companion.vision.faces_search import Ints, sample_spots, spots

TO_FINE = np.array([2.0, 2.0, 1.0], dtype=np.float32)
# Fine pixels in one pixel of the small pictures whose colours are compared.
CELL = FINE // CELLS
# A photo is taken for shaken where its slots look this much more like faces that are more blurred, by so many
# of BLURS at most.
SHAKEN, MOST_SHAKEN = 0.9, 2


@dataclass(frozen=True)
class Entries:
    """Candidates of slots that are looked at closely, those of one slot in a row."""

    slots: Ints
    candidates: Ints
    lies: Floats

    def of_those(self, which: Ints) -> Entries:
        return Entries(self.slots[which], self.candidates[which], self.lies[which])


@dataclass(frozen=True)
class Pairs:
    """What each entry shows beside what its candidate looks like; all arrays over entries."""

    seen: Blocks
    learnt: Blocks
    loose: Floats
    """Blocks x n: what half a pixel of misplacement does to a block."""
    agreed: Floats
    """Blocks x n: the products of what is seen and what was learnt."""
    apart: Floats
    """Blocks x n."""
    colour: Floats

    def of_those(self, which: Ints) -> Pairs:
        return Pairs(
            self.seen.of_those(which), self.learnt.of_those(which), self.loose[:, which],
            self.agreed[:, which], self.apart[:, which], self.colour[which],
        )  # fmt: skip


@dataclass(frozen=True)
class Sight:
    """All that is known of the slots and faces, to be looked at as sharply and brightly as is fair."""

    straight: Straightened
    steps: Ints
    """Of BLURS: to which each slot is brought when compared with faces that are sharp enough."""
    details: Floats
    """Slots as they are, at these steps."""
    small: Floats
    looks: FaceLooks
    bank: Bank

    @property
    def white(self) -> Floats:
        """Slots x 3: what full light is there."""
        return self.straight.white if len(self.straight.white) else _nowhere(len(self.steps))

    def pairs(self, entries: Entries) -> Pairs:
        """Each with its candidate, as the slot allows."""
        full = np.isfinite(self.white[entries.slots, 0])
        # one white for all slots of a photo: that of its brightest part
        return self._grouped(entries, self.steps[entries.slots], full, self.white.min(axis=0))

    def poorer(self, entries: Entries, steps: Ints) -> Pairs:
        """As the poorest face of all shows white, and as blurred as told."""
        white = np.minimum(self.bank.white, self.white.min(axis=0))
        return self._grouped(entries, steps, np.full(len(steps), np.isfinite(white[0])), white)

    def softened(self, shown: Pairs, entries: Entries) -> Sight:
        """With the blur that a shaking hand or a lens out of focus added, which no geometry tells.

        `entries` are the likeliest of their slots: whatever they are, they are as blurred as they look.
        """
        steps = self.steps[entries.slots]
        counts = self.bank.counts[:, entries.candidates]
        off = [(shown.apart * counts).sum(axis=0)]
        for more in range(1, MOST_SHAKEN + 1):
            blurred = np.minimum(steps + more, len(BLURS) - 1)
            learnt = [self.bank.fine[s].of_those(entries.candidates[[k]]) for k, s in enumerate(blurred)]
            off.append((apart_each(shown.seen, _joined_blocks(learnt)) * counts).sum(axis=0))
        usual = np.median(off, axis=1)
        more = int(usual.argmin())
        if usual[more] > SHAKEN * usual[0]:
            return self
        steps = np.minimum(self.steps + more, len(BLURS) - 1)
        blurred = np.array(BLURS, dtype=np.float32)[steps]
        return replace(self, steps=steps, straight=replace(self.straight, blurs=blurred))

    def _grouped(self, entries: Entries, steps: Ints, full: NDArray[np.bool_], white: Floats) -> Pairs:
        """`full`: entries that are compared with no more light than `white`."""
        parts, order = [], []
        for step in np.unique(steps):
            for is_full in (False, True):
                which = np.flatnonzero((steps == step) & (full == is_full))
                if len(which):
                    order.append(which)
                    parts.append(self._alike(entries.of_those(which), int(step), white if is_full else None))
        back = np.argsort(np.concatenate(order))
        return _joined(parts, back)

    def _alike(self, entries: Entries, step: int, white: Floats | None) -> Pairs:
        """All at one step and one white."""
        seen, cells = self._seen(entries, step, white)
        if white is None:
            learnt = self.bank.fine[step].of_those(entries.candidates)
            loose = self.bank.loose[step][:, entries.candidates]
            theirs = self.bank.cells[entries.candidates]
        else:
            learnt, loose, theirs = self._learnt(entries.candidates, step, white)
        agreed = np.einsum("bnd,bnd->bn", seen.cut, learnt.cut)
        apart = apart_of(agreed, seen, learnt)
        colour = colours_apart(cells, theirs, self.bank.cell_counts[entries.candidates])
        return Pairs(seen, learnt, loose, agreed, apart, colour)

    def _seen(self, entries: Entries, step: int, white: Floats | None) -> tuple[Blocks, Floats]:
        slots, which = np.unique(entries.slots, return_inverse=True)
        colours = self.straight.colours[slots]
        if white is None:
            small = self.small[slots]
        else:
            colours = capped(colours, white)
            small = shrunk_all(colours, CELL)
        if white is None and (self.steps[slots] == step).all():
            details = self.details[slots]
        else:
            steps = np.full(len(slots), step)
            details = Straightened(colours, self.straight.blurs[slots]).details(steps)
        return blocks_seen(details, which, entries.lies), cells_seen(small, which, entries.lies)

    def _learnt(self, candidates: Ints, step: int, white: Floats) -> tuple[Blocks, Floats, Floats]:
        """The fine blocks of candidates, how loose those are, and their cells."""
        few, which = np.unique(candidates, return_inverse=True)
        size = self.looks.holds.size
        pictures, colours = [], []
        inner = slice(RIM, -RIM)
        cut: dict[int, tuple[Floats, Floats]] = {}
        for candidate in few:
            face, turn = int(self.bank.face[candidate]), int(self.bank.turn[candidate])
            if face not in cut:
                bright = capped(self.looks.fine[face], white)
                soft = brought(bright, float(self.looks.blurs[face]), BLURS[step])
                cut[face] = detail(soft)[inner, inner], bright[inner, inner]
            shown, bright = cut[face]
            pictures.append((np.rot90(shown, -turn) * mask_of(size, turn)[..., None])[inner, inner])
            colours.append(np.rot90(bright, -turn))
        inside = np.stack(pictures)
        learnt = Blocks.of(inside, FINE_BLOCK).of_those(which)
        return learnt, loose_of(inside)[:, which], cells_of(np.stack(colours))[which]


def sight_of(straight: Straightened, looks: FaceLooks, bank: Bank) -> Sight:
    # all at one blur, that of the usual face learnt or of the slot itself
    steps = blur_step(np.maximum(straight.blurs, np.median(looks.blurs)))
    small = shrunk_all(straight.colours, CELL)
    return Sight(straight, steps, straight.details(steps), small, looks, bank)


def blocks_seen(details: Floats, slots: Ints, lies: Floats) -> Blocks:
    at = spots(INSIDE, FINE_BLOCK)
    count = (INSIDE // FINE_BLOCK) ** 2
    return Blocks.cut_up(sample_spots(details, slots, lies * TO_FINE, at).reshape(len(slots), count, -1))


def cells_seen(small: Floats, slots: Ints, lies: Floats) -> Floats:
    """The colours of parts of what lies so in the slots."""
    to_cells = np.array([2 / CELL, 2 / CELL, 1.0], dtype=np.float32)
    return sample_spots(small, slots, lies * to_cells, spots(CELLS))


def _nowhere(count: int) -> Floats:
    return np.full((count, 3), np.inf, dtype=np.float32)


def _joined(parts: list[Pairs], back: Ints) -> Pairs:
    if len(parts) == 1:
        return parts[0]

    return Pairs(
        _joined_blocks([part.seen for part in parts]),
        _joined_blocks([part.learnt for part in parts]),
        np.concatenate([part.loose for part in parts], axis=1),
        np.concatenate([part.agreed for part in parts], axis=1),
        np.concatenate([part.apart for part in parts], axis=1),
        np.concatenate([part.colour for part in parts]),
    ).of_those(back)


def _joined_blocks(parts: Sequence[Blocks]) -> Blocks:
    return Blocks(
        np.concatenate([part.cut for part in parts], axis=1),
        np.concatenate([part.energy for part in parts], axis=1),
    )
