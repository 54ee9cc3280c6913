"""Photos at the table: kept, read, proposed, answered, confirmed, by several people at once."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
from PIL import Image

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.events import EndTurn, Evaluate, Event, Reveal
from companion.scoring.castelli.position import FaceUp, Position, changed
from companion.table.castelli.scans import Taken
from companion.table.castelli.sitting import Sitting
from companion.table.castelli.table import Table
from companion.table.errors import BadInput, BoardNotFound, NotAnswered, NotAPhoto, NotFound, Stale
from tests.table.tabletop import FOUR, Record, doubtful, jpeg_of, open_table, photo_of


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return open_table(tmp_path)


LAID = {
    "NW": {"piece": "P3", "turned": 180},
    "NE": {"piece": "P1", "turned": 0},
    "SW": {"piece": "P4", "turned": 0},
    "SE": {"piece": "P2", "turned": 180},
}


def new_game(table: Table, **settings: object) -> Sitting:
    known = {"players": FOUR, "arrangement": LAID, "arrangement_seen": True}
    return table.new_game({**known, **settings}, "Anna", f"new {sorted(settings)}")


def after(position: Position, *events: Event) -> Position:
    for event in events:
        position = apply(position, event).position
    return position


def take(table: Table, game: str, record: Record, key: str = "photo", author: str = "Ben") -> Taken:
    return table.take_photo(game, jpeg_of(record), author, key)


TURN = (Reveal("A1", "T01", 1), Evaluate())
"""T01 lies there now."""


def test_a_photo_becomes_a_proposal_and_counts_only_once_confirmed(table: Table) -> None:
    sitting = new_game(table)
    stages: list[str] = []
    truth = after(sitting.position, *TURN)
    taken = table.take_photo(sitting.game, jpeg_of(photo_of(truth)), "Ben", "photo", stages.append)
    assert stages == ["keeping", "reading", "comparing"]
    assert taken.open is not None and taken.open.proposal.events == TURN and not taken.applied
    assert table.sitting(sitting.game).position == sitting.position
    done = table.confirm(sitting.game, taken.open.id, "Cleo", "yes", taken.open.number)
    assert done.position == truth
    row = done.history[-1]
    assert (row.author, row.photo, done.last_photo) == ("Cleo", taken.photo, taken.photo)
    assert table.proposal(sitting.game) is None
    undone = table.undo(sitting.game, "Ben", "u", done.number)
    assert undone.position == sitting.position


def test_it_applies_itself_where_the_game_is_set_so_and_nothing_is_in_doubt(table: Table) -> None:
    sitting = new_game(table, auto_apply=True)
    truth = after(sitting.position, *TURN)
    taken = take(table, sitting.game, photo_of(truth))
    assert taken.applied and taken.open is None and taken.sitting.position == truth
    assert taken.sitting.history[-1].author == "Ben"
    photo = photo_of(after(truth, EndTurn(), Reveal("C1", "T02", 0), Evaluate()))
    photo["tiles"]["C1"] = doubtful(FaceUp("T02", 0), 0.7, (FaceUp("T02", 2), 0.3))
    asked = take(table, sitting.game, photo, "another")
    assert not asked.applied and asked.open is not None and len(asked.open.proposal.questions) == 1
    table.answer(sitting.game, asked.open.id, "tile/C1", "up:T02:0")
    assert table.sitting(sitting.game).position == truth  # answered is not confirmed


def test_nothing_new_closes_itself(table: Table) -> None:
    sitting = new_game(table)
    taken = take(table, sitting.game, photo_of(sitting.position))
    assert taken.open is None and not taken.applied and table.proposal(sitting.game) is None
    assert taken.sitting.number == sitting.number


def test_a_marker_that_moved_stays_open_until_somebody_has_seen_it(table: Table) -> None:
    sitting = new_game(table)
    photo = photo_of(sitting.position)
    photo["track"]["red"] = 3
    taken = take(table, sitting.game, photo)
    assert taken.open is not None and not taken.applied
    assert [(d.scale, d.colour, d.by) for d in taken.open.proposal.markers] == [("track", "red", -3)]
    table.confirm(sitting.game, taken.open.id, "Anna", "seen it", sitting.number)
    assert table.proposal(sitting.game) is None
    assert table.sitting(sitting.game).number == sitting.number  # seeing it changes nothing


def test_what_applies_itself_still_tells_of_markers_until_they_are_moved(table: Table) -> None:
    """Another marker is told as well; moving it on the charts and photographing again settles it."""
    sitting = new_game(table, auto_apply=True)
    truth = after(sitting.position, *TURN)
    photo = photo_of(truth)
    photo["resources"]["green"]["grain"] = 2
    taken = take(table, sitting.game, photo)
    assert taken.applied and taken.sitting.position == truth
    assert taken.open is not None and taken.open.proposal.is_empty
    assert [(d.scale, d.colour, d.by) for d in taken.open.proposal.markers] == [("grain", "green", -2)]
    assert take(table, sitting.game, photo).sitting.number == taken.sitting.number  # sent twice, applied once
    moved = take(table, sitting.game, photo_of(truth), "moved")
    assert moved.open is None and table.proposal(sitting.game) is None


def test_a_marker_that_was_hard_to_read_holds_nothing_up(table: Table) -> None:
    sitting = new_game(table)
    photo = photo_of(sitting.position)
    photo["track"]["red"], photo["doubtful_markers"] = 3, ["track/red"]
    assert take(table, sitting.game, photo).open is None


def test_the_same_upload_twice_is_one_photo(table: Table) -> None:
    sitting = new_game(table)
    photo = photo_of(after(sitting.position, *TURN))
    first, second = take(table, sitting.game, photo), take(table, sitting.game, photo)
    assert first.photo == second.photo and first.open == second.open
    assert len(table.photos.of(sitting.game)) == 1
    assert first.open is not None
    table.confirm(sitting.game, first.open.id, "Ben", "yes", first.open.number)
    late = take(table, sitting.game, photo)
    assert late.open is None and len(table.sitting(sitting.game).events) == 2


def test_the_same_upload_again_while_it_is_being_read_is_one_photo(table: Table) -> None:
    """A phone whose connection broke sends again before the table has done with the first."""
    sitting = new_game(table)
    photo = jpeg_of(photo_of(after(sitting.position, *TURN)))

    def again(stage: str) -> None:
        if stage == "comparing":
            table.take_photo(sitting.game, photo, "Ben", "one key")

    taken = table.take_photo(sitting.game, photo, "Ben", "one key", progress=again)
    assert taken.open is not None and taken.open == table.proposal(sitting.game)
    assert [kept.id for kept in table.photos.of(sitting.game)] == [taken.photo]


def test_two_boards_of_a_tournament_are_not_taken_for_one(table: Table) -> None:
    sitting = new_game(table)
    photo = {**photo_of(sitting.position), "assembly": "tournament"}
    with pytest.raises(BoardNotFound, match="two games"):
        take(table, sitting.game, photo)
    with pytest.raises(BoardNotFound, match="two games"):
        table.quick_record("reference", jpeg_of(photo))
    assert table.photos.of(sitting.game) == ()


def test_questions_are_answered_one_by_one_and_can_be_taken_back(table: Table) -> None:
    sitting = new_game(table)
    truth = after(sitting.position, *TURN, EndTurn(), Reveal("C1", "T02", 0), Evaluate())
    photo = photo_of(truth)
    photo["tiles"]["A1"] = doubtful(FaceUp("T01", 1), 0.6, (FaceUp("T01", 3), 0.4))
    photo["tiles"]["C1"] = doubtful(FaceUp("T02", 0), 0.6, (FaceUp("T02", 2), 0.4))
    open_now = take(table, sitting.game, photo).open
    assert open_now is not None
    game, id = sitting.game, open_now.id
    with pytest.raises(NotAnswered):
        table.confirm(game, id, "Ben", "yes", open_now.number)
    version = table.live.version(game)
    one = table.answer(game, id, "tile/A1", "up:T01:1")
    assert table.live.version(game) > version
    assert one.proposal.questions[0].id == "tile/C1"
    with pytest.raises(Stale):
        table.answer(game, id, "tile/A1", "up:T01:3")
    with pytest.raises(BadInput):
        table.answer(game, id, "tile/C1", "up:T99:0")
    two = table.answer(game, id, "tile/C1", "up:T02:0")
    assert table.proposal(game) == two
    back = table.unanswer(game, id, "tile/A1")
    assert back.answers == {} and len(back.proposal.questions) == 2
    table.answer(game, id, "tile/A1", "up:T01:1")
    table.answer(game, id, "tile/C1", "up:T02:0")
    while (now := table.proposal(game)) is not None and now.proposal.questions:
        question = now.proposal.questions[0]
        wanted = {"revealed/A1": "0", "revealed/C1": "1"}[question.id]
        with pytest.raises(BadInput):
            table.answer(game, id, question.id, "somebody")
        table.answer(game, id, question.id, wanted)
    assert table.confirm(game, id, "Ben", "yes", sitting.number).position == truth


def test_two_phones_confirm_at_once_and_one_wins(table: Table) -> None:
    sitting = new_game(table)
    open_now = take(table, sitting.game, photo_of(after(sitting.position, *TURN))).open
    assert open_now is not None
    results: list[str] = []
    ready = threading.Barrier(6)

    def phone(name: str) -> None:
        ready.wait()
        try:
            table.confirm(sitting.game, open_now.id, name, name, open_now.number)
            results.append("confirmed")
        except Stale:
            results.append("told")

    threads = [threading.Thread(target=phone, args=(f"phone {i}",)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["confirmed"] + ["told"] * 5
    assert table.sitting(sitting.game).events == TURN


def test_a_confirm_that_comes_twice_counts_once(table: Table) -> None:
    sitting = new_game(table)
    open_now = take(table, sitting.game, photo_of(after(sitting.position, *TURN))).open
    assert open_now is not None
    for _ in range(2):
        done = table.confirm(sitting.game, open_now.id, "Ben", "yes", open_now.number)
    assert done.events == TURN


def test_an_open_proposal_fits_the_table_as_it_is_now(table: Table) -> None:
    """While the question waits, somebody enters the same turn by hand: nothing is left to confirm."""
    sitting = new_game(table)
    open_now = take(table, sitting.game, photo_of(after(sitting.position, *TURN))).open
    assert open_now is not None
    later = table.apply(sitting.game, TURN, "Anna", "by hand", sitting.number)
    now = table.proposal(sitting.game)
    assert now is not None and now.proposal.events == ()
    with pytest.raises(Stale):
        table.confirm(sitting.game, open_now.id, "Ben", "yes", sitting.number)
    assert table.confirm(sitting.game, open_now.id, "Ben", "yes again", later.number).number == later.number


def test_a_new_photo_takes_the_place_of_an_open_one(table: Table) -> None:
    sitting = new_game(table)
    first = take(table, sitting.game, photo_of(after(sitting.position, *TURN)), "one").open
    other = after(sitting.position, Reveal("C1", "T02", 0), Evaluate())
    second = take(table, sitting.game, photo_of(other), "two").open
    assert first is not None and second is not None and table.proposal(sitting.game) == second
    with pytest.raises(Stale):
        table.confirm(sitting.game, first.id, "Ben", "yes", first.number)


def test_dismissed(table: Table) -> None:
    sitting = new_game(table)
    open_now = take(table, sitting.game, photo_of(after(sitting.position, *TURN))).open
    assert open_now is not None
    table.dismiss(sitting.game, open_now.id)
    assert table.proposal(sitting.game) is None and len(table.photos.of(sitting.game)) == 1
    with pytest.raises(Stale):
        table.dismiss(sitting.game, open_now.id)


def test_a_photo_that_is_deleted_proposes_nothing_more(table: Table) -> None:
    sitting = new_game(table)
    taken = take(table, sitting.game, photo_of(after(sitting.position, *TURN)))
    table.photos.delete(sitting.game, taken.photo)
    assert table.proposal(sitting.game) is None
    with pytest.raises(NotFound):
        table.crop(sitting.game, taken.photo, "A1")


def test_a_proposal_waits_over_a_restart(tmp_path: Path, table: Table) -> None:
    sitting = new_game(table)
    taken = take(table, sitting.game, photo_of(after(sitting.position, *TURN)))
    table.close()
    assert open_table(tmp_path).proposal(sitting.game) == taken.open


def test_a_photo_without_a_board_leaves_nothing_behind(table: Table) -> None:
    sitting = new_game(table)
    with pytest.raises(BoardNotFound, match="Show the whole board"):
        take(table, sitting.game, {"error": "The board was not found. Show the whole board."})
    with pytest.raises(NotAPhoto):
        table.take_photo(sitting.game, b"no photo", "Ben", "k")
    assert table.photos.of(sitting.game) == () and table.proposal(sitting.game) is None


def test_the_first_photo_tells_how_the_board_is_laid_out(table: Table) -> None:
    sitting = table.new_game({"players": FOUR}, "Anna", "new")
    assert not sitting.settings.arrangement_seen
    real = new_game(table)
    truth = after(real.position, *TURN)
    open_now = take(table, sitting.game, photo_of(truth)).open
    assert open_now is not None and open_now.proposal.arrangement == real.board.assembly
    done = table.confirm(sitting.game, open_now.id, "Ben", "yes", open_now.number)
    assert done.board == real.board and done.position == truth and done.settings.arrangement_seen
    assert table.undo(sitting.game, "Ben", "u", done.number).board == real.board


def test_another_arrangement_later_is_a_question(table: Table) -> None:
    sitting = new_game(table)
    sitting = table.apply(sitting.game, TURN, "Anna", "k", sitting.number)
    other = new_game(table, arrangement={**LAID, "NW": LAID["SE"], "SE": LAID["NW"]})
    photo = photo_of(after(other.position, *TURN))
    open_now = take(table, sitting.game, photo).open
    assert open_now is not None
    (question,) = open_now.proposal.questions
    assert question.kind == "arrangement" and [choice.id for choice in question.choices] == ["leave", "adopt"]
    left = table.answer(sitting.game, open_now.id, "arrangement", "leave")
    assert left.proposal.events == () and left.proposal.arrangement is None
    table.unanswer(sitting.game, open_now.id, "arrangement")
    table.answer(sitting.game, open_now.id, "arrangement", "adopt")
    done = table.confirm(sitting.game, open_now.id, "Ben", "yes", sitting.number)
    assert done.board == other.board and done.events == TURN


def test_a_photo_of_a_smaller_board_cannot_be_taken_for_this_one(table: Table) -> None:
    sitting = table.new_game({"players": FOUR}, "Anna", "new")
    pair = table.new_game({"players": FOUR[:2]}, "Anna", "two")
    laid = {"NW": LAID["NW"], "SW": LAID["SE"]}
    pair = table.change_settings(pair.game, {"arrangement": laid}, "Anna", "s", pair.number)
    open_now = take(table, sitting.game, photo_of(pair.position)).open
    assert open_now is not None
    assert [choice.id for choice in open_now.proposal.questions[0].choices] == ["leave"]


def test_a_fact_that_was_wrong_is_played_again_on_confirm(table: Table) -> None:
    sitting = new_game(table)
    sitting = table.apply(sitting.game, TURN, "Anna", "k1", sitting.number)
    more: list[Event] = [EndTurn(), Reveal("C1", "T02", 0), Evaluate()]
    sitting = table.apply(sitting.game, more, "Anna", "k2", sitting.number)
    lies = {**sitting.position.tiles, "A1": FaceUp("T01", 2)}
    open_now = take(table, sitting.game, photo_of(changed(sitting.position, tiles=lies))).open
    assert open_now is not None and [q.kind for q in open_now.proposal.questions] == ["contradiction"]
    table.answer(sitting.game, open_now.id, "tile/A1", "up:T01:2")
    done = table.confirm(sitting.game, open_now.id, "Ben", "yes", sitting.number)
    assert done.position == after(sitting.start, Reveal("A1", "T01", 2), Evaluate(), *more)
    assert done.history[-1].count == 2
    assert table.undo(sitting.game, "Ben", "u", done.number).position == sitting.position


def test_a_crop_shows_the_place(table: Table) -> None:
    sitting = new_game(table)
    taken = take(table, sitting.game, photo_of(after(sitting.position, *TURN)))
    record = table.reading(sitting.game, taken.photo)
    assert record is not None
    left, top = record["outlines"]["A1"][0]
    right, bottom = record["outlines"]["A1"][2]
    assert 20 < left < right < 120 and 15 < top < bottom < 120
    site = next(iter(sitting.board.sites))
    for where in ("A1", site, next(iter(sitting.board.spaces))):
        crop = Image.open(io.BytesIO(table.crop(sitting.game, taken.photo, where)))
        assert min(crop.size) > 10
    with pytest.raises(NotFound):
        table.crop(sitting.game, taken.photo, "Z9")


def test_every_place_of_the_board_lies_in_the_photo_where_it_belongs(table: Table) -> None:
    sitting = new_game(table)
    taken = take(table, sitting.game, photo_of(after(sitting.position, *TURN)))
    record = table.reading(sitting.game, taken.photo)
    assert record is not None
    outlines = record["outlines"]
    board = sitting.board
    assert set(outlines) == {*board.slots, *board.sites, *(f"{cell}/town" for cell in board.spaces)}
    for site, area in board.sites.items():
        (x0, y0), _, (x1, y1), _ = outlines[f"{area.cell}/town"]
        (a0, b0), _, (a1, b1), _ = outlines[site]
        reach = 360 * board.set.geometry.octagon / board.set.geometry.width / 2
        assert abs(x0 + x1 - a0 - a1) / 2 < reach and abs(y0 + y1 - b0 - b1) / 2 < reach


def test_sets_to_choose_from(table: Table, tmp_path: Path) -> None:
    (tmp_path / "calibrations" / "broken").mkdir(parents=True)
    cards = {card.name: card for card in table.sets()}
    assert cards["reference"].is_bundled and len(cards["reference"].colours) == 4
    assert cards["broken"].problem is not None
    assert table.looks("reference") == {} == table.looks("nowhere")
