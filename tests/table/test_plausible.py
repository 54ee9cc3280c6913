"""What the box cannot hold becomes a doubt, and nothing else does."""

from __future__ import annotations

from companion.table.castelli.plausible import doubted
from companion.vision.model import Faces, Found, Observation, Pieces, Reading, Slot, Thing

TILES = Faces(("T1", "T2", "down"), 4, 2.0, (28.0, 28.0), plain=("down",), once=("T1", "T2"))
CASTLES = Pieces(("castle/red", "castle/blue"), most=2)


def tile(name: str, at: str, confidence: float) -> Reading:
    return Reading(Slot(at, "P1", (), TILES), "NW", Thing((name,)), confidence, doubtful=False)


def castle(*names: str, at: str = "B1/0/0", confidence: float = 0.99) -> Reading:
    stack = Thing(tuple("castle/" + name for name in names))
    return Reading(Slot(at, "P1", (), CASTLES), "NW", stack, confidence, doubtful=False)


def doubts(*readings: Reading) -> list[str]:
    observation = Observation(100, 100, Found("full", (), (), 0.5), readings, ())
    limits = {"castle/red": 2, "castle/blue": 2}
    return [reading.slot.name for reading in doubted(observation, limits).readings if reading.doubtful]


def test_a_board_that_the_box_can_hold_raises_no_doubt() -> None:
    assert doubts(tile("T1", "A1", 0.99), tile("T2", "C1", 0.99), castle("red"), castle("red", "blue")) == []


def test_the_weaker_of_two_that_show_one_tile() -> None:
    assert doubts(tile("T1", "A1", 0.999), tile("T1", "C1", 0.9)) == ["C1"]


def test_both_where_neither_is_clearly_surer() -> None:
    assert doubts(tile("T1", "A1", 0.99), tile("T1", "C1", 0.98)) == ["A1", "C1"]


def test_backs_may_lie_everywhere() -> None:
    assert doubts(tile("down", "A1", 0.99), tile("down", "C1", 0.99)) == []


def test_one_castle_too_many_puts_the_least_sure_in_question() -> None:
    red = [castle("red", at=f"B{n}/0/0", confidence=0.99 - n / 100) for n in range(1, 4)]
    assert doubts(*red) == ["B3/0/0"]


def test_castles_that_were_built_over_count_as_well() -> None:
    assert doubts(
        castle("red", "blue", at="B1/0/0"),
        castle("red", "blue", at="B3/0/0"),
        castle("red", at="B5/0/0", confidence=0.9),
    ) == ["B5/0/0"]


def test_nobody_builds_over_their_own_castle() -> None:
    assert doubts(castle("red", "red")) == ["B1/0/0"]


def test_a_question_is_an_even_chance_at_the_best() -> None:
    observation = Observation(
        100, 100, Found("full", (), (), 0.5), (tile("T1", "A1", 0.99), tile("T1", "C1", 0.99)), ()
    )
    assert [reading.confidence for reading in doubted(observation, {}).readings] == [0.5, 0.5]
