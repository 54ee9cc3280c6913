"""A game under way: the table, its players, its history, its settings, and changes by hand."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, make_response, request

from companion.table.castelli.rulebook import OPTIONS, Correction
from companion.table.errors import BadInput, NotFound, sentence
from companion.web.castelli.colours import palette_of, stylesheet
from companion.web.castelli.deed_forms import deed_from
from companion.web.page import Visit, done, form_number, host_visit, show, visit, writing
from companion.web.rooms import rooms
from companion.web.views_start import open_rulings

pages = Blueprint("games", __name__)

ADJUSTABLE = ("points", "wood", "grain", "rocks", "silver", "cards", "castles_left")
SUPPLIES = ("mine", "deck", "spare_villages", "spare_cities")
PHOTO_SIZES = range(64, 2401)


@pages.get("/g/<game>/")
def table(game: str) -> Response:
    visiting = visit(game)
    return show(
        "table.html",
        visiting,
        tab="table",
        proposal=rooms().table.proposal(game),
        seats=rooms().seats.of(game),
        scanning=rooms().scanning.get(game),
        has_sample=game in rooms().samples and not rooms().photos.of(game),
    )


@pages.get("/g/<game>/colours.css")
def colours(game: str) -> Response:
    response = make_response(stylesheet(palette_of(visit(game).sitting)))
    response.mimetype = "text/css"
    response.headers["Cache-Control"] = "private, no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


@pages.get("/g/<game>/player/<colour>")
def player(game: str, colour: str) -> Response:
    """What lies in front of one player, with plus and minus."""
    visiting = visit(game)
    check_plays(visiting, colour)
    position = visiting.sitting.position
    return show("player.html", visiting, player=position.player(colour), adjustable=adjustable(visiting))


def adjustable(visiting: Visit) -> tuple[str, ...]:
    return (*ADJUSTABLE, "holds_start") if visiting.sitting.position.modules.dilemma else ADJUSTABLE


@pages.post("/g/<game>/player/<colour>")
def adjust(game: str, colour: str) -> Response:
    visiting = visit(game)
    check_plays(visiting, colour)
    what, by = request.form.get("what", ""), form_number("by", -99, 99)
    if what not in adjustable(visiting):
        raise BadInput(sentence("There is no such thing to change."))
    write = writing(visiting)
    rooms().table.adjust(game, colour, what, by, write.author, write.key, write.expected)
    return done("games.player", game=game, colour=colour)


@pages.get("/g/<game>/supply")
def supply(game: str) -> Response:
    """What lies beside the board, whose turn it is, and how to set that right."""
    return show("supply.html", visit(game), supplies=SUPPLIES)


@pages.post("/g/<game>/supply")
def adjust_supply(game: str) -> Response:
    visiting = visit(game)
    what, by = request.form.get("what", ""), form_number("by", -99, 99)
    write = writing(visiting)
    rooms().table.adjust_supply(game, what, by, write.author, write.key, write.expected)
    return done("games.supply", game=game)


@pages.post("/g/<game>/turn")
def set_turn(game: str) -> Response:
    """It is somebody else's turn than the book says; what they have done so far stays."""
    visiting = visit(game)
    colour = request.form.get("colour", "")
    check_plays(visiting, colour)
    write = writing(visiting)
    rooms().table.correct(game, Correction(turn=colour), write.author, write.key, write.expected)
    return done("games.table", game=game)


def check_plays(visiting: Visit, colour: str) -> None:
    if colour not in visiting.sitting.position.colours:
        raise NotFound(sentence("Nobody plays “%(colour)s” in this game."), colour=colour[:40])


@pages.get("/g/<game>/do")
def deeds(game: str) -> Response:
    """What a photo cannot see: cards played and sold, the end of a turn."""
    visiting = visit(game)
    return show("deeds.html", visiting)


@pages.post("/g/<game>/do")
def do(game: str) -> Response:
    visiting = visit(game)
    write = writing(visiting)
    events = deed_from(request.form, visiting.sitting)
    rooms().table.apply(game, events, write.author, write.key, write.expected)
    return done("games.table", game=game)


@pages.post("/g/<game>/undo")
def undo(game: str) -> Response:
    write = writing(visit(game))
    rooms().table.undo(game, write.author, write.key, write.expected, form_number("steps", 1, 500))
    return done("games.history", game=game)


@pages.post("/g/<game>/redo")
def redo(game: str) -> Response:
    write = writing(visit(game))
    rooms().table.redo(game, write.author, write.key, write.expected, form_number("steps", 1, 500))
    return done("games.history", game=game)


@pages.get("/g/<game>/history")
def history(game: str) -> Response:
    visiting = visit(game)
    kept = {photo.id for photo in rooms().photos.of(game)}
    return show("history.html", visiting, tab="history", kept=kept)


@pages.get("/g/<game>/settings")
def settings(game: str) -> Response:
    return show("settings.html", visit(game), rulings=open_rulings(), photos=rooms().photos.of(game))


@pages.post("/g/<game>/settings")
def change_settings(game: str) -> Response:
    visiting = host_visit(game)
    write = writing(visiting)
    changes = changed_settings(visiting)
    rooms().table.change_settings(game, changes, write.author, write.key, write.expected)
    return done("games.settings", game=game)


def changed_settings(visiting: Visit) -> dict[str, Any]:
    form, known = request.form, visiting.sitting.settings
    defaults = {name: options[0] for name, options in OPTIONS.items()}
    rulings = {
        name: form.get(f"ruling-{name}", known.rulings.get(name, default))
        for name, default in defaults.items()
    }
    return {
        "title": form.get("title", known.title),
        "players": [
            {"colour": one.colour, "name": form.get(f"name-{one.colour}", one.name)} for one in known.players
        ],
        "rulings": {name: option for name, option in rulings.items() if option != defaults[name]},
        "auto_apply": "auto_apply" in form,
    }


@pages.get("/g/<game>/castelli.json")
def export_game(game: str) -> Response:
    """The whole game as one file, without its photos."""
    sitting = visit(game).sitting
    name = re.sub(r"[^A-Za-z0-9]+", "-", sitting.settings.title).strip("-") or "castelli"
    response = make_response(rooms().table.export_game(game))
    response.mimetype = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@pages.get("/g/<game>/photos/<photo>.jpg")
def picture(game: str, photo: str) -> Response:
    visit(game)
    size = request.args.get("size", "1600")
    longest = int(size) if size.isdigit() and len(size) < 5 and int(size) in PHOTO_SIZES else 1600
    return jpeg(rooms().photos.small(game, photo, longest))


@pages.get("/g/<game>/photos/<photo>/<path:where>.jpg")
def crop(game: str, photo: str, where: str) -> Response:
    """The part of a photo that shows one place of the board."""
    visit(game)
    return jpeg(rooms().table.crop(game, photo, where))


def jpeg(data: bytes) -> Response:
    """A photo never changes under its name, but it may be deleted: asked again after an hour."""
    response = make_response(data)
    response.mimetype = "image/jpeg"
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


@pages.post("/g/<game>/photos/<photo>/delete")
def delete_photo(game: str, photo: str) -> Response:
    host_visit(game)
    rooms().photos.delete(game, photo)
    rooms().live.publish(game)
    return done("games.settings", game=game)
