"""A form of “something else happened” becomes an event: cards played or sold, the end of a turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.table.castelli.rulebook import (
    Brigands,
    Duke,
    EndGame,
    EndTurn,
    Evaluate,
    Event,
    Guard,
    Incendiary,
    King,
    Peasant,
    Raider,
    RobberBaron,
    Sell,
    Traitor,
)
from companion.table.castelli.sitting import Sitting
from companion.table.errors import BadInput, NotFound, sentence

Form = Mapping[str, str]

DEEDS: Mapping[str, Callable[[Form], Event]] = {
    "evaluate": lambda form: Evaluate(),
    "end-turn": lambda form: EndTurn(),
    "end-game": lambda form: EndGame(),
    "king": lambda form: King(_number(form, "points")),
    "robber-baron": lambda form: RobberBaron(),
    "raider": lambda form: Raider(),
    "brigands": lambda form: Brigands(),
    "traitor": lambda form: Traitor(form.get("victim", "")),
    "peasant": lambda form: Peasant(form.get("cell", "")),
    "duke": lambda form: Duke(form.get("cell", "")),
    "incendiary": lambda form: Incendiary(form.get("cell", "")),
    "guard": lambda form: Guard(form.get("player", ""), form.get("site", "")),
    "sell": lambda form: Sell(form.get("player", ""), _number(form, "count")),
}


def deed_from(form: Form, sitting: Sitting) -> list[Event]:
    """The events of a form; whether the rules allow them, the rules say."""
    deed = DEEDS.get(form.get("deed", ""))
    if deed is None:
        raise BadInput(sentence("Choose what happened."))
    for field in ("victim", "player"):
        if form.get(field) and form[field] not in sitting.position.colours:
            raise BadInput(sentence("Nobody plays “%(colour)s” in this game."), colour=form[field][:40])
    if form.get("cell") and form["cell"] not in sitting.board.spaces:
        raise BadInput(sentence("“%(cell)s” is no landscape space of this board."), cell=form["cell"][:10])
    if form.get("site") and form["site"] not in sitting.board.sites:
        raise NotFound(sentence("There is no such place on this board."))
    return [deed(form)]


def _number(form: Form, name: str) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit()) or len(text) > 2:
        raise BadInput(sentence("“%(text)s” is not a number that fits here."), text=text[:20])
    return int(text)
