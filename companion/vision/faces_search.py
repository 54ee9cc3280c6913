"""How a flat thing lies in its slot: searched coarsely in every turn, twist and shift, then drawn tight."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import MIDDLE, Floats, shrunk_all
from companion.vision.faces_bank import MIDDLE_BLOCK, SAYS_NOTHING, TINY, TINY_BLOCK, Bank, Blocks

Ints = NDArray[np.int64]

# One step of alignment goes no farther than this, in half pixels and degrees.
LONGEST_STEP = 1.5
# A block that does not fit at all still pulls this much: it may yet come to fit.
LEAST_PULL = 0.02
# cv2.remap takes pictures of fewer rows than this.
MOST_ROWS = 32_000


def sample(canvases: Floats, which: Ints, lies: Floats, pixels: int) -> Floats:
    """Cut-outs as they lie (x, y, twist in pixels and degrees from the middle) of canvases `which`.

    n x pixels x pixels x channels, all by one remap of the canvases in a column.
    """
    side = canvases.shape[1]
    along = np.arange(pixels, dtype=np.float32) - (pixels - 1) / 2
    turn = np.deg2rad(lies[:, 2]).astype(np.float32)[:, None, None]
    cos, sin = np.cos(turn), np.sin(turn)
    lies = lies.astype(np.float32)
    middle, most = np.float32((side - 1) / 2), np.float32(side - 1)
    x = (middle + lies[:, 0])[:, None, None] + cos * along[None, None, :] - sin * along[None, :, None]
    y = (middle + lies[:, 1])[:, None, None] + sin * along[None, None, :] + cos * along[None, :, None]
    np.clip(x, 0, most, out=x)
    np.clip(y, 0, most, out=y)
    out = np.empty((len(lies), pixels, pixels, canvases.shape[3]), dtype=np.float32)
    column, at_once = MOST_ROWS // side, MOST_ROWS // pixels
    for start in range(0, len(canvases), column):
        tall = canvases[start : start + column].reshape(-1, side, canvases.shape[3])
        ours = np.flatnonzero((which >= start) & (which < start + column))
        for those in np.split(ours, range(at_once, len(ours), at_once)):
            rows = y[those] + ((which[those] - start) * side).astype(np.float32)[:, None, None]
            seen = cv2.remap(tall, x[those].reshape(-1, pixels), rows.reshape(-1, pixels), cv2.INTER_LINEAR)
            out[those] = np.asarray(seen).reshape(len(those), pixels, pixels, -1)
    return out


def coarse_search(halves: Floats, bank: Bank, most: int) -> tuple[Ints, Ints, Floats]:
    """The `most` likeliest typical faces of each slot: slots, candidates, how they lie (half pixels)."""
    small = halves.shape[1] // 2
    steps = small - TINY + 1
    tiny = shrunk_all(halves, 2)
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
    return slots, bank.typical[best], lies.astype(np.float32)


def _fits(windows: Blocks, tiny: Blocks) -> Floats:
    """Windows x templates: the sum over blocks of how well each fits; one that does not counts 0."""
    total = np.zeros((windows.cut.shape[1], tiny.cut.shape[1]), dtype=np.float32)
    plain = np.float32(SAYS_NOTHING * tiny.cut.shape[2])
    for seen, energy, learnt, theirs in zip(windows.cut, windows.energy, tiny.cut, tiny.energy, strict=True):
        fit = seen @ learnt.T
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
    targets, slopes = bank.middle[candidates], bank.slopes[candidates]
    energy = np.square(targets) @ POOL + np.float32(SAYS_NOTHING * 3 * MIDDLE_BLOCK**2)
    damping = np.eye(3, dtype=np.float32)
    for _ in range(rounds):
        seen = sample(halves, slots, lies, MIDDLE).reshape(len(lies), -1)
        off = targets - seen
        bad = (np.square(off) @ POOL) / (energy + np.square(seen) @ POOL)
        pull = np.maximum(1 - bad, LEAST_PULL) @ POOL.T
        weighted = slopes * pull[:, None]
        curve = np.matmul(weighted, slopes.transpose(0, 2, 1)) + damping
        step = np.linalg.solve(curve, np.matmul(weighted, off[..., None]))[..., 0]
        lies = lies + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        lies = np.clip(lies, start - reach, start + reach).astype(np.float32)
    return lies


def _pool() -> Floats:
    """(MIDDLE * MIDDLE * 3) x blocks: which number belongs to which block."""
    count = MIDDLE // MIDDLE_BLOCK
    across = np.arange(MIDDLE) // MIDDLE_BLOCK
    block = (across[:, None] * count + across[None, :]).repeat(3, axis=1).ravel()
    return np.asarray(block[:, None] == np.arange(count * count), dtype=np.float32)


POOL = _pool()
