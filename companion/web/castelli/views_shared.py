"""The score by link: whoever has it sees the sheet, and nothing else of the game."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, make_response, url_for

from companion.table.castelli.sitting import Sitting
from companion.web.castelli.chart import points_chart
from companion.web.castelli.colours import palette_of, stylesheet
from companion.web.castelli.score_view import score_view
from companion.web.castelli.views_result import (
    chosen_sheet,
    is_decided,
    names_of,
    picture_of,
    table_file_of,
)
from companion.web.config import WebConfig
from companion.web.network import from_a_phone
from companion.web.page import check_in, done, host_visit, show, visit
from companion.web.qr import qr_path
from companion.web.rooms import rooms
from companion.web.security import client_address


def add_to(pages: Blueprint) -> None:
    pages.get("/g/<game>/share")(share)
    pages.post("/g/<game>/share/end")(end_sharing)
    pages.get("/shown/<word>")(shown)
    pages.get("/shown/<word>/colours.css")(shown_colours)
    pages.get("/shown/<word>/castelli.svg")(shown_picture)
    pages.get("/shown/<word>/castelli.csv")(shown_table)


def share(game: str) -> Response:
    """The link, to copy or to scan. Like the code that opens the game, it is for whoever is in."""
    visiting = visit(game)
    check_in(visiting)
    word = rooms().seats.share_word(game)
    battle, _sheet = chosen_sheet(visiting.sitting)
    which = "battle" if battle else "base"
    config: WebConfig = current_app.config["COMPANION"]
    address = url_for("castelli.shown", word=word, sheet=which, _external=True)
    link = from_a_phone(address, config.phones_ask)
    return show("castelli/share.html", visiting, link=link, qr=qr_path(link))


def end_sharing(game: str) -> Response:
    host_visit(game)
    rooms().seats.end_sharing(game)
    return done("castelli.score", game=game)


def shown(word: str) -> Response:
    """The sheet as it stands: the table goes on playing, and the link shows the end when it has come."""
    sitting = sitting_shown(word)
    battle, sheet = chosen_sheet(sitting)
    palette = palette_of(sitting)
    names = names_of(sitting)
    return show(
        "castelli/shown.html",
        word=word,
        sitting=sitting,
        palette=palette,
        names=names,
        battle=battle,
        view=score_view(sitting.position, sheet, is_decided(sitting, battle), names),
        chart=points_chart(sitting.points_over_turns, sitting.position.colours, palette),
    )


def shown_colours(word: str) -> Response:
    response = make_response(stylesheet(palette_of(sitting_shown(word))))
    response.mimetype = "text/css"
    return response


def shown_picture(word: str) -> Response:
    return picture_of(sitting_shown(word))


def shown_table(word: str) -> Response:
    return table_file_of(sitting_shown(word))


def sitting_shown(word: str) -> Sitting:
    return rooms().table.sitting(rooms().seats.shared_game(word, client_address()))
