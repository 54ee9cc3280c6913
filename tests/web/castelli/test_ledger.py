"""Every number beside a player or the board is the sum of what its page tells."""

from __future__ import annotations

import re

import pytest

from companion.table.castelli.rulebook import Build, Correction, EndTurn, FaceUp, PlayerCorrection
from companion.table.castelli.sitting import Sitting
from companion.web.castelli.key_line import who_gets_what
from companion.web.castelli.ledger_view import OWN, SHARED, ledger_view
from companion.web.castelli.why_number import why_view
from tests.scoring.table import Table as Players
from tests.web.asking import Browser
from tests.web.castelli.speaking import LANGUAGES, speaking
from tests.web.castelli.test_pages import form
from tests.web.house import PLAYERS, House


@pytest.fixture
def played(house: House) -> Sitting:
    """A whole game with both modules, and a correction by hand in it."""
    made = house.table.new_game(
        {"players": PLAYERS, "battle": True, "dilemma": True, "arrangement_seen": True},
        "Rosa",
        f"ledger-{house._next()}",
    )
    players = Players(made.board, made.settings.colours, 3, made.position.modules)
    events = [*players.whole_game().events]
    fixed = Correction(players={"red": PlayerCorrection(points=2, silver=5)}, mine=3)
    return house.do(made.game, *events[:40], fixed)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_entries_add_up_to_the_number(played: Sitting, language: str) -> None:
    with speaking(language):
        for colour in played.position.colours:
            for what in OWN:
                number = getattr(played.position.player(colour), what)
                check(played, what, colour, getattr(played.start.player(colour), what), number)
        for what in SHARED:
            check(played, what, None, getattr(played.start, what), getattr(played.position, what))


def check(played: Sitting, what: str, colour: str | None, start: int, number: int) -> None:
    view = ledger_view(played, what, colour)
    assert view.number == number
    assert start + sum(entry.by for entry in view.entries) == number
    running = start
    for entry in reversed(view.entries):
        running += entry.by
        assert entry.after == running
        assert all(len(words) > 8 and "%(" not in words for words in entry.sentences)
    assert str(number) in view.sentence


def test_a_correction_by_hand_is_an_entry(played: Sitting) -> None:
    with speaking():
        assert ledger_view(played, "points", "red").entries[0].sentences[0].startswith("Set by hand")
        assert ledger_view(played, "mine", None).entries[0].after == 3


def test_silver_alone_stands_in_for_a_resource(house: House) -> None:
    """The wood that is paid beside it is not in place of anything."""
    game = house.new_game(arrangement_seen=True).game
    sitting = house.play(game, 24)
    built = [
        (event, step)
        for event, step in zip(sitting.events, sitting.steps, strict=True)
        if isinstance(event, Build) and event.buy
    ]
    assert built
    with speaking():
        for what in ("wood", "grain", "rocks", "silver"):
            told = [
                words
                for colour in sitting.position.colours
                for entry in ledger_view(sitting, what, colour).entries
                for words in entry.sentences
            ]
            assert any("In place of" in words for words in told) == (what == "silver"), what


def test_a_total_is_the_sum_of_its_lines(played: Sitting) -> None:
    with speaking():
        for colour, total in played.sheet().totals.items():
            view = why_view(played.position, played.sheet(), played.steps, "total", colour)
            assert view.total == total == sum(bar.number for bar in view.bars)
            assert max(bar.share for bar in view.bars) == 100


def test_the_key_line_is_what_open_areas_bring(house: House, game: str, host: Browser) -> None:
    sitting = house.table.sitting(game)
    with speaking():
        lines = {line.colour: line for line in who_gets_what(sitting.position)}
    for colour in sitting.position.colours:
        brought = sum(
            one.verdict.majority.share
            for one in (*sitting.due, *sitting.pending)
            if colour in one.verdict.winners
        )
        assert (
            sum(number for _, number in lines[colour].things) == brought if brought else colour not in lines
        )
    assert lines
    page = host.get(f"/g/{game}/board").text
    assert page.count('class="gets"') == len(lines)


def test_what_lies_beside_the_board_can_be_set(house: House, game: str, host: Browser) -> None:
    position = house.table.sitting(game).position
    for what in ("mine", "deck", "spare_villages", "spare_cities"):
        answer = host.post(f"/g/{game}/supply", form(house, game, what=what, by=-1))
        assert answer.status == 303
        assert getattr(house.table.sitting(game).position, what) == getattr(position, what) - 1
    assert host.post(f"/g/{game}/supply", form(house, game, what="spare_cities", by=9)).status == 422
    assert host.post(f"/g/{game}/supply", form(house, game, what="turn", by=1)).status == 422
    assert house.table.sitting(game).history[-1].author == "Host"


def test_whose_turn_it_is_can_be_set(house: House, game: str, host: Browser) -> None:
    assert house.table.sitting(game).position.turn != "green"
    assert host.post(f"/g/{game}/turn", form(house, game, colour="green")).status == 303
    assert house.table.sitting(game).position.turn == "green"
    assert host.post(f"/g/{game}/turn", form(house, game, colour="mauve")).status == 404


def test_a_start_tile_is_taken_out_of_the_hand(house: House, host: Browser) -> None:
    game = house.new_game(arrangement_seen=True, dilemma=True).game
    assert host.post(f"/g/{game}/player/red", form(house, game, what="holds_start", by=-1)).status == 303
    assert house.table.sitting(game).position.player("red").holds_start is False
    assert host.post(f"/g/{game}/player/red", form(house, game, what="holds_start", by=-1)).status == 422
    assert "Start tile in hand" in host.get(f"/g/{game}/player/red").text


def test_a_start_tile_is_no_matter_without_dilemma(house: House, game: str, host: Browser) -> None:
    assert host.post(f"/g/{game}/player/red", form(house, game, what="holds_start", by=1)).status == 422


def test_a_steward_nobody_told_of_is_told_later(house: House, game: str, host: Browser) -> None:
    """The tile lies otherwise, the card is gone, and what was paid since is paid again."""
    sitting = house.table.sitting(game)
    cell = next(cell for cell in sitting.board.slots if isinstance(sitting.position.slot(cell), FaceUp))
    lying = sitting.position.slot(cell)
    assert isinstance(lying, FaceUp)
    turned = (lying.turns + 1) % 4
    answer = host.post(f"/g/{game}/slot/{cell}/steward", form(house, game, player="blue", turns=turned))
    assert answer.status == 422  # nobody has drawn a card yet
    assert house.table.sitting(game).number == sitting.number

    with_card = house.new_game(arrangement_seen=True).game
    start = house.do(with_card, Correction(players={"blue": PlayerCorrection(cards=1)}))
    house.play(with_card, 1)
    house.do(with_card, EndTurn())
    cell = start.board.slots[0]
    lying = house.table.sitting(with_card).position.slot(cell)
    assert isinstance(lying, FaceUp)
    page = host.get(f"/g/{with_card}/slot/{cell}").text
    assert "A Steward turned it" in page
    cards = house.table.sitting(with_card).position.player("blue").cards
    turned = (lying.turns + 1) % 4
    answer = host.post(
        f"/g/{with_card}/slot/{cell}/steward", form(house, with_card, player="blue", turns=turned)
    )
    assert answer.status == 303
    now = house.table.sitting(with_card)
    assert now.position.slot(cell) == FaceUp(lying.tile, turned)
    assert now.position.player("blue").cards <= cards
    assert re.search("plays the Steward", host.get(f"/g/{with_card}/history").text)
    house.table.undo(with_card, "Rosa", "undo-steward", now.number)
    assert house.table.sitting(with_card).position.slot(cell) == lying


def test_a_castle_is_built_with_a_card_by_hand(house: House, host: Browser) -> None:
    game = house.new_game(arrangement_seen=True).game
    sitting = house.play(game, 10)
    poor = PlayerCorrection(wood=1, grain=0, rocks=0, silver=2, cards=1)
    colour = sitting.position.turn
    house.do(game, Correction(players={colour: poor}))
    pages = {site: host.get(f"/g/{game}/site/{site}").text for site in sitting.board.sites}
    site = next(site for site, page in pages.items() if 'value="master-builder"' in page)
    assert "Master builder" in pages[site]
    assert host.post(f"/g/{game}/build/{site}", form(house, game, card="king-3")).status == 422
    assert host.post(f"/g/{game}/build/{site}", form(house, game, card="master-builder")).status == 303
    now = house.table.sitting(game).position
    assert now.castles[site] == (colour,)
    assert (now.player(colour).cards, now.player(colour).silver) == (0, 0)


def test_a_guard_is_played_from_the_castle(house: House, host: Browser) -> None:
    game = house.new_game(arrangement_seen=True, battle=True).game
    sitting = house.play(game, 12)
    site, stack = next((s, k) for s, k in sitting.position.castles.items() if k[-1] != sitting.position.turn)
    house.do(game, Correction(players={stack[-1]: PlayerCorrection(cards=1)}))
    page = host.get(f"/g/{game}/site/{site}").text
    assert "plays the Guard for this castle" in page
    deed = form(house, game, deed="guard", player=stack[-1], site=site)
    assert host.post(f"/g/{game}/do", deed).status == 303
    assert site in house.table.sitting(game).position.guarded
    assert (
        host.post(f"/g/{game}/do", form(house, game, deed="guard", player="red", site="Z9/0/0")).status == 404
    )
