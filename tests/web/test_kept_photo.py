"""A photo that could not be sent stays in the phone, through a closed page, until the table has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.table.castelli.rulebook import DOWN, FaceUp
from tests.table.tabletop import jpeg_of, photo_of, read_comment
from tests.web.chromium import Browser, phone
from tests.web.house import House, open_house


@pytest.fixture
def reading_house(folder: Path) -> Iterator[House]:
    with open_house(folder, scan=read_comment) as house:
        yield house


@pytest.fixture
def playing(reading_house: House) -> str:
    return reading_house.new_game(arrangement_seen=True).game


def one_tile_later(house: House, game: str) -> bytes:
    position = house.table.sitting(game).position
    slot = next(cell for cell in position.board.slots if position.slot(cell) == DOWN)
    return jpeg_of(photo_of(replace(position, tiles={**position.tiles, slot: FaceUp("T10", 0)})))


def scan_offline(context: BrowserContext, house: House, game: str) -> Page:
    page = context.new_page()
    page.goto(house.host_link)
    page.goto(f"{house.address}/g/{game}/")
    context.set_offline(True)
    choose_photo(page, house, game)
    expect(page.locator("form[data-scan] .form-error")).to_contain_text("sent by itself")
    return page


def choose_photo(page: Page, house: House, game: str) -> None:
    photo: Any = {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": one_tile_later(house, game)}
    page.locator("form[data-scan] .scan-button input").set_input_files(photo)


def test_it_is_sent_when_the_connection_is_back(
    reading_house: House, playing: str, chromium: Browser
) -> None:
    with phone(chromium) as context:
        page = scan_offline(context, reading_house, playing)
        context.set_offline(False)
        expect(page.locator("#proposal")).to_be_visible()
        expect(page.locator("form[data-scan] .form-error")).to_be_hidden()
    assert len(reading_house.companion.photos.of(playing)) == 1


def test_it_is_sent_also_where_nothing_else_was_lost(
    reading_house: House, playing: str, chromium: Browser
) -> None:
    """Only the photo got lost: neither browser nor stream noticed anything that could come back."""
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(reading_house.host_link)
        page.goto(f"{reading_house.address}/g/{playing}/")
        context.route("**/scan", lambda route: route.abort("connectionreset"), times=1)
        with page.expect_request_finished(lambda request: request.url.endswith("/scan")):
            choose_photo(page, reading_house, playing)
        expect(page.locator("#proposal")).to_be_visible()
        expect(page.locator("#offline")).to_be_hidden()
    assert len(reading_house.companion.photos.of(playing)) == 1


def test_it_outlives_the_page_and_is_sent_once(reading_house: House, playing: str, chromium: Browser) -> None:
    with phone(chromium) as context:
        scan_offline(context, reading_house, playing).close()
        context.set_offline(False)
        later = context.new_page()
        later.goto(f"{reading_house.address}/g/{playing}/")
        expect(later.locator("#proposal")).to_be_visible()
        later.reload()
        expect(later.locator("#proposal")).to_be_visible()
    assert len(reading_house.companion.photos.of(playing)) == 1


def test_where_the_game_went_on_it_waits_for_a_word(
    reading_house: House, playing: str, chromium: Browser
) -> None:
    with phone(chromium) as context:
        scan_offline(context, reading_house, playing).close()
        reading_house.play(playing, 1)
        context.set_offline(False)
        later = context.new_page()
        later.goto(f"{reading_house.address}/g/{playing}/")
        expect(later.locator("form[data-scan] .form-error")).to_contain_text("has not arrived yet")
        assert not reading_house.companion.photos.of(playing)
        later.get_by_role("button", name="Send the photo again").click()
        expect(later.locator("form[data-scan] .form-error")).to_be_hidden()
        expect(later.locator("#proposal, [data-scan-said]:not([hidden])").first).to_be_visible()
    assert len(reading_house.companion.photos.of(playing)) == 1


def test_what_is_too_large_is_told_and_not_kept_as_if_the_connection_were_lost(
    reading_house: House, playing: str, chromium: Browser, folder: Path
) -> None:
    too_large = folder / "raw.jpg"
    too_large.write_bytes(b"no picture" * 3_500_000)
    with phone(chromium, "de-DE") as context:
        page = context.new_page()
        page.goto(reading_house.host_link)
        page.goto(f"{reading_house.address}/g/{playing}/")
        page.locator("form[data-scan] .scan-button input").set_input_files(too_large)
        expect(page.locator("form[data-scan] .form-error")).to_contain_text("bis zu 30 MB")
        page.reload()
        expect(page.locator("form[data-scan] .form-error")).to_be_hidden()
