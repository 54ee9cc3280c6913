"""What must be true within a landscape space: sides shared out among areas, sites that lie in theirs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.scoring.castelli.components import Area, Kind, Point, Side
from companion.table.castelli.boardmap import Outline, area_outlines, distance_to, octagon_outline, size
from companion.table.castelli.setshape import AreaShape, SpaceShape, Spot
from companion.table.jsondoor import Problem

MOST_SITES = 2

SLACK = 1.0
"""Millimetres by which something measured with a ruler may lie outside of where it belongs."""

SMALLEST = 1.0
"""Square millimetres below which an outline is a line, not an area."""


def space_problems(
    space: SpaceShape, where: str, octagon: float | None, *, any_sites: bool
) -> Iterator[Problem]:
    """All problems of a space; its outlines are looked at where the octagon's width is known."""
    yield from _side_problems(space, where)
    for index, area in enumerate(space.areas):
        at = f"{where}.areas[{index}]"
        yield from _area_problems(space, area, at, any_sites)
        if octagon is not None:
            yield from _outline_problems(octagon, area, at)


def _side_problems(space: SpaceShape, where: str) -> Iterator[Problem]:
    """Each side belongs to one area, unless the file says that it is shared, or open."""
    for index, area in enumerate(space.areas):
        for other_index, other in enumerate(space.areas[:index]):
            both = [side for side in area.sides if side in other.sides]
            if both and not (area.shared or other.shared):
                yield Problem(
                    f"{where}.areas[{index}].sides",
                    f"side {', '.join(both)} is also a side of areas[{other_index}]; "
                    'where that is meant, the area says "shared": true.',
                )
    taken = {side for area in space.areas for side in area.sides}
    if loose := [side for side in "NESW" if side not in taken and side not in space.open]:
        yield Problem(
            f"{where}.areas",
            f"side {', '.join(loose)} belongs to no area; where that is meant, the space says "
            f'"open": "{"".join(loose)}".',
        )
    if both := [side for side in space.open if side in taken]:
        yield Problem(f"{where}.open", f"side {', '.join(both)} is open here and yet belongs to an area.")


def _area_problems(space: SpaceShape, area: AreaShape, where: str, any_sites: bool) -> Iterator[Problem]:
    if area.kind == "mine":
        if area.symbols:
            yield Problem(f"{where}.symbols", "the mine pays silver at the end, it has no symbols: write 0.")
        if len(space.areas) > 1:
            yield Problem(f"{where}.kind", "the mine has a landscape space to itself.")
    elif not area.symbols:
        yield Problem(f"{where}.symbols", f"a {area.kind} area shows at least one symbol.")
    if area.kind != "rocks" and area.sites:
        yield Problem(f"{where}.sites", f"castle sites are printed in rocks areas only, not in {area.kind}.")
    if area.kind == "rocks" and not area.sites:
        yield Problem(f"{where}.sites", "a rocks area has at least one castle site.")
    if area.kind == "rocks" and len(area.sites) > MOST_SITES and not any_sites:
        yield Problem(f"{where}.sites", f"a rocks area has at most {MOST_SITES} castle sites.")


def _outline_problems(octagon: float, area: AreaShape, where: str) -> Iterator[Problem]:
    whole = octagon_outline(octagon)
    for index, spot in enumerate(area.polygon or []):
        if distance_to(whole, _point(spot)) > SLACK:
            yield Problem(f"{where}.polygon[{index}]", f"{shown(spot)} lies outside the octagon.")
    if area.polygon and size(tuple(map(_point, area.polygon))) < SMALLEST:
        yield Problem(f"{where}.polygon", "these points lie on a line and enclose nothing.")
    outlines = _outlines(area, octagon)
    for index, spot in enumerate(area.sites):
        if distance_to(whole, _point(spot)) > SLACK:
            yield Problem(f"{where}.sites[{index}]", f"{shown(spot)} lies outside the octagon.")
        elif min(distance_to(outline, _point(spot)) for outline in outlines) > SLACK:
            yield Problem(f"{where}.sites[{index}]", f"{shown(spot)} lies in another area of this octagon.")


def _outlines(area: AreaShape, octagon: float) -> tuple[Outline, ...]:
    polygon = tuple(map(_point, area.polygon)) if area.polygon else None
    sides = tuple(Side[letter] for letter in area.sides)
    return area_outlines(Area(Kind(area.kind), sides, area.symbols, (), polygon), octagon)


def _point(spot: Spot) -> Point:
    return Point(spot[0], spot[1])


def shown(spot: Spot) -> str:
    return f"({spot[0]:g}, {spot[1]:g})"
