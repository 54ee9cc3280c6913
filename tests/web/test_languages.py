"""Each reader gets a page in their own language, by choice or by the browser."""

from __future__ import annotations

import pytest

from tests.web.asking import Browser
from tests.web.house import House


@pytest.mark.parametrize(
    ("wanted", "language"),
    [
        ("de-AT", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("de-CH-1996", "de"),
        ("fr, it-CH;q=0.7, en;q=0.3", "it"),
        ("nl-BE,nl;q=0.8", "nl"),
        ("en-GB", "en"),
        ("fr-FR", "en"),
        ("", "en"),
        ("*", "en"),
        ("de;q=0, it", "it"),
        ("not a language at all!!", "en"),
    ],
)
def test_the_browser_says_which(house: House, wanted: str, language: str) -> None:
    assert f'<html lang="{language}">' in Browser(house.address, wanted).get("/").text


def test_a_choice_counts_more_than_the_browser(house: House) -> None:
    browser = Browser(house.address, "de")
    assert (
        browser.post("/language", {"language": "it", "next": "/language"}).headers["Location"] == "/language"
    )
    assert '<html lang="it">' in browser.get("/").text


def test_only_the_four_can_be_chosen(house: House) -> None:
    browser = Browser(house.address, "de")
    assert browser.post("/language", {"language": "tlh"}).status == 422
    assert '<html lang="de">' in browser.get("/").text


def test_errors_speak_it_too(house: House) -> None:
    german = Browser(house.address, "de-AT").get("/nowhere").sentence
    english = Browser(house.address, "en").get("/nowhere").sentence
    assert german and german != english


def test_the_first_reader_does_not_choose_for_the_next(house: House, game: str, host: Browser) -> None:
    """Names that stand in a template as constants are spoken in each reader's language too."""
    said = {}
    for language in ("de", "it", "nl", "en"):
        page = host.get(f"/g/{game}/do?lang={language}").text
        said[language] = [name for name in ("Verräter", "Traditore", "Verrader", "Traitor") if name in page]
    assert said == {"de": ["Verräter"], "it": ["Traditore"], "nl": ["Verrader"], "en": ["Traitor"]}


def test_what_a_nameless_host_did_is_told_in_the_readers_language(
    house: House, game: str, host: Browser
) -> None:
    number = house.table.sitting(game).number
    host.language = "de"
    sent = {"key": "nameless-1", "expected": str(number), "what": "wood", "by": "1"}
    assert host.post(f"/g/{game}/player/red", sent).status == 303
    for language, word in {"en": "Host", "de": "Gastgeber", "it": "Organizzatore", "nl": "Gastheer"}.items():
        host.language = language
        head = host.get(f"/g/{game}/history").text.split('class="deed-head')[1]
        assert f"<span>{word}</span>" in head, language
