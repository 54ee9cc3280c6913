"""A guess of where the board lies, made exact or dropped.

In turn: the sheets are told apart in the straightened photo, the plane is drawn to those that are sure, and
all are looked for again where that plane says, until nothing more is won. Then all visible print draws it
tight, sheets that were unsure get a second hearing, and those whose print is not there after all are dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.camera import Matrix
from companion.vision.landmarks import Landmarks
from companion.vision.model import Assembly
from companion.vision.plane import Image, grid, in_gray, laid, moved, shrunk
from companion.vision.refine import BLOCK_AGREES, Level, View, fitted_view, patches, shifts
from companion.vision.registration_arrange import Lying, arranged
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
# Blocks that must agree before a plane is drawn to them.
FEWEST_BLOCKS = 10
# A block that agrees but lies this far off the plane, as a part of the photo's long side, agrees by chance.
BLOCK_NEAR = 0.0025
# In a wide search blocks that lie this far off the others are strays.
STRAYS = 0.004
# The part of a sheet's blocks in the picture that must agree. By chance it is one in twenty.
PRINT_IS_THERE = 0.2
# A sheet of which less than this part is in the picture may be missing.
IN_PICTURE = 0.4


@dataclass(frozen=True, slots=True)
class Copies:
    """The photo in grey, as it is worked on, and a small copy of it in which coarse work is quicker."""

    gray: Image
    small: Image
    factor: float
    """Pixels of the small copy for one of the working image."""

    @classmethod
    def of(cls, image: Image, small_side: int) -> Copies:
        gray = in_gray(image)
        small, factor = shrunk(gray, small_side)
        return cls(gray, small, factor)


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the board as it may lie: which sheets it shows."""

    assembly: Assembly
    view: View
    """Of the board's millimetres in the working image."""
    lying: tuple[Lying, ...]

    @property
    def sure(self) -> tuple[Lying, ...]:
        return tuple(one for one in self.lying if one.score >= SURE and one.margin >= SURE_MARGIN)

    @property
    def whole(self) -> bool:
        return len(self.sure) == len(self.assembly.places)

    @property
    def score(self) -> float:
        return sum(one.score for one in self.sure)


@dataclass(frozen=True, slots=True)
class Seen:
    """Blocks of one sheet that were looked for in the photo."""

    lying: Lying
    points: Matrix
    """In the sheet's millimetres."""
    pixels: Matrix
    agree: Matrix
    """Correlation, 0 where a block was not found."""
    in_picture: float
    """The part of the blocks that lies in the picture."""

    @property
    def on_board(self) -> Matrix:
        return moved(laid(self.lying.place, self.lying.turned), self.points)

    def holds(self, view: View) -> Matrix:
        """Which blocks agree and lie where the view says."""
        miss = np.hypot(*(view.project(self.on_board) - self.pixels).T)
        return np.asarray((self.agree > BLOCK_AGREES) & (miss < BLOCK_NEAR * view.unit))

    def there(self, view: View) -> float:
        """The part of the sheet in the picture that shows its print, 0-1."""
        count = self.in_picture * len(self.agree)
        return float(self.holds(view).sum()) / count if count >= 1 else 0.0


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
        """How many sheets' worth of print is seen, and how well."""
        return sum(float(one.agree[one.holds(self.view)].sum()) / len(one.agree) for one in self.seen)


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
    seen = [_tight(photo, look.view, lying, landmarks) for lying in look.sure]
    view = _fitted(seen, look.view)
    if view is not None and not look.whole:
        seen += _second_hearing(photo, look, view, landmarks)
        view = _fitted(seen, view)
    if view is None:
        return None
    kept = tuple(one for one in seen if one.there(view) >= PRINT_IS_THERE)
    missing = _missing(look.assembly, kept, view, landmarks)
    return Settled(look.assembly, view, kept, missing) if kept else None


def _drawn_near(photo: Copies, look: Look, landmarks: Landmarks) -> Look:
    corners = np.array(look.assembly.corners)
    for _ in range(ROUNDS):
        seen = [
            _found_blocks(
                photo.small,
                photo.factor,
                look.view,
                lying.motion,
                lying,
                landmarks.near[lying.sheet],
                NEAR_SEARCH,
            )
            for lying in look.sure
        ]
        view = _fitted(seen, look.view, wide=True)
        if view is None:
            break
        went = np.abs(view.project(corners) - look.view.project(corners)).max()
        if went < AT_REST * view.unit:
            return replace(look, view=view)
        if look.whole:
            look = replace(look, view=view, lying=tuple(lying.in_place() for lying in look.lying))
        else:
            look = _look(photo, look.assembly, view, landmarks)
    return look


def _second_hearing(photo: Copies, look: Look, view: View, landmarks: Landmarks) -> list[Seen]:
    """Sheets that were not sure, now that the plane is: their blocks tell more than the small view."""
    places = {lying.place.name for lying in look.sure}
    sheets = {lying.sheet for lying in look.sure}
    heard = [
        _tight(photo, view, lying, landmarks)
        for lying in _look(photo, look.assembly, view, landmarks).lying
        if lying.place.name not in places and lying.sheet not in sheets
    ]
    return [one for one in heard if one.there(view) >= PRINT_IS_THERE]


def _tight(photo: Copies, view: View, lying: Lying, landmarks: Landmarks) -> Seen:
    place = laid(lying.place, lying.turned)
    return _found_blocks(photo.gray, 1.0, view, place, lying, landmarks.tight[lying.sheet], TIGHT_SEARCH)


def _found_blocks(
    image: Image, factor: float, view: View, place: Matrix, lying: Lying, level: Level, search: int
) -> Seen:
    """The blocks of a sheet, looked for where the view expects them if the sheet lies at `place`.

    `image` is the copy that is `factor` as large as the working image.
    """
    off, agree = shifts(patches(image, factor, view, place, level, search), level, search)
    middles = level.blocks.middles()
    pixels = view.project(moved(place @ level.window.to_mm(), middles + off))
    inside = np.all((pixels > 0) & (pixels < np.multiply(view.middle, 2)), axis=1)
    in_picture = float(inside.mean()) if len(middles) else 0.0
    return Seen(lying, moved(level.window.to_mm(), middles), pixels, np.where(inside, agree, 0.0), in_picture)


def _fitted(seen: Sequence[Seen], start: View, wide: bool = False) -> View | None:
    """The view that takes the blocks where they were found; a `wide` search finds some elsewhere."""
    if not seen:
        return None
    points, pixels = (np.concatenate(p) for p in ([s.on_board for s in seen], [s.pixels for s in seen]))
    agree = np.concatenate([s.agree for s in seen])
    good = agree > BLOCK_AGREES
    if good.sum() < FEWEST_BLOCKS:
        return None
    points, pixels, agree = points[good], pixels[good], agree[good]
    if wide:
        ideal = start.ideal(pixels)
        rough, kept = cv2.findHomography(points, ideal, cv2.RANSAC, STRAYS * start.unit, maxIters=200)
        if rough is None or kept.sum() < FEWEST_BLOCKS:
            return None
        near = kept.ravel() > 0
        start = replace(start, homography=np.asarray(rough, np.float64))
        points, pixels, agree = points[near], pixels[near], agree[near]
    view, _ = fitted_view(points, pixels, agree**2, start, steps=6)
    return view


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
