"""Before a game: the start page, a new game, an imported one, the language, the calibrations."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, redirect, request

from companion.table.castelli.rulebook import OPTIONS
from companion.table.castelli.table import SetCard
from companion.table.errors import BadInput, NotFound, sentence
from companion.table.names import tidy
from companion.web.castelli.colours import palette_for, stylesheet
from companion.web.language import COOKIE, LANGUAGES, chosen_language
from companion.web.page import HOST, check_house, done, form_key, show
from companion.web.rooms import rooms
from companion.web.security import client_address, own_session, session
from companion.web.upload import uploaded

pages = Blueprint("start", __name__)

MOST_PLAYERS = 4
YEAR = 365 * 24 * 3600


@pages.get("/")
def start() -> Response:
    in_house = rooms().seats.is_house(session())
    games = rooms().table.games() if in_house else ()
    return show(
        "start.html", in_house=in_house, games=sorted(games, key=lambda one: one.changed, reverse=True)
    )


@pages.get("/host/<key>")
def enter(key: str) -> Response:
    """The link that the computer shows: its key becomes a cookie and leaves the address line."""
    rooms().seats.enter_house(key, own_session(), client_address())
    return make_response(redirect(own_path(request.args.get("to", "/")), 303))


@pages.get("/language")
def language() -> Response:
    return show("language.html", languages=LANGUAGES, back=own_path(request.args.get("next", "/")))


@pages.post("/language")
def choose_language() -> Response:
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        raise BadInput(sentence("Choose English, German, Italian or Dutch."))
    response = make_response(redirect(own_path(request.form.get("next", "/")), 303))
    response.set_cookie(COOKIE, chosen, max_age=YEAR, samesite="Lax", httponly=True)
    return response


def own_path(path: str) -> str:
    """Only a path of this server: a link must not lead from here to another site."""
    return path if path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() else "/"


@pages.get("/new")
def new() -> Response:
    check_house()
    usable, chosen = chosen_set(request.args.get("set"))
    palette = palette_for(chosen.colours, chosen.name) if chosen else None
    most = min(MOST_PLAYERS, len(chosen.colours)) if chosen else MOST_PLAYERS
    return show("new.html", sets=usable, chosen=chosen, palette=palette, rulings=open_rulings(), most=most)


def chosen_set(name: str | None) -> tuple[list[SetCard], SetCard | None]:
    """The sets that can be played with, and the one of this name, else the first."""
    usable = [one for one in rooms().table.sets() if one.problem is None]
    named = (one for one in usable if one.name == name)
    return usable, next(named, usable[0] if usable else None)


@pages.get("/sets/<name>/colours.css")
def set_colours(name: str) -> Response:
    check_house()
    card = next((one for one in rooms().table.sets() if one.name == name), None)
    if card is None:
        raise NotFound(sentence("There is no such calibration."))
    response = make_response(stylesheet(palette_for(card.colours, name)))
    response.mimetype = "text/css"
    return response


def open_rulings() -> dict[str, tuple[str, ...]]:
    """The rulings that have something to choose."""
    return {name: options for name, options in OPTIONS.items() if len(options) > 1}


@pages.post("/new")
def make() -> Response:
    check_house()
    settings, own = settings_from_form(), request.form.get("mine", "")
    author = next((tidy(one["name"]) for one in settings["players"] if one["colour"] == own), "") or HOST
    sitting = rooms().table.new_game(settings, author[:40], form_key())
    seats, name = rooms().seats, own_session()
    seats.make_host(sitting.game, name)
    if own in sitting.settings.colours:
        seats.sit(sitting.game, name, own, sitting.settings.name_of(own))
    return done("seats.people", game=sitting.game)


def settings_from_form() -> dict[str, Any]:
    """The form as the table room wants it; what does not fit, it says itself."""
    form = request.form
    players = [
        {"colour": colour, "name": form.get(f"name-{seat}", "")}
        for seat in range(players_in_form())
        if (colour := form.get(f"colour-{seat}", ""))
    ]
    defaults = {name: options[0] for name, options in OPTIONS.items()}
    chosen = {name: form.get(f"ruling-{name}", default) for name, default in defaults.items()}
    return {
        "title": form.get("title", ""),
        "players": players,
        "battle": "battle" in form,
        "dilemma": "dilemma" in form,
        "rulings": {name: option for name, option in chosen.items() if option != defaults[name]},
        "calibration": form.get("set", ""),
        "auto_apply": "auto_apply" in form,
        "language": chosen_language(),
    }


def players_in_form() -> int:
    """Lines beyond the chosen number are not shown, and do not count."""
    count = request.form.get("count", "")
    return int(count) if count in ("2", "3") else MOST_PLAYERS


@pages.post("/import")
def import_game() -> Response:
    check_house()
    data = uploaded("file")
    sitting = rooms().table.import_game(data, "", form_key())
    rooms().seats.make_host(sitting.game, own_session())
    return done("games.table", game=sitting.game)


@pages.get("/calibrations")
def calibrations() -> Response:
    check_house()
    return show("calibrations.html", sets=rooms().table.sets(), drafts=rooms().workshop.all())
