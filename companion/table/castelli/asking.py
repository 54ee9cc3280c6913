"""Questions to the players: one at a time, the likeliest answers first.

An answer is a short text, the `id` of a choice. Where a question is about what lies in a slot, any text of
the same form is an answer too ("something else"): `up:T07:2`, `down`, `none` for a tile; `red`, `red+blue`,
`empty` for castles from the bottom up; `village`, `city`, `nothing` for a space.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from companion.scoring.castelli.components import Colour, GameSet, Town
from companion.scoring.castelli.position import DOWN, MISSING, FaceUp, Slot

Outline = tuple[tuple[float, float], ...]
Answers = Mapping[str, str]
Stack = tuple[Colour, ...]

NO_CASTLE = "empty"
NO_TOWN = "nothing"


class QuestionKind(StrEnum):
    TILE = "tile"
    """A doubtful reading of a tile."""
    CASTLE = "castle"
    TOWN = "town"
    CONTRADICTION = "contradiction"
    """The photo is sure of what the history says cannot be."""
    STEWARD = "steward"
    """The tile just placed lies in another turn."""
    REVEALED = "revealed"
    """Which tile a player revealed, where several turns lie between two photos."""
    BUILT_IN = "built_in"
    """In which of their turns a player built."""
    PAID = "paid"
    """How a castle was paid for."""
    PLAYED_BY = "played_by"
    """Who founded a village or city, or burnt one."""
    ORDER = "order"
    """Whether a village or city came before or after castles of the same turn."""
    REFUSED = "refused"
    """The rules do not allow what the photo shows."""
    CONTRADICTIONS = "contradictions"
    """Many of them at once: they have one reason, and are asked for together."""
    ARRANGEMENT = "arrangement"
    """The pieces lie otherwise than the game says."""
    CATCH_UP = "catch_up"
    """The photo is many turns ahead of the book."""


@dataclass(frozen=True, slots=True)
class Choice:
    id: str
    template: str
    values: Mapping[str, object] = field(default_factory=dict)
    confidence: float | None = None
    """Of the reading, where it is one."""

    def __str__(self) -> str:
        return self.template % self.values if self.values else self.template


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    kind: QuestionKind
    where: str
    """The slot, site or space it is about; empty where it is about the whole board."""
    template: str
    values: Mapping[str, object]
    choices: tuple[Choice, ...]
    other: bool = False
    """“Something else” may be answered, in the form of this question's ids."""
    outline: Outline = ()
    """Where to look in the upright photo, in pixels; empty where it was not seen."""
    as_before: str = ""
    """The answer by which the book stays as it is, and"""
    as_seen: str = ""
    """the one by which the photo is right, where the question is about these two."""

    def __str__(self) -> str:
        return self.template % self.values if self.values else self.template


def slot_answer(slot: Slot) -> str:
    return f"up:{slot.tile}:{slot.turns}" if isinstance(slot, FaceUp) else slot


def slot_from(answer: str, game_set: GameSet) -> Slot | None:
    """None where it is no answer about a tile."""
    if answer == DOWN:
        return DOWN
    if answer == MISSING:
        return MISSING
    state, _, rest = answer.partition(":")
    tile, _, turns = rest.rpartition(":")
    if state != "up" or tile not in game_set.tiles or turns not in ("0", "1", "2", "3"):
        return None
    return FaceUp(tile, int(turns))


def stack_answer(stack: Stack) -> str:
    return "+".join(stack) or NO_CASTLE


def stack_from(answer: str, colours: Sequence[Colour]) -> Stack | None:
    """None where it is no answer about castles."""
    stack = () if answer == NO_CASTLE else tuple(answer.split("+"))
    return stack if len(stack) <= 2 and all(colour in colours for colour in stack) else None


def town_answer(town: Town | None) -> str:
    return NO_TOWN if town is None else town.value


def is_town_answer(answer: str) -> bool:
    return answer in (NO_TOWN, *Town)


def town_from(answer: str) -> Town | None:
    return None if answer == NO_TOWN else Town(answer)
