"""python -m tools.teaching LESSONS --sets 60 --steps 6000: draws sets, teaches the network, writes its file.

Needs the libraries of `pip install -e .[teach]`. LESSONS is a folder in which what was drawn is kept, so that
teaching can go on later. One set takes about half a minute, a hundred steps about as long.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import jax
import numpy as np
import optax

from companion.vision.covered import NETWORK
from tools.teaching.augment import batch
from tools.teaching.network import fresh, loss, write
from tools.teaching.pictures import Lesson, lessons

# Sets to learn from have these seeds, no other use is made of them.
FIRST_SEED = 1000
BATCH = 8
FASTEST, SLOWEST = 2e-3, 0.02
TELL = 250


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.teaching", description=__doc__)
    parser.add_argument("lessons", type=Path)
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--steps", type=int, default=6000)
    given = parser.parse_args()
    given.lessons.mkdir(parents=True, exist_ok=True)
    learnt_from = [lesson for n in range(given.sets) for lesson in _kept(given.lessons, FIRST_SEED + n)]
    rng = np.random.default_rng(0)
    weights = fresh(rng)
    schedule = optax.cosine_decay_schedule(FASTEST, given.steps, SLOWEST)
    optimiser = optax.adam(schedule)
    state = optimiser.init(weights)

    @jax.jit
    def step(weights, state, *lesson):  # type: ignore[no-untyped-def]
        off, slope = jax.value_and_grad(loss)(weights, *lesson)
        change, state = optimiser.update(slope, state, weights)
        return optax.apply_updates(weights, change), state, off

    offs = []
    for number in range(1, given.steps + 1):
        weights, state, off = step(weights, state, *batch(rng, learnt_from, BATCH))
        offs.append(float(off))
        if number % TELL == 0:
            print(f"{number} steps, off by {np.mean(offs[-TELL:]):.4f}", file=sys.stderr)
    write({name: np.asarray(value) for name, value in weights.items()}, NETWORK)
    return 0


def _kept(folder: Path, seed: int) -> Iterator[Lesson]:
    if not list(folder.glob(f"{seed}-*.npz")):
        for number, lesson in enumerate(lessons(seed)):
            np.savez_compressed(
                folder / f"{seed}-{number:02d}.npz",
                planes=lesson.planes,
                shown=lesson.shown,
                inside=lesson.inside,
            )
        print(f"set {seed} drawn", file=sys.stderr)
    for path in sorted(folder.glob(f"{seed}-*.npz")):
        kept = np.load(path)
        yield Lesson(kept["planes"], kept["shown"], kept["inside"])


if __name__ == "__main__":
    sys.exit(main())
