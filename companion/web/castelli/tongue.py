"""The reader's language, with types: Flask-Babel has none."""

from __future__ import annotations

from typing import Protocol

import flask_babel


class Lazy(Protocol):
    """A text that is translated when it is shown, not when the module is loaded."""

    def __str__(self) -> str: ...


def lazy(text: str) -> Lazy:
    later: Lazy = flask_babel.lazy_gettext(text)
    return later


def _(text: str, **values: object) -> str:
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, many: str, number: int, **values: object) -> str:
    """`%(num)d` in both stands for the number."""
    return str(flask_babel.ngettext(one, many, number, **values))


def has_decimal_comma() -> bool:
    """As in German, Italian and Dutch: 1,5."""
    return str(flask_babel.format_decimal(0.5))[1] == ","


def locale() -> str:
    return str(flask_babel.get_locale() or "en")
