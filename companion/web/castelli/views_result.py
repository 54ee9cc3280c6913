"""The photo with its reading, and the score: sheet, reasons, picture, exports."""

from __future__ import annotations

import json
from collections.abc import Mapping

from flask import Blueprint, Response, make_response, render_template, request

from companion.table.castelli.rulebook import Colour, Modules, ScoreSheet, changed, score_sheet
from companion.table.castelli.sitting import Sitting
from companion.web.castelli.board_view import board_view
from companion.web.castelli.chart import points_chart
from companion.web.castelli.colours import palette_of
from companion.web.castelli.exports import bg_stats_link, bg_stats_play, csv_table
from companion.web.castelli.filters import player_name
from companion.web.castelli.ledger_view import ledger_view
from companion.web.castelli.links import links
from companion.web.castelli.photo_view import photo_view
from companion.web.castelli.score_view import ScoreView, score_view, town_lights
from companion.web.castelli.tinctures import Palette
from companion.web.castelli.views import found, last_photo, near_side
from companion.web.castelli.why_number import why_view
from companion.web.page import show, visit
from companion.web.rooms import rooms


def add_to(pages: Blueprint) -> None:
    """Their addresses. The pages of one number must not hide those of a town."""
    pages.get("/g/<game>/photo")(photo)
    pages.get("/g/<game>/score")(score)
    pages.get("/g/<game>/score/<key>/<colour>")(why)
    pages.get("/g/<game>/score/town/<cell>")(town)
    pages.get("/g/<game>/number/<what>")(number)
    pages.get("/g/<game>/number/<what>/<colour>")(number)
    pages.get("/g/<game>/score.svg")(picture)
    pages.get("/g/<game>/score.csv")(table_file)
    pages.get("/g/<game>/bgstats.json")(bg_stats)


def photo(game: str) -> Response:
    """The photo that was asked for, or the one that waits for answers, or else the last one."""
    visiting = visit(game)
    table, sitting = rooms().table, visiting.sitting
    proposal = table.proposal(game)
    shown = request.args.get("photo") or last_photo(visiting)
    record = table.reading(game, shown) if shown else None
    view = photo_view(record, sitting.board, palette_of(sitting)) if record else None
    is_open = proposal is not None and proposal.photo == shown
    asked = proposal.proposal.questions if proposal and is_open else ()
    return show(
        "castelli/photo.html",
        visiting,
        tab="photo",
        photo=shown,
        view=view,
        asked=asked,
        # of an open photo the table page tells, beside what it has changed
        markers=table.markers(game) if proposal is None and shown == sitting.last_photo else (),
        questions={one.where: one.id for one in asked if one.where},
        links=links(game),
    )


def score(game: str) -> Response:
    visiting = visit(game)
    sitting = visiting.sitting
    battle, sheet = chosen_sheet(sitting)
    palette = palette_of(sitting)
    return show(
        "castelli/score.html",
        visiting,
        tab="score",
        battle=battle,
        names=names_of(sitting),
        view=score_view(sitting.position, sheet, is_decided(sitting, battle), names_of(sitting)),
        chart=points_chart(sitting.points_over_turns, sitting.position.colours, palette),
        bg_stats=bg_stats_link(play_of(sitting)) if sitting.finished else "",
    )


def why(game: str, key: str, colour: str) -> Response:
    """What one number of the sheet is made of."""
    visiting = visit(game)
    sitting = visiting.sitting
    battle, sheet = chosen_sheet(sitting)
    view = found(lambda: why_view(sitting.position, sheet, sitting.steps, key, colour))
    drawn = board_view(sitting.position, palette_of(sitting), near_side(), view.lit) if view.lit else None
    which = "battle" if battle else "base"
    return show("castelli/why.html", visiting, view=view, map=drawn, which=which)


def number(game: str, what: str, colour: str | None = None) -> Response:
    """How a number beside a player or the board came about."""
    visiting = visit(game)
    view = found(lambda: ledger_view(visiting.sitting, what, colour))
    return show("castelli/ledger.html", visiting, view=view)


def town(game: str, cell: str) -> Response:
    """Battle: a village or city with the castles in its row and column lit on the map."""
    visiting = visit(game)
    sitting = visiting.sitting
    _battle, sheet = chosen_sheet(sitting, always_battle=True)
    lit = found(lambda: town_lights(sheet, cell))
    row = next(row for row in score_view(sitting.position, sheet, sitting.finished).towns if row.cell == cell)
    drawn = board_view(sitting.position, palette_of(sitting), near_side(), lit)
    return show("castelli/town.html", visiting, row=row, map=drawn)


def picture(game: str) -> Response:
    return picture_of(visit(game).sitting)


def picture_of(sitting: Sitting) -> Response:
    """The final sheet as a picture to share."""
    battle, sheet = chosen_sheet(sitting)
    names = names_of(sitting)
    view = score_view(sitting.position, sheet, is_decided(sitting, battle), names)
    response = make_response(drawn_sheet(view, names, palette_of(sitting)))
    response.mimetype = "image/svg+xml"
    return response


def drawn_sheet(view: ScoreView, names: Mapping[Colour, str], palette: Palette) -> str:
    return render_template("castelli/share.svg", view=view, names=names, palette=palette)


def table_file(game: str) -> Response:
    return table_file_of(visit(game).sitting)


def table_file_of(sitting: Sitting) -> Response:
    _battle, sheet = chosen_sheet(sitting)
    text = csv_table(score_view(sitting.position, sheet, sitting.finished), names_of(sitting))
    return download(text, "text/csv", "castelli-score.csv")


def bg_stats(game: str) -> Response:
    play = json.dumps(play_of(visit(game).sitting), ensure_ascii=False, indent=1)
    return download(play, "application/json", "castelli-bgstats.json")


def chosen_sheet(sitting: Sitting, always_battle: bool = False) -> tuple[bool, ScoreSheet]:
    """The sheet of this game, or the one it would have with or without the Battle module."""
    position = sitting.position
    asked = "battle" if always_battle else request.args.get("sheet", "")
    battle = {"base": False, "battle": True}.get(asked, position.modules.battle)
    if battle == position.modules.battle:
        return battle, sitting.sheet()
    return battle, score_sheet(changed(position, modules=Modules(position.modules.dilemma, battle)))


def is_decided(sitting: Sitting, battle: bool) -> bool:
    """Whether somebody has won by this sheet; by the one with or without a module somebody would have."""
    return sitting.finished and battle == sitting.position.modules.battle


def names_of(sitting: Sitting) -> dict[str, str]:
    return {colour: player_name(sitting, colour) for colour in sitting.position.colours}


def play_of(sitting: Sitting) -> dict[str, object]:
    at = sitting.rows[-1].at if sitting.rows else "1970-01-01T00:00:00+00:00"
    modules = sitting.position.modules
    return bg_stats_play(
        sitting.sheet(), names_of(sitting), sitting.game, at, modules.battle, modules.dilemma
    )


def download(text: str, mimetype: str, name: str) -> Response:
    response = make_response(text)
    response.mimetype = mimetype
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
