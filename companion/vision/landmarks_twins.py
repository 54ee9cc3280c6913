"""A board that looks much the same when it is turned, and what tells it from its turned self."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.camera import Matrix
from companion.vision.model import Place
from companion.vision.plane import Image, Window, inverse, laid
from companion.vision.refine import Level, shifts

# What tells it from its turned self: of so many blocks of this side those that agree with nothing near them
# on the turned print. A print is itself known to some pixels only.
TELLING_BLOCK, TELLING_MOST, TELLING_SEARCH, TELLS = 20, 120, 6, 0.4
# They are looked for where the print is by so many grey values other than all about it on the turned one: the
# crossings of a grid are stronger than any sign, but are there in every turn. Shadows that tiles left are
# softer.
OTHER_GRAY = 30


@dataclass(frozen=True, slots=True, eq=False)
class Twin:
    """A turn of the board about its middle after which its print looks much the same."""

    turn: Matrix
    telling: Mapping[str, Level]
    """By sheet, of those that always lie in the same place: blocks that the turned print does not have."""


def telling(window: Window, gray: Image, known: Image, place: Place, turn: Matrix) -> Level:
    """Blocks of a sheet's print that are nowhere near on the turned board."""
    onto = laid(place, place.turns[0]) @ window.to_mm()
    again = inverse(onto) @ inverse(turn) @ onto
    around = np.ones((TELLING_BLOCK + 2 * TELLING_SEARCH,) * 2, np.uint8)
    both = cv2.erode(cv2.warpPerspective(known, again, (window.width, window.height)), around)
    again_gray = np.asarray(cv2.warpPerspective(gray, again, (window.width, window.height)), np.uint8)
    where = np.minimum(_unlike(gray, again_gray), np.minimum(both, known))
    level = Level.of(gray, where, window, TELLING_BLOCK, TELLING_MOST)
    wide = np.array([[1, 0, TELLING_SEARCH], [0, 1, TELLING_SEARCH], [0, 0, 1.0]])
    size = (window.width + 2 * TELLING_SEARCH, window.height + 2 * TELLING_SEARCH)
    turned = cv2.warpPerspective(gray, wide @ again, size)
    reach = level.blocks.size + 2 * TELLING_SEARCH
    seen = [turned[y : y + reach, x : x + reach] for x, y in level.blocks.corners.tolist()]
    _, agree = shifts(np.array(seen, np.uint8).reshape(-1, reach, reach), level.pattern, TELLING_SEARCH)
    return level.of_those(np.flatnonzero(agree < TELLS))


def _unlike(gray: Image, turned: Image) -> Image:
    """255 about what is darker or lighter than all that is near it on the other print: no line of a grid."""
    here, there = (
        one.astype(np.float32) - cv2.GaussianBlur(one.astype(np.float32), (0, 0), TELLING_BLOCK / 2)
        for one in (gray, turned)
    )
    near = np.ones((2 * TELLING_SEARCH + 1,) * 2, np.uint8)
    off = np.maximum(here - cv2.dilate(there, near), cv2.erode(there, near) - here)
    about = np.ones((2 * TELLING_BLOCK,) * 2, np.uint8)
    return np.asarray(cv2.dilate(np.where(off > OTHER_GRAY, 255, 0).astype(np.uint8), about))
