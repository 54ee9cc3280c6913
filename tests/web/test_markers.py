"""Markers that lie elsewhere than the book says are named, and either of the two can be put right."""

from __future__ import annotations

import html
import re
from pathlib import Path

from companion.table.castelli.rulebook import DOWN
from tests.table.tabletop import jpeg_of, photo_of, read_comment
from tests.web.asking import Browser
from tests.web.castelli.test_pages import form
from tests.web.house import open_house


def test_the_book_takes_over_what_the_marker_shows(folder: Path) -> None:
    with open_house(folder, scan=read_comment) as house:
        game = house.new_game(arrangement_seen=True).game
        sitting = house.play(game, 12)
        record = photo_of(sitting.position)
        points = sitting.position.player("red").points
        record["track"]["red"] = points + 3
        host = Browser(house.address)
        host.get(house.host_link.removeprefix(house.address))
        sent = host.upload(f"/g/{game}/scan", "photo", jpeg_of(record), form(house, game))
        assert sent.status == 303
        page = html.unescape(host.get(f"/g/{game}/").text)
        told = f"Red, victory points: the marker lies on {points + 3}, the book says {points}."
        assert f"{told} Move it 3 spaces back." in page
        by = re.findall(r'marker-right" name="by" value="(-?\d+)"', page)
        assert by == ["3"]
        answer = host.post(f"/g/{game}/player/red", form(house, game, what="points", by=by[0]))
        assert answer.status == 303
        assert house.table.sitting(game).position.player("red").points == points + 3
        assert "the marker lies on" not in host.get(f"/g/{game}/").text


def test_while_something_else_is_open_the_book_is_not_touched(folder: Path) -> None:
    """What the photo proposes is worked out from the book: that comes first."""
    with open_house(folder, scan=read_comment) as house:
        game = house.new_game(arrangement_seen=True).game
        position = house.play(game, 11).position
        hidden = [cell for cell in position.board.slots if position.slot(cell) == DOWN]
        record = photo_of(house.play(game, 1).position)
        record["track"]["red"] += 3
        while house.table.sitting(game).position.slot(hidden[0]) != DOWN:
            sitting = house.table.sitting(game)
            house.table.undo(game, "Rosa", f"undo-{sitting.number}", sitting.number)
        host = Browser(house.address)
        host.get(house.host_link.removeprefix(house.address))
        host.upload(f"/g/{game}/scan", "photo", jpeg_of(record), form(house, game))
        page = host.get(f"/g/{game}/").text
        assert "Is this what happened?" in page
        assert "the marker lies on" in page and "marker-right" not in page


def test_after_confirming_the_photo_page_still_tells_which_markers_to_move(folder: Path) -> None:
    """Many confirm first and move the wood then; once it was moved in the book too, nothing is told."""
    with open_house(folder, scan=read_comment) as house:
        game = house.new_game(arrangement_seen=True).game
        before = house.play(game, 6)
        after = house.play(game, 1)
        house.table.undo(game, "Rosa", "one-back", after.number)
        if house.table.sitting(game).position != before.position:  # a castle was built as well
            house.table.undo(game, "Rosa", "two-back", after.number + 1)
        record = photo_of(after.position)
        record["track"]["red"] += 2
        host = Browser(house.address)
        host.get(house.host_link.removeprefix(house.address))
        host.upload(f"/g/{game}/scan", "photo", jpeg_of(record), form(house, game))
        while (proposal := house.table.proposal(game)) and (open_ones := proposal.proposal.questions):
            house.table.answer(game, proposal.id, open_ones[0].id, open_ones[0].choices[0].id)
        assert proposal is not None
        host.post(f"/g/{game}/confirm", form(house, game, proposal=proposal.id))
        assert house.table.proposal(game) is None
        page = html.unescape(host.get(f"/g/{game}/photo").text)
        assert "Move it 2 spaces back." in page
        by = re.findall(r'marker-right" name="by" value="(-?\d+)"', page)
        host.post(f"/g/{game}/player/red", form(house, game, what="points", by=by[0]))
        assert "Move it" not in host.get(f"/g/{game}/photo").text


def test_a_photo_that_shows_nothing_new_says_so(folder: Path) -> None:
    with open_house(folder, scan=read_comment) as house:
        game = house.new_game(arrangement_seen=True).game
        photo = jpeg_of(photo_of(house.play(game, 6).position))
        host = Browser(house.address)
        host.get(house.host_link.removeprefix(house.address))
        sent = host.upload(f"/g/{game}/scan", "photo", photo, form(house, game), X_Send="1")
        assert "Nothing has changed" in sent.json["said"]
        assert house.table.proposal(game) is None


def test_a_moved_marker_is_told_even_where_photos_are_applied_by_themselves(folder: Path) -> None:
    with open_house(folder, scan=read_comment) as house:
        game = house.new_game(arrangement_seen=True, auto_apply=True).game
        record = photo_of(house.play(game, 6).position)
        record["resources"]["blue"]["wood"] = 5
        host = Browser(house.address)
        host.get(house.host_link.removeprefix(house.address))
        host.upload(f"/g/{game}/scan", "photo", jpeg_of(record), form(house, game))
        assert "Blue, Wood: the marker lies on 5" in host.get(f"/g/{game}/").text
        proposal = house.table.proposal(game)
        assert proposal is not None
        seen = host.post(f"/g/{game}/confirm", form(house, game, proposal=proposal.id))
        assert seen.status == 303 and house.table.proposal(game) is None
