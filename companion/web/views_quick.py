"""Quick score: without a running game, one photo and the hands give the final sheet."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any

from flask import Blueprint, Response, request

from companion.table.castelli.markers import TRACK
from companion.table.castelli.quick import Hand
from companion.table.castelli.rulebook import OPTIONS, Modules, Rulings, with_option
from companion.table.errors import BadInput, NotFound, sentence
from companion.web.castelli.board_view import board_view
from companion.web.castelli.colours import palette_for
from companion.web.castelli.score_view import score_view
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
TOLD = ("cards", "silver", "points", "wood", "grain", "rocks")


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
    return show("quick.html", sets=usable, chosen=chosen, palette=palette, rulings=open_rulings(), score=None)


@pages.post("/quick")
def score() -> Response:
    """The sheet; sent again with other hands or answers, the same photo counts."""
    check_house()
    photo = uploaded("photo", needed=False)
    usable, chosen = chosen_set(request.form.get("set"))
    if chosen is None:
        raise NotFound(sentence("There is no such calibration."))
    hands = hands_in_form(chosen.colours)
    if photo:
        reading = readings.keep(rooms().table.quick_record(chosen.name, photo))
    else:
        reading = request.form.get("reading", "")
    quick = rooms().table.quick_score(
        chosen.name,
        readings.get(reading).record,
        hands,
        Modules(dilemma="dilemma" in request.form, battle="battle" in request.form),
        rulings_in_form(),
        answers={
            name[7:]: value for name, value in request.form.items() if name.startswith("answer-") and value
        },
    )
    kept = readings.get(reading)
    if photo:
        kept.crops = rooms().table.quick_crops(kept.record, photo, quick)
    palette = palette_for(chosen.colours, chosen.name)
    return show(
        "quick.html",
        sets=usable,
        chosen=chosen,
        palette=palette,
        rulings=open_rulings(),
        score=quick,
        reading=reading,
        crops=kept.crops,
        unread={(UNREAD.get(scale, scale), colour) for scale, colour in quick.unread},
        view=score_view(quick.position, quick.sheet, True),
        map=board_view(quick.position, palette),
    )


@pages.get("/quick/<reading>/<path:where>.jpg")
def crop(reading: str, where: str) -> Response:
    """The part of the photo that a question is about."""
    check_house()
    found = readings.get(reading).crops.get(where)
    if found is None:
        raise NotFound(sentence("The photo does not show %(place)s."), place=where[:20])
    return jpeg(found)


def hands_in_form(colours: tuple[str, ...]) -> dict[str, Hand]:
    playing = [colour for colour in colours if f"plays-{colour}" in request.form]
    if len(playing) < 2:
        raise BadInput(sentence("Castelli is for two, three or four players."))
    return {colour: hand_in_form(colour) for colour in playing}


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
