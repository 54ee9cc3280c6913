"""The pages about the game as a server sends them: they open, they correct, they refuse in a sentence."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.table.castelli.rulebook import DOWN, EndGame, EndTurn, FaceUp, Phase, building_sites
from tests.web.asking import Browser
from tests.web.house import House, open_house

LANGUAGES = ("en", "de", "it", "nl")


def form(house: House, game: str, **fields: object) -> dict[str, str]:
    House._count += 1
    number = house.table.sitting(game).number
    return {
        "key": f"formkey-{House._count:06}",
        "expected": str(number),
        **{k: str(v) for k, v in fields.items()},
    }


def pages_of(house: House, game: str) -> list[str]:
    position = house.table.sitting(game).position
    up = next(cell for cell in position.board.slots if isinstance(position.slot(cell), FaceUp))
    down = next(cell for cell in position.board.slots if position.slot(cell) == DOWN)
    tile = next(iter(position.board.set.tiles))
    return [
        "board",
        "board?near=E",
        *(f"area/{area}" for area in position.board.areas),
        f"slot/{up}",
        f"slot/{up}?tile={tile}",
        f"slot/{down}",
        f"slot/{down}?tile={tile}",
        *(f"site/{site}" for site in list(position.board.sites)[:3]),
        *(f"space/{cell}" for cell in list(position.board.spaces)[:3]),
        "photo",
        "score",
        "score?sheet=base",
        "score?sheet=battle",
        "score/track/red",
        "score/silver/red",
    ]


def test_every_page_opens_in_every_language(house: House, game: str, host: Browser) -> None:
    words: dict[str, set[str]] = {}
    for language in LANGUAGES:
        host.language = language
        for path in pages_of(house, game):
            answer = host.get(f"/g/{game}/{path}")
            assert answer.status == 200, (language, path)
            assert f'<html lang="{language}">' in answer.text
            words.setdefault(path, set()).add(re.sub(r"<[^>]*>", "", answer.text))
    assert all(len(texts) == len(LANGUAGES) for texts in words.values())


def test_no_page_styles_or_scripts_in_line(house: House, game: str, host: Browser) -> None:
    for path in pages_of(house, game):
        text = host.get(f"/g/{game}/{path}").text
        assert not re.search(r"<[^>]* style=|<style|<[^>]* on[a-z]+=|<script>", text), path


@pytest.mark.parametrize(
    "path",
    [
        "area/Z9/0", "area/B1/9", "area/B1", "slot/Z9", "slot/B1", "slot/A1?tile=none", "site/B1/0/9",
        "site/A1",
        "space/A1", "space/x", "score/track/mauve", "score/nothing/red", "score/town/A1", "score/town/Z9",
    ],
)  # fmt: skip
def test_what_is_not_on_the_board_is_said_in_a_sentence(game: str, host: Browser, path: str) -> None:
    answer = host.get(f"/g/{game}/{path}")
    assert answer.status == 404
    assert answer.sentence == "There is no such place on this board."
    assert f'href="/g/{game}/">To the table' in answer.text  # the way back is not out of the game


def test_a_tile_is_corrected_and_what_it_brought_is_worked_out_again(
    house: House, game: str, host: Browser
) -> None:
    before = house.table.sitting(game)
    cell, lying = next((c, s) for c, s in before.position.tiles.items() if isinstance(s, FaceUp))
    turned = (lying.turns + 1) % 4
    sent = form(house, game, tile=lying.tile, turns=turned)
    answer = host.post(f"/g/{game}/slot/{cell}", sent)
    assert answer.status == 303, answer.sentence
    after = house.table.sitting(game)
    assert after.position.slot(cell) == FaceUp(lying.tile, turned)
    assert after.number == before.number + 1
    # the same form again is the same deed
    assert host.post(f"/g/{game}/slot/{cell}", sent).status == 303
    assert house.table.sitting(game).number == after.number


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"tile": "none", "turns": 0}, 422),
        ({"turns": 0}, 422),
        ({"tile": "T01", "turns": 7}, 422),
        ({"tile": "T01", "turns": "x"}, 422),
        ({"state": "sideways"}, 422),
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(
    house: House, game: str, host: Browser, fields: dict[str, object], status: int
) -> None:
    number = house.table.sitting(game).number
    answer = host.post(f"/g/{game}/slot/A1", form(house, game, **fields))
    assert answer.status == status and answer.sentence
    assert house.table.sitting(game).number == number


def test_a_tile_can_be_taken_off_and_turned_down(house: House, game: str, host: Browser) -> None:
    for state in ("none", "down"):
        assert host.post(f"/g/{game}/slot/A1", form(house, game, state=state)).status == 303
        assert house.table.sitting(game).position.slot("A1") == state


def test_a_turn_can_be_told_by_hand(house: House, game: str, host: Browser) -> None:
    position = house.table.sitting(game).position
    cell = next(cell for cell in position.board.slots if position.slot(cell) == DOWN)
    lie = {slot.tile for slot in position.tiles.values() if isinstance(slot, FaceUp)}
    tile = next(t.id for t in position.board.set.tiles.values() if t.id not in lie and not t.start)
    assert host.post(f"/g/{game}/slot/{cell}/reveal", form(house, game, tile=tile, turns=2)).status == 303
    after = house.table.sitting(game).position
    assert (after.slot(cell), after.phase) == (FaceUp(tile, 2), Phase.BUILD)


def test_castles_and_towns_are_set_right(house: House, game: str, host: Browser) -> None:
    position = house.table.sitting(game).position
    site = next(site for site in position.board.sites if not position.castles.get(site))
    left = position.player("red").castles_left
    assert host.post(f"/g/{game}/site/{site}", form(house, game, stack="red")).status == 303
    after = house.table.sitting(game).position
    assert (after.castles[site], after.player("red").castles_left) == (("red",), left - 1)
    assert host.post(f"/g/{game}/site/{site}", form(house, game, stack="")).status == 303
    assert not house.table.sitting(game).position.castles.get(site)
    assert house.table.sitting(game).position.player("red").castles_left == left
    assert host.post(f"/g/{game}/site/{site}", form(house, game, stack="red,blue,green")).status == 422
    assert host.post(f"/g/{game}/site/{site}", form(house, game, stack="mauve")).status == 422
    cell = next(cell for cell in position.board.spaces if cell not in position.towns)
    assert host.post(f"/g/{game}/space/{cell}", form(house, game, town="village")).status == 303
    assert house.table.sitting(game).position.towns[cell] == "village"
    assert host.post(f"/g/{game}/space/{cell}", form(house, game, town="harbour")).status == 422
    assert host.post(f"/g/{game}/space/{cell}", form(house, game, town="")).status == 303
    assert cell not in house.table.sitting(game).position.towns


def test_who_was_not_let_in_changes_nothing(house: House, game: str, guest: Browser) -> None:
    number = house.table.sitting(game).number
    for path, fields in [
        ("slot/A1", {"state": "none"}),
        ("site/B1/0/0", {"stack": ""}),
        ("space/B1", {"town": ""}),
    ]:
        assert guest.post(f"/g/{game}/{path}", form(house, game, **fields)).status == 403
    assert house.table.sitting(game).number == number


def test_my_side_stays_where_it_was_put(game: str, host: Browser) -> None:
    assert 'data-near="S"' in host.get(f"/g/{game}/board").text
    assert 'data-near="W"' in host.get(f"/g/{game}/board?near=W").text
    assert 'data-near="W"' in host.get(f"/g/{game}/board").text
    assert 'data-near="W"' in host.get(f"/g/{game}/board?near=nowhere").text


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, str]]:
    """A game with the Battle module, played to its end."""
    with open_house(tmp_path_factory.mktemp("finished")) as house:
        game = house.new_game(arrangement_seen=True, battle=True, title="The end").game
        house.play(game, 32)
        if not house.do(game, EndTurn()).finished:
            house.do(game, EndGame())
        yield house, game


@pytest.fixture
def winner(finished: tuple[House, str]) -> Browser:
    house, _ = finished
    browser = Browser(house.address)
    browser.get(house.host_link.removeprefix(house.address))
    return browser


def test_the_end_names_the_winner_and_lists_every_town(finished: tuple[House, str], winner: Browser) -> None:
    house, game = finished
    sheet = house.table.sitting(game).sheet()
    text = winner.get(f"/g/{game}/score").text
    assert "result final" in text and "If the game ended now" not in text
    for total in sheet.totals.values():
        assert re.search(rf'class="number total[^"]*"><a[^>]*>{total}<', text)
    towns = set(re.findall(rf"/g/{game}/score/town/([A-Z]\d+)", text))
    assert towns
    for cell in towns:
        assert "has-lit" in winner.get(f"/g/{game}/score/town/{cell}").text


def test_nobody_has_won_by_the_sheet_that_was_not_played(
    finished: tuple[House, str], winner: Browser
) -> None:
    house, game = finished
    battle = house.table.sitting(game).position.modules.battle
    played, other = ("battle", "base") if battle else ("base", "battle")
    for page in ("score", "score.svg"):
        assert "would" not in winner.get(f"/g/{game}/{page}?sheet={played}").text
        assert re.search("would (win|share)", winner.get(f"/g/{game}/{page}?sheet={other}").text)


def test_the_shared_picture_is_an_svg_with_every_player(finished: tuple[House, str], winner: Browser) -> None:
    house, game = finished
    for query in ("", "?sheet=base"):
        answer = winner.get(f"/g/{game}/score.svg{query}")
        assert answer.headers.get_content_type() == "image/svg+xml"
        texts = "".join(xml.fromstring(answer.body).itertext())
        assert all(player.name in texts for player in house.table.sitting(game).settings.players)


def test_a_name_never_breaks_the_shared_picture(house: House, host: Browser) -> None:
    names = {"colour-0": "red", "name-0": "a\x00<b>&\x1b", "colour-1": "blue", "name-1": "\ufffe"}
    form = {"key": "key-of-odd-names", "set": "reference", "count": "2", "title": "\x07", **names}
    game = host.post("/new", form, X_Send="1").json["next"].removesuffix("people")
    assert "a <b>&" in "".join(xml.fromstring(host.get(f"{game}score.svg").body).itertext())


def test_files_for_other_programs(finished: tuple[House, str], winner: Browser) -> None:
    house, game = finished
    table = winner.get(f"/g/{game}/score.csv")
    assert table.headers.get_content_type() == "text/csv" and table.text.startswith("\ufeff")
    assert 'filename="castelli-score.csv"' in table.headers["Content-Disposition"]
    play = json.loads(winner.get(f"/g/{game}/bgstats.json").body)
    scores = {player["role"]: player["score"] for player in play["players"]}
    assert scores == house.table.sitting(game).sheet().totals


def test_the_map_builds_where_the_rules_allow_it(folder: Path) -> None:
    with open_house(folder) as house:
        game = house.new_game(arrangement_seen=True).game
        browser = Browser(house.address)
        browser.get(house.host_link.removeprefix(house.address))
        for _ in range(32):
            position = house.table.sitting(game).position
            sites = (
                [s for s in building_sites(position, position.turn) if s.price and not s.card]
                if position.placed
                else []
            )
            if sites:
                break
            slot = next(cell for cell in position.board.slots if position.slot(cell) == DOWN)
            lie = {s.tile for s in position.tiles.values() if isinstance(s, FaceUp)}
            tile = next(t.id for t in position.board.set.tiles.values() if t.id not in lie and not t.start)
            assert (
                browser.post(f"/g/{game}/slot/{slot}/reveal", form(house, game, tile=tile, turns=0)).status
                == 303
            )
        site = sites[0].site
        assert f"/g/{game}/build/{site}" in browser.get(f"/g/{game}/site/{site}").text
        assert browser.post(f"/g/{game}/build/{site}", form(house, game)).status == 303
        after = house.table.sitting(game).position
        assert after.castles[site] == (position.turn,)
        assert after.player(position.turn).points == position.player(position.turn).points + sites[0].points
        refused = browser.post(f"/g/{game}/build/{site}", form(house, game))
        assert refused.status == 422 and refused.sentence


def test_the_history_shows_each_tile_as_it_was_laid_down(house: House, game: str, host: Browser) -> None:
    up = sum(isinstance(slot, FaceUp) for slot in house.table.sitting(game).position.tiles.values())
    assert host.get(f"/g/{game}/history").text.count('class="tile-picture"') == up == 4


def test_every_event_of_the_history_can_be_undone(house: House, game: str, host: Browser) -> None:
    """With everything after it, also where a correction has taken the place of former deeds."""
    earlier = house.table.sitting(game)
    slot = earlier.board.slots[0]
    lying = earlier.position.slot(slot)
    assert isinstance(lying, FaceUp)
    corrected = house.table.correct_tile(
        game, slot, lying.tile, (lying.turns + 1) % 4, "Rosa", "turned-it", earlier.number
    )
    house.play(game, 2)
    sitting = house.table.sitting(game)
    page = host.get(f"/g/{game}/history").text
    assert page.count('class="button plain undo-here"') == len(sitting.steps_back) > 2
    steps = sitting.steps_back[corrected.number]
    answer = host.post(f"/g/{game}/undo", form(house, game, steps=steps))
    assert answer.status == 303
    # the correction is gone, and what it had replaced stands again
    assert house.table.sitting(game).position == earlier.position
