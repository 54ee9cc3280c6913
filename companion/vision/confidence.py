"""From evidence to a probability, in one place: how sure a reading is, and when it is doubtful.

The slopes are set by hand from what slots of several sets of different art look like (tools/kitmaker), not
over one; CHANGELOG.md says how often sure readings were wrong.
"""

from __future__ import annotations

import numpy as np

from companion.vision.faces import FaceLooks
from companion.vision.faces_reading import Candidate, FaceFinding
from companion.vision.model import NOTHING, Reading, SheetPose, Slot

# Below this a reading is doubtful: a question costs the players a second, a wrong answer the game.
DOUBTFUL = 0.985
# A bare slot differs from its print by less than this (logarithms of colour): 0.19 at most where nothing was
# before it, while a face of another colour made it 0.3 and more.
BARE = 0.22


def face_reading(
    finding: FaceFinding, pose: SheetPose, slot: Slot, looks: FaceLooks, frame: tuple[float, float]
) -> Reading:
    """`frame`: width and height of the full photo."""
    face = finding.candidates[0]
    taken = finding.bare.colour >= min(face.colour, BARE)
    confidence = min(_state_confidence(finding, face), _face_confidence(finding, face) if taken else 1.0)
    outline = face_outline(pose, slot, looks, face if taken else finding.bare)
    if not _in_frame(outline, frame):
        confidence = min(confidence, 0.5)
    thing = face.thing if taken else NOTHING
    others = [c.thing for c in finding.candidates if c.thing != thing] + ([NOTHING] if taken else [])
    share = (1 - confidence) / max(1, len(others))
    return Reading(
        slot, pose.place, thing, confidence, confidence < DOUBTFUL,
        tuple((other, share) for other in others[:3]), outline,
    )  # fmt: skip


def _state_confidence(finding: FaceFinding, face: Candidate) -> float:
    """Whether a face lies there at all: does the print show, and does a face explain it better?"""
    off = finding.bare.colour - BARE
    nearer = finding.bare.colour - face.colour
    if off > 0 or nearer >= 0:
        return _logistic(max(60 * off, 40 * nearer))
    return min(_logistic(-60 * off), _logistic(-40 * nearer))


def _face_confidence(finding: FaceFinding, face: Candidate) -> float:
    """Which face it is."""
    return float(
        min(_logistic(40 * (face.alike - 0.6)), _logistic(2 * finding.clear), _logistic(150 * finding.lead))
    )


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -30, 30))))


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
