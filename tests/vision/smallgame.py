"""A small game for tests: a frame with two pieces in it that may lie in either place, turned or not.

Its print is drawn here from random shapes, so nothing that is tested can lean on any real set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.model import (
    NOTHING,
    Assembly,
    Design,
    Faces,
    Labelled,
    Place,
    Polygon,
    Sheet,
    Slot,
    Source,
    Thing,
)
from companion.vision.plane import homography_of, laid, moved

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
Arrangement = Mapping[str, tuple[str, int]]

PER_MM = 4
"""Pixels of the drawn print."""
WIDTH, HEIGHT, RIM, SIDE = 280.0, 160.0, 20.0, 120.0
TILE = 24.0


def rectangle(left: float, top: float, right: float, bottom: float) -> Polygon:
    return (left, top), (right, top), (right, bottom), (left, bottom)


BOARD = rectangle(0, 0, WIDTH, HEIGHT)
FACES = Faces(("A", "B", "C"), turns=4, thickness=0.0, size=(TILE, TILE), shift=2.0, twist=5.0)
MIDDLES = {"a": (30.0, 30.0), "b": (90.0, 40.0), "c": (50.0, 90.0)}
HOME: Arrangement = {"W": ("P", 0), "E": ("Q", 0)}


def design() -> Design:
    frame = (
        rectangle(0, 0, WIDTH, RIM),
        rectangle(0, HEIGHT - RIM, WIDTH, HEIGHT),
        rectangle(0, RIM, RIM, HEIGHT - RIM),
        rectangle(WIDTH - RIM, RIM, WIDTH, HEIGHT - RIM),
    )
    square = rectangle(0, 0, SIDE, SIDE)
    slots = {
        sheet: tuple(Slot(name, sheet, _square(middle), FACES) for name, middle in MIDDLES.items())
        for sheet in "PQ"
    }
    places = tuple(
        Place(name, ("P", "Q"), x, RIM, (0, 180), (SIDE / 2, SIDE / 2))
        for name, x in (("W", RIM), ("E", RIM + SIDE))
    )
    return Design(
        name="small",
        sheets={"P": Sheet("P", (square,)), "Q": Sheet("Q", (square,)), "frame": Sheet("frame", frame)},
        assemblies=(Assembly("whole", (*places, Place("frame", ("frame",), 0.0, 0.0)), BOARD),),
        slots=slots,
    )


def _square(middle: tuple[float, float]) -> Polygon:
    x, y = middle
    return rectangle(x - TILE / 2, y - TILE / 2, x + TILE / 2, y + TILE / 2)


def drawn(seed: int, width: float, height: float, shapes: int) -> Picture:
    """Random shapes on a soft ground."""
    rng = np.random.default_rng(seed)
    size = (round(width * PER_MM), round(height * PER_MM))
    ground = rng.integers(60, 200, (6, 8, 3)).astype(np.uint8)
    art = np.asarray(cv2.resize(ground, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    for _ in range(shapes):
        middle = rng.uniform((0, 0), size)
        corners = middle + rng.normal(0, 5 * PER_MM, (int(rng.integers(3, 6)), 2))
        colour = rng.integers(0, 255, 3).tolist()
        cv2.fillPoly(art, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)
    return art


def prints(seed: int = 1) -> dict[str, Picture]:
    return {
        "P": drawn(seed * 10, SIDE, SIDE, 70),
        "Q": drawn(seed * 10 + 1, SIDE, SIDE, 70),
        "frame": drawn(seed * 10 + 2, WIDTH, HEIGHT, 200),
    }


def faces(seed: int = 1) -> dict[str, Picture]:
    return {name: drawn(seed * 10 + 3 + k, TILE, TILE, 9) for k, name in enumerate(FACES.names)}


@dataclass(frozen=True)
class Shot:
    """Where the board's corners come to lie in a photo, and what lies on it."""

    corners: Points
    size: tuple[int, int] = (960, 720)
    arrangement: Arrangement = field(default_factory=lambda: HOME)
    things: Mapping[tuple[str, str], Thing] = field(default_factory=dict)
    moved_by: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Millimetres by which a sheet lies out of its place."""
    light: tuple[float, float] = (1.0, 0.0)
    """Times and plus, over the grey values."""
    seed: int = 0


STRAIGHT = Shot(np.array([(110.0, 140.0), (850.0, 130.0), (865.0, 560.0), (100.0, 550.0)]))
# Photos of it tell the corners to this many pixels: about a millimetre at the far end of the tilted one.
CORNERS_TO = 3.2
TILTED = Shot(np.array([(700.0, 90.0), (860.0, 590.0), (260.0, 640.0), (380.0, 110.0)]))


def photographed(shot: Shot, seed: int = 1) -> Picture:
    """The board on a table of noise."""
    rng = np.random.default_rng(shot.seed)
    width, height = shot.size
    table = rng.integers(80, 150, (height // 40, width // 40, 3)).astype(np.uint8)
    photo = cv2.resize(table, shot.size, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    to_photo = homography_of(np.array(BOARD), shot.corners)
    board = board_picture(shot, seed)
    warp = to_photo @ np.diag([1 / PER_MM, 1 / PER_MM, 1.0])
    # drawn with more pixels than the photo has: shrink softly
    soft = cv2.GaussianBlur(board, (0, 0), 0.4 * PER_MM * WIDTH / float(np.ptp(shot.corners[:, 0])))
    seen = cv2.warpPerspective(soft, warp, shot.size).astype(np.float32)
    mask = cv2.warpPerspective(np.ones(board.shape[:2], np.float32), warp, shot.size)[..., None]
    photo = photo * (1 - mask) + seen * mask
    photo = photo * shot.light[0] + shot.light[1] + rng.normal(0, 2, photo.shape)
    return np.asarray(np.clip(photo, 0, 255), np.uint8)


def board_picture(shot: Shot, seed: int = 1) -> Picture:
    art, tiles = prints(seed), faces(seed)
    board = art["frame"].copy()
    places = {place.name: place for place in design().assemblies[0].places}
    for name, (sheet, turned) in shot.arrangement.items():
        picture = art[sheet].copy()
        for slot, middle in MIDDLES.items():
            thing = shot.things.get((sheet, slot), NOTHING)
            if thing != NOTHING:
                tile = np.rot90(tiles[thing.names[0]], -thing.turns)
                left, top = (round((v - TILE / 2) * PER_MM) for v in middle)
                picture[top : top + tile.shape[0], left : left + tile.shape[1]] = tile
        by = shot.moved_by.get(sheet, (0.0, 0.0))
        to_board = np.array([[1, 0, by[0]], [0, 1, by[1]], [0, 0, 1.0]]) @ laid(places[name], turned)
        grid = np.diag([PER_MM, PER_MM, 1.0])
        # the middle of a drawn pixel lies half a pixel in
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        warp = np.linalg.inv(half) @ grid @ to_board @ np.linalg.inv(grid) @ half
        size = (board.shape[1], board.shape[0])
        inside = cv2.warpPerspective(np.full(picture.shape[:2], 255, np.uint8), warp, size)
        board[inside > 127] = cv2.warpPerspective(picture, warp, size)[inside > 127]
    return board


def jpeg(picture: Picture, quality: int = 92) -> bytes:
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes())


def labelled(shot: Shot, path: Path, tapped: Points | None = None) -> Labelled:
    corners = shot.corners if tapped is None else tapped
    return Labelled(
        photo=path,
        assembly="whole",
        corners=tuple((float(x), float(y)) for x, y in corners),
        arrangement=shot.arrangement,
        things={(sheet, slot): shot.things.get((sheet, slot), NOTHING) for sheet in "PQ" for slot in MIDDLES},
        markers={},
    )


def source(folder: Path, taps_off_by: float = 0.0, seed: int = 1) -> Source:
    """Three setup photos: bare, and two with every face on both pieces."""
    rng = np.random.default_rng(5)
    shots = {
        "empty": STRAIGHT,
        "first": Shot(STRAIGHT.corners + np.array((12, -8)), things=_laid("ABC"), light=(0.9, 8), seed=1),
        "second": Shot(
            np.array([(150.0, 110.0), (830.0, 150.0), (900.0, 600.0), (70.0, 540.0)]),
            things=_laid("BCA"),
            seed=2,
        ),
    }
    photos = []
    for name, shot in shots.items():
        path = folder / f"{name}.jpg"
        path.write_bytes(jpeg(photographed(shot, seed)))
        photos.append(labelled(shot, path, shot.corners + rng.normal(0, 1, (4, 2)) * taps_off_by))
    return Source(design(), tuple(photos))


def _laid(letters: str) -> dict[tuple[str, str], Thing]:
    return {
        (sheet, slot): Thing((letters[(k + turn) % 3],), 0)
        for turn, sheet in enumerate("PQ")
        for k, slot in enumerate(MIDDLES)
    }


def corner_error(found: Polygon, shot: Shot) -> float:
    return float(np.hypot(*(np.array(found) - shot.corners).T).max())


def sheet_error(
    camera_points: Points, shot: Shot, place: str, sheet: str, turned: int, points: Points
) -> float:
    """How far off, in pixels, points of a sheet are seen."""
    where = {p.name: p for p in design().assemblies[0].places}[place]
    by = shot.moved_by.get(sheet, (0.0, 0.0))
    truth = moved(homography_of(np.array(BOARD), shot.corners), moved(laid(where, turned), points) + by)
    return float(np.hypot(*(camera_points - truth).T).max())
