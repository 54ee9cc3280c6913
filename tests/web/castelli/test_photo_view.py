"""The reading lies on the photo where the things are."""

from __future__ import annotations

from typing import Any

import pytest

from companion.table.castelli.outlines import outlines_in
from companion.table.castelli.rulebook import Board, FaceUp, Side
from companion.web.castelli.perspective import Perspective, in_order, middle
from companion.web.castelli.photo_view import PhotoView, photo_view
from companion.web.castelli.tinctures import palette
from tests.scoring.sets import COLOURS, laid_out, made_set
from tests.web.castelli.speaking import speaking

CORNERS = [[300.0, 200.0], [1500.0, 260.0], [1800.0, 1100.0], [100.0, 1000.0]]
TURNED = [CORNERS[2], CORNERS[3], CORNERS[0], CORNERS[1]]
"""The same photo from the other side of the table."""


def test_corners_go_to_corners_and_diagonals_cross_in_the_middle() -> None:
    view = Perspective.of(CORNERS)
    assert [view.at(*place) for place in ((0, 0), (1, 0), (1, 1), (0, 1))] == [
        tuple(spot) for spot in CORNERS
    ]
    x, y = view.at(0.5, 0.5)
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = CORNERS
    assert (x - ax) * (cy - ay) - (y - ay) * (cx - ax) == pytest.approx(0, abs=200)
    assert (x - bx) * (dy - by) - (y - by) * (dx - bx) == pytest.approx(0, abs=200)


def test_corners_in_a_line_are_refused() -> None:
    with pytest.raises(ValueError, match="line"):
        Perspective.of([[0, 0], [1, 1], [2, 2], [3, 3]])


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("backwards", [False, True])
def test_an_outline_is_put_in_the_order_of_the_board(start: int, backwards: bool) -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    seen = [(x + 1, y - 1) for x, y in square]
    seen = seen[start:] + seen[:start]
    if backwards:
        seen.reverse()
    assert in_order(tuple(seen), square)[0] == (1.0, -1.0)


def record(board: Board, corners: list[list[float]], tile: str, doubtful: bool = False) -> dict[str, Any]:
    cell, site, space = board.slots[3], next(iter(board.sites)), next(iter(board.spaces))
    made: dict[str, Any] = {
        "photo": {"name": "x", "width": 2000, "height": 1200},
        "board": {"corners": corners, "error_px": 0.5},
        "assembly": "full",
        "tiles": {
            cell: {"state": "up", "tile": tile, "turns": 1, "doubtful": doubtful},
            board.slots[4]: {"state": "none", "doubtful": False},
            board.slots[5]: {"state": "down", "doubtful": False},
        },
        "castles": {site: {"stack": ["red", "blue"], "doubtful": False}},
        "towns": {space: {"kind": "city", "doubtful": doubtful}},
    }
    made["outlines"] = outlines_in(made, board)
    return made


def drawn(made: dict[str, Any], board: Board) -> PhotoView:
    with speaking():
        view = photo_view(made, board, palette(COLOURS))
    assert view is not None
    return view


@pytest.mark.parametrize("corners", [CORNERS, TURNED], ids=["my seat", "the other seat"])
def test_each_value_lies_towards_its_side(corners: list[list[float]]) -> None:
    board = laid_out(made_set(1), 4)
    tile = next(iter(board.set.tiles.values()))
    view = drawn(record(board, corners, tile.id), board)
    mark = next(mark for mark in view.marks if mark.sides)
    full = Perspective.of(corners)
    north_of_board = full.at(0.5, 0.0)[1] < full.at(0.5, 1.0)[1]
    assert [side.tincture.colour for side in mark.sides] == [
        tile.facing(side, FaceUp(tile.id, 1).turns).colour for side in Side
    ]
    north, _, south, _ = (side.at[1] for side in mark.sides)
    assert (north < south) == north_of_board


def test_what_is_there_is_drawn_and_what_is_not_there_is_not() -> None:
    board = laid_out(made_set(1), 4)
    view = drawn(record(board, CORNERS, next(iter(board.set.tiles))), board)
    assert [mark.kind for mark in view.marks] == ["slot", "slot", "site", "space"]
    assert view.doubts == 0
    castle = view.marks[2]
    assert [tincture.colour for tincture in castle.stack] == ["red", "blue"]


def test_doubts_are_counted_and_said() -> None:
    board = laid_out(made_set(1), 4)
    view = drawn(record(board, CORNERS, next(iter(board.set.tiles)), doubtful=True), board)
    assert view.doubts == 2
    assert all("not sure" in mark.label for mark in view.marks if mark.doubtful)


def test_without_outlines_the_corners_have_to_do() -> None:
    board = laid_out(made_set(1), 4)
    made = record(board, CORNERS, next(iter(board.set.tiles)))
    near = drawn(made, board)
    made["outlines"] = {}
    guessed = drawn(made, board)
    for one, other in zip(near.marks, guessed.marks, strict=True):
        assert middle([one.at, other.at]) == pytest.approx(one.at, abs=25)


def test_a_tile_of_no_catalogue_and_a_photo_without_a_board() -> None:
    board = laid_out(made_set(1), 4)
    view = drawn(record(board, CORNERS, "X9"), board)
    assert view.marks[0].sides == ()
    with speaking():
        assert photo_view({"photo": {}, "error": "no board"}, board, palette(COLOURS)) is None
