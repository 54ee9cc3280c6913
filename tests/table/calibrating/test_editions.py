"""An edition with other cells goes the same way: its grid is seen, named, learnt, and its games are read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.table.castelli.calibrating.draft import TILES
from companion.table.errors import NotFound
from tests.table.calibrating.conftest import workshop_in
from tests.table.calibrating.owner import Owner
from tools.kitmaker.kit import Order, write_kit

PIECE = 2, 4


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Owner:
    """Pieces of 2 by 4 cells: half of everything, and quick to name."""
    kit = tmp_path_factory.mktemp("edition") / "kit"
    write_kit(kit, Order(seed=511, games=1, size=(1400, 1050), piece=PIECE))
    owner = Owner(kit, workshop_in(tmp_path_factory.mktemp("edition-drafts")))
    owner.lay_grid()  # nobody said how many cells there are
    owner.photograph_all()
    return owner


def test_the_cells_are_seen(small: Owner) -> None:
    draft = small.workshop.get(small.id)
    assert (draft.columns, draft.rows, draft.edition) == (*PIECE, "2 × 4")
    assert small.workshop.grid_doubt(small.id) is None
    assert _step(small, "tiles") == (0, 16)


def _step(owner: Owner, name: str) -> tuple[int, int]:
    step = next(step for step in owner.workshop.steps(owner.id) if step.name == name)
    return step.done, step.total


def test_an_edition_may_have_fewer_tiles_than_meadows(small: Owner) -> None:
    workshop, bare = small.workshop, "A1"
    workshop.no_tile(small.id, f"{TILES}/{bare}")
    assert _step(small, "tiles") == (0, 15)
    assert [view.cell for view in workshop.tiles(small.id) if not view.lies] == [bare]
    for nowhere in (f"{TILES}/B1", f"{TILES}/Z9", "extra/A1"):
        with pytest.raises(NotFound):
            workshop.no_tile(small.id, nowhere)
    workshop.undo(small.id)
    assert _step(small, "tiles") == (0, 16)


def test_its_games_are_read(small: Owner) -> None:
    workshop = small.workshop
    small.name_all()
    assert _step(small, "tiles") == (20, 20)
    assert [step.name for step in workshop.steps(small.id) if not step.is_done] == ["learn", "try"]
    workshop.learn(small.id)
    told = workshop.learning.wait(small.id)
    assert told is not None and told.failure is None
    _, record = workshop.try_photo(small.id, (small.kit / "games" / "01.jpg").read_bytes())
    truth = json.loads((small.kit / "games" / "01.json").read_text())
    states = {cell: "up" if isinstance(lies, dict) else lies for cell, lies in truth["tiles"].items()}
    assert {cell: read["state"] for cell, read in record["tiles"].items()} == states


def test_cells_of_which_something_was_said_are_not_changed_by_a_look(small: Owner, tmp_path: Path) -> None:
    workshop = workshop_in(tmp_path)
    id = workshop.new("My copy").id
    workshop.photograph(id, "empty", small.photo("empty"))
    workshop.set_corners(id, "empty", small.labels["empty"]["corners"])
    workshop.drafts.change(id, lambda old: old.model_copy(update={"frame": {"A1/N": "wood"}}))
    assert workshop.confirm_corners(id, "empty").edition == ""
    assert workshop.grid_doubt(id) is not None
