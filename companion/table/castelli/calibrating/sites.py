"""Castles on the castles' photo: where one stands, and of which colour, proposed from what is covered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from companion.scoring.castelli.components import Point
from companion.table.castelli import boardmap
from companion.table.castelli.calibrating.draft import Draft, Rect, Shot, Spot
from companion.table.castelli.calibrating.kitfiles import space_at
from companion.table.castelli.calibrating.looking import Looking
from companion.vision.borders import two_classes
from companion.vision.resemble import groups, in_lab, light_between, relit

Floats = NDArray[np.float32]

REACH = 0.13
"""What is compared around a site, in pitches."""
SHOWN = 0.45
INSIDE = 0.42
"""What tells the light of a landscape space, around its middle, in widths of the octagon."""
COVERED = 18.0
"""How far a castle changes the colours of its site at least, once the light is the same (117 of 120 castles
do, of ten sets); glare and noise change them less."""
CLEARLY = 0.6
"""Of the level that parts sites into changed ones and others: what counts where castles are very clear."""
BY_BRIGHTNESS = np.array([0.5, 1, 1], np.float32)
"""By hue first: wood is not as bright as cardboard, and shadows are not other things."""
NAMED = 10.0
"""What was named counts for more than any likeness."""


@dataclass(frozen=True, slots=True)
class SiteView:
    key: str
    at: tuple[float, float]
    rect: Rect
    stack: tuple[str, ...] | None
    proposal: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    off: float
    colour: Floats


def places(draft: Draft, shot: Shot) -> dict[str, tuple[float, float]]:
    """Every castle site on the photographed board, by cell, area and number, with where it is."""
    found = {}
    for cell in draft.landscapes():
        key, turned = space_at(draft, shot, cell)
        x, y = draft.middle(cell)
        for number, area in enumerate(draft.spaces[key].areas if key in draft.spaces else ()):
            for index, site in enumerate(area.sites):
                point = boardmap.turned(Point(*site), turned)
                found[f"{cell}/{number}/{index}"] = x + point.x, y + point.y
    return found


def site_views(
    looking: Looking, draft: Draft, empty: Shot, shot: Shot, palette: dict[str, Floats]
) -> tuple[SiteView, ...]:
    """`palette` has the colours as they look on tiles."""
    at = places(draft, shot)
    seen = _seen(looking, draft, empty, shot, _sites(draft, shot))
    strengths = np.array([one.off for one in seen.values()])
    level = max(COVERED, CLEARLY * two_classes(strengths)) if len(strengths) > 1 else COVERED
    standing = {key: one.colour for key, one in seen.items() if one.off > level}
    called = _called(standing, draft, palette)
    views = []
    for key, spot in at.items():
        said = draft.castles.get(key)
        proposal = (called[key],) if key in called else ()
        reach = SHOWN * draft.grid.pitch
        rect = spot[0] - reach, spot[1] - reach, spot[0] + reach, spot[1] + reach
        views.append(SiteView(key, spot, rect, said, proposal if said is None else said))
    return tuple(views)


def castles_seen(looking: Looking, draft: Draft, empty: Shot, shot: Shot) -> bool:
    """Whether something stands on any of the sites that were named."""
    seen = _seen(looking, draft, empty, shot, _sites(draft, shot))
    return any(one.off > COVERED for one in seen.values())


def standing(looking: Looking, draft: Draft, empty: Shot, shot: Shot) -> list[str]:
    """Castle sites, and middles of spaces as `B3/town`, on which something seems to stand."""
    spots = _sites(draft, shot) | _middles(draft, shot)
    return [key for key, one in _seen(looking, draft, empty, shot, spots).items() if one.off > COVERED]


def _sites(draft: Draft, shot: Shot) -> dict[str, tuple[Spot, Spot]]:
    """Where each site lies on the photo, and on that of the empty board."""
    at = places(draft, shot)
    return {key: (spot, _on_the_empty(draft, shot, key, spot)) for key, spot in at.items()}


def _middles(draft: Draft, shot: Shot) -> dict[str, tuple[Spot, Spot]]:
    bare = {cell: draft.cell_of(space_at(draft, shot, cell)[0]) or cell for cell in draft.landscapes()}
    return {f"{cell}/town": (draft.middle(cell), draft.middle(other)) for cell, other in bare.items()}


def _seen(
    looking: Looking, draft: Draft, empty: Shot, shot: Shot, spots: dict[str, tuple[Spot, Spot]]
) -> dict[str, Seen]:
    """How much each place looks otherwise than when it was empty, in the same light, and its colour now."""
    light = _light(looking, draft, empty, shot)
    reach = REACH * draft.grid.pitch
    seen = {}
    for key, (spot, before) in spots.items():
        was = looking.part(draft, empty, _around(before, reach))
        now = relit(looking.part(draft, shot, _around(spot, reach)), -light)
        off = np.linalg.norm((in_lab(now) - in_lab(was)) * BY_BRIGHTNESS, axis=2)
        seen[key] = Seen(float(np.median(off)), np.asarray(np.median(in_lab(now), (0, 1)), np.float32))
    return seen


def _light(looking: Looking, draft: Draft, empty: Shot, shot: Shot) -> Floats:
    """How the light differs from that on the empty board, as most landscape spaces tell."""
    changes = []
    for cell in draft.landscapes():
        key, _ = space_at(draft, shot, cell)
        reach = draft.grid.octagon * INSIDE
        was = looking.part(draft, empty, draft.around(draft.cell_of(key) or cell, reach))
        changes.append(light_between(looking.part(draft, shot, draft.around(cell, reach)), was))
    return np.asarray(np.median(changes, axis=0), np.float32)


def _called(standing: dict[str, Floats], draft: Draft, palette: dict[str, Floats]) -> dict[str, str]:
    """The colour of each castle: castles of one colour look alike, and each of these groups is called as
    those of it that were named, or so that all groups together are most like the colours of the tiles. Wood
    is more colourful than cardboard, so groups and palette are compared by how they lie to each other."""
    if not standing or not palette:
        return {}
    names = list(palette)
    points = np.array(list(standing.values()), np.float32) * BY_BRIGHTNESS
    group = groups(points, min(len(names), len(points)))
    count = int(group.max()) + 1
    wood = _spread_out(np.array([points[group == k].mean(axis=0) for k in range(count)]))
    printed = _spread_out(np.array([palette[name] for name in names]) * BY_BRIGHTNESS)
    said = [Counter(_named(draft, standing, group, k)) for k in range(count)]

    def fits(order: tuple[int, ...]) -> float:
        agreed = sum(said[k][names[name]] for k, name in enumerate(order))
        return NAMED * agreed - float(((wood - printed[list(order)]) ** 2).sum())

    best = max(permutations(range(len(names)), count), key=fits)
    return {key: names[best[k]] for key, k in zip(standing, group, strict=True)}


def _named(draft: Draft, standing: dict[str, Floats], group: NDArray[np.int32], wanted: int) -> Iterator[str]:
    """What those of a group that were named are called; the lower of two is what the site shows."""
    for key, own in zip(standing, group, strict=True):
        if own == wanted and draft.castles.get(key):
            yield draft.castles[key][0]


def _spread_out(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    off = colours - colours.mean(axis=0)
    return np.asarray(off / max(float(np.sqrt((off**2).mean())), 1e-6))


def _on_the_empty(draft: Draft, shot: Shot, key: str, spot: tuple[float, float]) -> tuple[float, float]:
    """The same site on the photo of the empty board, where its piece may have lain elsewhere."""
    cell, area, site = key.split("/")
    own, _ = space_at(draft, shot, cell)
    x, y = draft.middle(draft.keys_of_spaces()[own])
    at = draft.spaces[own].areas[int(area)].sites[int(site)]
    return x + at[0], y + at[1]


def _around(spot: tuple[float, float], reach: float) -> Rect:
    return spot[0] - reach, spot[1] - reach, spot[0] + reach, spot[1] + reach
