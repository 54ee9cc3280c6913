"""How a landscape space is split into areas: groupings of the four sides of its octagon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.scoring.castelli.components import Area as BoxArea
from companion.scoring.castelli.components import Kind, Point, Side
from companion.table.castelli import boardmap
from companion.table.castelli.calibrating.draft import SIDES, Area, Space, Spot

Split = tuple[str, ...]

SPLITS: tuple[Split, ...] = (
    ("NESW",),
    ("NE", "SW"),
    ("ES", "WN"),
    ("NES", "W"),
    ("ESW", "N"),
    ("SWN", "E"),
    ("WNE", "S"),
    ("NE", "S", "W"),
    ("ES", "W", "N"),
    ("SW", "N", "E"),
    ("WN", "E", "S"),
    ("N", "E", "S", "W"),
    ("NS", "E", "W"),
    ("EW", "N", "S"),
    ("NS", "EW"),
)
"""All groupings of the four sides, those with neighbouring sides first."""

SITE_AGAIN = 0.1
"""A tap this near to a site, in widths of the octagon, means that site."""


def area_polygons(octagon: float, sides: str) -> tuple[tuple[Spot, ...], ...]:
    """The outlines of the area at these sides, in millimetres from the middle of the octagon."""
    area = BoxArea(Kind.WOOD, tuple(Side[letter] for letter in sides), 1)
    return tuple(
        tuple((point.x, point.y) for point in outline) for outline in boardmap.area_outlines(area, octagon)
    )


def split_space(space: Space | None, split: Sequence[str], octagon: float) -> Space:
    """The same space split otherwise: what was said of an area stays with the sides it keeps."""
    old = space.areas if space else ()
    areas = []
    for sides in split:
        shared = [area for area in old if set(area.sides) & set(sides)]
        best = max(shared, key=lambda area: len(set(area.sides) & set(sides)), default=Area(sides=sides))
        areas.append(best.model_copy(update={"sides": sides, "sites": ()}))
    fresh = Space(areas=tuple(areas), printed=space.printed if space else None)
    for area in old:
        for site in area.sites:
            fresh = _with_site(fresh, site, octagon)
    return fresh


def place_site(space: Space, at: Spot, octagon: float) -> Space:
    """A new castle site in the area under the point; a tap on one that is there takes it away."""
    for index, area in enumerate(space.areas):
        near = [
            s for s in area.sites if (s[0] - at[0]) ** 2 + (s[1] - at[1]) ** 2 < (SITE_AGAIN * octagon) ** 2
        ]
        if near:
            sites = tuple(site for site in area.sites if site not in near)
            return _replaced(space, index, area.model_copy(update={"sites": sites}))
    return _with_site(space, at, octagon)


def _with_site(space: Space, at: Spot, octagon: float) -> Space:
    """Only rocks have castle sites; an area of which nothing was said yet may become rocks."""
    index = area_under(space, at, octagon)
    area = space.areas[index]
    if area.kind not in (None, "rocks"):
        return space
    spot = round(at[0], 2), round(at[1], 2)
    fresh = area.model_copy(update={"sites": (*area.sites, spot), "kind": area.kind or "rocks"})
    return _replaced(space, index, fresh)


def area_under(space: Space, at: Spot, octagon: float) -> int:
    point = Point(at[0], at[1])

    def off(area: Area) -> float:
        outlines = area_polygons(octagon, area.sides)
        return min(boardmap.distance_to(tuple(Point(x, y) for x, y in one), point) for one in outlines)

    return min(range(len(space.areas)), key=lambda index: off(space.areas[index]))


def _replaced(space: Space, index: int, area: Area) -> Space:
    return space.model_copy(update={"areas": (*space.areas[:index], area, *space.areas[index + 1 :])})


def turned_space(space: Space, turns: int) -> Space:
    """As it looks after quarter turns clockwise."""
    areas = []
    for area in space.areas:
        sites = [boardmap.turned(Point(x, y), 90 * turns) for x, y in area.sites]
        spots = tuple((round(site.x, 2), round(site.y, 2)) for site in sites)
        areas.append(area.model_copy(update={"sides": turned_sides(area.sides, turns), "sites": spots}))
    return space.model_copy(update={"areas": tuple(areas)})


def turned_sides(sides: str, turns: int) -> str:
    return "".join(SIDES[(SIDES.index(side) + turns) % 4] for side in sides)


def split_of(borders: Iterable[bool]) -> Split:
    """From whether there is a border at the corners NE, ES, SW, WN."""
    at = list(borders)
    starts = [k for k in range(4) if at[k - 1]]  # side k begins after the border before it
    if len(starts) < 2:
        return ("NESW",)
    areas = []
    for number, start in enumerate(starts):
        end = starts[(number + 1) % len(starts)]
        length = (end - start) % 4 or 4
        areas.append("".join(SIDES[(start + k) % 4] for k in range(length)))
    return tuple(areas)
