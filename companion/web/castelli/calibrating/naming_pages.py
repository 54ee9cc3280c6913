"""The frame, the castles, and the spaces of charts and track."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, request, url_for

from companion.table.castelli.calibrating.draft import CASTLES, EMPTY, GIFTS, START, Rect
from companion.table.castelli.calibrating.scales import NAMES
from companion.table.castelli.calibrating.sites import SiteView
from companion.table.errors import NotFound, sentence
from companion.web.castelli.calibrating.making import (
    making,
    misunderstood,
    number,
    order,
    show_step,
    spoken,
    whole,
    workshop,
)
from companion.web.castelli.calibrating.pictures import board_address, part_address
from companion.web.page import check_house, done, form_key


def add_to(pages: Blueprint) -> None:
    pages.get("/make/<id>/frame")(frame)
    pages.post("/make/<id>/frame")(say_frame)
    pages.get("/make/<id>/castles")(castles)
    pages.get("/make/<id>/castles/<path:site>")(site)
    pages.post("/make/<id>/castles")(say_castles)
    pages.get("/make/<id>/scales")(scales)
    pages.get("/make/<id>/scales/<name>")(scale)
    pages.post("/make/<id>/scales/<name>")(place_scale)


def frame(id: str) -> Response:
    made = making(id)
    views = [view for view in workshop().rim(id) if view.is_gift]
    return show_step(
        "frame",
        made,
        "frame",
        views=[(view, part_address(made.draft, EMPTY, view.rect, view.turned, 200)) for view in views],
        gifts=GIFTS,
        proposed=sum(view.value is None and view.proposal is not None for view in views),
    )


def say_frame(id: str) -> Response:
    check_house()
    key = form_key()
    match order():
        case ["confirm"]:
            workshop().confirm_rim(id, key)
            if workshop().steps(id)[3].is_done:
                return done("calibrating.tiles", id=id)
        case ["gift", side, gift]:
            workshop().set_rim(id, side, gift, key)
        case _:
            raise misunderstood()
    return done("calibrating.frame", id=id)


def castles(id: str) -> Response:
    made = making(id)
    draft = made.draft
    has_sites = CASTLES in draft.shots and bool(draft.colours)
    return show_step(
        "castles",
        made,
        "castles",
        has_start=START in draft.shots,
        picture=board_address(draft, CASTLES) if has_sites else "",
        views=workshop().sites(id) if has_sites else (),
        problems=spoken(made.step("castles").open),
    )


def _site(id: str, site: str) -> SiteView:
    found = next((view for view in workshop().sites(id) if view.key == site), None)
    if found is None:
        raise NotFound(sentence("There is no castle site."))
    return found


def site(id: str, site: str) -> Response:
    made = making(id)
    view = _site(id, site)
    return show_step(
        "site", made, "castles", view=view, picture=part_address(made.draft, CASTLES, view.rect, size=360)
    )


def say_castles(id: str) -> Response:
    """One site, or all of them as they are proposed."""
    check_house()
    key = form_key()
    if request.form.get("do") == "confirm":
        workshop().confirm_castles(id, key)
        if workshop().steps(id)[5].is_done:
            return done("calibrating.scales", id=id)
    else:
        stack = [colour for colour in request.form.get("stack", "").split(",") if colour]
        workshop().set_castle(id, request.form.get("site", ""), stack, key)
    return done("calibrating.castles", id=id)


def scales(id: str) -> Response:
    """The first that is not placed yet."""
    draft = making(id).draft
    missing = [name for name in NAMES if name not in draft.scales]
    first = missing[0] if missing else NAMES[0]
    return make_response(redirect(url_for("calibrating.scale", id=id, name=first), 303))


def scale(id: str, name: str) -> Response:
    made = making(id)
    if name not in NAMES:
        raise NotFound(sentence("There is no such chart."))
    draft = made.draft
    placed = draft.scales.get(name)
    rect = _shown(made.draft.grid.width, made.draft.grid.height, draft.grid.chart, draft.grid.frame, name)
    return show_step(
        "scale",
        made,
        "scales",
        name=name,
        names=NAMES,
        rect=rect,
        picture=part_address(draft, EMPTY, rect, size=1200),
        spaces=placed.spaces if placed else (),
        anchors=placed.anchors if placed else (),
    )


def _shown(width: float, height: float, chart: float, frame: float, name: str) -> Rect:
    """The charts' strip, larger; the track runs round the whole board."""
    if name == "track" or chart < 0.02 * width:
        return 0.0, 0.0, width, height
    return width - chart - 1.2 * frame, 0.0, width, height


def place_scale(id: str, name: str) -> Response:
    check_house()
    key = form_key()
    match order():
        case ["ends"]:
            ends = [(number("first-x"), number("first-y")), (number("x"), number("y"))]
            workshop().place_scale(id, name, ends, None, key)
        case ["move"]:
            space = whole(request.form.get("pin", ""), 0, 999)
            workshop().move_space(id, name, space, (number("x"), number("y")), key)
        case ["confirm"]:
            missing = [one for one in NAMES if one not in workshop().get(id).scales]
            if not missing:
                return done("calibrating.learn", id=id)
            return done("calibrating.scale", id=id, name=missing[0])
        case _:
            raise misunderstood()
    return done("calibrating.scale", id=id, name=name)
