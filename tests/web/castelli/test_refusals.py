"""Every way in which the rules refuse something has a sentence that can be translated."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion.scoring.castelli
from companion.table.castelli.asking import Question, QuestionKind
from companion.web.castelli.asked import answer_place, asked
from companion.web.castelli.refusals import SENTENCES
from tests.web.castelli.speaking import speaking


def codes_of_the_rules() -> set[str]:
    codes = set()
    for file in Path(next(iter(companion.scoring.castelli.__path__))).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RuleBroken":
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    codes.add(str(first.value))
    return codes


def test_every_code_has_its_sentence_and_no_sentence_is_left_over() -> None:
    assert set(SENTENCES) == codes_of_the_rules()


REFUSED = "The rules do not allow what the photo shows on %(place)s: %(why)s What happened?"


@pytest.mark.parametrize(
    ("code", "why", "german"),
    [
        ("too-poor", "red has 1 wood, a castle costs more.", "Der Spieler hat zu wenige Rohstoffe."),
        ("not-turn", "It was not their turn.", "Diese Farbe war nicht am Zug."),
    ],
)
def test_a_question_gives_the_rules_reason_in_the_readers_language(code: str, why: str, german: str) -> None:
    values = {"place": "B3/1/0", "why": why, "code": code}
    question = Question("refused/B3/1/0", QuestionKind.REFUSED, "B3/1/0", REFUSED, values, ())
    with speaking("de"):
        assert asked(question) == (
            f"Die Regeln erlauben nicht, was das Foto auf B3 zeigt: {german} Was ist geschehen?"
        )
    with speaking("en"):
        assert why in asked(question)
    assert answer_place(question.id) == "B3"
