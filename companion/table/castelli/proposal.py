"""From a photo to events: what changed since the book's position, what is in doubt, what has to be asked.

A pure function of the position, the scan and the answers given so far. It is worked out anew whenever
somebody looks at it, so an open proposal always fits the table as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import Step
from companion.scoring.castelli.board import Assembly
from companion.scoring.castelli.components import Cell, Colour
from companion.scoring.castelli.events import Correction, Event, PlayerCorrection
from companion.scoring.castelli.position import RESOURCES, Phase, Position, complete
from companion.table.castelli.amending import Past, amend
from companion.table.castelli.asking import Answers, Choice, Question, QuestionKind
from companion.table.castelli.comparing import compare
from companion.table.castelli.comparing_pieces import castle_by_hand
from companion.table.castelli.differences import Differences
from companion.table.castelli.markers import TRACK, MarkerDifference, marker_differences
from companion.table.castelli.planning import plan_turns
from companion.table.castelli.seen import Picture, Record, picture_of
from companion.table.castelli.turns import Changes, TooManyWays, new_castles, turns_between
from companion.table.errors import sentence

ROUNDS_TO_FOLLOW = 2
"""More turns than this round the table between two photos, and nobody remembers them one by one."""
AS_IT_LIES = "as_it_lies"
TURN_BY_TURN = "turn_by_turn"


@dataclass(frozen=True, slots=True)
class Planned:
    """An event that would be applied, by whom, and what it would bring."""

    event: Event
    player: Colour
    step: Step


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a photo says has happened. Nothing of it counts before it is confirmed."""

    happened: tuple[Planned, ...] = ()
    """With open questions: as it most likely was."""
    instead_of: int = 0
    """How many of the last deeds are played again, because a fact in them was wrong."""
    questions: tuple[Question, ...] = ()
    """The open ones; the first is to be asked."""
    markers: tuple[MarkerDifference, ...] = ()
    """Markers on the photo that differ from the book as it would be; none before that is settled."""
    unseen: tuple[Cell, ...] = ()
    """Tile slots that the photo does not show."""
    settled: tuple[str, ...] = ()
    """Places where the picture was in doubt, and rules and history decided."""
    refused: tuple[str, ...] = ()
    """Places where the rules were against the photo."""
    arrangement: Assembly | None = None
    """The pieces lie like this, and the game is to be set so."""
    answered: tuple[str, ...] = ()
    """Questions that the players have answered."""

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(planned.event for planned in self.happened)

    @property
    def is_clean(self) -> bool:
        """Nobody had to be asked and the rules agree: it may apply itself where the game is set so."""
        corrected = any(isinstance(planned.event, Correction) for planned in self.happened)
        return not (self.questions or self.answered or self.refused or self.instead_of or corrected)

    @property
    def is_empty(self) -> bool:
        return not (self.happened or self.questions or self.arrangement)

    @property
    def moved_markers(self) -> bool:
        """A marker surely lies elsewhere than the book says: the players are told before it is closed."""
        return any(not marker.doubtful for marker in self.markers)


def propose(
    position: Position, record: Record, answers: Answers | None = None, past: Past | None = None
) -> Proposal:
    """The record's board has to be the position's; with `past`, misread tiles are put right from there on."""
    picture, answers = picture_of(record), answers or {}
    found = compare(position, picture, answers)
    base, replayed, instead_of = _amended(position, found, past)
    if found.misread or found.stewards:
        still = compare(base, picture, answers)
        found = replace(still, corrections=found.corrections)
    corrected = _all_applied(base, found.corrections)
    if not found.questions and _is_far_ahead(position, found):
        return _caught_up(corrected, found, picture, answers)
    changes = Changes(found.reveals, new_castles(found.castles, corrected), found.towns)
    try:
        planned = plan_turns(corrected, changes, picture, answers)
    except TooManyWays:
        return _caught_up(corrected, found, picture, answers)
    later = (planned.question,) if planned.question and not found.questions else ()
    questions = (*found.questions, *later)
    events = (*replayed, *found.corrections, *planned.events)
    start = _before(position, past, instead_of)
    return Proposal(
        happened=_played(start, events),
        instead_of=instead_of,
        questions=questions,
        markers=() if questions else marker_differences(planned.position, picture),
        unseen=tuple(found.unseen),
        settled=tuple(found.settled),
        refused=planned.refused,
        answered=tuple(answers),
    )


def _amended(
    position: Position, found: Differences, past: Past | None
) -> tuple[Position, tuple[Event, ...], int]:
    """The book with the facts put right; where the history does not allow that, the tile alone is set."""
    if not (found.misread or found.stewards):
        return position, (), 0
    amended = amend(past, found.misread, found.stewards) if past is not None else None
    if amended is not None:
        return amended.position, amended.events, amended.instead_of
    turned = {slot: lies for slot, (_, lies) in found.stewards.items()}
    correction = Correction(tiles={**found.misread, **turned})
    return apply(position, correction).position, (correction,), 0


def _before(position: Position, past: Past | None, instead_of: int) -> Position:
    """The position that the proposal's events start from."""
    if past is None or not instead_of:
        return position
    kept = past.deeds[: len(past.deeds) - instead_of]
    return _all_applied(past.start, [event for deed in kept for event in deed])


def _all_applied(position: Position, events: Sequence[Event]) -> Position:
    for event in events:
        position = apply(position, event).position
    return position


def _played(position: Position, events: Sequence[Event]) -> tuple[Planned, ...]:
    played = []
    for event in events:
        step = apply(position, event)
        played.append(Planned(event, position.turn, step))
        position = step.position
    return tuple(played)


def _is_far_ahead(position: Position, found: Differences) -> bool:
    return len(found.reveals) > ROUNDS_TO_FOLLOW * len(position.players)


def _caught_up(position: Position, found: Differences, picture: Picture, answers: Answers) -> Proposal:
    """A game that was under way before its first photo: the board as it lies, the markers as they stand."""
    answer = answers.get("catch_up")
    as_it_lies = as_on_photo(position, found, picture)
    correction = as_it_lies if answer != TURN_BY_TURN else None
    happened = _played(position, [*found.corrections, correction] if correction else found.corrections)
    text = sentence("%(count)s tiles were revealed since the book ends. How shall it go on?")
    question = Question(
        "catch_up",
        QuestionKind.CATCH_UP,
        "",
        text,
        {"count": len(found.reveals)},
        (
            Choice(AS_IT_LIES, sentence("Take the board and the markers as they are")),
            Choice(TURN_BY_TURN, sentence("Leave this photo out; I enter the turns myself")),
        ),
    )
    questions = () if answer in (AS_IT_LIES, TURN_BY_TURN) else (question,)
    after = happened[-1].step.position if happened else position
    return Proposal(
        happened=happened if answer == AS_IT_LIES or answer is None else (),
        questions=questions,
        markers=() if questions else marker_differences(after, picture),
        unseen=tuple(found.unseen),
        settled=tuple(found.settled),
        answered=tuple(answers),
    )


def as_on_photo(position: Position, found: Differences, picture: Picture) -> Correction:
    """Everything that lies on the board, at once; what is complete counts as paid."""
    tiles = {**position.tiles, **found.reveals}
    stacks = {site: (*position.castles.get(site, ()), *new) for site, new in found.castles.items()}
    players = {colour: _from_markers(position, picture, colour) for colour in position.colours}
    counted = position
    for site, stack in stacks.items():
        counted = apply(counted, castle_by_hand(counted, site, stack)).position
    for player in counted.players:
        left = replace(players[player.colour], castles_left=player.castles_left)
        players[player.colour] = left
    turns = turns_between(position, len(found.reveals))
    return Correction(
        tiles=dict(found.reveals),
        castles=stacks,
        towns=dict(found.towns),
        players=players,
        paid=complete(position.board, tiles),
        turn=turns[-1].colour if turns else None,
        phase=Phase.BUILD,
    )


def _from_markers(position: Position, picture: Picture, colour: Colour) -> PlayerCorrection:
    def stands(scale: str) -> int | None:
        marker = picture.markers.get((scale, colour))
        return marker.space if marker is not None and not marker.doubtful else None

    wood, grain, rocks = (stands(kind.value) for kind in RESOURCES)
    return PlayerCorrection(wood=wood, grain=grain, rocks=rocks, points=stands(TRACK))
