"""A draft is on the disk after every change, can be taken back, and is left alone when damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.castelli.calibrating.desk import Desk
from companion.table.errors import BadInput, NotFound, StorageDamaged


def test_a_draft_survives_being_reopened(tmp_path: Path) -> None:
    draft = Desk(tmp_path).new("My copy")
    again = Desk(tmp_path)
    assert again.get(draft.id) == draft
    assert again.rename(draft.id, "Ours").title == "Ours"
    assert Desk(tmp_path).get(draft.id).title == "Ours"


def test_changes_are_taken_back_and_made_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    id = desk.new("one").id
    desk.rename(id, "two")
    desk.rename(id, "three")
    assert desk.undo(id).title == "two"
    assert desk.undo(id).title == "one"
    assert not desk.can_undo(id)
    assert desk.redo(id).title == "two"
    desk.rename(id, "four")
    assert not desk.can_redo(id)
    assert Desk(tmp_path).undo(id).title == "two"


def test_what_the_program_noted_is_nothing_to_take_back(tmp_path: Path) -> None:
    """Learning names a calibration: taking back what was said before leaves its name."""
    desk = Desk(tmp_path)
    id = desk.new("one").id
    desk.rename(id, "two")
    desk.drafts.note(id, calibration="mine")
    undone = desk.undo(id)
    assert (undone.title, undone.calibration) == ("one", "mine")


def test_what_is_sent_twice_is_done_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    id = desk.new("one").id
    first = desk.rename(id, "two", key="k1")
    desk.rename(id, "three", key="k2")
    assert desk.rename(id, "two", key="k1").title == "three"
    assert first.number == 1


def test_a_deleted_draft_is_gone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    id = desk.new("one").id
    desk.delete(id)
    with pytest.raises(NotFound):
        desk.get(id)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("id", ["../../etc", "", "nothing", "000000000000"])
def test_ids_lead_nowhere_else(tmp_path: Path, id: str) -> None:
    with pytest.raises(NotFound):
        Desk(tmp_path).get(id)


def test_a_damaged_draft_is_named_and_left_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    id = desk.new("one").id
    file = tmp_path / id / "draft.json"
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(StorageDamaged):
        desk.get(id)
    assert desk.drafts.all() == ()
    assert file.stat().st_size == 40


@pytest.mark.parametrize(("columns", "rows", "edition"), [(3, 4, "odd"), (2, 4, ""), (14, 4, "huge")])
def test_cells_that_make_no_board_are_refused(tmp_path: Path, columns: int, rows: int, edition: str) -> None:
    with pytest.raises(BadInput):
        Desk(tmp_path).new("one", columns, rows, edition)
