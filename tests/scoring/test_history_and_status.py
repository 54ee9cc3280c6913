"""Replays that fail in the middle, undo, and every problem of a messy table."""

from __future__ import annotations

from typing import Any

import pytest

from companion.scoring.castelli import (
    Build,
    Card,
    Correction,
    EndTurn,
    Evaluate,
    Event,
    FaceUp,
    Game,
    Modules,
    Phase,
    Player,
    Position,
    Reveal,
    Town,
    changed,
    game_status,
    replay,
    score_sheet,
    status,
)
from companion.scoring.castelli.questions import area_states, building_sites, majorities
from tests.scoring.boards import BATTLE, RICH, toy

EVENTS: list[Event] = [Reveal("C3", "T1"), Evaluate(), Build("B1/0/0"), EndTurn(), Build("B1/0/1"), EndTurn()]


def test_a_replay_keeps_the_good_part_and_says_where_and_why() -> None:
    game = replay(toy("red", Phase.REVEAL, red=RICH), EVENTS)
    assert game.failure is not None
    assert (game.failure.index, game.failure.event) == (4, Build("B1/0/1"))
    assert game.failure.error.code == "not-revealed"
    assert game.events == tuple(EVENTS[:4]) and len(game.steps) == 4
    assert game.position.turn == "blue" and game.position.castles == {"B1/0/0": ("red",)}


def test_undo_drops_the_last_event() -> None:
    start = toy("red", Phase.REVEAL, red=RICH)
    game = replay(start, EVENTS[:3])
    assert game.undo() == replay(start, EVENTS[:2])
    assert game.undo().undo().undo().position is start
    assert Game(start).undo() == Game(start)


def test_an_area_paid_twice_is_reported() -> None:
    again: list[Event] = [
        Reveal("C3", "T1"),
        Evaluate(),
        Correction(not_paid=frozenset({"C2/1"}), phase=Phase.PLACED),
        Evaluate(),
    ]
    problems = game_status(replay(toy("red", Phase.REVEAL), again))
    assert [(p.where, p.code) for p in problems if p.code == "paid-twice"] == [("C2/1", "paid-twice")]


def messy(**changes: Any) -> Position:
    return changed(toy("red", Phase.REVEAL, mine=22), **changes)


def with_red(**changes: Any) -> tuple[Player, ...]:
    red, *others = messy().players
    return (changed(red, **changes), *others)


CASES: list[tuple[str, str, dict[str, Any]]] = [
    ("castles", "red", {"castles": {f"X{number}/0/0": ("red",) for number in range(10)}}),
    ("castles-left", "red", {"castles": {"B1/0/0": ("red",)}}),
    ("stack", "B1/0/0", {"castles": {"B1/0/0": ("red", "blue", "green")}, "modules": BATTLE}),
    ("no-battle", "B1/0/0", {"castles": {"B1/0/0": ("red", "blue")}}),
    ("own-castle", "B1/0/0", {"castles": {"B1/0/0": ("red", "red")}}),
    ("no-site", "B1/7/0", {"castles": {"B1/7/0": ("red",)}}),
    ("empty-stack", "B1/0/0", {"castles": {"B1/0/0": ()}}),
    ("no-coat", "D3/0/0", {"castles": {"D3/0/0": ("red",)}}),
    ("not-playing", "pink", {"castles": {"B1/0/0": ("pink",)}}),
    ("silver-too-much", "", {"mine": 23}),
    ("silver-missing", "", {"mine": 21}),
    ("mine", "", {"mine": -1}),
    ("wood", "red", {"players": with_red(wood=6)}),
    ("rocks", "red", {"players": with_red(rocks=-1)}),
    ("points", "red", {"players": with_red(points=-1)}),
    ("known-cards", "red", {"players": with_red(known=(Card.RAIDER,))}),
    ("card-twice", "brigands", {"players": with_red(cards=2, known=(Card.BRIGANDS,) * 2)}),
    ("no-battle", "duke", {"players": with_red(cards=1, known=(Card.DUKE,))}),
    ("card-count", "", {"deck": 24}),
    ("deck", "", {"deck": -1}),
    ("tile-twice", "E3", {"tiles": {**messy().tiles, "E3": FaceUp("TA1")}}),
    ("no-such-tile", "E3", {"tiles": {**messy().tiles, "E3": FaceUp("T99")}}),
    ("bad-turn", "E3", {"tiles": {**messy().tiles, "E3": FaceUp("T1", 7)}}),
    ("no-tile", "E3", {"tiles": {**messy().tiles, "E3": "none"}}),
    ("no-slot", "B1", {"tiles": {**messy().tiles, "B1": "down"}}),
    ("not-paid", "C2/1", {"tiles": {**messy().tiles, "C3": FaceUp("T1")}}),
    ("paid-early", "D3/0", {"evaluated": messy().evaluated | {"D3/0"}}),
    ("no-area", "Z9/0", {"evaluated": messy().evaluated | {"Z9/0"}}),
    ("mine-paid", "A2/0", {"evaluated": messy().evaluated | {"A2/0"}}),
    ("villages", "", {"towns": {**messy().towns, "C2": Town.VILLAGE}}),
    ("no-space", "A1", {"towns": {**messy().towns, "A1": Town.CITY}}),
    ("spare-towns", "", {"spare_villages": -1}),
    ("no-dilemma", "red", {"players": with_red(holds_start=True)}),
    ("start-tiles", "", {"players": with_red(holds_start=True), "modules": Modules(dilemma=True)}),
    ("turn", "pink", {"turn": "pink"}),
    ("placed", "", {"phase": Phase.BUILD}),
    ("finished", "", {"finished": True}),
    ("players", "", {"players": messy().players[:1]}),
    ("player-twice", "red", {"players": messy().players[:1] * 2}),
    ("no-such-colour", "pink", {"players": (*messy().players[:3], Player("pink"))}),
]


def test_the_toy_table_itself_is_in_order() -> None:
    assert status(messy()) == ()


@pytest.mark.parametrize(("code", "where", "changes"), CASES)
def test_a_messy_table_is_reported(code: str, where: str, changes: dict[str, Any]) -> None:
    problems = status(messy(**changes))
    found = [problem for problem in problems if (problem.code, problem.where) == (code, where)]
    assert len(found) == 1, problems
    assert found[0].sentence.endswith(".")


def test_a_table_in_ruins_is_reported_and_still_answers() -> None:
    everything: dict[str, Any] = {}
    for _, _, changes in CASES:
        everything.update(changes)
    ruin = messy(**everything)
    assert len(status(ruin)) > 10
    assert len(majorities(ruin)) == len(area_states(ruin)) == len(ruin.board.areas)
    assert building_sites(ruin, "red") is not None
    assert set(score_sheet(ruin).totals) == set(ruin.colours)
