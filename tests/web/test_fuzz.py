"""Nonsense sent to every address: each gets a sentence and a status, nothing breaks, and the game goes on."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from tests.web.asking import Answer, Browser
from tests.web.house import House, open_house

NONSENSE = [
    "", "0", "-1", "1", "2", "999999999999", "1e9", "NaN", "null", "red", "blue", "purple", "A1", "B1",
    "Z9", "A1/0", "B1/0/0", "B1/0/9", "T01", "T99", "x" * 300, "../../etc/passwd", "%00", "\x00", "漢",
    "<script>", "up", "down", "none", "village", "city", "red,blue", "red,red,red", "again", "other",
    "up:T01:0", "up:T99:7", "empty", "plain", "silver:wood", "before", "١٢", "²", "king", "sell",
    "raider", "traitor", "duke", "guard", "end-turn", "end-game", "evaluate", "0x10", " 1", "+1",
    "landgrave", "wood", "mine", "points",
]  # fmt: skip
FIELDS = [
    "what", "by", "state", "tile", "turns", "stack", "town", "deed", "points", "victim", "cell",
    "player", "count", "proposal", "question", "choice", "kind", "bottom", "top", "seat", "name",
    "colour", "is_in", "steps", "title", "ruling-own_space", "auto_apply", "set", "plays-red",
    "plays-blue", "cards-red", "silver-red", "reading", "answer-tile/A1", "next", "language", "near",
    "sheet", "size", "photo", "battle", "colour-0", "name-0", "card", "site",
]  # fmt: skip
ASKED = 250


@pytest.fixture
def house(folder: Path) -> Iterator[House]:
    """A house of its own: nonsense codes shut out everybody at this address for a minute."""
    with open_house(folder) as opened:
        yield opened


@pytest.mark.parametrize("seed", [1, 2])
def test_nonsense_is_answered_in_a_sentence(house: House, host: Browser, game: str, seed: int) -> None:
    rng = random.Random(seed)
    rules = [rule for rule in house.companion.app().url_map.iter_rules() if is_tried(rule.rule)]
    answers: Counter[int] = Counter()
    for number in range(ASKED):
        rule = rng.choice(rules)
        path = filled_in(rule.rule, game, rng)
        form = {name: rng.choice(NONSENSE) for name in rng.sample(FIELDS, rng.randint(0, 10))}
        if "POST" in (rule.methods or ()):
            form |= {"key": f"nonsense-{seed}-{number}", "expected": str(house.table.sitting(game).number)}
            answer = host.post(path, form)
        else:
            answer = host.get(f"{path}?{urlencode(form)}")
        check(answer, path, form)
        answers[answer.status // 100] += 1
    assert answers[2] and answers[4]  # some of it made sense, and some did not
    assert host.get(f"/g/{game}/").status == 200


def is_tried(rule: str) -> bool:
    """The stream does not end, and files are files."""
    return not rule.startswith("/static") and "stream" not in rule


def filled_in(rule: str, game: str, rng: random.Random) -> str:
    def value(match: re.Match[str]) -> str:
        return game if match[1] == "game" else quote(rng.choice(NONSENSE), safe="/") or "x"

    return re.sub(r"<(?:\w+:)?(\w+)>", value, rule)


def check(answer: Answer, path: str, form: dict[str, str]) -> None:
    sent = (path, form)
    assert answer.status < 500, sent
    assert b"Traceback" not in answer.body, sent
    if answer.status >= 400:
        assert len(answer.sentence) > 10, sent
