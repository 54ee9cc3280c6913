"""Laying out pieces: turns, borders, the rim, two players, tournament, other editions."""

from __future__ import annotations

import pytest

from companion.scoring.castelli import (
    Assembly,
    FaceUp,
    Gift,
    Kind,
    Placed,
    Side,
    assemble,
    assembly_problems,
    changed,
)
from companion.scoring.castelli.board import cell_name, cell_place
from companion.scoring.castelli.components import Area, GameSet, Piece, Space, Tile, Town
from companion.scoring.castelli.drawing import draw, parse
from companion.scoring.castelli.position import new_game
from tests.scoring.boards import TOY, plain_tile
from tests.scoring.sets import COLOURS, laid_out, made_set
from tests.scoring.table import Table

PIECE = """
+-----------+-----------+
|           |   0r2.1   |
|    ##     | 0r2 v 1w1 |
|           |    1w1    |
|           |           |
+-----------+-----------+
|    0m1    |           |
| 0m1 . 0m1 |    ##     |
|    0m1    |           |
|           |           |
+-----------+-----------+
"""


def two_by_two(frame: dict[tuple[str, Side], Gift] | None = None) -> GameSet:
    """A tiny edition: four pieces of 2 x 2 cells, one with the mine."""
    drawn = parse(PIECE, COLOURS, spare_tiles=(plain_tile("T", "r1", "b1", "g1", "y1"),)).board.set
    plain = drawn.pieces["drawn"]
    mine = Piece("M", {**plain.spaces, "A2": Space((Area(Kind.MINE, tuple(Side), 0),))})
    pieces = {"M": mine, **{name: Piece(name, plain.spaces) for name in ("P", "Q", "R")}}
    return GameSet("tiny", drawn.geometry, pieces, frame or {}, drawn.tiles, {}, (), 2, 2)


def four(turned: int = 0) -> Assembly:
    return Assembly.of({q: Placed(p, turned) for q, p in zip(("NW", "NE", "SW", "SE"), "MPQR", strict=True)})


def test_areas_keep_their_number_and_turn_with_the_piece() -> None:
    board = assemble(two_by_two(), four())
    assert board.areas["B1/0"].sides == (Side.N, Side.W)
    assert board.areas["B1/0"].borders == (("A1", Side.E),)
    assert board.areas["B1/0"].neutral == (Side.N,)
    assert board.areas["B1/1"].borders == (("C1", Side.W), ("B2", Side.N))
    turned = assemble(two_by_two(), four(180))
    # the octagon B1 of the piece now lies on A2, and its north and west look south and east
    assert turned.areas["A2/0"].sides == (Side.S, Side.E)
    assert turned.areas["A2/0"].borders == (("A3", Side.N), ("B2", Side.W))
    assert turned.spaces["A2"].printed is Town.VILLAGE


def test_lines_are_the_row_and_the_column() -> None:
    board = assemble(two_by_two(), four())
    assert board.spaces["B1"].lines == ("D1", "B3")
    assert board.mines[0].id == "A2/0"
    assert "B1/0/0" in board.sites and "B1/1/0" in board.sites and "A4/0/0" not in board.sites


def test_gifts_stand_beside_tiles_at_the_rim_only() -> None:
    frame = {
        ("A1", Side.N): Gift.WOOD,
        ("B1", Side.N): Gift.NEUTRAL,
        ("D2", Side.E): Gift.CARD,
        ("B2", Side.E): Gift.GRAIN,
    }
    board = assemble(two_by_two(frame), four())
    assert {rim.id: rim.gift for rim in board.rims.values()} == {"A1/N": Gift.WOOD, "D2/E": Gift.CARD}


def test_with_two_players_the_charts_bring_their_print_along() -> None:
    frame = {("D2", Side.E): Gift.CARD, ("D4", Side.E): Gift.SILVER, ("A1", Side.W): Gift.WOOD}
    column = Assembly.column(Placed("M"), Placed("P", 180))
    board = assemble(two_by_two(frame), column)
    assert board.slots == ("A1", "B2", "A3", "B4")
    assert {rim.id: rim.gift for rim in board.rims.values()} == {
        "A1/W": Gift.WOOD,
        "B2/E": Gift.CARD,
        "B4/E": Gift.SILVER,
    }
    # a set that knows what stands there says so itself
    named = assemble(two_by_two({**frame, ("B2", Side.E): Gift.ROCKS}), column)
    assert named.rims["B2/E"].gift is Gift.ROCKS


def test_any_checkerboard_plays_to_the_end() -> None:
    game_set = made_set(3, columns=6, rows=2)
    board = laid_out(game_set, 3)
    assert (board.columns, board.rows, len(board.slots)) == (12, 4, 24)
    game = Table(board, COLOURS[:3], 5).whole_game()
    assert game.position.finished


@pytest.mark.parametrize(
    ("assembly", "says"),
    [
        (Assembly.of({}), "names no board piece"),
        (Assembly.of({"NW": Placed("X")}), "no board piece “X”"),
        (Assembly.of({"NW": Placed("M", 90)}), "0 or 180"),
        (Assembly.of({"NW": Placed("M"), "NE": Placed("M")}), "2 places"),
        (Assembly.of({"NW": Placed("M")}, "A1"), "spare mine"),
    ],
)
def test_problems_of_an_arrangement(assembly: Assembly, says: str) -> None:
    assert says in " ".join(assembly_problems(two_by_two(), assembly))
    with pytest.raises(ValueError, match=r"\w"):
        assemble(two_by_two(), assembly)


def test_cells_beyond_z() -> None:
    assert [cell_name(column, 0) for column in (0, 25, 26, 701)] == ["A1", "Z1", "AA1", "ZZ1"]
    assert cell_place("AB12") == (27, 11)
    for bad in ("", "1", "A", "a1", "A0", "A1B"):
        with pytest.raises(ValueError, match="is no cell"):
            cell_place(bad)


def test_boards_are_equal_where_set_and_assembly_are() -> None:
    assert assemble(made_set(1), four_of(1)) == assemble(made_set(1), four_of(1))
    assert assemble(made_set(1), four_of(1)) != assemble(made_set(1), four_of(2))


def four_of(first: int) -> Assembly:
    names = [f"P{(first + n) % 4 + 1}" for n in range(4)]
    return Assembly.of({q: Placed(p) for q, p in zip(("NW", "NE", "SW", "SE"), names, strict=True)})


def test_a_drawing_is_read_and_drawn_again() -> None:
    once = draw(parse(TOY, COLOURS))
    assert draw(parse(once, COLOURS)) == once
    castles = {"B1/0/0": ("red", "blue"), "C2/1/0": ("green",)}
    built = draw(changed(parse(TOY, COLOURS), castles=castles))
    assert "0/0=r+b" in built
    assert parse(built, COLOURS).castles == castles
    assert draw(parse(built, COLOURS)) == built


def test_a_drawing_shows_tiles_as_they_lie() -> None:
    position = new_game(assemble(two_by_two(), four()), ("red", "blue"))
    tile: Tile = plain_tile("T", "r1", "b1", "g1", "y1")
    assert position.board.set.tiles["T"] == tile
    turned = draw(changed(position, tiles={**position.tiles, "A1": FaceUp("T", 1)})).splitlines()
    assert [line[1:14].strip(" |") for line in turned[1:4]] == ["y1", "g1 $0 r1", "b1"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("g2", "x2", "letter of a colour"),
        ("0r2.2 v", "0r2.2 q", "must be v, c"),
        ("0r2.2", "0q2.2", "number, kind and symbols"),
        ("|    g2     |", "|           |", "a word at each side"),
    ],
)
def test_a_bad_drawing_says_where(old: str, new: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        parse(TOY.replace(old, new, 1), COLOURS)
