"""Every face in every turn, cut into blocks, ready to be compared.

Pictures are compared block by block: what a hand, a piece or glare covers spoils some blocks and leaves the
others alone, and a block can only be as wrong as wrong goes. The distances of many pictures to all faces are
one matrix product for each block.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import (
    BLURS,
    DETAIL,
    FINE,
    MIDDLE,
    RIM,
    FaceLooks,
    Floats,
    blur_step,
    brought,
    detail,
    shrunk,
)
from companion.vision.products import product

# Pixels across a face when searching how it lies: a numeral is a pixel or two, the parts stay apart.
TINY = 14
# Side of a block in each size: a quarter of the face when searching, a numeral's stroke at the end.
TINY_BLOCK, MIDDLE_BLOCK, FINE_BLOCK = 7, 4, 6
# Only the middle of a fine picture is compared: detail at its rim was partly taken from outside.
INSIDE = FINE - 2 * RIM
# Steps of twist that are tried, in degrees: half a step moves a face's edge by half a tiny pixel.
TWIST_STEP = 8.0
# A slot whose own print no photo showed is compared with so many others'.
USUAL = 8
# So many candidates are searched for: a set of four arms in all orders has 24 looks, and the back.
TYPICAL = 32
# Detail energy per number below which a block says nothing: paper, noise.
SAYS_NOTHING = 0.15
# What a block counts of which no photo showed anything, as a part of one that was seen.
GUESSED = 0.5
# Cells across a face in which its colours are compared, and by how much (logarithms) a cell is as wrong as
# wrong goes. Luminance counts less: shade changes it.
CELLS = 7
OTHER_COLOUR = 0.35
LET_GO = np.float32(0.08)
COLOUR_WEIGHTS = np.array([0.5, 1.0, 1.0], dtype=np.float32)


@dataclass(frozen=True)
class Blocks:
    """Pictures cut into blocks."""

    cut: Floats
    """Blocks x pictures x numbers."""
    energy: Floats
    """Blocks x pictures."""

    @classmethod
    def of(cls, pictures: Floats, side: int) -> Blocks:
        """`pictures`: n x pixels x pixels x channels."""
        return cls.cut_up(blocks_of(pictures, side))

    @classmethod
    def cut_up(cls, blocks: Floats) -> Blocks:
        """`blocks`: pictures x blocks x numbers."""
        cut = np.ascontiguousarray(blocks.transpose(1, 0, 2))
        return cls(cut, np.einsum("bnd,bnd->bn", cut, cut))

    @cached_property
    def told(self) -> NDArray[np.bool_]:
        """Blocks x pictures: False for blocks that say nothing."""
        return np.asarray(self.energy >= SAYS_NOTHING * self.cut.shape[2])

    def of_those(self, which: NDArray[np.int64]) -> Blocks:
        return Blocks(self.cut[:, which], self.energy[:, which])


def blocks_of(pictures: Floats, side: int) -> Floats:
    """Pictures (n x pixels x pixels x channels) block by block: n x blocks x numbers."""
    n, count = len(pictures), pictures.shape[1] // side
    parts = pictures.reshape(n, count, side, count, side, -1).transpose(0, 1, 3, 2, 4, 5)
    return np.ascontiguousarray(parts.reshape(n, count * count, -1))


def apart(one: Blocks, other: Blocks) -> Floats:
    """Blocks x n x m: how different each of n pictures is from each of m, 0 for the same to 1."""
    products = np.stack([product(a, b.T) for a, b in zip(one.cut, other.cut, strict=True)])
    return _apart(products, one.energy[:, :, None] + other.energy[:, None, :], one.cut.shape[2])


def apart_each(one: Blocks, other: Blocks) -> Floats:
    """Blocks x n: the same for n pairs."""
    return apart_of(np.einsum("bnd,bnd->bn", one.cut, other.cut), one, other)


def apart_of(agreed: Floats, one: Blocks, other: Blocks) -> Floats:
    """The same, given the products of each pair."""
    return _apart(agreed.copy(), one.energy + other.energy, one.cut.shape[2])


def _apart(agreed: Floats, energy: Floats, numbers: int) -> Floats:
    agreed *= -2
    agreed += energy
    energy += np.float32(SAYS_NOTHING * numbers)
    agreed /= energy
    return np.minimum(agreed, 1, out=agreed)


def cells_of(pictures: Floats) -> Floats:
    """n x (CELLS * CELLS) x channels: the mean colours of parts of a face."""
    small = np.stack([shrunk(picture, CELLS) for picture in pictures])
    return small.reshape(len(pictures), CELLS * CELLS, -1)


def colours_apart(one: Floats, other: Floats, counts: Floats) -> Floats:
    """The part of its cells in which one picture has other colours than the other; broadcast.

    `counts`: ... x cells, how much each counts.
    """
    off = (one - other) * COLOUR_WEIGHTS
    # light is never measured quite right: what all cells have in common is let go, up to a point
    common = np.einsum("...c,...cd->...d", counts, off)[..., None, :]
    off -= np.clip(common, -LET_GO, LET_GO)
    off = np.square(off).sum(axis=-1) / np.float32(OTHER_COLOUR**2)
    return np.asarray(np.einsum("...c,...c->...", counts, np.minimum(off, 1)), dtype=np.float32)


@dataclass(frozen=True)
class Bank:
    """All candidates: each face in each turn."""

    face: NDArray[np.int64]
    turn: NDArray[np.int64]
    fine: tuple[Blocks, ...]
    """One for each of BLURS."""
    loose: tuple[Floats, ...]
    """For each of BLURS, blocks x candidates: what half a pixel of misplacement does to a block."""
    counts: Floats
    """Blocks x candidates: how much a fine block counts, as a part of all: little where it was guessed, and
    not at all beside a face that is no square."""
    middle: Floats
    """Candidates x blocks x numbers, hardly blurred."""
    middle_blocks: Blocks
    middle_counts: Floats
    """Blocks x candidates, as `counts`."""
    slopes: Floats
    """Candidates x 3 x (blocks * numbers): how `middle` changes with x, y and twist."""
    curves: Floats
    """Candidates x blocks x 3 x 3: the products of each two of these slopes."""
    cells: Floats
    """Candidates x cells x 3: colours."""
    cell_counts: Floats
    """Candidates x cells, as `counts`."""
    typical: NDArray[np.int64]
    """Candidates of which every other one looks much like one: enough to find out how a thing lies."""
    tiny: Blocks
    """Those, each in all twists."""
    twists: Floats
    plain: NDArray[np.bool_]
    """Candidates whose turn does not matter."""
    steps: NDArray[np.int64]
    """Candidates: the sharpest of BLURS at which each can be shown."""
    full: NDArray[np.bool_]
    """Candidates that were learnt in too much light."""
    white: Floats
    """The least that was too much (logarithms of B, G, R)."""

    @classmethod
    def of(cls, looks: FaceLooks) -> Bank:
        turns = range(0, 4, 4 // looks.holds.turns)
        face = np.array([index for index in range(len(looks.names)) for _ in turns])
        turn = np.array([quarter for _ in looks.names for quarter in turns])
        pairs = list(zip(face, turn, strict=True))
        white = looks.white if len(looks.white) else np.full((len(looks.names), 3), np.inf, dtype=np.float32)
        inner = slice(RIM, -RIM)
        fine = [
            np.stack(
                [
                    np.rot90(picture, -t) * mask_of(looks.holds.size, t)[..., None]
                    for picture, t in ((sharp[f], t) for f, t in pairs)
                ]
            )
            for sharp in (
                [
                    detail(brought(picture, blur, goal))[inner, inner]
                    for picture, blur in zip(looks.fine, looks.blurs, strict=True)
                ]
                for goal in BLURS
            )
        ]
        inside = [each[:, inner, inner] for each in fine]
        middle = np.stack([shrunk(picture, MIDDLE) for picture in fine[1]])
        reach = int(looks.holds.twist // TWIST_STEP)
        twists = np.arange(-reach, reach + 1, dtype=np.float32) * np.float32(TWIST_STEP)
        typical = _typical(middle)
        tiny = np.stack([shrunk(_twisted(p, float(t)), TINY) for p in middle[typical] for t in twists])
        slopes = _slopes(middle)
        known = np.stack([np.rot90(picture, -t) for picture, t in ((_seen(looks)[f], t) for f, t in pairs)])
        masks = np.stack([mask_of(looks.holds.size, t) for t in turn])
        middle_known, middle_masks = (np.stack([shrunk(p, MIDDLE) for p in each]) for each in (known, masks))
        colours = np.stack([np.rot90(looks.fine[f][inner, inner], -t) for f, t in pairs])
        return cls(
            face, turn,
            tuple(Blocks.of(each, FINE_BLOCK) for each in inside),
            tuple(loose_of(each) for each in inside),
            _counts(known[:, inner, inner], masks[:, inner, inner], FINE_BLOCK),
            blocks_of(middle, MIDDLE_BLOCK), Blocks.of(middle, MIDDLE_BLOCK),
            _counts(middle_known, middle_masks, MIDDLE_BLOCK),
            slopes.reshape(len(face), 3, -1), np.einsum("nibd,njbd->nbij", slopes, slopes),
            cells_of(colours), cell_counts_of(masks), typical, Blocks.of(tiny, TINY_BLOCK), twists,
            np.array([looks.names[f] in looks.holds.plain for f in face]),
            blur_step(looks.blurs)[face], np.isfinite(white[face, 0]), white.min(axis=0),
        )  # fmt: skip


@dataclass(frozen=True)
class BareBank:
    """The bare print of every slot, likewise."""

    fine: tuple[Blocks, ...]
    """One for each of BLURS."""
    cells: Floats
    counts: Floats
    """Blocks: how much each counts, as a part of all."""
    cell_counts: Floats
    usual: NDArray[np.int64]
    """Some of those that were seen, as different as can be."""


@lru_cache(maxsize=16)
def bare_bank_of(looks: FaceLooks) -> BareBank:
    mask = mask_of(looks.holds.size, 0)[None]
    inside = mask[:, RIM:-RIM, RIM:-RIM]
    fine = [
        np.stack([detail(brought(picture, looks.bare_blur, goal)) for picture in looks.bare])
        for goal in BLURS
    ]
    return BareBank(
        tuple(Blocks.of(each[:, RIM:-RIM, RIM:-RIM], FINE_BLOCK) for each in fine), cells_of(looks.bare),
        _counts(np.ones_like(inside), inside, FINE_BLOCK)[:, 0], cell_counts_of(mask)[0], _usual(looks),
    )  # fmt: skip


def _usual(looks: FaceLooks) -> NDArray[np.int64]:
    """Each next one is the one least like those before."""
    if not len(looks.bare_seen) or looks.bare_seen.all():
        return np.zeros(0, dtype=np.int64)
    seen = np.flatnonzero(looks.bare_seen)
    cells = cells_of(looks.bare[seen]).reshape(len(seen), -1)
    far = np.full(len(seen), np.inf)
    chosen: list[int] = []
    while len(chosen) < min(USUAL, len(seen)):
        chosen.append(int(far.argmax()))
        far = np.minimum(far, np.square(cells - cells[chosen[-1]]).sum(axis=1))
    return seen[chosen]


@lru_cache(maxsize=16)
def bank_of(looks: FaceLooks) -> Bank:
    """Worked out once for each kind of slot of a calibration."""
    return Bank.of(looks)


def _typical(pictures: Floats) -> NDArray[np.int64]:
    """Each next one is the one least like those before."""
    flat = np.stack([shrunk(picture, TINY) for picture in pictures]).reshape(len(pictures), -1)
    flat = flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)
    chosen = [0]
    like = flat @ flat[0]
    while len(chosen) < min(TYPICAL, len(pictures)):
        # one without any detail is unlike everything, itself too
        like[chosen[-1]] = np.inf
        chosen.append(int(like.argmin()))
        like = np.maximum(like, flat @ flat[chosen[-1]])
    return np.array(chosen)


@lru_cache(maxsize=16)
def mask_of(size: tuple[float, float], turn: int) -> Floats:
    """1 where a face of this size that is turned by quarters is in a square picture."""
    width, height = (FINE * side / max(size) for side in (size if turn % 2 == 0 else size[::-1]))
    along = np.abs(np.arange(FINE) - (FINE - 1) / 2)
    return np.asarray((along[:, None] < height / 2) & (along[None, :] < width / 2), dtype=np.float32)


def _twisted(picture: Floats, degrees: float) -> Floats:
    """Turned clockwise about its middle."""
    side = len(picture)
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), -degrees, 1.0)
    return np.asarray(cv2.warpAffine(picture, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE))


def loose_of(pictures: Floats) -> Floats:
    """Blocks x pictures: what half a pixel of misplacement does to a block."""
    across, down = np.gradient(pictures, axis=2), np.gradient(pictures, axis=1)
    return Blocks.of(np.sqrt(np.square(across) + np.square(down)) / 2, FINE_BLOCK).energy


def _seen(looks: FaceLooks) -> Floats:
    """Faces x FINE x FINE: 1 where a face's detail was seen, 0 where it was guessed from other faces."""
    if not looks.known.size:
        return np.ones((len(looks.names), FINE, FINE), dtype=np.float32)
    near = np.ones((DETAIL, DETAIL), np.uint8)
    fine = [shrunk(mask.astype(np.float32), FINE + 2 * RIM) for mask in looks.known]
    return np.stack([cv2.erode(mask, near)[RIM:-RIM, RIM:-RIM] for mask in fine]).astype(np.float32)


def _counts(known: Floats, masks: Floats, side: int) -> Floats:
    """`masks`: where faces are."""
    share, there = (blocks_of(each[..., None], side).mean(axis=2).T for each in (known, masks))
    weight = there * (GUESSED + (1 - GUESSED) * share)
    return np.asarray(weight / weight.sum(axis=0), dtype=np.float32)


def cell_counts_of(masks: Floats) -> Floats:
    there = cells_of(masks[..., None])[..., 0]
    return np.asarray(there / there.sum(axis=1, keepdims=True), dtype=np.float32)


def _slopes(pictures: Floats) -> Floats:
    """Pictures x 3 x blocks x numbers."""
    pixels = pictures.shape[1]
    along = np.arange(pixels, dtype=np.float32) - (pixels - 1) / 2
    across, down = np.gradient(pictures, axis=2), np.gradient(pictures, axis=1)
    # one degree of twist moves a point by its distance from the middle, times pi / 180
    turn = (down * along[None, None, :, None] - across * along[None, :, None, None]) * np.float32(np.pi / 180)
    return np.stack([blocks_of(each, MIDDLE_BLOCK) for each in (across, down, turn)], axis=1)
