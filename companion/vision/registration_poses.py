"""From the view of the board to each sheet's own camera, in pixels of the whole photo."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.camera import Camera, Matrix, focal_length
from companion.vision.landmarks import Landmarks
from companion.vision.model import Assembly, Found, SheetPose
from companion.vision.photo import Gray
from companion.vision.plane import corners_of, grid, inverse, laid, median, moved
from companion.vision.refine import View
from companion.vision.registration_arrange import Lying
from companion.vision.registration_blocks import Seen, own_motion
from companion.vision.registration_settle import Settled

# A sheet lies at most this far out of its place, as a part of the board's long side: some 3 mm.
OUT_OF_SQUARE = 0.006
# A corner of a sheet so close to one of the board is the board's own, likewise.
SAME_CORNER = 0.002


def found_of(settled: Settled, photo: Gray, landmarks: Landmarks) -> Found:
    """The board in the whole photo, upright."""
    view = settled.view
    focal = focal_length(view.homography, (photo.image.shape[1], photo.image.shape[0]))
    most = OUT_OF_SQUARE * landmarks.long_side
    posed = [_posed(seen, view, most) for seen in settled.seen]
    poses = _poses(posed, view, focal, photo, landmarks)
    corners = (_corners(settled.assembly, posed, view, landmarks) + 0.5) / photo.scale - 0.5
    error = median(np.concatenate([one.miss for one in posed])) / photo.scale
    return Found(settled.assembly.name, poses, tuple((float(x), float(y)) for x, y in corners), error)


@dataclass(frozen=True, slots=True)
class _Posed:
    """A sheet with the small motion of its own by which it lies out of square."""

    lying: Lying
    place: Matrix
    """From the sheet to the board, its own motion included."""
    miss: Matrix
    """How far its blocks are off, in pixels of the working image."""
    visible: float


def _posed(seen: Seen, view: View, most: float) -> _Posed:
    holds = seen.holds(view)
    points, pixels = seen.on_board[holds], seen.pixels[holds]
    motion = own_motion(view, points, pixels)
    middle = points.mean(axis=0)
    if np.hypot(*(moved(motion, middle)[0] - middle)) > most:
        motion = np.eye(3)
    miss = np.hypot(*(view.project(moved(motion, points)) - pixels).T)
    return _Posed(seen.lying, motion @ seen.lying.motion, np.asarray(miss), float(holds.sum()) / len(holds))


def _poses(
    posed: list[_Posed], view: View, focal: float, photo: Gray, landmarks: Landmarks
) -> tuple[SheetPose, ...]:
    # around each sheet a homography stands in for the lens that bends lines
    sheets = [landmarks.design.sheets[one.lying.sheet] for one in posed]
    around = [
        moved(one.place, grid(np.array(corners_of(sheet)), 4))
        for one, sheet in zip(posed, sheets, strict=True)
    ]
    size = (photo.image.shape[1], photo.image.shape[0])
    poses = []
    for one, flat in zip(posed, view.flats(np.array(around)), strict=True):
        camera = Camera.from_homography(flat @ one.place, size, focal).scaled(1 / photo.scale)
        error, lying = median(one.miss) / photo.scale, one.lying
        poses.append(SheetPose(lying.place.name, lying.sheet, lying.turned, camera, error, one.visible))
    return tuple(poses)


def _corners(assembly: Assembly, posed: list[_Posed], view: View, landmarks: Landmarks) -> Matrix:
    """The board's outer corners, each where the sheet that ends there lies; others by the whole board."""
    corners = np.array(assembly.corners, dtype=np.float64)
    for one in posed:
        place = laid(one.lying.place, one.lying.turned)
        parts = landmarks.design.sheets[one.lying.sheet].parts
        ends = moved(place, np.array([point for part in parts for point in part]))
        off = np.abs(ends[:, None] - np.array(assembly.corners)).max(axis=2).min(axis=0)
        for index in np.flatnonzero(off < SAME_CORNER * landmarks.long_side).tolist():
            corners[index] = moved(one.place @ inverse(place), np.array(assembly.corners[index]))[0]
    return view.project(corners)
