"""What a photo proposes that is in doubt, contradicts the book, or shows other markers; on `boards.TOY`."""

from __future__ import annotations

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.components import Town
from companion.scoring.castelli.events import (
    Build,
    Correction,
    EndTurn,
    Evaluate,
    Event,
    Overbuild,
    Reveal,
    TurnTile,
)
from companion.scoring.castelli.position import DOWN, Card, FaceUp, Phase, changed
from companion.table.castelli.amending import Past
from companion.table.castelli.proposal import propose
from tests.scoring.boards import BATTLE, RICH, toy
from tests.table.proposing import events, ids, seen
from tests.table.tabletop import doubtful, photo_of

# Doubts


def test_a_doubtful_tile_is_asked_with_its_likeliest_readings() -> None:
    position = toy(turn="red", phase=Phase.REVEAL)
    photo = seen(position, tiles={"C3": doubtful(FaceUp("T2", 1), 0.6, (FaceUp("T1", 1), 0.3), (DOWN, 0.05))})
    proposal = propose(position, photo)
    (question,) = proposal.questions
    assert (question.id, question.kind, question.other) == ("tile/C3", "tile", True)
    assert ids(question) == ["up:T2:1", "up:T1:1", "down"]
    assert question.choices[0].confidence == 0.6 and not proposal.is_clean
    told = propose(position, photo, {"tile/C3": "up:T1:1"})
    assert events(told) == [Reveal("C3", "T1", 1), Evaluate()] and not told.is_clean
    other = propose(position, photo, {"tile/C3": "up:T1:3"})
    assert events(other) == [Reveal("C3", "T1", 3), Evaluate()]
    assert propose(position, photo, {"tile/C3": "a hat"}).questions == (question,)


def test_a_tile_that_lies_elsewhere_is_ruled_out() -> None:
    """The picture wavers between two tiles, but one of them has been face up on A1 for long."""
    position = toy(turn="red", phase=Phase.REVEAL)
    taken = position.slot("A1")
    assert isinstance(taken, FaceUp)
    photo = seen(position, tiles={"C3": doubtful(FaceUp("T2", 1), 0.55, (FaceUp(taken.tile, 2), 0.449))})
    proposal = propose(position, photo)
    assert events(proposal) == [Reveal("C3", "T2", 1), Evaluate()]
    assert proposal.settled == ("C3",) and proposal.is_clean


def test_what_no_reading_names_keeps_its_chance() -> None:
    position = toy(turn="red", phase=Phase.REVEAL)
    taken = position.slot("A1")
    assert isinstance(taken, FaceUp)
    photo = seen(position, tiles={"C3": doubtful(FaceUp("T2", 1), 0.5, (FaceUp(taken.tile, 2), 0.2))})
    assert [question.id for question in propose(position, photo).questions] == ["tile/C3"]


def test_a_tile_once_revealed_stays_whatever_a_doubtful_reading_says() -> None:
    position = toy()
    photo = seen(position, tiles={"A1": doubtful(DOWN, 0.7, (FaceUp("T1", 0), 0.2))})
    proposal = propose(position, photo)
    assert proposal.is_empty and proposal.settled == ("A1",)


def test_a_castle_does_not_vanish_in_a_doubtful_reading() -> None:
    position = toy(castles={"B1/0/0": ("red",)})
    photo = seen(position, castles={"B1/0/0": doubtful((), 0.8, (("red",), 0.15))})
    proposal = propose(position, photo)
    assert proposal.is_empty and proposal.settled == ("B1/0/0",)


def test_of_castles_built_over_the_upper_one_is_enough() -> None:
    position = toy(modules=BATTLE, castles={"C2/0/0": ("blue", "green")})
    assert propose(position, seen(position, castles={"C2/0/0": ("green",)})).is_empty
    for other in ((), ("blue",), ("red",)):
        (question,) = propose(position, seen(position, castles={"C2/0/0": other})).questions
        assert question.kind == "contradiction"


def test_a_doubtful_castle_is_asked() -> None:
    position = toy(turn="red", red=RICH)
    photo = seen(position, castles={"B1/0/0": doubtful(("red",), 0.7, ((), 0.2), (("yellow",), 0.05))})
    (question,) = propose(position, photo).questions
    assert (question.id, ids(question)) == ("castle/B1/0/0", ["red", "empty", "yellow"])
    assert events(propose(position, photo, {question.id: "red"})) == [Build("B1/0/0")]
    assert events(propose(position, photo, {question.id: "empty"})) == []


def test_a_colour_that_is_not_playing_has_no_castle() -> None:
    position = toy(turn="red", players=("red", "blue"), red=RICH)
    photo = seen(position, castles={"B1/0/0": doubtful(("green",), 0.6, (("red",), 0.399))})
    assert events(propose(position, photo)) == [Build("B1/0/0")]


def test_a_doubtful_village_is_asked_and_a_burnt_village_is_not_believed() -> None:
    position = toy(turn="red", red={"cards": 1})
    photo = seen(position, towns={"E2": doubtful(Town.VILLAGE, 0.6, (None, 0.4))})
    (question,) = propose(position, photo).questions
    assert (question.id, ids(question)) == ("town/E2", ["village", "nothing"])
    assert events(propose(position, photo, {question.id: "nothing"})) == []
    photo = seen(position, towns={"B1": doubtful(None, 0.6, (Town.VILLAGE, 0.4))})
    assert propose(position, photo).is_empty


def test_what_the_photo_does_not_show_goes_on_as_it_is() -> None:
    position = toy(castles={"B1/0/0": ("red",)})
    photo = photo_of(position)
    unseen = {"state": "none", "confidence": 0.0, "doubtful": True}
    photo["tiles"]["C3"] = unseen
    assert propose(position, photo).unseen == ("C3",)
    nowhere = {**photo, "arrangement": {}, "castles": {}, "towns": {}}
    nowhere["tiles"] = dict.fromkeys(photo["tiles"], unseen)
    proposal = propose(position, nowhere)
    assert proposal.is_empty and set(proposal.unseen) == set(position.board.slots)


# Contradictions and facts that were wrong


def test_a_castle_that_is_surely_gone_is_a_contradiction() -> None:
    position = toy(castles={"B1/0/0": ("red",)}, red={"castles_left": 8})
    photo = photo_of(position)
    del photo["castles"]["B1/0/0"]
    (question,) = propose(position, photo).questions
    assert (question.kind, sorted(ids(question))) == ("contradiction", ["empty", "red"])
    (correction,) = events(propose(position, photo, {question.id: "empty"}))
    after = apply(position, correction).position
    assert after.castles == {} and after.player("red").castles_left == 9


def test_another_castle_on_a_site_may_be_one_on_top() -> None:
    position = toy(turn="green", modules=BATTLE, castles={"C2/0/0": ("blue",)}, green=RICH)
    photo = seen(position, castles={"C2/0/0": ("green",)})
    (question,) = propose(position, photo).questions
    assert sorted(ids(question)) == ["blue", "blue+green", "green"]
    assert events(propose(position, photo, {question.id: "blue+green"})) == [Overbuild("C2/0/0")]


def test_a_tile_that_surely_changed_is_a_contradiction_and_can_be_put_right_from_its_reveal_on() -> None:
    start = toy(turn="red", phase=Phase.REVEAL)
    deed: tuple[Event, ...] = (Reveal("C3", "T1", 0), Evaluate())
    later: tuple[Event, ...] = (EndTurn(), Reveal("E3", "T2", 0), Evaluate())
    position = start
    for event in (*deed, *later):
        position = apply(position, event).position
    past = Past(start, (deed, later))
    photo = seen(position, tiles={"C3": FaceUp("T1", 1)})
    (question,) = propose(position, photo, past=past).questions
    assert (question.kind, ids(question)) == ("contradiction", ["up:T1:0", "up:T1:1"])
    assert events(propose(position, photo, {question.id: "up:T1:0"}, past)) == []
    put_right = propose(position, photo, {question.id: "up:T1:1"}, past)
    assert put_right.instead_of == 2 and not put_right.is_clean
    assert events(put_right) == [Reveal("C3", "T1", 1), Evaluate(), *later]
    without_past = propose(position, photo, {question.id: "up:T1:1"})
    assert events(without_past) == [Correction(tiles={"C3": FaceUp("T1", 1)})]


def test_the_tile_just_placed_may_have_been_turned_by_a_steward() -> None:
    start = toy(
        turn="red", phase=Phase.REVEAL, blue={"cards": 1}, green={"cards": 1, "known": (Card.PEASANT,)}
    )
    deed: tuple[Event, ...] = (Reveal("C3", "T1", 0), Evaluate())
    position = start
    for event in deed:
        position = apply(position, event).position
    past = Past(start, (deed,))
    photo = seen(position, tiles={"C3": FaceUp("T1", 2)})
    (question,) = propose(position, photo, past=past).questions
    assert (question.kind, ids(question)) == ("steward", ["steward:blue", "up:T1:0", "up:T1:2"])
    turned = propose(position, photo, {question.id: "steward:blue"}, past)
    assert (turned.instead_of, events(turned)) == (1, [deed[0], TurnTile("blue", 2), Evaluate()])
    after = turned.happened[-1].step.position
    assert after.player("blue").cards == 0 and after.slot("C3") == FaceUp("T1", 2)


def test_a_tile_that_is_surely_gone_or_hidden_again_is_asked() -> None:
    position = toy(turn="red", phase=Phase.REVEAL)
    photo = seen(position, tiles={"C3": "none"})
    (question,) = propose(position, photo).questions
    assert (question.kind, sorted(ids(question))) == ("contradiction", ["down", "none"])
    assert events(propose(position, photo, {question.id: "down"})) == []
    assert events(propose(position, photo, {question.id: "none"})) == [Correction(tiles={"C3": "none"})]
    hidden = seen(position, tiles={"A1": DOWN})
    (question,) = propose(position, hidden).questions
    assert question.id == "tile/A1" and question.kind == "contradiction"


def test_many_contradictions_at_once_are_one_question() -> None:
    """A photo of the table before villages and cities were put on their places."""
    position = changed(toy(), towns={**toy().towns, "C2": Town.VILLAGE, "E2": Town.CITY})
    photo = {**photo_of(position), "towns": {}}
    (question,) = propose(position, photo).questions
    assert (question.id, ids(question)) == ("contradictions", ["book", "photo", "one_by_one"])
    assert question.values["count"] == len(position.towns) == 6
    assert events(propose(position, photo, {"contradictions": "book"})) == []
    after = position
    for event in events(propose(position, photo, {"contradictions": "photo"})):
        after = apply(after, event).position
    assert after.towns == {}
    assert len(propose(position, photo, {"contradictions": "one_by_one"}).questions) == 6


def test_after_the_end_a_photo_changes_nothing_by_itself() -> None:
    position = changed(toy(turn="red", red=RICH), finished=True)
    (question,) = propose(position, seen(position, castles={"B1/0/0": ("red",)})).questions
    assert question.kind == "refused"


# Markers


def test_markers_that_differ_from_the_book_are_named_with_how_far() -> None:
    position = toy(red={"wood": 3, "points": 12})
    photo = photo_of(position)
    photo["resources"]["red"]["wood"] = 1
    photo["resources"]["blue"]["grain"] = None
    photo["track"]["red"] = 15
    photo["doubtful_markers"] = ["track/red"]
    differences = propose(position, photo).markers
    assert [(d.scale, d.colour, d.on_photo, d.in_book, d.by, d.doubtful) for d in differences] == [
        ("wood", "red", 1, 3, 2, False),
        ("track", "red", 15, 12, -3, True),
    ]


def test_the_marker_goes_round_the_track_again() -> None:
    position = toy(red={"points": 74})
    photo = photo_of(position)
    photo["track"]["red"] = 4
    assert propose(position, photo).markers == ()


def test_markers_are_compared_with_the_book_as_it_will_be() -> None:
    position = toy(turn="red", red={"wood": 1, "grain": 1, "rocks": 1})
    photo = seen(position, castles={"B1/0/0": ("red",)})
    photo["resources"]["red"] = {"wood": 0, "grain": 0, "rocks": 0}
    photo["track"]["red"] = 4
    assert propose(position, photo).markers == ()


def test_no_marker_is_called_wrong_while_it_is_open_what_happened() -> None:
    """Without the castle in doubt the marker would have to go back; with it, it stands right."""
    position = toy(turn="red", red={"wood": 1, "grain": 1, "rocks": 1})
    in_doubt = doubtful((), 0.7, (("red",), 0.3))
    photo = seen(position, castles={"B1/0/0": in_doubt})
    photo["resources"]["red"] = {"wood": 0, "grain": 0, "rocks": 0}
    photo["track"]["red"] = 4
    asked = propose(position, photo)
    assert len(asked.questions) == 1 and asked.markers == ()
    assert propose(position, photo, {"castle/B1/0/0": "red"}).markers == ()
    assert len(propose(position, photo, {"castle/B1/0/0": "empty"}).markers) == 4
