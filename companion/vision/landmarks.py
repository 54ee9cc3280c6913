"""What is prepared from the clean prints, once, so that a board is found quickly in every photo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.bare import long_side
from companion.vision.camera import Matrix
from companion.vision.keypoints import NOWHERE, QUICK, STURDY, Kind, Looks
from companion.vision.landmarks_twins import Twin, telling
from companion.vision.model import Assembly, Design, Faces, Place
from companion.vision.plane import Image, Window, homography_of, in_gray, inverse, laid, moved
from companion.vision.prints import Print
from companion.vision.refine import Level

# Long side of the board in pixels: to tell sheets apart, to draw them near, to draw them tight. A tile is
# some 8, 27 and 53 pixels wide in these.
ARRANGE_PIXELS, NEAR_PIXELS, TIGHT_PIXELS = 150, 500, 1000
# Pixels around the board in the first of these: how far a sheet may lie off where a guess expects it.
ARRANGE_MARGIN = 6
# Side of a block in the last two, and how many of them all sheets together may have: few enough to be quick,
# enough that half of them may be covered.
NEAR_BLOCK, TIGHT_BLOCK = 22, 25
NEAR_MOST, TIGHT_MOST = 60, 150
# Blocks beside the tiles are enough where such a part of the print has one of them as near as this times what
# lies between blocks that are spread evenly. Those on a board's rim alone let its middle and far side swing.
NEARLY_ALL, NEAR_ENOUGH = 0.95, 1.8
# Light is taken out over this part of the board's long side.
LIGHT_REACH = 0.07

# A board whose sides differ by more than this part fits its own place only when turned by half.
NOT_SQUARE = 0.05
# A print and its own turned picture that correlate by more than this are told apart with care.
LOOKS_THE_SAME = 0.3

# Features are taken from a print at the size it has in the small copy of a photo.
FEATURE_PIXELS = 700
# Of all sheets together, in each view: quick ones, sturdy ones.
FEATURES_A_VIEW, STURDY_A_VIEW = 1800, 2400
# Tilt and direction in degrees: the quick look knows the sheets from above, the thorough one from all sides.
FROM_ABOVE = ((0.0, 0.0),)
FROM_ALL_SIDES = (
    *FROM_ABOVE,
    *((38.0, direction) for direction in (0.0, 45.0, 90.0, 135.0)),
    *((55.0, direction) for direction in (22.5, 67.5, 112.5, 157.5)),
)


@dataclass(frozen=True, slots=True)
class Features:
    """Points of the prints that can be recognised."""

    kind: Kind
    sheets: tuple[str, ...]
    which: NDArray[np.intp]
    """For each feature the index of its sheet."""
    points: Matrix
    """In the sheet's millimetres."""
    looks: Looks


# The way from its pixels to the sheet's millimetres, and the print without light.
SmallPrint = tuple[Matrix, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Rivals:
    """All that may lie in a place: small prints without light, where they would be seen on the board."""

    place: Place
    lying: tuple[tuple[str, int], ...]
    """Sheets and their turns."""
    left: int
    top: int
    """Of the pictures, in pixels of the board's window."""
    pictures: NDArray[np.float32]
    """One for each of `lying`; 0 where the print is not known."""
    known: NDArray[np.float32]
    """1 where it is."""


@dataclass(frozen=True)
class Landmarks:
    design: Design
    prints: Mapping[str, Print]
    quick: Features
    """Of the prints seen from above."""
    board: Mapping[str, Window]
    """By assembly: the small window in which sheets are told apart, with a margin around the board."""
    rivals: Mapping[str, tuple[Rivals, ...]]
    """By assembly."""
    twins: Mapping[str, tuple[Twin, ...]]
    """By assembly."""
    near: Mapping[str, Level]
    tight: Mapping[str, Level]
    long_side: float
    """Of the board, in millimetres."""

    @cached_property
    def thorough(self) -> Features:
        """Of the prints seen from all sides: looked at when a photo asks for them, which few do."""
        return _features(self.prints, self.long_side, STURDY, STURDY_A_VIEW, FROM_ALL_SIDES)


def prepared(design: Design, prints: Mapping[str, Print]) -> Landmarks:
    side = long_side(design)
    per_mm = ARRANGE_PIXELS / side
    board = {a.name: Window.around((a.corners,), per_mm, ARRANGE_MARGIN / per_mm) for a in design.assemblies}
    small = {name: _small_print(bare, per_mm) for name, bare in prints.items()}
    tight = {name: _shrunk(bare, TIGHT_PIXELS / side) for name, bare in prints.items()}
    rivals = {a.name: tuple(_rivals(a, board[a.name], small)) for a in design.assemblies}
    return Landmarks(
        design=design,
        prints=prints,
        quick=_features(prints, side, QUICK, FEATURES_A_VIEW, FROM_ABOVE),
        board=board,
        rivals=rivals,
        twins={a.name: tuple(_twins(a, rivals[a.name], board[a.name], tight)) for a in design.assemblies},
        near={
            name: _level(design, name, bare, NEAR_PIXELS / side, NEAR_BLOCK, NEAR_MOST // len(prints))
            for name, bare in prints.items()
        },
        tight={
            name: _level(design, name, bare, TIGHT_PIXELS / side, TIGHT_BLOCK, TIGHT_MOST // len(prints))
            for name, bare in prints.items()
        },
        long_side=side,
    )


def without_light(gray: NDArray[np.float32], known: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """Each pixel against the mean and the spread of its surroundings; 0 where nothing is known."""
    size = (2 * reach + 1, 2 * reach + 1)
    share = cv2.boxFilter(known, cv2.CV_32F, size) + 1e-3
    mean = cv2.boxFilter(gray * known, cv2.CV_32F, size) / share
    square = cv2.boxFilter(gray * gray * known, cv2.CV_32F, size) / share
    # 4 grey values: what is flatter than that is noise, and stays small
    spread = np.sqrt(np.maximum(square - mean * mean, 0)) + 4.0
    return np.asarray((gray - mean) / spread * known, np.float32)


def light_reach(pixels: int) -> int:
    return max(2, round(LIGHT_REACH * pixels / 2))


def _shrunk(bare: Print, per_mm: float) -> tuple[Window, Image, Image]:
    """A print and where it is known, at another size."""
    height, width = bare.known.shape
    factor = per_mm / bare.per_mm
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    image = _filled(bare)
    gray = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    known = cv2.resize(bare.known, size, interpolation=cv2.INTER_AREA)
    left, top = moved(bare.window.to_mm(), np.array([[0.5 * (1 / factor - 1), 0.5 * (1 / factor - 1)]]))[0]
    return (
        Window(float(left), float(top), per_mm, *size),
        np.asarray(gray, np.uint8),
        np.where(known == 255, 255, 0).astype(np.uint8),
    )


def _filled(bare: Print) -> Image:
    """Grey; what is not known gets the mean, so that no edge stands where knowledge ends."""
    gray = in_gray(bare.image)
    known = bare.known > 0
    return np.where(known, gray, np.uint8(gray[known].mean() if known.any() else 0)).astype(np.uint8)


def _rivals(assembly: Assembly, board: Window, small: Mapping[str, SmallPrint]) -> Iterator[Rivals]:
    for place in assembly.places:
        lying = tuple((name, turned) for name in place.sheets if name in small for turned in place.turns)
        if not lying:
            continue
        on_board = [board.to_pixels() @ laid(place, turned) @ small[name][0] for name, turned in lying]
        outlines = [
            moved(matrix, _rim(small[name][1])) for matrix, (name, _) in zip(on_board, lying, strict=True)
        ]
        left, top = np.floor(np.concatenate(outlines).min(axis=0) + 0.5).astype(int).tolist()
        right, bottom = np.ceil(np.concatenate(outlines).max(axis=0) + 0.5).astype(int).tolist()
        shift = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])
        pictures = np.array(
            [
                cv2.warpPerspective(small[name][1], shift @ matrix, (right - left, bottom - top))
                for matrix, (name, _) in zip(on_board, lying, strict=True)
            ],
            np.float32,
        )
        yield Rivals(place, lying, left, top, pictures, (pictures != 0).astype(np.float32))


def _small_print(bare: Print, per_mm: float) -> SmallPrint:
    window, gray, known = _shrunk(bare, per_mm)
    share = (known > 0).astype(np.float32)
    return window.to_mm(), without_light(gray.astype(np.float32), share, light_reach(ARRANGE_PIXELS))


def _rim(picture: NDArray[np.float32]) -> Matrix:
    height, width = picture.shape
    return np.array([(0, 0), (width, 0), (width, height), (0, height)]) - 0.5


def _fixed(assembly: Assembly) -> list[Place]:
    """Places in which the same sheet always lies alike."""
    return [place for place in assembly.places if len(place.sheets) == 1 and len(place.turns) == 1]


def _twins(
    assembly: Assembly, rivals: tuple[Rivals, ...], board: Window,
    prints: Mapping[str, tuple[Window, Image, Image]],
) -> Iterator[Twin]:  # fmt: skip
    """Such turns, judged by the sheets that always lie in the same place: each must look the same."""
    size = (board.width, board.height)
    pictures = []
    for fixed in rivals:
        if fixed.place in _fixed(assembly):
            shift = np.array([[1.0, 0, fixed.left], [0, 1.0, fixed.top]])
            pictures.append(cv2.warpAffine(fixed.pictures[0], shift, size))
    whole = np.sum(pictures, axis=0) if pictures else np.zeros(size[::-1])
    corners = np.array(assembly.corners)
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    for quarters in (1, 2, 3):
        if quarters % 2 and abs(sides[0] / sides[1] - 1) > NOT_SQUARE:
            continue
        turn = homography_of(corners, np.roll(corners, quarters, axis=0))
        turned = cv2.warpPerspective(whole.astype(np.float32), board.to_pixels() @ turn @ board.to_mm(), size)
        alike = [float((turned * one).sum()) / max(float((one * one).sum()), 1e-6) for one in pictures]
        if alike and min(alike) > LOOKS_THE_SAME:
            fixed_sheets = [(place, place.sheets[0]) for place in _fixed(assembly)]
            yield Twin(
                turn,
                {name: telling(*prints[name], place, turn) for place, name in fixed_sheets if name in prints},
            )


def _level(design: Design, name: str, bare: Print, per_mm: float, block: int, most: int) -> Level:
    """Blocks beside the tiles if there is room: an empty place says nothing once a tile lies on it."""
    window, gray, known = _shrunk(bare, per_mm)
    tiles = tuple(slot.polygon for slot in design.slots.get(name, ()) if isinstance(slot.holds, Faces))
    free = np.where(window.mask(tiles) > 0, 0, known).astype(np.uint8)
    beside, whole = (Level.of(gray, mask, window, block, most) for mask in (free, known))
    if len(beside.pattern) < most or not _all_over(beside.points, whole.points):
        return whole
    # whether the print shows anything is a matter of all of it
    return replace(beside, clear=whole.clear)


def _all_over(points: Matrix, whole: Matrix) -> bool:
    """Whether there is one of `points` near nearly everything of `whole`."""
    apart = np.abs(whole[:, None] - points).max(axis=2).min(axis=1)
    reach = NEAR_ENOUGH * float(np.ptp(whole, axis=0).max()) / np.sqrt(len(points))
    return bool((apart < reach).mean() > NEARLY_ALL)


def _features(
    prints: Mapping[str, Print], side: float, kind: Kind, most: int, views: tuple[tuple[float, float], ...]
) -> Features:
    which, points, looks = [np.zeros(0, np.intp)], [NOWHERE], []
    for index, bare in enumerate(prints.values()):
        window, gray, known = _shrunk(bare, FEATURE_PIXELS / side)
        for tilt, direction in views:
            seen, mask, warp = _tilted(gray, known, tilt, direction)
            inside = np.asarray(cv2.erode(mask, np.ones((5, 5), np.uint8)), np.uint8)
            found = kind.of_print(seen, inside, most // len(prints))
            points.append(moved(window.to_mm() @ inverse(warp), found.at))
            looks.append(found.looks)
            which.append(np.full(len(found.at), index))
    return Features(kind, tuple(prints), np.concatenate(which), np.concatenate(points), np.concatenate(looks))


def _tilted(gray: Image, known: Image, tilt: float, direction: float) -> tuple[Image, Image, Matrix]:
    """A print as seen from far off at a tilt: narrower along one direction."""
    height, width = gray.shape
    angle = np.radians(direction)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    squash = turn.T @ np.diag([np.cos(np.radians(tilt)), 1.0]) @ turn
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) @ squash.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    warp = np.eye(3)
    warp[:2, :2], warp[:2, 2] = squash, -low
    size = (int(np.ceil(high[0] - low[0])), int(np.ceil(high[1] - low[1])))
    seen = cv2.warpAffine(gray, warp[:2], size, flags=cv2.INTER_LINEAR)
    return np.asarray(seen, np.uint8), np.asarray(cv2.warpAffine(known, warp[:2], size), np.uint8), warp
