"""Parts of lessons, changed so that no two are the same: other hues, lamps, lenses, sizes and seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.vision.covered import OTHER, PIECE
from tools.teaching.pictures import Lesson

Floats = NDArray[Any]

# Side of a part in pixels, and how much smaller or larger than that it is cut out.
SIDE, SMALLER, LARGER = 192, 0.65, 1.5
# Pieces take little room, so that each of their pixels counts more; hands are few, large and easy.
WEIGHTS = {PIECE: 3.0, OTHER: 0.7}
SEEN, DUE, KNOWN, FLAT, LEAN = slice(0, 3), slice(3, 6), 6, 7, slice(8, 10)


def batch(rng: Generator, lessons: Sequence[Lesson], count: int) -> tuple[Floats, Floats, Floats]:
    """Pictures (count x side x side x 10), what they show, and how much each pixel counts."""
    parts = [_part(rng, lessons[int(rng.integers(len(lessons)))]) for _ in range(count)]
    pictures, shown, weights = zip(*parts, strict=True)
    return np.stack(pictures), np.stack(shown), np.stack(weights)


def _part(rng: Generator, lesson: Lesson) -> tuple[Floats, Floats, Floats]:
    picture, shown, inside = _cut(rng, lesson)
    seen = picture[..., SEEN]
    if rng.random() < 0.6:  # other hues
        order = rng.permutation(3)
        seen, picture[..., DUE] = seen[..., order], picture[..., 3 + order]
    if rng.random() < 0.7:  # another contrast and white balance
        seen = seen * rng.normal(1, 0.12) + rng.normal(0, 0.08, 3)
    if rng.random() < 0.3:  # grain
        seen = seen + rng.normal(0, rng.uniform(0, 0.05), seen.shape)
    if rng.random() < 0.3:  # a soft lens
        seen = cv2.GaussianBlur(np.ascontiguousarray(seen, np.float32), (0, 0), rng.uniform(0.4, 1.0))
    if rng.random() < 0.4:  # shade
        shade = rng.normal(0, 0.12, (4, 4)).astype(np.float32)
        seen = seen + cv2.resize(shade, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)[..., None]
    picture[..., SEEN] = seen
    picture[..., DUE] *= picture[..., [KNOWN]]
    if rng.random() < 0.5:
        picture, shown, inside = picture[:, ::-1].copy(), shown[:, ::-1], inside[:, ::-1]
        picture[..., 8] *= -1
    for _ in range(int(rng.integers(4))):
        picture, shown, inside = np.rot90(picture).copy(), np.rot90(shown), np.rot90(inside)
        picture[..., 8], picture[..., 9] = picture[..., 9].copy(), -picture[..., 8]
    weights = inside * np.select([shown == what for what in WEIGHTS], list(WEIGHTS.values()), 1.0)
    return picture.astype(np.float32), shown.astype(np.int32), weights.astype(np.float32)


def _cut(rng: Generator, lesson: Lesson) -> tuple[Floats, Floats, Floats]:
    side = SIDE if rng.random() < 0.5 else int(SIDE * np.exp(rng.uniform(np.log(SMALLER), np.log(LARGER))))
    rows, columns = lesson.shown.shape
    top, left = int(rng.integers(rows - side + 1)), int(rng.integers(columns - side + 1))
    down, across = np.arange(top, top + side), np.arange(left, left + side)
    picture = lesson.planes[:, top : top + side, left : left + side].astype(np.float32).transpose(1, 2, 0)
    if rng.random() < 0.3:  # the print lies a little off
        dy, dx = rng.integers(-1, 2, 2)
        there = np.ix_(np.clip(down + dy, 0, rows - 1), np.clip(across + dx, 0, columns - 1))
        for plane in range(3, 7):
            picture[..., plane] = lesson.planes[plane][there]
    shown, inside = (part[np.ix_(down, across)] for part in (lesson.shown, lesson.inside.astype(np.uint8)))
    if side != SIDE:
        smooth = cv2.INTER_AREA if side > SIDE else cv2.INTER_LINEAR
        picture = np.dstack([_sized(picture[..., :6], smooth), _sized(picture[..., 6:], cv2.INTER_NEAREST)])
        shown, inside = _sized(shown, cv2.INTER_NEAREST), _sized(inside, cv2.INTER_NEAREST)
    return picture, shown, inside


def _sized(part: Floats, how: int) -> Floats:
    if part.ndim == 3 and part.shape[2] > 4:  # cv2 resizes four channels at a time
        return np.dstack([_sized(part[..., k : k + 3], how) for k in range(0, part.shape[2], 3)])
    return np.asarray(cv2.resize(np.ascontiguousarray(part), (SIDE, SIDE), interpolation=how))
