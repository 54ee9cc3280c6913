"""Pictures of every step of calibrating for docs/calibrating.md: an owner with a phone names a made-up set.

    .venv/bin/python -m tools.calibrating_pictures docs/calibrating

Needs what the tests need: playwright, and a chromium of this machine.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from companion.table.scanner import Scanner
from tests.table.calibrating.owner import Owner
from tests.web.castelli.browser_owner import BrowserOwner
from tests.web.chromium import launched, phone
from tests.web.house import open_house
from tools.kitmaker.kit import Order, write_kit

SEED, SIZE = 917, (1600, 1200)
PHONE: Any = {"width": 390, "height": 780}
COLOURS = 128
"""Enough for flat drawings; photos show it a little, and files have a third of the size."""

NOT_SHOWN = ("learning", "scale-wood", "scale-grain", "scale-rocks")
"""Steps that the guide has no picture of."""


def photograph(out: Path) -> None:
    with tempfile.TemporaryDirectory() as place, launched() as browser:
        kit = Path(place) / "kit"
        write_kit(kit, Order(seed=SEED, games=1, size=SIZE))
        with (
            open_house(Path(place) / "house", scan=Scanner()) as house,
            phone(browser, viewport=PHONE, color_scheme="light") as context,
        ):
            page = context.new_page()

            def shows(step: str) -> None:
                if step in NOT_SHOWN:
                    return
                page.wait_for_load_state("networkidle")
                page.wait_for_timeout(200)
                picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                small = picture.quantize(COLOURS, Image.Quantize.MEDIANCUT)
                small.save(out / f"{step}.png", optimize=True)
                sys.stdout.write(f"{step}.png\n")

            page.goto(house.host_link)
            owner = BrowserOwner(page, house.address, Owner(kit, house.companion.workshop), shows)
            owner.calibrate()
            owner.try_photo(kit / "games" / "01.jpg")
            page.locator(".photo-list a").last.click()
            page.locator("svg.reading").wait_for()
            shows("try")
            page.goto(f"{house.address}/calibrations/make/{owner.labels.id}")
            shows("steps")


def main() -> int:
    if len(sys.argv) != 2:
        sys.stderr.write("Name the folder for the pictures, such as docs/calibrating.\n")
        return 2
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    photograph(out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
