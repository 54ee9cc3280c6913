"""A set file: what is read, and that everything wrong with it is reported, with its place."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.scoring.castelli.components import CARD, Arms, Gift, Kind, Point, Side, Town
from companion.table.bundled import bundled
from companion.table.castelli.setfile import load_set, read_set
from companion.table.jsondoor import BadFile

ROOT = Path(__file__).resolve().parent.parent.parent
REFERENCE: dict[str, Any] = json.loads(bundled("set.json").read_text(encoding="utf-8"))

Set = dict[str, Any]


def changed(change: Callable[[Set], object]) -> bytes:
    made = copy.deepcopy(REFERENCE)
    change(made)
    return json.dumps(made).encode()


def problems(content: bytes) -> list[str]:
    try:
        read_set(content, "set.json")
    except BadFile as bad:
        return [str(problem) for problem in bad.problems]
    return []


def space(made: Set, cell: str, piece: str = "P1") -> Any:
    return made["pieces"][piece]["spaces"][cell]


def area(made: Set, cell: str, index: int, piece: str = "P1") -> Any:
    return space(made, cell, piece)["areas"][index]


def test_the_reference_set_obeys_the_counts_of_the_rulebook() -> None:
    game_set = load_set(bundled("set.json"))
    spaces = [space for piece in game_set.pieces.values() for space in piece.spaces.values()]
    assert len(game_set.pieces) == 4 and len(spaces) == 32
    assert Counter(space.printed for space in spaces) == {None: 15, Town.VILLAGE: 11, Town.CITY: 6}
    assert sum(area.kind is Kind.MINE for space in spaces for area in space.areas) == 1
    assert Counter(tile.start for tile in game_set.tiles.values()) == {False: 32, True: 4}
    assert len(game_set.frame) == 32 and len(game_set.track) == 70
    assert {len(scale) for scale in game_set.chart.values()} == {6}
    assert len(game_set.colours) == 4


def test_the_reference_set_favours_no_colour() -> None:
    game_set = load_set(bundled("set.json"))
    worth: Counter[str] = Counter()
    for tile in game_set.tiles.values():
        for arms in tile.sides:
            worth[arms.colour] += arms.points
    assert len(set(worth.values())) == 1


def test_the_reference_set_is_what_its_script_makes(tmp_path: Path) -> None:
    made = tmp_path / "set.json"
    subprocess.run([sys.executable, "tools/make_reference_set.py", str(made)], cwd=ROOT, check=True)
    assert made.read_bytes() == bundled("set.json").read_bytes()


def test_a_set_becomes_the_values_of_the_rules() -> None:
    game_set = load_set(bundled("set.json"))
    rocks = game_set.pieces["P1"].spaces["D1"].areas[2]
    assert (rocks.kind, rocks.sides, rocks.symbols) == (Kind.ROCKS, (Side.S,), 2)
    assert rocks.sites == (Point(0.0, 21.47),) and rocks.polygon is None
    assert game_set.pieces["P4"].spaces["C2"].areas[0].polygon is not None
    assert game_set.pieces["P1"].spaces["B3"].areas[0].sides == (Side.N, Side.S)
    assert game_set.frame["A1", Side.N] is Gift.GRAIN and game_set.frame["B1", Side.N] is Gift.NEUTRAL
    assert Arms("yellow", CARD) in game_set.tiles["T05"].sides
    assert game_set.columns == game_set.rows == 4


GONE = object()
B1 = "pieces P1 spaces B1"
MINE = REFERENCE["pieces"]["P3"]["spaces"]["C2"]
PLAIN = REFERENCE["pieces"]["P1"]["spaces"]["B1"]


def put(made: Set, path: str, value: Any) -> None:
    """Sets, adds or removes what stands at a path such as `tiles 5 id`."""
    *way, last = [int(step) if step.isdigit() else step for step in path.split()]
    inner: Any = made
    for step in way:
        inner = inner[step]
    if value is GONE:
        inner.pop(last)
    else:
        inner[last] = value


@pytest.mark.parametrize(
    ("path", "value", "where", "what"),
    [
        # the board
        ("pieces P4", GONE, "pieces", "the board has 4 pieces, not 3."),
        ("pieces P3 spaces C2", PLAIN, "pieces", "one silver mine, this one has none"),
        (B1, MINE, "pieces", "one silver mine, this one has 2 (pieces.P1.spaces.B1, pieces.P3.spaces.C2)"),
        (f"{B1} printed", "village", "pieces", "11 villages are printed on the board, not 12."),
        ("pieces P1 spaces C2 printed", None, "pieces", "6 cities are printed on the board, not 5."),
        (B1, GONE, "pieces.P1.spaces.B1", "this landscape space is missing."),
        ("pieces P1 spaces A1", PLAIN, "pieces.P1.spaces.A1", "this cell of the checkerboard is a meadow"),
        ("pieces P1 spaces F1", PLAIN, "pieces.P1.spaces.F1", "this cell lies outside the piece"),
        ("pieces P1 spaces 3B!", PLAIN, 'pieces.P1.spaces["3B!"]', "this is not a cell"),
        # areas
        (f"{B1} areas 1 sides", "SX", "areas[1].sides", "should be some of the sides N, E, S, W"),
        (f"{B1} areas 1 sides", "", "areas[1].sides", "should be some of the sides N, E, S, W"),
        (f"{B1} areas 1 sides", "SWS", "areas[1].sides", "should be some of the sides N, E, S, W"),
        (f"{B1} areas 1 sides", "ESW", "areas[1].sides", "side E is also a side of areas[0]"),
        (f"{B1} areas 0 sides", "N", "pieces.P1.spaces.B1.areas", "side E belongs to no area"),
        (f"{B1} open", "E", "pieces.P1.spaces.B1.open", "side E is open here and yet"),
        (f"{B1} areas 0 symbols", 0, "areas[0].symbols", "a wood area shows at least one"),
        ("pieces P3 spaces C2 areas 0 symbols", 1, "C2.areas[0].symbols", "the mine pays silver at the end"),
        (f"{B1} areas 0 kind", "mine", "areas[0].kind", "the mine has a landscape space to itself"),
        (f"{B1} areas 0 kind", "gold", "areas[0].kind", "should be 'wood'"),
        (f"{B1} areas 0 sites", [[9, -9]], "areas[0].sites", "castle sites are printed in rocks areas only"),
        (f"{B1} areas 1 sites", GONE, "areas[1].sites", "a rocks area has at least one castle site"),
        (f"{B1} areas 1 sites", [[-9, 9]] * 3, "areas[1].sites", "a rocks area has at most 2 castle sites"),
        (f"{B1} areas 1 sites 1", [9, -9], "areas[1].sites[1]", "(9, -9) lies in another area"),
        (f"{B1} areas 1 sites 0", [-40, 0], "areas[1].sites[0]", "(-40, 0) lies outside the octagon."),
        (f"{B1} areas 0 polygon", [[0, 0], [9, 0], [90, 9]], "areas[0].polygon[2]", "outside the octagon"),
        (f"{B1} areas 0 polygon", [[0, 0], [9, 0], [5, 0]], "areas[0].polygon", "these points lie on a line"),
        (f"{B1} areas 0 polygon", [[0, 0], [9, 0]], "areas[0].polygon", "at least 3 items"),
        # the frame
        ("frame A1/N", "neutral", 'frame["A1/N"]', "a gift stands beside a tile"),
        ("frame A1/N", "gold", 'frame["A1/N"]', "should be 'wood'"),
        ("frame B1/N", "card", 'frame["B1/N"]', "neutral arms stand beside a landscape space"),
        ("frame C3/E", "card", 'frame["C3/E"]', "this is no side on the rim"),
        ("frame H8/E", GONE, 'frame["H8/E"]', "this side of the rim is missing."),
        # the tiles
        ("tiles 35", GONE, "tiles", "a set has 4 start tiles (S1, S2 ...), this one has 3."),
        ("tiles 0", GONE, "tiles", "a set has 32 heraldic tiles, this one has 31."),
        ("tiles 5 id", "T01", "tiles[5].id", "T01 is already the name of tiles[0]."),
        ("tiles 5 silver", 3, "tiles[5].silver", "should be less than or equal to 2, not 3."),
        ("tiles 5 sides 0", ["red", 7], "tiles[5].sides[0]", "a side should be a colour and its value"),
        ("tiles 5 sides 0", ["red", "joker"], "tiles[5].sides[0]", "a side should be a colour and its value"),
        ("tiles 5 sides 0", ["red", True], "tiles[5].sides[0]", "a side should be a colour and its value"),
        ("tiles 5 sides 0", [3, "red"], "tiles[5].sides[0]", "a side should be a colour and its value"),
        ("tiles 5 sides 0", ["red", 2.5], "tiles[5].sides[0]", "a side should be a colour and its value"),
        ("tiles 5 sides 0", ["red"], "tiles[5].sides[0]", "a side should be a colour and its value"),
        ("tiles 5 sides", [["red", 1]] * 4, "tiles[5].sides", "red stands on tile T06 more than once."),
        ("tiles 5 sides 0", ["mauve", 1], "tiles[5].sides", "mauve is not a colour of the other tiles"),
        ("tiles 5 sides 3", GONE, "tiles[5].sides", "at least 4 items"),
        # where things lie
        ("track 69", GONE, "track", "the point track has 70 spaces (0-69), not 69."),
        ("track 3", [-1, 5], "track[3]", "(-1, 5) lies outside the board."),
        ("chart wood 5", GONE, "chart.wood", "at least 6 items"),
        ("chart rocks", GONE, "chart.rocks", "this is missing."),
        ("chart grain 5", [9000, 5], "chart.grain[5]", "(9000, 5) lies outside the board."),
        ("geometry octagon", 99, "geometry.octagon", "octagons reach over their cell"),
        ("geometry octagon", 40, "geometry.octagon", "octagons reach over their cell"),
        ("geometry width", 300, "geometry.width", "8 cells of 46 mm"),
        ("geometry pitch", -1, "geometry.pitch", "should be greater than 0, not -1."),
        ("geometry tile", 50, "geometry.tile", "a tile of 50 mm does not fit"),
        ("geometry width", "wide", "geometry.width", 'should be a valid number, not "wide".'),
        ("geometry width", True, "geometry.width", "should be a valid number, not true."),
        ("unit", "inch", "unit", "lengths of a set are in millimetres"),
        # whole sections
        *[(key, GONE, key, "this is missing.") for key in REFERENCE if key != "unit"],
        ("pieces", [], "pieces", "this should be an object"),
        ("tiles", {}, "tiles", "this should be a list"),
        ("tiles", [], "tiles", "this is empty."),
        ("pieces P1", 5, "pieces.P1", "a piece is an object"),
        ("pieces P1", {}, "pieces.P1.spaces", "this is missing."),
        (B1, None, "pieces.P1.spaces.B1", "should be"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(path: str, value: Any, where: str, what: str) -> None:
    found = problems(changed(lambda made: put(made, path, value)))
    assert any(problem.partition(": ")[0].endswith(where) and what in problem for problem in found), found


def test_every_problem_is_reported_at_once() -> None:
    def spoil(made: Set) -> None:
        area(made, "B1", 0)["sides"] = "Q"  # a wrong shape hides no wrong meaning elsewhere
        area(made, "A2", 0)["symbols"] = 0
        made["frame"]["A1/N"] = "neutral"
        made["tiles"].pop(0)
        made["track"].pop()
        made["geometry"]["tile"] = "x"

    places = [problem.split(":")[0] for problem in problems(changed(spoil))]
    assert sorted(places) == sorted([
        "geometry.tile",
        "pieces.P1.spaces.B1.areas[0].sides",
        "pieces.P1.spaces.A2.areas[0].symbols",
        'frame["A1/N"]',
        "tiles",
        "track",
    ])  # fmt: skip


def test_a_key_given_twice_and_nan_are_reported_beside_the_rest() -> None:
    text = changed(lambda s: s["track"].pop()).decode()
    text = text.replace('"unit": "mm"', '"unit": "mm", "unit": "mm"').replace('"tile": 26.0', '"tile": NaN')
    assert [problem.split(":")[0] for problem in problems(text.encode())] == [
        "unit", "geometry.tile", "geometry.tile", "track",
    ]  # fmt: skip


def test_unknown_keys_do_no_harm_and_are_named() -> None:
    def extend(made: Set) -> None:
        made["art"] = "by hand"
        made["pieces"]["P1"]["note"] = 1
        area(made, "B1", 0)["poligon"] = []
        made["tiles"][0]["colour"] = 1

    reading = read_set(changed(extend), "set.json")
    assert [remark.where for remark in reading.remarks] == [
        "art", "pieces.P1.note", "pieces.P1.spaces.B1.areas[0].poligon", "tiles[0].colour",
    ]  # fmt: skip


def test_a_side_may_be_shared_or_open_where_the_file_says_so() -> None:
    assert problems(changed(lambda s: area(s, "B1", 0).update(sides="NES", shared=True))) == []

    def open_side(made: Set) -> None:
        area(made, "B1", 0)["sides"] = "N"
        space(made, "B1")["open"] = "E"

    assert problems(changed(open_side)) == []


def test_a_tile_may_say_that_it_is_a_start_tile() -> None:
    def rename(made: Set) -> None:
        for number, tile in enumerate(made["tiles"][-4:]):
            tile.update(id=f"X{number}", start=True)

    game_set = read_set(changed(rename), "set.json").game_set
    assert [tile.id for tile in game_set.tiles.values() if tile.start] == ["X0", "X1", "X2", "X3"]


def test_print_where_pieces_part_may_be_named_for_games_of_two() -> None:
    assert (
        problems(changed(lambda s: s["frame"].update({"D2/E": "card", "E1/W": "silver", "D1/E": "neutral"})))
        == []
    )


def another_edition(edition: Any) -> bytes:
    """Pieces of 2 x 4 cells, four spaces each, made of the reference set's."""
    made = copy.deepcopy(REFERENCE)
    for piece in made["pieces"].values():
        piece["spaces"] = {cell: piece["spaces"][cell] for cell in ("B1", "A2", "B3", "A4")}
    made["pieces"]["P3"]["spaces"]["B1"] = REFERENCE["pieces"]["P3"]["spaces"]["C2"]
    made["frame"] = {
        **{f"{column}{row}/{side}": gift
           for column in "ABCD" for side, row in (("N", 1), ("S", 8))
           for gift in ["neutral" if (ord(column) + row) % 2 else "card"]},
        **{f"{column}{row}/{side}": gift
           for row in range(1, 9) for side, column in (("W", "A"), ("E", "D"))
           for gift in ["neutral" if (ord(column) + row) % 2 else "silver"]},
    }  # fmt: skip
    made["tiles"] = made["tiles"][:16]
    if edition is not None:
        made["edition"] = edition
    return json.dumps(made).encode()


def test_another_edition_may_have_other_counts_where_it_says_so() -> None:
    assert len(problems(another_edition(None))) > 5
    for edition in [
        "travel",
        {"name": "travel"},
        {"name": "travel", "cells": [2, 4], "tiles": 16, "start_tiles": 0},
    ]:
        game_set = read_set(another_edition(edition), "set.json").game_set
        assert (game_set.columns, game_set.rows, len(game_set.tiles)) == (2, 4, 16)


@pytest.mark.parametrize(
    ("edition", "expected"),
    [
        ({"name": "travel", "villages": 3}, "3 villages are printed on the board, not"),
        ({"name": "travel", "tiles": 17}, "a set has 17 heraldic tiles, this one has 16."),
        ({"name": "travel", "start_tiles": 4}, "a set has 4 start tiles"),
        (
            {"name": "travel", "cells": [3, 4]},
            "edition.cells: pieces of 3 x 4 cells do not make a checkerboard",
        ),
        ({"name": "travel", "cells": [4, 4]}, "pieces.P1.spaces.C2: this landscape space is missing."),
        ({"name": "travel", "colours": ["red", "blue", "green", "black"]}, "yellow is not a colour of"),
        ({"cells": [2, 4]}, "edition.name: this is missing."),
        (7, "edition"),
    ],
)
def test_another_edition_keeps_to_what_it_says(edition: Any, expected: str) -> None:
    found = problems(another_edition(edition))
    assert any(expected in problem for problem in found), found


@pytest.mark.parametrize("content", [b"[]", b"5", b'"set"', b"null"])
def test_a_file_that_holds_something_else(content: bytes) -> None:
    assert problems(content) == ["a set file holds one JSON object, in braces."]


def test_a_set_cut_off_anywhere_gives_a_sentence() -> None:
    whole = json.dumps(REFERENCE).encode()
    for length in range(1, len(whole), 397):
        assert len(problems(whole[:length])) == 1
