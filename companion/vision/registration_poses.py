"""From the view of the board to each sheet's own camera, in pixels of the whole photo."""

from __future__ import annotations

import numpy as np

from companion.vision.camera import Camera, Matrix, focal_length
from companion.vision.landmarks import Landmarks
from companion.vision.model import Found, SheetPose
from companion.vision.photo import Photo
from companion.vision.plane import corners_of, grid, laid, moved
from companion.vision.refine import View
from companion.vision.registration_settle import FEWEST_BLOCKS, Seen, Settled

# A sheet lies at most this far out of its place, as a part of the board's long side: some 3 mm.
OUT_OF_SQUARE = 0.006


def found_of(settled: Settled, photo: Photo, landmarks: Landmarks) -> Found:
    """The board in the whole photo, upright."""
    view = settled.view
    focal = focal_length(view.homography, (photo.image.shape[1], photo.image.shape[0]))
    poses, misses = [], []
    for seen in settled.seen:
        pose, miss = _pose(seen, view, focal, photo, landmarks)
        poses.append(pose)
        misses.append(miss)
    corners = (view.project(np.array(settled.assembly.corners)) + 0.5) / photo.scale - 0.5
    return Found(
        settled.assembly.name,
        tuple(poses),
        tuple((float(x), float(y)) for x, y in corners),
        float(np.median(np.concatenate(misses))) / photo.scale,
    )


def _pose(
    seen: Seen, view: View, focal: float, photo: Photo, landmarks: Landmarks
) -> tuple[SheetPose, Matrix]:
    lying = seen.lying
    place = laid(lying.place, lying.turned)
    outline = np.array(corners_of(landmarks.design.sheets[lying.sheet]))
    # around the sheet a homography stands in for the lens that bends lines
    flat = view.flat(moved(place, grid(outline, 4))) @ place
    holds = seen.holds(view)
    flat, miss = _out_of_square(flat, seen.points[holds], seen.pixels[holds], OUT_OF_SQUARE * landmarks.long_side)
    size = (photo.image.shape[1], photo.image.shape[0])
    camera = Camera.from_homography(flat, size, focal).scaled(1 / photo.scale)
    error = float(np.median(miss)) / photo.scale
    visible = float(holds.sum()) / len(holds)
    return SheetPose(lying.place.name, lying.sheet, lying.turned, camera, error, visible), miss


def _out_of_square(flat: Matrix, points: Matrix, pixels: Matrix, most: float) -> tuple[Matrix, Matrix]:
    """The sheet's own small shift and turn on the table, and how far its blocks then still are off in pixels."""
    still = np.hypot(*(moved(flat, points) - pixels).T)
    if len(points) < FEWEST_BLOCKS:
        return flat, np.asarray(still)
    there = moved(np.linalg.inv(flat), pixels)
    miss, motion = still, np.eye(3)
    for _ in range(3):
        weight = 1 / (1 + (miss / (2 * max(float(np.median(miss)), 0.3))) ** 2) ** 2
        weight /= weight.sum()
        start, goal = weight @ points, weight @ there
        (x, y), (u, v) = (points - start).T, (there - goal).T
        turn = float(weight @ (x * v - y * u) / (weight @ (x * x + y * y)))
        motion[:2, :2] = ((1, -turn), (turn, 1))
        motion[:2, 2] = goal - motion[:2, :2] @ start
        miss = np.hypot(*(moved(flat @ motion, points) - pixels).T)
    middle = points.mean(axis=0)
    if np.hypot(*(moved(motion, middle)[0] - middle)) > most:
        return flat, np.asarray(still)
    return flat @ motion, np.asarray(miss)
