"""A board whose print shows nothing, such as a cloth: only its outline against the table tells where it lies.

Nothing on it tells its sides apart either. It is taken to be seen from its own lower side, as far as its
proportions allow.
"""

from __future__ import annotations

import numpy as np

from companion.vision.camera import Camera, Matrix, focal_length
from companion.vision.landmarks import Landmarks
from companion.vision.model import Assembly, Found, SheetPose
from companion.vision.overlay import drawn_to_edges
from companion.vision.photo import Gray, Photo
from companion.vision.plane import homography_of, laid, shrunk
from companion.vision.refine import View
from companion.vision.registration_blocks import FEWEST_BLOCKS
from companion.vision.registration_outline import OUTLINE_SIDE, outlines

# By how much (a logarithm) the sides of an outline may be too long or short against each other: boards that
# were outlined well had less than 0.01, other things 0.03 and more. Turns within the second are as good.
MOST_ODD, SAME_PROPORTIONS = 0.03, 0.01
# How far off its edges are taken to be, as a part of the board's long side.
USUAL_ERROR = 0.002


def is_plain(landmarks: Landmarks) -> bool:
    return sum(level.clear for level in landmarks.tight.values()) < FEWEST_BLOCKS


def found_by_outline(gray: Gray, landmarks: Landmarks) -> Found | None:
    """What has the board's proportions, as the first assembly of which every sheet has its place."""
    photo = gray.photo()
    fixed = [
        assembly
        for assembly in landmarks.design.assemblies
        if all(len(place.sheets) == 1 and len(place.turns) == 1 for place in assembly.places)
    ]
    if not fixed:
        return None
    corners = np.array(fixed[0].corners)
    size = (photo.image.shape[1], photo.image.shape[0])
    smaller, factor = shrunk(photo.image, OUTLINE_SIDE)
    flats = [
        homography_of(corners, np.roll((seen + 0.5) / factor - 0.5, turn, axis=0))
        for seen in outlines(smaller)
        for turn in range(4)
    ]
    odd = [_odd_proportions(flat, size) for flat in flats]
    if min(odd, default=1.0) > MOST_ODD:
        return None
    likely = [flat for flat, how in zip(flats, odd, strict=True) if how < min(odd) + SAME_PROPORTIONS]
    view = View.straight(max(likely, key=lambda flat: _upright(flat, corners)), size)
    return _found(fixed[0], drawn_to_edges([(photo.image, view)], corners)[0], photo, landmarks)


def _odd_proportions(flat: Matrix, size: tuple[int, int]) -> float:
    """How unequal a millimetre across and one down would have to be."""
    focal = focal_length(flat, size)
    middle = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1.0]])
    rays = np.diag([1 / focal, 1 / focal, 1.0]) @ middle @ flat
    return abs(float(np.log(np.linalg.norm(rays[:, 0]) / np.linalg.norm(rays[:, 1]))))


def _upright(flat: Matrix, corners: Matrix) -> float:
    """How much lower in the photo the board's lower side is than its upper one."""
    seen = View.straight(flat, (2, 2)).project(corners)
    return float(seen[2:, 1].mean() - seen[:2, 1].mean())


def _found(assembly: Assembly, view: View, photo: Photo, landmarks: Landmarks) -> Found:
    height, width = photo.image.shape[:2]
    error = USUAL_ERROR * float(np.ptp(view.project(np.array(assembly.corners)), axis=0).max()) / photo.scale
    poses = tuple(
        SheetPose(
            place.name,
            place.sheets[0],
            place.turns[0],
            Camera.from_homography(view.homography @ laid(place, place.turns[0]), (width, height)).scaled(
                1 / photo.scale
            ),
            error,
            1.0,
        )
        for place in assembly.places
    )
    corners = (view.project(np.array(assembly.corners)) + 0.5) / photo.scale - 0.5
    return Found(assembly.name, poses, tuple((float(x), float(y)) for x, y in corners), error)
