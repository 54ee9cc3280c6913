"""Castles: where they may stand, what they cost and what they score (p. 6, 8)."""

from __future__ import annotations

from dataclasses import dataclass

from companion.scoring.castelli.awards import CastlePaid, CastleScored, RuleBroken, Scored, Step
from companion.scoring.castelli.board import BoardArea, SiteKey
from companion.scoring.castelli.components import Cell, Colour, Kind, Town
from companion.scoring.castelli.evaluation import counted_sides, sums_of
from companion.scoring.castelli.events import Build, Overbuild
from companion.scoring.castelli.ledger import Ledger
from companion.scoring.castelli.position import RESOURCES, Card, Phase, Player, Position
from companion.scoring.castelli.rules_index import Rule

SILVER_FOR_A_RESOURCE = 2
TOWN_POINTS = {Town.VILLAGE: 1, Town.CITY: 2}
BUILDING_CARDS = (Card.LANDGRAVE, Card.LANDGRAVINE, Card.MASTER_BUILDER)
OVERBUILDING_CARDS = (Card.ABBOT, Card.ARMY_OF_KNIGHTS)
_GROUND = {Card.LANDGRAVE: Kind.GRAIN, Card.LANDGRAVINE: Kind.WOOD}


@dataclass(frozen=True, slots=True)
class Price:
    """What a castle costs: units of each resource, and silver for those that are missing."""

    wood: int
    grain: int
    rocks: int
    silver: int = 0
    instead_of: tuple[Kind, ...] = ()


def build(position: Position, event: Build) -> Step:
    colour = position.turn
    if event.card is not None and event.card not in BUILDING_CARDS:
        raise RuleBroken("wrong-card", f"The {event.card} does not help to build a castle.", Rule.CHARACTERS)
    rulings = may_build(position, colour, event.site, event.card)
    cost = price(position.player(colour), 1, event.buy, event.card, position.silver_bought)
    return _raise_castle(position, event, cost, None, rulings)


def overbuild(position: Position, event: Overbuild) -> Step:
    colour = position.turn
    if event.card is not None and event.card not in OVERBUILDING_CARDS:
        raise RuleBroken(
            "wrong-card", f"The {event.card} does not help to build over a castle.", Rule.OVERBUILD
        )
    rulings = may_overbuild(position, colour, event.site, event.card)
    each = 1 if event.card is Card.ABBOT else 2
    cost = price(position.player(colour), each, event.buy, event.card, position.silver_bought)
    return _raise_castle(position, event, cost, position.castles[event.site][-1], rulings)


def may_build(position: Position, colour: Colour, site: SiteKey, card: Card | None) -> tuple[str, ...]:
    """Rulings it depends on; raises `RuleBroken` where no castle may be built there, whatever it costs."""
    area = _area_of(position, site)
    _check_castle_left(position, colour)
    ground = _GROUND.get(card, Kind.ROCKS) if card is not None else Kind.ROCKS
    if area.kind is not ground:
        raise RuleBroken(
            "wrong-ground",
            f"{site} lies in a {area.kind} area; this castle may only stand in a {ground} area.",
            Rule.CHARACTERS if card in _GROUND else Rule.BUILD,
        )
    if position.castles.get(site):
        raise RuleBroken("site-taken", f"A castle already stands on {site}.", Rule.BUILD)
    return _check_coat(position, colour, area.cell)


def _check_coat(position: Position, colour: Colour, cell: Cell) -> tuple[str, ...]:
    """At least one own coat of arms looks at the octagon; is one with a card icon enough?"""
    own = [c for c in counted_sides(position, position.board.spaces[cell].borders) if c.colour == colour]
    if not own:
        raise RuleBroken("no-coat", f"No coat of arms of {colour} looks at {cell}.", Rule.BUILD)
    if not all(coat.is_card for coat in own):
        return ()
    if position.rulings.card_coat_builds == "no":
        raise RuleBroken(
            "only-card-coats",
            f"Only card icons of {colour} look at {cell}, and this game rules that they are not enough.",
            Rule.BUILD,
            ("card_coat_builds",),
        )
    return ("card_coat_builds",)


def may_overbuild(position: Position, colour: Colour, site: SiteKey, card: Card | None) -> tuple[str, ...]:
    """Rulings it depends on; raises `RuleBroken` where it may not be built over, whatever it costs."""
    if not position.modules.battle:
        raise RuleBroken("no-battle", "Castles are built over in the Battle module only.", Rule.BATTLE)
    area = _area_of(position, site)
    _check_castle_left(position, colour)
    stack = position.castles.get(site, ())
    if not stack:
        raise RuleBroken("no-castle", f"No castle stands on {site} to be built over.", Rule.OVERBUILD)
    if len(stack) > 1:
        raise RuleBroken(
            "built-over-before", f"The castle on {site} has been built over once.", Rule.OVERBUILD
        )
    owner = stack[-1]
    if owner == colour:
        raise RuleBroken("own-castle", f"The castle on {site} is {colour}'s own.", Rule.OVERBUILD)
    if site in position.guarded:
        raise RuleBroken("guarded", f"A Guard protects the castle on {site} this turn.", Rule.BATTLE_CARDS)
    if card is Card.ARMY_OF_KNIGHTS:
        return ()
    by_scope = overbuild_lead(position, colour, owner, area)
    as_ruled = by_scope[position.rulings.overbuild_scope]
    other = by_scope["area" if position.rulings.overbuild_scope == "space" else "space"]
    rulings = ("overbuild_scope",) if (as_ruled > 0) != (other > 0) else ()
    if as_ruled <= 0:
        raise RuleBroken(
            "not-stronger",
            f"{colour} has no more heraldic points than {owner} at {area.cell}"
            f"{'' if position.rulings.overbuild_scope == 'space' else ', area ' + area.id}.",
            Rule.OVERBUILD,
            rulings,
        )
    return rulings


def overbuild_lead(position: Position, colour: Colour, owner: Colour, area: BoardArea) -> dict[str, int]:
    """By how many heraldic points the attacker leads, on the space and on the castle's area."""
    lead = {}
    for scope, borders in (("space", position.board.spaces[area.cell].borders), ("area", area.borders)):
        sums = sums_of(position, counted_sides(position, borders))
        lead[scope] = sums.get(colour, 0) - sums.get(owner, 0)
    return lead


def _area_of(position: Position, site: SiteKey) -> BoardArea:
    area = position.board.sites.get(site)
    if area is None:
        raise RuleBroken("no-site", f"“{site}” is no place for a castle on this board.", Rule.BUILD)
    return area


def _check_castle_left(position: Position, colour: Colour) -> None:
    if position.player(colour).castles_left < 1:
        raise RuleBroken("no-castle-left", f"{colour} has no castle left to build.", Rule.SETUP)


def price(player: Player, each: int, buy: Kind | None, card: Card | None, silver_bought: bool) -> Price:
    """What this castle costs this player; raises `RuleBroken` where they cannot pay it."""
    rule = Rule.BUILD if each == 1 else Rule.OVERBUILD
    short = {kind: each - player.resource(kind) for kind in RESOURCES if player.resource(kind) < each}
    cost = dict.fromkeys(RESOURCES, each)
    silver = 0
    instead_of: tuple[Kind, ...] = ()
    if card is Card.MASTER_BUILDER:
        if buy is not None:
            raise RuleBroken(
                "buys-twice", "The Master Builder already lets silver stand in.", Rule.CHARACTERS
            )
        instead_of = tuple(short)
        silver = len(instead_of)
    elif buy is not None:
        if silver_bought:
            raise RuleBroken(
                "bought-before", "2 silver stand in for a resource only once a turn.", Rule.BUILD
            )
        if buy not in short:
            raise RuleBroken(
                "not-missing",
                f"{player.colour} has enough {buy}; silver stands in for what is missing.",
                rule,
            )
        instead_of, silver = (buy,), SILVER_FOR_A_RESOURCE
    for kind in instead_of:
        cost[kind] -= 1
    for kind, amount in cost.items():
        if player.resource(kind) < amount:
            raise RuleBroken(
                "too-poor", f"{player.colour} has {player.resource(kind)} {kind} and needs {amount}.", rule
            )
    if player.silver < silver:
        raise RuleBroken(
            "too-little-silver", f"{player.colour} has {player.silver} silver and needs {silver}.", rule
        )
    return Price(cost[Kind.WOOD], cost[Kind.GRAIN], cost[Kind.ROCKS], silver, instead_of)


def castle_points(position: Position, cell: Cell) -> tuple[tuple[Scored, ...], tuple[str, ...]]:
    """Villages and cities that a new castle in this octagon scores, and the rulings that matter."""
    towns = position.towns
    scored = [
        Scored(other, town, TOWN_POINTS[town])
        for other in position.board.spaces[cell].lines
        if (town := towns.get(other)) is not None
    ]
    own = towns.get(cell)
    if own is None:
        return tuple(scored), ()
    if position.rulings.own_space == "counts":
        scored.insert(0, Scored(cell, own, TOWN_POINTS[own]))
    return tuple(scored), ("own_space",)


def _raise_castle(
    position: Position,
    event: Build | Overbuild,
    cost: Price,
    over: Colour | None,
    rulings: tuple[str, ...],
) -> Step:
    colour = position.turn
    ledger = Ledger(position)
    if event.card is not None:
        ledger.discard(colour, event.card)
    paid = CastlePaid(event.site, event.card, cost.instead_of, over)
    ledger.pay(colour, (cost.wood, cost.grain, cost.rocks), cost.silver, paid)
    towns, town_rulings = castle_points(position, position.board.sites[event.site].cell)
    points = sum([town.points for town in towns])
    ledger.gain_points(colour, points, CastleScored(event.site, towns), (*rulings, *town_rulings))
    ledger.use_castle(colour)
    stack = (*position.castles.get(event.site, ()), colour)
    return ledger.step(
        rulings=rulings,
        castles={**position.castles, event.site: stack},
        phase=Phase.BUILD,
        silver_bought=position.silver_bought or event.buy is not None,
        card_used=position.card_used or event.card is not None,
    )
