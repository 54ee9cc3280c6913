"""Which of the four rulebooks' languages a page speaks, by choice or by the browser."""

from __future__ import annotations

from babel import negotiate_locale
from flask import Flask, request
from flask_babel import Babel

LANGUAGES = {"en": "English", "de": "Deutsch", "it": "Italiano", "nl": "Nederlands"}
COOKIE = "language"


def speak_four_languages(app: Flask) -> None:
    Babel(app, default_locale="en", locale_selector=chosen_language)


def chosen_language() -> str:
    """The choice made on a page; else the browser's first language that we speak; else English.

    `accept_languages.best_match` would give English to "de-AT, en;q=0.5": it knows no Austrian German.
    """
    for choice in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if choice in LANGUAGES:
            return choice
    wanted = [tag for tag, quality in request.accept_languages if quality > 0]
    return negotiate_locale(wanted, LANGUAGES, sep="-") or "en"
