"""What the host decides: rights, photos that need no asking, photos that go; and what large screens show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.table.castelli.rulebook import DOWN, RESOURCES, FaceUp, Position
from tests.table.tabletop import jpeg_of, photo_of, read_comment
from tests.web.chromium import LAPTOP, Browser, phone
from tests.web.house import House, open_house


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("host"), scan=read_comment) as opened:
        yield opened


@pytest.fixture
def game(house: House) -> str:
    made = house.new_game(arrangement_seen=True, battle=True)
    house.play(made.game, 3)
    return made.game


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    with phone(chromium) as opened:
        yield opened


def open_page(house: House, context: BrowserContext, path: str) -> Page:
    page = context.new_page()
    page.goto(house.host_link)
    page.goto(f"{house.address}{path}")
    return page


def next_turn(house: House, game: str) -> bytes:
    """A photo of the board on which one more tile was revealed."""
    sitting = house.table.sitting(game)
    position = sitting.position
    slot = next(cell for cell in sitting.board.slots if position.slot(cell) == DOWN)
    lying = {up.tile for up in position.tiles.values() if isinstance(up, FaceUp)}
    tile = next(t.id for t in sitting.game_set.tiles.values() if t.id not in lying and not t.start)
    return jpeg_of(photo_of(replace(position, tiles={**position.tiles, slot: FaceUp(tile, 0)})))


def send(page: Page, photo: bytes) -> None:
    page.locator("form[data-scan] .scan-button input").set_input_files(
        {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": photo}
    )


def on_markers(position: Position) -> list[tuple[str, str, int]]:
    """By player and scale: where the wooden markers lie when they have been moved."""
    players = position.players
    goods = [(player.colour, kind.value, player.resource(kind)) for player in players for kind in RESOURCES]
    return [*goods, *((player.colour, "track", player.points) for player in players)]


def test_photos_are_applied_without_asking_once_the_host_says_so(
    house: House, game: str, context: BrowserContext
) -> None:
    page = open_page(house, context, f"/g/{game}/")
    send(page, next_turn(house, game))
    expect(page.locator("#proposal")).to_be_visible()
    page.locator('form[action$="/dismiss"] button').click()
    expect(page.locator("#proposal")).to_have_count(0)
    page.goto(f"{house.address}/g/{game}/settings")
    page.get_by_label("Apply photos without asking").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#speaker")).to_have_text("The table has changed")
    before = house.table.sitting(game)
    page.goto(f"{house.address}/g/{game}/")
    with page.expect_response("**/scan"):
        send(page, next_turn(house, game))
    expect(page.locator(".mine-line")).to_contain_text("28 tiles face down")
    after = house.table.sitting(game)
    assert after.number == before.number + 1
    expect(page.locator("[data-scan-said]")).to_contain_text("Taken over: Yellow reveals")
    # the markers have not been moved since: what is applied says so, until somebody has seen it
    gains = set(on_markers(after.position)) - set(on_markers(before.position))
    assert gains
    expect(page.locator("#proposal .markers > li")).to_have_count(len(gains))
    page.locator("#proposal").get_by_role("button", name="Seen").click()
    expect(page.locator("#proposal")).to_have_count(0)
    assert house.table.sitting(game).number == after.number


def test_the_host_decides_who_may_photograph_and_who_may_confirm(
    house: House, game: str, context: BrowserContext, chromium: Browser
) -> None:
    page = open_page(house, context, f"/g/{game}/people")
    with phone(chromium) as other:
        ben = other.new_page()
        ben.goto(house.join_link(game))
        page.get_by_role("button", name="Let in").click()
        ben.goto(f"{house.address}/g/{game}/")
        expect(ben.locator("form[data-scan]")).to_be_visible()
        expect(ben.get_by_role("link", name="Card played")).to_be_visible()
        page.get_by_text("What may they do?").click()
        page.get_by_label("take photos").uncheck()
        page.locator("#people").get_by_role("button", name="Save").click()
        expect(ben.locator("form[data-scan]")).to_have_count(0)
        expect(ben.get_by_role("link", name="Card played")).to_be_visible()
        page.get_by_label("confirm, correct and undo").uncheck()
        page.locator("#people").get_by_role("button", name="Save").click()
        expect(ben.get_by_role("link", name="Card played")).to_have_count(0)


def test_a_photo_is_deleted_after_a_question(house: House, game: str, context: BrowserContext) -> None:
    house.table.take_photo(game, next_turn(house, game), "Rosa", f"photo for {game}")
    page = open_page(house, context, f"/g/{game}/settings")
    expect(page.locator(".photo-list li")).to_have_count(1)
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Delete this photo").click()
    assert len(house.companion.photos.of(game)) == 1
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete this photo").click()
    expect(page.locator(".photo-list li")).to_have_count(0)
    assert house.companion.photos.of(game) == ()


def test_who_was_too_slow_is_told_and_can_send_again(
    house: House, game: str, context: BrowserContext
) -> None:
    page = open_page(house, context, f"/g/{game}/settings")
    page.get_by_label("Name of the game").fill("Friday")
    house.play(game, 1)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#settings-form .form-error").first).to_contain_text("Somebody else changed the game")
    expect(page.get_by_label("Name of the game")).to_have_value("Friday")
    expect(page.locator("body")).to_have_attribute("data-number", str(house.table.sitting(game).number))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#speaker")).to_have_text("The table has changed")
    assert house.table.sitting(game).settings.title == "Friday"


def test_a_large_screen_shows_the_board_beside_the_players(
    house: House, game: str, chromium: Browser
) -> None:
    with phone(chromium, viewport=LAPTOP) as wide:
        page = open_page(house, wide, f"/g/{game}/")
        expect(page.locator("#wide-board a.is-up")).to_have_count(3)
        house.play(game, 1)
        expect(page.locator("#wide-board a.is-up")).to_have_count(4)
        # one stop of the Tab key; it does not stand in the way of what comes after it
        expect(page.locator("#wide-board a[tabindex='0']")).to_have_count(1)
        page.locator("#wide-board a.slot").first.click()
        expect(page.locator("#sheet")).to_be_visible()


def test_a_photo_is_zoomed_with_its_reading(house: House, game: str, context: BrowserContext) -> None:
    house.table.take_photo(game, next_turn(house, game), "Rosa", f"zoomed for {game}")
    page = open_page(house, context, f"/g/{game}/photo")
    drawing = page.locator("svg.reading")
    expect(drawing.locator("image")).to_have_count(1)  # of the same drawing: both are zoomed at once
    whole = drawing.get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    assert float((drawing.get_attribute("viewBox") or "").split()[2]) < float((whole or "").split()[2])
    page.get_by_role("button", name="Whole board").click()
    assert [float(part) for part in (drawing.get_attribute("viewBox") or "").split()] == [
        float(part) for part in (whole or "").split()
    ]
    page.get_by_text("Only the photo").click()
    expect(drawing.locator(".marks")).to_be_hidden()


def test_battle_shows_a_towns_row_and_column(house: House, game: str, context: BrowserContext) -> None:
    house.play(game, 12)
    page = open_page(house, context, f"/g/{game}/score")
    page.locator(".towns-list a").first.click()
    expect(page.locator("#sheet svg.map.has-lit")).to_be_visible()
    expect(page.locator("#sheet svg.map .town.lit")).to_have_count(1)
