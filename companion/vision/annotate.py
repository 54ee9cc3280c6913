"""Draws what was read on the photo itself, in perspective, so that a person can check it at a glance."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.model import Faces, Observation, Reading
from companion.vision.photo import decode

Colour = tuple[int, int, int]

# Blue, green, red. Light strokes on dark ones are seen on any print; the two differ in brightness, too.
SURE: Colour = (90, 220, 90)
DOUBTFUL: Colour = (40, 60, 255)
BOARD: Colour = (255, 200, 60)
SHADOW: Colour = (0, 0, 0)
# Of the longer side of the picture: a stroke that is seen on a phone without hiding what it marks.
STROKE = 1 / 900
QUALITY = 88


def annotated(photo: bytes, observation: Observation) -> bytes:
    """The photo as a JPEG with the board's edge, every thing's outline and name, and rings about doubts."""
    decoded = decode(photo)
    picture = decoded.image.copy()
    pen = _Pen(picture, decoded.scale)
    pen.outline(observation.found.corners, BOARD)
    for reading in observation.readings:
        if reading.thing.names and reading.outline:
            pen.outline(reading.outline, DOUBTFUL if reading.doubtful else SURE)
            for text, at in captions(reading):
                pen.text(text, at)
    for reading in observation.readings:
        if reading.doubtful and reading.outline:
            pen.ring(reading.outline)
    _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return jpeg.tobytes()


def captions(reading: Reading) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Short words and where they belong: at each side of a face whose sides are known, else in the middle."""
    corners = np.asarray(reading.outline, np.float64)
    middle = corners.mean(axis=0)
    holds = reading.slot.holds
    sides = reading.parts
    if isinstance(holds, Faces) and not sides:
        sides = _turned(holds.parts.get(reading.thing.names[0], ()), reading.thing.turns)
    if len(sides) == len(corners) == 4:
        for side, word in enumerate(sides):
            edge = (corners[side] + corners[(side + 1) % 4]) / 2
            yield word.rpartition(" ")[2], middle + 0.6 * (edge - middle)
    elif not isinstance(holds, Faces):
        yield " on ".join(name.rpartition("/")[2] for name in reversed(reading.thing.names)), middle


def _turned(sides: tuple[str, ...], turns: int) -> tuple[str, ...]:
    """The words at N, E, S, W after `turns` quarter turns clockwise."""
    return tuple(sides[(side - turns) % len(sides)] for side in range(len(sides)))


class _Pen:
    """Draws in pixels of the whole photo on a picture that may be smaller."""

    def __init__(self, picture: NDArray[np.uint8], scale: float) -> None:
        self.picture = picture
        self.scale = scale
        self.width = max(1, round(max(picture.shape) * STROKE))

    def _at(self, points: object) -> NDArray[np.int32]:
        return np.round(np.asarray(points, np.float64) * self.scale).astype(np.int32)

    def outline(self, outline: object, colour: Colour) -> None:
        points = [self._at(outline).reshape(-1, 1, 2)]
        cv2.polylines(self.picture, points, True, SHADOW, self.width + 2, cv2.LINE_AA)
        cv2.polylines(self.picture, points, True, colour, self.width, cv2.LINE_AA)

    def ring(self, outline: object) -> None:
        (x, y), radius = cv2.minEnclosingCircle(self._at(outline).astype(np.float32))
        at, reach = (round(x), round(y)), round(radius * 1.25) + self.width
        cv2.circle(self.picture, at, reach, SHADOW, 2 * self.width + 3, cv2.LINE_AA)
        cv2.circle(self.picture, at, reach, DOUBTFUL, 2 * self.width, cv2.LINE_AA)

    def text(self, text: str, at: NDArray[np.float64]) -> None:
        size = 0.22 * self.width + 0.12
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, self.width)
        x, y = self._at(at)
        corner = (int(x) - width // 2, int(y) + height // 2)
        for colour, stroke in ((SHADOW, self.width + 2), ((255, 255, 255), self.width)):
            cv2.putText(
                self.picture, text, corner, cv2.FONT_HERSHEY_SIMPLEX, size, colour, stroke, cv2.LINE_AA
            )
