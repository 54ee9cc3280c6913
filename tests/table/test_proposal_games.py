"""Whole random games, photographed now and then: the book that follows from the photos is the true one.

The players do what a photo can show: reveal, build, build over, found and burn. Whatever is asked is answered
with the truth, and nothing may be asked that leads to the same book.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import RuleBroken
from companion.scoring.castelli.components import Town
from companion.scoring.castelli.events import (
    Build,
    Correction,
    Duke,
    EndTurn,
    Evaluate,
    Event,
    Incendiary,
    Overbuild,
    Peasant,
    Reveal,
)
from companion.scoring.castelli.position import FaceUp, Modules, Position, new_game
from companion.scoring.castelli.questions import building_sites
from companion.table.castelli.asking import Question
from companion.table.castelli.proposal import Proposal, propose
from tests.scoring.sets import COLOURS, laid_out, made_set
from tests.table.tabletop import doubtful, photo_of


@dataclass
class Players:
    """They play at random, and remember what they did since the last photo."""

    position: Position
    rng: random.Random
    tiles: list[str]
    since: list[tuple[str, Event]] = field(default_factory=list)
    """Who did what."""

    def do(self, event: Event) -> bool:
        try:
            after = apply(self.position, event).position
        except RuleBroken:
            return False
        self.since.append((self.position.turn, event))
        self.position = after
        return True

    def take_turn(self) -> None:
        """The last player may still build after the photo; then the turn ends and the next begins."""
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            self.act()
        if self.position.placed is not None:
            self.do(EndTurn())
        slot = self.rng.choice(
            [slot for slot in self.position.board.slots if self.position.slot(slot) == "down"]
        )
        self.do(Reveal(slot, self.tiles.pop(), self.rng.randrange(4)))
        self.do(Evaluate())
        for _ in range(self.rng.choice((0, 1, 2))):
            self.act()

    def act(self) -> None:
        if self.rng.random() < 0.2:
            cell = self.rng.choice(list(self.position.board.spaces))
            self.do(self.rng.choice((Peasant, Duke, Incendiary))(cell))
        options = [site for site in building_sites(self.position, self.position.turn) if site.price]
        if options:
            option = self.rng.choice(options)
            event = Overbuild if option.over else Build
            self.do(event(option.site, option.buy))


def truth(question: Question, players: Players) -> str:
    """The answer of somebody who was there."""
    kind, _, where = question.id.partition("/")
    by_turn: list[list[Event]] = [[]]
    for _, event in players.since:
        if isinstance(event, EndTurn):
            by_turn.append([])
        else:
            by_turn[-1].append(event)
    if kind == "revealed":
        return str(next(i for i, turn in enumerate(by_turn) if any(is_reveal(e, where) for e in turn)))
    if kind == "built":
        return str(turn_of_castle(by_turn, where))
    if kind == "played":
        return str(next(i for i, turn in enumerate(by_turn) if any(is_town(e, where) for e in turn)))
    if kind == "order":
        turn = next(turn for turn in by_turn if any(is_town(event, where) for event in turn))
        town = next(i for i, event in enumerate(turn) if is_town(event, where))
        castles = [i for i, event in enumerate(turn) if isinstance(event, Build | Overbuild)]
        return "before" if town < min(castles) else "after"
    assert kind == "paid", question
    # of several castles in a turn, one was paid with silver; it does not matter which
    turn = by_turn[turn_of_castle(by_turn, where)]
    built = [event for event in turn if isinstance(event, Build | Overbuild)]
    built.sort(key=lambda event: event.site != where.rpartition("/")[0])
    paid = [f"silver:{event.buy}" if event.buy else "plain" for event in built]
    return next(way for way in paid if way in {choice.id for choice in question.choices})


def turn_of_castle(by_turn: list[list[Event]], where: str) -> int:
    """The turn in which the castle on a site was built, the upper one if its storey is 1."""
    site, _, storey = where.rpartition("/")
    kind = Overbuild if int(storey) else Build
    return next(
        i for i, turn in enumerate(by_turn) if any(isinstance(e, kind) and e.site == site for e in turn)
    )


def is_reveal(event: Event, slot: str) -> bool:
    return isinstance(event, Reveal) and event.slot == slot


def is_town(event: Event, cell: str) -> bool:
    return isinstance(event, Peasant | Duke | Incendiary) and event.cell == cell


def in_between(players: Players) -> bool:
    """A settlement founded between two castles of one turn: the one thing that nobody is asked about."""
    turn: list[Event] = []
    for _, event in players.since:
        if isinstance(event, EndTurn):
            turn = []
        turn.append(event)
        towns = [i for i, e in enumerate(turn) if isinstance(e, Peasant | Duke | Incendiary)]
        castles = [i for i, e in enumerate(turn) if isinstance(e, Build | Overbuild)]
        if towns and castles and min(castles) < towns[0] < max(castles):
            return True
    return False


def followed(book: Position, players: Players) -> tuple[Position, Proposal, int]:
    """The book after a photo, everything that was asked answered."""
    record = photo_of(players.position)
    answers: dict[str, str] = {}
    proposal = propose(book, record)
    while proposal.questions:
        question = proposal.questions[0]
        assert question.id not in answers
        assert len(question.choices) > 1, question
        answer = truth(question, players)
        assert answer in {choice.id for choice in question.choices}, (question, players.since)
        answers[question.id] = answer
        proposal = propose(book, record, answers)
    for event in proposal.events:
        assert not isinstance(event, Correction)
        book = apply(book, event).position
    return book, proposal, len(answers)


def same_book(one: Position, other: Position) -> bool:
    return (one.players, one.mine, one.deck, one.tiles, one.castles, one.towns, one.evaluated) == (
        other.players, other.mine, other.deck, other.tiles, other.castles, other.towns, other.evaluated,
    )  # fmt: skip


def at_a_table(seed: int, modules: Modules) -> Players:
    rng = random.Random(seed)
    board = laid_out(made_set(seed), 4, seed)
    tiles = [tile.id for tile in board.set.tiles.values() if not tile.start]
    return Players(new_game(board, COLOURS, modules), rng, rng.sample(tiles, len(tiles)))


@pytest.mark.parametrize("turns_a_photo", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_the_book_follows_the_table(seed: int, turns_a_photo: int) -> None:
    players = at_a_table(seed, Modules(battle=seed % 2 == 1))
    while len(players.tiles) >= turns_a_photo:
        book = players.position
        players.since.clear()
        for _ in range(turns_a_photo):
            players.take_turn()
        if in_between(players):
            continue
        book, proposal, _ = followed(book, players)
        assert not proposal.refused and not proposal.markers
        assert same_book(book, players.position), (seed, players.since, proposal.events)


def test_one_photo_a_turn_needs_hardly_a_question() -> None:
    """Only what cards were used for is open then, and only for those whose cards nobody has told."""
    asked = photos = 0
    for seed in range(3):
        players = at_a_table(seed, Modules())
        while players.tiles:
            book = players.position
            players.since.clear()
            players.take_turn()
            _, proposal, questions = followed(book, players)
            assert {id.partition("/")[0] for id in proposal.answered} <= {"paid", "played", "order"}
            asked, photos = asked + questions, photos + 1
    assert asked / photos < 0.4


def test_a_whole_round_and_more_between_two_photos_still_gives_the_board(seed: int = 2) -> None:
    players = at_a_table(seed, Modules(battle=True))
    book = players.position
    for _ in range(6):
        players.take_turn()
    book, _, _ = followed(book, players)
    assert (book.tiles, book.castles, book.towns) == (
        players.position.tiles, players.position.castles, players.position.towns,
    )  # fmt: skip


def mangled(record: dict[str, Any], position: Position, rng: random.Random) -> dict[str, Any]:
    """A photo of another moment, misread in places, surely and doubtfully."""
    tiles, sites, spaces = (
        list(position.board.set.tiles),
        list(position.board.sites),
        list(position.board.spaces),
    )

    def anything(part: str) -> Any:
        if part == "tiles":
            return rng.choice(["down", "none", FaceUp(rng.choice(tiles), rng.randrange(4)), FaceUp("T77", 0)])
        if part == "castles":
            return tuple(rng.choices(COLOURS, k=rng.randrange(3)))
        return rng.choice([None, Town.VILLAGE, Town.CITY])

    for part, places in (("tiles", list(position.board.slots)), ("castles", sites), ("towns", spaces)):
        for place in rng.sample(places, rng.randrange(4)):
            others = [(anything(part), 0.1) for _ in range(rng.randrange(3))]
            entry = doubtful(anything(part), rng.choice((0.0, 0.4, 0.8)), *others)
            record[part][place] = {**entry, "doubtful": rng.random() < 0.6}
    record["track"][rng.choice(COLOURS)] = rng.choice([None, 0, 69])
    return record


@pytest.mark.parametrize("seed", range(20))
def test_no_photo_is_too_strange_to_be_answered(seed: int) -> None:
    """Whatever the photo claims, there is an end to the questions, and what comes out can be applied."""
    rng = random.Random(seed)
    players = at_a_table(seed % 3, Modules(battle=seed % 2 == 0, dilemma=seed % 3 == 0))
    for _ in range(rng.randrange(6)):
        players.take_turn()
    book = players.position
    for _ in range(rng.randrange(4)):
        players.take_turn()
    record = mangled(photo_of(players.position), book, rng)
    answers: dict[str, str] = {}
    proposal = propose(book, record, answers)
    for _ in range(60):
        if not proposal.questions:
            break
        question = proposal.questions[0]
        assert question.choices and str(question) and all(map(str, question.choices))
        assert question.id not in answers, question
        answers[question.id] = rng.choice(question.choices).id
        proposal = propose(book, record, answers)
    assert proposal.questions == ()
    for event in proposal.events:
        book = apply(book, event).position
