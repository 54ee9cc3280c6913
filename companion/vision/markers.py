"""Markers along a scale: on which space each one stands.

A marker has the paint of the pieces it is named after. Every spot of the board that looks like that paint,
rather than like the print or another paint, speaks for the space under it: the space that the spot would
cover, were it half a marker's height above the board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Matrix
from companion.vision.model import Design, MarkerReading, Scale, SheetPose
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_ground import MOST_SAID, Ground
from companion.vision.pieces_print import Floats
from companion.vision.plane import moved
from companion.vision.wood_light import WoodLight

# A spot may lie this much farther from its space's middle than the scale says: markers are put down askew.
ROOM = 1.25
# Spaces with less than this part of a marker's usual paint are bare.
LEAST_SEEN = 0.12
# So many ways to put all markers of a scale are compared, those over the spaces with the most paint.
MOST_WAYS = 20_000
# A marker without paint costs this part of its usual amount; paint without a marker less: it may be a shadow
# or something that lies there.
PALE, UNACCOUNTED = 0.6, 0.25
# Behind another one, a marker shows no less than this part of its paint; side by side they show all.
MOST_COUNTED = 1.3
# By how much (in a marker's usual paint) the best way must beat every way with this marker elsewhere.
SURE_LEAD, LIKELY_LEAD = 0.4, 0.2
# How sure a reading is then: measured over seven sets (1456 markers; 17 of 1138 wrong, 20 of 143, 80 of 175).
SURE, LIKELY, GUESSED = 0.985, 0.86, 0.5


@dataclass(frozen=True)
class MarkerLooks:
    middles: Mapping[str, float]
    """By scale: how high above the board the middle of a marker is, in millimetres."""
    amounts: Mapping[str, float]
    """By scale: what a marker in full view says, in square millimetres of sure spots."""
    paints: Mapping[str, str]
    """By marker: the piece that has its paint."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The paints there are, in the order in which spots speak for them."""
        return tuple(sorted(set(self.paints.values())))

    def to_store(self) -> dict[str, Any]:
        """For JSON."""
        return {"middles": dict(self.middles), "amounts": dict(self.amounts), "paints": dict(self.paints)}

    @classmethod
    def from_store(cls, data: Mapping[str, Any]) -> MarkerLooks:
        return cls(dict(data["middles"]), dict(data["amounts"]), dict(data["paints"]))


@dataclass(frozen=True, eq=False)
class Spots:
    """Spots of the board that are near a scale, and what each says for each paint."""

    at: Matrix
    """n x 2, millimetres on the board, as they appear on its plane."""
    said: Floats
    """n x paints: from 0 to 1."""


def read_markers(
    ground: Ground,
    poses: Sequence[SheetPose],
    design: Design,
    pieces: PieceLooks,
    looks: MarkerLooks,
    light: WoodLight,
    free: NDArray[np.bool_] | None = None,
) -> tuple[MarkerReading, ...]:
    """`free` is False where a piece that was read hides the ground."""
    readings: list[MarkerReading] = []
    lies = sheets_lie(ground, poses)
    for sheet, scales in scales_by_sheet(design).items():
        if sheet not in lies:
            readings += [MarkerReading(s.name, m, None, 0.0, True) for s in scales for m in s.markers]
            continue
        spots = spots_near(ground, scales, lies[sheet], pieces, looks.columns, light, free)
        spaces = on_board(scales, lies[sheet])
        for number, scale in enumerate(scales):
            readings += _read_scale(ground, scale, number, spaces, spots, looks)
    return tuple(readings)


def scales_by_sheet(design: Design) -> dict[str, list[Scale]]:
    by_sheet: dict[str, list[Scale]] = {}
    for scale in design.scales:
        by_sheet.setdefault(scale.sheet, []).append(scale)
    return by_sheet


def sheets_lie(ground: Ground, poses: Sequence[SheetPose]) -> dict[str, Matrix]:
    """By sheet: from its millimetres to those of the board."""
    return {pose.sheet: ground.lies[pose.place] for pose in poses}


def on_board(scales: Sequence[Scale], lies: Matrix) -> list[Matrix]:
    """The spaces of each scale, in millimetres of the board."""
    return [moved(lies, np.array(scale.spaces)) for scale in scales]


def spots_near(
    ground: Ground,
    scales: Sequence[Scale],
    lies: Matrix,
    pieces: PieceLooks,
    paints: Sequence[str],
    light: WoodLight,
    free: NDArray[np.bool_] | None = None,
) -> Spots:
    """All spots that a marker on one of these scales may cover; `free` is False where others hide it."""
    rows, columns = ground.window.height, ground.window.width
    near = np.zeros((rows, columns), dtype=bool)
    for scale, spaces in zip(scales, on_board(scales, lies), strict=True):
        reach = 2 * scale.radius * ground.window.per_mm
        for x, y in moved(ground.window.to_pixels(), spaces):
            top, left = max(0, int(y - reach)), max(0, int(x - reach))
            near[top : min(rows, int(y + reach) + 1), left : min(columns, int(x + reach) + 1)] = True
    near &= ground.seen & (ground.piece > -MOST_SAID)
    if free is not None:
        near &= free
    y, x = np.nonzero(near)
    at = moved(ground.window.to_mm(), np.column_stack([x, y]).astype(np.float64))
    columns_of = [pieces.names.index(name) for name in paints]
    densities = pieces.densities(light.colours(ground, near))[:, columns_of]
    return Spots(at, paint_said(densities, ground.piece[near]))


def paint_said(densities: Floats, piece: Floats) -> Floats:
    """How much each spot is something other than the print, shared out among the paints it may be: 0 to 1.

    On a scale there is nothing else to be than a marker, so that it need not look much like its paint, which
    gloss and another lamp change: it has to look more like it than like the others.
    """
    # a marker of the colour that it stands on is seldom sure, but its bare neighbours are
    foreign = np.clip((piece / MOST_SAID + 1) / 2, 0, 1)
    likely = np.exp(densities - densities.max(axis=1, keepdims=True))
    return np.asarray(foreign[:, None] * likely / likely.sum(axis=1, keepdims=True), dtype=np.float32)


def below(spots: Matrix, eye: Matrix, height: float) -> Matrix:
    """The points of the board over which something `height` above it appears at these spots."""
    return np.asarray(spots + (eye[:2] - spots) * height / eye[2])


def nearest(points: Matrix, spaces: Sequence[Matrix]) -> tuple[NDArray[np.int64], NDArray[np.int64], Matrix]:
    """For each point the number of the scale, the space on it, and how far off it lies."""
    owner = np.concatenate([np.full(len(each), number) for number, each in enumerate(spaces)])
    space = np.concatenate([np.arange(len(each)) for each in spaces])
    every = np.concatenate(list(spaces))
    away = np.square(points[:, :1] - every[:, 0]) + np.square(points[:, 1:] - every[:, 1])
    which = away.argmin(axis=1)
    return owner[which], space[which], np.sqrt(away[np.arange(len(points)), which])


def _read_scale(
    ground: Ground,
    scale: Scale,
    number: int,
    spaces: Sequence[Matrix],
    spots: Spots,
    looks: MarkerLooks,
) -> list[MarkerReading]:
    usual = looks.amounts.get(scale.name, 0.0)
    speaking = spots.said.max(axis=1) > 0.1
    at = below(spots.at[speaking], ground.eye, looks.middles.get(scale.name, 0.0))
    said = spots.said[speaking]
    if not len(said):
        return [MarkerReading(scale.name, marker, None, 0.0, True) for marker in scale.markers]
    owner, space, away = nearest(at, spaces)
    ours = (owner == number) & (away < ROOM * scale.radius)
    amount = 1 / (ground.window.per_mm**2 * max(usual, 1e-6))
    names = [marker for marker in scale.markers if marker in looks.paints]
    totals = np.zeros((len(names), len(scale.spaces)))
    for row, marker in enumerate(names):
        paint = looks.columns.index(looks.paints[marker])
        totals[row] = _total(space[ours], said[ours, paint], scale) * amount
    everything = _total(space[ours], said[ours].sum(axis=1), scale) * amount
    standing = places(names, totals, everything)
    return [
        MarkerReading(scale.name, marker, *standing[marker])
        if marker in standing
        else MarkerReading(scale.name, marker, None, 0.0, True)
        for marker in scale.markers
    ]


def _total(space: NDArray[np.int64], said: Floats, scale: Scale) -> Matrix:
    """What is said for each space of the scale."""
    return np.asarray(np.bincount(space, said, len(scale.spaces)), dtype=np.float64)


def places(
    names: Sequence[str], totals: Matrix, everything: Matrix
) -> dict[str, tuple[int | None, float, bool]]:
    """Every marker stands somewhere, and all paint belongs to one: the way that accounts best for both.

    `totals`: markers x spaces, `everything`: spaces, both in parts of a marker's usual paint.
    """
    often = max(1, int(MOST_WAYS ** (1 / max(1, len(names)))))
    tried = np.flatnonzero(everything > LEAST_SEEN)
    tried = tried[np.argsort(-everything[tried], kind="stable")][: min(often, len(tried))]
    if not len(tried) or not names:
        return {}
    ways = np.stack(np.meshgrid(*[np.arange(len(tried))] * len(names), indexing="ij"), axis=-1)
    ways = ways.reshape(-1, len(names))
    own = np.minimum(totals[:, tried], MOST_COUNTED)
    score = sum(own[marker, ways[:, marker]] for marker in range(len(names)))
    counts = np.stack([(ways == space).sum(axis=1) for space in range(len(tried))], axis=1)
    left = np.minimum(everything[tried], MOST_COUNTED * len(names)) - counts
    score = score - np.where(left > 0, UNACCOUNTED * left, -PALE * left).sum(axis=1)
    best = ways[int(score.argmax())]
    standing: dict[str, tuple[int | None, float, bool]] = {}
    for marker, name in enumerate(names):
        elsewhere = score[ways[:, marker] != best[marker]]
        lead = float(score.max() - elsewhere.max()) if len(elsewhere) else float(own[marker, best[marker]])
        sure = SURE if lead > SURE_LEAD else LIKELY if lead > LIKELY_LEAD else GUESSED
        standing[name] = (int(tried[best[marker]]), sure, sure < SURE)
    return standing
