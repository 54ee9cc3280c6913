"""What does not fit together is told in the reader's language, by codes that the rules really give."""

from __future__ import annotations

import re
from pathlib import Path

import companion.scoring.castelli
from companion.table.castelli.rulebook import Problem
from companion.web.castelli.problems import SENTENCES, problem_sentence
from tests.web.castelli.speaking import speaking


def test_every_sentence_belongs_to_a_code_of_the_rules() -> None:
    room = Path(next(iter(companion.scoring.castelli.__path__)))
    rules = (room / "status.py").read_text(encoding="utf-8")
    given = {*re.findall(r'"([a-z-]+)"', rules)}
    assert set(SENTENCES) - given == set()


def test_the_place_or_the_colour_is_named() -> None:
    tenth = Problem("castles", "red", "10 castles of red stand on the board; there are 9.")
    lonely = Problem("no-coat", "B3/1/0", "B3/1/0: no coat of arms of red looks at B3.")
    unknown = Problem("mines", "", "The board shows 2 silver mines; it has one.")
    with speaking("it"):
        assert problem_sentence(tenth).startswith("Rosso: Sul tabellone ci sono più castelli")
        assert problem_sentence(lonely).startswith("B3: Nessun blasone")
        assert problem_sentence(unknown) == unknown.sentence
    with speaking("en"):
        assert problem_sentence(tenth) == tenth.sentence
