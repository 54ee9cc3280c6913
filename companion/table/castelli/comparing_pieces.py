"""Castles, villages and cities on the photo against the book."""

from __future__ import annotations

from collections import Counter

from companion.scoring.castelli.board import SiteKey
from companion.scoring.castelli.components import Cell, Town
from companion.scoring.castelli.events import Correction, PlayerCorrection
from companion.scoring.castelli.position import Position
from companion.table.castelli import asking
from companion.table.castelli.asking import Answers, Choice, Question, QuestionKind, Stack
from companion.table.castelli.differences import Differences, decided, likeliest
from companion.table.castelli.seen import Picture, Seen
from companion.table.errors import sentence

HIGHEST_STACK = 2
"""A castle is built over once (p. 8)."""
NO_CASTLE: Seen[Stack] = Seen(())
NO_TOWN: Seen[Town | None] = Seen(None)
"""What a record does not name was looked at and found empty."""


def compare_castle(
    found: Differences, position: Position, picture: Picture, answers: Answers, site: SiteKey
) -> None:
    book = position.castles.get(site, ())
    seen = picture.castles.get(site, NO_CASTLE)

    def is_possible(stack: Stack) -> bool:
        return may_stand(position, book, stack)

    answer = answers.get(f"castle/{site}")
    told = asking.stack_from(answer, position.board.colours) if answer is not None else None
    kind: QuestionKind | None = None
    if told is not None:
        stack = told
    elif _hides_its_castle(book, seen.reading):
        stack = book
    else:
        stack, kind = decided(found, site, seen, book, is_possible, QuestionKind.CASTLE)
    if kind is not None:
        over = _maybe_built_over(position, book, seen.reading)
        choices = (_stack_choice(s, sure) for s, sure in likeliest(seen, book, is_possible, over))
        text = (
            sentence("Which castle stands on %(place)s?")
            if kind is QuestionKind.CASTLE
            else sentence("The castle on %(place)s looks different from before. What is right?")
        )
        outline = picture.outlines.get(site, ())
        found.questions.append(
            Question(
                f"castle/{site}",
                kind,
                site,
                text,
                {"place": site},
                tuple(choices),
                True,
                outline,
                asking.stack_answer(book),
                asking.stack_answer(seen.reading),
            )
        )
    elif stack != book and is_possible(stack):
        found.castles[site] = stack[len(book) :]
    elif stack != book:
        found.corrections.append(castle_by_hand(position, site, stack))


def may_stand(position: Position, book: Stack, stack: Stack) -> bool:
    """Castles stay, only players build, and building over another's is for Battle (p. 8)."""
    new = Counter(stack[len(book) :])
    highest = HIGHEST_STACK if position.modules.battle else max(1, len(book))
    return (
        stack[: len(book)] == book
        and len(stack) <= highest
        and len(set(stack)) == len(stack)
        and all(colour in position.colours for colour in new)
        and all(position.player(colour).castles_left >= count for colour, count in new.items())
    )


def _hides_its_castle(book: Stack, reading: Stack) -> bool:
    """The top of a stack that the book knows: a photo from above shows no more, and castles stay."""
    return len(book) > 1 and reading == book[-1:]


def _maybe_built_over(position: Position, book: Stack, reading: Stack) -> tuple[Stack, ...]:
    """A single castle of another colour is likely the top of a stack whose bottom is hidden."""
    over = (*book, *reading)
    return (over,) if len(book) == len(reading) == 1 and may_stand(position, book, over) else ()


def castle_by_hand(position: Position, site: SiteKey, stack: Stack) -> Correction:
    """The stack as somebody says it is; its castles come from their owners, and go back to them."""
    before, after = Counter(position.castles.get(site, ())), Counter(stack)
    players = {
        player.colour: PlayerCorrection(
            castles_left=max(0, player.castles_left + before[player.colour] - after[player.colour])
        )
        for player in position.players
        if before[player.colour] != after[player.colour]
    }
    return Correction(castles={site: stack}, players=players)


def _stack_choice(stack: Stack, confidence: float | None) -> Choice:
    id = asking.stack_answer(stack)
    if not stack:
        return Choice(id, sentence("No castle"), {}, confidence)
    values = {"bottom": stack[0], "top": stack[-1]}
    if len(stack) > 1:
        return Choice(id, sentence("A castle of %(bottom)s, built over by %(top)s"), values, confidence)
    return Choice(id, sentence("A castle of %(top)s"), values, confidence)


def compare_town(
    found: Differences, position: Position, picture: Picture, answers: Answers, cell: Cell
) -> None:
    book = position.towns.get(cell)
    seen = picture.towns.get(cell, NO_TOWN)

    def is_possible(town: Town | None) -> bool:
        return town == book or _may_change(position, book, town)

    kind: QuestionKind | None = None
    answer = answers.get(f"town/{cell}", "")
    if asking.is_town_answer(answer):
        town = asking.town_from(answer)
    else:
        town, kind = decided(found, f"{cell}/town", seen, book, is_possible, QuestionKind.TOWN)
    if kind is not None:
        choices = (_town_choice(t, sure) for t, sure in likeliest(seen, book, is_possible))
        text = (
            sentence("What stands on %(place)s?")
            if kind is QuestionKind.TOWN
            else sentence("The village or city on %(place)s looks different from before. What is right?")
        )
        outline = picture.outlines.get(f"{cell}/town", ())
        found.questions.append(
            Question(
                f"town/{cell}",
                kind,
                cell,
                text,
                {"place": cell},
                tuple(choices),
                True,
                outline,
                asking.town_answer(book),
                asking.town_answer(seen.reading),
            )
        )
    elif town != book and is_possible(town):
        found.towns[cell] = town
    elif town != book:
        found.corrections.append(town_by_hand(position, cell, town))


def _may_change(position: Position, book: Town | None, town: Town | None) -> bool:
    """Peasant and Duke found on a vacant space, the Incendiary burns a city."""
    if book is None:
        spare = position.spare_villages if town is Town.VILLAGE else position.spare_cities
        return spare > 0 and (town is Town.VILLAGE or position.modules.battle)
    return book is Town.CITY and town is None and position.modules.battle


def town_by_hand(position: Position, cell: Cell, town: Town | None) -> Correction:
    """What stands there as somebody says; one that was not there before comes from beside the board."""
    villages = max(0, position.spare_villages - 1) if town is Town.VILLAGE else None
    cities = max(0, position.spare_cities - 1) if town is Town.CITY else None
    return Correction(towns={cell: town}, spare_villages=villages, spare_cities=cities)


def _town_choice(town: Town | None, confidence: float | None) -> Choice:
    id = asking.town_answer(town)
    if town is None:
        return Choice(id, sentence("Nothing stands there"), {}, confidence)
    text = sentence("A village") if town is Town.VILLAGE else sentence("A city")
    return Choice(id, text, {}, confidence)
