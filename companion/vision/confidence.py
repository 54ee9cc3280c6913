"""From evidence to a probability, in one place: how sure a reading of a face is, and when it is doubtful.

The slopes were fitted on 2900 faces of thirteen sets of different art and light, one of them path-traced: of
pairs of faces of which one led by less than 0.05, the other one was the right one in a third, up to 0.15 in a
quarter, up to 0.25 in one of sixteen, up to 0.35 in one of forty, up to 0.5 in one of eight hundred.

Where the leading face fits almost without a rest, the others fall behind for what they are, not for the dirt
of the photo: of 185 such pairs of six other sets with a lead of 0.2 to 0.5 none was the wrong way round, of
107 others ten.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from companion.vision.faces import FaceLooks
from companion.vision.faces_once import Odds, settled
from companion.vision.faces_reading import KEPT, Candidate, FaceFinding
from companion.vision.model import NOTHING, Reading, SheetPose, Slot

# Below this a reading is doubtful: a question costs the players a second, a wrong answer the game.
DOUBTFUL = 0.985
# A lead of this much is an even chance, and how fast that changes.
EVEN_LEAD, LEAD_SLOPE = 0.05, 14.0
# The slope where the leading face is off by less than CLEAN; from DIRTY on it is as above.
CLEAN_SLOPE, CLEAN, DIRTY = 20.0, 0.06, 0.1
# A slot is bare where its print fits better than the best face by this much: a plain back on a plain print
# leaves little to go by, and faces may lie askew. Slots under a piece or a hand came as near as 0.06, bare
# ones had 0.12 and more.
BARER, BARE_SLOPE = 0.09, 80.0
# Where neither the face nor the print has any detail, noise is all that detail tells: colours count this much
# more there.
COLOUR_ALONE = 0.6
# A thing of which neither detail nor colours fit in more than this part may be anything, such as a hand.
# (Detail alone may be a weave that nothing aligns, colours alone an odd light.) What has no detail has to be
# known by its colours.
EVEN_FOREIGN, FOREIGN_SLOPE = 0.4, 28.0
# The same of a slot's own print, which is known better: it was under the same light as all around it. Of bare
# slots of a letter game one in a hundred was off by 0.08 or more; a hand or a card over the slot by 0.2.
EVEN_OTHER_PRINT, OTHER_PRINT_SLOPE = 0.25, 40.0
# A hand may have a back's colour: what little detail that back has must be there. All of it missing is as bad
# as this part of the colours being others.
MISSING = 0.5


def face_readings(
    findings: Sequence[FaceFinding], places: Sequence[tuple[SheetPose, Slot]], looks: FaceLooks,
    frame: tuple[float, float],
) -> list[Reading]:  # fmt: skip
    """`frame`: width and height of the full photo."""
    names = [[candidate.thing.names[0] for candidate in finding.candidates] for finding in findings]
    odds = [_odds(finding) for finding in findings]
    # what is bare takes no face away from the others
    taken = [_barer(finding) < 0 for finding in findings]
    fair = [each if is_so else each * 0 for each, is_so in zip(odds, taken, strict=True)]
    # what is not among the candidates is no likelier than the last of them
    unknown = [float(each[-1]) if len(each) == KEPT else 0.0 for each in fair]
    likely = settled(names, fair, looks.holds.once, unknown)
    return [
        _face_reading(finding, chances, pose, slot, looks, frame)
        for finding, chances, (pose, slot) in zip(findings, likely, places, strict=True)
    ]


def _odds(finding: FaceFinding) -> Odds:
    """Of each candidate by its looks alone; the first has 1."""
    behind = np.array([candidate.behind for candidate in finding.candidates])
    slope = np.interp(finding.candidates[0].off, (CLEAN, DIRTY), (CLEAN_SLOPE, LEAD_SLOPE))
    odds = np.exp(-np.clip(slope * (behind - EVEN_LEAD), 0, 30))
    odds[0] = 1.0
    return odds


def _barer(finding: FaceFinding) -> float:
    """Below 0 where a face lies."""
    face, bare = finding.candidates[0], finding.bare
    colours = COLOUR_ALONE * min(face.plain, bare.plain) * (face.colour - bare.colour)
    return face.off - bare.off - BARER + colours


def _face_reading(
    finding: FaceFinding, chances: Odds, pose: SheetPose, slot: Slot, looks: FaceLooks,
    frame: tuple[float, float],
) -> Reading:  # fmt: skip
    barer = _barer(finding)
    taken = barer < 0
    best = int(chances.argmax()) if taken else 0
    face = finding.candidates[best]
    confidence = min(logistic(BARE_SLOPE * abs(barer)), _known(face) if taken else _own(finding.bare))
    parts = finding.sides if taken and best == 0 else ()
    if taken:
        confidence = min(confidence, float(chances[best]))
    if parts:
        confidence = min(confidence, 0.5)
    outline = face_outline(pose, slot, looks, face if taken else finding.bare)
    if not _in_frame(outline, frame):
        confidence = min(confidence, 0.5)
    thing = face.thing if taken else NOTHING
    order = sorted(range(len(chances)), key=lambda k: -chances[k])
    others = [finding.candidates[k].thing for k in order if finding.candidates[k].thing != thing]
    others += [NOTHING] if taken else []
    share = (1 - confidence) / max(1, len(others))
    return Reading(
        slot, pose.place, thing, confidence, confidence < DOUBTFUL,
        tuple((other, share) for other in others[:3]), outline, parts,
    )  # fmt: skip


def _known(lying: Candidate) -> float:
    """Whether it is anything that was learnt."""
    foreign = min(max(lying.apart, lying.plain), max(lying.colour, MISSING * lying.missing))
    return logistic(FOREIGN_SLOPE * (EVEN_FOREIGN - foreign))


def _own(bare: Candidate) -> float:
    """Whether it is the slot's own print."""
    foreign = min(max(bare.apart, bare.plain), bare.colour)
    return logistic(OTHER_PRINT_SLOPE * (EVEN_OTHER_PRINT - foreign))


def logistic(value: float) -> float:
    return 1 / (1 + math.exp(-min(max(value, -30.0), 30.0)))


def face_outline(
    pose: SheetPose, slot: Slot, looks: FaceLooks, lying: Candidate
) -> tuple[tuple[float, float], ...]:
    """Where the thing lies in the full photo."""
    x, y, twist = lying.lies
    width, height = looks.holds.size
    if lying.thing.turns % 2:
        width, height = height, width
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
    c, s = np.cos(np.deg2rad(twist)), np.sin(np.deg2rad(twist))
    turned = corners @ np.array([[c, s], [-s, c]]) + np.mean(np.array(slot.polygon), axis=0) + (x, y)
    seen = pose.camera.project(turned, looks.thickness if lying.thing.names else 0.0)
    return tuple((float(px), float(py)) for px, py in seen)


def _in_frame(outline: tuple[tuple[float, float], ...], frame: tuple[float, float]) -> bool:
    return all(0 <= x < frame[0] and 0 <= y < frame[1] for x, y in outline)
