"""What a photo proposes: turns, payments, villages and cities; on the board of `boards.TOY`."""

from __future__ import annotations

import pytest

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.components import Kind, Town
from companion.scoring.castelli.events import (
    Build,
    Correction,
    Duke,
    EndTurn,
    Evaluate,
    Event,
    Incendiary,
    Overbuild,
    Peasant,
    Reveal,
    Sell,
)
from companion.scoring.castelli.position import DOWN, Card, FaceUp, Modules, Phase, changed
from companion.table.castelli.proposal import propose
from tests.scoring.boards import BATTLE, RICH, toy
from tests.table.proposing import POOR, events, ids, seen
from tests.table.tabletop import photo_of

# Turns


def test_nothing_new_is_nothing_to_do() -> None:
    position = toy()
    assert propose(position, photo_of(position)).is_empty


def test_a_tile_revealed_ends_the_turn_before_and_is_evaluated() -> None:
    position = toy(turn="red", phase=Phase.BUILD)
    proposal = propose(position, seen(position, tiles={"C3": FaceUp("T2", 1)}))
    assert events(proposal) == [EndTurn(), Reveal("C3", "T2", 1), Evaluate()]
    assert [planned.player for planned in proposal.happened] == ["red", "blue", "blue"]
    assert proposal.is_clean and proposal.happened[-1].step.awards


def test_castles_belong_to_the_turns_of_their_owners() -> None:
    """Red still built after the last photo; Blue revealed and built."""
    position = toy(turn="red", phase=Phase.BUILD, red=RICH, blue=RICH)
    photo = seen(position, tiles={"C3": FaceUp("T2", 0)}, castles={"B1/0/0": ("red",), "C2/0/0": ("blue",)})
    assert events(propose(position, photo)) == [
        Build("B1/0/0"),
        EndTurn(),
        Reveal("C3", "T2", 0),
        Evaluate(),
        Build("C2/0/0"),
    ]


def test_who_revealed_which_of_two_tiles_is_asked_only_where_it_brings_something() -> None:
    position = toy(turn="red", phase=Phase.REVEAL)
    photo = seen(position, tiles={"C3": FaceUp("T1", 0), "E3": FaceUp("T2", 0)})
    proposal = propose(position, photo)
    (question,) = proposal.questions
    assert (question.id, question.where, sorted(ids(question))) == ("revealed/C3", "C3", ["0", "1"])
    assert str(question) == "Who revealed the tile on C3?"
    silver = {}
    for answer in ("0", "1"):
        told = propose(position, photo, {"revealed/C3": answer})
        silver[answer] = [p.step.position.player("red").silver for p in told.happened][-1]
        assert [e.slot for e in events(told) if isinstance(e, Reveal)][int(answer)] == "C3"
    assert silver == {"0": 1, "1": 0}


def test_tiles_that_bring_nothing_come_in_any_order_without_a_question() -> None:
    position = toy(turn="red", phase=Phase.REVEAL, mine=0)
    photo = seen(position, tiles={"C3": FaceUp("T1", 0), "E3": FaceUp("T2", 0)})
    revealed = [event.slot for event in events(propose(position, photo)) if isinstance(event, Reveal)]
    assert revealed == ["C3", "E3"]


def test_a_castle_of_somebody_whose_turn_it_was_not_is_a_question() -> None:
    position = toy(turn="red", phase=Phase.BUILD, yellow=RICH)
    photo = seen(position, castles={"D3/0/0": ("yellow",)})
    proposal = propose(position, photo)
    (question,) = proposal.questions
    assert (question.id, ids(question)) == ("refused/D3/0/0", ["wrong", "by_hand"])
    assert events(propose(position, photo, {question.id: "wrong"})) == []
    (correction,) = events(propose(position, photo, {question.id: "by_hand"}))
    after = apply(position, correction).position
    assert after.castles["D3/0/0"] == ("yellow",)
    assert (after.player("yellow").points, after.player("yellow").castles_left) == (4, 8)


def test_a_game_that_was_under_way_is_taken_as_it_lies() -> None:
    position = toy(turn="red", phase=Phase.REVEAL, players=("red", "blue"))
    start = changed(
        position, tiles={**position.tiles, **dict.fromkeys(("A1", "C1", "E1"), DOWN)}, placed=None
    )
    photo = seen(position, tiles={"C3": FaceUp("T1", 0), "E3": FaceUp("T2", 0)}, castles={"B1/0/0": ("red",)})
    photo["track"] = {"red": 7, "blue": 9}
    photo["doubtful_markers"] = ["track/blue"]
    proposal = propose(start, photo)
    assert [question.id for question in proposal.questions] == ["catch_up"]
    (correction,) = events(propose(start, photo, {"catch_up": "as_it_lies"}))
    after = apply(start, correction).position
    assert after.slot("C3") == FaceUp("T1") and after.castles == {"B1/0/0": ("red",)}
    assert (after.player("red").points, after.player("blue").points, after.turn) == (7, 0, "red")
    assert "B1/0" in after.evaluated
    assert events(propose(start, photo, {"catch_up": "turn_by_turn"})) == []


# Payment


def test_silver_for_what_is_missing_where_nothing_else_is_possible() -> None:
    position = toy(turn="red", red={**POOR, "silver": 2})
    photo = seen(position, castles={"B1/0/0": ("red",)})
    assert events(propose(position, photo)) == [Build("B1/0/0", buy=Kind.WOOD)]


def test_silver_or_the_master_builder_is_asked() -> None:
    position = toy(turn="red", red={**POOR, "silver": 2, "cards": 1})
    photo = seen(position, castles={"B1/0/0": ("red",)})
    (question,) = propose(position, photo).questions
    assert (question.id, sorted(ids(question))) == ("paid/B1/0/0/0", ["master-builder", "silver:wood"])
    answered = propose(position, photo, {question.id: "master-builder"})
    assert events(answered) == [Build("B1/0/0", card=Card.MASTER_BUILDER)]


def test_a_hand_that_is_known_leaves_nothing_to_ask() -> None:
    position = toy(turn="red", red={**POOR, "silver": 2, "cards": 1, "known": (Card.PEASANT,)})
    photo = seen(position, castles={"B1/0/0": ("red",)})
    assert events(propose(position, photo)) == [Build("B1/0/0", buy=Kind.WOOD)]


def test_the_way_that_fits_the_markers_comes_first() -> None:
    """Overbuilding costs 2 of each, with the Abbot 1: the chart on the photo shows which."""
    position = toy(turn="green", modules=BATTLE, castles={"C2/0/0": ("blue",)}, green={**RICH, "cards": 1})
    photo = seen(position, castles={"C2/0/0": ("blue", "green")})
    for left, first in ((0, "plain"), (1, "abbot")):
        photo["resources"]["green"] = {"wood": left, "grain": left, "rocks": left}
        (question,) = propose(position, photo).questions
        assert ids(question)[0] == first and sorted(ids(question)) == ["abbot", "plain"]


@pytest.mark.parametrize(
    ("colour", "site", "card"),
    [
        ("red", "E2/0/0", Card.LANDGRAVE),
        ("blue", "C2/1/0", Card.LANDGRAVE),
        ("yellow", "D1/0/0", Card.LANDGRAVINE),
        ("green", "B3/0/0", Card.LANDGRAVINE),
    ],
)
def test_a_castle_in_grain_or_wood_was_built_with_the_card_for_it(colour: str, site: str, card: Card) -> None:
    position = toy(turn=colour, **{colour: {**RICH, "cards": 1}})  # type: ignore[arg-type]
    assert events(propose(position, seen(position, castles={site: (colour,)}))) == [Build(site, card=card)]


def test_the_card_alone_is_not_enough_without_an_own_coat_of_arms() -> None:
    position = toy(turn="red", red={**RICH, "cards": 1})
    (question,) = propose(position, seen(position, castles={"C2/1/0": ("red",)})).questions
    assert (question.id, question.values["code"]) == ("refused/C2/1/0", "no-coat")


def test_cards_were_sold_where_nothing_else_explains_the_castle() -> None:
    known = (Card.PEASANT,)
    position = toy(turn="red", red={**POOR, "cards": 1, "known": known})
    photo = seen(position, castles={"B1/0/0": ("red",)})
    assert events(propose(position, photo)) == [Sell("red", 1), Build("B1/0/0", buy=Kind.WOOD)]


def test_a_castle_that_nothing_explains_is_a_question() -> None:
    position = toy(turn="red", red=POOR)
    (question,) = propose(position, seen(position, castles={"B1/0/0": ("red",)})).questions
    assert question.id == "refused/B1/0/0" and question.values["code"] == "too-poor"


# Battle, villages and cities


def test_built_over() -> None:
    position = toy(turn="green", modules=BATTLE, castles={"C2/0/0": ("blue",)}, green=RICH)
    photo = seen(position, castles={"C2/0/0": ("blue", "green")})
    assert events(propose(position, photo)) == [Overbuild("C2/0/0")]


def test_built_and_built_over_between_two_photos() -> None:
    position = toy(turn="blue", modules=BATTLE, blue=RICH, green=RICH)
    photo = seen(position, tiles={"E3": FaceUp("T2", 0)}, castles={"C2/0/0": ("blue", "green")})
    assert events(propose(position, photo)) == [
        Build("C2/0/0"),
        EndTurn(),
        Reveal("E3", "T2", 0),
        Evaluate(),
        Overbuild("C2/0/0"),
    ]


def test_a_stack_without_battle_is_a_contradiction() -> None:
    position = toy(turn="green", castles={"C2/0/0": ("blue",)}, green=RICH)
    photo = seen(position, castles={"C2/0/0": ("blue", "green")})
    (question,) = propose(position, photo).questions
    assert (question.kind, sorted(ids(question))) == ("contradiction", ["blue", "blue+green"])
    assert events(propose(position, photo, {question.id: "blue"})) == []
    (correction,) = events(propose(position, photo, {question.id: "blue+green"}))
    assert isinstance(correction, Correction)
    assert apply(position, correction).position.player("green").castles_left == 8


@pytest.mark.parametrize(
    ("cell", "town", "event"),
    [("E2", Town.VILLAGE, Peasant("E2")), ("E2", Town.CITY, Duke("E2")), ("D1", None, Incendiary("D1"))],
)
def test_villages_and_cities_come_and_go(cell: str, town: Town | None, event: Event) -> None:
    position = toy(turn="red", modules=BATTLE, red={"cards": 1})
    photo = seen(position, towns={cell: town})
    assert events(propose(position, photo)) == [event]


def test_who_founded_it_is_asked_where_several_can_have() -> None:
    position = toy(turn="red", red={"cards": 1}, blue={"cards": 1})
    photo = seen(position, tiles={"C3": FaceUp("T2", 0)}, towns={"E2": Town.VILLAGE})
    (question,) = propose(position, photo).questions
    assert question.id == "played/E2" and str(question) == "Who founded the village on E2?"
    assert [(choice.id, choice.values["player"]) for choice in question.choices] == [
        ("0", "red"),
        ("1", "blue"),
    ]
    answered = events(propose(position, photo, {question.id: "1"}))
    assert answered == [EndTurn(), Reveal("C3", "T2", 0), Evaluate(), Peasant("E2")]


def test_only_one_can_have_founded_it() -> None:
    position = toy(turn="red", blue={"cards": 1})
    photo = seen(position, tiles={"C3": FaceUp("T2", 0)}, towns={"E2": Town.VILLAGE})
    assert events(propose(position, photo))[-1] == Peasant("E2")


def test_whether_the_village_came_before_the_castle_is_asked_where_it_scores() -> None:
    position = toy(turn="red", red={**RICH, "cards": 1})
    photo = seen(position, castles={"B1/0/0": ("red",)}, towns={"E2": Town.VILLAGE})
    assert Build("B1/0/0") in events(propose(position, photo))  # E2 is not in line with B1
    in_line = changed(position, towns={cell: town for cell, town in position.towns.items() if cell != "D1"})
    photo = seen(in_line, castles={"B1/0/0": ("red",)}, towns={"D1": Town.VILLAGE})
    (question,) = propose(in_line, photo).questions
    assert question.id == "order/D1"
    points = {
        order: propose(in_line, photo, {"order/D1": order}).happened[-1].step.position.player("red").points
        for order in ("before", "after")
    }
    assert points == {"before": 3, "after": 2}


def test_a_village_does_not_burn_and_without_battle_no_city_does() -> None:
    for modules, cell in ((BATTLE, "B1"), (Modules(), "D1")):
        position = toy(turn="red", modules=modules, red={"cards": 1})
        photo = seen(position, towns={cell: None})
        (question,) = propose(position, photo).questions
        assert (question.id, question.kind) == (f"town/{cell}", "contradiction")
        before = position.towns[cell]
        assert events(propose(position, photo, {question.id: before.value})) == []
        (correction,) = events(propose(position, photo, {question.id: "nothing"}))
        assert cell not in apply(position, correction).position.towns
