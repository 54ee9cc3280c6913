"""The pages in a real browser: reachable for everybody, light, and alive."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from companion.web.config import WebConfig
from tests.web.chromium import LAPTOP, PHONE, Browser, axe_violations, phone
from tests.web.house import House, open_house

OUTSIDE = ["/", "/new", "/quick", "/calibrations", "/language", "/nowhere"]
INSIDE = [
    "",
    "people",
    "player/red",
    "do",
    "history",
    "supply",
    "number/wood/red",
    "number/mine",
    "settings",
    "board",
    "photo",
    "score",
]
HEAVIEST = 150_000
"""Bytes of a page with all it loads, without photos."""


def enter(page: Page, house: House) -> None:
    page.goto(house.host_link)


TOO_SMALL = """() => [...document.querySelectorAll(
        'a.button, button, select, input:not([type=hidden]), .tab, .line-link')]
    .filter((one) => one.checkVisibility() && !one.closest('.hidden'))
    .map((one) => (one.matches('.check input, .choice input') ? one.closest('label') : one))
    .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 44)
    .map((one) => `too small: ${one.outerHTML.slice(0, 120)}`)"""
TOO_WIDE = """() => document.documentElement.scrollWidth > innerWidth ? ['wider than the screen'] : []"""


@pytest.mark.parametrize(
    ("language", "scheme", "size"),
    [
        ("en-GB", "light", PHONE),
        ("de-AT", "dark", PHONE),
        ("it-IT", "dark", LAPTOP),
        ("nl-BE", "light", PHONE),
    ],
)
def test_every_page_is_there_for_everybody(
    house: House, game: str, chromium: Browser, language: str, scheme: str, size: dict[str, int]
) -> None:
    """axe-core finds nothing, nothing is wider than the screen, what can be tapped is large enough."""
    tall = {**size, "height": 4000}  # nothing scrolls under the bar at the bottom
    with phone(chromium, language, viewport=tall, color_scheme=scheme, reduced_motion="reduce") as context:
        page = context.new_page()
        enter(page, house)
        found = {}
        for path in [*OUTSIDE, *(f"/g/{game}/{name}" for name in INSIDE)]:
            page.goto(house.address + path)
            complaints = [*axe_violations(page), *page.evaluate(TOO_WIDE), *page.evaluate(TOO_SMALL)]
            if complaints:
                found[path] = complaints
        assert found == {}


def test_axe_finds_nothing_for_who_has_not_joined(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(house.address)
        assert axe_violations(page) == []
        page.goto(f"{house.address}/g/{game}/")
        assert axe_violations(page) == []


def test_pages_weigh_little(folder: Path, chromium: Browser) -> None:
    """Each page as a phone that has never been here loads it; a full board is the heaviest."""
    weigh = """() => ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))
        .filter((one) => !one.name.includes('/photos/')).reduce((sum, one) => sum + one.transferSize, 0)"""
    with open_house(folder) as house:
        game = house.new_game(arrangement_seen=True).game
        house.play(game, 32)
        with phone(chromium) as context:
            enter(context.new_page(), house)
            cookies = context.storage_state()
        weights = {}
        for path in ["/", *(f"/g/{game}/{name}" for name in ("", "history", "board", "score"))]:
            with phone(chromium, storage_state=cookies) as context:
                page = context.new_page()
                page.goto(house.address + path, wait_until="load")
                weights[path] = page.evaluate(weigh)
        assert {path: weight for path, weight in weights.items() if weight > HEAVIEST} == {}
        assert min(weights.values()) > 10_000  # something was weighed


def test_the_other_phone_changes_by_itself(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium) as one, phone(chromium) as other:
        hers, his = one.new_page(), other.new_page()
        enter(hers, house)
        hers.goto(f"{house.address}/g/{game}/")
        enter(his, house)
        his.goto(f"{house.address}/g/{game}/")
        before = int(his.locator("#player-0 .points .number").inner_text())
        hers.locator("#player-0 .player-link").click()
        hers.get_by_role("button", name="one more: Victory points").click()
        expect(hers.locator("#player-sheet .stepper-number").first).to_have_text(str(before + 1))
        expect(his.locator("#player-0 .points .number")).to_have_text(str(before + 1))


def test_what_is_typed_before_the_scripts_have_come_stays(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/people")
        page.get_by_label("Your name").fill("Anne")
        slow: list[Route] = []
        context.route("**/companion.js", lambda route: slow.append(route))
        page.reload(wait_until="commit")
        page.get_by_label("Your name").fill("Annemarie")
        for script in slow:
            script.continue_()
        page.wait_for_load_state()
        assert page.get_by_label("Your name").input_value() == "Annemarie"


def test_it_says_when_it_is_offline_and_joins_again_by_itself(
    house: House, game: str, chromium: Browser
) -> None:
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/people")
        page.get_by_label("Your name").fill("Annemarie")
        expect(page.locator("#offline")).to_be_hidden()
        context.set_offline(True)
        expect(page.locator("#offline")).to_be_visible()
        page.get_by_role("button", name="Take this seat").click()
        expect(page.locator("form .form-error").first).to_contain_text("Nothing is lost")
        house.end_turn(game)
        context.set_offline(False)
        expect(page.locator("#offline")).to_be_hidden()
        assert page.get_by_label("Your name").input_value() == "Annemarie"
        page.reload()
        assert page.get_by_label("Your name").input_value() == "Annemarie"


def test_a_phone_that_slept_sees_what_happened(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/history")
        rows = page.locator("#history > li").count()
        sleep = """(value) => { Object.defineProperty(document, 'hidden', {value, configurable: true});
                   document.dispatchEvent(new Event('visibilitychange')); }"""
        page.evaluate(sleep, True)
        house.end_turn(game)
        assert page.locator("#history > li").count() == rows
        page.evaluate(sleep, False)
        expect(page.locator("#history > li")).to_have_count(rows + 1)


def test_past_the_cap_a_page_still_follows(folder: Path, chromium: Browser) -> None:
    with open_house(folder, WebConfig(most_viewers=1)) as house, phone(chromium) as context:
        game = house.new_game(arrangement_seen=True).game
        first, second = context.new_page(), context.new_page()
        enter(first, house)
        first.goto(f"{house.address}/g/{game}/")
        expect(first.locator("#player-0")).to_be_visible()
        second.goto(f"{house.address}/g/{game}/")
        house.play(game, 1)
        expect(second.locator("#player-0 .turn-words")).to_contain_text("Build")


def test_all_works_by_keyboard(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium, viewport=LAPTOP) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/")
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_focused()
        page.locator("#player-1 .player-link").focus()
        page.keyboard.press("Enter")
        expect(page.locator("#sheet")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#sheet")).to_be_hidden()
        expect(page.locator("#player-1 .player-link")).to_be_focused()


def test_the_phones_back_button_closes_a_sheet(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/")
        page.locator("#player-1 .player-link").click()
        expect(page.locator("#sheet")).to_be_visible()
        page.go_back()
        expect(page.locator("#sheet")).to_be_hidden()
        assert page.url == f"{house.address}/g/{game}/"


def test_without_scripts_everything_is_a_page_and_a_form(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium, java_script_enabled=False) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/")
        before = int(page.locator("#player-0 .points .number").inner_text())
        page.locator("#player-0 .player-link").click()
        with page.expect_navigation():
            page.get_by_role("button", name="one more: Victory points").click()
        page.goto(f"{house.address}/g/{game}/")
        assert int(page.locator("#player-0 .points .number").inner_text()) == before + 1
        page.goto(f"{house.address}/g/{game}/history")
        with page.expect_navigation():
            page.get_by_role("button", name="Undo", exact=True).click()
        page.goto(f"{house.address}/g/{game}/")
        assert int(page.locator("#player-0 .points .number").inner_text()) == before


def test_four_winners_fit_on_a_small_phone(house: House, chromium: Browser) -> None:
    """Before the first tile everybody would share the victory."""
    game = house.new_game(arrangement_seen=True).game
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/score")
        expect(page.locator(".winner-arms .arms")).to_have_count(4)
        assert page.evaluate(TOO_WIDE) == []


LONG_NAMES = (
    "Maximiliane-Theodora von Hohenstein",
    "Wolfeschlegelsteinhausenberger",
    "Ω",
    "Bartholomäus 🏰🦄",
)


def test_long_names_fit_on_a_small_phone(house: House, chromium: Browser) -> None:
    colours = ("red", "blue", "green", "yellow")
    players = [{"colour": colour, "name": name} for colour, name in zip(colours, LONG_NAMES, strict=True)]
    game = house.new_game(arrangement_seen=True, players=players).game
    house.play(game, 4)
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        wide = {}
        for path in ("", "people", "supply", "settings", "do", "player/blue", "history", "board", "score"):
            page.goto(f"{house.address}/g/{game}/{path}")
            wide[path] = page.evaluate(TOO_WIDE)
        assert not any(wide.values()), wide
        page.goto(f"{house.address}/g/{game}/score")
        for line in page.locator(".score-table tbody th").all():
            # a name took the width of the lines once: one letter below the other
            assert line.evaluate("one => one.offsetWidth") > 80
        page.goto(f"{house.address}/g/{game}/score.svg")
        ends = """() => [...document.querySelectorAll('g > path + circle')].map((one) => one.parentNode)
            .map((line) => [...line.querySelectorAll('text')].map((text) => text.getBoundingClientRect()))
            .map(([_initial, name, points]) => points.left - name.right)"""
        assert min(page.evaluate(ends)) > 10  # a name ends before the points begin


def test_whoever_is_let_in_gets_the_camera_without_a_reload(house: House, chromium: Browser) -> None:
    game = house.new_game(arrangement_seen=True).game
    with phone(chromium) as one, phone(chromium) as other:
        host, guest = one.new_page(), other.new_page()
        enter(host, house)
        host.goto(f"{house.address}/g/{game}/")
        guest.goto(house.join_link(game))
        guest.goto(f"{house.address}/g/{game}/")
        expect(guest.get_by_role("button", name="Live camera")).to_have_count(0)
        host.locator(".knock").get_by_role("button", name="Let in").click()
        expect(host.locator(".knock")).to_have_count(0)
        assert host.url == f"{house.address}/g/{game}/"  # the host stays at the table
        guest.get_by_role("button", name="Live camera").click()
        expect(guest.locator("#camera[data-ready]")).to_be_visible()


def test_an_evaluated_area_washes_in_once(house: House, game: str, chromium: Browser) -> None:
    """Only what has just been evaluated moves; opening the board moves nothing."""
    moving = "document.getAnimations().filter((one) => one.effect.target.closest('.map')).length"
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/board")
        before = page.locator("#map .is-evaluated").count()
        page.evaluate(
            """() => { window.washed = 0; const animate = Element.prototype.animate;
               Element.prototype.animate = function (...how) {
                 washed += 1; return animate.apply(this, how); } }"""
        )
        page.wait_for_timeout(1300)
        assert page.evaluate(moving) == 0
        house.play(game, 4)
        expect(page.locator("#map a.is-up")).to_have_count(8)
        painted = page.locator("#map .is-evaluated").count() - before
        assert painted > 0
        assert 0 < page.evaluate("washed") <= painted


def test_what_the_dock_covers_it_covers_wholly(house: House, game: str, chromium: Browser) -> None:
    """A button that looks out from under it by some pixels could neither be read nor tapped."""
    with phone(chromium) as context:
        page = context.new_page()
        enter(page, house)
        page.goto(f"{house.address}/g/{game}/score?sheet=battle")
        for down in range(0, 400, 31):
            page.evaluate(f"scrollTo(0, {down})")
            assert axe_violations(page) == [], down
