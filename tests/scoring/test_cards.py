"""Each of the 10 + 5 cards, on the toy board."""

from __future__ import annotations

from typing import Any

import pytest

from companion.scoring.castelli import (
    Brigands,
    Build,
    Card,
    Duke,
    Evaluate,
    Event,
    Guard,
    Incendiary,
    King,
    Overbuild,
    Peasant,
    Phase,
    Position,
    Raider,
    Reveal,
    RobberBaron,
    RuleBroken,
    Sell,
    Town,
    Traitor,
    TurnTile,
    apply,
    changed,
)
from tests.scoring.boards import BATTLE, RICH, toy


def hand(*cards: Card, **more: Any) -> dict[str, Any]:
    return {"cards": len(cards), "known": tuple(sorted(cards)), **more}


def silver(position: Position) -> dict[str, int]:
    return {player.colour: player.silver for player in position.players}


def refused(position: Position, event: Event) -> str:
    with pytest.raises(RuleBroken) as broken:
        apply(position, event)
    return broken.value.code


@pytest.mark.parametrize(("card", "points"), [(Card.KING_3, 3), (Card.KING_4, 4), (Card.KING_5, 5)])
def test_king(card: Card, points: int) -> None:
    position = toy(red=hand(card))
    after = apply(position, King(points)).position
    assert after.player("red").points == points
    assert (after.player("red").cards, after.deck, after.card_used) == (0, position.deck + 1, True)


def test_a_king_of_another_value_is_not_in_hand() -> None:
    assert refused(toy(red=hand(Card.KING_3)), King(5)) == "no-such-card"


def test_steward_turns_the_tile_before_it_is_evaluated() -> None:
    position = toy("red", Phase.REVEAL, green=hand(Card.STEWARD), mine=1)
    placed = apply(position, Reveal("C3", "T1", 0)).position
    turned = apply(placed, TurnTile("green", 2)).position
    # turned by 180 degrees, green looks north at C2/1 and yellow east at D3, where it has y1 already
    after = apply(turned, Evaluate())
    assert {v.majority.area: v.winners for v in after.verdicts} == {"C2/1": ("green",), "B3/0": ("blue",)}
    assert after.position.player("green").grain == 2
    assert after.position.deck == position.deck + 1
    assert not after.position.card_used  # the active player may still use theirs


def test_without_steward_the_tile_stays() -> None:
    placed = apply(toy("red", Phase.REVEAL), Reveal("C3", "T1", 0)).position
    after = apply(placed, Evaluate())
    assert {v.majority.area: v.winners for v in after.verdicts} == {"C2/1": ("red",), "B3/0": ("yellow",)}


def test_steward_is_too_late_after_evaluation_and_not_for_the_own_tile() -> None:
    position = toy("red", Phase.PLACED, green=hand(Card.STEWARD), red=hand(Card.STEWARD))
    assert refused(position, TurnTile("red", 1)) == "own-turn"
    assert refused(changed(position, phase=Phase.BUILD), TurnTile("green", 1)) == "no-tile-to-turn"


def test_landgrave_builds_in_grain() -> None:
    position = toy("blue", blue={**RICH, **hand(Card.LANDGRAVE)})
    after = apply(position, Build("C2/1/0", card=Card.LANDGRAVE)).position
    assert after.castles == {"C2/1/0": ("blue",)}
    assert refused(position, Build("C2/1/0")) == "wrong-ground"
    assert refused(position, Build("C2/0/0", card=Card.LANDGRAVE)) == "wrong-ground"


def test_landgravine_builds_in_wood() -> None:
    position = toy("green", green={**RICH, **hand(Card.LANDGRAVINE)})
    step = apply(position, Build("B3/0/0", card=Card.LANDGRAVINE))
    # villages B3 itself, D3 in the row, B1 in the column
    assert step.position.player("green").points == 3
    assert refused(position, Build("C2/1/0", card=Card.LANDGRAVINE)) == "wrong-ground"


def test_robber_baron_takes_half_the_mine_rounded_down() -> None:
    after = apply(toy(red=hand(Card.ROBBER_BARON), mine=9), RobberBaron()).position
    assert (after.player("red").silver, after.mine) == (4, 5)


def test_raider_takes_one_from_each_who_has_one() -> None:
    position = toy(red=hand(Card.RAIDER), blue={"silver": 3}, green={"silver": 1})
    after = apply(position, Raider()).position
    assert silver(after) == {"red": 2, "blue": 2, "green": 0, "yellow": 0}


def test_brigands_take_two_or_the_last_one() -> None:
    position = toy(red=hand(Card.BRIGANDS), blue={"silver": 3}, green={"silver": 1})
    after = apply(position, Brigands()).position
    assert silver(after) == {"red": 3, "blue": 1, "green": 0, "yellow": 0}


def test_traitor_buys_a_card_for_one_silver() -> None:
    position = toy(red=hand(Card.TRAITOR, silver=1), blue=hand(Card.KING_5, Card.RAIDER))
    after = apply(position, Traitor("blue", Card.KING_5)).position
    assert silver(after)["red"] == 0 and silver(after)["blue"] == 1
    assert after.player("red").known == (Card.KING_5,)
    assert after.player("blue").known == (Card.RAIDER,)
    unseen = apply(position, Traitor("blue")).position
    assert (unseen.player("red").cards, unseen.player("red").known) == (1, ())
    assert (unseen.player("blue").cards, unseen.player("blue").known) == (1, ())


@pytest.mark.parametrize(
    ("red", "blue", "victim", "code"),
    [
        ({"silver": 0}, hand(Card.RAIDER), "blue", "too-little-silver"),
        ({"silver": 1}, {}, "blue", "victim-without-card"),
        ({"silver": 1}, hand(Card.RAIDER), "red", "no-victim"),
        ({"silver": 1}, hand(Card.RAIDER), "pink", "no-victim"),
    ],
)
def test_traitor_refused(red: dict[str, Any], blue: dict[str, Any], victim: str, code: str) -> None:
    assert refused(toy(red=hand(Card.TRAITOR, **red), blue=blue), Traitor(victim)) == code


def test_master_builder_pays_one_silver_for_each_missing_resource() -> None:
    position = toy(red=hand(Card.MASTER_BUILDER, wood=1, silver=2))
    after = apply(position, Build("B1/0/0", card=Card.MASTER_BUILDER)).position
    red = after.player("red")
    assert (red.wood, red.silver, after.mine, after.silver_bought) == (0, 0, 12, False)
    assert after.castles == {"B1/0/0": ("red",)}
    poor = toy(red=hand(Card.MASTER_BUILDER, wood=1, silver=1))
    assert refused(poor, Build("B1/0/0", card=Card.MASTER_BUILDER)) == "too-little-silver"


def test_peasant_founds_a_village() -> None:
    position = toy(red=hand(Card.PEASANT))
    after = apply(position, Peasant("C2")).position
    assert after.towns["C2"] is Town.VILLAGE and after.spare_villages == 1
    assert refused(position, Peasant("D1")) == "not-vacant"
    assert refused(position, Peasant("C1")) == "no-space"
    assert refused(changed(position, spare_villages=0), Peasant("C2")) == "no-spare-town"


def test_duke_founds_a_city() -> None:
    position = toy(modules=BATTLE, red=hand(Card.DUKE))
    after = apply(position, Duke("C2")).position
    assert after.towns["C2"] is Town.CITY and after.spare_cities == 1
    assert refused(position, Duke("B1")) == "not-vacant"


def test_incendiary_burns_a_city() -> None:
    position = toy(modules=BATTLE, red=hand(Card.INCENDIARY))
    after = apply(position, Incendiary("D1")).position
    assert "D1" not in after.towns and after.spare_cities == 2
    assert refused(position, Incendiary("B1")) == "no-city"


BLUE_ON_B1 = {"B1/0/0": ("blue",)}


def test_guard_keeps_a_castle_from_being_built_over_this_turn() -> None:
    position = toy(modules=BATTLE, castles=BLUE_ON_B1, red=RICH, blue=hand(Card.GUARD))
    guarded = apply(position, Guard("blue", "B1/0/0")).position
    assert refused(guarded, Overbuild("B1/0/0")) == "guarded"
    assert guarded.player("blue").cards == 0 and guarded.player("red") == position.player("red")
    assert apply(position, Overbuild("B1/0/0")).position.castles == {"B1/0/0": ("blue", "red")}
    assert refused(position, Guard("blue", "C2/0/0")) == "not-own-castle"


def test_abbot_builds_over_for_one_of_each() -> None:
    one_each = {"wood": 1, "grain": 1, "rocks": 1}
    position = toy(modules=BATTLE, castles=BLUE_ON_B1, red=hand(Card.ABBOT, **one_each))
    after = apply(position, Overbuild("B1/0/0", card=Card.ABBOT)).position
    assert after.castles == {"B1/0/0": ("blue", "red")} and after.player("red").resources == 0
    assert refused(position, Overbuild("B1/0/0")) == "too-poor"


def test_army_of_knights_needs_no_majority() -> None:
    castles = {"B1/0/0": ("red",)}
    position = toy("blue", modules=BATTLE, castles=castles, blue={**RICH, **hand(Card.ARMY_OF_KNIGHTS)})
    assert refused(position, Overbuild("B1/0/0")) == "not-stronger"
    after = apply(position, Overbuild("B1/0/0", card=Card.ARMY_OF_KNIGHTS)).position
    assert after.castles == {"B1/0/0": ("red", "blue")}


def test_one_card_in_the_own_turn() -> None:
    position = toy(red={**RICH, **hand(Card.KING_3, Card.RAIDER, Card.LANDGRAVE)})
    after = apply(position, King(3)).position
    assert refused(after, Raider()) == "second-card"
    assert refused(after, Build("C2/1/0", card=Card.LANDGRAVE)) == "second-card"


def test_a_card_that_nobody_has_seen_may_be_any() -> None:
    position = toy(red={"cards": 2, "known": (Card.RAIDER,)})
    after = apply(position, King(4)).position
    assert (after.player("red").cards, after.player("red").known) == (1, (Card.RAIDER,))


def test_battle_cards_only_with_battle() -> None:
    assert refused(toy(red={"cards": 1}), Duke("C2")) == "no-battle"


def test_cards_are_sold_for_two_silver_at_any_time() -> None:
    position = toy("red", Phase.REVEAL, blue=hand(Card.KING_3, Card.RAIDER, Card.RAIDER))
    after = apply(position, Sell("blue", 2, (Card.RAIDER, Card.KING_3))).position
    assert (after.player("blue").silver, after.mine, after.deck) == (4, 6, position.deck + 2)
    assert after.player("blue").known == (Card.RAIDER,)
    assert refused(position, Sell("blue", 4)) == "too-few-cards"
    assert refused(position, Sell("blue", 2, (Card.RAIDER,))) == "bad-count"
    assert refused(position, Sell("blue", 1, (Card.PEASANT,))) == "no-such-card"
