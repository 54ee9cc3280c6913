"""An evening with real photos: three turns in a row, taken by two phones, read with the bundled calibration.

What is in doubt the players settle by looking at their board, which here is the photo's label. So the test
does not ask how well photos are read, but that after the questions everybody sees the table as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.table.bundled import bundled
from companion.table.castelli.rulebook import FaceUp
from companion.table.scan_process import ScanProcess
from tests.web.chromium import Browser, phone
from tests.web.house import PLAYERS, House, open_house

EVENING = Path(__file__).resolve().parent.parent.parent / "sample_images" / "evening"
READING = 120_000
"""Milliseconds for a photo: only ever reached by a test that fails."""

Label = dict[str, Any]


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    reader = ScanProcess()
    with open_house(folder, scan=reader, calibration=bundled("calibration")) as opened:
        yield opened
    reader.close()


def label(name: str) -> Label:
    found: Label = json.loads((EVENING / f"{name}.json").read_text(encoding="utf-8"))
    return found


def test_photos_in_a_row_become_the_game(house: House, chromium: Browser) -> None:
    start = label("start")
    colours = [player["colour"] for player in PLAYERS]
    assert start["players"] == colours
    made = house.new_game(start=start, arrangement=start["arrangement"], arrangement_seen=True)
    with phone(chromium) as rosa, phone(chromium, "it-IT") as ben:
        host, other = rosa.new_page(), ben.new_page()
        host.goto(f"{house.host_link}?to=/g/{made.game}/")
        join(house, other, made.game)
        for name, taker, watcher in (("01", host, other), ("02", other, host), ("03", host, other)):
            take(taker, EVENING / f"{name}.jpg")
            settle(taker, label(name))
            taker.locator('form[action$="/confirm"] button').click()
            expect(taker.locator("#proposal")).to_have_count(0)
            expect(watcher.locator("#proposal")).to_have_count(0)
            assert lying(house, made.game) == shown_in(label(name))
            assert_same_points(house, made.game, taker, watcher)
        history = house.table.sitting(made.game).history
        assert [bool(row.photo) for row in history[-3:]] == [True, True, True]
        assert_every_photo_can_be_looked_at(house, made.game, host)


def join(house: House, page: Page, game: str) -> None:
    page.goto(house.join_link(game))
    seat = house.seats.of(game)[-1]
    house.seats.allow(game, seat.id, is_in=True, may_photograph=True, may_confirm=True)
    page.goto(f"{house.address}/g/{game}/")


def take(page: Page, photo: Path) -> None:
    page.locator("form[data-scan] .scan-button input").set_input_files(photo)
    expect(page.locator("#proposal")).to_be_visible(timeout=READING)


def settle(page: Page, truth: Label) -> None:
    """One question after the other: the right answer where it is about the board, else the likeliest."""
    while page.locator("#proposal .answers").count():
        question = page.locator("#proposal input[name=question]").first.input_value()
        right = page.locator(f'#proposal .answers button[value="{answer_to(question, truth)}"]')
        (right if right.count() else page.locator("#proposal .answers .answer")).first.click()
        expect(page.locator(f'#proposal .answers input[value="{question}"]')).to_have_count(0)


def answer_to(question: str, truth: Label) -> str:
    kind, _, where = question.partition("/")
    if kind == "tile":
        tile = truth["tiles"].get(where, "none")
        return f"up:{tile['tile']}:{tile['turns']}" if isinstance(tile, dict) else str(tile)
    if kind == "castle":
        return "+".join(truth["castles"].get(where, [])) or "empty"
    if kind == "town":
        return str(truth["towns"].get(where, "nothing"))
    return "none of these is about what lies there"


def lying(house: House, game: str) -> dict[str, object]:
    tiles = house.table.sitting(game).position.tiles
    return {cell: (up.tile, up.turns) for cell, up in tiles.items() if isinstance(up, FaceUp)}


def shown_in(truth: Label) -> dict[str, object]:
    return {
        cell: (tile["tile"], tile["turns"]) for cell, tile in truth["tiles"].items() if isinstance(tile, dict)
    }


def assert_same_points(house: House, game: str, *pages: Page) -> None:
    for number, player in enumerate(house.table.sitting(game).position.players):
        for page in pages:
            points = page.locator(f"#player-{number} .points .number")
            expect(points).to_have_text(str(player.points))


def assert_every_photo_can_be_looked_at(house: House, game: str, page: Page) -> None:
    page.goto(f"{house.address}/g/{game}/history")
    links = [
        link.get_attribute("href") or "" for link in page.locator("#history .deed-photo").element_handles()
    ]
    assert len(links) == 3
    for link in links:
        page.goto(house.address + link)
        expect(page.locator(f"svg[id='reading-{link.rpartition('=')[2]}'] .read-slot")).to_have_count(32)
