"""Learns pieces from labelled photos: how wide and high they are, and what colours their paint shows.

Where a piece stands, the photo differs from the print. The form is the one whose silhouette, with each
piece moved a little off its place, covers what differs and no more. Then paint is what lies inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.bare import assembly_of
from companion.vision.camera import Matrix
from companion.vision.learn_pieces_paint import paint_of
from companion.vision.light import PrintGrid, measure_light
from companion.vision.model import Design, Found, Labelled, Pieces, SheetPose
from companion.vision.pieces import Form, Paint, PieceLooks, densities, levels, silhouette
from companion.vision.pieces_ground import MOST_SAID, Ground, survey
from companion.vision.pieces_print import ANYTHING, Floats
from companion.vision.plane import corners_of, laid, moved
from companion.vision.prints import Print

# Photos from above hardly tell a height: pieces are about this part as tall as wide, and a height that is off
# by a factor e costs this part of the evidence.
USUALLY_TALL, TALL_COST = 0.9, 0.2
# Widths and heights that are tried, in parts of a slot's half width: from a coin to a tower.
WIDEST, TALLEST = 0.95, 2.6
# How far off its place a piece may stand, likewise, and how steps of the search go.
OFF_PLACE, OFF_STEPS = 0.36, 7
# Standing off its place by this much (likewise) costs as much as one pixel in 20 of the silhouette.
OFF_COST = 0.3
# How many radii a form has, from the bottom to the top.
PROFILE = 4
# Paint is sampled in this inner part of the silhouette: its rim is mixed with what lies behind.
INNER = 0.8
# Paints whose nearest colours lie closer than this many spreads are told to the owner.
CLOSE = 2.0


# The first guess of a piece: an upright core that it fills in any case, in parts of the slot's half width.
GUESSED_RADIUS, GUESSED_HEIGHT = 0.3, 0.5
ROUNDS = 2
# Every so many spots count in the first, rough search.
COARSELY = 3
# One radius that differs from the next must explain this much more, or noise makes fringes.
LEAST_GAINED = 0.01
# A piece is seen in at least this part of it, or else the print has its colours.
FOREIGN = 0.3


class LabelledView(Protocol):
    """A labelled photo with its sheets found."""

    @property
    def image(self) -> NDArray[np.uint8]: ...
    @property
    def poses(self) -> tuple[SheetPose, ...]: ...
    @property
    def labelled(self) -> Labelled: ...
    @property
    def scale(self) -> float: ...


@dataclass(frozen=True, eq=False)
class Around:
    """The neighbourhood of a piece, spot by spot."""

    spots: Matrix
    """n x 2, millimetres on the board."""
    colours: Floats
    printed: Floats
    piece: Floats
    """Both as `Ground` has them."""
    counts: NDArray[np.bool_]
    """False outside the photo and where something flat may lie."""


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
    guess = Form(np.array([0.0, tall]), np.full(2, GUESSED_RADIUS * half), tall)
    paints = _paints(shown, guess)
    single = [s for s in shown if len(s.names) == 1] or list(shown)
    form = _cylinder(single, paints, half)
    for _ in range(ROUNDS):
        single = [_placed(s, form, paints, half) for s in single]
        form = _profile(single, form, paints)
        paints = _paints(single, form)
    stacked = [s for s in shown if len(s.names) > 1]
    if stacked:
        form = _rising(stacked, form, paints, half)
    placed = [_placed(s, form, paints, half) for s in shown]
    return form, _paints(placed, form)


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
        light = measure_light(view.image, view.poses, view.scale, grids)
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
    return Around(spots, colours, ground.printed[box].ravel(), ground.piece[box].ravel(), counts)


def _said(s: Standing, paint: Paint | None) -> Floats:
    """How much each spot speaks for a piece of this paint."""
    mixed = densities(paint, s.around.colours) if paint else np.full(len(s.around.printed), np.log(ANYTHING))
    said = np.clip(mixed - s.around.printed, -MOST_SAID, MOST_SAID)
    said = (said + np.clip(s.around.piece, -MOST_SAID, MOST_SAID)) / 2
    return np.where(s.around.counts, said, 0).astype(np.float32)


def _cylinder(single: Sequence[Standing], paints: Mapping[str, Paint], half: float) -> Form:
    """The best radius and height, each piece standing where that suits it best."""
    radii = np.arange(0.2, WIDEST + 0.01, 0.05) * half
    heights = np.arange(0.1, TALLEST + 0.01, 0.1) * half
    total = np.zeros((len(heights), len(radii)))
    for s in single:
        every = slice(None, None, COARSELY)
        spots, said = s.around.spots[every], _said(s, paints.get(s.names[0]))[every]
        best = np.full(total.shape, -np.inf)
        for shift in _shifts(half, OFF_STEPS - 2):
            base = s.place + shift
            away = heights / (s.ground.eye[2] - heights)
            middles = base + away[:, None] * (base - s.ground.eye[:2])
            off = np.hypot(*(spots[:, None] - middles[None]).transpose(2, 0, 1)) / (1 + away)
            near = np.minimum.accumulate(np.column_stack([np.hypot(*(spots - base).T), off]), axis=1)[:, 1:]
            bins = np.minimum(np.searchsorted(radii, near), len(radii))
            flat = (bins + np.arange(len(heights)) * (len(radii) + 1)).ravel()
            sums = np.bincount(flat, np.repeat(said, len(heights)), len(heights) * (len(radii) + 1))
            score = np.cumsum(sums.reshape(len(heights), -1), axis=1)[:, :-1]
            best = np.maximum(best, score - _cost(shift, half, score))
        total += best
    total -= np.abs(total) * _unusual(heights[:, None], radii[None])
    height, radius = np.unravel_index(total.argmax(), total.shape)
    levels = np.linspace(0, heights[height], PROFILE)
    return Form(levels, np.full(PROFILE, radii[radius]), float(heights[height]))


def _unusual(height: Any, radius: Any) -> Any:
    """What such a height costs, in parts of the evidence."""
    return TALL_COST * np.square(np.log(height / (2 * USUALLY_TALL * radius)))


def _shifts(half: float, steps: int = OFF_STEPS) -> Matrix:
    along = np.linspace(-OFF_PLACE, OFF_PLACE, steps) * half
    grid = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.hypot(*grid.T) <= OFF_PLACE * half * 1.01])


def _cost(shift: Matrix, half: float, score: NDArray[Any]) -> Matrix:
    return np.asarray(np.abs(score) * 0.05 * float(shift @ shift) / (OFF_COST * half) ** 2)


def _score(s: Standing, base: Matrix, form: Form, said: Sequence[Floats]) -> float:
    """How much the photo speaks for this stack standing on `base`; `said`: spot by spot, for each of it."""
    free = np.ones(len(s.around.spots), dtype=bool)
    total = 0.0
    for level in reversed(range(len(s.names))):
        inside = silhouette(s.around.spots, base, s.ground.eye, *levels(form, form.rise * level)) < 1
        total += float(said[level][inside & free].sum())
        free &= ~inside
    return total


def _placed(s: Standing, form: Form, paints: Mapping[str, Paint], half: float) -> Standing:
    best, where = -np.inf, np.zeros(2)
    said = [_said(s, paints.get(name)) for name in s.names]
    for shift in _shifts(half):
        score = np.array([_score(s, s.place + shift, form, said)], dtype=np.float64)
        value = float((score - _cost(shift, half, score))[0])
        if value > best:
            best, where = value, shift
    return replace(s, shift=where)


def _profile(placed: Sequence[Standing], form: Form, paints: Mapping[str, Paint]) -> Form:
    """Each radius in turn made wider or narrower while that helps."""

    said = [[_said(s, paints.get(name)) for name in s.names] for s in placed]

    def score(tried: Form) -> float:
        total = sum(_score(s, s.base, tried, each) for s, each in zip(placed, said, strict=True))
        return total - abs(total) * float(_unusual(tried.heights[-1], tried.radii.max()))

    best = score(form)
    for step in (0.2, 0.1, 0.06):
        for k in range(-2, PROFILE):
            for factor in (1 + step, 1 - step):
                radii, heights = form.radii.copy(), form.heights.copy()
                if k == -2:
                    heights *= factor
                elif k == -1:
                    radii *= factor
                else:
                    radii[k] *= factor
                tried = Form(heights, radii, float(heights[-1]))
                value = score(tried)
                if value > best * (1 + LEAST_GAINED * (k >= 0)):
                    best, form = value, tried
    return form


def _rising(stacked: Sequence[Standing], form: Form, paints: Mapping[str, Paint], half: float) -> Form:
    """How much higher the second piece stands."""
    tried = [replace(form, rise=float(share * form.height)) for share in np.arange(0.6, 1.06, 0.05)]

    said = [[_said(s, paints.get(name)) for name in s.names] for s in stacked]

    def score(form: Form) -> float:
        return sum(
            _score(s, _placed(s, form, paints, half).base, form, each)
            for s, each in zip(stacked, said, strict=True)
        )

    return max(tried, key=score)


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
