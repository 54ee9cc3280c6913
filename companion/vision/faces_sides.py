"""What the sides of a face show, for things that are in no catalogue: a proxy, a tile of another edition.

Where the calibration says in words what each side of each face shows, a side can be read on its own: it looks
like the mean of all faces that show the same word on that side. A slot whose sides say otherwise than the
face that it looks like most shows something that was never learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import FaceLooks, Floats
from companion.vision.faces_bank import FINE_BLOCK, INSIDE, SAYS_NOTHING, Blocks, bank_of
from companion.vision.model import Thing

# A word is believed against that of the catalogue where the two differ and the side looks this much more like
# the word (1 is just like it), and where it explains this much more than the thing that was read.
BELIEVED, GAINED = 0.4, 0.15
# So many blocks at least have to differ.
SPECKS = 2
# What a little misplacement could do as well says little: this part of the detail of both.
LOOSE = 0.15
# A block that differs by more than this from both words shows neither.
NEITHER = 0.7


@dataclass(frozen=True)
class SideBank:
    words: tuple[str, ...]
    fine: tuple[Blocks, ...]
    """For each of BLURS: words as pictures, every block as it looks where its own side shows the word."""
    alike: tuple[Floats, ...]
    """For each of BLURS, blocks x words x words: products of each two."""
    shown: NDArray[np.bool_]
    """4 x words: whether any face shows the word on that side."""


@lru_cache(maxsize=16)
def side_bank_of(looks: FaceLooks) -> SideBank | None:
    """None where nothing is said about sides."""
    parts = looks.holds.parts
    words = tuple(sorted({word for name in looks.names for word in parts.get(name, ())}))
    if not words or any(len(parts.get(name, ())) not in (0, 4) for name in looks.names):
        return None
    bank = bank_of(looks)
    shows = np.zeros((4, len(words), len(bank.face)), dtype=np.float32)
    for candidate, (face, turn) in enumerate(zip(bank.face, bank.turn, strict=True)):
        for side, word in enumerate(parts.get(looks.names[face], ())):
            shows[(side + turn) % 4, words.index(word), candidate] = 1
    count = shows.sum(axis=2, keepdims=True)
    # diagonals belong to no side and are not looked at
    share = (shows / np.maximum(count, 1))[_wedges() % 4]
    fine = [Blocks.cut_up(np.einsum("bwn,bnd->wbd", share, learnt.cut)) for learnt in bank.fine]
    alike = [np.matmul(each.cut, each.cut.transpose(0, 2, 1)) for each in fine]
    return SideBank(words, tuple(fine), tuple(alike), count[..., 0] > 0)


def other_sides(
    seen: Blocks, blurs: NDArray[np.int64], things: Sequence[Thing], unlike: Floats, looks: FaceLooks
) -> list[tuple[str, ...]]:
    """For each slot the words of its sides, where they tell of another thing than was read; else none.

    `unlike`: blocks x slots, how much the slot differs from the thing that was read.
    """
    bank = side_bank_of(looks)
    if bank is None:
        return [()] * len(things)
    found: list[tuple[str, ...]] = []
    # no word can explain more than the thing that was read leaves unexplained, and one block may be a speck
    open_ = np.stack([np.sort(unlike[_wedges() == side], axis=0)[-SPECKS] > GAINED for side in range(4)])
    for slot, (thing, step) in enumerate(zip(things, blurs, strict=True)):
        if not open_[:, slot].any():
            found.append(())
            continue
        parts = looks.holds.parts.get(thing.names[0], ())
        due = [bank.words.index(parts[(side - thing.turns) % 4]) for side in range(4)] if parts else []
        read = [
            _word(seen.cut[:, slot], unlike[:, slot], side, own, int(step), bank)
            if open_[side, slot]
            else own
            for side, own in enumerate(due)
        ]
        found.append(tuple(bank.words[word] for word in read) if read != due else ())
    return found


def _word(seen: Floats, unlike: Floats, side: int, own: int, step: int, bank: SideBank) -> int:
    """What one side of a slot shows: the word that it should, or another that is clearly seen."""
    here = _wedges() == side
    seen = seen[here]
    learnt, energy, alike = bank.fine[step].cut[here], bank.fine[step].energy[here], bank.alike[step][here]
    product = np.einsum("bd,bwd->bw", seen, learnt)
    both = energy + energy[:, own : own + 1]
    differ = np.maximum(both - 2 * alike[:, own], 0)
    nearer = energy[:, own : own + 1] - energy + 2 * (product - product[:, own : own + 1])
    said = np.clip(nearer / (differ + 1e-3), -1, 1)
    whole = np.square(seen).sum(axis=1, keepdims=True) + energy
    off = (whole - 2 * product) / (whole + np.float32(SAYS_NOTHING * seen.shape[1]))
    said *= np.clip(2 - 2 * np.minimum(off, off[:, own : own + 1]) / NEITHER, 0, 1)
    telling = np.square(differ) / (differ + LOOSE * both + 1e-3)
    lead = (said * telling).sum(axis=0) / (telling.sum(axis=0) + 1.0)
    # a word must also explain more than the very thing that was read does
    gained = (telling * (unlike[here][:, None] - off)).sum(axis=0) / (telling.sum(axis=0) + 1e-3)
    believed = (lead > BELIEVED) & (gained > GAINED) & bank.shown[side]
    # among words that all look more like it than its own, the one that leaves least open
    left = np.where(believed, off.mean(axis=0), np.inf)
    return int(left.argmin()) if np.isfinite(left).any() else own


@lru_cache(maxsize=1)
def _wedges() -> NDArray[np.int64]:
    """The side (0-3: N E S W) that each block belongs to, 4 for those on the diagonals."""
    count = INSIDE // FINE_BLOCK
    along = np.arange(count) - (count - 1) / 2
    y, x = np.meshgrid(along, along, indexing="ij")
    side = np.where(np.abs(y) > np.abs(x), np.where(y < 0, 0, 2), np.where(x > 0, 1, 3))
    return np.where(np.abs(x) == np.abs(y), 4, side).ravel()
