"""What a newcomer does first: the demo table, its sample photo scanned with the bundled calibration."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from companion.commands.demo_table import SAMPLE, set_up_demo
from companion.table.bundled import bundled
from companion.table.castelli.rulebook import FaceUp
from companion.table.scanner import Scanner
from tests.web.chromium import Browser, phone
from tests.web.house import open_house


def test_the_sample_photo_becomes_the_score(folder: Path, chromium: Browser) -> None:
    shown = json.loads(SAMPLE.with_suffix(".json").read_text(encoding="utf-8"))
    with open_house(folder, scan=Scanner(), calibration=bundled("calibration")) as house:
        page_path = set_up_demo(house.companion)
        game = page_path.split("/")[2]
        with phone(chromium) as context:
            page = context.new_page()
            page.goto(f"{house.host_link}?to={page_path}")
            page.get_by_role("button", name="Scan the sample photo").click()
            expect(page.locator("#proposal")).to_be_visible(timeout=120_000)
            while page.locator("#proposal .answers").count():
                question = page.locator("#proposal input[name=question]").first.input_value()
                page.locator("#proposal .answers .answer").first.click()
                expect(page.locator(f'#proposal .answers input[value="{question}"]')).to_have_count(0)
            page.get_by_role("button", name="Confirm").click()
            expect(page.locator("#proposal")).to_have_count(0)
        now = house.table.sitting(game).position
        lying = {cell: slot for cell, slot in now.tiles.items() if isinstance(slot, FaceUp)}
        assert {cell: slot.tile for cell, slot in lying.items()} == {
            cell: tile["tile"] for cell, tile in shown["tiles"].items() if isinstance(tile, dict)
        }
        assert {site: list(stack) for site, stack in now.castles.items()} == shown["castles"]
        assert {player.colour: player.points for player in now.players} == shown["track"]
