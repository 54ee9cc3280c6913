"""A guess of where the board lies, made exact or dropped.

In turn: the sheets are told apart in the straightened photo, the plane is drawn to those that are sure, and
all are looked for again where that plane says, until nothing more is won. Then all visible print draws it
tight, sheets that were unsure get a second hearing, and those whose print is not there after all are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.landmarks import Landmarks
from companion.vision.model import Assembly
from companion.vision.plane import grid, laid, moved
from companion.vision.refine import BLOCK_AGREES, View
from companion.vision.registration_arrange import Lying, arranged
from companion.vision.registration_blocks import Copies, Seen, fitted, found_blocks, own_motion
from companion.vision.registration_features import Guess

# A sheet is sure where its print correlates by this much, and by so much more than any other that might lie
# there. Sheets that are not there reach 0.15; ones under forty tiles and pieces still 0.4.
SURE, SURE_MARGIN = 0.28, 0.1
ROUNDS = 4
# Corners that move less than this part of the photo's long side from round to round have come to rest: what
# is left is within the reach of the tight search.
AT_REST = 0.006
# Blocks are searched this far, in pixels of their level: some 5 mm, then some 2 mm.
NEAR_SEARCH, TIGHT_SEARCH = 5, 4
# Sheets out of their place are searched this far, in pixels of the window in which sheets are told apart:
# some 28 mm.
WIDE_SEARCH = 8
# The part of a sheet's blocks in the picture that must agree. By chance it is one in twenty.
PRINT_IS_THERE = 0.2
# What a missing sheet takes from the worth of a board, in sheets. It may be under a hand.
SPEAKS_AGAINST = 0.25
# With so much of it in agreement there is no better place for the sheet nearby.
FIRMLY_THERE = 0.45
# Less than this of a sheet in agreement makes one wonder whether the board lies otherwise.
WELL_SEEN = 0.35
# A sheet of which less than this part is in the picture may be missing.
IN_PICTURE = 0.4


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the board as it may lie: which sheets it shows."""

    assembly: Assembly
    view: View
    """Of the board's millimetres in the working image."""
    lying: tuple[Lying, ...]
    hoped: bool = False
    """Whatever is likeliest is taken for sure until its print is looked for."""

    @property
    def sure(self) -> tuple[Lying, ...]:
        return tuple(
            one for one in self.lying if self.hoped or (one.score >= SURE and one.margin >= SURE_MARGIN)
        )

    @property
    def whole(self) -> bool:
        return len(self.sure) == len(self.assembly.places)

    @property
    def score(self) -> float:
        return sum(one.score for one in self.sure)


@dataclass(frozen=True, slots=True)
class Settled:
    """A board that was found: the view of its millimetres in the working image, and its sheets."""

    assembly: Assembly
    view: View
    seen: tuple[Seen, ...]
    missing: tuple[str, ...]
    """Places in the picture whose sheet was not recognised."""

    @property
    def score(self) -> float:
        """How many sheets' worth of print is seen, and how well, less for those that should be seen."""
        shown = sum(float(one.agree[one.holds(self.view)].sum()) / len(one.agree) for one in self.seen)
        return shown - SPEAKS_AGAINST * len(self.missing)

    @property
    def firm(self) -> bool:
        """Whether every sheet is seen, and well."""
        return not self.missing and all(one.there(self.view) >= WELL_SEEN for one in self.seen)


def first_look(photo: Copies, guess: Guess, landmarks: Landmarks) -> Look:
    """`guess` is in pixels of the small copy."""
    guess = guess.scaled(1 / photo.factor)
    view = View.straight(guess.homography, (photo.gray.shape[1], photo.gray.shape[0]))
    return _look(photo, guess.assembly, view, landmarks)


def _look(photo: Copies, assembly: Assembly, view: View, landmarks: Landmarks) -> Look:
    flat = view.flat(grid(np.array(assembly.corners), 5)) if view.bend else view.homography
    small = Guess(assembly, flat).scaled(photo.factor)
    return Look(assembly, view, arranged(photo.small, assembly, small.homography, landmarks))


def settled(photo: Copies, look: Look, landmarks: Landmarks) -> Settled | None:
    look = _drawn_near(photo, look, landmarks)
    seen = _tight(photo, look.view, [lying.in_place() for lying in look.sure], landmarks)
    view = fitted(seen, look.view)
    if view is not None and not look.whole:
        seen += _second_hearing(photo, look, view, landmarks)
        view = fitted(seen, view)
    if view is None or not _seen_from_above(look.assembly, view):
        return None
    kept = [one for one in seen if one.there(view) >= PRINT_IS_THERE]
    if not kept:
        return None
    kept = _pushed_aside(photo, look.assembly, view, kept, landmarks)
    return Settled(look.assembly, view, tuple(kept), _missing(look.assembly, kept, view, landmarks))


def _drawn_near(photo: Copies, look: Look, landmarks: Landmarks) -> Look:
    corners = np.array(look.assembly.corners)
    for _ in range(ROUNDS):
        seen = found_blocks(photo.small, photo.factor, look.view, look.sure, landmarks.near, NEAR_SEARCH)
        view = fitted(seen, look.view, wide=True)
        if view is None:
            break
        went = np.abs(view.project(corners) - look.view.project(corners)).max()
        if went < AT_REST * view.unit:
            return replace(look, view=view)
        if look.whole:
            look = replace(look, view=view, lying=tuple(lying.in_place() for lying in look.lying))
        else:
            look = replace(_look(photo, look.assembly, view, landmarks), hoped=look.hoped)
    return look


def _second_hearing(photo: Copies, look: Look, view: View, landmarks: Landmarks) -> list[Seen]:
    """Sheets that were not sure, now that the plane is: their blocks tell more than the small view."""
    places = {lying.place.name for lying in look.sure}
    sheets = {lying.sheet for lying in look.sure}
    unsure = [
        lying.in_place()
        for lying in _look(photo, look.assembly, view, landmarks).lying
        if lying.place.name not in places and lying.sheet not in sheets
    ]
    heard = _tight(photo, view, unsure, landmarks)
    return [one for one in heard if one.there(view) >= PRINT_IS_THERE]


def _pushed_aside(
    photo: Copies, assembly: Assembly, view: View, kept: Sequence[Seen], landmarks: Landmarks
) -> list[Seen]:
    """All sheets, with those that lie well out of their place: in some layouts nothing holds them there."""
    firm = [one for one in kept if one.there(view) >= FIRMLY_THERE]
    open_places = {place.name for place in assembly.places} - {one.lying.place.name for one in firm}
    if not open_places or 2 * len(kept) < len(assembly.places):
        return list(kept)
    flat = Guess(assembly, view.flat(grid(np.array(assembly.corners), 5))).scaled(photo.factor).homography
    best = {one.lying.place.name: one for one in kept}
    for lying in arranged(photo.small, assembly, flat, landmarks, WIDE_SEARCH, open_places):
        taken = {one.lying.sheet for name, one in best.items() if name != lying.place.name}
        if lying.score < SURE or lying.margin < SURE_MARGIN or lying.sheet in taken:
            continue
        (near,) = found_blocks(photo.small, photo.factor, view, [lying], landmarks.near, NEAR_SEARCH)
        good = near.agree > BLOCK_AGREES
        motion = own_motion(view, near.on_board[good], near.pixels[good])
        (aside,) = _tight(photo, view, [replace(lying, motion=motion @ lying.motion)], landmarks)
        before = best.get(lying.place.name)
        if aside.there(view) > max(PRINT_IS_THERE, before.there(view) if before else 0.0):
            best[lying.place.name] = aside
    return list(best.values())


def _tight(photo: Copies, view: View, lying: Sequence[Lying], landmarks: Landmarks) -> list[Seen]:
    return found_blocks(photo.gray, 1.0, view, lying, landmarks.tight, TIGHT_SEARCH)


def _seen_from_above(assembly: Assembly, view: View) -> bool:
    """Not mirrored and not behind the lens."""
    corners = np.array(assembly.corners)
    depth = corners @ view.homography[2, :2] + view.homography[2, 2]
    x, y = view.project(corners).T
    area = float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    return bool(depth.min() > 0 and area > 0)


def _missing(assembly: Assembly, kept: Sequence[Seen], view: View, landmarks: Landmarks) -> tuple[str, ...]:
    """Places that are in the picture and show no sheet."""
    found = {one.lying.place.name for one in kept}
    photo = np.array([2 * view.middle[0], 2 * view.middle[1]])
    missing = []
    for place in assembly.places:
        if place.name in found:
            continue
        points = np.array(
            [point for part in landmarks.design.sheets[place.sheets[0]].parts for point in part]
        )
        pixels = view.project(moved(laid(place, place.turns[0]), points))
        if ((pixels > 0) & (pixels < photo)).all(axis=1).mean() >= IN_PICTURE:
            missing.append(place.name)
    return tuple(missing)
