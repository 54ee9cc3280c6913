"""From a flat view of a sheet to the camera that saw it, so that things with height can be placed.

A homography maps the print. A tile's face lies some millimetres above it and a wooden piece's top some
centimetres: where those appear follows from the camera's pose, which the homography gives away once
square pixels and a lens axis through the middle of the photo are assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

# A phone's main lens sees about 65 degrees across the long side of the photo. Only leant on where the
# view is so straight from above that perspective says nothing about the lens (and height little matters).
USUAL_FOCAL_PER_LONG_SIDE = 0.8
# How much the usual lens weighs against the two equations of the homography, which are scaled to about 1.
USUAL_FOCAL_WEIGHT = 0.05


@dataclass(frozen=True, slots=True)
class Camera:
    """Projects millimetres on and above one sheet into the photo.

    `matrix` is 3 x 4 over (x, y, height, 1): x and y on the sheet, height up from the print.
    """

    matrix: Matrix

    @classmethod
    def from_homography(cls, homography: Matrix, size: tuple[int, int], focal: float | None = None) -> Camera:
        """`homography` maps sheet millimetres to pixels of a photo of `size` (width, height).

        A small sheet says little about the lens: give the `focal` length that the whole board says.
        """
        width, height = size
        to_middle = np.array([[1.0, 0.0, -width / 2], [0.0, 1.0, -height / 2], [0.0, 0.0, 1.0]])
        flat = to_middle @ homography
        focal = focal or focal_length(homography, size)
        rays = np.diag([1 / focal, 1 / focal, 1.0]) @ flat
        scale = np.sqrt(np.linalg.norm(rays[:, 0]) * np.linalg.norm(rays[:, 1]))
        rays = rays / scale
        if rays[2, 2] < 0:  # the sheet lies before the lens, not behind it
            rays = -rays
        # x to the right and y down make x cross y point into the table; up is the other way
        (a, b, c), (d, e, f) = rays[:, 0].tolist(), rays[:, 1].tolist()
        up = np.array([c * e - b * f, a * f - c * d, b * d - a * e])
        back = np.array([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])
        return cls(back @ np.column_stack([rays[:, 0], rays[:, 1], up, rays[:, 2]]))

    def homography(self, height: float = 0.0) -> Matrix:
        """Maps (x, y) in millimetres, `height` above the print, to pixels."""
        columns = self.matrix[:, [0, 1, 3]].copy()
        columns[:, 2] += height * self.matrix[:, 2]
        return columns

    def project(self, points: Matrix, height: float | Matrix = 0.0) -> Matrix:
        """Pixels of `points` (n x 2, millimetres) at `height` above the print."""
        points = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        heights = np.broadcast_to(np.asarray(height, dtype=np.float64), (len(points),))
        seen = np.column_stack([points, heights, np.ones(len(points))]) @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def placed(self, motion: Matrix) -> Camera:
        """The camera in the millimetres of a sheet that lies moved by `motion` (3 x 3, rigid, flat)."""
        lift = np.eye(4)
        lift[np.ix_([0, 1, 3], [0, 1, 3])] = motion
        return Camera(self.matrix @ lift)

    def scaled(self, factor: float) -> Camera:
        """The same view in a photo scaled by `factor` (pixel centres at whole numbers)."""
        shift = (factor - 1) / 2
        return Camera(np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1.0]]) @ self.matrix)


def focal_length(homography: Matrix, size: tuple[int, int]) -> float:
    """In pixels: the axes of the sheet are at right angles and equally long."""
    width, height = size
    flat = np.array([[1.0, 0.0, -width / 2], [0.0, 1.0, -height / 2], [0.0, 0.0, 1.0]]) @ homography
    long_side = max(size)
    usual = USUAL_FOCAL_PER_LONG_SIDE * long_side
    flat = np.diag([1 / usual, 1 / usual, 1.0]) @ flat
    a, b = flat[:, 0], flat[:, 1]
    length = max(float(a[:2] @ a[:2]), float(b[:2] @ b[:2]), 1e-12)
    # both equations read  across * w + along = 0  for w = (usual / focal) squared
    across = np.array([a[:2] @ b[:2], (a[:2] @ a[:2] - b[:2] @ b[:2]) / 2]) / length
    along = np.array([a[2] * b[2], (a[2] * a[2] - b[2] * b[2]) / 2]) / length
    weight = USUAL_FOCAL_WEIGHT**2
    # the unknown is put on `along`'s side: 1 / w = -across / along, steady where the view is straight
    inverse = (weight - across @ along) / (weight + along @ along)
    return usual * float(np.sqrt(np.clip(inverse, 0.25, 9.0)))
