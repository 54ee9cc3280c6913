"""Board, area, tile, castle, town: what each page shows, and what its form sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from flask import Blueprint, Response, request

from companion.table.castelli.calibrating.from_play import label_from_play
from companion.table.castelli.rulebook import (
    BUILDING_CARDS,
    DOWN,
    MISSING,
    OVERBUILDING_CARDS,
    Build,
    Card,
    Correction,
    Overbuild,
    Reveal,
    Side,
    Town,
    building_sites,
)
from companion.table.castelli.sitting import Sitting
from companion.table.errors import BadInput, NotFound, sentence
from companion.web.castelli.area_view import area_view
from companion.web.castelli.colours import palette_of
from companion.web.castelli.drawing import drawn_board
from companion.web.castelli.key_line import who_gets_what
from companion.web.castelli.place_view import site_correction, site_view, space_view
from companion.web.castelli.slot_view import slot_view
from companion.web.page import Visit, check_house, done, form_number, host_visit, show, visit, writing
from companion.web.rooms import rooms

pages = Blueprint("castelli", __name__)

SIDE_COOKIE = "near"
"""Which side of the board this phone has at the bottom."""

T = TypeVar("T")


def near_side() -> Side:
    """As chosen just now, or before."""
    for choice in (request.args.get("near"), request.cookies.get(SIDE_COOKIE)):
        if choice and choice in Side.__members__:
            return Side[choice]
    return Side.S


def can_teach(visiting: Visit, crop: bool) -> bool:
    """Whether the host may add what the last photo shows to the calibration: it has to be made here."""
    seat, calibration = visiting.seat, visiting.sitting.settings.calibration
    return crop and seat.is_host and rooms().workshop.can_teach(calibration)


def found(lookup: Callable[[], T]) -> T:
    """What a page is about, or a sentence that it is not on this board."""
    try:
        return lookup()
    except KeyError:
        raise NotFound(sentence("There is no such place on this board.")) from None


def last_photo(visiting: Visit) -> str | None:
    """The photo that waits for answers, or else the last one that was confirmed."""
    proposal = rooms().table.proposal(visiting.game)
    return proposal.photo if proposal else rooms().table.last_photo(visiting.game)


def seen_in(photo: str | None, visiting: Visit, *places: str) -> frozenset[str]:
    """Those of the places that the photo shows."""
    if photo is None:
        return frozenset()
    outlines = (rooms().table.reading(visiting.game, photo) or {}).get("outlines", {})
    return frozenset(place for place in places if place in outlines or f"{place}/town" in outlines)


@pages.get("/g/<game>/board")
def board(game: str) -> Response:
    visiting = visit(game)
    near = near_side()
    # turning left brings the side on the left hand to the bottom
    response = show(
        "castelli/board.html",
        visiting,
        tab="board",
        drawing=drawn_board(visiting.sitting, near),
        left=near.turned(1).name,
        right=near.turned(-1).name,
        open_gains=() if visiting.sitting.finished else who_gets_what(visiting.sitting.position),
    )
    if "near" in request.args:
        response.set_cookie(SIDE_COOKIE, near.name, max_age=31536000, samesite="Lax", httponly=True)
    return response


@pages.get("/g/<game>/area/<path:area>")
def area(game: str, area: str) -> Response:
    visiting = visit(game)
    sitting = visiting.sitting
    view = found(lambda: area_view(sitting.position, sitting.steps, area, palette_of(sitting), near_side()))
    photo = last_photo(visiting)
    crops = seen_in(photo, visiting, *view.shown)
    return show("castelli/area.html", visiting, view=view, photo=photo, crops=crops)


@pages.get("/g/<game>/slot/<cell>")
def slot(game: str, cell: str) -> Response:
    visiting = visit(game)
    palette = palette_of(visiting.sitting)
    tile = request.args.get("tile")
    view = found(lambda: slot_view(visiting.sitting.position, cell, palette, tile, near_side()))
    photo = last_photo(visiting)
    crop = cell in seen_in(photo, visiting, cell)
    others = others_than_revealer(visiting.sitting, cell)
    return show(
        "castelli/slot.html",
        visiting,
        view=view,
        photo=photo,
        crop=crop,
        stewards=others,
        teach=can_teach(visiting, crop),
    )


@pages.post("/g/<game>/slot/<cell>")
def correct_slot(game: str, cell: str) -> Response:
    visiting = visit(game)
    write = writing(visiting)
    check_slot(visiting, cell)
    table = rooms().table
    state = request.form.get("state", "up")
    if state == "up":
        tile, turns = chosen_tile(visiting), form_number("turns", 0, 3)
        table.correct_tile(game, cell, tile, turns, write.author, write.key, write.expected)
    elif state in (DOWN, MISSING):
        lying = DOWN if state == DOWN else MISSING
        table.correct(game, Correction(tiles={cell: lying}), write.author, write.key, write.expected)
    else:
        raise BadInput(sentence("A tile lies face up, face down, or not at all."))
    return done("castelli.board", game=game)


@pages.post("/g/<game>/slot/<cell>/reveal")
def reveal(game: str, cell: str) -> Response:
    """A turn told by hand, without a photo."""
    visiting = visit(game)
    write = writing(visiting)
    check_slot(visiting, cell)
    tile, turns = chosen_tile(visiting), form_number("turns", 0, 3)
    rooms().table.reveal(game, cell, tile, turns, write.author, write.key, write.expected)
    return done("castelli.board", game=game)


@pages.post("/g/<game>/slot/<cell>/steward")
def steward(game: str, cell: str) -> Response:
    """Another player's Steward had turned the tile, and nobody told."""
    visiting = visit(game)
    write = writing(visiting)
    check_slot(visiting, cell)
    player, turns = request.form.get("player", ""), form_number("turns", 0, 3)
    rooms().table.steward(game, cell, player, turns, write.author, write.key, write.expected)
    return done("castelli.board", game=game)


@pages.get("/g/<game>/site/<path:site>")
def site(game: str, site: str) -> Response:
    visiting = visit(game)
    view = found(lambda: site_view(visiting.sitting.position, site, palette_of(visiting.sitting)))
    photo = last_photo(visiting)
    crop = site in seen_in(photo, visiting, site)
    return show(
        "castelli/site.html", visiting, view=view, photo=photo, crop=crop, teach=can_teach(visiting, crop)
    )


@pages.post("/g/<game>/site/<path:site>")
def correct_site(game: str, site: str) -> Response:
    visiting = visit(game)
    write = writing(visiting)
    position = visiting.sitting.position
    found(lambda: position.board.sites[site])
    stack = tuple(colour for colour in request.form.get("stack", "").split(",") if colour)
    if len(stack) > 2 or any(colour not in position.board.set.colours for colour in stack):
        raise BadInput(sentence("At most two castles stand on each other, of colours that the set has."))
    correction = site_correction(position, site, stack)
    rooms().table.correct(game, correction, write.author, write.key, write.expected)
    return done("castelli.board", game=game)


@pages.post("/g/<game>/build/<path:site>")
def build(game: str, site: str) -> Response:
    """The active player builds, or builds over, as the map offers it."""
    visiting = visit(game)
    write = writing(visiting)
    position = visiting.sitting.position
    found(lambda: position.board.sites[site])
    card = chosen_card()
    options = [option for option in building_sites(position, position.turn, card) if option.site == site]
    buy = options[0].buy if options else None
    event = Overbuild(site, buy, card) if position.castles.get(site) else Build(site, buy, card)
    rooms().table.apply(game, (event,), write.author, write.key, write.expected)
    return done("castelli.board", game=game)


@pages.get("/g/<game>/space/<cell>")
def space(game: str, cell: str) -> Response:
    visiting = visit(game)
    view = found(lambda: space_view(visiting.sitting.position, cell))
    photo = last_photo(visiting)
    crop = cell in seen_in(photo, visiting, cell)
    return show(
        "castelli/space.html", visiting, view=view, photo=photo, crop=crop, teach=can_teach(visiting, crop)
    )


@pages.post("/g/<game>/space/<cell>")
def correct_space(game: str, cell: str) -> Response:
    visiting = visit(game)
    write = writing(visiting)
    found(lambda: visiting.sitting.position.board.spaces[cell])
    chosen = request.form.get("town", "")
    if chosen not in ("", *Town):
        raise BadInput(sentence("A landscape space holds a village, a city, or neither."))
    correction = Correction(towns={cell: Town(chosen) if chosen else None})
    rooms().table.correct(game, correction, write.author, write.key, write.expected)
    return done("castelli.board", game=game)


def others_than_revealer(sitting: Sitting, cell: str) -> tuple[str, ...]:
    """Who may have turned the tile with a Steward; nobody where its turn is not in the history."""
    before, revealer = sitting.start, None
    for event, step in zip(sitting.events, sitting.steps, strict=True):
        if isinstance(event, Reveal) and event.slot == cell:
            revealer = before.turn
        before = step.position
    return tuple(colour for colour in sitting.position.colours if revealer and colour != revealer)


@pages.post("/g/<game>/teach/<path:place>")
def teach(game: str, place: str) -> Response:
    """What a photo was misread at is learnt, as the table has it now."""
    visiting = host_visit(game)
    check_house()
    photo = last_photo(visiting)
    record = rooms().table.reading(game, photo) if photo else None
    if photo is None or record is None:
        raise NotFound(sentence("There is no reading of this photo."))
    label = label_from_play(record, visiting.sitting.position, place)
    picture = rooms().photos.read(game, photo)
    if not rooms().workshop.teach_from_play(visiting.sitting.settings.calibration, picture, label):
        raise NotFound(sentence("This set was not calibrated here; nothing can be added to it."))
    return done("castelli.board", game=game)


def check_slot(visiting: Visit, cell: str) -> None:
    if cell not in visiting.sitting.position.board.slots:
        raise NotFound(sentence("There is no such place on this board."))


def chosen_card() -> Card | None:
    """The card that makes a castle possible, where the form names one."""
    name = request.form.get("card", "")
    if not name:
        return None
    if name not in (*BUILDING_CARDS, *OVERBUILDING_CARDS):
        raise BadInput(sentence("This card does not help to build."))
    return Card(name)


def chosen_tile(visiting: Visit) -> str:
    tile = request.form.get("tile", "")
    if tile not in visiting.sitting.game_set.tiles:
        raise BadInput(sentence("The set has no heraldic tile “%(tile)s”."), tile=tile[:40])
    return tile
