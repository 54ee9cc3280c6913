"""Quick score: one photo and the hands give the final sheet; other hands another one, without a new photo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.table.castelli.rulebook import FaceUp
from tests.table.tabletop import doubtful, jpeg_of, photo_of, read_comment
from tests.web.asking import Browser
from tests.web.chromium import Browser as ChromiumBrowser
from tests.web.chromium import axe_violations, phone
from tests.web.house import PLAYERS, House, open_house

EVERYBODY = {f"plays-{player['colour']}": "on" for player in PLAYERS}


@pytest.fixture
def quick_house(folder: Path) -> Iterator[House]:
    with open_house(folder, scan=read_comment) as house:
        yield house


@pytest.fixture
def host(quick_house: House) -> Browser:
    browser = Browser(quick_house.address)
    browser.get(quick_house.host_link.removeprefix(quick_house.address))
    return browser


def final_photo(house: House) -> bytes:
    game = house.new_game(arrangement_seen=True).game
    return jpeg_of(photo_of(house.play(game, 32).position))


def totals(page: str) -> list[int]:
    result = page.split('id="result"')[1].split("</ol>")[0]
    return [int(number) for number in re.findall(r'class="number">(\d+)<', result)]


def result(page: Page) -> str:
    """Who has how much, whether or not the page is laid out yet: inner_text waits for no stylesheet."""
    return str(page.locator("#result ol").text_content())


def photographed(page: Page, house: House, jpeg: bytes) -> None:
    """The quick score's page as the host opens it, with a photo chosen."""
    photo: Any = {"name": "end.jpg", "mimeType": "image/jpeg", "buffer": jpeg}
    page.goto(house.host_link)
    page.goto(f"{house.address}/quick")
    page.locator("input[name=photo]").set_input_files(photo)


def score_again(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Score it again").click()


def test_the_sheet_and_the_sheet_with_other_hands(quick_house: House, host: Browser) -> None:
    form = {"set": "reference", **EVERYBODY, "cards-red": "3", "silver-red": "9"}
    first = host.upload("/quick", "photo", final_photo(quick_house), form, Accept="text/html")
    assert first.status == 200
    reading = re.findall(r'name="reading" value="([\w-]+)"', first.text)[0]
    before = totals(first.text)
    assert len(before) == 4
    again = {**form, "reading": reading, "cards-red": "13"}
    second = host.upload("/quick", "photo", b"", again, Accept="text/html")
    assert sum(totals(second.text)) == sum(before) + 10
    battle = host.upload("/quick", "photo", b"", {**again, "battle": "on"}, Accept="text/html")
    assert sum(totals(battle.text)) > sum(totals(second.text))


def test_what_was_not_read_for_sure_is_asked_for(quick_house: House, host: Browser) -> None:
    """A doubtful marker is named beside its number, a doubtful tile shows its place in the photo."""
    position = quick_house.play(quick_house.new_game(arrangement_seen=True).game, 32).position
    record = photo_of(position)
    cell = position.board.slots[0]
    lying = position.slot(cell)
    assert isinstance(lying, FaceUp)
    record["tiles"][cell] = doubtful(lying, 0.6, (FaceUp(lying.tile, (lying.turns + 1) % 4), 0.3))
    record["doubtful_markers"] = ["track/red", "wood/blue"]
    form = {"set": "reference", **EVERYBODY}
    answer = host.upload("/quick", "photo", jpeg_of(record), form, Accept="text/html")
    red = position.player("red").points
    assert f'name="points-red" value="" placeholder="{red} ?" class="unread"' in answer.text
    assert answer.text.count('class="unread"') == 2
    assert "2 markers were not read for sure" in answer.text
    assert "1 place is in doubt and does not count yet" in answer.text
    crop = re.findall(rf'src="(/quick/[\w-]+/{cell}.jpg)"', answer.text)[0]
    assert host.get(crop).body.startswith(b"\xff\xd8")
    assert host.get(crop.replace(cell, "Z9")).status == 404
    told = {**form, "points-red": str(red), "wood-blue": "1"}
    told["reading"] = re.findall(r'name="reading" value="([\w-]+)"', answer.text)[0]
    again = host.upload("/quick", "photo", b"", told, Accept="text/html")
    assert 'class="unread"' not in again.text


def test_an_answer_counts_in_every_sheet_that_follows(quick_house: House, chromium: ChromiumBrowser) -> None:
    position = quick_house.play(quick_house.new_game(arrangement_seen=True).game, 32).position
    record = photo_of(position)
    site = next(site for site in position.board.sites if not position.castles.get(site))
    record["castles"][site] = doubtful(("red",), 0.6, ((), 0.4))
    with phone(chromium) as context:
        page = context.new_page()
        photographed(page, quick_house, jpeg_of(record))
        page.locator("input[name=battle]").check()
        page.get_by_role("button", name="Score it").click()
        before = result(page)
        page.locator(f'input[name="answer-castle/{site}"][value="red"]').check()
        score_again(page)
        expect(page.locator(".doubt")).to_have_count(0)
        answered = result(page)
        assert answered != before
        score_again(page)
        assert result(page) == answered
        page.get_by_text("1 answer given").click()
        page.locator(f'input[name="answer-castle/{site}"]').uncheck()
        score_again(page)
        expect(page.locator(".doubt")).to_have_count(1)
        assert not axe_violations(page)


def test_what_was_sent_is_not_replaced_by_what_was_typed_before(
    quick_house: House, chromium: ChromiumBrowser
) -> None:
    """On a slow phone a number is typed and sent before the page's scripts have come."""
    with phone(chromium) as context:
        page = context.new_page()
        photographed(page, quick_house, final_photo(quick_house))
        page.locator("input[name=cards-red]").fill("4")
        page.get_by_role("button", name="Score it").click()
        expect(page.locator("#result .points")).to_have_count(4)
        cards = page.locator("input[name=cards-red]")
        cards.evaluate("field => { field.value = 5 }")  # no script hears of it
        score_again(page)
        expect(cards).to_have_value("5")
        cards.fill("6")
        page.reload()
        expect(cards).to_have_value("6")


def test_on_a_phone(quick_house: House, chromium: ChromiumBrowser) -> None:
    photo: Any = {"name": "end.jpg", "mimeType": "image/jpeg", "buffer": final_photo(quick_house)}
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(quick_house.host_link)
        page.get_by_role("link", name="Quick score").click()
        page.locator("input[name=photo]").set_input_files(photo)
        page.locator("input[name=cards-red]").fill("4")
        page.get_by_role("button", name="Score it").click()
        expect(page.locator("#result .points")).to_have_count(4)
        assert page.locator("input[name=cards-red]").input_value() == "4"
        before = result(page)
        page.locator("input[name=cards-red]").fill("5")
        score_again(page)
        assert result(page) != before
        assert page.locator("input[name=cards-red]").input_value() == "5"


def test_the_photo_is_read_while_the_hands_are_typed(quick_house: House, chromium: ChromiumBrowser) -> None:
    """A photo that cannot be read is said at once, and nothing that was typed is lost."""
    position = quick_house.play(quick_house.new_game(arrangement_seen=True).game, 32).position
    record = photo_of(position)
    record["track"]["red"], record["doubtful_markers"] = None, ["track/red"]
    bad: Any = {"name": "notes.txt", "mimeType": "image/jpeg", "buffer": b"no photo"}
    good: Any = {"name": "end.jpg", "mimeType": "image/jpeg", "buffer": jpeg_of(record)}
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(quick_house.host_link)
        page.goto(f"{quick_house.address}/quick")
        page.locator("input[name=silver-blue]").fill("7")
        page.locator("input[name=photo]").set_input_files(bad)
        expect(page.locator("#quick-form .form-error")).to_be_visible()
        page.locator("input[name=photo]").set_input_files(good)
        expect(page.locator("#quick-form [data-said]")).to_contain_text("1 marker was not read for sure")
        expect(page.locator("#quick-form .form-error")).to_be_hidden()
        points = page.locator("input[name=points-red]")
        expect(points).to_have_class("unread")
        blue = str(position.player("blue").points)
        expect(page.locator("input[name=points-blue]")).to_have_attribute("placeholder", blue)
        points.fill("61")
        page.get_by_role("button", name="Score it").click()
        expect(page.locator("#result .points")).to_have_count(4)
        track = page.locator("#result .score-table tbody tr").first
        assert track.locator("td").first.inner_text() == "61"
        assert page.locator("input[name=silver-blue]").input_value() == "7"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"plays-red": "", "plays-blue": "", "plays-green": ""}, 422),
        ({"cards-red": "many"}, 422),
        ({"cards-red": "-1"}, 422),
        ({"reading": "gone"}, 404),
    ],
)
def test_what_cannot_be_scored_is_said(host: Browser, change: dict[str, str], status: int) -> None:
    form = {"set": "reference", "reading": "none", **EVERYBODY, **change}
    sent = {name: value for name, value in form.items() if value}
    answer = host.upload("/quick", "photo", b"", sent)
    assert (answer.status, bool(answer.sentence)) == (status, True)


def test_the_sheet_goes_on_as_a_picture_and_a_table(quick_house: House, chromium: ChromiumBrowser) -> None:
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(quick_house.host_link)
        page.goto(f"{quick_house.address}/quick")
        photo: Any = {"name": "end.jpg", "mimeType": "image/jpeg", "buffer": final_photo(quick_house)}
        page.locator("#quick-form input[name=photo]").set_input_files(photo)
        expect(page.locator("[data-said]")).to_contain_text("has been read")
        page.get_by_role("button", name="Score it").click()
        expect(page.locator("#result")).to_be_visible()
        points = [int(n) for n in page.locator("#result .score-table tfoot td").all_inner_texts()]
        starts = {"Picture": b"<?xml", "CSV": "\ufeff".encode(), "Save as PNG": b"\x89PNG"}
        for name, start in starts.items():
            with page.expect_download() as download:
                page.locator(".share-row").get_by_text(name, exact=True).click()
            data = download.value.path().read_bytes()
            assert data.startswith(start)
            if name == "CSV":
                assert data.decode().splitlines()[-1] == ",".join(["Total", *map(str, points)])
