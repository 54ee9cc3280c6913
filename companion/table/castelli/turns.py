"""Every way in which the turns between two photos can have gone, as far as the rules allow it.

A photo shows which tiles were revealed and what was built, not in which order, nor by which means. Whose
turn it was follows from the order in which the players sit. What is left open is tried out: every order of
the tiles, every legal payment. Each plan says what was decided in it, so that the players can be asked for
exactly those decisions that lead to a different book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import RuleBroken
from companion.scoring.castelli.board import SiteKey
from companion.scoring.castelli.components import Cell, Colour, Town
from companion.scoring.castelli.events import Duke, EndTurn, Evaluate, Event, Incendiary, Peasant, Reveal
from companion.scoring.castelli.position import FaceUp, Phase, Position
from companion.table.castelli.asking import Answers, Stack
from companion.table.castelli.payment import ways_to_build

MOST_TRIES = 6000
"""Events tried before the players are asked for the order of the tiles instead: about a fifth of a second.
Four tiles with a castle each need some 300."""


class TooManyWays(Exception):
    """Too much happened between two photos to try everything out."""


@dataclass(frozen=True, slots=True)
class Turn:
    colour: Colour
    reveals: bool
    """False: the rest of a turn that was under way at the last photo."""


@dataclass(frozen=True, slots=True)
class Built:
    """A castle that is new: at the bottom of its site, or on top of another."""

    site: SiteKey
    colour: Colour
    storey: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What is new on the board since the last photo."""

    reveals: Mapping[Cell, FaceUp] = field(default_factory=dict)
    castles: tuple[Built, ...] = ()
    towns: Mapping[Cell, Town | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    events: tuple[Event, ...]
    position: Position
    decisions: Mapping[str, str]
    """What was chosen where several ways were open, by the id of the question that would ask for it."""


def turns_between(position: Position, revealed: int) -> tuple[Turn, ...]:
    """Whose turns they were: clockwise, one tile each (p. 4)."""
    seats = position.colours
    if position.turn not in seats:
        return ()
    now = seats.index(position.turn)
    if position.phase is Phase.REVEAL:
        players = [Turn(seats[(now + i) % len(seats)], True) for i in range(revealed)]
        return tuple(players) or (Turn(position.turn, False),)
    rest = [Turn(seats[(now + 1 + i) % len(seats)], True) for i in range(revealed)]
    return (Turn(position.turn, False), *rest)


def new_castles(castles: Mapping[SiteKey, Stack], position: Position) -> tuple[Built, ...]:
    return tuple(
        Built(site, colour, len(position.castles.get(site, ())) + storey)
        for site, stack in castles.items()
        for storey, colour in enumerate(stack)
    )


def revealed_id(turns: Sequence[Turn], index: int) -> str:
    return f"revealed/{index}/{turns[index].colour}"


def plans(position: Position, changes: Changes, answers: Answers) -> list[Plan]:
    """All legal ways that fit the answers; raises `TooManyWays`.

    Where that is too much to try, the order is left open only for tiles that bring their revealer something.
    """
    start = Plan((), position, {})
    for all_orders in (True, False):
        search = _Search(turns_between(position, len(changes.reveals)), changes, answers, all_orders)
        try:
            return list(search.turn(0, start, tuple(changes.reveals), changes.castles, changes.towns))
        except TooManyWays:
            continue
    raise TooManyWays


class _Search:
    """Walks turn by turn and keeps what the rules allow."""

    def __init__(self, turns: tuple[Turn, ...], changes: Changes, answers: Answers, all_orders: bool) -> None:
        self.turns = turns
        self.all_orders = all_orders
        self.changes = changes
        self.answers = answers
        self.tries = 0
        self.last_turn = {turn.colour: index for index, turn in enumerate(turns)}

    def turn(
        self,
        index: int,
        plan: Plan,
        tiles: tuple[Cell, ...],
        castles: tuple[Built, ...],
        towns: Mapping[Cell, Town | None],
    ) -> Iterator[Plan]:
        if index == len(self.turns):
            if not tiles and not castles and not towns:
                yield plan
            return
        for begun, left in self.begin(index, plan, tiles):
            for acted, castles_left, towns_left in self.act(index, begun, castles, towns):
                yield from self.turn(index + 1, acted, left, castles_left, towns_left)

    def begin(
        self, index: int, plan: Plan, tiles: tuple[Cell, ...]
    ) -> Iterator[tuple[Plan, tuple[Cell, ...]]]:
        """The turn's tile, whichever it was."""
        turn = self.turns[index]
        if not turn.reveals:
            waits = plan.position.phase is Phase.PLACED and not self.is_all_done(tiles)
            opened = self.played(plan, [Evaluate()]) if waits else plan
            if opened is not None:
                yield opened, tiles
            return
        ending: list[Event] = [EndTurn()] if index else []
        for slot in tiles if self.all_orders else self.worth_trying(plan.position, tiles):
            if not self.fits(revealed_id(self.turns, index), slot):
                continue
            reveal = self.reveal(plan.position, turn.colour, slot)
            begun = self.played(plan, [*ending, reveal, Evaluate()])
            if begun is not None:
                decided = {revealed_id(self.turns, index): slot} if len(self.changes.reveals) > 1 else {}
                left = tuple(other for other in tiles if other != slot)
                yield Plan(begun.events, begun.position, {**begun.decisions, **decided}), left

    def worth_trying(self, position: Position, slots: tuple[Cell, ...]) -> list[Cell]:
        """Tiles with cards or silver, start tiles, tiles that were named, and the first of all others."""
        tiles = position.board.set.tiles
        named = set(self.answers.values())
        brings = [
            slot
            for slot in slots
            if (tile := tiles.get(self.changes.reveals[slot].tile)) is None
            or tile.cards
            or tile.silver
            or tile.start
            or slot in named
        ]
        plain = [slot for slot in slots if slot not in brings]
        return brings + plain[:1]

    def is_all_done(self, tiles: tuple[Cell, ...]) -> bool:
        return not (tiles or self.changes.castles)

    def reveal(self, position: Position, colour: Colour, slot: Cell) -> Reveal:
        """Dilemma: a start tile, or the tile known to be in hand, came out of the hand (p. 7)."""
        up = self.changes.reveals[slot]
        tile = position.board.set.tiles.get(up.tile)
        from_hand = tile is not None and (tile.start or position.player(colour).hand_tile == tile.id)
        return Reveal(slot, up.tile, up.turns, swapped=from_hand)

    def act(
        self, index: int, plan: Plan, castles: tuple[Built, ...], towns: Mapping[Cell, Town | None]
    ) -> Iterator[tuple[Plan, tuple[Built, ...], Mapping[Cell, Town | None]]]:
        """Castles and at most one village or city, because a turn has one card (p. 5)."""
        for chosen in self.castles_of(index, castles):
            built_in = self.decided_turns(index, chosen)
            left = tuple(castle for castle in castles if castle not in chosen)
            for cell in (None, *towns):
                if cell is not None and not self.fits(f"played/{cell}", str(index)):
                    continue
                others = {other: town for other, town in towns.items() if other != cell}
                for acted in self.in_some_order(index, plan, chosen, cell):
                    yield Plan(acted.events, acted.position, {**acted.decisions, **built_in}), left, others

    def castles_of(self, index: int, castles: tuple[Built, ...]) -> Iterator[tuple[Built, ...]]:
        """Which of a player's castles belong to this turn: all of them, if it is their last."""
        colour = self.turns[index].colour
        own = tuple(castle for castle in castles if castle.colour == colour)
        sizes = range(len(own) + 1) if self.last_turn[colour] > index else (len(own),)
        for size in sizes:
            for chosen in combinations(own, size):
                if all(self.fits(f"built/{castle.site}", str(index)) for castle in chosen):
                    yield chosen

    def decided_turns(self, index: int, chosen: tuple[Built, ...]) -> dict[str, str]:
        colour = self.turns[index].colour
        if sum(turn.colour == colour for turn in self.turns) < 2:
            return {}
        return {f"built/{castle.site}": str(index) for castle in chosen}

    def in_some_order(
        self, index: int, plan: Plan, chosen: tuple[Built, ...], cell: Cell | None
    ) -> Iterator[Plan]:
        if cell is None:
            yield from self.build(plan, chosen)
            return
        event = town_event(cell, self.changes.towns[cell])
        decided = {f"played/{cell}": str(index)} if len(self.turns) > 1 else {}
        plan = Plan(plan.events, plan.position, {**plan.decisions, **decided})
        for order in ("before", "after") if chosen else ("",):
            if order and not self.fits(f"order/{cell}", order):
                continue
            ordered = {f"order/{cell}": order} if order else {}
            first = plan if order == "after" else self.played(plan, [event])
            for built in self.build(first, chosen) if first is not None else ():
                done = self.played(built, [event]) if order == "after" else built
                if done is not None:
                    yield Plan(done.events, done.position, {**done.decisions, **ordered})

    def build(self, plan: Plan, chosen: tuple[Built, ...]) -> Iterator[Plan]:
        """In the first order that works: which castle came first changes nothing but the way there."""
        for order in permutations(chosen):
            found = list(self.pay(plan, order))
            if found:
                yield from found
                return

    def pay(self, plan: Plan, castles: tuple[Built, ...]) -> Iterator[Plan]:
        if not castles:
            yield plan
            return
        first, rest = castles[0], castles[1:]
        if len(plan.position.castles.get(first.site, ())) != first.storey:
            return  # the castle below is not there yet
        ways = ways_to_build(plan.position, first.site)
        self.count(len(ways) + 1)
        id = f"paid/{first.site}/{first.storey}"
        for way in ways:
            if len(ways) > 1 and not self.fits(id, way.id):
                continue
            decided = {id: way.id} if len(ways) > 1 else {}
            built = Plan((*plan.events, *way.events), way.position, {**plan.decisions, **decided})
            yield from self.pay(built, rest)

    def fits(self, id: str, value: str) -> bool:
        return self.answers.get(id, value) == value

    def played(self, plan: Plan, events: Iterable[Event]) -> Plan | None:
        position, done = plan.position, list(plan.events)
        for event in events:
            self.count(1)
            try:
                position = apply(position, event).position
            except RuleBroken:
                return None
            done.append(event)
        return Plan(tuple(done), position, plan.decisions)

    def count(self, tries: int) -> None:
        self.tries += tries
        if self.tries > MOST_TRIES:
            raise TooManyWays


def town_event(cell: Cell, town: Town | None) -> Event:
    if town is None:
        return Incendiary(cell)
    return Peasant(cell) if town is Town.VILLAGE else Duke(cell)
