"""Proposes what the sides of tiles show: their colours once the four are named, their values from others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from companion.scoring.castelli.components import Cell
from companion.table.castelli.calibrating.draft import CASTLES, EMPTY, Draft, Rect, Shot, Tile, Value
from companion.table.castelli.calibrating.looking import Looking
from companion.vision.paint_colour import RGB
from companion.vision.plane import Image
from companion.vision.resemble import (
    Look,
    colours_alike,
    groups,
    in_lab,
    look_of,
    pattern_alike,
    rgb_of,
    stands_out,
)

Floats = NDArray[np.float32]

COLOURS = 4
"""That a tile shows, one on each side (p. 2)."""
SIDE_WIDTH, SIDE_DEPTH = 0.3, 0.44
"""A side's picture: half its width and its depth, in sides of the tile; arms lie in the middle of a side."""
SILVER = 0.14
"""The silver is printed this far around a tile's middle, likewise."""
SURE = 0.12
"""How much more alike the best value has to be than the next best, to be sure."""


@dataclass(frozen=True, slots=True)
class TileView:
    key: str
    cell: Cell
    rect: Rect
    tile: Tile | None
    proposal: Tile
    sure: tuple[float, ...]
    """By side, 0-1."""
    lies: bool


@dataclass(frozen=True, slots=True)
class PaletteView:
    index: int
    name: str | None
    rgb: RGB
    seen: int
    example: str
    """The tile that shows it best."""
    side: int
    rect: Rect
    turned: int
    """Quarter turns clockwise that bring that side to the top."""


@dataclass(frozen=True, slots=True)
class TileLook:
    whole: Look
    means: Floats
    """The mean colour of each side's quarter, 4 x 3."""
    upright: tuple[Look, ...]
    turned: tuple[Look, ...]
    """The sides' arms as they lie, and with the side turned to the top."""
    silver: Look


class Tiles:
    """The looks of the tiles on one draft's photos."""

    def __init__(self, looking: Looking, draft: Draft, roles: Sequence[str]) -> None:
        self.looks: dict[str, TileLook] = {}
        self.lies: dict[str, bool] = {}
        for role in roles:
            shot = draft.shots[role]
            images = {cell: looking.part(draft, shot, _rect(draft, cell)) for cell in draft.meadows()}
            self.lies |= _lying(looking, draft, shot, role, images)
            self.looks |= {f"{role}/{cell}": _look(image) for cell, image in images.items()}
        self.groups, self.centres = self._grouped(draft)

    def _grouped(self, draft: Draft) -> tuple[dict[str, tuple[int, ...]], Floats]:
        """Which colour each side of each tile has: by likeness, and each once a tile."""
        keys = [key for key in self.looks if self.lies[key]]
        count = max(COLOURS, len(draft.colours))
        if len(keys) * 4 < count * 2:
            return {}, np.zeros((count, 3), np.float32)
        points = np.concatenate([self.looks[key].means for key in keys])
        labels = groups(points, count)
        centres = np.array([points[labels == k].mean(axis=0) for k in range(count)], np.float32)
        chosen: dict[str, tuple[int, ...]] = {}
        for _ in range(4):
            chosen = {key: _dealt(self.looks[key].means, centres) for key in keys}
            labels = np.array([colour for key in keys for colour in chosen[key]], np.int32)
            centres = np.array(
                [
                    points[labels == k].mean(axis=0) if (labels == k).any() else centres[k]
                    for k in range(count)
                ],
                np.float32,
            )
        return chosen, centres

    def palette(self, draft: Draft) -> tuple[PaletteView, ...]:
        views = []
        for index, centre in enumerate(self.centres):
            sides = [
                (key, side) for key, found in self.groups.items() for side in range(4) if found[side] == index
            ]
            if not sides:
                continue
            key, side = min(
                sides, key=lambda at: float(np.linalg.norm(self.looks[at[0]].means[at[1]] - centre))
            )
            name = draft.colours[index] if index < len(draft.colours) else None
            rect = _rect(draft, key.partition("/")[2])
            views.append(PaletteView(index, name, rgb_of(centre), len(sides), key, side, rect, -side % 4))
        return tuple(views)

    def views(self, draft: Draft, role: str) -> tuple[TileView, ...]:
        known = list(self._known(draft))
        turned = _is_turned(known)
        views = []
        for key, look in self.looks.items():
            at, _, cell = key.partition("/")
            if at != role:
                continue
            proposal, sure = self._proposal(draft, key, look, known, turned)
            said = draft.tiles.get(key)
            lies = self.lies[key] or said is not None
            views.append(TileView(key, cell, _rect(draft, cell), said, said or proposal, sure, lies))
        return tuple(views)

    def _known(self, draft: Draft) -> Iterator[_Known]:
        for key, tile in draft.tiles.items():
            if key in self.looks:
                look = self.looks[key]
                for side, (colour, value) in enumerate(tile.sides):
                    if colour is not None and value is not None:
                        yield _Known(colour, value, look.upright[side], look.turned[side], key)

    def _proposal(
        self, draft: Draft, key: str, look: TileLook, known: Sequence[_Known], turned: bool
    ) -> tuple[Tile, tuple[float, ...]]:
        sides: list[tuple[str | None, Value | None]] = []
        sure = []
        for side, group in enumerate(self.groups.get(key, (-1,) * 4)):
            colour = draft.colours[group] if 0 <= group < len(draft.colours) else None
            own = (look.turned if turned else look.upright)[side]
            value, share = _value(own, colour, [one for one in known if one.key != key], turned)
            sides.append((colour, value))
            sure.append(share if colour is not None else 0.0)
        silver = _silver(look, {k: t.silver for k, t in draft.tiles.items() if k != key}, self.looks)
        start = key.startswith(f"{CASTLES}/")
        return Tile(sides=tuple(sides), silver=silver, start=start), tuple(sure)


@dataclass(frozen=True, slots=True)
class _Known:
    colour: str
    value: Value
    upright: Look
    turned: Look
    key: str


def _value(
    look: Look, colour: str | None, known: Sequence[_Known], turned: bool
) -> tuple[Value | None, float]:
    """The value that looks most alike; arms of the same colour are believed a little more."""
    best: dict[Value, float] = {}
    for one in known:
        share = pattern_alike(one.turned if turned else one.upright, look)
        share += 0.05 if one.colour == colour else 0.0
        best[one.value] = max(best.get(one.value, -1.0), share)
    if not best:
        return None, 0.0
    ranked = sorted(best, key=lambda value: -best[value])
    second = best[ranked[1]] if len(ranked) > 1 else 0.0
    return ranked[0], float(np.clip((best[ranked[0]] - second) / SURE, 0, 1))


def _is_turned(known: Sequence[_Known]) -> bool:
    """Whether values turn with their side: so read, those that are known agree better with each other."""
    right = [0, 0]
    for one in known:
        others = [other for other in known if other.key != one.key]
        for how, is_turned in enumerate((False, True)):
            look = one.turned if is_turned else one.upright
            right[how] += _value(look, one.colour, others[:40], is_turned)[0] == one.value
    return right[1] >= right[0]


def _silver(look: TileLook, told: Mapping[str, int], looks: Mapping[str, TileLook]) -> int:
    best: dict[int, float] = {}
    for key, silver in told.items():
        if key in looks:
            other = looks[key].silver
            share = 0.4 * colours_alike(look.silver, other) + 0.6 * pattern_alike(look.silver, other)
            best[silver] = max(best.get(silver, -1.0), share)
    return max(best, key=lambda silver: best[silver]) if best else 0


def _dealt(means: Floats, centres: Floats) -> tuple[int, ...]:
    """Each side another colour, so that all of them together fit best."""
    off = np.linalg.norm(means[:, None] - centres[None], axis=2)
    chosen = min(
        permutations(range(len(centres)), 4), key=lambda p: float(sum(off[k, p[k]] for k in range(4)))
    )
    return tuple(chosen)


def _look(image: Image) -> TileLook:
    side = image.shape[0]
    y, x = np.mgrid[:side, :side] / (side - 1) - 0.5
    wedge = (y < -0.08) & (np.abs(x) < -y * 0.9) & (y > -0.46)
    lab = in_lab(image)
    means, upright, turned = [], [], []
    depth, half = round(SIDE_DEPTH * side), round(SIDE_WIDTH * side)
    for quarter in range(4):
        top = np.ascontiguousarray(np.rot90(image, quarter))
        means.append(np.rot90(lab, quarter)[wedge].mean(axis=0))
        part = np.ascontiguousarray(top[:depth, side // 2 - half : side // 2 + half])
        turned.append(look_of(stands_out(part)))
        upright.append(look_of(stands_out(np.ascontiguousarray(np.rot90(part, -quarter)))))
    reach = round(SILVER * side)
    centre = slice(side // 2 - reach, side // 2 + reach)
    silver = look_of(np.ascontiguousarray(image[centre, centre]))
    return TileLook(look_of(image), np.array(means, np.float32), tuple(upright), tuple(turned), silver)


def _lying(
    looking: Looking, draft: Draft, shot: Shot, role: str, images: Mapping[Cell, Image]
) -> dict[str, bool]:
    """Where something lies: where the board does not look as it does empty."""
    empty = draft.shots.get(EMPTY)
    if role != CASTLES or empty is None:
        return {f"{role}/{cell}": True for cell in images}
    alike = {
        cell: colours_alike(look_of(image), look_of(looking.part(draft, empty, _rect(draft, cell))))
        for cell, image in images.items()
    }
    values = np.array(list(alike.values()))
    level = (values.min() + np.median(values)) / 2
    lies = values.min() < 0.6 * np.median(values)
    return {f"{role}/{cell}": bool(lies and share < level) for cell, share in alike.items()}


def _rect(draft: Draft, cell: Cell) -> Rect:
    return draft.around(cell, draft.grid.tile / 2)
