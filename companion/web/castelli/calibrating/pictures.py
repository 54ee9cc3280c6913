"""The pictures of a set in the making: photos as they are, the board straightened, and parts of it."""

from __future__ import annotations

import re

from flask import Blueprint, Response, make_response, request, url_for

from companion.table.castelli.calibrating.draft import Draft, Rect
from companion.table.castelli.calibrating.kitfiles import first_shown
from companion.table.errors import NotFound, sentence
from companion.web.castelli.calibrating.making import draft_palette, making, workshop
from companion.web.castelli.colours import stylesheet
from companion.web.views_games import jpeg

LENGTH = re.compile(r"-?\d{1,5}(\.\d{1,3})?")


def add_to(pages: Blueprint) -> None:
    pages.get("/make/<id>/photos/<role>.jpg")(photo)
    pages.get("/make/<id>/photos/<role>/board.jpg")(straight)
    pages.get("/make/<id>/photos/<role>/part.jpg")(part)
    pages.get("/make/<id>/colours.css")(draft_colours)


def photo_address(draft: Draft, role: str) -> str:
    return url_for("calibrating.photo", id=draft.id, role=role, v=draft.shots[role].file[:8])


def board_address(draft: Draft, role: str) -> str:
    return url_for("calibrating.straight", id=draft.id, role=role, v=_version(draft, role))


def part_address(draft: Draft, role: str, rect: Rect, turned: int = 0, size: int = 480) -> str:
    at = ",".join(f"{length:.2f}" for length in rect)
    version = _version(draft, role)
    return url_for("calibrating.part", id=draft.id, role=role, at=at, turned=turned, size=size, v=version)


def faces(draft: Draft) -> dict[str, str]:
    """A picture of each tile, by its name, from the photo that showed it first."""
    shown = {}
    for name, key in first_shown(draft).items():
        role, _, cell = key.partition("/")
        shown[name] = part_address(draft, role, draft.around(cell, draft.grid.tile / 2), size=120)
    return shown


def _version(draft: Draft, role: str) -> str:
    grid = draft.grid
    return f"{draft.shots[role].version}{hash((grid.width, grid.height)) & 0xFFFF:04x}"


def photo(id: str, role: str) -> Response:
    making(id)
    return jpeg(workshop().picture(id, role))


def straight(id: str, role: str) -> Response:
    making(id)
    return jpeg(workshop().board(id, role))


def part(id: str, role: str) -> Response:
    making(id)
    lengths = request.args.get("at", "").split(",")
    turned, size = request.args.get("turned", "0"), request.args.get("size", "480")
    if len(lengths) != 4 or not all(LENGTH.fullmatch(length) for length in lengths):
        raise NotFound(sentence("This place lies outside the board."))
    left, top, right, bottom = map(float, lengths)
    quarter = int(turned) % 4 if turned in ("0", "1", "2", "3") else 0
    longest = int(size) if size.isdigit() and len(size) < 5 else 480
    return jpeg(workshop().crop(id, role, (left, top, right, bottom), min(longest, 1200), quarter))


def draft_colours(id: str) -> Response:
    response = make_response(stylesheet(draft_palette(making(id).draft)))
    response.mimetype = "text/css"
    return response
