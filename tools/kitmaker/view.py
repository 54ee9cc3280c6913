"""A phone's camera above the table: pinhole, axis through the photo's middle, slight radial distortion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """Projects (x, y, height) in board millimetres into a photo of `size` (width, height)."""

    matrix: Points
    """3 x 4 over (x, y, height, 1), without the lens's bend."""
    eye: Points
    size: tuple[int, int]
    focal: float
    bend: float
    """Radial distortion: r' = r (1 + bend r^2), r in focal lengths."""

    def straight(self, points: Points) -> Points:
        """Pixels (n x 2) before the lens bends them."""
        flat = np.asarray(points, np.float64).reshape(-1, 3)
        seen = np.column_stack([flat, np.ones(len(flat))]) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def project(self, points: Points) -> Points:
        """Pixels in the photo."""
        middle = (np.array(self.size) - 1) / 2
        rays = (self.straight(points) - middle) / self.focal
        return np.asarray(middle + self.focal * rays * (1 + self.bend * (rays**2).sum(1, keepdims=True)))

    def ground(self, height: float = 0.0) -> Points:
        """The homography from (x, y) at `height` to straight pixels."""
        columns = self.matrix[:, [0, 1, 3]].copy()
        columns[:, 2] += height * self.matrix[:, 2]
        return columns

    def bend_maps(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """For cv2.remap: where in the straight picture each pixel of the photo comes from."""
        width, height = self.size
        x = ((np.arange(width, dtype=np.float32) - (width - 1) / 2) / self.focal)[None, :]
        y = ((np.arange(height, dtype=np.float32) - (height - 1) / 2) / self.focal)[:, None]
        # one step of the inverse is exact enough for so slight a bend: the labels are checked in the tests
        square = x * x + y * y
        back = 1 / (1 + self.bend * square / (1 + self.bend * square) ** 2)
        return (
            (x * back * self.focal + (width - 1) / 2).astype(np.float32),
            (y * back * self.focal + (height - 1) / 2).astype(np.float32),
        )


@dataclass(frozen=True)
class Shot:
    """How a photo is taken, before it is fitted to the board."""

    size: tuple[int, int]
    tilt: float
    """Degrees off the vertical."""
    side: float
    """Degrees about the table: 0 sees the board upright, 90 from its left side."""
    roll: float
    fill: float
    """The share of the frame's width or height that the board's outline takes, whichever is tighter."""
    focal: float
    """In long sides of the photo."""
    offset: tuple[float, float]
    """Where in the free room of the frame the board lies, -1 to 1."""
    bend: float


def any_shot(rng: Generator, size: tuple[int, int], hard: bool) -> Shot:
    steep = float(rng.uniform(*((0, 25), (0, 50), (0, 50), (38, 50))[int(rng.integers(4))]))
    return Shot(
        size,
        steep,
        float(rng.uniform(0, 360)) if rng.random() < 0.5 else float(rng.integers(4) * 90 + rng.normal(0, 12)),
        float(rng.normal(0, 4)),
        float(rng.uniform(0.72, 0.97)) if not hard else float(rng.uniform(0.62, 1.12)),
        float(rng.uniform(0.62, 1.05)),
        (float(rng.uniform(-0.9, 0.9)), float(rng.uniform(-0.9, 0.9))),
        float(rng.normal(0, 0.02)),
    )


def setup_shot(rng: Generator, size: tuple[int, int]) -> Shot:
    """An owner who calibrates stands before the board and takes care."""
    return Shot(
        size,
        float(rng.uniform(3, 38)),
        float(rng.normal(0, 6)),
        float(rng.normal(0, 2)),
        float(rng.uniform(0.85, 0.97)),
        float(rng.uniform(0.65, 0.95)),
        (float(rng.uniform(-0.6, 0.6)), float(rng.uniform(-0.6, 0.6))),
        float(rng.normal(0, 0.015)),
    )


def aim(shot: Shot, board: tuple[float, float]) -> View:
    """Backs off and turns until the board (width, height in mm) lies in the frame as `shot` wants it."""
    width, height = shot.size
    focal = shot.focal * max(shot.size)
    turn = _rotation(shot)
    corners = np.array([(0, 0, 0), (board[0], 0, 0), (board[0], board[1], 0), (0, board[1], 0)], float)
    at, distance = np.array([board[0] / 2, board[1] / 2, 0.0]), 2.0 * max(board)
    view = _view(shot, turn, at, distance, focal)
    for _ in range(12):
        seen = view.straight(corners)
        low, high = seen.min(0), seen.max(0)
        taken = float(((high - low) / (width, height)).max())
        distance *= (taken / shot.fill) ** 0.8
        free = np.maximum(np.array([width, height]) - (high - low), 0) / 2
        want = np.array([width, height]) / 2 + free * np.array(shot.offset)
        # the table point now under the board's wanted displacement becomes the new middle of the photo
        pixel = np.array([width, height]) / 2 + ((low + high) / 2 - want) * 0.8
        ground = cv2.perspectiveTransform(pixel.reshape(1, 1, 2), np.linalg.inv(view.ground()))[0, 0]
        at = np.array([ground[0], ground[1], 0.0])
        view = _view(shot, turn, at, distance, focal)
    return view


def good_shot(view: View, board: tuple[float, float], least: float, cut: float) -> bool:
    """The board takes at least a share `least` of the photo, no corner lies farther outside than `cut`."""
    corners = np.array([(0, 0, 0), (board[0], 0, 0), (board[0], board[1], 0), (0, board[1], 0)], float)
    depth = np.column_stack([corners, np.ones(4)]) @ view.matrix[2]
    seen = view.straight(corners)
    size = np.array(view.size)
    area = cv2.contourArea(seen.astype(np.float32)) / size.prod()
    outside = np.maximum(-seen, seen - size) / size
    return bool((depth > 0).all() and area > least and outside.max() < cut)


def _rotation(shot: Shot) -> Points:
    """Rows: right, down, forward of the camera in (x, y, depth below the table's top)."""
    tilt, side, roll = np.radians([shot.tilt, shot.side - 90, shot.roll])
    look = np.array([np.cos(side), np.sin(side)])
    forward = np.array([*np.sin(tilt) * look, np.cos(tilt)])
    down = np.array([*-np.cos(tilt) * look, np.sin(tilt)])
    right = np.cross(down, forward)
    c, s = np.cos(roll), np.sin(roll)
    return np.array([c * right + s * down, c * down - s * right, forward])


def _view(shot: Shot, turn: Points, at: Points, distance: float, focal: float) -> View:
    eye = at - distance * turn[2]
    middle = (np.array(shot.size) - 1) / 2
    inner = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
    up = np.diag([1.0, 1.0, -1.0])  # heights go up, the camera's third axis down
    matrix = inner @ turn @ np.column_stack([up, -eye])
    return View(matrix, up @ eye, shot.size, focal, shot.bend)
