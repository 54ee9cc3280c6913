"""Every way in which the rules refuse something has a sentence that can be translated."""

from __future__ import annotations

import ast
from pathlib import Path

import companion.scoring.castelli
from companion.web.castelli.refusals import SENTENCES


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
