"""Quick score: without a running game, one photo and the hands give the final sheet."""

from __future__ import annotations

from base64 import b64encode
from collections import OrderedDict
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any, NamedTuple

from flask import Blueprint, Response, jsonify, request

from companion.table.castelli.markers import TRACK
from companion.table.castelli.quick import Hand, QuickScore
from companion.table.castelli.rulebook import OPTIONS, Modules, Rulings, with_option
from companion.table.errors import BadInput, NotFound, sentence
from companion.web.castelli.board_view import board_view
from companion.web.castelli.colours import palette_for
from companion.web.castelli.exports import csv_table
from companion.web.castelli.score_view import score_view
from companion.web.castelli.tongue import _, ngettext
from companion.web.castelli.views_result import drawn_sheet
from companion.web.castelli.words import colour_name
from companion.web.page import check_house, show
from companion.web.rooms import rooms
from companion.web.upload import uploaded
from companion.web.views_games import jpeg
from companion.web.views_start import chosen_set, open_rulings

pages = Blueprint("quick", __name__)

KEPT = 16
"""Readings kept while their sheets are looked at; the photo of one is quickly taken again."""
UNREAD = {TRACK: "points"}
"""Scales of markers that the form calls otherwise."""
ANSWER = "answer-"
READ = ("points", "wood", "grain", "rocks")
"""What the photo gives where the players do not."""
TOLD = ("cards", "silver", *READ)


class Field(NamedTuple):
    text: str
    """What the photo gave, as the placeholder of an empty field."""
    unread: bool
    """Not for sure: somebody should say it."""


@dataclass
class Reading:
    record: dict[str, Any]
    crops: dict[str, bytes] = field(default_factory=dict)
    """By place: the part of the photo that a question is about."""


class Readings:
    """What quick photos showed, in memory only: nothing of a quick score is stored."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Reading] = OrderedDict()

    def keep(self, record: dict[str, Any]) -> str:
        name = token_urlsafe(12)
        self._kept[name] = Reading(record)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return name

    def get(self, name: str) -> Reading:
        if name not in self._kept:
            raise NotFound(sentence("This quick score is gone; take the photo again."))
        return self._kept[name]


readings = Readings()


@pages.get("/quick")
def ask() -> Response:
    check_house()
    usable, chosen = chosen_set(request.args.get("set"))
    palette = palette_for(chosen.colours, chosen.name) if chosen else None
    return show(
        "quick.html",
        sets=usable,
        chosen=chosen,
        palette=palette,
        rulings=open_rulings(),
        score=None,
        fields={},
    )


@pages.post("/quick")
def score() -> Response:
    """The sheet; sent again with other hands or answers, the same photo counts."""
    check_house()
    photo = uploaded("photo", needed=False)
    usable, chosen = chosen_set(request.form.get("set"))
    if chosen is None:
        raise NotFound(sentence("There is no such calibration."))
    hands = hands_in_form(chosen.colours)
    reading = read(chosen.name, photo) if photo else request.form.get("reading", "")
    answers = {} if photo else answers_in_form()  # another photo has other doubts
    quick = quick_score_of(chosen.name, reading, hands, answers)
    if photo:
        keep_crops(reading, photo, quick)
    palette = palette_for(chosen.colours, chosen.name)
    view = score_view(quick.position, quick.sheet, True)
    names = {colour: colour_name(colour) for colour in quick.position.colours}
    return show(
        "quick.html",
        sets=usable,
        chosen=chosen,
        palette=palette,
        rulings=open_rulings(),
        score=quick,
        reading=reading,
        crops=readings.get(reading).crops,
        given=answers,
        fields=fields_of(quick),
        view=view,
        picture=inline("image/svg+xml", drawn_sheet(view, names, palette)),
        table=inline("text/csv", csv_table(view, names)),
        map=board_view(quick.position, palette),
    )


@pages.post("/quick/photo")
def photo() -> Response:
    """The photo by itself, read while the hands are still being typed."""
    check_house()
    data = uploaded("photo")
    _usable, chosen = chosen_set(request.form.get("set"))
    if chosen is None:
        raise NotFound(sentence("There is no such calibration."))
    hands = {colour: Hand() for colour in playing(chosen.colours)}
    reading = read(chosen.name, data)
    quick = quick_score_of(chosen.name, reading, hands, {})
    keep_crops(reading, data, quick)
    fields = {f"{what}-{colour}": field._asdict() for (what, colour), field in fields_of(quick).items()}
    return jsonify(reading=reading, said=doubts_of(quick), fields=fields, another=_("Another photo"))


def inline(mimetype: str, text: str) -> str:
    """A file inside the page: nothing of a quick score is stored that it could be fetched from."""
    return f"data:{mimetype};charset=utf-8;base64,{b64encode(text.encode()).decode()}"


def read(calibration: str, photo: bytes) -> str:
    return readings.keep(rooms().table.quick_record(calibration, photo))


def keep_crops(reading: str, photo: bytes, quick: QuickScore) -> None:
    """The photo itself is not kept."""
    kept = readings.get(reading)
    kept.crops = rooms().table.quick_crops(kept.record, photo, quick)


def quick_score_of(
    calibration: str, reading: str, hands: dict[str, Hand], answers: dict[str, str]
) -> QuickScore:
    return rooms().table.quick_score(
        calibration,
        readings.get(reading).record,
        hands,
        Modules(dilemma="dilemma" in request.form, battle="battle" in request.form),
        rulings_in_form(),
        answers=answers,
    )


def answers_in_form() -> dict[str, str]:
    """By question; what was left out was not answered."""
    answered = (name for name in request.form if name.startswith(ANSWER))
    return {name.removeprefix(ANSWER): request.form[name] for name in answered if request.form[name]}


def fields_of(quick: QuickScore) -> dict[tuple[str, str], Field]:
    """What stands in the fields that nobody filled in."""
    unread = {(UNREAD.get(scale, scale), colour) for scale, colour in quick.unread}
    return {
        (what, player.colour): Field(
            f"{getattr(player, what)} ?" if (what, player.colour) in unread else f"{getattr(player, what)}",
            (what, player.colour) in unread,
        )
        for player in quick.position.players
        for what in READ
    }


def doubts_of(quick: QuickScore) -> str:
    """What the photo left open, for whoever just sent it."""
    unread, places = len(quick.unread), len(quick.questions)
    said = [_("The board has been read.")]
    if unread:
        said.append(
            ngettext(
                "%(num)d marker was not read for sure; its field below asks for it.",
                "%(num)d markers were not read for sure; their fields below ask for them.",
                unread,
            )
        )
    if places:
        said.append(
            ngettext(
                "%(num)d place is in doubt; you will be asked about it.",
                "%(num)d places are in doubt; you will be asked about them.",
                places,
            )
        )
    return " ".join(said)


@pages.get("/quick/<reading>/<path:where>.jpg")
def crop(reading: str, where: str) -> Response:
    """The part of the photo that a question is about."""
    check_house()
    found = readings.get(reading).crops.get(where)
    if found is None:
        raise NotFound(sentence("The photo does not show %(place)s."), place=where[:20])
    return jpeg(found)


def hands_in_form(colours: tuple[str, ...]) -> dict[str, Hand]:
    return {colour: hand_in_form(colour) for colour in playing(colours)}


def playing(colours: tuple[str, ...]) -> list[str]:
    chosen = [colour for colour in colours if f"plays-{colour}" in request.form]
    if len(chosen) < 2:
        raise BadInput(sentence("Castelli is for two, three or four players."))
    return chosen


def hand_in_form(colour: str) -> Hand:
    told = {name: number for name in TOLD if (number := number_in_form(f"{name}-{colour}")) is not None}
    return Hand(**told, holds_start=f"start-{colour}" in request.form)


def number_in_form(name: str) -> int | None:
    text = request.form.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise BadInput(sentence("“%(text)s” is not a number that fits here."), text=text[:20])
    return int(text)


def rulings_in_form() -> Rulings:
    rulings = Rulings()
    for name in OPTIONS:
        option = request.form.get(f"ruling-{name}")
        if option in OPTIONS[name]:
            rulings = with_option(rulings, name, option)
    return rulings
