"""Finds the board in a photo: which sheet lies in which place, turned how, and exactly where.

Guesses of where the board lies come from points that are recognised and, where these fail, from the
outline of the board. Each is checked against the print itself: the photo is straightened, every sheet that
may lie in a place is compared with it, and the plane is drawn tight over all of the print that is visible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np

from companion.vision.camera import Matrix
from companion.vision.errors import BoardNotFound, PoorPhoto
from companion.vision.landmarks import Landmarks
from companion.vision.landmarks_twins import TELLING_SEARCH, Twin
from companion.vision.model import Assembly, Found
from companion.vision.photo import Gray
from companion.vision.plane import grid, inverse, laid, moved, shrunk
from companion.vision.refine import View
from companion.vision.registration_arrange import Lying
from companion.vision.registration_blocks import Copies, found_blocks
from companion.vision.registration_features import Guess, guesses
from companion.vision.registration_outline import OUTLINE_SIDE, outline_guesses
from companion.vision.registration_plain import found_by_outline, is_plain
from companion.vision.registration_poses import found_of
from companion.vision.registration_settle import Look, Settled, first_look, settled

# Long side of the small copy in which sheets are told apart and points are looked for: quickly at first, then
# more of them in more pixels, against the prints seen from all sides.
SMALL_SIDE, QUICK_POINTS = 800, 1500
THOROUGH_SIDE, THOROUGH_POINTS = 1100, 2500
NOT_IN_PICTURE = "The board is not in the picture: show all of it, from above, with light on it."
# Guesses that are looked into, of each kind.
MOST_GUESSES = 4
# Other seats of a board that are looked into.
MOST_SEATS = 3
# So many blocks that tell a board from its turned self have to be seen.
FEWEST_TELLING = 4
# Guesses that show no sheet, to be looked into where no others are left: the four turns of several outlines.
MOST_HOPES = 16
# The part of a sheet's blocks that must agree in these: wrong ones reach 0.2.
HOPE_HOLDS = 0.35
# Guesses whose corners all lie closer than this, in pixels of the copy they were made in, are the same.
SAME_GUESS = 35.0
# Where not all of the board is found, the photo is to blame if the brightest hundredth of its pixels is
# darker than this (0-255), or the strongest hundredth of its detail in the small copy weaker. A board in
# focus has 75 and more of that; 8 is a blur by 6 pixels of a 4 megapixel photo, in which no tile can be read.
TOO_DARK, TOO_BLURRED = 45, 8


def find_board(photo: Gray, landmarks: Landmarks) -> Found:
    """The board, or BoardNotFound with what to do about it."""
    copies = Copies.of(photo.image, SMALL_SIDE)
    best: Settled | None = None
    hopes: list[Look] = []
    for looks in _all_looks(photo, copies, landmarks, hopes):
        for look in looks:
            answer = settled(copies, look, landmarks)
            if answer is not None and (best is None or answer.score > best.score):
                best = answer
                if not best.missing:
                    break
        # what is missing may lie under a hand: dearer guesses are not worth it once most of it is found
        if best is not None and len(best.seen) > len(best.missing):
            break
    if best is None:
        best = _best_hope(copies, hopes, landmarks)
    if best is None and is_plain(landmarks):
        return _found_plain(photo, landmarks)
    if best is None or best.missing:
        _check_quality(copies)
    if best is None:
        raise BoardNotFound(NOT_IN_PICTURE)
    if 2 * len(best.seen) < len(best.assembly.places):
        names = " and ".join(sorted(one.lying.sheet for one in best.seen))
        raise BoardNotFound(f"Only {names} found: show the whole board in the picture.")
    best = _best_seat(copies, _best_turn(copies, best, landmarks), landmarks)
    return found_of(best, photo, landmarks)


def _found_plain(photo: Gray, landmarks: Landmarks) -> Found:
    found = found_by_outline(photo, landmarks)
    if found is None:
        _check_quality(Copies.of(photo.image, SMALL_SIDE))
        raise BoardNotFound(NOT_IN_PICTURE)
    return found


def _all_looks(
    photo: Gray, copies: Copies, landmarks: Landmarks, hopes: list[Look]
) -> Iterator[Iterator[Look]]:
    """Guesses worth settling, by kind, cheap kinds first; whoever asks stops when content. `hopes` gets the
    others."""
    yield _looks(copies, _from_points(copies, landmarks), landmarks, hopes)
    yield _looks(copies, _from_outlines(photo, copies, landmarks), landmarks, hopes)
    yield _looks(copies, _from_many_points(copies, landmarks), landmarks, hopes)


def _looks(
    copies: Copies, guesses: Iterator[Guess], landmarks: Landmarks, hopes: list[Look]
) -> Iterator[Look]:
    """At once what shows every sheet, then the rest, the likeliest first."""
    partly = []
    for guess in guesses:
        look = first_look(copies, guess, landmarks)
        if look.whole:
            yield look
        elif look.sure:
            partly.append(look)
        else:
            hopes.append(look)
    yield from sorted(partly, key=lambda look: -look.score)[:MOST_GUESSES]


def _best_hope(copies: Copies, hopes: list[Look], landmarks: Landmarks) -> Settled | None:
    """A board whose tiles hide most of a plain print looks unlike it as a whole: of guesses at which no sheet
    was recognised, the one at which most of the print that is left is found."""
    best: Settled | None = None
    for look in sorted(hopes, key=lambda look: -sum(one.score for one in look.lying))[:MOST_HOPES]:
        answer = settled(copies, replace(look, hoped=True), landmarks)
        if answer is None or max(one.there(answer.view) for one in answer.seen) < HOPE_HOLDS:
            continue
        if best is None or answer.score > best.score:
            best = answer
    return best


def _from_points(copies: Copies, landmarks: Landmarks) -> Iterator[Guess]:
    found = guesses(copies.small, landmarks, landmarks.quick, QUICK_POINTS)
    for guess in islice(_distinct(found), MOST_GUESSES):
        yield guess.refit()


def _from_many_points(copies: Copies, landmarks: Landmarks) -> Iterator[Guess]:
    larger, factor = shrunk(copies.gray, THOROUGH_SIDE)
    found = guesses(larger, landmarks, landmarks.thorough, THOROUGH_POINTS)
    for guess in islice(_distinct(found), MOST_GUESSES):
        yield guess.refit().scaled(copies.factor / factor)


def _from_outlines(photo: Gray, copies: Copies, landmarks: Landmarks) -> Iterator[Guess]:
    # one that stands out by its colour alone is not seen in grey
    whole = photo.photo()
    smaller, factor = shrunk(whole.image, OUTLINE_SIDE)
    for guess in outline_guesses(smaller, landmarks.design.assemblies):
        yield guess.scaled(copies.factor * photo.scale / (factor * whole.scale))


def _best_seat(copies: Copies, best: Settled, landmarks: Landmarks) -> Settled:
    """Sheets fit into more than one place: half a board is a part of a whole one, and all the sheets that may
    lie turned fit a board that is turned. What has the best view of its sheets, wherever one of them lies."""
    most = max(len(assembly.places) for assembly in landmarks.design.assemblies)
    if best.firm and len(best.seen) == most:
        return best
    looks = [first_look(copies, guess, landmarks) for guess in _other_seats(copies, best, landmarks)]
    looks = [look for look in looks if len(look.sure) > 1]
    for look in sorted(looks, key=lambda look: -look.score)[:MOST_SEATS]:
        other = settled(copies, look, landmarks)
        if other is not None and other.score > best.score:
            best = other
    return best


def _other_seats(copies: Copies, best: Settled, landmarks: Landmarks) -> Iterator[Guess]:
    """The boards on which a sheet that is seen well would lie in another place or turn: the one seen best,
    and the best of those with more than one seat, as what always lies in the same place may look turned."""
    flat = best.view.flat(grid(np.array(best.assembly.corners), 5))
    by_view = sorted(best.seen, key=lambda one: -one.there(best.view))
    lying = [one.lying for one in by_view]
    free = [one for one in lying if len(one.place.turns) > 1 or len(one.place.sheets) > 1]
    for one in (lying[0], *(one for one in free[:1] if one is not lying[0])):
        here = flat @ laid(one.place, one.turned)
        for assembly in landmarks.design.assemblies:
            for place in assembly.places:
                for turned in place.turns if one.sheet in place.sheets else ():
                    if (assembly, place, turned) != (best.assembly, one.place, one.turned):
                        yield Guess(assembly, here @ inverse(laid(place, turned))).scaled(copies.factor)


def _best_turn(copies: Copies, best: Settled, landmarks: Landmarks) -> Settled:
    """Of all turns in which the board looks much the same, the one that its print fits best: by the blocks
    that tell two turns apart where some of them are seen, else by all."""
    first = best.view.flat(grid(np.array(best.assembly.corners), 5))
    most = 0
    for twin in landmarks.twins[best.assembly.name]:
        turned = replace(best.view, homography=first @ twin.turn, bend=0.0)
        here, there = (_telling(copies, best.assembly, view, twin) for view in (best.view, turned))
        if max(here, there) >= FEWEST_TELLING and there - here <= most:
            continue
        guess = Guess(best.assembly, turned.homography).scaled(copies.factor)
        other = settled(copies, first_look(copies, guess, landmarks), landmarks)
        if other is not None and (there - here > most or other.score > best.score):
            best, most = other, max(most, there - here)
    return best


def _telling(copies: Copies, assembly: Assembly, view: View, twin: Twin) -> int:
    """How many of the blocks that tell the board from its turned self are seen."""
    fixed = (place for place in assembly.places if place.sheets[0] in twin.telling)
    lying = [Lying(p, p.sheets[0], p.turns[0], laid(p, p.turns[0]), 0.0, 0.0) for p in fixed]
    seen = found_blocks(copies.gray, 1.0, view, lying, twin.telling, TELLING_SEARCH)
    return sum(int(one.holds(view).sum()) for one in seen)


def _distinct(found: Iterator[Guess]) -> Iterator[Guess]:
    kept: list[tuple[Guess, Matrix]] = []
    for guess in found:
        corners = moved(guess.homography, np.array(guess.assembly.corners))
        if all(
            guess.assembly is not other.assembly or np.abs(corners - seen).max() > SAME_GUESS
            for other, seen in kept
        ):
            kept.append((guess, corners))
            yield guess


def _check_quality(copies: Copies) -> None:
    if np.percentile(copies.small, 99) < TOO_DARK:
        raise PoorPhoto("The photo is too dark: turn on a lamp and take it again.")
    if np.percentile(np.abs(cv2.Laplacian(copies.small, cv2.CV_32F)), 99) < TOO_BLURRED:
        raise PoorPhoto(
            "The photo is too blurred: hold the phone still, tap the board to focus, take it again."
        )
