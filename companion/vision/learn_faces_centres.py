"""Where the middle of each learnt face is, so that all faces lie alike.

An outline is found to a pixel or two, and one edge of it may be the thing's side. But faces resemble each
other, also turned: how each face would have to lie to look most like another one says how far apart the
middles of their pictures are. All those differences together give the middles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import FINE, RIM, FaceLooks, Floats, detail, shrunk_all
from companion.vision.faces_bank import FINE_BLOCK, Blocks, apart_each, bank_of
from companion.vision.faces_search import align, coarse_search, sample

Matrix = NDArray[np.float64]

# What quarter turns clockwise do to a shift (y goes down).
QUARTERS = np.array([[[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]])
# Likenesses of each face that are looked into, in rounds of alignment as far as this (half pixels, degrees).
LIKENESSES, ROUNDS = 16, 6
REACH = np.array([3.0, 3.0, 6.0], dtype=np.float32)
# Two faces that differ in more than this part of their detail tell nothing about each other's middle.
UNLIKE = 0.6
# How strongly every face is held to where its outline put it, in likenesses: little, to fix the rest.
HELD = 0.02
SOLVE_ROUNDS = 6
# Likenesses off by more than this (fine pixels) are mistaken.
MISTAKEN = 0.7


def faces_off(looks: FaceLooks, pictures: Floats) -> Floats:
    """Faces x (x, y, twist), fine pixels and degrees: where the middle of each picture should have been.

    `pictures`: the faces with a wide rim around, larger than those of `looks`.
    """
    bank = bank_of(looks)
    details = np.stack([detail(picture) for picture in pictures])
    halves = shrunk_all(details, 2)
    faces, candidates, lies, _ = coarse_search(halves, bank, LIKENESSES)
    lies = align(halves, faces, lies, candidates, bank, ROUNDS, REACH)
    fine = lies * np.array([2.0, 2.0, 1.0], dtype=np.float32)
    seen = Blocks.of(sample(details, faces, fine, FINE)[:, RIM:-RIM, RIM:-RIM], FINE_BLOCK)
    unlike = apart_each(seen, bank.fine[0].of_those(candidates)).mean(axis=0)
    itself = (bank.face[candidates] == faces) & (bank.turn[candidates] == 0)
    trust = np.where(itself, 0, np.maximum(0, 1 - unlike / UNLIKE))
    return _middles(len(pictures), faces, bank.face[candidates], bank.turn[candidates], fine, trust)


def _middles(
    count: int, ones: NDArray[np.int64], others: NDArray[np.int64], turns: NDArray[np.int64], lies: Floats,
    trust: NDArray[np.float64],
) -> Floats:  # fmt: skip
    """Least squares of: middle of one = where the other was found on it + the other's middle, turned."""
    rows = np.zeros((len(ones), 2, count, 2))
    pick = np.arange(len(ones))
    rows[pick, :, ones] += np.eye(2)
    rows[pick, :, others] -= QUARTERS[turns]
    twists = np.zeros((len(ones), count))
    twists[pick, ones] += 1
    twists[pick, others] -= 1
    weights = trust
    off = np.zeros((count, 3))
    for _ in range(SOLVE_ROUNDS):
        both = np.repeat(weights, 2)
        off[:, :2] = _solved(rows.reshape(len(ones) * 2, -1), lies[:, :2].ravel(), both).reshape(-1, 2)
        off[:, 2] = _solved(twists, lies[:, 2], weights)
        miss = np.abs(rows.reshape(len(ones), 2, -1) @ off[:, :2].ravel() - lies[:, :2]).max(axis=1)
        weights = trust / (1 + np.square(miss / MISTAKEN)) ** 2
    return off.astype(np.float32)


def _solved(rows: Matrix, goal: Floats, weights: Matrix) -> Matrix:
    weighted = rows * weights[:, None]
    curve = weighted.T @ rows + HELD * np.eye(rows.shape[1])
    return np.asarray(np.linalg.solve(curve, weighted.T @ goal))
