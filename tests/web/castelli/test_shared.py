"""The score by link: a browser that never joined sees the sheet, in its own language, and nothing else."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.web.asking import Browser
from tests.web.chromium import Browser as ChromiumBrowser
from tests.web.chromium import axe_violations, phone
from tests.web.house import House


@pytest.fixture
def link(host: Browser, game: str) -> str:
    text = host.get(f"/g/{game}/share").text
    return unescape(re.findall(r'id="shared-link">([^<]+)<', text)[0])


def path_of(link: str) -> str:
    return urlsplit(link).path


def test_a_stranger_sees_the_sheet_with_every_name(
    house: House, game: str, stranger: Browser, link: str
) -> None:
    sheet = house.table.sitting(game).sheet()
    for language, heading in (("en", "Score"), ("de", "Wertung"), ("it", "Punteggio"), ("nl", "Score")):
        stranger.language = language
        shown = stranger.get(path_of(link))
        assert shown.status == 200 and f"<h1>{heading}</h1>" in shown.text
        totals = re.findall(r'class="number total[^>]*>(\d+)<', shown.text)
        assert [int(total) for total in totals] == list(sheet.totals.values())
        assert all(name in shown.text for name in ("Rosa", "Ben", "Greta", "Jan"))
    for file, kind in (
        ("castelli.svg", "image/svg+xml"),
        ("castelli.csv", "text/csv"),
        ("colours.css", "text/css"),
    ):
        answer = stranger.get(f"{path_of(link)}/{file}")
        assert answer.status == 200 and answer.headers.get_content_type() == kind


def test_the_link_opens_nothing_else(game: str, stranger: Browser, link: str) -> None:
    text = stranger.get(path_of(link)).text
    assert game not in text and "/join/" not in text
    assert "companion" not in stranger.cookies  # no seat either
    for page in ("", "board", "photo", "score", "history", "share", "castelli.json"):
        assert stranger.get(f"/g/{game}/{page}").status == 403


def test_who_waits_at_the_door_gets_no_link(game: str, guest: Browser) -> None:
    answer = guest.get(f"/g/{game}/share")
    assert answer.status == 403 and answer.sentence.startswith("The host has not let you in yet")


def test_the_host_ends_it(game: str, host: Browser, stranger: Browser, link: str) -> None:
    assert host.post(f"/g/{game}/share/end").status == 303
    gone = stranger.get(path_of(link))
    assert gone.status == 403
    assert gone.sentence == "This link shows no score any more; ask who sent it for another."


def test_the_link_is_copied_from_a_phone(house: House, game: str, chromium: ChromiumBrowser) -> None:
    with phone(chromium, permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        page.goto(house.host_link)
        page.goto(f"{house.address}/g/{game}/score?sheet=battle")
        page.get_by_role("link", name="Link", exact=True).click()
        expect(page.locator("#sheet .qr")).to_be_visible()
        assert axe_violations(page) == []
        page.get_by_role("button", name="Copy link").click()
        expect(page.get_by_role("button", name="Link copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == page.locator("#shared-link").inner_text() and copied.endswith("?sheet=battle")
    with phone(chromium, "de-AT") as context:
        stranger = context.new_page()
        stranger.goto(copied)
        expect(stranger.locator(".result-sentence")).to_be_visible()
        assert axe_violations(stranger) == []
        assert stranger.evaluate("document.documentElement.scrollWidth <= innerWidth")
