"""A sitting: what happened, by whom, undone and redone, corrected, kept and continued."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.scoring.castelli.events import (
    Correction,
    EndTurn,
    Evaluate,
    PlayerCorrection,
    Reveal,
)
from companion.scoring.castelli.position import FaceUp, Phase
from companion.scoring.castelli.records import position_record
from companion.table.castelli.sitting import RuleRefused
from companion.table.castelli.table import Table
from companion.table.errors import BadInput, Stale
from tests.table.playing import new_game, some_turns, turn
from tests.table.tabletop import open_table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return open_table(tmp_path)


def test_a_game_is_found_again_by_another_program(tmp_path: Path) -> None:
    table = open_table(tmp_path)
    before = some_turns(table)
    table.close()
    after = open_table(tmp_path).sitting(before.game)
    assert after.position == before.position and after.number == before.number
    assert after.settings == before.settings and after.settings.name_of("blue") == "Ben"


def test_games_stand_side_by_side(table: Table) -> None:
    first, second = some_turns(table, 3), new_game(table, battle=True, title="Sunday")
    lines = {line.game: line for line in table.games()}
    assert lines[first.game].turns == 3 and not lines[first.game].finished
    assert lines[second.game].title == "Sunday" and lines[second.game].players[0].name == "Anna"
    assert table.sitting(second.game).position.modules.battle


def test_undo_and_redo_any_number_of_steps(table: Table) -> None:
    sitting = some_turns(table, 4)
    game = sitting.game
    back = table.undo(game, "Ben", "u", sitting.number, steps=3)
    assert sum(isinstance(slot, FaceUp) for slot in back.position.tiles.values()) == 1
    assert (back.can_undo, back.can_redo) == (1, 3)
    forth = table.redo(game, "Ben", "r1", back.number)
    forth = table.redo(game, "Ben", "r2", forth.number, steps=2)
    assert forth.position == sitting.position
    with pytest.raises(BadInput):
        table.redo(game, "Ben", "r3", forth.number)
    with pytest.raises(BadInput):
        table.undo(game, "Ben", "u2", forth.number, steps=5)


def test_a_new_deed_ends_what_could_be_redone(table: Table) -> None:
    sitting = some_turns(table, 2)
    back = table.undo(sitting.game, "Ben", "u", sitting.number)
    other = turn(table, back, sitting.board.slots[5], "T20")
    assert other.can_redo == 0


def test_the_history_keeps_every_entry_with_its_author(table: Table) -> None:
    sitting = some_turns(table, 2)
    sitting = table.undo(sitting.game, "Ben", "u", sitting.number)
    sitting = table.adjust(sitting.game, "red", "wood", 2, "Cleo", "a", sitting.number)
    rows = sitting.history
    assert [(row.kind, row.author, row.stands) for row in rows] == [
        ("settings", "Anna", True),
        ("do", "Anna", True),
        ("do", "Anna", False),
        ("undo", "Ben", True),
        ("do", "Cleo", True),
    ]
    assert rows[3].count == 1
    revealed = rows[1].happened[0]
    assert isinstance(revealed.event, Reveal) and revealed.step is not None
    assert rows[2].happened[0].step is None
    assert isinstance(rows[4].happened[0].event, Correction)
    assert all(row.at.endswith("Z") for row in rows)


def test_what_was_undone_is_told_of_whose_turn_it_was(table: Table) -> None:
    sitting = some_turns(table, 3)
    players = [before.turn for before in (sitting.start, *(step.position for step in sitting.steps))]
    done = [players[at] for at, event in enumerate(sitting.events) if isinstance(event, Reveal)]
    assert len(set(done)) == 3
    undone = table.undo(sitting.game, "Ben", "u", sitting.number, steps=sitting.can_undo)
    undone = turn(table, undone, sitting.board.slots[0], "T20")
    told = [one.player for row in undone.history if not row.stands for one in row.happened]
    events = [one.event for row in undone.history if not row.stands for one in row.happened]
    assert [who for who, event in zip(told, events, strict=True) if isinstance(event, Reveal)] == done


def test_a_repeated_request_counts_once_even_when_it_comes_late(table: Table) -> None:
    sitting = some_turns(table, 1)
    game = sitting.game
    once = table.adjust(game, "red", "points", 3, "Anna", "plus three", sitting.number)
    later = turn(table, once, sitting.board.slots[7], "T20")
    again = table.adjust(game, "red", "points", 3, "Anna", "plus three", sitting.number)
    assert again.number == later.number
    assert again.position.player("red").points == 3


def test_who_comes_second_is_told(table: Table) -> None:
    sitting = some_turns(table, 1)
    table.adjust(sitting.game, "red", "points", 1, "Anna", "k1", sitting.number)
    with pytest.raises(Stale):
        table.adjust(sitting.game, "red", "points", 1, "Ben", "k2", sitting.number)


def test_what_the_rules_refuse_leaves_no_trace(table: Table) -> None:
    sitting = some_turns(table, 1)
    with pytest.raises(RuleRefused) as refused:
        table.apply(sitting.game, [EndTurn(), Reveal("A1", "T09"), Evaluate()], "Anna", "k", sitting.number)
    assert refused.value.code == "not-face-down" and "p. 4" in str(refused.value)
    assert table.sitting(sitting.game).number == sitting.number


@pytest.mark.parametrize(
    ("what", "by", "mine", "deck"),
    [
        ("wood", 3, 0, 0),
        ("silver", 4, -4, 0),
        ("cards", 2, 0, -2),
        ("points", 7, 0, 0),
        ("castles_left", -2, 0, 0),
    ],
)
def test_plus_and_minus(table: Table, what: str, by: int, mine: int, deck: int) -> None:
    sitting = new_game(table)
    before = sitting.position
    after = table.adjust(sitting.game, "blue", what, by, "Ben", "k", sitting.number).position
    assert getattr(after.player("blue"), what) == getattr(before.player("blue"), what) + by
    assert (after.mine - before.mine, after.deck - before.deck) == (mine, deck)


@pytest.mark.parametrize(
    ("colour", "what", "by"),
    [
        ("red", "wood", 6),
        ("red", "wood", -1),
        ("red", "crowns", 1),
        ("pink", "wood", 1),
        ("red", "castles_left", 1),
    ],
)
def test_plus_and_minus_have_limits(table: Table, colour: str, what: str, by: int) -> None:
    sitting = new_game(table)
    with pytest.raises(BadInput):
        table.adjust(sitting.game, colour, what, by, "Ben", "k", sitting.number)


def test_anything_can_be_corrected_by_hand(table: Table) -> None:
    sitting = new_game(table)
    site = next(iter(sitting.board.sites))
    correction = Correction(
        tiles={"A1": FaceUp("T01", 3)},
        castles={site: ("red",)},
        players={"red": PlayerCorrection(silver=3, points=12)},
        turn="green",
        phase=Phase.BUILD,
        note="as we found it",
    )
    after = table.correct(sitting.game, correction, "Dan", "k", sitting.number)
    position = after.position
    assert position.slot("A1") == FaceUp("T01", 3) and position.castles[site] == ("red",)
    assert (position.player("red").silver, position.player("red").points, position.turn) == (3, 12, "green")
    assert after.history[-1].author == "Dan"


def test_a_tile_that_was_entered_wrongly_pays_out_anew(table: Table) -> None:
    """Afterwards everybody has what they would have if it had been right at once."""
    wrong = some_turns(table, 6)
    slot = wrong.board.slots[2]
    game = wrong.game
    amended = table.correct_tile(game, slot, "T03", 0, "Ben", "fix", wrong.number)
    right = new_game(table, title="right from the start")
    for number in range(6):
        turns = 0 if number == 2 else number % 4
        right = turn(table, right, right.board.slots[number], f"T{number + 1:02}", turns)
    assert amended.position == right.position != wrong.position
    row = amended.history[-1]
    assert (row.author, row.count, row.stands) == ("Ben", 4, True)
    assert [r.stands for r in amended.history[1:-1]] == [True, True, False, False, False, False]
    undone = table.undo(game, "Ben", "u", amended.number)
    assert undone.position == wrong.position and undone.can_redo == 1
    assert table.redo(game, "Ben", "r", undone.number).position == right.position


def test_undo_goes_on_behind_an_amended_deed(table: Table) -> None:
    wrong = some_turns(table, 4)
    amended = table.correct_tile(wrong.game, wrong.board.slots[1], "T02", 3, "Ben", "fix", wrong.number)
    assert amended.can_undo == 2 + 3
    back = table.undo(wrong.game, "Ben", "u", amended.number, steps=3)
    assert sum(isinstance(slot, FaceUp) for slot in back.position.tiles.values()) == 2
    forth = table.redo(wrong.game, "Ben", "r", back.number, steps=3)
    assert forth.position == amended.position


def test_a_tile_that_nobody_revealed_is_simply_set(table: Table) -> None:
    sitting = some_turns(table, 1)
    after = table.correct_tile(sitting.game, "H8", "T30", 2, "Ben", "fix", sitting.number)
    assert after.position.slot("H8") == FaceUp("T30", 2)
    assert after.position.players == sitting.position.players


@pytest.mark.parametrize(("slot", "tile", "turns"), [("B1", "T01", 0), ("A1", "T99", 0), ("A1", "T01", 4)])
def test_a_tile_or_place_that_is_none(table: Table, slot: str, tile: str, turns: int) -> None:
    sitting = some_turns(table, 1)
    with pytest.raises(BadInput):
        table.correct_tile(sitting.game, slot, tile, turns, "Ben", "fix", sitting.number)


def test_points_over_turns(table: Table) -> None:
    sitting = some_turns(table, 3)
    sitting = table.adjust(sitting.game, "red", "points", 5, "Anna", "k", sitting.number)
    points = sitting.points_over_turns
    assert [(p.turn, p.colour) for p in points] == [(0, None), (1, "red"), (2, "blue"), (3, "green")]
    assert points[-1].points["red"] == 5


def test_areas_that_wait_come_in_the_order_of_how_long(table: Table) -> None:
    sitting = some_turns(table, 6)
    waits = [len(area.state.waits_for) for area in sitting.pending]
    assert waits == sorted(waits) and waits[0] >= 1 and sitting.due == ()


def test_a_game_that_was_under_way_starts_from_its_position(table: Table) -> None:
    before = some_turns(table, 5)
    later = new_game(table, start=position_record(before.position))
    assert later.position.tiles == before.position.tiles
    assert later.position.players == before.position.players


def test_many_phones_at_once_lose_nothing(table: Table) -> None:
    """Everybody adds points as fast as they can, and who is told to look again does so."""
    game = new_game(table).game
    phones, each = 6, 5

    def phone(name: str) -> None:
        for number in range(each):
            while True:
                try:
                    table.adjust(
                        game, "red", "points", 1, name, f"{name} {number}", table.sitting(game).number
                    )
                    break
                except Stale:
                    continue

    threads = [threading.Thread(target=phone, args=(f"phone {i}",)) for i in range(phones)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sitting = table.sitting(game)
    assert sitting.position.player("red").points == phones * each == len(sitting.history) - 1


def test_a_view_that_grew_is_the_view_of_somebody_who_comes_in_late(tmp_path: Path) -> None:
    table = open_table(tmp_path)
    sitting = some_turns(table, 6)
    game, slots = sitting.game, sitting.board.slots
    sitting = table.undo(game, "Ben", "u1", sitting.number, steps=3)
    sitting = table.redo(game, "Ben", "r1", sitting.number, steps=2)
    sitting = table.correct_tile(game, slots[3], "T04", 0, "Ben", "fix", sitting.number)
    sitting = turn(table, sitting, slots[9], "T21", 1)
    sitting = table.change_settings(game, {"rulings": {"own_space": "ignored"}}, "Anna", "s", sitting.number)
    grown = table.undo(game, "Ben", "u2", sitting.number, steps=3)
    table.close()
    late = open_table(tmp_path).sitting(game)
    assert late.played == grown.played and late.history == grown.history
