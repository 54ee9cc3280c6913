"""The pages' own language at work, without a server: sentences are made inside `speaking("de")`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from flask_babel import force_locale

from companion.web.language import speak_four_languages

LANGUAGES = ("en", "de", "it", "nl")


@contextmanager
def speaking(language: str = "en") -> Iterator[Flask]:
    app = Flask("companion.web")
    app.config.update(
        BABEL_DOMAIN="messages;castelli", BABEL_TRANSLATION_DIRECTORIES="translations;translations"
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    speak_four_languages(app)
    with app.test_request_context(), force_locale(language):
        yield app
