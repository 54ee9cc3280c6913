"""Every sentence exists in all languages, with the same places for values, and is compiled."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog

from tools.translate import LANGUAGES, compiled, extracted, po_file, read

PLACES = re.compile(r"%\(\w+\)[sd]")
CATALOGUES = [(language, domain) for language in LANGUAGES for domain in ("messages", "castelli")]


def pairs(catalog: Catalog) -> list[tuple[str, str]]:
    """Each sentence with each of its translations."""
    found = []
    for message in catalog:
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
        texts = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        found += [(ids[min(at, len(ids) - 1)], text) for at, text in enumerate(texts)]
    return found


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_every_sentence_is_translated(language: str, domain: str) -> None:
    """Where this fails: run tools/translate.py, translate what it names, and run it again."""
    wanted = {str(message.id) for message in extracted(domain) if message.id}
    catalog = read(language, domain)
    known = {str(message.id) for message in catalog if message.id}
    assert wanted - known == set()
    assert known - wanted == set()
    assert [sentence for sentence, text in pairs(catalog) if not text] == []


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_translations_have_the_same_places_for_values(language: str, domain: str) -> None:
    wrong = [
        (sentence, text)
        for sentence, text in pairs(read(language, domain))
        if sorted(set(PLACES.findall(sentence))) != sorted(set(PLACES.findall(text)))
    ]
    assert wrong == []


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_what_is_compiled_is_what_is_written(language: str, domain: str) -> None:
    compiled_file = po_file(language, domain).with_suffix(".mo")
    assert compiled_file.read_bytes() == compiled(read(language, domain))


@pytest.mark.parametrize("domain", ["messages", "castelli"])
def test_no_language_speaks_another(domain: str) -> None:
    """Single words may be the same in two languages, sentences are not."""
    said: dict[tuple[str, str], str] = {}
    wrong = []
    for language in LANGUAGES:
        for sentence, text in pairs(read(language, domain)):
            words = PLACES.sub("", text).split()
            if len(words) > 3 and (text == sentence or said.get((sentence, text), language) != language):
                wrong.append((language, text))
            said[sentence, text] = language
    assert wrong == []


@pytest.mark.parametrize(("language", "domain"), CATALOGUES)
def test_no_exclamation_marks(language: str, domain: str) -> None:
    assert [text for _, text in pairs(read(language, domain)) if "!" in text] == []
