"""A turn: reveal, rim, evaluation, building, its end; and what the rules refuse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.scoring.castelli import (
    Build,
    Card,
    Correction,
    EndGame,
    EndTurn,
    Evaluate,
    Event,
    FaceUp,
    Gift,
    Kind,
    Modules,
    Overbuild,
    Phase,
    Player,
    PlayerCorrection,
    Position,
    Reveal,
    RuleBroken,
    Side,
    State,
    Town,
    apply,
    area_state,
    changed,
    new_game,
    replay,
    status,
)
from companion.scoring.castelli.awards import RimGift, TileShows
from companion.scoring.castelli.drawing import parse
from tests.scoring.boards import BATTLE, DILEMMA, RICH, plain_tile, toy
from tests.scoring.sets import COLOURS, laid_out, made_set


def gains(position: Position, *events: Event) -> list[tuple[str, str, int, int]]:
    """Who gained what of the last event, and what was lost."""
    step = replay(position, events).steps[-1]
    return [(award.player, str(award.what), award.amount, award.lost) for award in step.awards]


CORNER = """
+-----------+-----------+
|           |    0w1    |
|    ##     | 0w1 . 1g1 |
|           |    0w1    |
|           |           |
+-----------+-----------+
|    0g1    |           |
| 0g1 . 0g1 |    ##     |
|    0g1    |           |
|           |           |
+-----------+-----------+
"""
FRAME = {("A1", Side.N): Gift.SILVER, ("A1", Side.W): Gift.ROCKS, ("B2", Side.S): Gift.CARD}


def corner(**hand: int) -> Position:
    tiles = (plain_tile("A", "r2", "b2", "g2", "y*", 2), plain_tile("B", "y*", "g*", "r*", "b*"))
    drawn = parse(CORNER, COLOURS, frame=FRAME, spare_tiles=tiles)
    players = tuple(changed(player, **hand) for player in drawn.players)
    return changed(drawn, players=players, mine=9)


def test_a_tile_gives_its_cards_and_silver_to_the_active_player() -> None:
    assert gains(corner(), Reveal("A1", "A")) == [("red", "card", 1, 0), ("red", "silver", 2, 0)]
    assert gains(corner(), Reveal("A1", "B")) == [("red", "card", 4, 0)]
    poor = changed(corner(), mine=1, deck=0)
    assert gains(poor, Reveal("A1", "A")) == [("red", "card", 0, 1), ("red", "silver", 1, 1)]
    awards = replay(corner(), [Reveal("A1", "A")]).steps[0].awards
    assert [award.reason for award in awards] == [TileShows("A1", "A", 1), TileShows("A1", "A", 2)]


def test_a_corner_tile_has_two_gifts_on_the_rim() -> None:
    assert gains(corner(), Reveal("A1", "A"), Evaluate()) == [
        ("red", "silver", 1, 0),
        ("yellow", "rocks", 1, 0),
    ]
    assert gains(corner(rocks=5), Reveal("A1", "A"), Evaluate())[1] == ("yellow", "rocks", 0, 1)
    turned = replay(corner(), [Reveal("A1", "A", 1), Evaluate()]).steps[-1].awards
    assert [(award.player, award.reason) for award in turned] == [
        ("yellow", RimGift("A1/N", Gift.SILVER, "A")),
        ("green", RimGift("A1/W", Gift.ROCKS, "A")),
    ]


def test_a_rim_gift_for_a_colour_not_in_play_is_lost() -> None:
    position = corner()
    two = changed(position, players=position.players[:2])
    step = replay(two, [Reveal("A1", "A"), Evaluate()]).steps[-1]
    assert [award.player for award in step.awards] == ["red"]
    assert {"A1/N", "A1/W"} <= step.position.evaluated


def test_areas_wait_for_all_their_tiles_and_neutral_arms_count_as_revealed() -> None:
    position = replay(corner(), [Reveal("A1", "A"), Evaluate(), EndTurn()]).position
    assert area_state(position, "B1/0").waits_for == ("B2",)
    assert area_state(position, "A2/0").waits_for == ("B2",)
    game = replay(position, [Reveal("B2", "B"), Evaluate()])
    paid = {verdict.majority.area: verdict.winners for verdict in game.steps[-1].verdicts}
    assert paid == {"B1/0": ("blue",), "A2/0": ("green",)}
    assert area_state(game.position, "B1/0").state is State.EVALUATED


def test_an_area_with_neutral_arms_and_card_icons_only_is_never_evaluated() -> None:
    position = replay(corner(), [Reveal("B2", "B"), Evaluate(), EndTurn()]).position
    assert area_state(position, "B1/1").state is State.NEVER
    only_cards = changed(position, tiles={**position.tiles, "A1": FaceUp("B")})
    assert area_state(only_cards, "A2/0").state is State.NEVER


def test_a_shared_market_runs_out_clockwise_from_the_active_player() -> None:
    drawing = """
    +-----------+-----------+-----------+
    |    g3     |    0m4    |           |
    | b3 $0 y3  | 0m4 . 0m4 |    ##     |
    |    r3     |    0m4    |           |
    |           |           |           |
    +-----------+-----------+-----------+
    """
    tile = plain_tile("A", "g3", "y3", "r3", "b3")
    position = changed(parse(drawing, COLOURS, spare_tiles=(tile,)), deck=3, turn="yellow")
    assert gains(position, Reveal("C1", "A"), Evaluate()) == [
        ("yellow", "card", 2, 0),
        ("blue", "card", 1, 1),
    ]


def test_told_cards_are_known_and_must_be_due() -> None:
    told = replace(Reveal("A1", "A"), drawn=(("red", Card.KING_5),))
    assert apply(corner(), told).position.player("red").known == (Card.KING_5,)
    with pytest.raises(RuleBroken, match="no such card"):
        apply(corner(), replace(told, drawn=(("blue", Card.KING_5),)))


def test_two_silver_stand_in_for_one_missing_resource_once_a_turn() -> None:
    position = toy(red={"wood": 2, "grain": 2, "rocks": 0, "silver": 4})
    after = apply(position, Build("B1/0/0", Kind.ROCKS)).position
    red = after.player("red")
    assert (red.wood, red.grain, red.rocks, red.silver, after.mine) == (1, 1, 0, 2, 12)
    with pytest.raises(RuleBroken) as broken:
        apply(after, Build("B1/0/1", Kind.ROCKS))
    assert broken.value.code == "bought-before"


def test_a_player_may_build_more_than_one_castle() -> None:
    game = replay(toy(red=RICH), [Build("B1/0/0"), Build("B1/0/1")])
    assert game.position.castles == {"B1/0/0": ("red",), "B1/0/1": ("red",)}
    assert game.position.player("red").castles_left == 7


def test_building_over_costs_two_of_each_and_keeps_the_loser_s_points() -> None:
    position = toy(castles={"B1/0/0": ("blue",)}, modules=BATTLE, red=RICH, blue={"points": 7})
    step = apply(position, Overbuild("B1/0/0"))
    assert step.position.player("red").resources == 0
    assert step.position.player("blue").points == 7
    # the village B1 itself, the city D1, the village B3
    assert step.position.player("red").points == 4
    one_short = toy(castles={"B1/0/0": ("blue",)}, modules=BATTLE, red={**RICH, "wood": 1})
    assert apply(one_short, Overbuild("B1/0/0", Kind.WOOD)).position.player("red").silver == 2


def test_end_of_turn_goes_clockwise_and_forgets_the_turn() -> None:
    position = changed(toy("yellow"), silver_bought=True, card_used=True, guarded=frozenset({"B1/0/0"}))
    after = apply(position, EndTurn()).position
    assert (after.turn, after.phase, after.placed) == ("red", Phase.REVEAL, None)
    assert (after.silver_bought, after.card_used, after.guarded) == (False, False, frozenset())


def test_the_mine_goes_to_the_strongest_at_the_end() -> None:
    """A2: y2 from A1, r1 from B2 and b2 from A3."""
    events: list[Event] = [
        Reveal("C3", "T1"),
        Evaluate(),
        EndTurn(),
        Reveal("E3", "T2"),
        Evaluate(),
        EndGame(),
    ]
    game = replay(toy("red", Phase.REVEAL), events)
    assert game.failure is None
    # T1 brought red one silver before: 9 are left, yellow and blue tie with 2
    assert [(a.player, a.amount) for a in game.steps[-1].awards] == [("blue", 4), ("yellow", 4)]
    assert (game.position.mine, game.position.finished) == (1, True)


def refuse_cases() -> list[tuple[str, Position, Event, int]]:
    """Code, position, event, page of the rule."""
    reveal, build = toy("red", Phase.REVEAL), toy(red=RICH)
    battle = toy(castles={"B1/0/0": ("blue",)}, modules=BATTLE, red=RICH)
    stack = {"B1/0/0": ("blue", "green")}
    return [
        ("revealed-before", build, Reveal("C3", "T1"), 4),
        ("no-slot", reveal, Reveal("B1", "T1"), 3),
        ("not-face-down", reveal, Reveal("A1", "T1"), 4),
        ("no-such-tile", reveal, Reveal("C3", "T99"), 2),
        ("bad-turn", reveal, Reveal("C3", "T1", 4), 4),
        ("tile-twice", reveal, Reveal("C3", "TA1"), 2),
        ("no-dilemma", reveal, Reveal("C3", "T1", swapped=True), 7),
        ("taken-without-swap", reveal, Reveal("C3", "T1", taken="T2"), 7),
        ("nothing-to-evaluate", reveal, Evaluate(), 4),
        ("nothing-to-evaluate", build, Evaluate(), 4),
        ("not-revealed", reveal, Build("B1/0/0"), 4),
        ("not-revealed", reveal, EndTurn(), 4),
        ("not-evaluated", apply(reveal, Reveal("C3", "T1")).position, EndTurn(), 4),
        ("no-site", build, Build("B1/0/2"), 6),
        ("wrong-ground", build, Build("C2/1/0"), 6),
        ("site-taken", changed(build, castles={"B1/0/0": ("red",)}), Build("B1/0/0"), 6),
        ("no-coat", build, Build("C2/0/0"), 6),
        ("too-poor", toy(), Build("B1/0/0"), 6),
        ("not-missing", build, Build("B1/0/0", Kind.WOOD), 6),
        ("too-little-silver", toy(red={"wood": 1, "grain": 1}), Build("B1/0/0", Kind.ROCKS), 6),
        ("no-castle-left", toy(red={**RICH, "castles_left": 0}), Build("B1/0/0"), 3),
        ("wrong-card", toy(red={**RICH, "cards": 1}), Build("B1/0/0", card=Card.RAIDER), 1),
        ("no-battle", build, Overbuild("B1/0/0"), 7),
        ("no-castle", battle, Overbuild("B1/0/1"), 8),
        ("built-over-before", changed(battle, castles=stack), Overbuild("B1/0/0"), 8),
        ("own-castle", changed(battle, castles={"B1/0/0": ("red",)}), Overbuild("B1/0/0"), 8),
        ("not-stronger", changed(battle, castles={"D3/0/0": ("yellow",)}), Overbuild("D3/0/0"), 8),
        ("tiles-down", build, EndGame(), 6),
        ("game-over", changed(build, finished=True), EndTurn(), 6),
        ("nobodys-turn", changed(build, turn="pink"), EndTurn(), 4),
    ]


@pytest.mark.parametrize(("code", "position", "event", "page"), refuse_cases())
def test_refused(code: str, position: Position, event: Event, page: int) -> None:
    with pytest.raises(RuleBroken) as broken:
        apply(position, event)
    assert (broken.value.code, broken.value.rule.page) == (code, page)
    assert f"(p. {page}, " in str(broken.value)


def dilemma() -> Position:
    board = laid_out(made_set(1), 4)
    return new_game(board, COLOURS, DILEMMA, start_tiles={"red": "S1", "blue": "S2"})


def test_dilemma_swaps_the_tile_in_hand() -> None:
    position = dilemma()
    slot = position.board.slots[0]
    after = apply(position, Reveal(slot, "S1", 0, swapped=True, taken="T05")).position
    assert after.slot(slot) == FaceUp("S1")
    assert (after.player("red").hand_tile, after.player("red").holds_start) == ("T05", False)
    hidden = apply(position, Reveal(slot, "S1", 0, swapped=True)).position
    assert (hidden.player("red").hand_tile, hidden.player("red").holds_start) == (None, False)
    kept = apply(position, Reveal(slot, "T05")).position
    assert (kept.player("red").hand_tile, kept.player("red").holds_start) == ("S1", True)


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (Reveal("A1", "S1"), "start-tile"),
        (Reveal("A1", "S3", swapped=True), "not-in-hand"),
        (Reveal("A1", "T05", swapped=True), "not-in-hand"),
        (Reveal("A1", "S1", swapped=True, taken="S3"), "no-such-tile"),
        (Reveal("A1", "S1", swapped=True, taken="S1"), "no-such-tile"),
    ],
)
def test_dilemma_refuses(event: Reveal, code: str) -> None:
    with pytest.raises(RuleBroken) as broken:
        apply(dilemma(), event)
    assert broken.value.code == code


def test_a_tile_known_in_a_hand_cannot_lie_on_the_board() -> None:
    swap = apply(dilemma(), Reveal("A1", "S1", swapped=True, taken="T05")).position
    position = changed(swap, phase=Phase.REVEAL, turn="blue")
    with pytest.raises(RuleBroken) as broken:
        apply(position, Reveal("C1", "T05"))
    assert broken.value.code == "tile-in-hand"


def test_a_correction_sets_anything_and_nothing_else() -> None:
    position = toy(red={"points": 3}, castles={"B1/0/0": ("red",)})
    correction = Correction(
        tiles={"C3": FaceUp("T1", 1)},
        castles={"B1/0/0": (), "C2/0/0": ("blue", "red", "green")},
        towns={"B1": None, "C2": Town.CITY},
        players={"red": PlayerCorrection(points=12, wood=9)},
        mine=99,
        paid=frozenset({"C2/1"}),
        turn="green",
        phase=Phase.REVEAL,
    )
    after = apply(changed(position, finished=True), correction).position
    assert after.slot("C3") == FaceUp("T1", 1)
    assert after.castles == {"C2/0/0": ("blue", "red", "green")}
    assert "B1" not in after.towns and after.towns["C2"] is Town.CITY
    assert (after.player("red").points, after.player("red").wood) == (12, 9)
    assert after.player("blue") == position.player("blue")
    assert (after.mine, after.turn, after.phase) == (99, "green", Phase.REVEAL)
    assert "C2/1" in after.evaluated
    assert {"wood", "stack", "silver-too-much"} <= {problem.code for problem in status(after)}


def test_an_area_that_a_correction_completes_is_paid_at_the_next_evaluation() -> None:
    position = apply(toy("red", Phase.REVEAL), Correction(tiles={"C3": FaceUp("T1")})).position
    assert area_state(position, "C2/1").state is State.DUE
    game = replay(position, [Reveal("E3", "T2"), Evaluate()])
    assert {"C2/1", "B3/0"} <= {verdict.majority.area for verdict in game.steps[-1].verdicts}


@pytest.mark.parametrize(("players", "silver"), [(2, 11), (3, 16), (4, 22)])
@pytest.mark.parametrize(("modules", "deck"), [(Modules(), 25), (BATTLE, 33)])
def test_a_new_game(players: int, silver: int, modules: Modules, deck: int) -> None:
    board = laid_out(made_set(2), players)
    position = new_game(board, COLOURS[:players], modules)
    assert (position.mine, position.deck, len(position.tiles)) == (silver, deck, 16 if players == 2 else 32)
    assert position.players == tuple(Player(colour) for colour in COLOURS[:players])
    assert status(position) == ()
    if players > 2:
        assert sorted(position.towns.values()) == [Town.CITY] * 6 + [Town.VILLAGE] * 11


@pytest.mark.parametrize("colours", [(), ("red",), ("red", "red"), ("red", "pink"), (*COLOURS, "red")])
def test_no_game_for_such_players(colours: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"colours|Castelli is for"):
        new_game(laid_out(made_set(2), 4), colours)
