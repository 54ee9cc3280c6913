"""Why, at the end of the game: the lines of the score sheet in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from companion.table.castelli.rulebook import (
    CardsInHand,
    CastlesOnTop,
    Colour,
    OnTheTrack,
    Reason,
    ResourcesLeft,
    SilverPrize,
    StartTileHeld,
    Town,
    TownMajority,
    What,
)
from companion.web.castelli.tongue import _
from companion.web.castelli.words import amount, castles_amount, colour_name, together, town_name


def line_title(reason: Reason) -> str:
    """What a line of the score sheet is called."""
    match reason:
        case OnTheTrack():
            return _("On the victory points track")
        case CardsInHand():
            return _("Cards in hand")
        case ResourcesLeft():
            return _("Resources left")
        case SilverPrize(place):
            return _("Most silver") if place == 1 else _("Second most silver")
        case StartTileHeld():
            return _("Start tile")
        case TownMajority(cell, town):
            return _("%(town)s %(cell)s", town=town_name(town), cell=cell)
        case CastlesOnTop():
            return _("Castles not overbuilt")
    raise ValueError(f"not a line of the score sheet: {reason}")


def end_sentence(reason: Reason, colour: str, points: int) -> str:
    gained = amount(What.POINTS, points)
    match reason:
        case OnTheTrack():
            return _("%(colour)s has made %(amount)s during the game.", colour=colour, amount=gained)
        case CardsInHand(count):
            return _("%(cards)s in hand, 1 victory point each.", cards=amount(What.CARD, count))
        case ResourcesLeft(wood, grain, rocks):
            left = {What.WOOD: wood, What.GRAIN: grain, What.ROCKS: rocks}
            told = [amount(what, number) for what, number in left.items() if number]
            if not told:
                return _("No resources are left.")
            return _("%(resources)s left, 1 victory point each.", resources=together(told))
        case SilverPrize() as prize:
            return _silver(prize, colour, gained)
        case StartTileHeld():
            return _("%(colour)s still holds the start tile: %(amount)s.", colour=colour, amount=gained)
        case TownMajority() as majority:
            return town_sentence(majority)
        case CastlesOnTop(sites):
            return _("%(castles)s not overbuilt, 2 victory points each.", castles=castles_amount(len(sites)))
    raise ValueError(f"no words for {reason}")


def _silver(prize: SilverPrize, colour: str, gained: str) -> str:
    ranked = together(_counts(prize.silver))
    if len(prize.tied) > 1:
        tied = together(map(colour_name, prize.tied))
        if prize.place == 1:
            return _(
                "%(colours)s tie for the most silver (%(silver)s): %(amount)s each.",
                colours=tied,
                silver=ranked,
                amount=gained,
            )
        return _(
            "%(colours)s tie for the second most silver (%(silver)s): %(amount)s each.",
            colours=tied,
            silver=ranked,
            amount=gained,
        )
    if prize.place == 1:
        return _(
            "%(colour)s has the most silver (%(silver)s): %(amount)s.",
            colour=colour,
            silver=ranked,
            amount=gained,
        )
    return _(
        "%(colour)s has the second most silver (%(silver)s): %(amount)s.",
        colour=colour,
        silver=ranked,
        amount=gained,
    )


def town_sentence(majority: TownMajority) -> str:
    """Battle: who owns most castles in line with a village or city."""
    counts = together(_counts({colour: len(sites) for colour, sites in majority.castles.items() if sites}))
    worth = amount(What.POINTS, majority.worth)
    where = {"cell": majority.cell, "castles": counts, "amount": worth}
    if majority.town is Town.VILLAGE:
        told = _("Castles in line with the village on %(cell)s, worth %(amount)s: %(castles)s.", **where)
    else:
        told = _("Castles in line with the city on %(cell)s, worth %(amount)s: %(castles)s.", **where)
    if len(majority.tied) > 1:
        shared = _("%(colours)s share them, rounded up.", colours=together(map(colour_name, majority.tied)))
        return f"{told} {shared}"
    return told


def _counts(numbers: Mapping[Colour, int]) -> list[str]:
    ranked = sorted(numbers.items(), key=lambda entry: -entry[1])
    return [f"{colour_name(colour)} {number}" for colour, number in ranked]
