"""Each ruling with both options, and that a line names a ruling only where the other would change it."""

from __future__ import annotations

import pytest

from companion.scoring.castelli import (
    Build,
    Card,
    EndGame,
    Evaluate,
    Game,
    Modules,
    Overbuild,
    Phase,
    Position,
    Reveal,
    RuleBroken,
    Rulings,
    Sell,
    apply,
    changed,
    replay,
    score_sheet,
)
from companion.scoring.castelli.awards import SilverPrize, TownMajority
from companion.scoring.castelli.drawing import parse
from companion.scoring.castelli.rulings import OPTIONS, PAGES, with_option
from tests.scoring.boards import BATTLE, RICH, plain_tile, toy
from tests.scoring.sets import COLOURS

NEUTRAL_TIE = """
+-----------+-----------+-----------+
|    g3     |    0r{n}    |           |
| b3 $0 y3  | 0r{n} . 0r{n} |    ##     |
|    r3     |    0r{n}    |           |
|           |           |           |
+-----------+-----------+-----------+
"""


def evaluated(position: Position, slot: str, tile: str) -> Game:
    return replay(position, [Reveal(slot, tile), Evaluate()])


@pytest.mark.parametrize(
    ("symbols", "ruled", "gain"), [(2, "shares", 1), (2, "ignored", 2), (3, "shares", 1)]
)
def test_neutral_tie(symbols: int, ruled: str, gain: int) -> None:
    """Yellow is not in play and ties with blue."""
    tile = plain_tile("A", "g3", "y3", "r3", "b3")
    drawn = parse(NEUTRAL_TIE.format(n=symbols), COLOURS, ("red", "blue"), spare_tiles=(tile,))
    position = changed(drawn, rulings=with_option(Rulings(), "neutral_tie", ruled))
    game = evaluated(position, "C1", "A")
    award = game.steps[-1].awards[0]
    assert (award.player, award.amount, award.rulings) == ("blue", gain, ("neutral_tie",))
    assert game.rulings() == {"neutral_tie"}


def test_neutral_tie_does_not_matter_where_the_marker_is_full() -> None:
    tile = plain_tile("A", "g3", "y3", "r3", "b3")
    drawn = parse(NEUTRAL_TIE.format(n=2), COLOURS, ("red", "blue"), spare_tiles=(tile,))
    full = tuple(changed(player, rocks=5) for player in drawn.players)
    award = evaluated(changed(drawn, players=full), "C1", "A").steps[-1].awards[0]
    assert (award.amount, award.lost, award.rulings) == (0, 1, ())


def test_a_neutral_colour_alone_at_the_top_leaves_nothing() -> None:
    tile = plain_tile("A", "g3", "y3", "b3", "r2")
    drawn = parse(NEUTRAL_TIE.format(n=2), COLOURS, ("red", "blue"), spare_tiles=(tile,))
    step = evaluated(drawn, "C1", "A").steps[-1]
    assert step.awards == () and step.verdicts[0].majority.strongest == ("yellow",)
    assert step.verdicts[0].rulings == ()


@pytest.mark.parametrize(("ruled", "points"), [("counts", 3), ("ignored", 2)])
def test_own_space_when_building(ruled: str, points: int) -> None:
    """B1 has a village of its own, the city D1 in its row and the village B3 in its column."""
    position = toy(red=RICH, rulings=with_option(Rulings(), "own_space", ruled))
    without_b3 = changed(position, towns={cell: t for cell, t in position.towns.items() if cell != "B3"})
    award = apply(without_b3, Build("B1/0/0")).awards[-1]
    assert (award.amount, award.rulings) == (points, ("own_space",))


@pytest.mark.parametrize(("ruled", "winners"), [("counts", {"red"}), ("ignored", {"blue"})])
def test_own_space_in_the_final_scoring_of_battle(ruled: str, winners: set[str]) -> None:
    """Red has two castles in the village's own space, blue one in its row or column."""
    castles = {"B1/0/0": ("red",), "B1/0/1": ("red",), "B3/0/0": ("blue",)}
    position = toy(modules=BATTLE, castles=castles, rulings=with_option(Rulings(), "own_space", ruled))
    lines = [
        line
        for line in score_sheet(position).lines
        if isinstance(line.reason, TownMajority) and line.reason.cell == "B1"
    ]
    assert {line.player for line in lines} == winners
    assert all(line.rulings == ("own_space",) for line in lines)


def prizes(position: Position) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {
        line.player: (line.amount, line.rulings)
        for line in score_sheet(position).lines
        if isinstance(line.reason, SilverPrize)
    }


def with_silver(modules: Modules, rulings: Rulings, red: int, blue: int, green: int, yellow: int) -> Position:
    return toy(
        modules=modules,
        rulings=rulings,
        mine=0,
        red={"silver": red},
        blue={"silver": blue},
        green={"silver": green},
        yellow={"silver": yellow},
    )


@pytest.mark.parametrize(
    ("battle", "ruled", "second"),
    [(False, "shared", 1), (False, "each", 3), (True, "shared", 2), (True, "each", 6)],
)
def test_silver_second_tie(battle: bool, ruled: str, second: int) -> None:
    rulings = with_option(Rulings(), "silver_second_tie", ruled)
    position = with_silver(Modules(battle=battle), rulings, 9, 5, 5, 3)
    assert prizes(position) == {
        "red": (8 if battle else 4, ()),
        "blue": (second, ("silver_second_tie",)),
        "green": (second, ("silver_second_tie",)),
    }


@pytest.mark.parametrize(("battle", "points"), [(False, 3), (True, 6)])
def test_silver_top_tie(battle: bool, points: int) -> None:
    position = with_silver(Modules(battle=battle), Rulings(), 7, 7, 7, 1)
    assert prizes(position) == dict.fromkeys(("red", "blue", "green"), (points, ("silver_top_tie",)))


def test_silver_zero_wins_nothing() -> None:
    position = toy(mine=0, players=("red", "blue"), red={"silver": 11})
    assert prizes(position) == {"red": (4, ())}
    assert score_sheet(position).rulings == ("silver_zero",)


def test_silver_zero_may_be_second() -> None:
    position = toy(mine=0, players=("red", "blue"), rulings=Rulings(silver_zero="second"), red={"silver": 11})
    assert prizes(position) == {"red": (4, ()), "blue": (2, ("silver_zero",))}


def test_nobody_with_silver_is_no_tie() -> None:
    assert prizes(toy(mine=0, rulings=Rulings(silver_zero="second"))) == {}


CARD_COAT = """
+-----------+-----------+
|    g2     |   0r1.1   |
| b2 $0 r*  | 0r1 . 0r1 |
|    y2     |    0r1    |
|           |           |
+-----------+-----------+
"""


def test_card_coat_builds() -> None:
    drawn = parse(CARD_COAT, COLOURS)
    rich = tuple(changed(player, wood=1, grain=1, rocks=1) for player in drawn.players)
    position = changed(drawn, players=rich, phase=Phase.BUILD, placed="A1")
    step = apply(position, Build("B1/0/0"))
    assert step.rulings == ("card_coat_builds",) == step.awards[-1].rulings
    with pytest.raises(RuleBroken) as broken:
        apply(changed(position, rulings=Rulings(card_coat_builds="no")), Build("B1/0/0"))
    assert (broken.value.code, broken.value.rulings) == ("only-card-coats", ("card_coat_builds",))


def test_overbuild_scope() -> None:
    """Red leads blue on the whole of C2 through the grain side, blue leads at the rocks area alone.

    C2: g3 from C1, b1 from B2 (rocks), b1 from D2 (grain) and C3, laid so that r4 looks north (grain).
    """
    castles = {"C2/0/0": ("blue",)}
    placed = apply(toy("red", Phase.REVEAL, castles=castles, modules=BATTLE, red=RICH), Reveal("C3", "T1"))
    position = apply(placed.position, Evaluate()).position
    step = apply(position, Overbuild("C2/0/0"))
    assert step.rulings == ("overbuild_scope",)
    with pytest.raises(RuleBroken) as broken:
        apply(changed(position, rulings=Rulings(overbuild_scope="area")), Overbuild("C2/0/0"))
    assert (broken.value.code, broken.value.rulings) == ("not-stronger", ("overbuild_scope",))


def test_overbuild_scope_does_not_matter_where_both_agree() -> None:
    position = toy("green", castles={"C2/0/0": ("blue",)}, modules=BATTLE, green=RICH)
    assert apply(position, Overbuild("C2/0/0")).rulings == ()


def test_sell_empty_mine() -> None:
    position = toy(mine=1, red={"cards": 1, "known": (Card.RAIDER,)})
    step = apply(position, Sell("red"))
    assert (step.position.player("red").silver, step.position.mine) == (1, 0)
    assert step.awards[-1].rulings == ("sell_empty_mine",)
    with pytest.raises(RuleBroken) as broken:
        apply(changed(position, rulings=Rulings(sell_empty_mine="refused")), Sell("red"))
    assert broken.value.code == "mine-too-empty"


def test_battle_tie_rounding_is_up() -> None:
    castles = {"B1/0/0": ("red",), "B3/0/0": ("blue",)}
    position = toy(modules=BATTLE, castles=castles)
    lines = [
        line
        for line in score_sheet(position).lines
        if isinstance(line.reason, TownMajority) and line.reason.cell == "B1"
    ]
    assert {(line.player, line.amount) for line in lines} == {("red", 2), ("blue", 2)}
    assert all("battle_tie_rounding" in line.rulings for line in lines)


MINE_TIE = """
+-----------+-----------+-----------+
|    g3     |    0s0    |    r3     |
| b3 $0 y3  | 0s0 . 0s0 | b3 $0 g3  |
|    r3     |    0s0    |    y3     |
|           |           |           |
+-----------+-----------+-----------+
"""


@pytest.mark.parametrize(("ruled", "blue", "left"), [("shares", 4, 5), ("ignored", 9, 0)])
def test_a_silver_prize_hangs_on_a_neutral_tie_at_the_mine(ruled: str, blue: int, left: int) -> None:
    """Neutral yellow ties with blue at the mine: 9 silver, or 4 of it, decide about most silver."""
    drawn = parse(MINE_TIE, COLOURS, ("red", "blue"))
    players = (changed(drawn.players[0], silver=5), drawn.players[1])
    position = changed(drawn, players=players, mine=9, rulings=with_option(Rulings(), "neutral_tie", ruled))
    game = replay(position, [EndGame()])
    assert (game.position.player("blue").silver, game.position.mine) == (blue, left)
    lines = [line for line in game.sheet().lines if isinstance(line.reason, SilverPrize)]
    assert {(line.player, line.amount) for line in lines} == (
        {("red", 4), ("blue", 2)} if ruled == "shares" else {("red", 2), ("blue", 4)}
    )
    assert all(line.rulings == ("neutral_tie",) for line in lines)
    assert game.sheet().totals == score_sheet(game.position).totals


def test_every_ruling_has_its_default_first_and_a_page() -> None:
    rulings = Rulings()
    assert {name: options[0] for name, options in OPTIONS.items()} == {
        name: getattr(rulings, name) for name in Rulings.__dataclass_fields__
    }
    assert PAGES.keys() == OPTIONS.keys()


@pytest.mark.parametrize(("name", "option"), [("own_spice", "counts"), ("own_space", "maybe")])
def test_a_ruling_that_does_not_exist_is_named(name: str, option: str) -> None:
    with pytest.raises(ValueError, match="own_sp"):
        with_option(Rulings(), name, option)
