"""Who sits at the table: joining by the QR code, choosing a seat, and what the host allows."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, make_response, redirect, request, url_for

from companion.table.errors import BadInput, sentence
from companion.table.seats import Seat
from companion.web.config import WebConfig
from companion.web.network import from_a_phone
from companion.web.page import Visit, done, host_visit, show, visit
from companion.web.qr import qr_path
from companion.web.rooms import rooms
from companion.web.security import client_address, own_session

pages = Blueprint("seats", __name__)


@pages.get("/join/<token>")
def join(token: str) -> Response:
    """The link of the QR code: its token becomes a cookie and leaves the address line."""
    seat = rooms().seats.join(token, own_session(), client_address())
    rooms().live.publish(seat.game)
    return make_response(redirect(url_for("seats.people", game=seat.game), 303))


@pages.get("/g/<game>/people")
def people(game: str) -> Response:
    visiting = visit(game)
    link = join_link(visiting)
    seats = rooms().seats.of(game)
    return show(
        "people.html",
        visiting,
        seats=seats,
        taken={one.colour: one for one in seats if one.colour is not None},
        link=link,
        qr=qr_path(link) if link else None,
    )


def join_link(visiting: Visit) -> str | None:
    """Shown to whoever is in; a watcher who waits cannot bring others. A host at the table's
    own computer shows it to phones, so it has to lead phones there."""
    if not visiting.seat.is_in:
        return None
    token = rooms().seats.join_token(visiting.game)
    config: WebConfig = current_app.config["COMPANION"]
    return from_a_phone(url_for("seats.join", token=token, _external=True), config.phones_ask)


@pages.post("/g/<game>/seat")
def sit(game: str) -> Response:
    visiting = visit(game)
    colour = request.form.get("colour") or None
    if colour is not None and colour not in visiting.sitting.settings.colours:
        raise BadInput(sentence("Nobody plays “%(colour)s” in this game."), colour=colour[:40])
    rooms().seats.sit(game, own_session(), colour, request.form.get("name", ""))
    rooms().live.publish(game)
    return done("games.table", game=game)


@pages.post("/g/<game>/allow")
def allow(game: str) -> Response:
    host_visit(game)
    form = request.form
    rooms().seats.allow(
        game,
        form.get("seat", ""),
        is_in="is_in" in form,
        may_photograph="may_photograph" in form,
        may_confirm="may_confirm" in form,
    )
    rooms().live.publish(game)
    return done("seats.people", game=game)


@pages.post("/g/<game>/let-in")
def let_in(game: str) -> Response:
    """One tap for the host: in, with the rights of a player."""
    host_visit(game)
    rooms().seats.allow(game, request.form.get("seat", ""), is_in=True)
    rooms().live.publish(game)
    return done("seats.people", game=game)


@pages.post("/g/<game>/show-out")
def show_out(game: str) -> Response:
    visiting = host_visit(game)
    seat: Seat = visiting.seat
    if request.form.get("seat") == seat.id:
        raise BadInput(sentence("You are the host; you cannot remove yourself."))
    rooms().seats.remove(game, request.form.get("seat", ""))
    rooms().live.publish(game)
    return done("seats.people", game=game)


@pages.post("/g/<game>/new-code")
def new_code(game: str) -> Response:
    """The QR code before stops working; who is in stays in."""
    host_visit(game)
    rooms().seats.new_join_token(game)
    rooms().live.publish(game)
    return done("seats.people", game=game)
