"""What stands before a face while it is learnt, and what is put in its place.

A piece that leans over a tile in the only photo of that tile hides a part of its look. Where pieces stand is
labelled and their form is learnt, so what they hide is known. Sides that show the same word look alike: a
hidden part is taken from other faces as a guess, and is never as good as what was seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import Floats, cut_to_mm
from companion.vision.labelled_view import LabelledView
from companion.vision.model import Design, Faces, Pieces, SheetPose, Slot
from companion.vision.pieces import Form, levels

Mask = NDArray[np.uint8]

# Pieces stand off their places and are no bodies of revolution: they hide this much more than their form
# says, in parts of their radius and height.
WIDER, TALLER = 1.3, 1.15
# A piece's shadow is as soft as this, in sharp pixels.
SHADE = 10.0


def hidden_in(view: LabelledView, design: Design, forms: Mapping[str, Form]) -> Mask:
    """255 where a labelled piece may hide what lies behind it, in the view's picture."""
    mask = np.zeros(view.image.shape[:2], np.uint8)
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    for pose, slot, names in _stacks(view, design):
        camera = pose.camera.scaled(view.scale)
        middle = np.mean(np.array(slot.polygon), axis=0)
        base = 0.0
        for name in names:
            form = forms.get(name)
            if form is None:
                continue
            heights, radii = levels(form)
            discs = [
                camera.project(middle + WIDER * r * circle, base + TALLER * h)
                for h, r in zip(heights, radii, strict=True)
            ]
            for lower, upper in pairwise(discs):
                both = np.concatenate([lower, upper]).astype(np.float32)
                cv2.fillConvexPoly(mask, np.round(cv2.convexHull(both)).astype(np.int32), 255)
            base += form.rise
    return mask


def _stacks(view: LabelledView, design: Design) -> Iterator[tuple[SheetPose, Slot, tuple[str, ...]]]:
    for pose in view.poses:
        for slot in design.slots.get(pose.sheet, ()):
            thing = view.labelled.things.get((pose.sheet, slot.name))
            if thing and thing.names and isinstance(slot.holds, Pieces) and not slot.holds.anywhere:
                yield pose, slot, thing.names


def cut_hidden(
    mask: Mask, scale: float, mm: float, slots: Sequence[tuple[SheetPose, Slot]], side: int,
    height: float = 0.0,
) -> Floats:  # fmt: skip
    """n x side x side: 1 where the slot's face was seen, cut out as `straighten` does."""
    seen = np.empty((len(slots), side, side), dtype=np.float32)
    for index, (pose, slot) in enumerate(slots):
        middle = np.mean(np.array(slot.polygon), axis=0)
        onto = pose.camera.scaled(scale).homography(height) @ cut_to_mm(middle, mm, side)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        seen[index] = 1 - cv2.warpPerspective(mask, onto, (side, side), flags=flags) / np.float32(255)
    return seen


def filled(colours: Floats, known: NDArray[np.bool_], holds: Faces, names: Sequence[str]) -> Floats:
    """Faces (n x side x side x 3) whose unknown pixels are what other faces show there."""
    side = colours.shape[1]
    wedge = _wedges(side)
    out = colours.copy()
    for face in range(len(names)):
        hidden = ~known[face]
        if not hidden.any():
            continue
        guess = colours[face].copy()
        for quarter in range(4):
            here = wedge == quarter
            donors = _donors(face, quarter, colours, known, holds, names)
            guess[here] = _middling(donors, here, colours[face][here])
        out[face][hidden] = (guess + _shade(colours[face] - guess, known[face]))[hidden]
    return out


def _shade(off: Floats, known: NDArray[np.bool_]) -> Floats:
    """By how much a guess is off where the face was seen, carried on to where it was not: no seam remains."""
    weight = cv2.GaussianBlur(known.astype(np.float32), (0, 0), SHADE)
    total = cv2.GaussianBlur(np.where(known[..., None], off, 0), (0, 0), SHADE)
    return np.asarray(total / np.maximum(weight, np.float32(1e-3))[..., None], dtype=np.float32)


def _donors(
    face: int, quarter: int, colours: Floats, known: NDArray[np.bool_], holds: Faces, names: Sequence[str]
) -> list[tuple[Floats, NDArray[np.bool_]]]:
    """Faces turned so that the given side shows the same word, or else any that has sides."""
    words = holds.parts.get(names[face], ())
    word = words[quarter] if quarter < len(words) else None
    same, any_ = [], []
    for other, name in enumerate(names):
        if other == face or name in holds.plain:
            continue
        any_.append((colours[other], known[other]))
        for place, shown in enumerate(holds.parts.get(name, ())):
            if shown == word and word is not None:
                turn = place - quarter  # anticlockwise, to bring side `place` to side `quarter`
                same.append((np.rot90(colours[other], turn), np.rot90(known[other], turn)))
    return same or any_


def _middling(
    donors: Sequence[tuple[Floats, NDArray[np.bool_]]], here: NDArray[np.bool_], otherwise: Floats
) -> Floats:
    if not donors:
        return otherwise
    seen = np.stack([np.where(known[here][:, None], picture[here], np.nan) for picture, known in donors])
    blank = np.isnan(seen[..., 0]).all(axis=0)
    seen[:, blank] = otherwise[blank]
    return np.asarray(np.nanmedian(seen, axis=0), dtype=np.float32)


def _wedges(side: int) -> NDArray[np.int64]:
    """Which side (0-3: N E S W) each pixel belongs to."""
    along = np.arange(side) - (side - 1) / 2
    y, x = np.meshgrid(along, along, indexing="ij")
    return np.where(np.abs(y) >= np.abs(x), np.where(y < 0, 0, 2), np.where(x > 0, 1, 3))
