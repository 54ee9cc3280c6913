"""How a flat thing lies in its slot: searched coarsely in every turn, twist and shift, then drawn tight."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import MIDDLE, Floats, shrunk_all
from companion.vision.faces_bank import MIDDLE_BLOCK, SAYS_NOTHING, TINY, TINY_BLOCK, Bank, Blocks
from companion.vision.products import product

Ints = NDArray[np.int64]

# One step of alignment goes no farther than this, in half pixels and degrees.
LONGEST_STEP = np.array([1.5, 1.5, 3.0], dtype=np.float32)
# A block that does not fit at all still pulls this much: it may yet come to fit.
LEAST_PULL = 0.02
# cv2.remap takes pictures of fewer rows than this.
MOST_ROWS = 32_000


@lru_cache(maxsize=16)
def spots(pixels: int, block: int = 0) -> Floats:
    """2 x (pixels * pixels): x and y of a square's pixels, from its middle; block by block if so told."""
    along = np.arange(pixels, dtype=np.float32) - np.float32((pixels - 1) / 2)
    y, x = np.meshgrid(along, along, indexing="ij")
    both = np.stack([x, y])
    if block:
        count = pixels // block
        both = both.reshape(2, count, block, count, block).transpose(0, 1, 3, 2, 4)
    flat = np.ascontiguousarray(both.reshape(2, -1))
    flat.flags.writeable = False  # one for all who ask
    return flat


def sample(canvases: Floats, which: Ints, lies: Floats, pixels: int) -> Floats:
    """Cut-outs as they lie (x, y, twist in pixels and degrees from the middle) of canvases `which`.

    n x pixels x pixels x channels.
    """
    return sample_spots(canvases, which, lies, spots(pixels)).reshape(len(lies), pixels, pixels, -1)


def sample_spots(canvases: Floats, which: Ints, lies: Floats, at: Floats) -> Floats:
    """The same at spots (2 x m): n x m x channels, all by one remap of the canvases in a column."""
    side = canvases.shape[1]
    turn = np.deg2rad(lies[:, 2:]).astype(np.float32)
    cos, sin = np.cos(turn), np.sin(turn)
    middle, most = np.float32((side - 1) / 2), np.float32(side - 1)
    place = lies[:, :2].astype(np.float32) + middle
    # as products, which leave no copies behind
    to = np.vstack([at, np.ones(at.shape[1], np.float32)])
    x = product(np.column_stack([cos, -sin, place[:, :1]]), to)
    y = product(np.column_stack([sin, cos, place[:, 1:]]), to)
    np.clip(x, 0, most, out=x)
    np.clip(y, 0, most, out=y)
    column = MOST_ROWS // side
    if len(canvases) <= column and len(lies) <= MOST_ROWS:
        y += (which * side).astype(np.float32)[:, None]
        tall = canvases.reshape(-1, side, canvases.shape[3])
        seen = np.asarray(cv2.remap(tall, x, y, cv2.INTER_LINEAR), dtype=np.float32)
        return seen.reshape(len(lies), at.shape[1], -1)
    out = np.empty((len(lies), at.shape[1], canvases.shape[3]), dtype=np.float32)
    for start in range(0, len(canvases), column):
        ours = np.flatnonzero((which >= start) & (which < start + column))
        for those in np.split(ours, range(MOST_ROWS, len(ours), MOST_ROWS)):
            part = canvases[start : start + column]
            out[those] = sample_spots(part, which[those] - start, lies[those], at)
    return out


def coarse_search(
    halves: Floats, bank: Bank, most: int, reach: int | None = None
) -> tuple[Ints, Ints, Floats, Floats]:
    """Likely ways to lie of each slot: slots, typical faces, how they lie (half pixels), how well they fit.

    The `most` likeliest typical faces of each slot, at most `reach` tiny pixels off its middle.
    """
    tiny = shrunk_all(halves, 2)
    spare = (tiny.shape[1] - TINY) // 2
    rim = 0 if reach is None else max(0, spare - reach)
    tiny = tiny[:, rim : tiny.shape[1] - rim, rim : tiny.shape[2] - rim]
    steps = tiny.shape[1] - TINY + 1
    views = np.lib.stride_tricks.sliding_window_view(tiny, (TINY, TINY), axis=(1, 2))
    windows = Blocks.of(views.transpose(0, 1, 2, 4, 5, 3).reshape(-1, TINY, TINY, tiny.shape[3]), TINY_BLOCK)
    n, count, twists = len(tiny), len(bank.typical), len(bank.twists)
    fits = _fits(windows, bank.tiny).reshape(n, steps * steps, count, twists)
    where = fits.argmax(axis=1)
    value = np.take_along_axis(fits, where[:, None], axis=1)[:, 0]
    twist = value.argmax(axis=2)
    value = np.take_along_axis(value, twist[..., None], axis=2)[..., 0]
    where = np.take_along_axis(where, twist[..., None], axis=2)[..., 0]
    top = np.argsort(-value, axis=1, kind="stable")[:, :most]
    slots, best = np.repeat(np.arange(n), top.shape[1]), top.ravel()
    row, column = np.divmod(where[slots, best], steps)
    middle = (steps - 1) / 2
    lies = np.column_stack([(column - middle) * 2, (row - middle) * 2, bank.twists[twist[slots, best]]])
    return slots, bank.typical[best], lies.astype(np.float32), value[slots, best]


def _fits(windows: Blocks, tiny: Blocks) -> Floats:
    """Windows x templates: the sum over blocks of how well each fits; one that does not counts 0."""
    total = np.zeros((windows.cut.shape[1], tiny.cut.shape[1]), dtype=np.float32)
    plain = np.float32(SAYS_NOTHING * tiny.cut.shape[2])
    for seen, energy, learnt, theirs in zip(windows.cut, windows.energy, tiny.cut, tiny.energy, strict=True):
        fit = product(seen, learnt.T)
        fit /= (energy[:, None] + plain) + theirs
        np.maximum(fit, 0, out=fit)
        total += fit
    return total


def align(
    halves: Floats, slots: Ints, lies: Floats, candidates: Ints, bank: Bank, rounds: int, reach: Floats
) -> Floats:
    """Moves and twists the sampling of slots until each fits its candidate, at most by `reach`.

    Least squares in which blocks that do not fit pull little.
    """
    start = lies
    targets, slopes, curves = bank.middle[candidates], bank.slopes[candidates], bank.curves[candidates]
    numbers = targets.shape[2]
    energy = np.einsum("nbd,nbd->nb", targets, targets) + np.float32(SAYS_NOTHING * numbers)
    damping = np.eye(3, dtype=np.float32)
    for _ in range(rounds):
        seen = sample_spots(halves, slots, lies, spots(MIDDLE, MIDDLE_BLOCK)).reshape(targets.shape)
        theirs = np.einsum("nbd,nbd->nb", seen, seen)
        off = np.subtract(targets, seen, out=seen)
        bad = np.einsum("nbd,nbd->nb", off, off) / (energy + theirs)
        pull = np.maximum(1 - bad, LEAST_PULL)
        off *= pull[..., None]
        curve = np.einsum("nb,nbij->nij", pull, curves) + damping
        step = np.linalg.solve(curve, np.matmul(slopes, off.reshape(len(off), -1, 1)))[..., 0]
        lies = lies + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        lies = np.clip(lies, start - reach, start + reach).astype(np.float32)
    return lies
