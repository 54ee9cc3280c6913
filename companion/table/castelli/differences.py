"""What a photo shows that the book does not, and how one slot's reading is weighed against the book."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from companion.scoring.castelli.board import SiteKey
from companion.scoring.castelli.components import Cell, Colour, Town
from companion.scoring.castelli.events import Correction
from companion.scoring.castelli.position import FaceUp
from companion.table.castelli.asking import Question, QuestionKind, Stack
from companion.table.castelli.seen import Seen

T = TypeVar("T")

MOST_CHOICES = 3
"""The two or three likeliest readings; whoever means another says “something else”."""


@dataclass
class Differences:
    """What the photo shows that the book does not, as far as it is clear."""

    reveals: dict[Cell, FaceUp] = field(default_factory=dict)
    castles: dict[SiteKey, Stack] = field(default_factory=dict)
    """Castles that are new there, from the bottom up."""
    towns: dict[Cell, Town | None] = field(default_factory=dict)
    """Founded; None is a city that was burnt."""
    corrections: list[Correction] = field(default_factory=list)
    """What players said is otherwise than the book has it."""
    misread: dict[Cell, FaceUp] = field(default_factory=dict)
    """Tiles that the book has had wrong since they were revealed."""
    stewards: dict[Cell, tuple[Colour, FaceUp]] = field(default_factory=dict)
    """The tile just placed was turned: by whom, and how it lies now."""
    questions: list[Question] = field(default_factory=list)
    settled: list[str] = field(default_factory=list)
    """Where the picture was in doubt and the rules or the history decided."""
    unseen: list[Cell] = field(default_factory=list)
    """Tile slots that the photo does not show; there the book goes on as it is."""


def decided(
    found: Differences,
    where: str,
    seen: Seen[T],
    book: T,
    is_possible: Callable[[T], bool],
    doubt: QuestionKind,
) -> tuple[T, QuestionKind | None]:
    """What stands there, and the kind of question to ask where that is open.

    A sure reading that the rules and the history exclude is a contradiction. A doubtful one counts only
    as far as they leave it possible: where nothing but the book is left, the book goes on.
    """
    if not seen.doubtful:
        if seen.reading == book or is_possible(seen.reading):
            return seen.reading, None
        return book, QuestionKind.CONTRADICTION
    others = [reading for reading, _ in seen.possible(is_possible) if reading != book]
    if not others:
        if seen.reading != book:
            found.settled.append(where)
        return book, None
    if (only := seen.settled(is_possible)) is not None:
        found.settled.append(where)
        return only[0], None
    return book, doubt


def likeliest(
    seen: Seen[T], book: T, is_possible: Callable[[T], bool], also: tuple[T, ...] = ()
) -> list[tuple[T, float | None]]:
    """The choices of a question: what is possible, what the photo says, and what the book says."""
    left: dict[T, float | None] = dict(seen.possible(is_possible)[:MOST_CHOICES])
    for reading in also:
        left.setdefault(reading, None)
    if len(left) < MOST_CHOICES:
        left.setdefault(seen.reading, seen.confidence)
    if book not in left:
        left = dict(list(left.items())[: MOST_CHOICES - 1])
        left[book] = None
    return list(left.items())
