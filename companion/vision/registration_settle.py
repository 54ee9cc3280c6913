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
from companion.vision.landmarks import Landmarks, Level
from companion.vision.model import Assembly, Found, SheetPose
from companion.vision.photo import Photo
from companion.vision.plane import Image, Window, corners_of, laid, moved, straightened
from companion.vision.refine import BLOCK_AGREES, View, fitted_view, shifts
from companion.vision.registration_arrange import Lying, arranged
from companion.vision.registration_features import Guess

# A sheet is sure where its print correlates by this much, and by so much more than any other that might lie
# there. Sheets that are not there reach 0.15; ones under forty tiles and pieces still 0.4.
SURE, SURE_MARGIN = 0.28, 0.1
ROUNDS = 4
# Blocks are searched this far, in pixels of their level: some 8 mm, then some 3 mm.
NEAR_SEARCH, TIGHT_SEARCH = 8, 5
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


def settled(gray: Image, guess: Guess, landmarks: Landmarks) -> Settled | None:
    assembly, homography = guess.assembly, guess.homography
    size = (gray.shape[1], gray.shape[0])
    sure: list[Lying] = []
    for _ in range(ROUNDS):
        again = [lying for lying in arranged(gray, assembly, homography, landmarks) if _is_sure(lying)]
        if len(again) <= len(sure):
            break
        sure = again
        seen = [_found_blocks(gray, homography, lying, landmarks.near[lying.sheet], NEAR_SEARCH) for lying in sure]
        view = _fitted(seen, homography, size, lens=False)
        if view is None:
            return None
        homography = view.homography
        if len(sure) == len(assembly.places):
            break
    if not sure:
        return None
    return _tight(gray, assembly, homography, sure, landmarks)


def _is_sure(lying: Lying) -> bool:
    return lying.score >= SURE and lying.margin >= SURE_MARGIN


def _tight(
    gray: Image, assembly: Assembly, homography: Matrix, sure: Sequence[Lying], landmarks: Landmarks
) -> Settled | None:
    size = (gray.shape[1], gray.shape[0])
    seen = [_found_blocks(gray, homography, lying, landmarks.tight[lying.sheet], TIGHT_SEARCH) for lying in sure]
    view = _fitted(seen, homography, size, lens=True)
    if view is None:
        return None
    there = {lying.place.name for lying in sure}
    missing = tuple(place.name for place in assembly.places if place.name not in there)
    return Settled(assembly, view, tuple(seen), missing, sum(lying.score for lying in sure))


def _found_blocks(gray: Image, homography: Matrix, lying: Lying, level: Level, search: int) -> _Seen:
    """The blocks of a sheet, looked for where `homography` (of the board) expects them."""
    window = level.window
    wide = Window(
        window.left - search / window.per_mm,
        window.top - search / window.per_mm,
        window.per_mm,
        window.width + 2 * search,
        window.height + 2 * search,
    )
    to_photo = homography @ laid(lying.place, lying.turned)
    view = straightened(gray, to_photo, wide)
    off, agree = shifts(view, level.picture, level.blocks, search, (-search, -search))
    middles = level.blocks.middles()
    pixels = moved(to_photo @ window.to_mm(), middles + off)
    inside = ((pixels > 0) & (pixels < (gray.shape[1] - 1, gray.shape[0] - 1))).all(axis=1)
    return _Seen(lying, moved(window.to_mm(), middles), pixels, np.where(inside, agree, 0.0))


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
    for _ in range(5):
        goal, start = (np.average(p, axis=0, weights=trust) for p in (there, points))
        a, b = points - start, there - goal
        turn = float((trust * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])).sum() / (trust * (a**2).sum(axis=1)).sum())
        rotate = np.array([[1, -turn], [turn, 1]])
        motion = np.eye(3)
        motion[:2, :2], motion[:2, 2] = rotate, goal - rotate @ start
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
