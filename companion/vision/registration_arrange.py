"""Which sheet lies in which place, and how it is turned: the straightened photo against every print."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.landmarks import ARRANGE_PIXELS, Landmarks, Rivals, light_reach, without_light
from companion.vision.model import Assembly, Place
from companion.vision.plane import Image, Window, inverse, laid, moved, straightened

# How far a sheet is looked for, in pixels of the small window, some 3.5 mm each.
SEARCH = 3
# A sheet of which less is in the picture is not told from others.
FEWEST_IN_PICTURE = 0.2


@dataclass(frozen=True, slots=True)
class Lying:
    """A sheet in a place, as it was recognised."""

    place: Place
    sheet: str
    turned: int
    motion: Matrix
    """From the sheet's millimetres to the board's."""
    score: float
    """Correlation with its print."""
    margin: float
    """How much better than the next sheet or turn that might lie there."""

    def in_place(self) -> Lying:
        """The same sheet exactly where its place is."""
        return replace(self, motion=laid(self.place, self.turned))


def arranged(
    gray: Image,
    assembly: Assembly,
    homography: Matrix,
    landmarks: Landmarks,
    search: int = SEARCH,
    places: Container[str] | None = None,
) -> tuple[Lying, ...]:
    """The likeliest sheet of every place in the picture, or only of `places`.

    `homography` leads from the board to `gray`.
    """
    window = landmarks.board[assembly.name]
    view = straightened(gray, homography, window).astype(np.float32)
    inside = _inside(gray, homography, window)
    even = without_light(view, inside, light_reach(ARRANGE_PIXELS))
    scored = [
        scored
        for rivals in landmarks.rivals[assembly.name]
        if places is None or rivals.place.name in places
        for scored in _scored(even, inside, rivals, search)
    ]
    return _assigned(scored, window.per_mm)


def _inside(gray: Image, homography: Matrix, window: Window) -> NDArray[np.float32]:
    """1 where the window shows the photo, 0 where it reaches beyond it."""
    height, width = gray.shape
    frame = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)])
    outline = moved(window.to_pixels() @ inverse(homography), frame)
    inside = np.zeros((window.height, window.width), np.float32)
    # far off points would overflow the drawing
    cv2.fillConvexPoly(inside, np.round(np.clip(outline, -1e4, 1e4)).astype(np.int32), 1.0)
    return inside


@dataclass(frozen=True, slots=True)
class _Scored:
    place: Place
    sheet: str
    turned: int
    score: float
    across: int
    down: int
    """Where it is best, in pixels off its place."""


def _scored(
    even: NDArray[np.float32], inside: NDArray[np.float32], rivals: Rivals, search: int
) -> Iterator[_Scored]:
    """How each print that may lie in a place correlates with the view, if enough of it is in the picture."""
    height, width = rivals.known.shape[1:]
    # the pictures may reach over the window's rim by a fraction of a pixel
    left, top = max(rivals.left, search), max(rivals.top, search)
    right = min(rivals.left + width, even.shape[1] - search)
    bottom = min(rivals.top + height, even.shape[0] - search)
    if right - left < 8 or bottom - top < 8:
        return
    part = np.s_[:, top - rivals.top : bottom - rivals.top, left - rivals.left : right - rivals.left]
    count = len(rivals.lying)
    pictures, known = (p[part].reshape(count, -1) for p in (rivals.pictures, rivals.known))
    here, seen = (p[top:bottom, left:right].ravel() for p in (inside, even))
    around = even[top - search : bottom + search, left - search : right + search]
    scores = _products(around, rivals.pictures[part])
    power = (pictures * pictures) @ here * (known @ (seen * seen))
    enough = known @ here >= FEWEST_IN_PICTURE * rivals.known.sum(axis=(1, 2))
    places = 2 * search + 1
    best = scores.argmax(axis=1)
    top_scores = scores[np.arange(count), best] / np.sqrt(np.maximum(power, 1e-6))
    for k in np.flatnonzero(enough).tolist():
        down, across = divmod(int(best[k]), places)
        sheet, turned = rivals.lying[k]
        yield _Scored(rivals.place, sheet, turned, float(top_scores[k]), across - search, down - search)


def _products(around: NDArray[np.float32], pictures: NDArray[np.float32]) -> NDArray[np.float32]:
    """Of each picture with the view at every shift: pictures x shifts."""
    if len(pictures) == 1:
        return np.asarray(cv2.matchTemplate(around, pictures[0], cv2.TM_CCORR), np.float32).reshape(1, -1)
    windows = np.lib.stride_tricks.sliding_window_view(around, pictures.shape[1:])
    shifts = windows.shape[0] * windows.shape[1]
    # as many small products: a large one would be shared among threads, and wait for them on a busy machine
    products = np.matmul(windows.reshape(1, shifts, 1, -1), pictures.reshape(len(pictures), 1, -1, 1))
    return np.asarray(products[..., 0, 0])


def _assigned(scored: list[_Scored], per_mm: float) -> tuple[Lying, ...]:
    """The surest first; each sheet and each place is taken once."""
    result: list[Lying] = []
    for one in sorted(scored, key=lambda one: -one.score):
        if one.score <= 0 or any(one.place is done.place or one.sheet == done.sheet for done in result):
            continue
        rivals = [other.score for other in scored if other.place is one.place and other is not one]
        shift = np.array([[1, 0, one.across / per_mm], [0, 1, one.down / per_mm], [0, 0, 1.0]])
        motion = shift @ laid(one.place, one.turned)
        margin = one.score - max(rivals, default=0.0)
        result.append(Lying(one.place, one.sheet, one.turned, motion, one.score, margin))
    return tuple(result)
