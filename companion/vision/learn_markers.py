"""Learns from where the owner says markers stand: how high they are, how much of their paint is seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.camera import Matrix
from companion.vision.labelled_view import LabelledView
from companion.vision.markers import MarkerLooks, Spots, on_board, scales_by_sheet, sheets_lie, spots_near
from companion.vision.model import Design, Scale
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import Ground
from companion.vision.wood_light import WoodLight

# Where nothing tells: the middle of a marker is this part of a piece's radius above the board.
USUAL_MIDDLE = 0.5
# How much that guess weighs, as a marker seen from this slant (its height over its distance along the board).
GUESS_SLANT = 0.3
# No marker is flatter than nothing or taller than a piece: its middle lies in between.
TALLEST = 2.0
# Markers on one space that appear this far apart, in parts of its radius, lie side by side; else stacked.
SIDE_BY_SIDE = 0.6
# A marker says this much of the usual where only its upper half is seen.
USUAL_AMOUNT = 1.5


@dataclass(frozen=True)
class _Sight:
    """One labelled marker as it was seen."""

    scale: str
    slant: float
    """How far off its space it appears for each millimetre of height, along the scale."""
    off: float
    """How far off it does appear, in millimetres along the scale."""
    amount: float
    at: tuple[float, float]
    """Where it appears, in millimetres of the board."""


def learn_markers(
    design: Design, views: Sequence[tuple[Ground, LabelledView]], pieces: PieceLooks
) -> MarkerLooks:
    paints = {
        marker: name
        for scale in design.scales
        for marker in scale.markers
        for name, form in design.forms.items()
        if form.paint == marker and name in pieces.names
    }
    sights = [sight for ground, view in views for sight in _sights(design, ground, view, pieces, paints)]
    radius = float(np.median([form.radius for form in pieces.forms.values()])) if pieces.forms else 0.0
    middles, amounts = {}, {}
    sheet_of = {scale.name: scale.sheet for scale in design.scales}
    for scale in design.scales:
        # the scales of one sheet have the same kind of marker, and the more of them are seen the better
        alike = [sight for sight in sights if sheet_of[sight.scale] == scale.sheet]
        guess = _middle(sights, USUAL_MIDDLE * radius, TALLEST * radius)
        middles[scale.name] = _middle(alike, guess, TALLEST * radius)
        ours = [sight for sight in sights if sight.scale == scale.name]
        amounts[scale.name] = (
            float(np.median([sight.amount for sight in ours])) if ours else USUAL_AMOUNT * radius**2
        )
    return MarkerLooks(middles, amounts, paints)


def _middle(sights: Sequence[_Sight], guess: float, tallest: float) -> float:
    """The height that explains best how far off their spaces markers appear; least squares about a guess."""
    slants = np.array([sight.slant for sight in sights] + [GUESS_SLANT])
    offs = np.array([sight.off for sight in sights] + [GUESS_SLANT * guess])
    return float(np.clip(slants @ offs / (slants @ slants), 0.0, tallest))


def _sights(
    design: Design, ground: Ground, view: LabelledView, pieces: PieceLooks, paints: Mapping[str, str]
) -> Iterator[_Sight]:
    labelled = view.labelled
    lies = sheets_lie(ground, view.poses)
    for sheet, scales in scales_by_sheet(design).items():
        if sheet not in lies:
            continue
        spaces = on_board(scales, lies[sheet])
        columns = sorted(set(paints.values()))
        spots = spots_near(ground, scales, lies[sheet], pieces, columns, WoodLight())
        for scale, places in zip(scales, spaces, strict=True):
            standing: dict[int, list[str]] = {}
            for marker in scale.markers:
                if marker in paints and (scale.name, marker) in labelled.markers:
                    standing.setdefault(labelled.markers[scale.name, marker], []).append(marker)
            for space, markers in standing.items():
                together = [
                    _sight(ground, scale, places, space, spots, columns.index(paints[marker]))
                    for marker in markers
                ]
                seen = [sight for sight in together if sight is not None]
                if seen:
                    lowest = _lowest(seen, scale)
                    # and the one that shows most is in full view
                    amount = max(sight.amount for sight in seen)
                    yield replace(lowest, amount=amount)


def _lowest(seen: Sequence[_Sight], scale: Scale) -> _Sight:
    """Of those side by side the middle one. A stack does not tell how high a marker is: the lowest hides."""
    at = np.array([sight.at for sight in seen])
    in_order = sorted(seen, key=lambda sight: sight.off * np.sign(sight.slant))
    if len(seen) == 1 or float(np.hypot(*np.ptp(at, axis=0))) > SIDE_BY_SIDE * scale.radius:
        return in_order[len(in_order) // 2]
    return replace(in_order[0], slant=0.0, off=0.0)


def _sight(
    ground: Ground,
    scale: Scale,
    places: Matrix,
    space: int,
    spots: Spots,
    paint: int,
) -> _Sight | None:
    place = places[space]
    near = np.hypot(*(spots.at - place).T) < 2 * scale.radius
    said = spots.said[near, paint]
    total = float(said.sum())
    if total < ground.window.per_mm**2:  # less than a square millimetre: it is hidden
        return None
    at = (spots.at[near] * said[:, None]).sum(axis=0) / total
    other = places[space + 1] if space + 1 < len(places) else places[space - 1]
    along = (other - place) / max(float(np.linalg.norm(other - place)), 1e-6)
    slant = float((place - ground.eye[:2]) @ along) / float(ground.eye[2])
    spot = (float(at[0]), float(at[1]))
    return _Sight(scale.name, slant, float((at - place) @ along), total / ground.window.per_mm**2, spot)
