"""An owner with a phone: goes through the steps, reads what is proposed, taps what is wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from companion.table.castelli.calibrating.draft import Draft, Space
from companion.table.castelli.calibrating.scales import NAMES
from companion.table.castelli.calibrating.splits import SPLITS
from tests.table.calibrating.owner import Owner

PATIENT = 60_000
"""Milliseconds for photos that are looked at, and for learning."""
ON_SCREEN = """([id, spots]) => {
    const svg = document.getElementById(id);
    svg.scrollIntoView({block: 'center'});
    const to = svg.getScreenCTM();
    return spots.map(([x, y]) => new DOMPoint(x, y).matrixTransform(to)).map((at) => [at.x, at.y]);
}"""
PLACES = """(all) => all.map((one) => one.transform.baseVal.consolidate().matrix).map((at) => [at.e, at.f])"""
NUDGE = 0.001
"""A tap on an arrow, in widths of the photo."""
SAME_SITE = 0.1
"""Castle sites this near, in widths of the octagon, are one."""


def _shows(step: str) -> None:
    """Nobody looks."""


@dataclass
class BrowserOwner:
    page: Page
    address: str
    labels: Owner
    """What the cardboard shows."""
    shows: Callable[[str], None] = field(default=_shows)
    """Told when a step can be looked at."""
    thumb: tuple[tuple[float, float], ...] = ((0.0, 0.0),) * 4
    """How many pixels of the photo it taps beside the corners."""
    taps: dict[str, int] = field(default_factory=dict)
    step: str = ""

    # How a person uses the page

    def tap(self, what: Locator) -> None:
        self._count()
        what.click()
        self.settled()

    def tap_picture(self, picture: str, x: float, y: float) -> None:
        """At a point in the picture's own units."""
        self._count()
        spot = self.page.evaluate(ON_SCREEN, [picture, [[x, y]]])[0]
        self.page.mouse.click(*spot)
        self.settled()

    def _go_on(self, what: Locator) -> None:
        before = self.page.url
        self.tap(what)
        self.page.wait_for_url(re.compile(f"^(?!{re.escape(before)}$)"))

    def photograph(self, words: str, photo: Path) -> None:
        self._count()
        form = self.page.locator("form[data-scan]").filter(has_text=words).first
        form.locator("input[type=file]").first.set_input_files(photo)
        busy = "() => [...document.querySelectorAll('[data-progress]')].every((one) => one.hidden)"
        self.page.wait_for_function(busy, timeout=PATIENT)
        self.settled()
        error = form.locator(".form-error")
        assert not (form.count() and error.is_visible()), error.inner_text()

    def settled(self) -> None:
        """Nothing that was tapped is on its way any more."""
        self.page.wait_for_function(
            "() => document.readyState === 'complete' && !document.querySelector('form[data-busy]')",
            timeout=PATIENT,
        )

    def _count(self) -> None:
        self.taps[self.step] = self.taps.get(self.step, 0) + 1

    def begin(self, step: str) -> None:
        self.step = step

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def draft(self) -> Draft:
        return self.labels.workshop.get(self.labels.id)

    @property
    def scale(self) -> float:
        return self.draft.grid.width / float(self.labels.set["geometry"]["width"])

    # The steps

    def calibrate(self) -> None:
        self.start()
        self.lay_the_grid()
        self.name_spaces()
        self.name_frame()
        self.name_tiles()
        self.name_castles()
        self.place_scales()
        self.learn()

    def start(self) -> None:
        self.begin("start")
        self.page.goto(f"{self.address}/calibrations")
        self.shows("start")
        self.tap(self.page.get_by_role("link", name="Teach it your own copy"))
        self.tap(self.button("Start"))
        self.page.wait_for_url("**/board")
        found = re.search(r"/make/([0-9a-f]+)/", self.page.url)
        assert found
        self.labels.id = found.group(1)

    def lay_the_grid(self) -> None:
        self.begin("board")
        self.shows("photo")
        self.photograph("Photograph the empty board", self.labels.kit / "setup" / "empty.jpg")
        self.shows("corners")
        for corner, (x, y) in enumerate(self.labels.labels["empty"]["corners"]):
            self._drag_corner(corner, x + self.thumb[corner][0], y + self.thumb[corner][1])
        self.tap(self.button("The corners are right"))
        self.page.wait_for_url("**/grid", timeout=PATIENT)
        self.begin("grid")
        self.shows("grid")
        self.tap(self.button("The grid fits"))
        self.page.wait_for_url("**/spaces")

    def _drag_corner(self, corner: int, x: float, y: float) -> None:
        """Only where it is off by more than a tap on an arrow moves it."""
        now = self.draft.shots["empty"].corners[corner]
        if math.dist(now, (x, y)) < NUDGE * self.draft.shots["empty"].width:
            return
        self._count()
        ends = self.page.evaluate(ON_SCREEN, ["corners", [list(now), [x, y]]])
        self.page.mouse.move(*ends[0])
        self.page.mouse.down()
        self.page.mouse.move(*ends[1], steps=4)
        self.page.mouse.up()
        self.page.wait_for_timeout(100)
        self.settled()

    # Landscape spaces

    def name_spaces(self) -> None:
        self.begin("spaces")
        self.shows("spaces")
        self.tap(self.page.get_by_role("link", name="Name the next one"))
        cells = self.draft.keys_of_spaces()
        for number in range(len(cells)):
            self.page.wait_for_url("**/spaces/P*/*")
            key = "/".join(self.page.url.split("/")[-2:])
            if number == len(cells) // 2:
                self.shows("space")
            self._name_space(self.labels.space(cells[key], self.scale))
            self._go_on(self.button("Right, next"))
        self.page.wait_for_url("**/spaces")

    def _name_space(self, truth: Space) -> None:
        split = next(s for s in SPLITS if _sides(s) == _sides([area.sides for area in truth.areas]))
        self._choose(f"split {','.join(split)}")
        said = {frozenset(area.sides): area for area in truth.areas}
        shown = self.page.locator("[data-sides]").evaluate_all("(all) => all.map((one) => one.dataset.sides)")
        for at, sides in enumerate(shown):
            area = said[frozenset(sides)]
            self._choose(f"kind {at} {area.kind}")
            if area.kind != "mine":
                self._choose(f"symbols {at} {area.symbols}")
        self._choose(f"printed {truth.printed or 'none'}")
        self._tap_sites([site for area in truth.areas for site in area.sites])

    def _choose(self, value: str) -> None:
        """A tap, unless it is what is proposed."""
        button = self.page.locator(f'button[name=do][value="{value}"]')
        if button.get_attribute("aria-pressed") != "true":
            self.tap(button)
            # refreshed in place: what was tapped is pressed now
            expect(button).to_have_attribute("aria-pressed", "true")

    def _tap_sites(self, wanted: list[tuple[float, float]]) -> None:
        near = SAME_SITE * self.draft.grid.octagon
        shown = self._pins()
        for site in shown:
            if not any(math.dist(site, other) < near for other in wanted):
                self.tap_picture("octagon", *site)
        for site in wanted:
            if not any(math.dist(site, other) < near for other in shown):
                self.tap_picture("octagon", *site)
        expect(self.page.locator(".site-pin")).to_have_count(len(wanted))

    def _pins(self) -> list[tuple[float, float]]:
        return [(x, y) for x, y in self.page.locator(".site-pin").evaluate_all(PLACES)]

    # Frame, tiles, castles, scales

    def name_frame(self) -> None:
        self.begin("frame")
        self.page.goto(f"{self.address}/calibrations/make/{self.labels.id}/frame")
        told = self.labels.set["frame"]
        views = [view for view in self.labels.workshop.rim(self.labels.id) if view.is_gift]
        for view in views:
            button = self.page.locator(f'button[value="gift {view.key} {told[view.key]}"]')
            # one of each kind has to be named; then only what is proposed wrongly
            if button.get_attribute("aria-pressed") == "false":
                self.tap(button)
                expect(button).to_have_attribute("aria-pressed", "true")
        wrong = [
            view.key
            for view in self.labels.workshop.rim(self.labels.id)
            if view.is_gift and view.proposal != told[view.key]
        ]
        for key in wrong:  # a later name may have changed an earlier proposal
            self.tap(self.page.locator(f'button[value="gift {key} {told[key]}"]'))
        self.shows("frame")
        confirm = self.button("All proposals are right")
        if confirm.count():
            self._go_on(confirm)

    def name_tiles(self) -> None:
        self.begin("tiles")
        self.page.goto(f"{self.address}/calibrations/make/{self.labels.id}/tiles")
        self.photograph("Photograph all tiles", self.labels.kit / "setup" / "tiles.jpg")
        self.photograph("Photograph start tiles and castles", self.labels.kit / "setup" / "castles.jpg")
        self.shows("colours")
        fields = self.page.locator("input[name=name]")
        for at, view in enumerate(self.labels.workshop.palette(self.labels.id)):
            role, _, cell = view.example.partition("/")
            tile = self.labels.tile(role, cell)
            assert tile is not None
            name = tile["sides"][view.side][0]
            if fields.nth(at).input_value().lower() != name:
                self._count()
                fields.nth(at).fill(name)
        self.tap(self.button("These are their names"))
        self.tap(self.page.get_by_role("link", name="Name the next one"))
        while re.search(r"/tiles/\w+/\w+$", self.page.url):
            role, cell = self.page.url.split("/")[-2:]
            if cell == "D6":
                self.shows("tile")
            truth = self.labels.tile(role, cell)
            if truth is None:  # a castle's shadow was taken for a tile
                self._go_on(self.button("No tile lies here"))
            else:
                self._name_tile(truth)
                self._go_on(self.button("Right, next"))
        self.shows("tiles")

    def _name_tile(self, truth: dict[str, object]) -> None:
        sides = truth["sides"]
        assert isinstance(sides, list)
        for at, (colour, value) in enumerate(sides):
            other = self.page.locator(f'button[value="colour {at} {colour}"]')
            if other.count():  # the colour is not the one that is proposed
                self.tap(self.page.get_by_text("Another colour").nth(at))
                self.tap(other)
                expect(other).to_have_count(0)
            self._choose(f"value {at} {value}")
        self._choose(f"silver {truth['silver']}")
        self._choose(f"start {int(bool(truth['start']))}")

    def name_castles(self) -> None:
        self.begin("castles")
        self.page.goto(f"{self.address}/calibrations/make/{self.labels.id}/castles")
        self.photograph("Photograph the start", self.labels.kit / "setup" / "start.jpg")
        told = self._castles()
        near = SAME_SITE * self.draft.grid.octagon
        for key in [view.key for view in self.labels.workshop.sites(self.labels.id)]:
            # each one that is named may change what is proposed for the next
            view = next(view for view in self.labels.workshop.sites(self.labels.id) if view.key == key)
            truth = next((stack for spot, stack in told if math.dist(spot, view.at) < near), [])
            if list(view.proposal) != truth:
                self._count()
                self.page.locator(f'a[href$="/castles/{view.key}"]').dispatch_event("click")
                self.tap(self.page.locator(f'#sheet button[name=stack][value="{",".join(truth)}"]'))
                expect(self.page.locator("#sheet")).to_be_hidden()
        self.shows("castles")
        self.tap(self.button("All castles are right"))
        self.page.wait_for_url("**/scales/wood")

    def _castles(self) -> list[tuple[tuple[float, float], list[str]]]:
        """Where castles stand on the photo: areas and sites may be numbered otherwise in the labels."""
        found = []
        for site, stack in self.labels.labels["castles"]["castles"].items():
            cell, area, number = site.split("/")
            x, y = self.labels.space(cell, self.scale).areas[int(area)].sites[int(number)]
            middle = self.draft.middle(cell)
            found.append(((middle[0] + x, middle[1] + y), stack))
        return found

    def place_scales(self) -> None:
        self.begin("scales")
        grid, scale = self.draft.grid, self.scale
        ends = {name: (spots[0], spots[-1]) for name, spots in self.labels.set["chart"].items()}
        ends["track"] = self.labels.set["track"][0], self.labels.set["track"][-1]
        for name in NAMES:
            expect(self.page.locator(f"#scale-{name}")).to_be_visible()
            for x, y in ends[name]:
                self.tap_picture(f"scale-{name}", min(x * scale, grid.width), min(y * scale, grid.height))
            expect(self.page.locator(".space-pin")).to_have_count(70 if name == "track" else 6)
            self.shows(f"scale-{name}")
            self._go_on(self.button("Right, next"))
        self.page.wait_for_url("**/learn")

    def learn(self) -> None:
        self.begin("learn")
        self.tap(self.button("Let it learn"))
        self.shows("learning")
        expect(self.page.get_by_role("link", name="Next: Try it")).to_be_visible(timeout=5 * PATIENT)
        self.shows("learnt")

    def try_photo(self, photo: Path) -> None:
        self.begin("try")
        self.page.goto(f"{self.address}/calibrations/make/{self.labels.id}/try")
        self.photograph("Scan a photo of a game", photo)


def _sides(split: object) -> set[frozenset[str]]:
    assert isinstance(split, list | tuple)
    return {frozenset(sides) for sides in split}
