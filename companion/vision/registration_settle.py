"""A guess of where the board lies, made exact or dropped.

In turn: the sheets are told apart in the straightened photo, the plane is drawn to those that are sure, and
the others are looked for again where that plane says, until nothing more is won. Then all visible print draws
it tight, and every sheet gets the small motion of its own by which it lies out of square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Camera, Matrix, focal_length
from companion.vision.landmarks import Landmarks
from companion.vision.model import Assembly, Found, SheetPose
from companion.vision.photo import Photo
from companion.vision.plane import Image, corners_of, laid, moved
from companion.vision.refine import BLOCK_AGREES, Level, View, fitted_view, patches, shifts
from companion.vision.registration_arrange import Lying, arranged
from companion.vision.registration_features import Guess

# A sheet is sure where its print correlates by this much, and by so much more than any other that might lie
# there. Sheets that are not there reach 0.15; ones under forty tiles and pieces still 0.4.
SURE, SURE_MARGIN = 0.28, 0.1
ROUNDS = 4
# Blocks are searched this far, in pixels of their level: some 5 mm, then some 2 mm.
NEAR_SEARCH, TIGHT_SEARCH = 5, 4
# Blocks that must agree before a plane is drawn to them.
FEWEST_BLOCKS = 10
# A sheet lies at most this far out of its place, as a part of the board's long side: some 3 mm.
OUT_OF_SQUARE = 0.006


@dataclass(frozen=True, slots=True)
class _Seen:
    """Blocks of one sheet that were found in the photo."""

    lying: Lying
    points: Matrix
    """In the sheet's millimetres."""
    pixels: Matrix
    agree: Matrix
    """Correlation, 0 where a block was not found."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A board that was found: the view of its millimetres in the working image, and its sheets."""

    assembly: Assembly
    view: View
    seen: tuple[_Seen, ...]
    missing: tuple[str, ...]
    """Places whose sheet was not recognised."""
    score: float

    @property
    def beyond_doubt(self) -> bool:
        return not self.missing


@dataclass(frozen=True, slots=True)
class Look:
    """A first look at a guess: which sheets it shows."""

    guess: Guess
    sure: tuple[Lying, ...]

    @property
    def whole(self) -> bool:
        return len(self.sure) == len(self.guess.assembly.places)

    @property
    def score(self) -> float:
        return sum(lying.score for lying in self.sure)


def first_look(gray: Image, guess: Guess, landmarks: Landmarks) -> Look:
    lying = arranged(gray, guess.assembly, guess.homography, landmarks)
    return Look(guess, tuple(one for one in lying if _is_sure(one)))


def settled(gray: Image, look: Look, landmarks: Landmarks) -> Settled | None:
    guess = look.guess
    size = (gray.shape[1], gray.shape[0])
    for _ in range(ROUNDS):
        if not look.sure:
            return None
        seen = [
            _found_blocks(gray, guess.homography @ lying.motion, lying, landmarks.near[lying.sheet], NEAR_SEARCH)
            for lying in look.sure
        ]
        view = _fitted(seen, guess.homography, size, lens=False)
        if view is None:
            return None
        guess = Guess(guess.assembly, view.homography)
        if look.whole:
            break
        again = first_look(gray, guess, landmarks)
        if len(again.sure) <= len(look.sure):
            break
        look = again
    return _tight(gray, guess.assembly, guess.homography, look.sure, landmarks)


def _is_sure(lying: Lying) -> bool:
    return lying.score >= SURE and lying.margin >= SURE_MARGIN


def _tight(
    gray: Image, assembly: Assembly, homography: Matrix, sure: Sequence[Lying], landmarks: Landmarks
) -> Settled | None:
    size = (gray.shape[1], gray.shape[0])
    seen = [
        _found_blocks(
            gray, homography @ laid(lying.place, lying.turned), lying, landmarks.tight[lying.sheet], TIGHT_SEARCH
        )
        for lying in sure
    ]
    view = _fitted(seen, homography, size, lens=True)
    if view is None:
        return None
    there = {lying.place.name for lying in sure}
    missing = tuple(place.name for place in assembly.places if place.name not in there)
    return Settled(assembly, view, tuple(seen), missing, sum(lying.score for lying in sure))


def _found_blocks(gray: Image, to_photo: Matrix, lying: Lying, level: Level, search: int) -> _Seen:
    """The blocks of a sheet, looked for where `to_photo` (from the sheet) expects them."""
    off, agree = shifts(patches(gray, to_photo, level, search), level, search)
    middles = level.blocks.middles()
    pixels = moved(to_photo @ level.window.to_mm(), middles + off)
    inside = ((pixels > 0) & (pixels < (gray.shape[1] - 1, gray.shape[0] - 1))).all(axis=1)
    return _Seen(lying, moved(level.window.to_mm(), middles), pixels, np.where(inside, agree, 0.0))


def _fitted(seen: Sequence[_Seen], start: Matrix, size: tuple[int, int], lens: bool) -> View | None:
    points = np.concatenate([moved(laid(s.lying.place, s.lying.turned), s.points) for s in seen])
    pixels = np.concatenate([s.pixels for s in seen])
    agree = np.concatenate([s.agree for s in seen])
    good = agree > BLOCK_AGREES
    if good.sum() < FEWEST_BLOCKS:
        return None
    robust, inliers = cv2.findHomography(points[good], pixels[good], cv2.RANSAC, 0.004 * max(size), maxIters=300)
    if robust is None or inliers.sum() < FEWEST_BLOCKS:
        return None
    near = inliers.ravel() > 0
    view, _ = fitted_view(
        points[good][near], pixels[good][near], agree[good][near] ** 2, np.asarray(robust, np.float64), size, lens
    )
    return view


def found_of(settled: Settled, photo: Photo, landmarks: Landmarks) -> Found:
    """In pixels of the whole photo, upright."""
    size = (photo.image.shape[1], photo.image.shape[0])
    view = settled.view
    focal = focal_length(view.homography, size)
    poses, misses = [], []
    for seen in settled.seen:
        place = laid(seen.lying.place, seen.lying.turned)
        outline = _grid(np.array(corners_of(landmarks.design.sheets[seen.lying.sheet])))
        good = seen.agree > BLOCK_AGREES
        flat = view.flat(moved(place, outline)) @ place
        flat, miss = _out_of_square(flat, seen.points[good], seen.pixels[good], OUT_OF_SQUARE * landmarks.long_side)
        camera = Camera.from_homography(flat, size, focal).scaled(1 / photo.scale)
        error = float(np.median(miss)) / photo.scale if len(miss) else 0.0
        close = miss < 3 * max(float(np.median(miss)), 0.5) if len(miss) else miss
        visible = float(np.sum(close)) / max(len(seen.agree), 1)
        poses.append(SheetPose(seen.lying.place.name, seen.lying.sheet, seen.lying.turned, camera, error, visible))
        misses.append(miss)
    corners = (view.project(np.array(settled.assembly.corners)) + 0.5) / photo.scale - 0.5
    return Found(
        settled.assembly.name,
        tuple(poses),
        tuple((float(x), float(y)) for x, y in corners),
        float(np.median(np.concatenate(misses))) / photo.scale,
    )


def _out_of_square(flat: Matrix, points: Matrix, pixels: Matrix, most: float) -> tuple[Matrix, NDArray[np.float64]]:
    """The sheet's own small shift and turn on the table, and how far its blocks then still are off in pixels."""
    miss = np.hypot(*(moved(flat, points) - pixels).T)
    if len(points) < FEWEST_BLOCKS:
        return flat, np.asarray(miss)
    there = moved(np.linalg.inv(flat), pixels)
    middle = points.mean(axis=0)
    trust = np.ones(len(points))
    motion = np.eye(3)
    for _ in range(3):
        weight = trust / trust.sum()
        start, goal = weight @ points, weight @ there
        (x, y), (u, v) = (points - start).T, (there - goal).T
        turn = float(weight @ (x * v - y * u) / (weight @ (x * x + y * y)))
        motion[:2, :2] = ((1, -turn), (turn, 1))
        motion[:2, 2] = goal - motion[:2, :2] @ start
        miss = np.hypot(*(moved(flat @ motion, points) - pixels).T)
        trust = 1 / (1 + (miss / (2 * max(float(np.median(miss)), 0.3))) ** 2) ** 2
    if np.hypot(*(moved(motion, middle)[0] - middle)) > most:
        motion = np.eye(3)
        miss = np.hypot(*(moved(flat, points) - pixels).T)
    return flat @ motion, np.asarray(miss)


def _grid(corners: Matrix) -> Matrix:
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    xs, ys = np.linspace(left, right, 5), np.linspace(top, bottom, 5)
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
