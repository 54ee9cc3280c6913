"""Proposes how landscape spaces are split and what their areas are, from those that were named."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.scoring.castelli.components import Cell
from companion.table.castelli.calibrating.draft import SIDES, Area, Draft, Kind, Rect, Shot, Space, Town
from companion.table.castelli.calibrating.looking import PER_MM, Looking
from companion.table.castelli.calibrating.splits import area_polygons, split_of
from companion.table.castelli.spacerules import MOST_SITES
from companion.vision.borders import border_strengths, two_classes
from companion.vision.marks import Counter, Marks, counter_for, marks_of, places_like
from companion.vision.plane import Image, Window
from companion.vision.resemble import Look, alike, colour_likenesses, look_of, odd_colours, pattern_alike

MIDDLE = 0.17
"""The printed village or city reaches this far from an octagon's middle, in its widths."""
TOWN = 0.08
"""At least this much of the middle is covered by it."""
SHOWN = 0.62
"""What is shown of the board around an octagon's middle, in its widths."""
SITE = 0.09
"""A printed castle site reaches this far, in widths of the octagon."""
EXAMPLES = 6
"""Sites that others are compared with."""


@dataclass(frozen=True, slots=True)
class SpaceView:
    key: str
    piece: str
    cell: Cell
    board_cell: Cell
    rect: Rect
    space: Space | None
    proposal: Space
    sure: float
    similar: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpaceLook:
    """What the picture of an octagon gives away."""

    whole: Look
    wedges: tuple[Look, ...]
    """Of the quarters N, E, S, W."""
    middle: Look
    odd: NDArray[np.float32]
    """Colours of the middle that the rest has not."""
    borders: NDArray[np.float64]
    """How strongly the picture changes at the corners NE, ES, SW, WN."""
    marks: Marks
    image: Image


class Spaces:
    """The looks of a draft's octagons; made once for each photo of the empty board and each grid."""

    def __init__(self, looking: Looking, draft: Draft, empty: Shot) -> None:
        octagon = draft.grid.octagon
        self.looks: dict[str, SpaceLook] = {}
        masks = {sides: _mask(octagon, sides) for sides in ("N", "E", "S", "W", "NESW")}
        for key, cell in draft.keys_of_spaces().items():
            image = looking.part(draft, empty, draft.around(cell, octagon / 2))
            self.looks[key] = _look(image, masks)
        self._compare()
        self._inside: dict[tuple[str, Area], Marks] = {}
        self._found: dict[tuple[object, ...], tuple[tuple[float, float], ...]] = {}

    def _compare(self) -> None:
        """Every octagon with every other, once for all: each tap asks again."""
        self._rows = {key: row for row, key in enumerate(self.looks)}
        looks = list(self.looks.values())
        count = len(looks)
        self._similar = np.array([[alike(a.whole, b.whole, 0.6) for b in looks] for a in looks])
        self._towns = np.array(
            [
                [float(np.abs(a.odd - b.odd).sum()) - 0.4 * pattern_alike(a.middle, b.middle) for b in looks]
                for a in looks
            ]
        )
        wedges = colour_likenesses([wedge for look in looks for wedge in look.wedges])
        self._wedges = wedges.reshape(count, 4, count, 4)

    def views(self, draft: Draft) -> tuple[SpaceView, ...]:
        borders = _border_level(self.looks, draft)
        named = [key for key in draft.spaces if key in self.looks]
        counters = self._counters(draft)
        views = []
        for key, cell in draft.keys_of_spaces().items():
            row = self._similar[self._rows[key]]
            similar = sorted((-row[self._rows[other]], other) for other in named if other != key)
            said = draft.spaces.get(key)
            proposal, sure = (said, 1.0) if said else self._proposal(draft, key, borders, counters)
            piece, _, own = key.partition("/")
            rect = draft.around(cell, SHOWN * draft.grid.octagon)
            views.append(
                SpaceView(
                    key,
                    piece,
                    own,
                    cell,
                    rect,
                    said,
                    proposal,
                    sure,
                    tuple(other for _, other in similar[:6]),
                )
            )
        return tuple(views)

    def _counters(self, draft: Draft) -> dict[str, Counter]:
        """By kind: how its symbols are counted, learnt from the areas that were named."""
        told: dict[str, list[tuple[Marks, int]]] = {}
        for key, space in draft.spaces.items():
            for area in space.areas if key in self.looks else ():
                if area.kind and area.symbols:
                    told.setdefault(area.kind, []).append((self._marks(draft, key, area), area.symbols))
        return {kind: counter for kind, some in told.items() if (counter := counter_for(some))}

    def _marks(self, draft: Draft, key: str, area: Area) -> Marks:
        """The blobs of an area that may be symbols: not its sites, and not what is printed in the middle."""
        if (key, area) in self._inside:
            return self._inside[key, area]
        octagon = draft.grid.octagon
        inner = [tuple((x * 0.95, y * 0.95) for x, y in one) for one in area_polygons(octagon, area.sides)]
        without = (*area.sites, (0.0, 0.0))
        marks = self.looks[key].marks.within(inner, octagon, without, SITE * octagon)
        self._inside[key, area] = marks
        return marks

    def _proposal(
        self, draft: Draft, key: str, level: float, counters: dict[str, Counter]
    ) -> tuple[Space, float]:
        look = self.looks[key]
        split = split_of(strength > level for strength in look.borders)
        kinds = [self._kind(draft, key, sides) for sides in split]
        areas = []
        for sides, (kind, _) in zip(split, kinds, strict=True):
            sites = self._sites(draft, key, sides) if kind == "rocks" else ()
            area = Area(sides=sides, kind=kind, sites=sites)
            areas.append(area.model_copy(update={"symbols": self._symbols(draft, key, area, counters)}))
        clear = float(np.clip(np.abs(look.borders - level).min() / (level + 1e-6), 0, 1))
        sure = min([clear, *(share for _, share in kinds)])
        return Space(areas=tuple(areas), printed=self._printed(draft, key)), sure

    def _kind(self, draft: Draft, key: str, sides: str) -> tuple[Kind | None, float]:
        """The kind of the named quarters that look most alike; the one mine is not proposed twice."""
        own = self._wedges[self._rows[key], [SIDES.index(side) for side in sides]].max(axis=0)
        votes: dict[Kind, float] = {}
        for other, space in draft.spaces.items():
            for area in space.areas if other in self.looks else ():
                if area.kind is not None and area.kind != "mine":
                    share = max(float(own[self._rows[other], SIDES.index(side)]) for side in area.sides)
                    votes[area.kind] = max(votes.get(area.kind, 0.0), share)
        if not votes:
            return None, 0.0
        ranked = sorted(votes, key=lambda kind: -votes[kind])
        second = votes[ranked[1]] if len(ranked) > 1 else 0.0
        return ranked[0], min(1.0, max(0.0, votes[ranked[0]] - second) * 4)

    def _symbols(self, draft: Draft, key: str, area: Area, counters: dict[str, Counter]) -> int | None:
        if area.kind is None or area.kind == "mine":
            return None if area.kind is None else 0
        counter = counters.get(area.kind)
        return None if counter is None else min(9, max(1, self._marks(draft, key, area).count(counter)))

    def _sites(self, draft: Draft, key: str, sides: str) -> tuple[tuple[float, float], ...]:
        """Where the area looks like sites that were shown; a few of them are enough to compare with."""
        octagon = draft.grid.octagon
        shown = [
            (other, site)
            for other, space in draft.spaces.items()
            for area in (space.areas if other in self.looks else ())
            for site in area.sites
        ][: 2 * EXAMPLES]
        if (key, sides, *shown) not in self._found:
            patches = [_around(self.looks[other].image, site, octagon) for other, site in shown]
            whole = [patch for patch in patches if patch is not None][:EXAMPLES]
            polygons = area_polygons(octagon, sides)
            found = places_like(self.looks[key].image, whole, polygons, octagon, MOST_SITES)
            self._found[key, sides, *shown] = tuple(found)
        return self._found[key, sides, *shown]

    def _printed(self, draft: Draft, key: str) -> Town | None:
        """The village or city that the middle looks like, if it looks more like one than like none."""
        best: dict[Town | None, float] = {}
        for other, space in draft.spaces.items():
            if other in self.looks:
                off = float(self._towns[self._rows[key], self._rows[other]])
                best[space.printed] = min(best.get(space.printed, 9.0), off)
        return min(best, key=lambda town: best[town]) if best else None


def _look(image: Image, masks: dict[str, Image]) -> SpaceLook:
    side = image.shape[0]
    fitted = {sides: mask[:side, :side] for sides, mask in masks.items()}
    reach = round(TOWN * side)
    centre = side // 2
    middle = np.ascontiguousarray(image[centre - reach : centre + reach, centre - reach : centre + reach])
    wedges = tuple(look_of(image, fitted[letter]) for letter in SIDES)
    return SpaceLook(
        look_of(image, fitted["NESW"]),
        wedges,
        look_of(middle),
        odd_colours(look_of(middle), wedges),
        border_strengths(image),
        marks_of(image),
        image,
    )


def _mask(octagon: float, sides: str) -> Image:
    """255 inside the wedge, without the middle, where a town may be printed, and the rim."""
    half = octagon / 2
    side = round(octagon * PER_MM) + 2
    window = Window(-half + 0.5 / PER_MM, -half + 0.5 / PER_MM, PER_MM, side, side)
    polygon = np.array(area_polygons(octagon, sides)[0])
    inner = polygon * 0.92
    mask = window.mask((tuple((float(x), float(y)) for x, y in inner),))
    y, x = np.mgrid[:side, :side] / PER_MM - half
    mask[np.hypot(x, y) < MIDDLE * octagon] = 0
    return mask


def _border_level(looks: dict[str, SpaceLook], draft: Draft) -> float:
    """Above this a border is drawn: between those that were named, or where all fall into two classes."""
    there: list[float] = []
    not_there: list[float] = []
    for key, space in draft.spaces.items():
        if key in looks:
            for corner, strength in enumerate(looks[key].borders):
                pair = {SIDES[corner], SIDES[(corner + 1) % 4]}
                joined = any(pair <= set(area.sides) for area in space.areas)
                (not_there if joined else there).append(float(strength))
    level = two_classes(np.concatenate([look.borders for look in looks.values()]))
    if len(there) >= 4 and len(not_there) >= 4:
        low, high = float(np.percentile(not_there, 90)), float(np.percentile(there, 10))
        return (low + high) / 2 if low < high else level
    return level


def _around(image: Image, site: tuple[float, float], octagon: float) -> Image | None:
    """The picture of a site; None where it is too near the rim to have one."""
    side = image.shape[0]
    reach = round(SITE * side)
    x, y = (round((value / octagon + 0.5) * side) for value in site)
    if min(x, y) < reach or max(x, y) > side - reach:
        return None
    return np.ascontiguousarray(image[y - reach : y + reach, x - reach : x + reach])
