"""The map keeps the board's arrangement: octagons touch, areas fill them, it turns as a whole."""

from __future__ import annotations

import pytest

from companion.table.castelli.boardmap import contains, size
from companion.table.castelli.rulebook import Board, Kind, Point, Side
from companion.web.castelli.mapping import PITCH, TILE, BoardMap
from tests.scoring.sets import laid_out, made_set

BOARDS = [laid_out(made_set(seed), players, seed) for seed in (1, 2) for players in (2, 4)]


@pytest.fixture(params=BOARDS, ids=["two", "four", "two again", "four again"])
def board(request: pytest.FixtureRequest) -> Board:
    made: Board = request.param
    return made


def close(one: Point, other: Point) -> bool:
    return abs(one.x - other.x) < 0.2 and abs(one.y - other.y) < 0.2


def test_an_octagon_leaves_the_tile_beside_it_its_room(board: Board) -> None:
    drawn = BoardMap(board)
    for cell in board.spaces:
        spot, corners = drawn.spot(cell), drawn.octagon(cell)
        straight = [point for point in corners if abs(abs(point.x - spot.x) - TILE / 2) < 0.1]
        assert len(straight) == 4
        assert all(abs(abs(point.y - spot.y) - (PITCH - TILE / 2)) < 0.1 for point in straight)


def test_the_areas_of_an_octagon_fill_it(board: Board) -> None:
    drawn = BoardMap(board)
    for cell, space in board.spaces.items():
        parts = sum(size(outline) for area in space.areas for outline in drawn.area(area))
        assert parts == pytest.approx(size(drawn.octagon(cell)), rel=0.001)


@pytest.mark.parametrize("near", list(Side))
def test_my_side_is_at_the_bottom(board: Board, near: Side) -> None:
    drawn = BoardMap(board, near)
    spots = {cell: drawn.spot(cell) for cell in (*board.slots, *board.spaces)}
    for cell, spot in spots.items():
        outward = drawn.beside(cell, near, 10)
        assert close(outward, Point(spot.x, spot.y + 10))
    left, top, width, height = drawn.frame
    assert all(left < spot.x < left + width and top < spot.y < top + height for spot in spots.values())


@pytest.mark.parametrize("near", list(Side))
def test_labels_stand_in_their_area_and_clear_of_castles(board: Board, near: Side) -> None:
    drawn = BoardMap(board, near)
    for area in board.areas.values():
        if area.kind is Kind.MINE:
            continue
        outlines = drawn.area(area)
        for castles in ((), area.sites):
            labels = drawn.labels(area, castles)
            for label in (labels.symbols, labels.badge):
                assert any(contains(outline, label) for outline in outlines), area.id


def test_a_turned_map_turns_every_point_alike(board: Board) -> None:
    straight, turned = BoardMap(board), BoardMap(board, Side.N)
    for area in board.areas.values():
        for one, other in zip(straight.area(area), turned.area(area), strict=True):
            assert all(close(a, Point(-b.x, -b.y)) for a, b in zip(one, other, strict=True))
