"""The map under a finger: tap an area, ask why, correct a tile, zoom, turn, and all of it by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.table.castelli.rulebook import DOWN, FaceUp, State, area_states
from tests.web.chromium import LAPTOP, Browser, axe_violations, phone
from tests.web.house import House


@pytest.fixture
def page(house: House, game: str, chromium: Browser) -> Iterator[Page]:
    with phone(chromium) as context:
        opened = context.new_page()
        opened.goto(house.host_link)
        opened.goto(f"{house.address}/g/{game}/board")
        yield opened


def face_up(house: House, game: str) -> tuple[str, FaceUp]:
    tiles = house.table.sitting(game).position.tiles
    return next((cell, lying) for cell, lying in tiles.items() if isinstance(lying, FaceUp))


def view_box(page: Page) -> list[float]:
    return [float(value) for value in (page.locator("#map").get_attribute("viewBox") or "").split()]


def test_an_area_says_why(house: House, game: str, page: Page) -> None:
    states = area_states(house.table.sitting(game).position)
    area = next(area for area, state in states.items() if state.state is State.EVALUATED)
    page.locator(f"#map a[href$='/area/{area}']").dispatch_event("click")
    sheet = page.locator("#sheet")
    expect(sheet.locator(".why-sentence")).to_contain_text(re.compile(r"\(\d from [A-H]\d.*Rules p\.\s\d"))
    expect(sheet.locator(".why-state")).to_have_text("Evaluated.")
    assert sheet.locator(".sum.leads .sides li").count() >= 1
    assert axe_violations(page) == []
    # from the sum on to the tile it comes from
    sheet.locator(".sum.leads .sides a").first.click()
    expect(sheet.locator(".slot-now")).to_be_visible()


def test_a_tapped_tile_is_turned_right(house: House, game: str, page: Page) -> None:
    cell, lying = face_up(house, game)
    page.locator(f"#map a[href$='/slot/{cell}']").tap()
    turned = (lying.turns + 1) % 4
    page.locator(f"#sheet form.tile-turns button[value='{turned}']").click()
    expect(page.locator("#sheet")).to_be_hidden()
    assert house.table.sitting(game).position.slot(cell) == FaceUp(lying.tile, turned)
    tile = house.table.sitting(game).game_set.tiles[lying.tile]
    south = next(arms for arms in (tile.sides[(2 - turned) % 4],))
    label = page.locator(f"#map a[href$='/slot/{cell}']")
    expect(label).to_have_attribute("aria-label", re.compile(f"south: .*{south.colour.title()}"))


def test_what_if_tells_who_would_gain(house: House, game: str, page: Page) -> None:
    position = house.table.sitting(game).position
    cell = next(cell for cell in position.board.slots if position.slot(cell) == DOWN)
    page.locator(f"#map a[href$='/slot/{cell}']").tap()
    page.locator("#sheet .tile-grid a").first.click()
    expect(page.locator("#sheet .what-if")).to_have_count(4)
    number = house.table.sitting(game).number
    page.locator("#sheet .what-if button").first.click()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(f"#map a.is-up[href$='/slot/{cell}']")).to_have_count(1)
    assert house.table.sitting(game).number == number + 1


def test_a_castle_is_put_on_a_site(house: House, game: str, page: Page) -> None:
    position = house.table.sitting(game).position
    site = next(site for site in position.board.sites if not position.castles.get(site))
    page.goto(f"{house.address}/g/{game}/site/{site}")
    page.locator("button[name='stack'][value='blue']").click()
    page.wait_for_url("**/board")
    expect(page.locator(f"#map a.castle[href$='/site/{site}']")).to_have_count(1)


def test_my_side_comes_to_the_bottom(page: Page) -> None:
    expect(page.locator("#map")).to_have_attribute("data-near", "S")
    page.get_by_role("link", name="Turn right").click()
    expect(page.locator("#map")).to_have_attribute("data-near", "E")
    page.reload()
    expect(page.locator("#map")).to_have_attribute("data-near", "E")
    page.get_by_role("link", name="Turn left").click()
    expect(page.locator("#map")).to_have_attribute("data-near", "S")


PINCH = """([map, far]) => {
  const rect = map.getBoundingClientRect(), x = rect.left + rect.width / 2, y = rect.top + rect.height / 2;
  const send = (kind, id, at) => map.dispatchEvent(new PointerEvent(kind,
      {pointerId: id, clientX: at, clientY: y, bubbles: true, pointerType: 'touch'}));
  send('pointerdown', 1, x - 20); send('pointerdown', 2, x + 20);
  send('pointermove', 1, x - far); send('pointermove', 2, x + far);
  send('pointerup', 1, x - far); send('pointerup', 2, x + far);
}"""


def test_two_fingers_zoom_and_the_zoom_stays_when_the_table_changes(
    house: House, game: str, page: Page
) -> None:
    whole, place = view_box(page), page.locator("#map").bounding_box()
    page.evaluate(PINCH, [page.locator("#map").element_handle(), 60])
    near = view_box(page)
    assert near[2] == pytest.approx(whole[2] / 3, rel=0.02)
    assert page.locator("#map").bounding_box() == place  # it does not slip away under the fingers
    assert whole[0] <= near[0] and near[0] + near[2] <= whole[0] + whole[2] + 0.2
    house.play(game, 1)
    expect(page.locator("#map a.fresh")).to_have_count(1)
    expect(page.locator("#map a.is-up")).to_have_count(5)
    assert view_box(page) == near
    page.get_by_role("button", name="Whole board").click()
    assert view_box(page) == whole


def test_arrows_go_from_mark_to_mark(house: House, game: str, chromium: Browser) -> None:
    with phone(chromium, viewport=LAPTOP) as context:
        page = context.new_page()
        page.goto(house.host_link)
        page.goto(f"{house.address}/g/{game}/board")
        expect(page.locator("#map a[tabindex='0']")).to_have_count(1)
        page.locator("#map a[href$='/slot/C3']").focus()
        page.keyboard.press("ArrowRight")
        moved = page.evaluate("document.activeElement.getAttribute('href')")
        assert moved and "/slot/C3" not in moved
        page.keyboard.press("Enter")
        expect(page.locator("#sheet")).to_be_visible()


def test_the_picture_can_be_saved_as_png(house: House, game: str, page: Page) -> None:
    page.goto(f"{house.address}/g/{game}/score")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as PNG").click()
    assert saving.value.suggested_filename == "castelli.png"
    data = saving.value.path().read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) > 10_000


def test_numbers_of_the_sheet_answer_why(house: House, game: str, page: Page) -> None:
    page.goto(f"{house.address}/g/{game}/score?sheet=battle")
    page.locator(".score-table tbody td a").first.click()
    expect(page.locator("#sheet .sentences li").first).to_contain_text("Rules p.")
    assert axe_violations(page) == []


def test_after_the_last_tile_the_table_offers_to_end_the_game(house: House, game: str, page: Page) -> None:
    page.goto(f"{house.address}/g/{game}/")
    expect(page.locator("#last-turn")).to_have_count(0)
    house.play(game, 28)
    expect(page.locator("#last-turn")).to_be_visible()
    page.locator("#last-turn button").click()
    expect(page.locator("#players .end")).to_contain_text(re.compile(r"(wins|share the victory) with \d+"))
    expect(page.locator("#last-turn")).to_have_count(0)
    assert house.table.sitting(game).finished
