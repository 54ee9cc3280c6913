"""Whole random games played at the table: every page opens at every moment, and shows what the rules say."""

from __future__ import annotations

import re

import pytest

from companion.table.castelli.rulebook import Modules
from companion.table.castelli.sitting import Sitting
from tests.scoring.table import Table as Players
from tests.web.asking import Browser
from tests.web.house import PLAYERS, House

GAMES = [
    # language, players, dilemma, battle
    ("en", 2, True, False),
    ("de", 3, False, True),
    ("it", 4, True, True),
    ("nl", 4, False, False),
]
LOOKS = 3
"""So many times the players stop and look through the pages."""
NUMBERS = ("points", "wood", "grain", "rocks", "silver", "cards", "castles_left")
ROWS = ("track", "cards", "resources", "silver", "start", "villages", "cities", "castles", "total")
UNFINISHED = re.compile(r"%\(\w+\)|\bNone\b|Traceback|\bundefined\b")


@pytest.mark.parametrize(("language", "count", "dilemma", "battle"), GAMES)
def test_a_game_from_the_first_tile_to_the_last(
    house: House, host: Browser, language: str, count: int, dilemma: bool, battle: bool
) -> None:
    host.language = language
    made = house.table.new_game(
        {"players": PLAYERS[:count], "dilemma": dilemma, "battle": battle, "arrangement_seen": True},
        "Rosa",
        f"whole-game-{language}",
    )
    players = Players(made.board, made.settings.colours, 7 * count, Modules(dilemma, battle))
    game = players.whole_game()
    for number, event in enumerate(game.events):
        sitting = house.do(made.game, event)
        if number % (len(game.events) // LOOKS) == 0 or sitting.finished:
            look_around(host, sitting)
    assert sitting.finished
    assert sitting.sheet().totals == game.sheet().totals
    assert totals(host, sitting) == list(game.sheet().totals.values())


def look_around(host: Browser, sitting: Sitting) -> None:
    position = sitting.position
    colours = position.colours
    paths = ["", "board", "score?sheet=battle", "score?sheet=base", "history", "do", "supply", "people"]
    paths += [f"player/{colour}" for colour in colours]
    paths += [f"number/{what}/{colour}" for what in NUMBERS for colour in colours]
    paths += ["number/mine", "number/deck", "score.svg", "score.csv", "bgstats.json", "castelli.json"]
    paths += [f"score/{row}/{colour}" for row in ROWS for colour in colours[:2]]
    paths += [f"area/{area}" for area in list(position.board.areas)[::7]]
    paths += [f"slot/{slot}?tile=T07" for slot in position.board.slots[::9]]
    paths += [f"site/{site}" for site in list(position.board.sites)[::5]]
    for path in paths:
        answer = host.get(f"/g/{sitting.game}/{path}")
        assert answer.status == 200, (path, answer.sentence)
        assert not UNFINISHED.search(answer.text), (path, UNFINISHED.search(answer.text))
    assert totals(host, sitting) == list(sitting.sheet().totals.values())
    assert points(host, sitting) == [player.points for player in position.players]


def totals(host: Browser, sitting: Sitting) -> list[int]:
    page = host.get(f"/g/{sitting.game}/score").text
    return [int(number) for number in re.findall(r'class="number total[^>]*><a[^>]*>(\d+)</a>', page)]


def points(host: Browser, sitting: Sitting) -> list[int]:
    page = host.get(f"/g/{sitting.game}/").text
    return [int(number) for number in re.findall(r'class="points".*?data-count>(\d+)<', page)]
