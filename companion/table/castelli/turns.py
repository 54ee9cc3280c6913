"""Every way in which the turns between two photos can have gone, as far as the rules allow it.

A photo shows which tiles were revealed and what was built, not in which order, nor by which means. Whose
turn it was follows from the order in which the players sit. What is left open is tried out: every order of
the tiles, every legal payment. Each plan says what was decided in it, so that the players can be asked for
exactly those decisions that lead to another book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import RuleBroken
from companion.scoring.castelli.board import SiteKey
from companion.scoring.castelli.components import Cell, Colour, Town
from companion.scoring.castelli.events import Duke, EndTurn, Evaluate, Event, Incendiary, Peasant, Reveal
from companion.scoring.castelli.position import FaceUp, Phase, Position
from companion.table.castelli.asking import Answers, Stack
from companion.table.castelli.payment import ways_to_build

MOST_TRIES = 2500
"""Events tried before players are asked instead, about a tenth of a second. Four tiles with a castle each
need some 300."""


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

    def id(self, kind: str) -> str:
        """Of a question about it."""
        return f"{kind}/{self.site}/{self.storey}"


@dataclass(frozen=True, slots=True)
class Changes:
    """What is new on the board since the last photo."""

    reveals: Mapping[Cell, FaceUp] = field(default_factory=dict)
    castles: tuple[Built, ...] = ()
    towns: Mapping[Cell, Town | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Plan:
    """One book to which the turns can have led, by one way or by several."""

    events: tuple[Event, ...]
    """One of the ways."""
    position: Position
    decisions: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What was chosen on these ways, by the id of the question that would ask for it; an empty text where
    there was nothing to choose."""
    tiles: tuple[Cell, ...] = ()
    """Still to be revealed; like the castles and towns, nothing is left at the end."""
    castles: tuple[Built, ...] = ()
    towns: tuple[Cell, ...] = ()

    def decided(self, id: str, value: str) -> Plan:
        return replace(self, decisions={**self.decisions, id: frozenset((value,))})

    def joined(self, other: Plan) -> Plan:
        """The same book, reached in another way too."""
        nothing = frozenset(("",))
        ids = {*self.decisions, *other.decisions}
        both = {id: self.decisions.get(id, nothing) | other.decisions.get(id, nothing) for id in ids}
        return replace(self, decisions=both)

    @property
    def book(self) -> object:
        """What tells two plans apart: who has what, and what is still to come."""
        position = self.position
        return position.players, position.mine, position.deck, self.tiles, self.castles, self.towns


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


def plans(position: Position, changes: Changes, answers: Answers) -> list[Plan]:
    """All books to which legal turns that fit the answers can have led; raises `TooManyWays`.

    Where that is too much to try, the order is left open only for tiles that bring their revealer something.
    """
    for all_orders in (True, False):
        try:
            return _Search(position, changes, answers, all_orders).run()
        except TooManyWays:
            continue
    raise TooManyWays


def brings_something(position: Position, changes: Changes, slot: Cell) -> bool:
    """To whoever revealed it: cards, silver, or that it was their start tile."""
    tile = position.board.set.tiles.get(changes.reveals[slot].tile)
    return tile is None or bool(tile.cards or tile.silver or tile.start)


class _Search:
    """Goes turn by turn; ways that lead to the same book are one from there on."""

    def __init__(self, position: Position, changes: Changes, answers: Answers, all_orders: bool) -> None:
        self.turns = turns_between(position, len(changes.reveals))
        self.position = position
        self.changes = changes
        self.answers = {id: told for id, told in answers.items() if self.still_fits(id, told)}
        self.tries = 0
        self.last_turn = {turn.colour: index for index, turn in enumerate(self.turns)}
        self.asked_for = {
            slot for slot in changes.reveals if all_orders or brings_something(position, changes, slot)
        }

    def still_fits(self, id: str, told: str) -> bool:
        """Answers name turns by their place since the last photo; the book may have gone on meanwhile."""
        return id.partition("/")[0] in ("paid", "order") or (told.isdecimal() and int(told) < len(self.turns))

    def run(self) -> list[Plan]:
        changes = self.changes
        start = Plan((), self.position, {}, tuple(changes.reveals), changes.castles, tuple(changes.towns))
        books = {start.book: start}
        for index in range(len(self.turns)):
            after: dict[object, Plan] = {}
            for plan in books.values():
                for acted in self.turn(index, plan):
                    known = after.get(acted.book)
                    after[acted.book] = known.joined(acted) if known else acted
            books = after
        return [plan for plan in books.values() if not (plan.tiles or plan.castles or plan.towns)]

    def turn(self, index: int, plan: Plan) -> Iterator[Plan]:
        for begun in self.begin(index, plan):
            for chosen in self.castles_of(index, begun):
                yield from self.act(index, begun, chosen)

    def begin(self, index: int, plan: Plan) -> Iterator[Plan]:
        """The turn's tile, whichever it was."""
        if not self.turns[index].reveals:
            waits = plan.position.phase is Phase.PLACED and (plan.tiles or plan.castles)
            opened = self.played(plan, [Evaluate()]) if waits else plan
            if opened is not None:
                yield opened
            return
        ending: list[Event] = [EndTurn()] if index else []
        others = [slot for slot in plan.tiles if slot not in self.asked_for]
        for slot in [slot for slot in plan.tiles if slot in self.asked_for] + others[:1]:
            if not self.fits(f"revealed/{slot}", str(index)):
                continue
            reveal = self.reveal(self.turns[index].colour, slot)
            begun = self.played(plan, [*ending, reveal, Evaluate()])
            if begun is not None:
                left = tuple(other for other in plan.tiles if other != slot)
                begun = replace(begun, tiles=left)
                is_open = slot in self.asked_for and len(self.changes.reveals) > 1
                yield begun.decided(f"revealed/{slot}", str(index)) if is_open else begun

    def reveal(self, colour: Colour, slot: Cell) -> Reveal:
        """Dilemma: a start tile, or the tile known to be in hand, came out of the hand (p. 7)."""
        up = self.changes.reveals[slot]
        tile = self.position.board.set.tiles.get(up.tile)
        from_hand = tile is not None and (tile.start or self.position.player(colour).hand_tile == tile.id)
        return Reveal(slot, up.tile, up.turns, swapped=from_hand)

    def castles_of(self, index: int, plan: Plan) -> Iterator[tuple[Built, ...]]:
        """Which of a player's castles belong to this turn: all that are left, if it is their last."""
        colour = self.turns[index].colour
        own = tuple(castle for castle in plan.castles if castle.colour == colour)
        sizes = range(len(own) + 1) if self.last_turn[colour] > index else (len(own),)
        for size in sizes:
            for chosen in combinations(own, size):
                if all(self.fits(castle.id("built"), str(index)) for castle in chosen):
                    yield chosen

    def act(self, index: int, plan: Plan, chosen: tuple[Built, ...]) -> Iterator[Plan]:
        """Castles and at most one village or city, because a turn has one card (p. 5)."""
        for built in self.build(plan, chosen):
            yield self.with_turns(index, built, chosen)
        for cell in plan.towns:
            if not self.fits(f"played/{cell}", str(index)):
                continue
            for acted in self.with_town(plan, chosen, cell):
                if len(self.turns) > 1:
                    acted = acted.decided(f"played/{cell}", str(index))
                left = tuple(other for other in plan.towns if other != cell)
                yield replace(self.with_turns(index, acted, chosen), towns=left)

    def with_turns(self, index: int, plan: Plan, chosen: tuple[Built, ...]) -> Plan:
        plan = replace(plan, castles=tuple(castle for castle in plan.castles if castle not in chosen))
        if sum(turn.colour == self.turns[index].colour for turn in self.turns) > 1:
            for castle in chosen:
                plan = plan.decided(castle.id("built"), str(index))
        return plan

    def with_town(self, plan: Plan, chosen: tuple[Built, ...], cell: Cell) -> Iterator[Plan]:
        event = town_event(cell, self.changes.towns[cell])
        if not chosen:
            founded = self.played(plan, [event])
            if founded is not None:
                yield founded
            return
        if self.fits(f"order/{cell}", "before") and (first := self.played(plan, [event])) is not None:
            for built in self.build(first, chosen):
                yield built.decided(f"order/{cell}", "before")
        if self.fits(f"order/{cell}", "after"):
            for built in self.build(plan, chosen):
                if (founded := self.played(built, [event])) is not None:
                    yield founded.decided(f"order/{cell}", "after")

    def build(self, plan: Plan, chosen: tuple[Built, ...]) -> Iterator[Plan]:
        """In the first order that works: which castle came first changes nothing but the way there."""
        for order in permutations(chosen):
            if found := list(self.pay(plan, order)):
                yield from found
                return

    def pay(self, plan: Plan, castles: tuple[Built, ...]) -> Iterator[Plan]:
        if not castles:
            yield plan
            return
        first, rest = castles[0], castles[1:]
        if len(plan.position.castles.get(first.site, ())) != first.storey:
            return  # the castle below is not there yet
        self.count(1)
        for way in ways_to_build(plan.position, first.site):
            self.count(1)
            if self.fits(first.id("paid"), way.id):
                built = replace(plan, events=(*plan.events, *way.events), position=way.position)
                yield from self.pay(built.decided(first.id("paid"), way.id), rest)

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
        return replace(plan, events=tuple(done), position=position)

    def count(self, tries: int) -> None:
        self.tries += tries
        if self.tries > MOST_TRIES:
            raise TooManyWays


def town_event(cell: Cell, town: Town | None) -> Event:
    if town is None:
        return Incendiary(cell)
    return Peasant(cell) if town is Town.VILLAGE else Duke(cell)
