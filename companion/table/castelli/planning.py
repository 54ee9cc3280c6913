"""What is new on the board as events in the order of turns, or the next question about it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import RuleBroken
from companion.scoring.castelli.building import castle_points
from companion.scoring.castelli.events import Correction, Event, Reveal
from companion.scoring.castelli.position import Phase, Position, changed
from companion.table.castelli.asking import Answers, Choice, Question, QuestionKind
from companion.table.castelli.comparing_pieces import castle_by_hand, town_by_hand
from companion.table.castelli.deciding import ask, first_question, open_decision
from companion.table.castelli.markers import marker_differences
from companion.table.castelli.payment import why_not
from companion.table.castelli.seen import Picture
from companion.table.castelli.turns import Built, Changes, Plan, TooManyWays, plans, town_event, turns_between
from companion.table.errors import sentence

BY_HAND = "by_hand"
WRONG = "wrong"
NOT_THEIR_TURN = sentence("It was not their turn.")


@dataclass(frozen=True, slots=True)
class Planned:
    events: tuple[Event, ...]
    position: Position
    question: Question | None = None
    refused: tuple[str, ...] = ()
    """Places at which the rules were against what the photo shows, whatever was answered."""


def plan_turns(position: Position, changes: Changes, picture: Picture, answers: Answers) -> Planned:
    """One way through the turns, with a question where it matters which; raises `TooManyWays`."""
    refused: list[Changes] = []
    try:
        books = plans(position, changes, answers)
        if not books:
            changes, refused = _legal_part(position, changes, answers)
            books = plans(position, changes, answers)
        planned = _one_book(books, position, changes, picture)
    except TooManyWays:
        question = first_question(position, changes, picture, answers)
        if question is None:
            raise
        planned = Planned((), position, question)
    for part in refused:
        planned = _by_hand(planned, part, picture, answers)
    return planned


def _one_book(books: list[Plan], position: Position, changes: Changes, picture: Picture) -> Planned:
    if not books:
        return Planned((), position)
    open_id = open_decision(books, changes)
    if open_id is None:
        return Planned(books[0].events, books[0].position)

    def differing(after: Position) -> int:
        return len(marker_differences(after, picture))

    turns = turns_between(position, len(changes.reveals))
    question = ask(open_id, books, turns, changes, picture, differing)
    first = question.choices[0].id
    likeliest = min(books, key=lambda plan: (first not in plan.decisions[open_id], differing(plan.position)))
    return Planned(likeliest.events, likeliest.position, question)


def _legal_part(position: Position, changes: Changes, answers: Answers) -> tuple[Changes, list[Changes]]:
    """As much as the rules and the answers allow, and the rest one by one.

    Tiles come first, because they decide whose turns there were; then castles from the bottom up.
    """
    legal, refused = Changes(), []
    for part in _parts(changes):
        more = Changes(
            {**legal.reveals, **part.reveals},
            (*legal.castles, *part.castles),
            {**legal.towns, **part.towns},
        )
        if _is_legal(position, more, answers):
            legal = more
        else:
            refused.append(part)
    return legal, refused


def _is_legal(position: Position, changes: Changes, answers: Answers) -> bool:
    try:
        return bool(plans(position, changes, answers))
    except TooManyWays:
        return True  # whoever plans it meets the same, and tells the players


def _parts(changes: Changes) -> list[Changes]:
    tiles = [Changes(reveals={slot: up}) for slot, up in changes.reveals.items()]
    towns = [Changes(towns={cell: town}) for cell, town in changes.towns.items()]
    return tiles + towns + [Changes(castles=(castle,)) for castle in changes.castles]


def _by_hand(planned: Planned, part: Changes, picture: Picture, answers: Answers) -> Planned:
    """The rules are against it: the photo is wrong, or the table was, and then it is set as it lies."""
    where, correction, why = _against_the_rules(planned.position, part)
    answer = answers.get(f"refused/{where}")
    refused = (*planned.refused, where)
    if answer == BY_HAND:
        after = apply(planned.position, correction).position
        return replace(planned, events=(*planned.events, correction), position=after, refused=refused)
    if answer == WRONG or planned.question is not None:
        return replace(planned, refused=refused)
    text = sentence("The rules do not allow what the photo shows on %(place)s: %(why)s What happened?")
    choices = (
        Choice(WRONG, sentence("The photo is misread, nothing changed there")),
        Choice(BY_HAND, sentence("It is so; put it into the book without paying")),
    )
    outline = picture.outlines.get(where) or picture.outlines.get(f"{where}/town", ())
    question = Question(
        f"refused/{where}",
        QuestionKind.REFUSED,
        where,
        text,
        {
            "place": where,
            "why": why.sentence if why else NOT_THEIR_TURN,
            "code": why.code if why else "not-turn",
        },
        choices,
        outline=outline,
    )
    return replace(planned, question=question, refused=refused)


def _against_the_rules(position: Position, part: Changes) -> tuple[str, Correction, RuleBroken | None]:
    for slot, up in part.reveals.items():
        ready = changed(position, phase=Phase.REVEAL)
        return slot, Correction(tiles={slot: up}), _broken(ready, Reveal(slot, up.tile, up.turns))
    for cell, town in part.towns.items():
        return cell, town_by_hand(position, cell, town), _broken(position, town_event(cell, town))
    castle = part.castles[0]
    ready = changed(position, turn=castle.colour, phase=Phase.BUILD)
    return castle.site, _castle_with_points(position, castle), why_not(ready, castle.site)


def _castle_with_points(position: Position, castle: Built) -> Correction:
    """It scores like any other; what it cost is for the players to set."""
    stack = (*position.castles.get(castle.site, ()), castle.colour)
    correction = castle_by_hand(position, castle.site, stack)
    towns, _ = castle_points(position, position.board.sites[castle.site].cell)
    points = position.player(castle.colour).points + sum(town.points for town in towns)
    left = correction.players[castle.colour]
    return replace(correction, players={castle.colour: replace(left, points=points)})


def _broken(position: Position, event: Event) -> RuleBroken | None:
    try:
        apply(position, event)
    except RuleBroken as broken:
        return broken
    return None
