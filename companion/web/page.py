"""A visit to a game: who comes, what they may do, and how a page is shown to them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from flask import Flask, Response, jsonify, make_response, redirect, render_template, request, url_for
from jinja2 import pass_context

from companion.table.castelli.sitting import Sitting
from companion.table.errors import BadInput, NotAllowed, sentence
from companion.table.seats import Seat
from companion.web.castelli.colours import palette_of
from companion.web.castelli.filters import FILTERS
from companion.web.castelli.tongue import _, lazy, locale
from companion.web.language import LANGUAGES
from companion.web.rooms import rooms
from companion.web.security import session

TABS = (
    ("table", "games.table", lazy("Table")),
    ("board", "castelli.board", lazy("Board")),
    ("photo", "castelli.photo", lazy("Photo")),
    ("score", "castelli.score", lazy("Score")),
    ("history", "games.history", lazy("History")),
)
HOST = "Host"
"""The author of what a host without a name did; each reader sees it in the own language."""
KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")


@dataclass(frozen=True, slots=True)
class Visit:
    """A browser that has joined the game, and the game as it stands."""

    sitting: Sitting
    seat: Seat
    version: int
    """Of the game's pages, asked before the game was: a change in between is told again."""

    @property
    def game(self) -> str:
        return self.sitting.game

    @property
    def author(self) -> str:
        """Under whose name the history keeps what this browser does."""
        named = self.sitting.settings.name_of(self.seat.colour) if self.seat.colour else ""
        return self.seat.name or named or (HOST if self.seat.is_host else "")


@dataclass(frozen=True, slots=True)
class Writing:
    """What a form says about itself: who, a key against doubles, and the log number it was made for."""

    author: str
    key: str
    expected: int


def visit(game: str) -> Visit:
    """Only who has joined sees a game; everybody else is told how to."""
    seat = rooms().seats.seat(game, session())
    if seat is None:
        raise NotAllowed(sentence("You have not joined this game. Scan the QR code that its host shows."))
    version = rooms().live.version(game)
    return Visit(rooms().table.sitting(game), seat, version)


def host_visit(game: str) -> Visit:
    visiting = visit(game)
    if not visiting.seat.is_host:
        raise NotAllowed(sentence("Only the host of this game may change this."))
    return visiting


def check_house() -> None:
    """Games are made and listed by whoever came in by the link that the computer shows."""
    if not rooms().seats.is_house(session()):
        raise NotAllowed(
            sentence(
                "This is for the host. Open the link, or scan the QR code, that stands in the window where "
                "Companion was started."
            )
        )


def check_in(visiting: Visit) -> None:
    if not visiting.seat.is_in:
        raise NotAllowed(sentence("The host has not let you in yet; until then you can watch."))


def check_may(visiting: Visit, *, photograph: bool = False) -> None:
    """Writes need a seat that the host let in, and the right for this one."""
    check_in(visiting)
    seat = visiting.seat
    if photograph and not seat.may_photograph:
        raise NotAllowed(sentence("The host has not allowed you to take photos."))
    if not photograph and not seat.may_confirm:
        raise NotAllowed(sentence("The host has not allowed you to confirm and change things."))


def writing(visiting: Visit, *, photograph: bool = False) -> Writing:
    check_may(visiting, photograph=photograph)
    return Writing(visiting.author, form_key(), form_number("expected"))


def form_key() -> str:
    key = request.form.get("key", "")
    if not KEY.fullmatch(key):
        raise BadInput(sentence("The form came without its key. Load the page again and try once more."))
    return key


def form_number(name: str, least: int = 0, most: int = 10**9) -> int:
    text = request.form.get(name, "")
    if not re.fullmatch(r"-?[0-9]{1,10}", text) or not least <= int(text) <= most:
        raise BadInput(sentence("“%(text)s” is not a number that fits here."), text=text[:20])
    return int(text)


def show(template: str, visiting: Visit | None = None, **context: Any) -> Response:
    """The page, whole or as the content of a bottom sheet."""
    if visiting is not None:
        sitting = visiting.sitting
        context = {
            "sitting": sitting,
            "game": sitting.game,
            "seat": visiting.seat,
            "palette": palette_of(sitting),
            "version": visiting.version,
            **context,
        }
    layout = "sheet.html" if "X-Sheet" in request.headers else "base.html"
    response = make_response(render_template(template, layout=layout, **context))
    response.headers["Vary"] = "X-Sheet, Cookie, Accept-Language"
    return response


def done(endpoint: str, said: str = "", /, **values: Any) -> Response:
    """After a form: the page to see next, as a redirect or, for a form sent by a script, as its address,
    with a sentence for whoever sent it where the page itself will not show what came of it."""
    address = url_for(endpoint, **values)
    if "X-Send" in request.headers:
        return jsonify(next=address, said=said)
    return make_response(redirect(address, 303))


def spoken(known: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that is asked for each reader. Jinja would work out that of a constant, such as the name of a
    card, when it reads the template: in the language of whoever came first."""

    @pass_context
    @wraps(known)
    def asked(_context: Any, *values: Any, **options: Any) -> Any:
        return known(*values, **options)

    return asked


def author_name(author: str) -> str:
    """Who did something, as the reader is told."""
    return _("Host") if author == HOST else author or _("Somebody")


def furnish(app: Flask) -> None:
    """What every template has."""
    filters = {**FILTERS, "author_name": author_name}
    app.jinja_env.filters.update({name: spoken(known) for name, known in filters.items()})

    @app.context_processor
    def everywhere() -> dict[str, Any]:
        language = locale()
        return {
            "language": language,
            "language_name": LANGUAGES[language],
            "tabs": TABS,
            "tab": None,
            "game": None,
            "fresh_key": lambda: secrets.token_urlsafe(12),
        }
