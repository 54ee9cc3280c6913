"""Points that can be recognised, in a print and in a photo of it: many quickly, or better ones slowly.

Quick ones are corners told by which of many pairs of pixels around them are the brighter one. They stand a
view from above to the side by some 25 degrees. Sturdy ones are blobs told by the directions of the edges
around them; they cost twenty times as much and are recognised where a board is small, soft and steeply seen.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.plane import Image

# What a point looks like is a row of numbers, by kind of point.
Looks = NDArray[Any]
# Four points make a homography; a few more agree by chance.
FEWEST_POINTS = 8
# With so many points a sheet is there beyond doubt; chance gives 12.
CLEAR_POINTS = 18
# Points that are compared at once with all of the prints, some tens of thousands: more would take memory.
AT_ONCE = 250
NOWHERE: Matrix = np.zeros((0, 2))


@dataclass(frozen=True, slots=True)
class Keypoints:
    """The strongest first."""

    at: Matrix
    """n x 2, pixels."""
    looks: Looks


class Kind(ABC):
    """How points are found and compared."""

    same: float
    """Two points that are further apart than this are not the same."""
    tries: int
    """How many homographies are tried to find the points of a sheet among others."""
    parts: tuple[tuple[float, int], ...]
    """Of the points of a photo, the strongest first; and how many of a sheet must agree among these."""

    def of_print(self, image: Image, mask: Image, most: int) -> Keypoints:
        return self._found(self._for_prints(most), image, mask)

    def of_photo(self, image: Image, most: int) -> Keypoints:
        return self._found(self._for_photos(most), image, None)

    @abstractmethod
    def nearest(self, seen: Looks, known: Looks) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """For each that is seen how far off the nearest known one is, and which that is."""

    @abstractmethod
    def _for_prints(self, most: int) -> cv2.Feature2D: ...

    @abstractmethod
    def _for_photos(self, most: int) -> cv2.Feature2D: ...

    def _looks(self, described: Looks) -> Looks:
        return described

    def _found(self, detector: cv2.Feature2D, image: Image, mask: Image | None) -> Keypoints:
        keypoints, described = detector.detectAndCompute(image, mask)
        if not keypoints:
            return Keypoints(NOWHERE, np.zeros((0, detector.descriptorSize()), np.uint8))
        order = np.argsort([-keypoint.response for keypoint in keypoints], kind="stable")
        at = np.asarray(cv2.KeyPoint.convert(keypoints), np.float64)
        return Keypoints(at[order], np.ascontiguousarray(self._looks(np.asarray(described))[order]))


class Quick(Kind):
    # Hamming distance of 256 bits: unrelated patches rarely come closer.
    same = 72
    tries = 2000
    parts = ((0.45, CLEAR_POINTS), (0.7, CLEAR_POINTS), (1.0, FEWEST_POINTS))

    def nearest(self, seen: Looks, known: Looks) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        distances, nearest = cv2.batchDistance(seen, known, cv2.CV_32S, normType=cv2.NORM_HAMMING, K=1)
        return np.asarray(distances, np.float32).ravel(), np.asarray(nearest, np.intp).ravel()

    def _for_prints(self, most: int) -> cv2.Feature2D:
        return _corners(most, 7, 1.2)

    def _for_photos(self, most: int) -> cv2.Feature2D:
        # the prints are known in many sizes, so two of the photo are enough
        return _corners(most, 2, 1.4)


def _corners(most: int, levels: int, step: float) -> cv2.Feature2D:
    """Patches of 31 pixels in `levels` sizes, each smaller by `step`; found down to faint corners, as prints
    are often soft."""
    return cv2.ORB.create(most, step, levels, 15, 0, 2, cv2.ORB_HARRIS_SCORE, 31, 10)


class Sturdy(Kind):
    # As an angle's sine: the closest of the many known ones is taken, only what is like none is left out.
    same = 0.5
    # one in ten of the closest is right where a quick look fails
    tries = 20000
    parts = ((1.0, FEWEST_POINTS),)

    def nearest(self, seen: Looks, known: Looks) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        # sums of whole numbers below 2^24 are exact, so the answer does not hang on how the work is shared
        nearest, best = np.zeros(len(seen), np.intp), np.zeros(len(seen), np.float32)
        for start in range(0, len(seen), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            alike = seen[part] @ known.T
            nearest[part], best[part] = alike.argmax(axis=1), alike.max(axis=1) / 255**2
        return np.sqrt(np.clip(1 - best**2, 0, 1)), nearest

    def _for_prints(self, most: int) -> cv2.Feature2D:
        return _blobs(most)

    def _for_photos(self, most: int) -> cv2.Feature2D:
        return _blobs(most)

    def _looks(self, described: Looks) -> Looks:
        # by their roots, as a few strong edges would outweigh all others
        share = described / np.maximum(described.sum(axis=1, keepdims=True), 1)
        return np.asarray(np.round(255 * np.sqrt(share)), np.float32)


def _blobs(most: int) -> cv2.Feature2D:
    """Down to half the usual contrast, as prints are often soft."""
    return cv2.SIFT.create(most, 3, 0.02, 10, 1.6)


QUICK, STURDY = Quick(), Sturdy()
