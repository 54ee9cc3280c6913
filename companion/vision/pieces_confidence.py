"""How sure a reading of a piece is: from what is measured to a probability."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.confidence import DOUBTFUL, logistic
from companion.vision.model import NOTHING, Reading, SheetPose, Thing
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import Ground
from companion.vision.pieces_print import Floats
from companion.vision.pieces_settling import VISIBLE, Guess
from companion.vision.pieces_shapes import PAD
from companion.vision.pieces_sites import Sites
from companion.vision.plane import inverse, moved

# A piece in its place of which neither colours (evidence, from -1 to 1) nor surroundings say much (odds as a
# logarithm, where they are highest in this part of its silhouette) may be print of a paint's colour: of 22
# in eight sets, 6 were.
FAINT_MEAN, FAINT_ODDS, FAINT_PART, FAINT = 0.15, 2.0, 0.2, 0.3
# What makes a reading risky adds up, as the logarithm of its odds to be wrong: a start, then for each thing
# that is measured from where on it counts, and how much for each unit beyond. Fitted by logistic regression;
# kinds of slots differ in what goes wrong. What stands in its place was fitted on kit-a and 16 drawn and
# traced sets (5740 pieces, 47 of them wrong), the rest on 9 sets (12000 slots).
STAND, STAND_ANYWHERE = -8.0, -4.8
# How much a piece stands out of its ring; a shadow and a hand hardly do.
FROM_OUT, OUT, OUT_ANYWHERE = 1.4, 4.2, 11.4
# How far off its place it stands, in parts of all that it may: what is far off often belongs elsewhere.
FROM_OFF, OFF = 0.3, 5.8
# By how much another top says less.
FROM_LEAD, LEAD, LEAD_ANYWHERE = 0.5, 12.8, 2.8
# Odds of a piece by the surroundings (logarithm), in the mean over its silhouette.
FROM_ODDS, ODDS, ODDS_ANYWHERE = 2.5, 0.22, 0.86
# How much of a second piece on top of it is there after all (from -1 to 1).
FROM_SECOND, SECOND, SECOND_ANYWHERE = -0.4, 0.3, 2.0
# How far the colour of its top is off the paint in this photo (squares of what is usual), as a logarithm.
STRANGE = 0.68
# What is read to stand anywhere in an area stands in the place of another slot: it may be a piece of that one
# under a glaring lamp.
USURPED = 0.3
# A stack with it on top that says as much is an even chance where it stands this far off its place: its lower
# piece may be what it leans away from. Less by 0.07 is one in seventy.
BELOW_OFF, BELOW_SLOPE = 0.2, 60.0
# The same for a bare slot: how much speaks for the likeliest piece, how much that stands out, and the highest
# odds about the slot's middle.
IS_BARE, BARE_ANYWHERE = -7.0, -8.5
FROM_SAYS, SAYS, SAYS_ANYWHERE = -0.8, 4.2, 2.2
FROM_BARE_OUT, BARE_OUT, FROM_BARE_OUT_ANYWHERE, BARE_OUT_ANYWHERE = 0.0, 7.2, 0.3, 5.9
FROM_MIDDLE, MIDDLE, MIDDLE_BOX = -1.0, 0.33, 7
# What looks like a piece (odds, as a logarithm, above this) just around a piece, and no other piece: a larger
# thing than was read. Where all is right, that is seldom a fifth of the ring more than about others that were
# read the same, where there are so many: their form may have been learnt too small.
LOOSE, LOOSE_SHARE, LOOSE_SLOPE, LIKES = 1.5, 0.3, 45.0, 3
SUREST = 0.999
# Odds (logarithm) where nothing is seen.
MOST_ODDS = 9.0
# What speaks for a piece in its place and is no piece, since it has no outline, is something unknown.
CLUTTER_SAYS, CLUTTER = -0.1, 0.6
# What stands before a slot may hide a piece: in the sets measured, 9 of 32 slots of which almost nothing was
# visible held one. In an area where a piece may stand anywhere, that is seldom where nothing is visible.
HIDDEN, HIDDEN_AREA = 0.7, 0.995


@dataclass(frozen=True, eq=False)
class Around:
    """The padded picture in a line, after all pieces were read."""

    odds: Floats
    """Of a piece, by the surroundings of each spot, as a logarithm."""
    loose: NDArray[np.bool_]
    """Where something is neither print nor a piece."""
    highest: Floats
    """The highest odds near each spot, of what is seen and no piece that was read hides."""
    usually_loose: Mapping[tuple[int, int], float]
    """The part of the ring about a piece that is loose: the middle one of those with this top and number."""
    to_photo: Mapping[str, Matrix]
    """By place: from its pixels, as a sheet there lies, to those of the upright photo at full size."""

    @classmethod
    def of(
        cls,
        ground: Ground,
        free: NDArray[np.bool_],
        poses: Sequence[SheetPose],
        settled: Sequence[list[Guess]],
    ) -> Around:
        open_ = free & ~ground.flat
        seen = np.where(open_ & ground.seen, ground.piece, np.float32(-MOST_ODDS))
        near = cv2.dilate(seen, np.ones((MIDDLE_BOX, MIDDLE_BOX), np.uint8))
        odds, highest = (
            np.asarray(
                cv2.copyMakeBorder(part, PAD, PAD, PAD, PAD, cv2.BORDER_CONSTANT, value=-MOST_ODDS),
                np.float32,
            ).ravel()
            for part in (ground.piece, near)
        )
        unpadded = np.array([[1.0, 0.0, -PAD], [0.0, 1.0, -PAD], [0.0, 0.0, 1.0]])
        to_board = ground.window.to_mm() @ unpadded
        to_photo = {
            pose.place: pose.camera.homography() @ inverse(ground.lies[pose.place]) @ to_board
            for pose in poses
        }
        loose = np.pad(open_ & (ground.piece > LOOSE), PAD).ravel()
        return cls(odds, loose, highest, _usually(settled, loose), to_photo)


def _usually(settled: Sequence[list[Guess]], loose: NDArray[np.bool_]) -> dict[tuple[int, int], float]:
    alike: dict[tuple[int, int], list[float]] = {}
    for ranked in settled:
        if ranked and ranked[0].taken:
            best = ranked[0]
            alike.setdefault((best.stack[-1], len(best.stack)), []).append(_looseness(best, loose))
    return {key: median(each) for key, each in alike.items() if len(each) >= LIKES}


def _looseness(guess: Guess, loose: NDArray[np.bool_]) -> float:
    return float(loose.take(guess.base + guess.shape.ring.of(guess.box)).mean())


def piece_reading(
    sites: Sites, number: int, ranked: Sequence[Guess], looks: PieceLooks, around: Around
) -> Reading:
    site = sites.all[number]
    best = ranked[0] if ranked else None
    there = best is not None and best.taken
    if best is None or not there:
        thing, risk = NOTHING, _bare_risk(sites, number, ranked, around)
    else:
        thing = Thing(tuple(looks.names[column] for column in best.stack))
        risk = _standing_risk(sites, number, ranked, around)
    confidence = min(1 - risk, SUREST)
    others = [Thing(tuple(looks.names[c] for c in guess.stack)) for guess in ranked[there : 2 + there]]
    share = (1 - confidence) / max(len(others) + there, 1)
    alternatives = [(other, share) for other in others] + [(NOTHING, share)] * there
    doubtful = confidence < DOUBTFUL
    return Reading(
        site.slot, site.pose.place, thing, confidence, doubtful, tuple(alternatives),
        _outline(best, sites.line, around.to_photo[site.pose.place]) if best and (there or doubtful) else (),
    )  # fmt: skip


def _standing_risk(sites: Sites, number: int, ranked: Sequence[Guess], around: Around) -> float:
    best = ranked[0]
    anywhere = not sites.reaches[number]
    rivals = [guess.score for guess in ranked if guess.stack[-1] != best.stack[-1]]
    lead = best.score - max(rivals, default=-1.0)
    off = sites.off_its_middle(number, best.base)
    over = around.odds.take(best.hidden)
    odds = float(over.mean())
    second = max((g.mean for g in ranked if len(g.stack) > 1 and g.stack[:-1] == best.stack), default=-1.0)
    below = max((g.score for g in ranked if g.stack[1:] == best.stack), default=-np.inf)
    risk = (
        (STAND_ANYWHERE if anywhere else STAND)
        + (OUT_ANYWHERE if anywhere else OUT) * max(0.0, FROM_OUT - best.stands_out)
        + OFF * max(0.0, off - FROM_OFF)
        + (LEAD_ANYWHERE if anywhere else LEAD) * max(0.0, FROM_LEAD - lead)
        + (ODDS_ANYWHERE if anywhere else ODDS) * max(0.0, FROM_ODDS - odds)
        + (SECOND_ANYWHERE if anywhere else SECOND) * max(0.0, second - FROM_SECOND)
        + (0.0 if anywhere else STRANGE * math.log1p(best.strange))
    )
    usual = around.usually_loose.get((best.stack[-1], len(best.stack)), 0.0)
    larger = LOOSE_SLOPE * (_looseness(best, around.loose) - usual - LOOSE_SHARE)
    stacked = BELOW_SLOPE * (below - best.score) if off > BELOW_OFF else -np.inf
    most = _quantile(over, 1 - FAINT_PART)
    faint = FAINT if not anywhere and best.mean < FAINT_MEAN and most < FAINT_ODDS else 0.0
    usurped = USURPED if anywhere and sites.in_a_place(best.base) else 0.0
    return max(logistic(max(risk, larger, stacked)), faint, usurped)


def _bare_risk(sites: Sites, number: int, ranked: Sequence[Guess], around: Around) -> float:
    anywhere = not sites.reaches[number]
    best = ranked[0] if ranked else None
    if best is not None and best.visible < VISIBLE:
        return 1 - (HIDDEN_AREA if anywhere else HIDDEN)
    says = max((guess.mean for guess in ranked), default=-1.0)
    if anywhere:
        out = best.stands_out if best else 0.0
        risk = SAYS_ANYWHERE * max(0.0, says - FROM_SAYS)
        return logistic(BARE_ANYWHERE + risk + BARE_OUT_ANYWHERE * max(0.0, out - FROM_BARE_OUT_ANYWHERE))
    if says > CLUTTER_SAYS:
        return 1 - CLUTTER
    column, row = sites.middles[number].tolist()
    middle = float(around.highest[round(row) * sites.line + round(column)])
    return logistic(
        IS_BARE
        + SAYS * max(0.0, says - FROM_SAYS)
        + BARE_OUT * max(0.0, (best.out if best else 0.0) - FROM_BARE_OUT)
        + MIDDLE * max(0.0, middle - FROM_MIDDLE)
    )


def _quantile(values: Floats, part: float) -> float:
    """Between two values as np.quantile does, which takes ten times as long for a few dozen."""
    ordered, at = np.sort(values), (len(values) - 1) * part
    low = int(at)
    return float(ordered[low] + (ordered[min(low + 1, len(values) - 1)] - ordered[low]) * (at - low))


def _outline(guess: Guess, line: int, to_photo: Matrix) -> tuple[tuple[float, float], ...]:
    """The silhouette's hull in the upright photo at full size."""
    rows, columns = np.divmod(guess.hidden, line)
    hull = np.array(cv2.convexHull(np.column_stack([columns, rows]).astype(np.int32))).reshape(-1, 2)
    return tuple((x, y) for x, y in moved(to_photo, hull.astype(np.float64)).tolist())
