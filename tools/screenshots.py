"""Pictures of the pages for the README: the demo table, its sample photo scanned, on a phone and a laptop.

    .venv/bin/python -m tools.screenshots docs/pages

Needs what the tests need: playwright, and a chromium of this machine.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from companion.commands.demo_table import SAMPLE, set_up_demo
from companion.table.bundled import REFERENCE, bundled
from companion.table.castelli.design import CASTLE
from companion.table.scan_process import ScanProcess
from companion.web.config import WebConfig
from companion.web.opening import Companion
from companion.web.server import Server
from tools.browser import NAMES

PHONE: Any = {"width": 390, "height": 780}
LAPTOP: Any = {"width": 1280, "height": 800}
WHY = ".map a[href$='/area/E4/0']"
"""An area over which several tiles decide."""
TILE, DOWN = "A1", "H4"
"""A meadow with a tile face up, and one whose tile is still face down."""
COLOURS = 128
"""Enough for flat drawings; a photo shows it a little, and files have a third of the size."""


@contextmanager
def demo() -> Iterator[tuple[str, str, str]]:
    """The address of a running demo, the host's link, and the path of its game."""
    with tempfile.TemporaryDirectory() as folder:
        scanner = ScanProcess()
        companion = Companion(
            Path(folder),
            WebConfig(),
            scanner,
            {REFERENCE: bundled("calibration")},
            lambda calibration: scanner.paints(calibration, CASTLE),
        )
        game = set_up_demo(companion)
        server = Server(companion.app(), companion.config, "127.0.0.1", 0)
        threading.Thread(target=server.run, daemon=True).start()
        address = f"http://127.0.0.1:{server.port}"
        try:
            yield address, f"{address}/host/{companion.house_key}", game
        finally:
            companion.live.close()
            server.close()
            companion.close()
            scanner.close()


def save(page: Page, folder: Path, name: str) -> None:
    page.wait_for_timeout(2000)  # fonts, pictures and calm motion have settled
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, Image.Quantize.MEDIANCUT).save(folder / f"{name}.png", optimize=True)
    sys.stdout.write(f"{name}.png\n")


def photograph(folder: Path) -> None:
    with demo() as (address, link, game), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=next(filter(None, map(shutil.which, NAMES)), None), args=["--no-sandbox"]
        )
        phone = browser.new_context(viewport=PHONE, device_scale_factor=2, color_scheme="light")
        page = phone.new_page()
        page.goto(link)
        save(page, folder, "start")
        page.goto(f"{address}{game}people")
        page.evaluate("scrollTo(0, document.getElementById('join').offsetTop - 8)")
        save(page, folder, "join")
        page.goto(f"{address}{game}")
        page.get_by_role("button", name="Scan the sample photo").click()
        page.locator("#proposal").wait_for(timeout=120_000)
        page.goto(f"{address}{game}photo")
        save(page, folder, "photo")
        page.goto(f"{address}{game}")
        save(page, folder, "question")
        while page.locator("#proposal .answers .answer").count():
            page.locator("#proposal .answers .answer").first.click()
            page.wait_for_timeout(1500)
        save(page, folder, "confirm")
        page.get_by_role("button", name="Confirm").click()
        page.locator("#proposal").wait_for(state="detached", timeout=60_000)
        save(page, folder, "table")
        page.locator("#player-0 .good a").first.click()
        page.locator("#sheet .ledger").wait_for()
        save(page, folder, "number")
        page.goto(f"{address}{game}board")
        save(page, folder, "board")
        page.locator(WHY).first.dispatch_event("click")
        page.locator("#sheet .why-sentence").wait_for()
        save(page, folder, "why")
        page.keyboard.press("Escape")
        for cell, name in ((TILE, "tile"), (DOWN, "down")):
            page.locator(f".map a[href$='/slot/{cell}']").first.dispatch_event("click")
            page.locator("#sheet .tile-grid").first.wait_for()
            save(page, folder, name)
            page.keyboard.press("Escape")
        page.goto(f"{address}{game}")
        page.locator(f"a[href='{game}do']").click()
        page.locator("#sheet form").first.wait_for()
        save(page, folder, "deeds")
        page.goto(f"{address}{game}score?sheet=battle")
        save(page, folder, "score")
        page.locator(f"a[href^='{game}share']").click()
        page.locator("#sheet .qr").wait_for()
        save(page, folder, "link")
        page.goto(f"{address}{game}history")
        save(page, folder, "history")
        page.goto(f"{address}/quick")
        page.locator("input[name=photo]").set_input_files(SAMPLE)
        page.locator("[data-said]").wait_for(timeout=120_000)
        for number, field in enumerate(page.locator("input[name^=cards-]").all()):
            field.fill(str(number + 1))
        page.locator("[form=quick-form]").click()
        page.locator("#result").wait_for(timeout=60_000)
        save(page, folder, "quick")
        laptop = browser.new_context(
            viewport=LAPTOP, color_scheme="dark", storage_state=phone.storage_state()
        )
        page = laptop.new_page()
        page.goto(f"{address}{game}")
        save(page, folder, "laptop")
        browser.close()


def main() -> int:
    if len(sys.argv) != 2:
        sys.stderr.write("Name the folder for the pictures, such as docs/pages.\n")
        return 2
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    photograph(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
