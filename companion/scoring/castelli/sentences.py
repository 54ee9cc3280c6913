"""Reasons in English. Translations take the same data and other words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.scoring.castelli.awards import (
    Award,
    CardPlayed,
    CardsInHand,
    CardsSold,
    CastlePaid,
    CastleScored,
    CastlesOnTop,
    Majority,
    OnTheTrack,
    Reason,
    ResourcesLeft,
    RimGift,
    SilverPrize,
    StartTileHeld,
    TileShows,
    TownMajority,
    What,
)
from companion.scoring.castelli.components import Colour, Kind

_UNITS = {
    What.WOOD: ("wood", "wood"),
    What.GRAIN: ("grain", "grain"),
    What.ROCKS: ("rocks", "rocks"),
    What.SILVER: ("silver", "silver"),
    What.CARD: ("card", "cards"),
    What.POINTS: ("point", "points"),
}


def award_sentence(award: Award) -> str:
    """Who gets or gives what, why, and where the rule stands."""
    unit = _UNITS[award.what][abs(award.amount) != 1]
    does = "gains" if award.amount >= 0 else "gives"
    lost = f" ({award.lost} more cannot be taken)" if award.lost else ""
    rulings = f" [ruling: {', '.join(award.rulings)}]" if award.rulings else ""
    because = reason_sentence(award.reason)
    return f"{award.player} {does} {abs(award.amount)} {unit}{lost}: {because} ({award.reason.rule}){rulings}"


def reason_sentence(reason: Reason) -> str:
    """Why, with the arithmetic."""
    match reason:
        case Majority():
            return majority_sentence(reason)
        case TileShows(slot, tile, shown):
            return f"tile {tile} revealed on {slot} shows {shown}"
        case RimGift(rim, gift, tile):
            return f"arms on tile {tile} look at the {gift} on the rim at {rim}"
        case CastleScored(site, towns):
            parts = [f"{town.town} {town.cell} {town.points}" for town in towns]
            return f"castle on {site} in line with {_list(parts)}"
        case CastlePaid():
            return _paid(reason)
        case CardPlayed(card, other):
            return f"{card} played" + (f", with {other}" if other else "")
        case CardsSold(count):
            return f"{count} sold"
        case OnTheTrack():
            return "on the victory point track"
        case CardsInHand(count):
            return f"{count} in hand, 1 point each"
        case ResourcesLeft(wood, grain, rocks):
            return f"{wood} wood, {grain} grain and {rocks} rocks left, 1 point each"
        case SilverPrize(place, silver, tied):
            prize = "most silver" if place == 1 else "second most silver"
            tie = f", tied {_list(tied)}" if len(tied) > 1 else ""
            return f"{prize} ({sums_sentence(silver)}){tie}"
        case StartTileHeld():
            return "start tile still in hand"
        case TownMajority(cell, town, worth, castles, tied):
            counts = {colour: len(sites) for colour, sites in castles.items()}
            tie = f", tied {_list(tied)}, shared and rounded up" if len(tied) > 1 else ""
            head = f"most castles in line with the {town} on {cell}, worth {worth}"
            return f"{head} ({sums_sentence(counts)}){tie}"
        case CastlesOnTop(sites):
            return f"castles on top: {_list(sites)}, 2 points each"


def majority_sentence(majority: Majority) -> str:
    """The sums of an area, and what that means."""
    several = "" if majority.symbols == 1 else "s"
    what = {Kind.MARKET: f"tent{several}", Kind.MINE: "silver in the mine"}.get(
        majority.kind, f"{majority.kind} symbol{several}"
    )
    sums = sums_sentence({colour: points for colour, points in majority.sums.items() if points})
    head = f"area {majority.area}, {majority.symbols} {what}: {sums or 'no points'}"
    if len(majority.strongest) > 1:
        return f"{head}; {_list(majority.strongest)} tie, {majority.share} each"
    return f"{head}; {majority.strongest[0]} is strongest" if majority.strongest else head


def counted_sentences(majority: Majority) -> list[str]:
    """The sides that count, one a line."""
    return [
        f"{side.slot} ({side.tile}): {side.colour} {'0, a card icon' if side.is_card else side.points}"
        for side in majority.counted
    ]


def sums_sentence(sums: Mapping[Colour, int]) -> str:
    ranked = sorted(sums.items(), key=lambda entry: -entry[1])
    return ", ".join(f"{colour} {points}" for colour, points in ranked)


def _paid(reason: CastlePaid) -> str:
    over = f" over {reason.over}'s" if reason.over is not None else ""
    card = f" with the {reason.card}" if reason.card is not None else ""
    silver = f", silver instead of {_list(reason.instead_of)}" if reason.instead_of else ""
    return f"castle on {reason.site}{over}{card}{silver}"


def _list(words: Iterable[str]) -> str:
    known = [str(word) for word in words]
    if len(known) < 2:
        return known[0] if known else "nothing"
    return f"{', '.join(known[:-1])} and {known[-1]}"
