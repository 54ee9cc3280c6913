"""Quick score: one photo, what players hold, and the final sheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.scoring.castelli.awards import CardsInHand, OnTheTrack
from companion.scoring.castelli.components import Town
from companion.scoring.castelli.position import FaceUp, Modules, Position, changed
from companion.scoring.castelli.rulings import Rulings
from companion.scoring.castelli.sheet import score_sheet
from companion.table.castelli.quick import Hand, quick_score
from companion.table.castelli.table import Table
from companion.table.errors import BadInput, BoardNotFound, NotAPhoto
from tests.scoring.boards import BATTLE, toy
from tests.table.tabletop import FOUR, Record, doubtful, jpeg_of, open_table, photo_of

HANDS = {
    "red": Hand(cards=2, silver=3),
    "blue": Hand(cards=0, silver=1),
    "green": Hand(cards=1, silver=0),
    "yellow": Hand(cards=4, silver=3),
}


def at_the_end(modules: Modules) -> Position:
    """The drawn board with its last tiles up, castles, markers, and what everybody holds."""
    position = toy(
        modules=modules,
        castles={"B1/0/0": ("red",), "C2/0/0": ("blue", "green") if modules.battle else ("blue",)},
        red={"points": 20, "wood": 2, "cards": 2, "silver": 3, "castles_left": 8},
        blue={"points": 15, "grain": 5, "silver": 1, "castles_left": 8},
        green={"points": 31, "cards": 1, "castles_left": 8 if modules.battle else 9},
        yellow={"points": 3, "rocks": 1, "cards": 4, "silver": 3},
    )
    tiles = {**position.tiles, "C3": FaceUp("T1", 1), "E3": FaceUp("T2", 2)}
    return changed(position, tiles=tiles, mine=22 - 7)


@pytest.mark.parametrize("modules", [Modules(), BATTLE])
def test_the_sheet_is_that_of_the_game_that_was_played(modules: Modules) -> None:
    position = at_the_end(modules)
    quick = quick_score(position.board, photo_of(position), HANDS, modules, Rulings())
    assert quick.sheet.totals == score_sheet(position).totals
    assert quick.sheet.standings == score_sheet(position).standings
    assert quick.questions == () and quick.unread == () and quick.problems == ()
    assert quick.position.castles == position.castles
    kinds = {type(line.reason) for line in quick.sheet.of("red")}
    assert {OnTheTrack, CardsInHand} <= kinds


def test_what_players_say_counts_before_what_markers_say() -> None:
    position = at_the_end(Modules())
    hands = {**HANDS, "red": Hand(cards=2, silver=3, points=74, wood=0)}
    quick = quick_score(position.board, photo_of(position), hands, Modules(), Rulings())
    player = quick.position.player("red")
    assert (player.points, player.wood) == (74, 0)


def test_markers_that_cannot_be_read_are_named() -> None:
    position = at_the_end(Modules())
    photo = photo_of(position)
    photo["track"]["blue"] = None
    photo["doubtful_markers"] = ["wood/red", "track/green"]
    hands = {**HANDS, "green": Hand(cards=1, points=31)}
    quick = quick_score(position.board, photo, hands, Modules(), Rulings())
    assert quick.unread == (("wood", "red"), ("track", "blue"))


def test_doubts_are_asked_and_answered() -> None:
    position = at_the_end(BATTLE)
    photo = photo_of(position)
    photo["castles"]["C2/0/0"] = doubtful(("blue",), 0.6, (("blue", "green"), 0.4))
    quick = quick_score(position.board, photo, HANDS, BATTLE, Rulings())
    assert [question.id for question in quick.questions] == ["castle/C2/0/0"]
    told = quick_score(position.board, photo, HANDS, BATTLE, Rulings(), {"castle/C2/0/0": "blue+green"})
    assert told.questions == () and told.position.castles == position.castles
    assert told.sheet.totals == score_sheet(position).totals


def test_a_city_that_was_burnt_and_a_village_that_was_founded() -> None:
    position = at_the_end(BATTLE)
    towns: dict[str, Town] = {**position.towns, "E2": Town.VILLAGE}
    del towns["D1"]
    position = changed(position, towns=towns)
    quick = quick_score(position.board, photo_of(position), HANDS, BATTLE, Rulings())
    assert quick.position.towns == towns and quick.questions == ()


def test_what_breaks_the_rules_is_told_and_scored_all_the_same() -> None:
    position = at_the_end(Modules())
    hands = {**HANDS, "red": Hand(silver=40)}
    quick = quick_score(position.board, photo_of(position), hands, Modules(), Rulings())
    assert any("silver" in problem.code for problem in quick.problems)
    assert quick.sheet.totals["red"] > 0


def test_a_founded_village_came_from_beside_the_board() -> None:
    position = at_the_end(Modules())
    free = next(cell for cell in position.board.spaces if cell not in position.towns)
    photo = photo_of(changed(position, towns={**position.towns, free: Town.VILLAGE}))
    quick = quick_score(position.board, photo, HANDS, Modules(), Rulings())
    assert quick.position.towns[free] is Town.VILLAGE
    assert quick.position.spare_villages == 1
    assert not [problem for problem in quick.problems if problem.code == "villages"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return open_table(tmp_path)


def test_at_the_table_with_a_photo(table: Table) -> None:
    position = table.new_game({"players": FOUR}, "Anna", "new").position
    record = table.quick_record("reference", jpeg_of(photo_of(position)))
    quick = table.quick_score("reference", record, HANDS, Modules(), Rulings())
    assert quick.sheet.totals == {"red": 2 + 3, "blue": 0 + 0, "green": 1, "yellow": 4 + 3}


@pytest.mark.parametrize(
    ("hands", "error"),
    [({}, BadInput), ({"red": Hand()}, BadInput), ({"red": Hand(), "pink": Hand()}, BadInput)],
)
def test_players_that_are_none(table: Table, hands: dict[str, Hand], error: type[Exception]) -> None:
    record = photo_of(table.new_game({"players": FOUR}, "Anna", "new").position)
    with pytest.raises(error):
        table.quick_score("reference", record, hands, Modules(), Rulings())


def test_photos_that_are_none(table: Table) -> None:
    with pytest.raises(NotAPhoto):
        table.quick_record("reference", b"no photo")
    nothing: Record = {"arrangement": {}, "tiles": {}}
    with pytest.raises(BoardNotFound):
        table.quick_score("reference", nothing, HANDS, Modules(), Rulings())


def test_a_part_of_the_board_is_not_scored_as_if_it_were_all(table: Table) -> None:
    photo = photo_of(table.new_game({"players": FOUR}, "Anna", "new").position)
    del photo["arrangement"]["SE"]
    with pytest.raises(BoardNotFound, match="Only a part of the board"):
        table.quick_record("reference", jpeg_of(photo))
    del photo["arrangement"]["NE"]
    two = table.quick_record("reference", jpeg_of({**photo, "assembly": "two"}))
    pair = {colour: HANDS[colour] for colour in ("red", "blue")}
    assert table.quick_score("reference", two, pair, Modules(), Rulings()).sheet.totals["red"] == 2 + 4
