"""An evening at the table, in every language: from the host's link to the final sheets, on three phones.

The photos carry what a reader would see in them (see tests/table/tabletop.py); everything else is real.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.board import assemble
from companion.scoring.castelli.events import EndTurn, Evaluate, Reveal
from companion.scoring.castelli.position import FaceUp, Modules, Position, new_game
from companion.table.castelli.rulebook import Assembly, Placed
from companion.table.castelli.setfile import load_set
from tests.table.tabletop import doubtful, jpeg_of, photo_of, read_comment
from tests.web.chromium import Browser, phone
from tests.web.house import REFERENCE, House, open_house
from tools.translate import TRANSLATIONS

COLOURS = ("red", "blue", "green", "yellow")
LOCALES = {"en": "en-GB", "de": "de-AT", "it": "it-IT", "nl": "nl-BE"}


@dataclass
class Words:
    """What the pages say, in the language of the journey."""

    language: str

    def __call__(self, text: str, **values: object) -> str:
        for domain in ("messages", "castelli"):
            known = gettext.translation(domain, TRANSLATIONS, [self.language], fallback=True)
            if (said := known.gettext(text)) != text:
                return said % values if values else said
        return text % values if values else text


@dataclass
class Board:
    """The real board on the table, turn by turn."""

    position: Position

    @classmethod
    def laid_out(cls) -> Board:
        game_set = load_set(REFERENCE / "set.json")
        pieces = list(game_set.pieces)
        assembly = Assembly.of(
            {
                "NW": Placed(pieces[2], 180),
                "NE": Placed(pieces[0]),
                "SW": Placed(pieces[3]),
                "SE": Placed(pieces[1], 180),
            }
        )
        return cls(new_game(assemble(game_set, assembly), COLOURS, Modules(battle=True)))

    def reveal(self, slot: str, tile: str, turns: int) -> None:
        if self.position.phase != "reveal":
            self.position = apply(self.position, EndTurn()).position
        for event in (Reveal(slot, tile, turns), Evaluate()):
            self.position = apply(self.position, event).position

    def photo(self, **changes: Any) -> bytes:
        record = photo_of(self.position)
        for slot, reading in changes.items():
            record["tiles"][slot] = reading
        return jpeg_of(record)


@pytest.fixture(scope="module")
def reading_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("journey"), scan=read_comment) as house:
        yield house


def scan(page: Page, photo: bytes) -> None:
    page.locator("form[data-scan] .scan-button input").set_input_files(
        {"name": "board.jpg", "mimeType": "image/jpeg", "buffer": photo}
    )


def confirm(page: Page, words: Words) -> None:
    page.get_by_role("button", name=words("Confirm")).click()
    expect(page.locator("#proposal")).to_have_count(0)


@pytest.mark.parametrize("language", list(LOCALES))
def test_an_evening(reading_house: House, chromium: Browser, language: str) -> None:
    house, words, board = reading_house, Words(language), Board.laid_out()
    with (
        phone(chromium, LOCALES[language]) as rosa,
        phone(chromium, LOCALES[language]) as ben,
        phone(chromium, LOCALES[language]) as greta,
    ):
        host, second, third = rosa.new_page(), ben.new_page(), greta.new_page()
        game = create(house, host, words)
        link = str(host.locator(".join-link a").get_attribute("href"))
        join(second, link, "Ben", 1, words)
        join(third, link, "Greta", 2, words)
        let_everybody_in(host, game, words)
        photograph_the_game(house, host, second, third, game, board, words)
        ask_why(host, house, game, words)
        correct_and_undo(house, host, second, game, words)
        for other in (second, third):
            other.goto("about:blank")  # thirty turns in a second would only keep them busy
        finish(house, host, game, words)


def create(house: House, page: Page, words: Words) -> str:
    page.goto(house.host_link)
    assert page.url == f"{house.address}/"
    page.get_by_role("link", name=words("New game")).click()
    for number, name in enumerate(("Rosa", "Ben", "Greta", "Jan")):
        page.locator(f"#name-{number}").fill(name)
    page.locator("input[name=battle]").check()
    page.get_by_role("button", name=words("Start the game")).click()
    expect(page.locator(".qr")).to_be_visible()
    page.locator("#join summary").click()
    return page.url.split("/")[-2]


def join(page: Page, link: str, name: str, seat: int, words: Words) -> None:
    page.goto(link)
    assert "/join/" not in page.url
    page.locator(".seats-choice .choice").nth(seat).click()
    page.get_by_label(words("Your name")).fill(name)
    page.get_by_role("button", name=words("Take this seat")).click()
    expect(page.get_by_role("heading", name=words("You are watching"))).to_be_visible()


def let_everybody_in(page: Page, game: str, words: Words) -> None:
    expect(page.locator("#people .person")).to_have_count(3)
    for left in (1, 0):
        page.locator("#people").get_by_role("button", name=words("Let in")).first.click()
        expect(page.locator("#people").get_by_role("button", name=words("Let in"))).to_have_count(left)
    page.get_by_role("link", name=words("To the table")).click()
    page.wait_for_url(f"**/g/{game}/")


def photograph_the_game(
    house: House, host: Page, second: Page, third: Page, game: str, board: Board, words: Words
) -> None:
    """The first photo shows how the pieces lie; the next ones what was revealed; the last one is in doubt."""
    expect(second.locator("form[data-scan]")).to_be_visible()  # let in, without a reload
    scan(host, board.photo())
    confirm(host, words)
    sitting = house.table.sitting(game)
    assert sitting.board.assembly == board.position.board.assembly
    slots, tiles = (
        sitting.board.slots,
        [tile.id for tile in sitting.game_set.tiles.values() if not tile.start],
    )

    board.reveal(slots[0], tiles[0], 1)
    scan(second, board.photo())
    expect(third.locator("#proposal")).to_be_visible()
    confirm(second, words)
    expect(third.locator("#proposal")).to_have_count(0)
    assert_same_table(house, game, board)

    board.reveal(slots[1], tiles[1], 2)
    in_doubt = doubtful(FaceUp(tiles[1], 2), 0.6, (FaceUp(tiles[2], 2), 0.3))
    scan(third, board.photo(**{slots[1]: in_doubt}))
    expect(third.locator(".answers .answer")).to_have_count(3)
    third.locator(".answers .answer").first.click()
    expect(third.locator(".answers")).to_have_count(0)
    confirm(third, words)
    assert_same_table(house, game, board)
    wood = board.position.player("blue").wood
    expect(host.locator("#player-1 .good .number").first).to_have_text(str(wood))


def assert_same_table(house: House, game: str, board: Board) -> None:
    now = house.table.sitting(game).position
    assert (now.tiles, now.players) == (board.position.tiles, board.position.players)


def ask_why(page: Page, house: House, game: str, words: Words) -> None:
    """Tap an area on the board that somebody leads: a sentence with who, by how much, and the rule's page."""
    sitting = house.table.sitting(game)
    led = next(one for one in (*sitting.due, *sitting.pending) if one.verdict.majority.strongest)
    page.goto(f"{house.address}/g/{game}/board")
    page.locator(f'a[href="/g/{game}/area/{led.area.id}"]').first.dispatch_event("click")
    expect(page.locator("#sheet .why-sentence")).to_be_visible()
    expect(page.locator("#sheet .sums .leads")).to_be_visible()
    expect(page.locator("#sheet .rule-reference")).to_contain_text("5")
    page.locator("#sheet [data-close]").click()
    expect(page.locator("#sheet")).to_be_hidden()


def correct_and_undo(house: House, page: Page, other: Page, game: str, words: Words) -> None:
    before = house.table.sitting(game)
    slot = next(cell for cell in before.board.slots if isinstance(before.position.slot(cell), FaceUp))
    page.goto(f"{house.address}/g/{game}/slot/{slot}")
    with page.expect_navigation():
        page.locator("form.tile-turns button:not([disabled])").first.click()
    page.goto(f"{house.address}/g/{game}/history")
    assert house.table.sitting(game).position.slot(slot) != before.position.slot(slot)
    other.goto(f"{house.address}/g/{game}/history")
    rows = other.locator("#history > li").count()
    page.get_by_role("button", name=words("Undo"), exact=True).click()
    expect(other.locator("#history > li")).to_have_count(rows + 1)
    assert house.table.sitting(game).position == before.position


def finish(house: House, page: Page, game: str, words: Words) -> None:
    left = sum(slot == "down" for slot in house.table.sitting(game).position.tiles.values())
    house.play(game, left)
    page.goto(f"{house.address}/g/{game}/")
    page.get_by_role("link", name=words("Card played, turn over\u00a0…")).click()
    page.locator("#sheet").get_by_role("button", name=words("The game is over")).click()
    expect(page.locator("#players .end")).to_be_visible()
    page.locator("#players .end a").click()
    totals = {}
    for sheet in ("base", "battle"):
        page.locator(f'.segments a[href$="sheet={sheet}"]').click()
        page.wait_for_url(f"**sheet={sheet}")
        totals[sheet] = [int(text) for text in page.locator(".score-table tfoot .number").all_inner_texts()]
    final = house.table.sitting(game).sheet()
    assert totals["battle"] == [final.totals[colour] for colour in COLOURS]
    assert totals["base"] != totals["battle"]
    page.locator(".score-table tbody a").first.click()
    expect(page.locator("#sheet")).to_be_visible()


def test_the_live_camera_takes_photos(
    reading_house: House, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium's fake camera films a moving picture; the page asks for it on this computer, as on https."""
    house, seen = reading_house, []

    def remember(jpeg: bytes, name: str, folder: Path) -> dict[str, Any]:
        seen.append(jpeg)
        return {"error": "That is a test picture."}

    monkeypatch.setattr(house.table, "_scan", remember)
    game = house.new_game(arrangement_seen=True).game
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(house.host_link)
        page.goto(f"{house.address}/g/{game}/")
        page.get_by_role("button", name="Live camera").click()
        expect(page.locator("#camera[data-ready]")).to_be_visible()
        page.get_by_role("button", name="Capture", exact=True).click()
        expect(page.locator("form[data-scan] .form-error")).to_have_text("That is a test picture.")
        expect(page.locator("#camera")).to_be_hidden()
    assert seen and seen[0].startswith(b"\xff\xd8")


def test_the_camera_takes_a_photo_when_nothing_moves(
    reading_house: House, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The picture is frozen by hand: what matters is that stillness, and only stillness, takes a photo."""
    refused = {"error": "That is a test picture."}
    monkeypatch.setattr(reading_house.table, "_scan", lambda jpeg, name, folder: refused)
    game = reading_house.new_game(arrangement_seen=True).game
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(reading_house.host_link)
        page.goto(f"{reading_house.address}/g/{game}/")
        page.get_by_role("button", name="Live camera").click()
        expect(page.locator("#camera[data-ready]")).to_be_visible()
        with page.expect_request(lambda request: request.url.endswith("/scan")):
            page.locator("[data-when-still]").check()
            page.evaluate("document.querySelector('#camera video').pause()")
        expect(page.locator("#camera [data-said]")).to_have_text("That is a test picture.")


def test_the_camera_waits_while_a_question_is_open(
    reading_house: House, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another photo would ask anew what somebody is just answering on a phone."""
    house, game = reading_house, reading_house.new_game(arrangement_seen=True).game
    record = photo_of(house.table.sitting(game).position)
    slot = house.table.sitting(game).board.slots[0]
    record["tiles"][slot] = doubtful(FaceUp("T01", 0), 0.6, (FaceUp("T02", 0), 0.3))
    taken: list[bytes] = []

    def read(jpeg: bytes, name: str, folder: Path) -> dict[str, Any]:
        taken.append(jpeg)
        return read_comment(jpeg_of(record), name, folder)

    monkeypatch.setattr(house.table, "_scan", read)
    with phone(chromium) as context:
        page = context.new_page()
        page.goto(house.host_link)
        page.goto(f"{house.address}/g/{game}/")
        page.get_by_role("button", name="Live camera").click()
        expect(page.locator("#camera[data-ready]")).to_be_visible()
        page.locator("[data-when-still]").check()
        page.evaluate("document.querySelector('#camera video').pause()")
        expect(page.locator("#camera [data-said]")).to_have_text(f"Which tile lies on {slot}?")
        page.evaluate("document.querySelector('#camera video').play()")  # it films what moves
        page.wait_for_timeout(600)
        page.evaluate("document.querySelector('#camera video').pause()")
        page.wait_for_timeout(2000)
        expect(page.locator("#camera [data-said]")).to_have_text(f"Which tile lies on {slot}?")
    assert len(taken) == 1
