"""Learns pieces from labelled photos: how wide and high they are, and what colours their paint shows.

Where a piece stands, the photo differs from the print. The form is the one whose silhouette, with each
piece moved a little off its place, covers what differs and no more. Then paint is what lies inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.bare import assembly_of
from companion.vision.camera import Matrix
from companion.vision.labelled_view import LabelledView
from companion.vision.learn_pieces_form import Sight, form_of, shift_of
from companion.vision.learn_pieces_paint import paint_of
from companion.vision.light import PrintGrid, measure_light
from companion.vision.model import Design, Found, Pieces
from companion.vision.pieces import Form, Paint, PieceLooks, densities, levels, silhouette
from companion.vision.pieces_ground import MOST_SAID, Ground, survey
from companion.vision.pieces_print import ANYTHING, Floats
from companion.vision.plane import corners_of, laid, moved
from companion.vision.prints import Print

# The box in which a piece is looked at holds whatever is up to this high, in parts of its slot's half width.
TALLEST = 2.6
# Paint is sampled in this inner part of the silhouette: its rim is mixed with what lies behind.
INNER = 0.8
# Paints whose nearest colours lie closer than this many spreads are told to the owner.
CLOSE = 2.0
# The first guess of a piece: an upright core that it fills in any case, in parts of the slot's half width.
GUESSED_RADIUS, GUESSED_HEIGHT = 0.3, 0.5
ROUNDS = 2
# Something is known to stand there: where its surroundings speak most for it, within this part of the slot's
# half width, they are taken to be sure. Else a piece in the print's colours is learnt as its kernel.
CORE, CLEAR_PART = 0.6, 0.95
# A piece is seen in at least this part of it, or else the print has its colours.
FOREIGN = 0.3


@dataclass(frozen=True, eq=False)
class Around:
    """The neighbourhood of a piece, spot by spot."""

    spots: Matrix
    """n x 2, millimetres on the board."""
    colours: Floats
    printed: Floats
    piece: Floats
    """Both as `Ground` has them, but that something stands there."""
    counts: NDArray[np.bool_]
    """False outside the photo and where something flat may lie."""
    size: tuple[int, int]
    """Rows and columns of it."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A stack of pieces in a photo."""

    ground: Ground
    names: tuple[str, ...]
    place: Matrix
    """The middle of its slot, millimetres on the board."""
    half: float
    """Half the width of the slot."""
    around: Around
    shift: Matrix = field(default_factory=lambda: np.zeros(2))
    """How far off that place it was found to stand."""

    @property
    def base(self) -> Matrix:
        return self.place + self.shift


def learn_pieces(design: Design, views: Sequence[tuple[Ground, LabelledView]]) -> PieceLooks:
    standing = [s for ground, view in views for s in _standing(design, ground, view)]
    forms: dict[str, Form] = {}
    paints: dict[str, Paint] = {}
    for group in _groups(design):
        shown = [s for s in standing if s.names[0] in group]
        if shown:
            form, known = _learnt(shown)
            forms |= dict.fromkeys(known, form)
            paints |= known
    return PieceLooks(forms, paints, tuple(_weak(design, forms, paints)))


def _learnt(shown: Sequence[Standing]) -> tuple[Form, dict[str, Paint]]:
    """The form and the paints of pieces that differ only by their paint."""
    half = float(np.median([s.half for s in shown]))
    tall = GUESSED_HEIGHT * half
    form = Form(np.array([0.0, tall]), np.full(2, GUESSED_RADIUS * half), tall)
    paints = _paints(shown, form)
    for _ in range(ROUNDS):
        sights = [_sight(s, paints) for s in shown]
        form = form_of(sights)
        shown = [replace(s, shift=shift_of(sight, form)) for s, sight in zip(shown, sights, strict=True)]
        paints = _paints(shown, form)
    return form, paints


def _sight(s: Standing, paints: Mapping[str, Paint]) -> Sight:
    """What every spot around it says for each of its pieces."""
    around = s.around
    said = np.stack([_said(s, paints.get(name)).reshape(around.size) for name in s.names])
    return Sight(around.spots.reshape(*around.size, 2), said, s.place, s.ground.eye, s.half)


def _paints(shown: Sequence[Standing], form: Form) -> dict[str, Paint]:
    names = sorted({name for s in shown for name in s.names})
    pixels = {
        name: [_pixels(s, form, level) for s in shown for level, n in enumerate(s.names) if n == name]
        for name in names
    }
    return {name: paint_of(np.concatenate(each)) for name, each in pixels.items() if sum(map(len, each)) > 9}


def grounds(
    design: Design, views: Sequence[LabelledView], prints: Mapping[str, Print]
) -> list[tuple[Ground, LabelledView]]:
    """Each labelled photo on which something stands, laid into the plane of the board."""
    standing = {
        (slot.sheet, slot.name)
        for slots in design.slots.values()
        for slot in slots
        if isinstance(slot.holds, Pieces)
    }
    grids = {name: PrintGrid.of(print_) for name, print_ in prints.items()}
    found = []
    for view in views:
        things = view.labelled.things
        if not view.labelled.markers and not any(things[key].names for key in things.keys() & standing):
            continue
        light = partial(measure_light, view.image, view.poses, view.scale, grids)
        board = _board(design, view)
        ground = survey(view.image, board, view.scale, design, prints, light, everywhere=True)
        found.append((ground, view))
    return found


def _board(design: Design, view: LabelledView) -> Found:
    """The board's corners as its sheets tell them: a person's taps are off by some pixels."""
    assembly = assembly_of(design, view.labelled)
    places = {place.name: place for place in assembly.places}
    on_board, in_photo = [], []
    for pose in view.poses:
        outline = np.array(corners_of(design.sheets[pose.sheet]))
        on_board.append(moved(laid(places[pose.place], pose.turned), outline))
        in_photo.append(pose.camera.project(outline))
    matrix, _ = cv2.findHomography(np.concatenate(on_board), np.concatenate(in_photo))
    corners = moved(np.asarray(matrix, dtype=np.float64), np.array(assembly.corners))
    return Found(assembly.name, view.poses, tuple((float(x), float(y)) for x, y in corners), 0.0)


def _standing(design: Design, ground: Ground, view: LabelledView) -> list[Standing]:
    slots = {
        (slot.sheet, slot.name): slot
        for each in design.slots.values()
        for slot in each
        if isinstance(slot.holds, Pieces)
    }
    shown = {key: thing for key, thing in view.labelled.things.items() if thing.names and key in slots}
    places = {pose.sheet: pose.place for pose in view.poses}
    standing = []
    for (sheet, name), thing in shown.items():
        slot = slots[sheet, name]
        if sheet in places and isinstance(slot.holds, Pieces) and not slot.holds.anywhere:
            outline = moved(ground.lies[places[sheet]], np.array(slot.polygon))
            half = float(np.ptp(outline, axis=0).mean()) / 2
            middle, tall = outline.mean(axis=0), TALLEST * half * len(thing.names)
            standing.append(Standing(ground, thing.names, middle, half, _around(ground, middle, half, tall)))
    return standing


def _groups(design: Design) -> list[tuple[str, ...]]:
    """Names that share a form: those that differ only by their paint."""
    groups: dict[tuple[str, ...], None] = {}
    for slots in design.slots.values():
        for slot in slots:
            if isinstance(slot.holds, Pieces):
                painted = tuple(n for n in slot.holds.names if n in design.forms and design.forms[n].paint)
                groups.update(dict.fromkeys([painted] if painted else []))
                groups.update({(n,): None for n in slot.holds.names if n not in painted})
    return list(groups)


def _around(ground: Ground, place: Matrix, half: float, tall: float) -> Around:
    """A box that holds whatever a piece up to `tall` may hide, seen from the eye."""
    eye, window = ground.eye, ground.window
    far = place + (place - eye[:2]) * tall / (eye[2] - tall)
    room = 1.5 * half
    low, high = np.minimum(place, far) - room, np.maximum(place, far) + room
    corners = moved(window.to_pixels(), np.stack([low, high]))
    left, top = np.maximum(corners[0].astype(int), 0)
    right, bottom = np.minimum(corners[1].astype(int) + 1, (window.width, window.height))
    y, x = np.mgrid[top:bottom, left:right]
    spots = moved(window.to_mm(), np.column_stack([x.ravel(), y.ravel()]).astype(np.float64))
    box = slice(top, bottom), slice(left, right)
    counts = (ground.seen[box] & ~ground.flat[box]).ravel()
    colours = ground.colours(box).reshape(-1, 3)
    printed, piece = ground.printed[box].ravel(), ground.piece[box].ravel()
    core = piece[counts & (np.hypot(*(spots - place).T) < CORE * half)]
    faint = max(0.0, MOST_SAID - float(np.quantile(core, CLEAR_PART))) if len(core) else 0.0
    return Around(spots, colours, printed, piece + faint, counts, (int(bottom - top), int(right - left)))


def _said(s: Standing, paint: Paint | None) -> Floats:
    """How much each spot speaks for a piece of this paint."""
    mixed = densities(paint, s.around.colours) if paint else np.full(len(s.around.printed), np.log(ANYTHING))
    said = np.clip(mixed - s.around.printed, -MOST_SAID, MOST_SAID)
    said = (said + np.clip(s.around.piece, -MOST_SAID, MOST_SAID)) / 2
    return np.where(s.around.counts, said, 0).astype(np.float32)


def _pixels(s: Standing, form: Form, level: int) -> Floats:
    """The colours of one piece of a stack, where no other piece of it stands before it."""
    heights, radii = levels(form, form.rise * level)
    inside = silhouette(s.around.spots, s.base, s.ground.eye, heights, radii * INNER) < 1
    for above in range(level + 1, len(s.names)):
        inside &= silhouette(s.around.spots, s.base, s.ground.eye, *levels(form, form.rise * above)) >= 1
    inside &= s.around.counts
    # what looks just like the print says nothing of the paint, unless all of it does
    foreign = inside & (np.minimum(s.around.printed - np.log(ANYTHING), -s.around.piece) < 0)
    return s.around.colours[foreign if foreign.sum() > FOREIGN * inside.sum() else inside]


def _weak(design: Design, forms: Mapping[str, Form], paints: Mapping[str, Paint]) -> list[str]:
    weak = []
    for group in _groups(design):
        missing = [name for name in group if name not in forms]
        if missing:
            weak.append(f"No photo shows {', '.join(missing)}: it cannot be told from the others.")
        known = [name for name in group if name in paints]
        for index, one in enumerate(known):
            for other in known[:index]:
                if _apart(paints[one], paints[other]) < CLOSE:
                    weak.append(f"{other} and {one} have close colours.")
    return weak


def _apart(one: Paint, other: Paint) -> float:
    a, b = (p.middles[p.shares.argmax()] for p in (one, other))
    spread = (one.spreads[one.shares.argmax()] + other.spreads[other.shares.argmax()]) / 2
    return float(np.linalg.norm((a - b) / spread))
