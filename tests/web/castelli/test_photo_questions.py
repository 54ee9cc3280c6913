"""Doubtful places are settled where they are seen: tapped on the photo, one question after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from companion.table.castelli.rulebook import DOWN, FaceUp
from companion.table.castelli.sitting import Sitting
from tests.table.tabletop import Record, doubtful, jpeg_of, photo_of, read_comment
from tests.web.chromium import Browser, axe_violations, phone
from tests.web.house import House, open_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("questions"), scan=read_comment) as opened:
        yield opened


@pytest.fixture
def page(house: House, chromium: Browser) -> Iterator[Page]:
    with phone(chromium) as context:
        opened = context.new_page()
        opened.goto(house.host_link)
        yield opened


def in_doubt(sitting: Sitting) -> Record:
    """A tile was revealed, which of two cannot be told; a castle may stand on a site or not."""
    position = sitting.position
    slot = next(cell for cell in sitting.board.slots if position.slot(cell) == DOWN)
    record = photo_of(replace(position, tiles={**position.tiles, slot: FaceUp("T10", 0)}))
    record["tiles"][slot] = doubtful(FaceUp("T10", 0), 0.6, (FaceUp("T11", 0), 0.3))
    built = next(iter(sitting.board.sites))
    record["castles"][built] = doubtful(("red",), 0.55, ((), 0.45))
    return record


def test_a_ringed_place_is_tapped_and_the_next_question_follows(house: House, page: Page) -> None:
    sitting = house.play(house.new_game(arrangement_seen=True).game, 3)
    taken = house.table.take_photo(sitting.game, jpeg_of(in_doubt(sitting)), "Rosa", "doubts")
    assert taken.open is not None
    tile, castle = (question.id for question in taken.open.proposal.questions)
    page.goto(f"{house.address}/g/{sitting.game}/photo")
    expect(page.locator(".asked li")).to_have_count(2)
    assert not axe_violations(page)
    page.locator(f'svg.reading a[href$="/question/{castle}"]').dispatch_event("click")
    expect(page.locator("#sheet .answers .answer")).to_have_count(2)
    page.locator('#sheet .answers button[value="empty"]').click()
    expect(page.locator(f'#sheet .answers input[value="{tile}"]')).to_have_count(1)  # and not closed
    expect(page.locator(".asked li")).to_have_count(1)
    page.locator("#sheet .answers .answer").first.click()
    page.locator("#sheet").get_by_role("link", name="To the table").click()
    expect(page.get_by_role("button", name="Confirm")).to_be_visible()


def test_the_sheet_of_a_question_goes_with_its_photo(house: House, page: Page) -> None:
    sitting = house.play(house.new_game(arrangement_seen=True).game, 3)
    taken = house.table.take_photo(sitting.game, jpeg_of(in_doubt(sitting)), "Rosa", "gone")
    assert taken.open is not None
    page.goto(f"{house.address}/g/{sitting.game}/photo")
    page.locator(".asked a").first.click()
    expect(page.locator("#sheet .answers")).to_be_visible()
    house.table.dismiss(sitting.game, taken.open.id)
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(".asked")).to_have_count(0)


def test_a_contradiction_tells_what_is_in_the_book_and_what_is_on_the_photo(house: House, page: Page) -> None:
    sitting = house.play(house.new_game(arrangement_seen=True).game, 3)
    photo = photo_of(sitting.position)
    slot = next(cell for cell, lies in sitting.position.tiles.items() if isinstance(lies, FaceUp))
    photo["tiles"][slot]["turns"] = (photo["tiles"][slot]["turns"] + 1) % 4
    house.table.take_photo(sitting.game, jpeg_of(photo), "Rosa", "turned")
    page.goto(f"{house.address}/g/{sitting.game}/")
    answers = page.locator("#proposal .answers .answer")
    expect(answers.filter(has_text="so far")).to_have_count(1)
    expect(answers.filter(has_text="on the photo")).to_have_count(1)


def test_players_are_called_by_their_names_where_one_of_them_is_asked_for(house: House, page: Page) -> None:
    """Two tiles since the last photo, of which one brings a card: who revealed it?"""
    sitting = house.play(house.new_game(arrangement_seen=True).game, 1)
    position = sitting.position
    slots = [cell for cell in sitting.board.slots if position.slot(cell) == DOWN]
    tiles = {tile.cards > 0: tile.id for tile in sitting.game_set.tiles.values() if not tile.start}
    lying = {slots[-1]: FaceUp(tiles[True], 0), slots[-4]: FaceUp(tiles[False], 0)}
    photo = photo_of(replace(position, tiles={**position.tiles, **lying}))
    house.table.take_photo(sitting.game, jpeg_of(photo), "Rosa", "who")
    page.goto(f"{house.address}/g/{sitting.game}/")
    answers = page.locator("#proposal .answers .answer")
    expect(answers).to_have_count(2)
    assert {words.strip() for words in answers.all_inner_texts()} <= {"R\nRosa", "B\nBen", "G\nGreta"}
