"""Guesses of where the board lies, from points of the prints that are recognised in the photo.

Every sheet is looked for on its own. A sheet that is found tells where the board would lie if the sheet lay
in this or that place; the points recognised on all other sheets say which of these is likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.keypoints import CLEAR_POINTS, FEWEST_POINTS, Keypoints
from companion.vision.landmarks import Features, Landmarks
from companion.vision.model import Assembly, Place
from companion.vision.plane import Image, corners_of, inverse, laid, moved

Numbers = NDArray[np.float32]

# Of the matches only the closest are weighed.
MOST_MATCHES = 600
# Pixels of the small copy by which a point of a right guess may lie off.
POINT_NEAR = 5.0
# A guess from one sheet swings the farther it reaches: how far a point may lie off the place on the board
# that the guess says, as a part of the board's long side.
BOARD_NEAR = 0.025
# Two or three of one sheet in one place may agree by chance and would bend the guess.
FEWEST_OF_A_SHEET = 4
# Millimetres at which no board lies.
FAR_OFF = np.float32(1e6)
# Other sheets that are tried as the one from which the rest is told.
MOST_SHEETS = 3


@dataclass(frozen=True, slots=True)
class Guess:
    """The board as it may lie: `homography` maps its millimetres to pixels of the small copy."""

    assembly: Assembly
    homography: Matrix
    votes: int = 0
    agreeing: tuple[Matrix, Matrix] = field(default=(np.zeros((0, 2)), np.zeros((0, 2))), repr=False)
    """Points on the board and in the small copy that speak for it."""

    def scaled(self, factor: float) -> Guess:
        """In a copy of the photo that is larger by `factor`."""
        shift = (factor - 1) / 2
        scale = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1.0]])
        return Guess(self.assembly, scale @ self.homography, self.votes)

    def refit(self) -> Guess:
        """Drawn to all points that speak for it, not only to those of the sheet that it came from."""
        if self.votes < FEWEST_POINTS:
            return self
        refit, _ = cv2.findHomography(*self.agreeing, cv2.RANSAC, POINT_NEAR, maxIters=200)
        return self if refit is None else replace(self, homography=np.asarray(refit, np.float64))


@dataclass(frozen=True, slots=True)
class _Matches:
    """Points of the photo and what they look like, the surest first."""

    which: NDArray[np.intp]
    """Index of the sheet."""
    points: Matrix
    """Millimetres of that sheet."""
    pixels: Matrix
    """Of the small copy."""


@dataclass(frozen=True, slots=True)
class _Table:
    """Where each match would lie on the board, were its sheet in this place and turn."""

    assembly: Assembly
    options: tuple[tuple[Place, int], ...]
    x: Numbers
    y: Numbers
    """Matches x options; far off where the match's sheet may not lie."""
    allowed: NDArray[np.bool_]
    """Sheets x options."""


def guesses(small: Image, landmarks: Landmarks, features: Features, most: int) -> Iterator[Guess]:
    """The likeliest first, as far as they are asked for."""
    near = BOARD_NEAR * landmarks.long_side
    for matches, fewest in _matched(features.kind.of_photo(small, most), features):
        tables = [_table(assembly, matches, features.sheets) for assembly in landmarks.design.assemblies]
        sheets = _sheets_seen(matches, landmarks, features, small.shape)
        for sheet, homography, _ in _clear_first(seen for seen in sheets if seen[2] >= fewest):
            seats = [
                seat for table in tables for seat in _board_lies(sheet, homography, matches, table, near)
            ]
            for seat in sorted(seats, key=lambda seat: -seat.votes):
                yield seat.guess(matches)


def _clear_first(sheets: Iterator[tuple[int, Matrix, int]]) -> Iterator[tuple[int, Matrix, int]]:
    """Sheets that were seen clearly at once, then a few of the others, the clearest first."""
    others = []
    for seen in sheets:
        if seen[2] >= CLEAR_POINTS:
            yield seen
        else:
            others.append(seen)
    yield from sorted(others, key=lambda seen: -seen[2])[:MOST_SHEETS]


def _matched(seen: Keypoints, features: Features) -> Iterator[tuple[_Matches, int]]:
    """Of more and more points, and how many of a sheet must agree: the strongest are mostly enough."""
    if not len(seen.at) or not len(features.points):
        return
    distances, nearest = np.zeros(0, np.float32), np.zeros(0, np.intp)
    for part, fewest in features.kind.parts:
        fresh = slice(len(distances), round(part * len(seen.at)))
        far, known = features.kind.nearest(seen.looks[fresh], features.looks)
        distances, nearest = np.append(distances, far), np.append(nearest, known)
        # the best first: the search for a homography draws from the top
        order = np.argsort(distances, kind="stable")[:MOST_MATCHES]
        order = order[distances[order] < features.kind.same]
        chosen = nearest[order]
        yield _Matches(features.which[chosen], features.points[chosen], seen.at[order]), fewest


def _sheets_seen(
    matches: _Matches, landmarks: Landmarks, features: Features, shape: tuple[int, ...]
) -> Iterator[tuple[int, Matrix, int]]:
    """Sheets that were recognised on their own: index, homography, and how many points agree."""
    # likely ones first: those with most of the closest matches
    close = np.bincount(matches.which[: len(matches.which) // 4], minlength=len(features.sheets))
    for index in np.argsort(-close, kind="stable").tolist():
        name, mine = features.sheets[index], matches.which == index
        if mine.sum() < FEWEST_POINTS:
            continue
        homography, agree = cv2.findHomography(
            matches.points[mine],
            matches.pixels[mine],
            cv2.USAC_PROSAC,
            POINT_NEAR,
            maxIters=features.kind.tries,
            confidence=0.999,
        )
        if homography is None or int(agree.sum()) < FEWEST_POINTS:
            continue
        outline = np.array(corners_of(landmarks.design.sheets[name]))
        if _likely_view(np.asarray(homography, np.float64), outline, shape):
            yield index, np.asarray(homography, np.float64), int(agree.sum())


def _likely_view(homography: Matrix, outline: Matrix, shape: tuple[int, ...]) -> bool:
    """Not mirrored, not behind the lens, not a sliver, not far larger than the photo."""
    depth = outline @ homography[2, :2] + homography[2, 2]
    if depth.min() <= 0.2 * depth.max():
        return False
    seen = moved(homography, outline)
    sides = np.roll(seen, -1, axis=0) - seen
    turns = sides[:, 0] * np.roll(sides, -1, axis=0)[:, 1] - sides[:, 1] * np.roll(sides, -1, axis=0)[:, 0]
    if turns.min() <= 0:
        return False
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    area = float(cv2.contourArea(seen.astype(np.float32)))
    return bool(area > 0.15 * lengths.max() ** 2 * _slimness(outline) and area < 4 * shape[0] * shape[1])


def _slimness(outline: Matrix) -> float:
    """Short side by long side of the sheet itself."""
    sides = np.hypot(*(np.roll(outline, -1, axis=0) - outline).T)
    return float(sides.min() / sides.max())


def _table(assembly: Assembly, matches: _Matches, sheets: tuple[str, ...]) -> _Table:
    options = tuple((place, turned) for place in assembly.places for turned in place.turns)
    allowed = np.array([[name in place.sheets for place, _ in options] for name in sheets])
    (x, y), may_lie = _laid(options, matches.points), allowed[matches.which]
    return _Table(assembly, options, np.where(may_lie, x, FAR_OFF), np.where(may_lie, y, FAR_OFF), allowed)


def _laid(options: Sequence[tuple[Place, int]], points: Matrix) -> tuple[Numbers, Numbers]:
    """x and y, each n x options, of points (n x 2) of a sheet that lies in each of the options."""
    motions = np.array([laid(place, turned) for place, turned in options], np.float32)
    x, y = (points[:, k : k + 1].astype(np.float32) for k in (0, 1))
    across, down = (x * motions[:, k, 0] + y * motions[:, k, 1] + motions[:, k, 2] for k in (0, 1))
    return across, down


def _board_lies(
    sheet: int, homography: Matrix, matches: _Matches, table: _Table, near: float
) -> Iterator[_Seat]:
    """The places and turns in which a sheet that was seen may lie, as far as other matches speak for them."""
    seats = [option for option, may in zip(table.options, table.allowed[sheet], strict=True) if may]
    if not seats:
        return
    seen_x, seen_y = _laid(seats, moved(inverse(homography), matches.pixels))
    off_x, off_y = table.x - seen_x.T[:, :, None], table.y - seen_y.T[:, :, None]
    close = off_x * off_x + off_y * off_y < near * near
    sheets, options = table.allowed.shape
    seat, match, option = np.nonzero(close)
    lies = (seat * sheets + matches.which[match]) * options + option
    counts = np.bincount(lies, minlength=len(seats) * sheets * options).reshape(-1, sheets, options)
    best = np.where(counts < FEWEST_OF_A_SHEET, 0, counts).max(axis=1)
    places = [place for place, _ in table.options]
    firsts = [k for k, place in enumerate(places) if k == 0 or place is not places[k - 1]]
    votes = np.maximum.reduceat(best, firsts, axis=1).sum(axis=1)
    for index in np.flatnonzero(votes >= FEWEST_POINTS).tolist():
        place, turned = seats[index]
        board = homography @ inverse(laid(place, turned))
        yield _Seat(table, board, int(votes[index]), close[index], counts[index])


@dataclass(frozen=True, slots=True)
class _Seat:
    """The board, were a sheet that was seen in a certain place and turn."""

    table: _Table
    homography: Matrix
    votes: int
    close: NDArray[np.bool_]
    """Matches x options: what is seen where it would lie."""
    counts: NDArray[np.intp]
    """Of these by sheet and option."""

    def guess(self, matches: _Matches) -> Guess:
        """With the best sheet and turn in each place, each sheet once."""
        options = self.table.options
        taken: list[tuple[int, int]] = []
        for index in np.argsort(-self.counts, axis=None, kind="stable").tolist():
            sheet, option = divmod(index, len(options))
            if self.counts[sheet, option] < FEWEST_OF_A_SHEET:
                break
            place = options[option][0]
            if all(sheet != s and place is not options[o][0] for s, o in taken):
                taken.append((sheet, option))
        chosen = [(self.close[:, option] & (matches.which == sheet), option) for sheet, option in taken]
        table = self.table
        points = [np.stack([table.x[mine, option], table.y[mine, option]], axis=1) for mine, option in chosen]
        pixels = [matches.pixels[mine] for mine, _ in chosen]
        agreeing = np.concatenate(points).astype(np.float64), np.concatenate(pixels)
        return Guess(table.assembly, self.homography, len(agreeing[0]), agreeing)
