"""Finds the board in a photo: which sheet lies in which place, turned how, and exactly where.

Guesses of where the board lies come from points that are recognised and, where these fail, from the
outline of the board. Each is checked against the print itself: the photo is straightened, every sheet that
may lie in a place is compared with it, and the plane is drawn tight over all of the print that is visible.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import cv2
import numpy as np

from companion.vision.camera import Matrix
from companion.vision.errors import BoardNotFound, PoorPhoto
from companion.vision.landmarks import Landmarks
from companion.vision.model import Found
from companion.vision.photo import Photo
from companion.vision.plane import Image, moved
from companion.vision.registration_features import Guess, guesses
from companion.vision.registration_poses import found_of
from companion.vision.registration_settle import Look, Settled, first_look, settled

# Long side of the small copy in which points are looked for: quickly at first, then more of them in more
# pixels, against the prints seen from all sides.
QUICK_SIDE, QUICK_POINTS = 800, 1500
THOROUGH_SIDE, THOROUGH_POINTS = 1100, 2500
# Guesses that are looked into, of each kind.
MOST_GUESSES = 4
# Guesses whose corners all lie closer than this part of the small copy are the same.
SAME_GUESS = 0.04
# The brightest pixels of a photo that can be read (0-255), and the least spread of its fine detail.
TOO_DARK = 45


def find_board(photo: Photo, landmarks: Landmarks) -> Found:
    """The board, or BoardNotFound with what to do about it."""
    gray = np.asarray(cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY), np.uint8)
    best: Settled | None = None
    for look in _looks(gray, landmarks):
        if look is None:
            if best is not None and len(best.seen) > len(best.missing):
                break
            continue
        answer = settled(gray, look, landmarks)
        if answer is not None and (best is None or answer.score > best.score):
            best = answer
            if not best.missing:
                break
    if best is None:
        raise _why_not(gray)
    return found_of(best, photo, landmarks)


def _looks(gray: Image, landmarks: Landmarks) -> Iterator[Look | None]:
    """Guesses worth settling, cheap ones first; None before each dearer kind. Whoever asks stops when content."""
    for side, features, points in (
        (QUICK_SIDE, landmarks.quick, QUICK_POINTS),
        (THOROUGH_SIDE, landmarks.thorough, THOROUGH_POINTS),
    ):
        small, factor = _shrunk(gray, side)
        distinct = _distinct(guesses(small, landmarks, features, points), side)
        looks = []
        for guess in islice(distinct, MOST_GUESSES):
            look = first_look(gray, guess.refit().scaled(1 / factor), landmarks)
            if look.whole:
                yield look
            elif look.sure:
                looks.append(look)
        yield from sorted(looks, key=lambda look: -look.score)
        yield None


def _shrunk(gray: Image, side: int) -> tuple[Image, float]:
    factor = side / max(gray.shape)
    if factor >= 1:
        return gray, 1.0
    size = (round(gray.shape[1] * factor), round(gray.shape[0] * factor))
    return np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def _distinct(found: Iterator[Guess], side: int) -> Iterator[Guess]:
    kept: list[tuple[Guess, Matrix]] = []
    for guess in found:
        corners = moved(guess.homography, np.array(guess.assembly.corners))
        if all(
            guess.assembly is not other.assembly or np.abs(corners - seen).max() > SAME_GUESS * side
            for other, seen in kept
        ):
            kept.append((guess, corners))
            yield guess


def _why_not(gray: Image) -> Exception:
    if np.percentile(gray[::8, ::8], 99) < TOO_DARK:
        return PoorPhoto("The photo is too dark: turn on a lamp and take it again.")
    return BoardNotFound("The board is not in the picture: show all of it, from above, with light on it.")
