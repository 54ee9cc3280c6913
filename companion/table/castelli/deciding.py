"""From all the ways the turns can have gone to one: asks only for what makes a difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.scoring.castelli.components import Kind, Town
from companion.scoring.castelli.position import Position
from companion.table.castelli.asking import Choice, Question, QuestionKind
from companion.table.castelli.seen import Picture
from companion.table.castelli.turns import Changes, Plan, Turn
from companion.table.errors import sentence

PRIORITY = ("revealed", "built", "played", "paid", "order")
"""The order in which open decisions are asked for: the first ones settle most of the others."""


def open_decision(plans: Sequence[Plan]) -> str | None:
    """The id of the first decision on which the book depends; None where all ways lead to the same."""
    if len({_book(plan.position) for plan in plans}) < 2:
        return None
    ids = sorted(
        {id for plan in plans for id in plan.decisions},
        key=lambda id: (PRIORITY.index(id.partition("/")[0]), id),
    )
    open_ids = [id for id in ids if len({plan.decisions.get(id) for plan in plans}) > 1]
    for id in open_ids:
        books: dict[str | None, set[object]] = {}
        for plan in plans:
            books.setdefault(plan.decisions.get(id), set()).add(_book(plan.position))
        first, *others = books.values()
        if any(other != first for other in others):
            return id
    return open_ids[0] if open_ids else None


def _book(position: Position) -> object:
    """What players can tell apart: who has what. The tiles and castles are the same in all plans."""
    return position.players, position.mine, position.deck


def ask(
    id: str,
    plans: Sequence[Plan],
    turns: Sequence[Turn],
    changes: Changes,
    picture: Picture,
    differing: Callable[[Position], int],
) -> Question:
    """The question for a decision; ways that agree best with the markers on the photo come first."""
    fewest: dict[str, int] = {}
    for plan in plans:
        value = plan.decisions.get(id)
        if value is not None:
            fewest[value] = min(differing(plan.position), fewest.get(value, 1000))
    values = sorted(fewest, key=lambda value: fewest[value])
    kind, _, where = id.partition("/")
    if kind == "revealed":
        index = int(where.partition("/")[0])
        return which_tile(id, turns[index], values)
    if kind == "built":
        return _in_which_turn(id, where, values, changes, picture)
    if kind == "played":
        return _by_whom(id, where, values, turns, changes, picture)
    if kind == "paid":
        return _how_paid(id, where.rpartition("/")[0], values, plans, picture)
    return _in_which_order(id, where, values, changes, picture)


def which_tile(id: str, turn: Turn, slots: Sequence[str]) -> Question:
    text = sentence("Which tile did %(player)s reveal?")
    label = sentence("The tile on %(place)s")
    choices = tuple(Choice(slot, label, {"place": slot}) for slot in slots)
    return Question(id, QuestionKind.REVEALED, "", text, {"player": turn.colour}, choices)


def _in_which_turn(id: str, site: str, values: Sequence[str], changes: Changes, picture: Picture) -> Question:
    colour = next(castle.colour for castle in changes.castles if castle.site == site)
    text = sentence("In which of their turns did %(player)s build the castle on %(place)s?")
    label = sentence("In turn %(number)s since the last photo")
    choices = tuple(Choice(value, label, {"number": int(value) + 1}) for value in sorted(values, key=int))
    outline = picture.outlines.get(site, ())
    return Question(
        id, QuestionKind.BUILT_IN, site, text, {"player": colour, "place": site}, choices, False, outline
    )


def _by_whom(
    id: str, cell: str, values: Sequence[str], turns: Sequence[Turn], changes: Changes, picture: Picture
) -> Question:
    town = changes.towns[cell]
    text = {
        Town.VILLAGE: sentence("Who founded the village on %(place)s?"),
        Town.CITY: sentence("Who founded the city on %(place)s?"),
        None: sentence("Who burnt the city on %(place)s?"),
    }[town]
    often = len({turns[int(value)].colour for value in values}) < len(values)
    label = sentence("%(player)s, in turn %(number)s") if often else sentence("%(player)s")
    choices = tuple(
        Choice(value, label, {"player": turns[int(value)].colour, "number": int(value) + 1})
        for value in values
    )
    outline = picture.outlines.get(f"{cell}/town", ())
    return Question(id, QuestionKind.PLAYED_BY, cell, text, {"place": cell}, choices, False, outline)


def _how_paid(id: str, site: str, values: Sequence[str], plans: Sequence[Plan], picture: Picture) -> Question:
    text = sentence("How was the castle on %(place)s paid for?")
    choices = tuple(Choice(value, _payment_template(value), _payment_values(value)) for value in values)
    outline = picture.outlines.get(site, ())
    return Question(id, QuestionKind.PAID, site, text, {"place": site}, choices, False, outline)


def _payment_template(way: str) -> str:
    """The parts of a way to pay, put together as a sentence of its own for every language."""
    sold, card, silver = _parts(way)
    if sold:
        if card:
            return (
                sentence("After selling %(sold)s cards, with the %(card)s and 2 silver for %(resource)s")
                if silver
                else sentence("After selling %(sold)s cards, with the %(card)s")
            )
        return sentence("After selling %(sold)s cards, with 2 silver for %(resource)s")
    if card:
        return (
            sentence("With the %(card)s and 2 silver for %(resource)s")
            if silver
            else sentence("With the %(card)s")
        )
    return sentence("With 2 silver for %(resource)s") if silver else sentence("With resources alone")


def _payment_values(way: str) -> dict[str, object]:
    sold, card, silver = _parts(way)
    resource = Kind(silver).value if silver else ""
    return {"sold": int(sold or 0), "card": card, "resource": resource}


def _parts(way: str) -> tuple[str, str, str]:
    sold = card = silver = ""
    for part in way.split("+"):
        name, _, value = part.partition(":")
        if name == "sell":
            sold = value
        elif name == "silver":
            silver = value
        elif name != "plain":
            card = name
    return sold, card, silver


def _in_which_order(
    id: str, cell: str, values: Sequence[str], changes: Changes, picture: Picture
) -> Question:
    town = changes.towns[cell]
    text = (
        sentence("Was the city on %(place)s burnt before or after castles were built in that turn?")
        if town is None
        else sentence("Was the new settlement on %(place)s there before castles were built in that turn?")
    )
    labels = {"before": sentence("Before the castles"), "after": sentence("After the castles")}
    choices = tuple(Choice(value, labels[value]) for value in values)
    outline = picture.outlines.get(f"{cell}/town", ())
    return Question(id, QuestionKind.ORDER, cell, text, {"place": cell}, choices, False, outline)
