"""Castles on the castles' photo: where one stands, and of which colour, proposed from what is covered."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.scoring.castelli.components import Point
from companion.table.castelli import boardmap
from companion.table.castelli.calibrating.draft import Draft, Rect, Shot
from companion.table.castelli.calibrating.kitfiles import space_at
from companion.table.castelli.calibrating.looking import Looking
from companion.vision.borders import two_classes
from companion.vision.resemble import in_lab

Floats = NDArray[np.float32]

REACH = 0.13
"""What is compared around a site, in pitches."""
SHOWN = 0.45
COVERED = 14.0
"""How far a castle changes the colours of its site at least: glare and noise change them less."""


@dataclass(frozen=True, slots=True)
class SiteView:
    key: str
    at: tuple[float, float]
    rect: Rect
    stack: tuple[str, ...] | None
    proposal: tuple[str, ...]


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
    seen = {key: _off(looking, draft, empty, shot, key, spot) for key, spot in at.items()}
    strengths = np.array([strength for strength, _ in seen.values()])
    level = max(COVERED, two_classes(strengths)) if len(strengths) > 1 else COVERED
    views = []
    for key, spot in at.items():
        strength, colour = seen[key]
        proposal = (_named(colour, palette),) if strength > level and palette else ()
        said = draft.castles.get(key)
        reach = SHOWN * draft.grid.pitch
        rect = spot[0] - reach, spot[1] - reach, spot[0] + reach, spot[1] + reach
        views.append(SiteView(key, spot, rect, said, proposal if said is None else said))
    return tuple(views)


def _off(
    looking: Looking, draft: Draft, empty: Shot, shot: Shot, key: str, spot: tuple[float, float]
) -> tuple[float, Floats]:
    """How much a site looks otherwise than when it was empty, and the colour that is there now."""
    reach = REACH * draft.grid.pitch
    now = in_lab(looking.part(draft, shot, _around(spot, reach)))
    was = in_lab(looking.part(draft, empty, _around(_on_the_empty(draft, shot, key, spot), reach)))
    off = abs(float(np.median(now[..., 0])) - float(np.median(was[..., 0]))) * 0.5
    off += float(np.linalg.norm(np.median(now[..., 1:], (0, 1)) - np.median(was[..., 1:], (0, 1))))
    return off, np.asarray(np.median(now, (0, 1)), np.float32)


def _on_the_empty(draft: Draft, shot: Shot, key: str, spot: tuple[float, float]) -> tuple[float, float]:
    """The same site on the photo of the empty board, where its piece may have lain elsewhere."""
    cell, area, site = key.split("/")
    own, _ = space_at(draft, shot, cell)
    x, y = draft.middle(draft.keys_of_spaces()[own])
    at = draft.spaces[own].areas[int(area)].sites[int(site)]
    return x + at[0], y + at[1]


def _named(colour: Floats, palette: dict[str, Floats]) -> str:
    """By hue first: wood is not as bright as cardboard."""

    def off(name: str) -> float:
        difference = colour - palette[name]
        return float(np.hypot(difference[1], difference[2])) + 0.25 * abs(float(difference[0]))

    return min(palette, key=off)


def _around(spot: tuple[float, float], reach: float) -> Rect:
    return spot[0] - reach, spot[1] - reach, spot[0] + reach, spot[1] + reach
