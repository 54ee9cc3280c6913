"""The clean print of every sheet, learnt from setup photos.

What lies on the sheets is known from the labels and left out, with room for shadow and lean. What several
photos show is brought to one light and averaged, so that glare or a shadow in one of them weighs less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.bare import arrangement_of, assembly_of, bare, long_side
from companion.vision.camera import Camera
from companion.vision.model import Design, Found, Labelled, SheetPose, Source
from companion.vision.overlay import overlaid, seen
from companion.vision.photo import Photo
from companion.vision.plane import Image, Window, corners_of, grid, moved
from companion.vision.refine import View

# The long side of a print of the whole board in pixels: about what a phone's photo of it holds.
BOARD_PIXELS = 1300


@dataclass(frozen=True, slots=True)
class Print:
    """The look of a bare sheet."""

    image: Image
    """BGR."""
    known: Image
    """255 where the print was seen uncovered, 0 elsewhere."""
    per_mm: float
    origin: tuple[float, float]
    """The middle of pixel (0, 0), in the sheet's millimetres."""

    @property
    def window(self) -> Window:
        height, width = self.known.shape
        return Window(self.origin[0], self.origin[1], self.per_mm, width, height)


def learn_prints(source: Source, photos: Sequence[Photo]) -> tuple[dict[str, Print], tuple[Found, ...]]:
    """The print of each sheet, and where the sheets lie in each of the source's photos."""
    views = overlaid(source, photos)
    prints = {}
    for name in source.design.sheets:
        shown = [
            (photo, view, labelled)
            for photo, view, labelled in zip(photos, views, source.photos, strict=True)
            if name in arrangement_of(assembly_of(source.design, labelled), labelled)
        ]
        if shown:
            prints[name] = _print(source.design, name, shown)
    found = tuple(
        _found(source.design, labelled, photo, view)
        for labelled, photo, view in zip(source.photos, photos, views, strict=True)
    )
    return prints, found


def _print(design: Design, name: str, shown: Sequence[tuple[Photo, View, Labelled]]) -> Print:
    sheet = design.sheets[name]
    per_mm = BOARD_PIXELS / long_side(design)
    window = Window.around(sheet.parts, per_mm)
    inside = window.mask(sheet.parts)
    pictures, clean = [], []
    for photo, view, labelled in shown:
        place = arrangement_of(assembly_of(design, labelled), labelled)[name]
        pictures.append(seen(photo.image, view, place, window))
        free = seen(bare(design, labelled, photo, view), view, place, window)
        clean.append((inside > 0) & (free == 255))
    known = np.any(clean, axis=0)
    # a photo with things on it that no label tells of only counts where no other shows the print
    told = [free for free, (_, _, labelled) in zip(clean, shown, strict=True) if not labelled.covered]
    if told:
        others = np.any(told, axis=0)
        clean = [
            free & ~others if labelled.covered else free
            for free, (_, _, labelled) in zip(clean, shown, strict=True)
        ]
    image = _one_light(np.stack(pictures), np.stack(clean))
    image[~known] = 0
    return Print(image, np.where(known, 255, 0).astype(np.uint8), per_mm, (window.left, window.top))


def _one_light(pictures: NDArray[np.uint8], clean: NDArray[np.bool_]) -> Image:
    """The mean of the pictures where they are clean, each brought to the mean light of all."""
    if len(pictures) == 1:
        return np.asarray(pictures[0])
    logs = np.log(pictures.astype(np.float32) + 4)
    weights = clean.astype(np.float32)[..., None] + 1e-4
    common = (logs * weights).sum(axis=0) / weights.sum(axis=0)
    height, width = clean.shape[1:]
    small = (max(width // 8, 1), max(height // 8, 1))
    for log, weight in zip(logs, weights, strict=True):
        # light changes slowly over a sheet, print does not; a small picture is enough for what is slow
        excess = cv2.resize((log - common) * weight, small, interpolation=cv2.INTER_AREA)
        base = cv2.resize(weight, small, interpolation=cv2.INTER_AREA)
        reach = max(small) / 16
        light = cv2.GaussianBlur(excess, (0, 0), reach) / cv2.GaussianBlur(base, (0, 0), reach)[..., None]
        log -= cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)
    mean = (logs * weights).sum(axis=0) / weights.sum(axis=0)
    return np.asarray(np.clip(np.exp(mean) - 4, 0, 255), np.uint8)


def _found(design: Design, labelled: Labelled, photo: Photo, view: View) -> Found:
    """The sheets of a labelled photo, in pixels of the whole photo."""
    assembly = assembly_of(design, labelled)
    height, width = photo.image.shape[:2]
    poses = []
    for place in assembly.places:
        known = labelled.arrangement.get(place.name)
        if known is None and (len(place.sheets) > 1 or len(place.turns) > 1):
            continue
        sheet, turned = known or (place.sheets[0], place.turns[0])
        lying = arrangement_of(assembly, labelled)[sheet]
        flat = view.flat(moved(lying, grid(np.array(corners_of(design.sheets[sheet])), 5))) @ lying
        camera = Camera.from_homography(flat, (width, height)).scaled(1 / photo.scale)
        poses.append(SheetPose(place.name, sheet, turned, camera, 0.5 / photo.scale, 1.0))
    corners = (view.project(np.array(assembly.corners)) + 0.5) / photo.scale - 0.5
    return Found(
        assembly.name, tuple(poses), tuple((float(x), float(y)) for x, y in corners), 0.5 / photo.scale
    )
