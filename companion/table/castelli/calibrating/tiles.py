"""Proposes what the sides of tiles show: their colours once the four are named, their values from others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from companion.scoring.castelli.components import Cell
from companion.table.castelli.calibrating.draft import CASTLES, TILES, Draft, Rect, Tile, Value
from companion.table.castelli.calibrating.looking import Looking
from companion.table.castelli.calibrating.meadows import Meadows
from companion.vision.paint_colour import RGB
from companion.vision.plane import Image
from companion.vision.quarters import centred, mark_depth, quarter_colours, strokes
from companion.vision.resemble import (
    groups,
    in_lab,
    likenesses,
    rgb_of,
    small,
)

Floats = NDArray[np.float32]

COLOURS = 4
"""That a tile shows, one on each side (p. 2)."""
ARMS = 0.18
"""How far the arms of a side reach around their middle, in sides of a tile."""
LOOSE = 1.24
"""Tiles may lie off their meadow's middle: what is looked at is this much wider than a tile."""
SILVER = 0.14
"""The silver is printed this far around a tile's middle, likewise."""
SAME_COLOUR = 0.05
"""How much more two sides of one colour are believed to be alike."""
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
    means: Floats
    """The mean colour of each side's quarter, 4 x 3."""
    sides: Floats
    """Small copies of the marks: in grey and strokes, each turned to the top and as it lies: 2 x 2 x 4."""
    middle: Floats
    """Small copies of where the silver is printed: in grey, and its strokes."""


class Tiles:
    """The looks of the tiles on one draft's photos."""

    def __init__(self, looking: Looking, draft: Draft, roles: Sequence[str]) -> None:
        self.looks: dict[str, TileLook] = {}
        self.lies: dict[str, bool] = {}
        for role in roles:
            shot = draft.shots[role]
            cells = draft.meadows()
            lying = Meadows(looking, draft, shot).covered() if role == CASTLES else set(cells)
            side = looking.part(draft, shot, _rect(draft, cells[0])).shape[0]
            for cell in cells:
                self.lies[f"{role}/{cell}"] = cell in lying
                loose = looking.part(draft, shot, draft.around(cell, LOOSE * draft.grid.tile / 2))
                self.looks[f"{role}/{cell}"] = _look(loose, side)
        self.groups, self.centres = self._grouped(draft)
        self._compare()

    def _grouped(self, draft: Draft) -> tuple[dict[str, tuple[int, ...]], Floats]:
        """Which colour each side of each tile has: by likeness, and each once a tile."""
        keys = [key for key in self.looks if self.lies[key]]
        count = max(COLOURS, len(draft.colours))
        # a photo that is added later must not change which colour is which
        first = [key for key in keys if key.startswith(f"{TILES}/")] or keys
        if len(first) * 4 < count * 2:
            return {}, np.zeros((count, 3), np.float32)
        points = np.concatenate([self.looks[key].means for key in first])
        labels = groups(points, count)
        centres = _centres(points, labels, np.zeros((count, 3), np.float32))
        for _ in range(4):
            dealt = [_dealt(self.looks[key].means, centres) for key in first]
            centres = _centres(points, np.array(dealt, np.int32).ravel(), centres)
        return {key: _dealt(self.looks[key].means, centres) for key in keys}, centres

    def names(self, draft: Draft) -> dict[int, str]:
        """What each group of colours is called: as the tiles that were named say, else in the order given."""
        votes = Counter(
            (group, colour)
            for key, tile in draft.tiles.items()
            for group, (colour, _) in zip(self.groups.get(key, ()), tile.sides, strict=False)
            if colour is not None
        )
        names: dict[int, str] = {}
        for (group, colour), _ in votes.most_common():
            if group not in names and colour not in names.values():
                names[group] = colour
        left = [colour for colour in draft.colours if colour not in names.values()]
        for group, colour in enumerate(draft.colours):
            if group not in names and left:
                names[group] = colour if colour in left else left[0]
                left.remove(names[group])
        return names

    def _compare(self) -> None:
        """Every side with every other, and every middle: small enough to do once for all."""
        self._rows = {key: row for row, key in enumerate(self.looks)}
        kinds = np.array([self.groups.get(key, (-1,) * 4) for key in self.looks], np.int32).ravel()
        count = len(self.looks)
        same = kinds[:, None] == kinds[None]
        self._alike = []
        for turning in (0, 1):
            grey, lines = (
                likenesses(np.concatenate([look.sides[part, turning] for look in self.looks.values()]))
                for part in (0, 1)
            )
            # what is light on one colour may be dark on another, and what is around it different
            alike = np.where(
                same, (np.maximum(grey, 0) + lines) / 2 + SAME_COLOUR, 0.3 * abs(grey) + 0.7 * lines
            )
            self._alike.append(alike.reshape(count, 4, count, 4))
        grey, lines = (
            likenesses(np.stack([look.middle[part] for look in self.looks.values()])) for part in (0, 1)
        )
        self._middles = grey + lines

    def palette(self, draft: Draft) -> tuple[PaletteView, ...]:
        """In the order in which they are named, once they are."""
        names = self.names(draft)
        order = {colour: place for place, colour in enumerate(draft.colours)}
        views: list[PaletteView] = []
        for group in sorted(range(len(self.centres)), key=lambda k: order.get(names.get(k, ""), k)):
            index, centre = len(views), self.centres[group]
            sides = [
                (key, side) for key, found in self.groups.items() for side in range(4) if found[side] == group
            ]
            if not sides:
                continue
            key, side = min(
                sides, key=lambda at: float(np.linalg.norm(self.looks[at[0]].means[at[1]] - centre))
            )
            rect = _rect(draft, key.partition("/")[2])
            views.append(
                PaletteView(index, names.get(group), rgb_of(centre), len(sides), key, side, rect, -side % 4)
            )
        return tuple(views)

    def views(self, draft: Draft, role: str) -> tuple[TileView, ...]:
        known = [key for key in draft.tiles if key in self._rows]
        turning = self._turning(draft, known)
        views = []
        for key in self.looks:
            at, _, cell = key.partition("/")
            if at != role:
                continue
            said = draft.tiles.get(key)
            proposal, sure = (said, (1.0,) * 4) if said else self._proposal(draft, key, known, turning)
            lies = said is not None or (self.lies[key] and key not in draft.bare)
            views.append(TileView(key, cell, _rect(draft, cell), said, proposal, sure, lies))
        return tuple(views)

    def _proposal(
        self, draft: Draft, key: str, known: Sequence[str], turning: int
    ) -> tuple[Tile, tuple[float, ...]]:
        sides: list[tuple[str | None, Value | None]] = []
        sure = []
        names = self.names(draft)
        for side, group in enumerate(self.groups.get(key, (-1,) * 4)):
            colour = names.get(group)
            value, share = self._value(draft, key, side, known, turning)
            sides.append((colour, value))
            sure.append(share if colour is not None else 0.0)
        start = key.startswith(f"{CASTLES}/")
        return Tile(sides=tuple(sides), silver=self._silver(draft, key, known), start=start), tuple(sure)

    def _value(
        self, draft: Draft, key: str, side: int, known: Sequence[str], turning: int
    ) -> tuple[Value | None, float]:
        """The value that looks most alike; arms of the same colour are believed a little more."""
        pairs = self._alike[turning][self._rows[key], side]
        best: dict[Value, float] = {}
        for other in known:
            for at, (_, value) in enumerate(draft.tiles[other].sides):
                if value is not None and other != key:
                    best[value] = max(best.get(value, -1.0), float(pairs[self._rows[other], at]))
        if not best:
            return None, 0.0
        ranked = sorted(best, key=lambda value: -best[value])
        second = best[ranked[1]] if len(ranked) > 1 else 0.0
        return ranked[0], float(np.clip((best[ranked[0]] - second) / SURE, 0, 1))

    def _turning(self, draft: Draft, known: Sequence[str]) -> int:
        """Whether values turn with their side (0) or not (1): how those that are known agree better."""
        right = [
            sum(
                self._value(draft, key, side, known, turning)[0] == draft.tiles[key].sides[side][1]
                for key in known
                for side in range(4)
            )
            for turning in (0, 1)
        ]
        return int(right[1] > right[0])

    def _silver(self, draft: Draft, key: str, known: Sequence[str]) -> int:
        best: dict[int, float] = {}
        for other in known:
            share = float(self._middles[self._rows[key], self._rows[other]])
            silver = draft.tiles[other].silver
            best[silver] = max(best.get(silver, -1.0), share)
        return max(best, key=lambda silver: best[silver]) if best else 0


def _centres(points: Floats, labels: NDArray[np.int32], old: Floats) -> Floats:
    """The mean of each group; a group that nothing belongs to stays where it was."""
    there = [(labels == k).any() for k in range(len(old))]
    means = [points[labels == k].mean(axis=0) if there[k] else old[k] for k in range(len(old))]
    return np.array(means, np.float32)


def _dealt(means: Floats, centres: Floats) -> tuple[int, ...]:
    """Each side another colour, so that all of them together fit best."""
    off = np.linalg.norm(means[:, None] - centres[None], axis=2)
    chosen = min(
        permutations(range(len(centres)), 4), key=lambda p: float(sum(off[k, p[k]] for k in range(4)))
    )
    return tuple(chosen)


def _look(image: Image, side: int) -> TileLook:
    square = centred(image, side)
    lab, lines = in_lab(square), strokes(square)
    reach = round(ARMS * side)
    across = slice(side // 2 - reach, side // 2 + reach)
    copies = []
    for quarter in range(4):
        top = np.rot90(lab, quarter)
        down = max(reach, round(mark_depth(top) * side))
        parts = [
            picture[down - reach : down + reach, across]
            for picture in (top[..., 0], np.rot90(lines, quarter))
        ]
        copies.append([[small(part), small(np.rot90(part, -quarter))] for part in parts])
    reach = round(SILVER * side)
    centre = slice(side // 2 - reach, side // 2 + reach)
    middle = np.array([small(lab[centre, centre, 0]), small(lines[centre, centre])])
    # by side, grey or strokes, turned or not -> grey or strokes, turned or not, by side
    sides = np.array(copies, np.float32).transpose(1, 2, 0, 3, 4)
    return TileLook(quarter_colours(lab), sides, middle)


def _rect(draft: Draft, cell: Cell) -> Rect:
    return draft.around(cell, draft.grid.tile / 2)
