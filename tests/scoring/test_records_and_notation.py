"""Positions, events and games as plain data and in one line; and bad ones, with every problem named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.scoring.castelli import (
    BadNotation,
    BadRecord,
    Build,
    Card,
    Correction,
    EndTurn,
    Event,
    FaceUp,
    Kind,
    Modules,
    Phase,
    PlayerCorrection,
    Position,
    Reveal,
    Rulings,
    Sell,
    Town,
    Traitor,
    changed,
    event_from,
    event_record,
    game_from,
    game_record,
    looks_like_notation,
    position_from,
    position_record,
    read_notation,
    status,
    write_notation,
)
from tests.scoring.boards import BATTLE, toy
from tests.scoring.sets import COLOURS, laid_out, made_set
from tests.scoring.table import Table


def messy() -> Position:
    """Nothing at its default, and not all of it legal."""
    return changed(
        toy(
            "blue",
            Phase.BUILD,
            modules=Modules(True, True),
            rulings=Rulings(own_space="ignored", neutral_tie="ignored"),
            castles={"B1/0/0": ("red", "blue"), "C2/1/0": ("green",)},
            red={"wood": 3, "silver": 2, "cards": 2, "known": (Card.KING_4, Card.RAIDER), "points": 12},
            blue={"castles_left": 8, "hand_tile": "T1"},
            green={"holds_start": True, "hand_tile": "T2"},
            yellow={"holds_start": True, "rocks": -1},
        ),
        towns={"C2": Town.CITY},
        tiles={**toy().tiles, "C3": FaceUp("T1", 3), "E3": "none"},
        evaluated=frozenset({"B1/0", "A2/0"}),
        silver_bought=True,
        card_used=True,
        guarded=frozenset({"B1/0/0"}),
        finished=True,
        spare_villages=1,
    )


@pytest.mark.parametrize("position", [toy(), messy(), toy("red", Phase.REVEAL, players=("red", "blue"))])
def test_round_trips(position: Position) -> None:
    game_set = position.board.set
    record = json.loads(json.dumps(position_record(position)))
    assert position_from(record, game_set) == position
    line = write_notation(position)
    assert looks_like_notation(line)
    assert read_notation(line, game_set) == position
    assert write_notation(read_notation(line, game_set)) == line


def test_the_notation_can_be_read_by_a_person() -> None:
    red, blue = {"wood": 3, "points": 12, "cards": 1}, {"castles_left": 8}
    position = toy(mine=6, castles={"B1/0/0": ("blue",)}, red=red, blue=blue)
    assert write_notation(position) == (
        "board drawn - / - -; tiles TA1^,TC1^,TE1^/TB2^,TD2^/TA3^,.,.; castles B1/0/0=blue; "
        "red 12 w3 c1; blue 0; green 0; yellow 0; mine 6; deck 24; turn red build C1"
    )


def test_names_with_odd_signs_survive() -> None:
    position = toy()
    players = (
        changed(position.players[0], colour="mine"),
        changed(position.players[1], colour="sea; green/ü"),
    )
    odd = changed(position, players=players, turn="mine", castles={"B1/0/0": ("sea; green/ü", "mine")})
    line = write_notation(odd)
    with pytest.raises(BadNotation) as bad:
        read_notation(line, position.board.set)
    # the set has no such colours: that is all that is wrong with the line
    assert {path for path, _ in bad.value.problems} == {"players[0]", "players[1]"}


def test_a_photo_s_label_and_a_scan_are_positions() -> None:
    position = toy()
    label: dict[str, Any] = {
        "arrangement": {"NW": {"piece": "drawn", "turned": 0}},
        "tiles": {"A1": {"tile": "TA1", "turns": 1}, "C1": "down", "B2": "none"},
        "towns": {"B1": "village"},
        "castles": {"B1/0/0": ["red"]},
        "resources": {
            "red": {"wood": 2, "grain": 0, "rocks": 5},
            "blue": {"wood": 1, "grain": 1, "rocks": 1},
        },
        "track": {"red": 3, "blue": 0},
        "mine_silver": 6,
        "photo": "01.jpg",
        "corners": [],
    }
    read = position_from(label, position.board.set)
    assert read.colours == ("red", "blue")
    assert (read.slot("A1"), read.slot("B2"), read.slot("E1")) == (FaceUp("TA1", 1), "none", "none")
    assert (read.player("red").points, read.player("red").castles_left, read.mine) == (3, 8, 6)
    scan = {
        **label,
        "tiles": {
            "A1": {"state": "up", "tile": "TA1", "turns": 1, "confidence": 0.9, "doubtful": False},
            "C1": {"state": "down", "confidence": 1},
            "B2": {"state": "none"},
        },
        "castles": {"B1/0/0": {"stack": ["red"], "confidence": 1}},
        "towns": {"B1": {"kind": "village"}},
    }
    assert position_from(scan, position.board.set) == read


def test_what_a_record_leaves_out_stands_as_at_the_end_of_a_turn() -> None:
    game = Table(laid_out(made_set(1), 4), COLOURS, 4)
    for _ in range(12):
        game.one_turn()
    full = position_record(game.position)
    hands = ("silver", "cards")
    kept = {
        key: full[key] for key in ("arrangement", "tiles", "towns", "castles", "resources", "track", *hands)
    }
    read = position_from(kept, made_set(1))
    assert read.evaluated == game.position.evaluated
    assert (read.mine, read.deck) == (game.position.mine, game.position.deck)
    assert status(read) == ()


EVENTS: list[Event] = [
    Reveal("C3", "T1", 2, True, "T2", (("red", Card.KING_3),)),
    Build("B1/0/0", Kind.WOOD, Card.LANDGRAVE),
    Traitor("blue"),
    Sell("blue", 2, (Card.RAIDER, Card.KING_3)),
    Correction(
        tiles={"C3": FaceUp("T1", 1), "E3": "none"},
        castles={"B1/0/0": ()},
        towns={"B1": None, "C2": Town.CITY},
        players={"red": PlayerCorrection(points=3, known=(Card.RAIDER,), hand_tile="", holds_start=True)},
        mine=3,
        paid=frozenset({"C2/1"}),
        turn="blue",
        phase=Phase.PLACED,
        note="misread",
    ),
    EndTurn(),
]


def test_games_round_trip() -> None:
    position = toy(modules=BATTLE)
    record = json.loads(json.dumps(game_record(position, EVENTS)))
    assert game_from(record, position.board.set) == (position, tuple(EVENTS))
    assert event_record(Reveal("A1", "T07")) == {"event": "reveal", "slot": "A1", "tile": "T07"}


def test_all_problems_of_a_record_are_reported_with_their_place() -> None:
    record = position_record(toy())
    record["tiles"]["A1"] = {"tile": 7, "turns": "x"}
    record["castles"]["B1/0/0"] = "red"
    record["track"]["pink"] = 3
    record["mine_silver"] = float("nan")
    record["deck"] = True
    record["rulings"] = {"own_space": "maybe"}
    record["phase"] = "later"
    record["wombat"] = 1
    with pytest.raises(BadRecord) as bad:
        position_from(record, toy().board.set)
    assert {path for path, _ in bad.value.problems} == {
        "tiles.A1.tile",
        "tiles.A1.turns",
        "castles.B1/0/0",
        "track.pink",
        "mine_silver",
        "deck",
        "rulings.own_space",
        "phase",
        "wombat",
    }


@pytest.mark.parametrize("record", [None, 3, [], "x", {}, {"arrangement": 5}, {"arrangement": {"XX": {}}}])
def test_no_position_at_all(record: object) -> None:
    with pytest.raises(BadRecord):
        position_from(record, toy().board.set)


@pytest.mark.parametrize(
    ("record", "paths"),
    [
        (None, {"", "event"}),
        ({"event": "fly"}, {"event"}),
        ({"event": "reveal"}, {"slot", "tile"}),
        ({"event": "reveal", "slot": 1, "tile": "T", "turns": 1.5, "x": 1}, {"slot", "turns", "x"}),
        ({"event": "build", "site": "B1/0/0", "buy": "gold", "card": "joker"}, {"buy", "card"}),
        ({"event": "evaluate", "drawn": [["red"], "x"]}, {"drawn[0]", "drawn[1]"}),
        ({"event": "correction", "players": {"red": {"hats": 1}}, "mine": "x"}, {"players.red.hats", "mine"}),
    ],
)
def test_bad_events(record: object, paths: set[str]) -> None:
    with pytest.raises(BadRecord) as bad:
        event_from(record)
    assert paths <= {path for path, _ in bad.value.problems}


def test_bad_games_name_the_event() -> None:
    record = {"start": position_record(toy()), "events": [{"event": "end-turn"}, {"event": "fly"}]}
    with pytest.raises(BadRecord, match=r"events\[1\]"):
        game_from(record, toy().board.set)
    with pytest.raises(BadRecord, match=r"start"):
        game_from({"events": []}, toy().board.set)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("board drawn - / - -", "board drawn -", "board"),
        ("board drawn - / - -; ", "", "board"),
        ("TA1^", "TA1", "tiles"),
        ("TA1^,", "", "tiles"),
        ("mine 10", "mine lots", "mine"),
        ("deck 25", "deck 25; deck 25", "deck"),
        ("red 0", "red", "red"),
        ("red 0", "red 0 z9", "red"),
        ("turn red build C1", "turn red", "turn"),
        ("turn red build C1", "turn red build C1 quickly", "turn"),
        ("turn red build C1", "turn red later", "phase"),
        ("turn red", "rules own_space=maybe; turn red", "rulings.own_space"),
        ("turn red", "paid B1/0; turn red", "paid"),
        ("turn red", "towns B1; turn red", "towns"),
        ("turn red", "castles B1/0/0; turn red", "castles"),
        ("turn red", "spare 2; turn red", "spare"),
    ],
)
def test_bad_lines_name_the_field(old: str, new: str, field: str) -> None:
    line = write_notation(toy())
    assert old in line
    with pytest.raises(BadNotation) as bad:
        read_notation(line.replace(old, new, 1), toy().board.set)
    assert field in {path for path, _ in bad.value.problems}
