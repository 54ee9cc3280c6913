"""Where things lie: octagons, wedges and cells."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.scoring.castelli.components import Area, Geometry, Kind, Point, Side
from companion.table.castelli.boardmap import (
    area_outlines,
    cell_middle,
    contains,
    distance_to,
    middle_of,
    moved,
    octagon_outline,
    side_runs,
    size,
    turned,
)

WIDTH = 60.0


def area(sides: str, polygon: tuple[Point, ...] | None = None) -> Area:
    return Area(Kind.WOOD, tuple(Side[side] for side in sides), 1, (), polygon)


def owners(areas: list[str], point: Point) -> list[str]:
    found = []
    for sides in areas:
        if any(contains(outline, point) for outline in area_outlines(area(sides), WIDTH)):
            found.append(sides)
    return found


def test_an_octagon_has_eight_equal_sides_and_the_asked_width() -> None:
    outline = octagon_outline(WIDTH)
    lengths = [
        math.dist((a.x, a.y), (b.x, b.y)) for a, b in zip(outline, outline[1:] + outline[:1], strict=True)
    ]
    assert lengths == pytest.approx([lengths[0]] * 8)
    assert max(p.x for p in outline) - min(p.x for p in outline) == pytest.approx(WIDTH)
    assert outline[0].y == outline[1].y == -WIDTH / 2 and outline[0].x < 0 < outline[1].x


@pytest.mark.parametrize(
    "split", [["N", "E", "S", "W"], ["NE", "SW"], ["WN", "E", "S"], ["NS", "E", "W"], ["SWN", "E"]]
)
@given(x=st.floats(-29, 29), y=st.floats(-29, 29))
def test_the_areas_of_a_space_share_it_out(split: list[str], x: float, y: float) -> None:
    point = Point(x + 0.001, y + 0.0007)  # off the cuts, where either area may have a point
    if contains(octagon_outline(WIDTH), point) and abs(abs(point.x) - abs(point.y)) > 1e-6:
        assert len(owners(split, point)) == 1


@pytest.mark.parametrize(
    ("sides", "inside", "outside"),
    [
        ("N", Point(0, -20), Point(20, -19)),
        ("WN", Point(-18, -18), Point(18, 18)),
        ("SWN", Point(-5, 25), Point(20, 0)),
        ("NS", Point(3, 25), Point(25, 3)),
    ],
)
def test_a_wedge_reaches_to_its_sides_and_no_further(sides: str, inside: Point, outside: Point) -> None:
    outlines = area_outlines(area(sides), WIDTH)
    assert any(contains(outline, inside) for outline in outlines)
    assert not any(contains(outline, outside) for outline in outlines)


def test_each_side_takes_a_quarter_of_the_octagon() -> None:
    whole = size(octagon_outline(WIDTH))
    for sides, share in [("N", 0.25), ("ES", 0.5), ("SWN", 0.75), ("NESW", 1.0), ("NS", 0.5)]:
        assert sum(map(size, area_outlines(area(sides), WIDTH))) == pytest.approx(share * whole)


def test_an_area_with_its_own_outline_has_that() -> None:
    outline = (Point(0, 0), Point(9, 0), Point(0, 9))
    assert area_outlines(area("N", outline), WIDTH) == (outline,)


def test_neighbouring_sides_run_together_over_north() -> None:
    assert side_runs([Side.N, Side.W]) == [[Side.W, Side.N]]
    assert side_runs([Side.S, Side.N]) == [[Side.N], [Side.S]]
    assert side_runs([Side.N, Side.S, Side.W]) == [[Side.S, Side.W, Side.N]]


def test_a_turned_piece_turns_its_outlines_about_the_middle_of_the_octagon() -> None:
    assert turned(Point(1, 2), 180) == Point(-1, -2)
    assert turned(Point(0, -1), 90) == Point(1, 0)
    assert moved([Point(1, 2)], Point(10, 20), 180) == (Point(9, 18),)


def test_the_middle_of_a_three_quarter_wedge_lies_in_it() -> None:
    (outline,) = area_outlines(area("SWN"), WIDTH)
    assert contains(outline, middle_of(outline)) and middle_of(outline).x < 0


def test_distance_outside() -> None:
    outline = octagon_outline(WIDTH)
    assert distance_to(outline, Point(0, 0)) == 0
    assert distance_to(outline, Point(33, 0)) == pytest.approx(3)


def test_the_middle_of_a_cell() -> None:
    geometry = Geometry(500, 400, Point(10, 20), 50, 28, 70, 20, 60)
    assert cell_middle(geometry, 1, 2) == Point(85, 145)
