"""Questions during a game, the final sheet, reasons in words, and the tournament."""

from __future__ import annotations

import pytest

from companion.scoring.castelli import (
    Card,
    FaceUp,
    Kind,
    Modules,
    Phase,
    Placed,
    Reveal,
    RuleBroken,
    State,
    area_states,
    building_sites,
    changed,
    influence,
    influence_on_space,
    majorities,
    replay,
    score_sheet,
    what_if,
)
from companion.scoring.castelli.awards import CastlesOnTop, StartTileHeld, TownMajority
from companion.scoring.castelli.plain import plain
from companion.scoring.castelli.sentences import award_sentence, counted_sentences, majority_sentence
from companion.scoring.castelli.sheet import standings
from companion.scoring.castelli.tournament import (
    Result,
    Variant,
    final_places,
    pairings,
    round_robin,
    side_by_side,
    tournament_boards,
)
from tests.scoring.boards import BATTLE, DILEMMA, RICH, toy
from tests.scoring.sets import COLOURS, laid_out, made_set, mine_piece
from tests.scoring.table import Table


def test_influence_leader_margin_and_tie() -> None:
    position = toy()
    at_b1 = influence(position, "B1/0")
    assert (at_b1.leader, at_b1.margin, at_b1.is_tied) == ("red", 2, False)
    assert [(c.slot, c.points) for c in at_b1.counted] == [("A1", 2)]
    space = influence_on_space(position, "B1")
    assert {colour: points for colour, points in space.sums.items() if points} == {"red": 5, "yellow": 1}
    mine = influence(position, "A2/0")
    assert (mine.strongest, mine.leader, mine.margin, mine.is_tied) == (("blue", "yellow"), None, 0, True)
    assert influence(position, "E2/0").strongest == ("green",)


def test_area_states() -> None:
    states = area_states(toy("red", Phase.REVEAL))
    assert states["B1/0"].state is State.EVALUATED
    assert (states["C2/1"].state, states["C2/1"].waits_for) == (State.PENDING, ("C3",))
    assert states["D3/0"].waits_for == ("E3", "C3")
    assert states["A2/0"].state is State.AT_END


def test_what_if_changes_nothing_and_tells_all() -> None:
    position = toy("red", Phase.REVEAL)
    step = what_if(position, "C3", "T1", 2)
    assert {(a.player, str(a.what), a.amount) for a in step.awards} == {
        ("red", "silver", 1),
        ("blue", "wood", 1),
        ("green", "grain", 2),
    }
    assert position == toy("red", Phase.REVEAL)
    assert what_if(toy("red", Phase.BUILD), "C3", "T1", 2).awards == step.awards
    with pytest.raises(RuleBroken):
        what_if(position, "A1", "T1", 0)


def test_building_sites_best_first_with_price() -> None:
    options = building_sites(toy(red={"wood": 1, "grain": 1, "silver": 2}), "red")
    assert [(o.site, o.points, o.over, o.buy) for o in options] == [
        ("B1/0/0", 4, None, Kind.ROCKS),
        ("B1/0/1", 4, None, Kind.ROCKS),
    ]
    assert options[0].price is not None and options[0].price.silver == 2
    assert [o.price for o in building_sites(toy(), "red")] == [None, None]
    assert building_sites(toy(), "pink") == []


def test_building_sites_of_a_card_and_over_a_castle() -> None:
    grave = {"cards": 1, "known": (Card.LANDGRAVE,)}
    assert {o.site for o in building_sites(toy(blue=grave), "blue", Card.LANDGRAVE)} == {"C2/1/0"}
    assert building_sites(toy(), "blue", Card.LANDGRAVE) == []
    position = toy(castles={"B1/0/0": ("blue",)}, modules=BATTLE, red=RICH)
    over = [option for option in building_sites(position, "red") if option.over]
    assert [(o.site, o.over) for o in over] == [("B1/0/0", "blue")]


def test_majorities_of_every_area() -> None:
    found = majorities(toy(mine=7))
    assert found.keys() == toy().board.areas.keys()
    assert (found["A2/0"].majority.symbols, found["A2/0"].majority.share) == (7, 3)


def test_the_base_sheet() -> None:
    position = toy(
        mine=0,
        red={"points": 10, "cards": 2, "wood": 1, "rocks": 3, "silver": 5},
        blue={"points": 12, "silver": 2},
        green={"points": 3},
    )
    sheet = score_sheet(position)
    assert sheet.totals == {"red": 10 + 2 + 4 + 4, "blue": 12 + 2, "green": 3, "yellow": 0}
    assert [line.amount for line in sheet.of("red")] == [10, 2, 4, 4]
    assert all(line.reason.rule.page == 6 for line in sheet.lines)
    assert sheet.winners == ("red",) and not sheet.is_shared


def test_a_sheet_before_the_end_shares_the_mine_out() -> None:
    sheet = score_sheet(toy(mine=7))
    assert sheet.silver == {"red": 0, "blue": 3, "green": 0, "yellow": 3}
    assert sheet.mine is not None and sheet.mine.winners == ("blue", "yellow")


def test_dilemma_gives_five_for_the_start_tile() -> None:
    position = toy(mine=0, modules=DILEMMA, red={"holds_start": True})
    lines = [line for line in score_sheet(position).lines if isinstance(line.reason, StartTileHeld)]
    assert [(line.player, line.amount) for line in lines] == [("red", 5)]
    without = toy(mine=0, red={"holds_start": True})
    assert score_sheet(without).totals["red"] == 0


def test_battle_counts_castles_on_top() -> None:
    castles = {"B1/0/0": ("blue", "red"), "C2/0/0": ("green",)}
    sheet = score_sheet(toy(mine=0, modules=BATTLE, castles=castles))
    top = {line.player: line.amount for line in sheet.lines if isinstance(line.reason, CastlesOnTop)}
    assert top == {"red": 2, "green": 2}
    towns = {
        (line.reason.cell, line.player): line.amount
        for line in sheet.lines
        if isinstance(line.reason, TownMajority)
    }
    # red alone is in line with B1, the city D1 and B3; nobody with D3
    assert towns == {("B1", "red"): 3, ("D1", "red"): 6, ("B3", "red"): 3}


@pytest.mark.parametrize(
    ("totals", "castles", "expected"),
    [
        ({"a": 5, "b": 9}, {}, [(1, ("b",), False), (2, ("a",), False)]),
        ({"a": 5, "b": 5}, {"b": 3}, [(1, ("b",), True), (2, ("a",), True)]),
        ({"a": 5, "b": 5, "c": 1}, {"a": 2, "b": 2}, [(1, ("a", "b"), False), (3, ("c",), False)]),
    ],
)
def test_ranking(
    totals: dict[str, int], castles: dict[str, int], expected: list[tuple[int, tuple[str, ...], bool]]
) -> None:
    found = standings(totals, castles)
    assert [(place.place, place.colours, place.by_castles) for place in found] == expected


def test_a_castle_built_over_still_breaks_a_tie() -> None:
    position = toy(mine=0, castles={"B1/0/0": ("blue", "red"), "B1/0/1": ("blue",)})
    assert score_sheet(position).standings[0].colours == ("blue",)


def test_reasons_in_words_and_as_data() -> None:
    game = Table(laid_out(made_set(2), 3), COLOURS[:3], 8, Modules(True, True)).whole_game()
    awards = [award for step in game.steps for award in step.awards] + list(game.sheet().lines)
    for award in awards:
        sentence = award_sentence(award)
        assert sentence.startswith(award.player) and f"p. {award.reason.rule.page}" in sentence
        record = plain(award)
        assert record["reason"]["rule"]["page"] == award.reason.rule.page
        assert record["reason"]["is"] == type(award.reason).__name__
    majority = majorities(toy())["B1/0"].majority
    assert majority_sentence(majority) == "area B1/0, 2 rocks symbols: red 2; red is strongest"
    assert counted_sentences(majority) == ["A1 (TA1): red 2"]


def test_tournament_boards_and_the_shared_deck() -> None:
    game_set = made_set(1)
    first = mine_piece(game_set)
    others = [name for name in game_set.pieces if name != first]
    west, east = tournament_boards(
        game_set, (Placed(first), Placed(others[0], 180)), (Placed(others[1]), Placed(others[2]))
    )
    assert len(west.mines) == len(east.mines) == 1
    column, row = west.mines[0].cell[0], west.mines[0].cell[1:]
    assert east.mines[0].cell == chr(ord(column) + 4) + row
    assert east.mines[0].cell not in east.printed_towns
    assert all(cell[0] in "EFGH" for cell in east.slots)
    both = side_by_side((west, east), (("red", "blue"), ("green", "yellow")))
    card_tile = next(tile for tile in game_set.tiles.values() if tile.cards and not tile.start)
    after, step = both.apply(1, Reveal(east.slots[0], card_tile.id))
    assert step.position.deck == 25 - card_tile.cards == after.games[0].deck
    assert [game.mine for game in both.games] == [11, 11]
    with pytest.raises(ValueError, match="silver mine"):
        tournament_boards(game_set, (Placed(first), Placed(others[0])), (Placed(first), Placed(others[1])))


def result(winner: str, points: int, loser: str, fewer: int) -> Result:
    return Result({winner: points, loser: fewer}, (winner,))


def test_knockout() -> None:
    players = ("a", "b", "c", "d")
    assert pairings(Variant.KNOCKOUT, players) == (("a", "b"), ("c", "d"))
    first = (result("b", 30, "a", 20), result("c", 25, "d", 24))
    assert pairings(Variant.KNOCKOUT, players, [first]) == (("b", "c"), ("a", "d"))
    finals = (result("c", 31, "b", 30), result("a", 22, "d", 20))
    assert pairings(Variant.KNOCKOUT, players, [first, finals]) is None
    places = final_places(Variant.KNOCKOUT, players, [first, finals])
    assert [(place.place, place.players) for place in places] == [
        (1, ("c",)),
        (2, ("b",)),
        (3, ("a",)),
        (4, ("d",)),
    ]
    assert final_places(Variant.KNOCKOUT, players, [first]) == ()
    tied = (Result({"a": 9, "b": 9}, ("a", "b")), first[1])
    with pytest.raises(ValueError, match="share the victory"):
        pairings(Variant.KNOCKOUT, players, [tied])
    shared = (Result({"b": 9, "c": 9}, ("b", "c")), finals[1])
    assert final_places(Variant.KNOCKOUT, players, [first, shared])[0].players == ("b", "c")


def test_everybody_meets_everybody_once() -> None:
    players = ("a", "b", "c", "d")
    rounds = round_robin(players)
    met = {frozenset(pair) for played in rounds for pair in played}
    assert len(rounds) == 3 and len(met) == 6
    results: list[tuple[Result, Result]] = []
    for number, played in enumerate(rounds):
        assert pairings(Variant.ROUND_ROBIN, players, results) == played
        (a, b), (c, d) = played
        results.append((result(a, 20 + number, b, 10), result(c, 20 + number, d, 10)))
    assert pairings(Variant.ROUND_ROBIN, players, results) is None
    places = final_places(Variant.ROUND_ROBIN, players, results)
    assert (places[0].players, places[0].points) == (("a",), 63)
    assert sum(len(place.players) for place in places) == 4


def test_a_photo_of_a_finished_board_gives_a_sheet() -> None:
    game = Table(laid_out(made_set(4), 4), COLOURS, 3, BATTLE).whole_game()
    end = game.position
    seen = changed(
        end, tiles={cell: FaceUp(s.tile, s.turns) for cell, s in end.tiles.items() if isinstance(s, FaceUp)}
    )
    assert score_sheet(seen).totals == game.sheet().totals
    assert replay(end, []).sheet().totals == game.sheet().totals
