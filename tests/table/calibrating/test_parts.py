"""Splits of a space, sites, and spaces of a scale, without any photo."""

from __future__ import annotations

import itertools
import json

import pytest

from companion.table.bundled import bundled
from companion.table.castelli.calibrating.draft import Area, Geometry, Space
from companion.table.castelli.calibrating.scales import moved, placed
from companion.table.castelli.calibrating.splits import (
    SPLITS,
    place_site,
    split_of,
    split_space,
    turned_space,
)

REFERENCE = json.loads(bundled("set.json").read_text())
OCTAGON = 65.0


def geometry() -> Geometry:
    told = dict(REFERENCE["geometry"])
    x, y = told.pop("origin")
    return Geometry(x=x, y=y, **told)


def test_the_splits_are_all_groupings_of_four_sides() -> None:
    found = {frozenset(frozenset(area) for area in split) for split in SPLITS}
    assert len(found) == len(SPLITS) == 15
    assert all(sorted("".join(split)) == sorted("NESW") for split in SPLITS)


def test_borders_at_the_corners_part_the_sides_between_them() -> None:
    for borders in itertools.product((False, True), repeat=4):
        split = split_of(borders)
        assert sorted("".join(split)) == sorted("NESW")
        assert len(split) == (sum(borders) if sum(borders) > 1 else 1)
    assert split_of((True, False, True, False)) == ("ES", "WN")


def test_another_split_keeps_what_was_said_of_the_sides() -> None:
    space = Space(areas=(Area(sides="NE", kind="wood", symbols=2), Area(sides="SW", kind="rocks", symbols=1)))
    space = place_site(space, (-10.0, 10.0), OCTAGON)
    assert space.areas[1].sites == ((-10.0, 10.0),)
    again = split_space(space, ("N", "E", "SW"), OCTAGON)
    assert [area.kind for area in again.areas] == ["wood", "wood", "rocks"]
    assert again.areas[2].sites == ((-10.0, 10.0),)
    assert place_site(again, (-10.5, 10.2), OCTAGON).areas[2].sites == ()


def test_four_quarter_turns_are_none() -> None:
    space = Space(areas=(Area(sides="NES", kind="rocks", sites=((20.0, 3.0),)), Area(sides="W", kind="wood")))
    turned = space
    for _ in range(4):
        turned = turned_space(turned, 1)
    assert turned == space
    assert turned_space(space, 1).areas[0].sites == ((-3.0, 20.0),)


@pytest.mark.parametrize("name", ["wood", "grain", "rocks", "track"])
def test_spaces_lie_between_the_first_and_the_last_as_printed(name: str) -> None:
    printed = REFERENCE["track"] if name == "track" else REFERENCE["chart"][name]
    scale = placed(name, geometry(), {0: tuple(printed[0]), len(printed) - 1: tuple(printed[-1])})
    for found, told in zip(scale.spaces, printed, strict=True):
        assert found == pytest.approx(told, abs=0.2)


def test_a_space_that_is_moved_takes_its_neighbours_along() -> None:
    scale = placed("wood", geometry(), {0: (10.0, 0.0), 5: (10.0, 50.0)})
    bent = moved("wood", geometry(), scale, 2, (10.0, 24.0))
    assert bent.spaces[1] == (10.0, 12.0)
    assert bent.spaces[5] == (10.0, 50.0)
    assert moved("wood", geometry(), bent, 4, (10.0, 44.0)).spaces[3] == (10.0, 34.0)
