"""A scan's questions, answers and changes in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.castelli.asking import Choice, Question
from companion.table.castelli.markers import TRACK, MarkerDifference
from companion.table.castelli.rulebook import Card, Kind
from companion.table.castelli.sitting import Sitting
from companion.table.errors import BadInput, sentence
from companion.web.castelli.refusals import reason
from companion.web.castelli.tongue import _, lazy, ngettext
from companion.web.castelli.words import card_name, colour_name, kind_name
from companion.web.told import told

WHOLE_BOARD = lazy("the whole board")
COLOURS = frozenset({"player", "colour", "top", "bottom", "other", "victim"})
"""Values of the table room's sentences that are colours as the set names them."""


def asked(question: Question) -> str:
    values = in_words(question.values)
    if "why" in values:
        values["why"] = reason(str(values.get("code", "")), str(values["why"]))
    return told(question.template, values)


def said(choice: Choice, sitting: Sitting | None = None) -> str:
    """With a sitting, players are called by their names."""
    state, _colon, rest = choice.id.partition(":")
    if state == "up" and choice.values.get("tile"):
        turns = rest.rpartition(":")[2]
        return _("%(tile)s, turned by %(degrees)s°", tile=choice.values["tile"], degrees=int(turns) * 90)
    values = in_words(choice.values)
    player = choice.values.get("player")
    if sitting is not None and isinstance(player, str):
        values["player"] = sitting.settings.name_of(player) or values["player"]
    return told(choice.template, values)


def answer_place(question: str) -> str:
    """What an answered question was about, by its id: `"castle/B3/1/0"` is about B3."""
    kind, slash, where = question.partition("/")
    if slash and kind in (
        "tile",
        "castle",
        "town",
        "revealed",
        "played",
        "built",
        "paid",
        "order",
        "refused",
    ):
        return where.split("/")[0]
    return str(WHOLE_BOARD)


def in_words(values: Mapping[str, object]) -> dict[str, object]:
    """Colours, cards, resources and places as players call them."""
    return {name: _in_words(name, value) for name, value in values.items()}


def _in_words(name: str, value: object) -> object:
    if not isinstance(value, str) or not value:
        return value
    if name in COLOURS:
        return colour_name(value)
    if name == "card" and value in set(Card):
        return card_name(Card(value))
    if name == "resource" and value in set(Kind):
        return kind_name(Kind(value))
    if name == "place":
        return value.split("/")[0]
    return value


def marker_sentence(marker: MarkerDifference) -> str:
    """Which marker, where it lies, and by how much it has to be moved."""
    who, photo, book = colour_name(marker.colour), marker.on_photo, marker.in_book
    # in some languages the markers of the track and those of the charts have names of their own
    if marker.scale == TRACK:
        lies = _(
            "%(who)s, victory points: the marker lies on %(photo)s, the book says %(book)s.",
            who=who, photo=photo, book=book,
        )  # fmt: skip
    else:
        lies = _(
            "%(who)s, %(scale)s: the marker lies on %(photo)s, the book says %(book)s.",
            who=who, scale=kind_name(Kind(marker.scale)), photo=photo, book=book,
        )  # fmt: skip
    steps = abs(marker.by)
    move = (
        ngettext("Move it %(num)d space forward.", "Move it %(num)d spaces forward.", steps)
        if marker.by > 0
        else ngettext("Move it %(num)d space back.", "Move it %(num)d spaces back.", steps)
    )
    return f"{lies} {_('The marker was hard to read.')}" if marker.doubtful else f"{lies} {move}"


def answer_from(form: Mapping[str, str], sitting: Sitting) -> str:
    """The answer that a form gives: one of the choices, or “something else” put together from its fields."""
    choice = form.get("choice", "")
    if choice != "other":
        return choice
    kind = form.get("kind", "")
    if kind == "tile":
        return _tile_answer(form, sitting)
    if kind == "castle":
        stack = [form.get("bottom", ""), form.get("top", "")]
        return "+".join(colour for colour in stack if colour) or "empty"
    if kind == "town":
        return form.get("town", "") or "nothing"
    raise BadInput(sentence("Choose one of the answers."))


def _tile_answer(form: Mapping[str, str], sitting: Sitting) -> str:
    tile = form.get("tile", "")
    if tile in ("down", "none"):
        return tile
    if tile not in sitting.game_set.tiles:
        raise BadInput(sentence("The set has no tile “%(tile)s”."), tile=tile[:20])
    return f"up:{tile}:{form.get('turns', '0')}"
