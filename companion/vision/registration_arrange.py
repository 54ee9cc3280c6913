"""Which sheet lies in which place, and how it is turned: the straightened photo against every print."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.landmarks import ARRANGE_PIXELS, Landmarks, Option, light_reach, without_light
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
    options = landmarks.options[assembly.name]
    if places is not None:
        options = tuple(option for option in options if option.place.name in places)
    scored = [_score(even, inside, option, search) for option in options]
    return _assigned(options, scored, window.per_mm)


def _inside(gray: Image, homography: Matrix, window: Window) -> NDArray[np.float32]:
    """1 where the window shows the photo, 0 where it reaches beyond it."""
    height, width = gray.shape
    frame = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)])
    outline = moved(window.to_pixels() @ inverse(homography), frame)
    inside = np.zeros((window.height, window.width), np.float32)
    # far off points would overflow the drawing
    cv2.fillConvexPoly(inside, np.round(np.clip(outline, -1e4, 1e4)).astype(np.int32), 1.0)
    return inside


def _score(
    even: NDArray[np.float32], inside: NDArray[np.float32], option: Option, search: int
) -> tuple[float, float, float]:
    """Correlation of a print with the view, and the shift in pixels where it is best."""
    height, width = option.picture.shape
    # the picture may reach over the window's rim by a fraction of a pixel
    left, top = max(option.left, search), max(option.top, search)
    right = min(option.left + width, even.shape[1] - search)
    bottom = min(option.top + height, even.shape[0] - search)
    if right - left < 8 or bottom - top < 8:
        return 0.0, 0.0, 0.0
    part = np.s_[top - option.top : bottom - option.top, left - option.left : right - option.left]
    picture, known = option.picture[part], option.known[part]
    here, seen = inside[top:bottom, left:right], even[top:bottom, left:right]
    if float(np.vdot(known, here)) < FEWEST_IN_PICTURE * float(option.known.sum()):
        return 0.0, 0.0, 0.0
    around = even[top - search : bottom + search, left - search : right + search]
    scores = cv2.matchTemplate(around, picture, cv2.TM_CCORR)
    power = float(np.vdot(picture * here, picture)) * float(np.vdot(seen * known, seen))
    _, best, _, (column, row) = cv2.minMaxLoc(scores)
    return float(best) / max(power, 1e-6) ** 0.5, column - search, row - search


def _assigned(
    options: tuple[Option, ...], scored: list[tuple[float, float, float]], per_mm: float
) -> tuple[Lying, ...]:
    """The surest first; each sheet and each place is taken once."""
    result: list[Lying] = []
    for index in sorted(range(len(options)), key=lambda i: -scored[i][0]):
        option, (score, across, down) = options[index], scored[index]
        if score <= 0 or any(option.place is done.place or option.sheet == done.sheet for done in result):
            continue
        rivals = [
            scored[i][0]
            for i, other in enumerate(options)
            if other.place is option.place and (other.sheet, other.turned) != (option.sheet, option.turned)
        ]
        shift = np.array([[1, 0, across / per_mm], [0, 1, down / per_mm], [0, 0, 1.0]])
        motion = shift @ laid(option.place, option.turned)
        margin = score - max(rivals, default=0.0)
        result.append(Lying(option.place, option.sheet, option.turned, motion, score, margin))
    return tuple(result)
