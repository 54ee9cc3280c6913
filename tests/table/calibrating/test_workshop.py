"""From the first photo to the finished set: proposals learn, and the command learns the same from the kit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.table.castelli.calibrating.trying import put_right
from companion.table.errors import BadInput, Busy
from tests.table.calibrating.conftest import workshop_in
from tests.table.calibrating.owner import Owner


@pytest.fixture(scope="module")
def learnt(made_kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Owner:
    """Everything is named, and the calibration is learnt."""
    owner = Owner(made_kit, workshop_in(tmp_path_factory.mktemp("learnt")))
    owner.lay_grid()
    owner.photograph_all()
    with pytest.raises(BadInput, match="still missing"):
        owner.workshop.learn(owner.id)
    spaces = owner.name_spaces()
    owner.name_rim()
    sides = owner.name_tiles()
    owner.name_castles()
    owner.place_scales()
    owner.workshop.learn(owner.id)
    with pytest.raises(Busy):
        owner.workshop.learn(owner.id)
    told = owner.workshop.learning.wait(owner.id)
    assert told is not None and told.failure is None and told.name == "my-copy"
    owner.proposed_spaces, owner.proposed_sides = spaces, sides  # type: ignore[attr-defined]
    return owner


def test_proposals_save_most_of_the_naming(learnt: Owner) -> None:
    pairs = learnt.proposed_spaces  # type: ignore[attr-defined]
    splits = [
        {frozenset(area.sides) for area in one.areas} == {frozenset(area.sides) for area in truth.areas}
        for one, truth in pairs
    ]
    assert sum(splits) >= 26
    sides = learnt.proposed_sides  # type: ignore[attr-defined]
    colours = [proposed[0] == told[0] for proposed, told in sides]
    assert sum(colours) >= 0.95 * len(colours)
    later = [proposed == told for proposed, told in sides[len(sides) // 2 :]]
    assert sum(later) >= 0.7 * len(later)


def test_all_steps_are_done_and_the_report_says_what_would_help(learnt: Owner) -> None:
    made = learnt.workshop.steps(learnt.id)
    assert [step.name for step in made if not step.is_done] == ["try"]
    report = learnt.workshop.report(learnt.id)
    assert not report.stale
    assert report.calibration == "my-copy"
    assert any("another lamp" in str(told) for told in report.advice)


def test_the_command_learns_the_same_from_the_kit(learnt: Owner, tmp_path: Path) -> None:
    kit = learnt.workshop.drafts.place(learnt.id) / "kit"
    done = CliRunner().invoke(main, ["calibrate", str(kit), "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    own = learnt.workshop.calibrations.get("my-copy").folder
    assert sorted(file.name for file in own.iterdir()) == sorted(f.name for f in (tmp_path / "out").iterdir())
    for file in own.iterdir():
        assert file.read_bytes() == (tmp_path / "out" / file.name).read_bytes(), file.name


def test_a_tried_photo_is_read_put_right_and_taught(learnt: Owner) -> None:
    workshop = learnt.workshop
    game = (learnt.kit / "games" / "01.jpg").read_bytes()
    role, record = workshop.try_photo(learnt.id, game)
    assert role == "try-1"
    truth = json.loads((learnt.kit / "games" / "01.json").read_text())
    down = {cell for cell, lies in truth["tiles"].items() if lies == "down"}
    read = {cell for cell, tile in record["tiles"].items() if tile["state"] == "down"}
    assert len(down ^ read) <= 2
    assert not workshop.report(learnt.id).stale
    workshop.fix(learnt.id, role, "tiles/A1", "none")
    assert workshop.reading(learnt.id, role)["tiles"]["A1"]["state"] == "none"
    workshop.teach(learnt.id, role)
    assert workshop.report(learnt.id).stale
    workshop.undo(learnt.id)
    assert not workshop.report(learnt.id).stale


def test_a_corrected_photo_of_a_game_becomes_one_to_learn_from(learnt: Owner) -> None:
    workshop = learnt.workshop
    label = {"tiles": {"A1": {"tile": "T01", "turns": 2}}, "castles": {}, "towns": {}}
    assert not workshop.teach_from_play("no such set", learnt.photo("tiles"), label)
    assert workshop.teach_from_play("my-copy", learnt.photo("tiles"), label, relearn=False)
    draft = workshop.get(learnt.id)
    assert draft.shots["extra-1"].taught
    workshop.remove_photo(learnt.id, "extra-1")


def test_another_owner_gets_the_set_in_one_file(learnt: Owner, tmp_path: Path) -> None:
    name, data = learnt.workshop.export("my-copy")
    assert name == "my-copy.companion-set"
    friend = workshop_in(tmp_path)
    assert friend.preview(data).title == "My copy"
    assert friend.import_set(data, "from-a-friend") == "from-a-friend"
    assert [calibration.name for calibration in friend.calibrations.all()] == ["from-a-friend"]


def test_what_cannot_be_meant_is_no_correction() -> None:
    for place, truth in (("tiles/A1", "sideways"), ("castles/B1/0/0", "red"), ("towns/B1", "hut"), ("x", 1)):
        with pytest.raises(BadInput):
            put_right({"tiles": {}}, place, truth)
