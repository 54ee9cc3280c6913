"""From all the ways the turns can have gone to one: asks only for what makes a difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.scoring.castelli.components import Kind, Town
from companion.scoring.castelli.position import Position
from companion.table.castelli.asking import Answers, Choice, Outline, Question, QuestionKind
from companion.table.castelli.seen import Picture
from companion.table.castelli.turns import Changes, Plan, Turn, brings_something, turns_between
from companion.table.errors import sentence

PRIORITY = ("revealed", "built", "played", "paid", "order")
"""The order in which open decisions are asked for: the first ones settle most of the others."""


def open_decision(plans: Sequence[Plan], changes: Changes) -> str | None:
    """The id of the first decision on which the book depends; None where there is nothing to choose."""
    ids = {id for plan in plans for id in plan.decisions}
    open_ids = [
        id for id in sorted(ids, key=lambda id: _rank(id, plans, changes)) if len(_values(id, plans)) > 1
    ]
    for id in open_ids:
        leads_to = [
            {i for i, plan in enumerate(plans) if value in _of(plan, id)} for value in _values(id, plans)
        ]
        if any(books != leads_to[0] for books in leads_to):
            return id
    return open_ids[0] if len(plans) > 1 and open_ids else None


def _rank(id: str, plans: Sequence[Plan], changes: Changes) -> tuple[int, int, str]:
    """Tiles that bring the most come first: one answer about them may do."""
    kind, _, where = id.partition("/")
    tile = None
    if kind == "revealed":
        tile = plans[0].position.board.set.tiles.get(changes.reveals[where].tile)
    return PRIORITY.index(kind), -(tile.cards + tile.silver + tile.start) if tile else 0, id


def _of(plan: Plan, id: str) -> frozenset[str]:
    return plan.decisions.get(id, frozenset())


def _values(id: str, plans: Sequence[Plan]) -> list[str]:
    return sorted({value for plan in plans for value in _of(plan, id) if value})


def ask(
    id: str,
    plans: Sequence[Plan],
    turns: Sequence[Turn],
    changes: Changes,
    picture: Picture,
    differing: Callable[[Position], int],
) -> Question:
    """The question for a decision; ways that agree best with the markers on the photo come first."""
    fewest = {
        value: min(differing(plan.position) for plan in plans if value in _of(plan, id))
        for value in _values(id, plans)
    }
    values = sorted(fewest, key=lambda value: fewest[value])
    kind, _, where = id.partition("/")
    site = where.rpartition("/")[0]
    if kind == "revealed":
        return _who_revealed(id, where, values, turns, picture)
    if kind == "built":
        return _in_which_turn(id, site, values, changes, picture)
    if kind == "played":
        return _by_whom(id, where, values, turns, changes, picture)
    if kind == "paid":
        return _how_paid(id, site, values, picture)
    return _in_which_order(id, where, values, changes, picture)


def first_question(
    position: Position, changes: Changes, picture: Picture, answers: Answers
) -> Question | None:
    """Where too much happened to try everything out: the first thing that would make it less."""
    turns = turns_between(position, len(changes.reveals))
    told = {answers.get(f"revealed/{slot}") for slot in changes.reveals}
    free = [str(index) for index, turn in enumerate(turns) if turn.reveals and str(index) not in told]
    slots = [slot for slot in changes.reveals if brings_something(position, changes, slot)]
    for slot in slots:
        if f"revealed/{slot}" not in answers and len(free) > 1:
            return _who_revealed(f"revealed/{slot}", slot, free, turns, picture)
    everybody = [str(index) for index in range(len(turns))]
    for cell in changes.towns:
        if f"played/{cell}" not in answers:
            return _by_whom(f"played/{cell}", cell, everybody, turns, changes, picture)
    for castle in changes.castles:
        own = [value for value in everybody if turns[int(value)].colour == castle.colour]
        if castle.id("built") not in answers and len(own) > 1:
            return _in_which_turn(castle.id("built"), castle.site, own, changes, picture)
    return None


def _who_revealed(
    id: str, slot: str, values: Sequence[str], turns: Sequence[Turn], picture: Picture
) -> Question:
    text = sentence("Who revealed the tile on %(place)s?")
    return _who(id, QuestionKind.REVEALED, slot, text, values, turns, picture.outlines.get(slot, ()))


def _who(
    id: str,
    kind: QuestionKind,
    where: str,
    text: str,
    values: Sequence[str],
    turns: Sequence[Turn],
    outline: Outline,
) -> Question:
    """Players to choose from; one who had several turns since the last photo comes with each of them."""
    often = len({turns[int(value)].colour for value in values}) < len(values)
    label = sentence("%(player)s, in turn %(number)s") if often else sentence("%(player)s")
    choices = tuple(
        Choice(value, label, {"player": turns[int(value)].colour, "number": int(value) + 1})
        for value in values
    )
    return Question(id, kind, where, text, {"place": where}, choices, False, outline)


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
    text = {
        Town.VILLAGE: sentence("Who founded the village on %(place)s?"),
        Town.CITY: sentence("Who founded the city on %(place)s?"),
        None: sentence("Who burnt the city on %(place)s?"),
    }[changes.towns[cell]]
    outline = picture.outlines.get(f"{cell}/town", ())
    return _who(id, QuestionKind.PLAYED_BY, cell, text, values, turns, outline)


def _how_paid(id: str, site: str, values: Sequence[str], picture: Picture) -> Question:
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
                sentence("Cards sold first: %(sold)s. Then with the %(card)s and 2 silver for %(resource)s")
                if silver
                else sentence("Cards sold first: %(sold)s. Then with the %(card)s")
            )
        return sentence("Cards sold first: %(sold)s. Then with 2 silver for %(resource)s")
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
