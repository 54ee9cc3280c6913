"""The drawn board shows the position: every mark, every value facing its side, every lead."""

from __future__ import annotations

import re
import xml.etree.ElementTree as xml

import pytest
from flask import render_template_string

from companion.table.castelli.rulebook import FaceUp, Position, Side, changed
from companion.web.castelli.board_marks import BoardView
from companion.web.castelli.board_view import VALUE_REACH, board_view
from companion.web.castelli.tinctures import palette
from tests.scoring.boards import toy
from tests.scoring.sets import COLOURS
from tests.web.castelli.speaking import speaking

PALETTE = palette(COLOURS)
PAGE = """{% from "castelli/_map.html" import board_map %}<body>{% include "castelli/heraldry.html" %}
{{ board_map(view, links, label="The board") }}</body>"""


def view_of(position: Position, near: Side = Side.S, lit: tuple[str, ...] = ()) -> BoardView:
    with speaking():
        return board_view(position, PALETTE, near, lit)


def drawn(position: Position, near: Side = Side.S, linked: bool = True) -> xml.Element:
    with speaking():
        view = board_view(position, PALETTE, near)
        links = (lambda kind, where: f"/{kind}/{where}") if linked else None
        return xml.fromstring(render_template_string(PAGE, view=view, palette=PALETTE, links=links))


@pytest.mark.parametrize("near", list(Side))
def test_everything_on_the_board_can_be_opened(near: Side) -> None:
    position = toy(castles={"B1/0/0": ("red",), "C2/0/0": ("blue", "green")})
    hrefs = {element.get("href") for element in drawn(position, near).iter("a")}
    board = position.board
    wanted = {f"/area/{area}" for area in board.areas} | {f"/slot/{cell}" for cell in board.slots}
    wanted |= {f"/site/{site}" for site in position.castles} | {f"/space/{cell}" for cell in position.towns}
    assert hrefs == wanted


def test_every_link_says_what_it_is_and_hides_its_drawing() -> None:
    for link in drawn(toy()).iter("a"):
        assert link.get("aria-label")
        assert [child.get("aria-hidden") for child in link] == ["true"]


def test_a_map_without_links_still_names_its_marks() -> None:
    page = drawn(toy(), linked=False)
    assert not list(page.iter("a"))
    assert {mark.get("data-slot") for mark in page.iter("g")} >= set(toy().board.slots)


def test_nothing_is_styled_or_scripted_in_the_page() -> None:
    for element in drawn(toy(castles={"B1/0/0": ("red",)})).iter():
        assert element.tag not in ("style", "script")
        assert not [name for name in element.attrib if name == "style" or name.startswith("on")]


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("near", list(Side))
def test_each_coat_faces_the_side_it_counts_for_with_its_value_upright(turns: int, near: Side) -> None:
    position = toy()
    position = changed(position, tiles={**position.tiles, "C1": FaceUp("T1", turns)})
    tile = position.board.set.tiles["T1"]
    mark = next(mark for mark in view_of(position, near).tiles if mark.cell == "C1")
    coats = {Side.S: 0, Side.W: 90, Side.N: 180, Side.E: 270}
    values = {Side.S: (0, 1), Side.W: (-1, 0), Side.N: (0, -1), Side.E: (1, 0)}
    for side in Side:
        on_screen = side.turned(Side.S - near)
        arms = next(arms for arms in mark.arms if arms.side is on_screen)
        assert arms.degrees == coats[on_screen]
        right, down = values[on_screen]
        assert (arms.at.x, arms.at.y) == (right * VALUE_REACH, down * VALUE_REACH)
        facing = tile.facing(side, turns)
        assert (arms.tincture.colour, arms.value) == (facing.colour, str(facing.value))


def test_an_area_is_hatched_by_its_leader_with_the_margin() -> None:
    areas = {area.id: area for area in view_of(toy()).areas}
    # B1/0 lies between r2 of A1 and the edge; C2/1 between b1 of D2 and the tile on C3, still face down
    red, blue = PALETTE["red"].number, PALETTE["blue"].number
    rocks, grain = areas["B1/0"], areas["C2/1"]
    assert rocks.badge is not None and grain.badge is not None
    assert (rocks.fill, rocks.badge.text, rocks.state) == (f"held-{red}", "2", "evaluated")
    assert (grain.fill, grain.badge.text, grain.state) == (f"wash-{blue}", "1", "pending")


def test_a_tie_shows_all_who_tie() -> None:
    # D1/0 lies between y3 of C1, r2 of E1 and g1 of D2; with E1 turned it has y3 against r2, b2 or g2
    position = toy()
    level = FaceUp("T1", 1)  # its west side shows green 4, its north side yellow
    position = changed(position, tiles={**position.tiles, "C1": level, "E1": FaceUp("T1", 0)})
    view = view_of(position)
    tied = [area for area in view.areas if area.badge and area.badge.text == "="]
    for area in tied:
        assert area.badge and len(area.badge.leaders) > 1
        assert area.fill in dict(view.ties)
    assert {name for name, _ in view.ties} == {area.fill for area in tied}


def test_what_is_lit_is_marked_and_the_rest_steps_back() -> None:
    position = toy(castles={"B1/0/0": ("red",), "C2/0/0": ("blue",)})
    view = view_of(position, lit=("B1/0/0", "D1"))
    assert view.is_lit and not view_of(position).is_lit
    assert [castle.site for castle in view.castles if castle.lit] == ["B1/0/0"]
    assert [town.cell for town in view.towns if town.lit] == ["D1"]


def test_a_tile_that_the_set_does_not_have_is_shown_by_its_name() -> None:
    position = changed(toy(), tiles={**toy().tiles, "C1": FaceUp("X9", 0)})
    mark = next(mark for mark in view_of(position).tiles if mark.cell == "C1")
    assert (mark.state, mark.tile) == ("unknown", "X9")


def test_stacks_show_who_is_below_and_who_is_on_top() -> None:
    view = view_of(toy(castles={"C2/0/0": ("blue", "green")}))
    assert [tincture.colour for tincture in view.castles[0].stack] == ["blue", "green"]
    assert "Green" in view.castles[0].label and "Blue" in view.castles[0].label


def test_paths_are_closed_outlines() -> None:
    for area in view_of(toy()).areas:
        assert re.fullmatch(r"(M-?[\d.]+ -?[\d.]+l(-?[\d.]+(e-\d+)? ?)+z)+", area.path), area.path
