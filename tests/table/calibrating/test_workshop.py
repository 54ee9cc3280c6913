"""From the first photo to the finished set: proposals learn, and the command learns the same from the kit."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image, ImageEnhance, ImageFilter

from companion.cli import main
from companion.table.castelli.calibrating.draft import Draft
from companion.table.castelli.calibrating.kitfiles import label_record
from companion.table.castelli.calibrating.sites import standing
from companion.table.castelli.calibrating.trying import put_right
from companion.table.errors import BadInput, Busy, TableError
from tests.table.calibrating.conftest import workshop_in
from tests.table.calibrating.owner import Owner


@pytest.fixture(scope="module")
def learnt(named: Owner) -> Owner:
    named.workshop.learn(named.id)
    with pytest.raises(Busy):
        named.workshop.learn(named.id)
    told = named.workshop.learning.wait(named.id)
    assert told is not None and told.failure is None and told.name == "my-copy"
    return named


def test_half_a_set_is_not_learnt(photographed: Owner) -> None:
    with pytest.raises(BadInput, match="still missing"):
        photographed.workshop.learn(photographed.id)


def test_proposals_save_most_of_the_naming(learnt: Owner) -> None:
    pairs = learnt.proposed_spaces
    splits = [
        {frozenset(area.sides) for area in one.areas} == {frozenset(area.sides) for area in truth.areas}
        for one, truth in pairs
    ]
    assert sum(splits) >= 26
    sides = learnt.proposed_sides
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


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda p: ImageEnhance.Brightness(p).enhance(0.02), "dark|board"),
        (lambda p: p.filter(ImageFilter.GaussianBlur(12)), "blurred|sharp|board"),
        (lambda p: p.crop((0, 0, p.width // 3, p.height // 3)), "board"),
    ],
)
def test_a_bad_photo_to_try_gets_a_sentence(
    learnt: Owner, spoil: Callable[[Image.Image], Image.Image], says: str
) -> None:
    before = learnt.workshop.get(learnt.id)
    picture = spoil(Image.open(learnt.kit / "games" / "01.jpg").convert("RGB"))
    out = io.BytesIO()
    picture.save(out, "JPEG")
    with pytest.raises(TableError, match=says):
        learnt.workshop.try_photo(learnt.id, out.getvalue())
    assert learnt.workshop.get(learnt.id) == before


def test_one_thing_is_said_anew_and_the_rest_stays(learnt: Owner) -> None:
    workshop, before = learnt.workshop, learnt.workshop.get(learnt.id)
    side = next(iter(before.frame))
    other = "silver" if before.frame[side] != "silver" else "card"
    after = workshop.set_rim(learnt.id, side, other)
    assert workshop.report(learnt.id).stale
    changed = {name for name in Draft.model_fields if getattr(before, name) != getattr(after, name)}
    assert changed <= {"frame", "number", "changed", "keys"}
    undone = workshop.undo(learnt.id)
    assert not undone.frame.items() ^ before.frame.items()
    assert undone.calibration == before.calibration
    assert not workshop.report(learnt.id).stale


def test_pieces_left_beside_tiles_are_not_taken_for_print(named: Owner) -> None:
    """Towns that stand on the photo of the start: on one of tiles nobody would be asked about them."""
    draft = named.workshop.get(named.id)
    towns = {f"{cell}/town" for cell in named.labels["start"]["towns"]}
    found = standing(named.workshop.looking, draft, draft.shots["empty"], draft.shots["start"])
    assert len(towns - {*found}) <= 2
    assert label_record(draft, "tiles", "tiles.jpg", found)["unknown"] == sorted(found)


def test_a_new_photo_of_the_empty_board_keeps_all_that_was_named(learnt: Owner) -> None:
    workshop, before = learnt.workshop, learnt.workshop.get(learnt.id)
    after = workshop.photograph(learnt.id, "empty", learnt.photo("empty"))
    assert (after.spaces, after.tiles, after.castles) == (before.spaces, before.tiles, before.castles)
    assert (after.geometry, after.scales) == (before.geometry, before.scales)
    assert not after.shots["empty"].corners_confirmed
    workshop.undo(learnt.id)


def test_a_tile_under_a_second_lamp_is_known_by_its_name(learnt: Owner) -> None:
    """The same tile on another photo is named once more, and is no second tile of the set."""
    workshop = learnt.workshop
    warm = ImageEnhance.Color(Image.open(learnt.kit / "setup" / "tiles.jpg").convert("RGB")).enhance(0.8)
    out = io.BytesIO()
    warm.save(out, "JPEG", quality=92)
    workshop.photograph(learnt.id, "tiles-2", out.getvalue())
    first = workshop.tiles(learnt.id, "tiles")[0]
    again = next(view for view in workshop.tiles(learnt.id, "tiles-2") if view.cell == first.cell)
    assert again.proposal.sides == first.proposal.sides
    assert first.tile is not None
    workshop.set_tile(learnt.id, again.key, first.tile)
    ids = workshop.tile_ids(learnt.id)
    assert ids[again.key] == ids[first.key]
    assert workshop.tile_check(learnt.id).problems == ()
    while "tiles-2" in workshop.undo(learnt.id).shots:
        pass


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
