"""The worked examples of the rulebooks, drawn."""

from __future__ import annotations

from companion.scoring.castelli import (
    Award,
    Build,
    Evaluate,
    Phase,
    Position,
    Reveal,
    apply,
    changed,
    score_sheet,
)
from companion.scoring.castelli.awards import CastleScored, Majority, TownMajority
from companion.scoring.castelli.components import Tile
from companion.scoring.castelli.drawing import parse
from tests.scoring.boards import BATTLE, plain_tile
from tests.scoring.sets import COLOURS


def gains(awards: tuple[Award, ...]) -> set[tuple[str, str, int]]:
    return {(award.player, str(award.what), award.amount) for award in awards}


def table(drawing: str, turn: str, tile: Tile) -> Position:
    return changed(parse(drawing, COLOURS, spare_tiles=(tile,)), turn=turn)


def test_page_5_a_tile_completes_rocks_for_blue_and_grain_for_red() -> None:
    position = table(
        """
        +-----------+-----------+-----------+
        |    g4     |    1w1    |           |
        | r4 $0 y4  | 0r2 . 0r2 |    ##     |
        |    b4     |    1w1    |           |
        |           |           |           |
        +-----------+-----------+-----------+
        |    0w1    |           |    0g2    |
        | 0w1 . 0w1 |    ##     | 1m1 . 1m1 |
        |    0w1    |           |    0g2    |
        |           |           |           |
        +-----------+-----------+-----------+
        |           |    0w1    |    g4     |
        |    ##     | 0w1 . 0w1 | y4 $0 b4  |
        |           |    0w1    |    r4     |
        |           |           |           |
        +-----------+-----------+-----------+
        """,
        "blue",
        plain_tile("A", "g5", "y5", "r5", "b5"),
    )
    revealed = apply(position, Reveal("C1", "A"))
    assert revealed.awards == ()
    step = apply(revealed.position, Evaluate())
    assert gains(step.awards) == {("blue", "rocks", 2), ("red", "grain", 2)}
    rocks = step.verdicts[0].majority
    assert (rocks.area, rocks.symbols, rocks.strongest) == ("B1/0", 2, ("blue",))
    assert rocks.sums == {"green": 0, "yellow": 4, "blue": 5, "red": 0}
    assert [(c.slot, c.tile, c.side.name, c.colour, c.points) for c in rocks.counted] == [
        ("C1", "A", "W", "blue", 5),
        ("A1", "TA1", "E", "yellow", 4),
    ]
    assert (rocks.rule.page, step.verdicts[1].majority.sums) == (
        5,
        {"green": 4, "yellow": 0, "blue": 0, "red": 5},
    )
    assert step.position.player("blue").rocks == 2 and step.position.player("red").grain == 2


def test_page_5_a_tied_market_and_two_grain_areas() -> None:
    position = table(
        """
        +-----------+-----------+-----------+
        |    r3     |    0m2    |    y3     |
        | b3 $0 y3  | 0m2 . 1w1 | r3 $0 b3  |
        |    g3     |    0m2    |    g3     |
        |           |           |           |
        +-----------+-----------+-----------+
        |    0s0    |           |    0g2    |
        | 0s0 . 0s0 |    ##     | 0g2 . 1w1 |
        |    0s0    |           |    1w1    |
        |           |           |           |
        +-----------+-----------+-----------+
        |    g1     |    0g2    |           |
        | b1 $0 r1  | 0g2 . 1w1 |    ##     |
        |    y1     |    1w1    |           |
        |           |           |           |
        +-----------+-----------+-----------+
        """,
        "green",
        plain_tile("B", "g3", "r2", "b*", "y3"),
    )
    revealed = apply(position, Reveal("B2", "B"))
    assert gains(revealed.awards) == {("green", "card", 1)}
    step = apply(revealed.position, Evaluate())
    assert {verdict.majority.area for verdict in step.verdicts} == {"B1/0", "C2/0", "B3/0"}
    assert gains(step.awards) == {
        ("green", "card", 1),
        ("yellow", "card", 1),
        ("green", "grain", 2),
        ("red", "grain", 2),
    }
    second_grain = next(v.majority for v in step.verdicts if v.majority.area == "B3/0")
    assert [(c.colour, c.points, c.is_card) for c in second_grain.counted] == [
        ("blue", 0, True),
        ("red", 1, False),
    ]
    assert step.position.deck == 25 - 3


CASTLE_LINES = """
+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
|           |    0r1.2  |           |    0r1.2  |           |    0r1.2  |           |    0r1.2  |
|    ##     | 0r1 {b1} 0r1 |    ##     | 0r1 {d1} 0r1 |    ##     | 0r1 {f1} 0r1 |    ##     | 0r1 {h1} 0r1 |
|           |    0r1    |           |    0r1    |           |    0r1    |           |    0r1    |
|           |  {on_b1}  |           |  {on_d1}  |           |  {on_f1}  |           |  {on_h1}  |
+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
|    0w1    |    b3     |    0w1    |           |    0w1    |           |    0w1    |           |
| 0w1 c 0w1 | g3 $0 r3  | 0w1 c 0w1 |    ##     | 0w1 c 0w1 |    ##     | 0w1 v 0w1 |    ##     |
|    0w1    |    y3     |    0w1    |           |    0w1    |           |    0w1    |           |
|           |           |           |           |           |           |           |           |
+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
|           |    0r1.2  |           |    0w1    |           |    0w1    |           |    0w1    |
|    ##     | 0r1 {b3} 0r1 |    ##     | 0w1 c 0w1 |    ##     | 0w1 c 0w1 |    ##     | 0w1 c 0w1 |
|           |    0r1    |           |    0w1    |           |    0w1    |           |    0w1    |
|           |  {on_b3}  |           |           |           |           |           |           |
+-----------+-----------+-----------+-----------+-----------+-----------+-----------+-----------+
"""
EMPTY = {f"on_{cell}": "" for cell in ("b1", "d1", "f1", "h1", "b3")}


def test_page_6_two_villages_and_a_city_in_the_row_and_a_village_in_the_column() -> None:
    towns = {"b1": ".", "d1": "v", "f1": "c", "h1": "v", "b3": "v"}
    drawn = parse(CASTLE_LINES.format(**towns, **EMPTY), COLOURS)
    rich = tuple(changed(player, wood=1, grain=1, rocks=1) for player in drawn.players)
    position = changed(drawn, players=rich, turn="blue", phase=Phase.BUILD, placed="B2")
    step = apply(position, Build("B1/0/0"))
    assert step.position.player("blue").points == 5
    scored = next(award for award in step.awards if isinstance(award.reason, CastleScored))
    assert scored.amount == 5 and scored.rulings == ()
    assert isinstance(scored.reason, CastleScored)
    assert [(town.cell, str(town.town), town.points) for town in scored.reason.towns] == [
        ("D1", "village", 1),
        ("F1", "city", 2),
        ("H1", "village", 1),
        ("B3", "village", 1),
    ]
    blue = step.position.player("blue")
    assert (blue.wood, blue.grain, blue.rocks, blue.castles_left) == (0, 0, 0, 8)


def test_page_8_green_and_blue_share_a_city_with_three_castles_each() -> None:
    towns = {"b1": "c", "d1": ".", "f1": ".", "h1": ".", "b3": "."}
    castles = {
        "on_b1": "",
        "on_d1": "0/0=g 0/1=b",
        "on_f1": "0/0=g 0/1=r",
        "on_h1": "0/0=b 0/1=y",
        "on_b3": "0/0=g 0/1=b",
    }
    position = parse(CASTLE_LINES.format(**towns, **castles), COLOURS, modules=BATTLE)
    lines = [
        line
        for line in score_sheet(position).lines
        if isinstance(line.reason, TownMajority) and line.reason.cell == "B1"
    ]
    assert {(line.player, line.amount) for line in lines} == {("green", 3), ("blue", 3)}
    reason = lines[0].reason
    assert isinstance(reason, TownMajority)
    assert {colour: len(sites) for colour, sites in reason.castles.items()} == {
        "green": 3,
        "blue": 3,
        "red": 1,
        "yellow": 1,
    }
    assert (reason.worth, reason.rule.page, lines[0].rulings) == (6, 8, ())


def test_reasons_name_a_majority() -> None:
    position = table(
        """
        +-----------+-----------+
        |           |    0g1    |
        |    ##     | 0g1 . 0g1 |
        |           |    0g1    |
        |           |           |
        +-----------+-----------+
        """,
        "red",
        plain_tile("A", "g5", "y5", "r5", "b5"),
    )
    step = apply(apply(position, Reveal("A1", "A", 1)).position, Evaluate())
    assert [type(award.reason) for award in step.awards] == [Majority]
    assert gains(step.awards) == {("green", "grain", 1)}
