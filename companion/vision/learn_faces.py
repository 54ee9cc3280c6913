"""Learning the looks of faces from photos of which the owner said what lies where.

A tile in a calibration photo lies as askew as any other. Its outline is found by what differs from the bare
print and by the edges around it; then faces that share a layout are aligned to each other, so that the few
pixels in which they differ stand out later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Camera
from companion.vision.faces import (
    FINE,
    INNER,
    PIXEL_BLUR,
    RIM,
    SHARP,
    SHARP_RIM,
    FaceLooks,
    Floats,
    Straightened,
    beneath,
    margined,
    opponent,
    straighten,
)
from companion.vision.faces_search import sample
from companion.vision.learn_faces_alike import centred, congealed, plain_laid_alike, upright_lie
from companion.vision.learn_faces_centres import faces_off
from companion.vision.learn_faces_hidden import cut_hidden, filled
from companion.vision.light import Light, linear, logs
from companion.vision.model import Faces, SheetPose, Slot, Thing
from companion.vision.prints import Print

# Difference from the bare print (sum over channels, logarithms) at which a pixel surely shows something else.
COVERED = 0.5
# An edge stronger than this (change over two pixels) counts no more: a face's rim may be faint on one side.
STRONG_EDGE = 0.4
# What one squared millimetre off its place costs: owners lay tiles about where they belong.
OFF_PLACE = 0.006
# Twists that are tried, in degrees.
TWISTS = 2.0
# Thickness is believed up to this part of a face's size.
THICKEST = 0.15
# A pixel of which less than this part was before a piece is taken as seen.
CLEAR = 0.95


@dataclass(frozen=True)
class FaceView:
    """One photo's slots of one kind, with what lies in them."""

    image: NDArray[np.uint8]
    scale: float
    light: Light
    slots: tuple[tuple[SheetPose, Slot, Thing], ...]
    hidden: NDArray[np.uint8]
    """255 where a piece may hide what lies behind it, as large as `image`."""


def learn_faces(holds: Faces, views: Sequence[FaceView], prints: Mapping[str, Print]) -> FaceLooks:
    mm = max(holds.size) * INNER / FINE
    margin = holds.shift + THICKEST / 2 * max(holds.size)
    side = margined(mm, margin)
    shown = [(view, pose, slot, thing) for view in views for pose, slot, thing in view.slots]
    straight, visible = _cut_out(views, mm, side, holds.thickness)
    bare = np.stack(
        [
            print_crop(prints[pose.sheet], slot, mm, side, beneath(pose.camera, slot, holds.thickness))
            for _, pose, slot, _ in shown
        ]
    )
    turns = [thing.turns for *_, thing in shown]
    lies = congealed(straight, visible, outlines(straight, visible, bare, holds, mm), turns)
    lies = centred(straight, lies, turns)
    names = [thing.names[-1] for *_, thing in shown]
    lies, turns, best = plain_laid_alike(straight, lies, turns, names, holds)
    sharp, sharply = _cut_out(views, mm * FINE / SHARP, side * SHARP // FINE, holds.thickness)
    visible[~best], sharply[~best] = 0, 0
    looks = _pictured(holds, sharp, sharply, lies, turns, names)
    off = faces_off(looks, _sampled(straight, visible, lies, turns, names, holds, FINE + 4 * RIM)[0])
    lies = lies + np.stack(
        [upright_lie(off[looks.names.index(name)], -turn) for name, turn in zip(names, turns, strict=True)]
    )
    looks = _pictured(holds, sharp, sharply, lies, turns, names)
    if holds.thickness:
        return looks
    parallax = [_parallax(pose.camera, slot) for _, pose, slot, _ in shown]
    return replace(looks, thickness=_thickness(np.array(parallax), lies[:, :2] * mm, holds))


def _cut_out(views: Sequence[FaceView], mm: float, side: int, height: float) -> tuple[Straightened, Floats]:
    """All slots that show something, `height` mm above the print, and 1 where nothing stands before it."""
    cuts, visible = [], []
    for view in views:
        slots = [spot[:2] for spot in view.slots]
        if slots:
            cuts.append(straighten(view.image, view.scale, view.light, mm, slots, height, side))
            visible.append(cut_hidden(view.hidden, view.scale, mm, slots, side, height))
    colours, blurs, white = (
        np.concatenate(parts) for parts in zip(*((c.colours, c.blurs, c.white) for c in cuts), strict=True)
    )
    return Straightened(colours, blurs, white), np.concatenate(visible)


def _pictured(
    holds: Faces, sharp: Straightened, visible: Floats, lies: Floats, turns: Sequence[int],
    names: Sequence[str],
) -> FaceLooks:  # fmt: skip
    """`lies`: in fine pixels."""
    to_sharp = np.array([SHARP / FINE, SHARP / FINE, 1.0], dtype=np.float32)
    side = SHARP + 2 * SHARP_RIM
    colours, known = _sampled(sharp, visible, lies * to_sharp, turns, names, holds, side)
    shown = tuple(name for name in holds.names if name in names)
    per_mm = PIXEL_BLUR / (sharp.blurs * max(holds.size) * INNER / SHARP)
    ours = [np.array([n == name for n in names]) for name in shown]
    sharpness = np.array([np.median(per_mm[which]) for which in ours], dtype=np.float32)
    white = np.stack([sharp.white[which].min(axis=0) for which in ours])
    return FaceLooks(holds, shown, colours, sharpness, holds.thickness, known=known, white=white)


def _sampled(
    straight: Straightened, visible: Floats, lies: Floats, turns: Sequence[int], names: Sequence[str],
    holds: Faces, pixels: int,
) -> tuple[Floats, NDArray[np.bool_]]:  # fmt: skip
    """Faces x pixels x pixels x 3, each as it lies, upright; and which of these pixels any photo showed."""
    every = np.arange(len(lies))
    seen = sample(straight.colours, every, lies, pixels)
    clear = sample(visible[..., None], every, lies, pixels)[..., 0] > CLEAR
    upright = np.stack([np.rot90(picture, turn) for picture, turn in zip(seen, turns, strict=True)])
    clear = np.stack([np.rot90(mask, turn) for mask, turn in zip(clear, turns, strict=True)])
    shown = [name for name in holds.names if name in names]
    pictures, known = [], []
    for name in shown:
        ours = [n == name for n in names]
        any_ = clear[ours].any(axis=0)
        # the median of those that show it
        counted = np.where((clear[ours] | ~any_)[..., None], upright[ours], np.nan)
        pictures.append(np.nanmedian(counted, axis=0))
        known.append(any_)
    colours = np.stack(pictures).astype(np.float32)
    return filled(colours, np.stack(known), holds, shown), np.stack(known)


def print_crop(
    print_: Print,
    slot: Slot,
    mm: float,
    side: int,
    off: tuple[float, float] | NDArray[np.float64] = (0.0, 0.0),
) -> Floats:
    """The bare print of a slot, `side` pixels of `mm` about its middle, as it is seen `off` mm away."""
    corner = np.mean(np.array(slot.polygon), axis=0) - np.asarray(off) - mm * (side - 1) / 2
    start = (corner - np.array(print_.origin)) * print_.per_mm
    step = mm * print_.per_mm
    picture = cv2.warpAffine(
        print_.image, np.array([[step, 0, start[0]], [0, step, start[1]]]), (side, side),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return opponent(logs(linear(np.asarray(picture))))


def outlines(straight: Straightened, visible: Floats, bare: Floats, holds: Faces, mm: float) -> Floats:
    """How each thing lies, by its outline: (x, y, twist) in pixels and degrees."""
    side = straight.colours.shape[1]
    middle = (side - 1) / 2
    width, height = (round(length / mm) for length in holds.size)
    along = (np.arange(side) - middle) * mm
    cost = (OFF_PLACE * (along[None] ** 2 + along[:, None] ** 2)).astype(np.float32)
    twists = np.arange(-holds.twist, holds.twist + 0.1, TWISTS)
    lies = np.empty((len(bare), 3), dtype=np.float32)
    for index, (canvas, seen, print_) in enumerate(zip(straight.colours, visible, bare, strict=True)):
        other = np.clip(np.abs(canvas - print_).sum(axis=2) / COVERED, 0, 1).astype(np.float32)
        # what stands before it tells nothing
        other = np.where(seen > CLEAR, other, np.float32(0.5))
        best = -np.inf
        for twist in twists:
            matrix = cv2.getRotationMatrix2D((middle, middle), float(twist), 1.0)
            turned = _floats(cv2.warpAffine(canvas, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE))
            covered = _floats(cv2.warpAffine(other, matrix, (side, side)))
            clear = _floats(cv2.warpAffine(seen, matrix, (side, side), borderValue=1)) > CLEAR
            fit = _outline_fit(covered, turned, clear, width, height) - cost
            _, value, _, (x, y) = cv2.minMaxLoc(fit)
            if value > best:
                best = value
                back = np.linalg.inv(matrix[:, :2]) @ (np.array([x, y]) - middle)
                lies[index] = *back, twist
    return lies


def _floats(picture: object) -> Floats:
    return np.asarray(picture, dtype=np.float32)


def _outline_fit(other: Floats, picture: Floats, clear: NDArray[np.bool_], width: int, height: int) -> Floats:
    """For every place of the middle: foreign inside, print around, and an edge along all four sides."""
    rim = 4
    inside = cv2.boxFilter(other, -1, (width, height), normalize=False, borderType=cv2.BORDER_CONSTANT)
    around = cv2.boxFilter(
        other, -1, (width + 2 * rim, height + 2 * rim), normalize=False, borderType=cv2.BORDER_CONSTANT
    )
    area, whole = width * height, (width + 2 * rim) * (height + 2 * rim)
    fit = inside / area - (around - inside) / (whole - area)
    across, down = np.zeros_like(other), np.zeros_like(other)
    across[:, 1:-1] = np.minimum(np.abs(picture[:, 2:] - picture[:, :-2]).sum(axis=2), STRONG_EDGE)
    down[1:-1] = np.minimum(np.abs(picture[2:] - picture[:-2]).sum(axis=2), STRONG_EDGE)
    uprights = _edge_along(across, clear, (1, height))
    levels = _edge_along(down, clear, (width, 1))
    x, y = width // 2, height // 2
    sides = np.stack(
        [
            uprights[y:-y, : -2 * x], uprights[y:-y, 2 * x :],
            levels[: -2 * y, x:-x], levels[2 * y :, x:-x],
        ]
    )  # fmt: skip
    edges = np.full_like(fit, -9.0)
    edges[y:-y, x:-x] = sides.mean(axis=0) + sides.min(axis=0)
    return np.asarray(fit + edges)


def _edge_along(edges: Floats, clear: NDArray[np.bool_], line: tuple[int, int]) -> Floats:
    """The mean edge along what can be seen of a line; where that is little, the rest counts as none."""
    counted = _floats(cv2.boxFilter(clear.astype(np.float32), -1, line, borderType=cv2.BORDER_CONSTANT))
    total = _floats(cv2.boxFilter(edges * clear, -1, line, borderType=cv2.BORDER_CONSTANT))
    return _floats(total / np.maximum(counted, np.float32(0.5)))


def _parallax(camera: Camera, slot: Slot) -> NDArray[np.float64]:
    """By how many mm on the print a point moves for each mm that it lies higher."""
    middle = np.mean(np.array(slot.polygon), axis=0)
    raised = camera.project(middle[None], 1.0)[0]
    back = np.linalg.inv(camera.homography()) @ np.array([*raised, 1.0])
    return np.asarray(back[:2] / back[2] - middle)


def _thickness(parallax: NDArray[np.float64], moved: Floats, holds: Faces) -> float:
    """The height that explains best why things lie off their places, all in the direction of the view."""
    height = float((parallax * moved).sum()) / max(float(np.square(parallax).sum()), 1e-6)
    return float(np.clip(height, 0.0, THICKEST * max(holds.size)))
