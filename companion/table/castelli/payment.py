"""How a castle that stands there can have been paid for: resources, silver, a card, cards sold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import RuleBroken
from companion.scoring.castelli.board import SiteKey
from companion.scoring.castelli.components import Kind
from companion.scoring.castelli.events import Build, Event, Overbuild, Sell
from companion.scoring.castelli.position import RESOURCES, Card, Position

MOST_SOLD = 2
"""Cards sold for one castle: 4 silver, as much as building can ever need at once."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to pay, and the position after it."""

    id: str
    """`plain`, `silver:wood`, `landgrave`, `landgrave+silver:wood`, `sell:1+silver:wood` and so on."""
    events: tuple[Event, ...]
    position: Position


def ways_to_build(position: Position, site: SiteKey) -> list[Way]:
    """All that the rules allow the active player; empty where the castle cannot stand there by the rules.

    Whoever has what a castle costs pays it: silver and the Master Builder stand in for what is missing.
    Cards are only thought to have been sold where nothing else explains the castle.
    """
    if ways := _ways(position, site, ""):
        return ways
    for count in range(1, MOST_SOLD + 1):
        sold = _applied(position, Sell(position.turn, count))
        if sold is None:
            return []
        if ways := _ways(sold, site, f"sell:{count}+"):
            return [Way(way.id, (Sell(position.turn, count), *way.events), way.position) for way in ways]
    return []


def why_not(position: Position, site: SiteKey) -> RuleBroken | None:
    """The rule against this castle, for the player whose turn it is; None where nothing is against it."""
    try:
        apply(position, next(_events(position, site, _card_for(position, site))))
    except RuleBroken as broken:
        return broken
    return None


def _ways(position: Position, site: SiteKey, prefix: str) -> list[Way]:
    cards: tuple[Card | None, ...]
    if position.castles.get(site):
        plain = _with_card(position, site, None, prefix)
        # the Abbot halves the price, so whoever has him may have used him although they could pay
        cards = (Card.ABBOT,) if plain else (Card.ABBOT, Card.ARMY_OF_KNIGHTS)
        return plain + [way for card in cards for way in _with_card(position, site, card, prefix)]
    needed = _card_for(position, site)
    ways = _with_card(position, site, needed, prefix)
    if needed is None and not any(way.id == prefix + "plain" for way in ways):
        ways += _with_card(position, site, Card.MASTER_BUILDER, prefix)
    return ways


def _card_for(position: Position, site: SiteKey) -> Card | None:
    """Castles stand in rocks areas, unless a card lets them stand in grain or wood (p. 1)."""
    area = position.board.sites.get(site)
    if area is None or position.castles.get(site):
        return None
    return {Kind.GRAIN: Card.LANDGRAVE, Kind.WOOD: Card.LANDGRAVINE}.get(area.kind)


def _with_card(position: Position, site: SiteKey, card: Card | None, prefix: str) -> list[Way]:
    """Without silver if that is possible, else each resource that 2 silver can stand in for."""
    ways = []
    for event in _events(position, site, card):
        after = _applied(position, event)
        if after is not None:
            ways.append(Way(prefix + _id(event), (event,), after))
            if event.buy is None:
                break
    return ways


def _events(position: Position, site: SiteKey, card: Card | None) -> Iterator[Build | Overbuild]:
    for buy in (None, *RESOURCES):
        yield Overbuild(site, buy, card) if position.castles.get(site) else Build(site, buy, card)


def _id(event: Build | Overbuild) -> str:
    parts = [event.card.value] if event.card else []
    parts += [f"silver:{event.buy.value}"] if event.buy else []
    return "+".join(parts) or "plain"


def _applied(position: Position, event: Event) -> Position | None:
    try:
        return apply(position, event).position
    except RuleBroken:
        return None
