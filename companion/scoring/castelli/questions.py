"""What players ask during a game: who leads where, what is still open, what would happen if."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import Award, Counted, RuleBroken, Scored, Step, Verdict
from companion.scoring.castelli.board import AreaId, BoardArea, SiteKey
from companion.scoring.castelli.building import (
    Price,
    castle_points,
    may_build,
    may_overbuild,
    price,
)
from companion.scoring.castelli.cards import check_own_card
from companion.scoring.castelli.components import Cell, Colour, Kind
from companion.scoring.castelli.evaluation import counted_sides, is_never, judge, sums_of
from companion.scoring.castelli.events import Evaluate, Reveal
from companion.scoring.castelli.position import RESOURCES, Card, FaceUp, Phase, Position, changed


@dataclass(frozen=True, slots=True)
class Influence:
    """Heraldic points of each colour, neutral ones too, and the sides they come from."""

    sums: Mapping[Colour, int]
    counted: tuple[Counted, ...]

    @property
    def strongest(self) -> tuple[Colour, ...]:
        """Those with the highest sum; nobody where all sums are 0."""
        most = max(self.sums.values(), default=0)
        return tuple(colour for colour, points in self.sums.items() if points == most) if most else ()

    @property
    def leader(self) -> Colour | None:
        return self.strongest[0] if len(self.strongest) == 1 else None

    @property
    def is_tied(self) -> bool:
        return len(self.strongest) > 1

    @property
    def margin(self) -> int:
        """What the leader is ahead of the next; 0 in a tie."""
        best = sorted(self.sums.values(), reverse=True)
        return best[0] - best[1] if len(best) > 1 else sum(best)


class State(StrEnum):
    EVALUATED = "evaluated"
    DUE = "due"
    """All its tiles lie face up and it has not been paid."""
    PENDING = "pending"
    NEVER = "never"
    """It borders on neutral arms and card icons only (p. 5)."""
    AT_END = "at_end"
    """The mine, all of whose tiles lie face up (p. 4)."""


@dataclass(frozen=True, slots=True)
class AreaState:
    state: State
    waits_for: tuple[Cell, ...] = ()
    """Slots whose tile is not face up."""


@dataclass(frozen=True, slots=True)
class BuildingSite:
    """A place where a colour may build now, or build over, and what that brings."""

    site: SiteKey
    over: Colour | None
    """Whose castle would be built over."""
    card: Card | None
    """The card that makes it possible, where one is needed."""
    points: int
    towns: tuple[Scored, ...]
    price: Price | None
    """What would be paid; None where the player cannot pay."""
    buy: Kind | None
    """The resource for which 2 silver would have to stand in."""
    rulings: tuple[str, ...]


def influence(position: Position, area: AreaId) -> Influence:
    """On one area; `KeyError` where the board has no such area."""
    counted = counted_sides(position, position.board.areas[area].borders)
    return Influence(sums_of(position, counted), counted)


def influence_on_space(position: Position, cell: Cell) -> Influence:
    """On a whole octagon, as it counts for building over."""
    counted = counted_sides(position, position.board.spaces[cell].borders)
    return Influence(sums_of(position, counted), counted)


def majorities(position: Position) -> dict[AreaId, Verdict]:
    """How every area stands, complete or not: sums, the strongest, and what they would get."""
    return {
        area.id: judge(
            position,
            area,
            counted_sides(position, area.borders),
            position.mine if area.kind is Kind.MINE else area.symbols,
        )
        for area in position.board.areas.values()
    }


def area_state(position: Position, area: AreaId) -> AreaState:
    return _state_of(position, position.board.areas[area])


def area_states(position: Position) -> dict[AreaId, AreaState]:
    return {area.id: _state_of(position, area) for area in position.board.areas.values()}


def _state_of(position: Position, area: BoardArea) -> AreaState:
    if area.id in position.evaluated:
        return AreaState(State.EVALUATED)
    waits_for = tuple(slot for slot, _ in area.borders if not isinstance(position.slot(slot), FaceUp))
    if waits_for:
        return AreaState(State.PENDING, waits_for)
    if is_never(counted_sides(position, area.borders)):
        return AreaState(State.NEVER)
    return AreaState(State.AT_END if area.kind is Kind.MINE else State.DUE)


def what_if(position: Position, slot: Cell, tile: str, turns: int, swapped: bool = False) -> Step:
    """What revealing this tile here would bring the active player and the others; raises `RuleBroken`.

    It may be asked at any moment of a turn, about the next tile.
    """
    ready = changed(position, phase=Phase.REVEAL)
    shown = apply(ready, Reveal(slot, tile, turns, swapped))
    paid = apply(shown.position, Evaluate())
    awards: tuple[Award, ...] = (*shown.awards, *paid.awards)
    return Step(paid.position, awards, paid.verdicts)


def building_sites(position: Position, colour: Colour, card: Card | None = None) -> list[BuildingSite]:
    """Where a colour may build or build over as the tiles lie, best first.

    Sites they cannot pay for are there too, without a price. With a card: only what that card allows.
    """
    if colour != position.turn:  # as if it were their turn
        position = changed(position, turn=colour, silver_bought=False, card_used=False, guarded=frozenset())
    if colour not in position.colours or (card is not None and not _may_use(position, card)):
        return []
    found = []
    for site in position.board.sites:
        is_over = bool(position.castles.get(site))
        if card in (Card.ABBOT, Card.ARMY_OF_KNIGHTS) and not is_over:
            continue
        if card in (Card.LANDGRAVE, Card.LANDGRAVINE, Card.MASTER_BUILDER) and is_over:
            continue
        check = may_overbuild if is_over else may_build
        try:
            rulings = check(position, colour, site, card)
        except RuleBroken:
            continue
        found.append(_building_site(position, colour, site, card, rulings))
    return sorted(found, key=lambda option: (-option.points, option.site))


def _may_use(position: Position, card: Card) -> bool:
    try:
        check_own_card(position, card)
    except RuleBroken:
        return False
    return True


def _building_site(
    position: Position, colour: Colour, site: SiteKey, card: Card | None, rulings: tuple[str, ...]
) -> BuildingSite:
    towns, town_rulings = castle_points(position, position.board.sites[site].cell)
    stack = position.castles.get(site, ())
    each = 2 if stack and card is not Card.ABBOT else 1
    cost, buy = _cheapest(position, colour, each, card)
    return BuildingSite(
        site=site,
        over=stack[-1] if stack else None,
        card=card,
        points=sum(town.points for town in towns),
        towns=towns,
        price=cost,
        buy=buy,
        rulings=(*rulings, *town_rulings),
    )


def _cheapest(
    position: Position, colour: Colour, each: int, card: Card | None
) -> tuple[Price | None, Kind | None]:
    """Resources alone where they are enough, else 2 silver for the one that is missing."""
    player = position.player(colour)
    for buy in (None, *RESOURCES):
        try:
            return price(player, each, buy, card, position.silver_bought), buy
        except RuleBroken:
            continue
    return None, None
