"""The key line of the board: what the areas that are still open would bring to whom, as the tiles lie."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from companion.table.castelli.rulebook import Colour, Position, State, What, area_states, majorities
from companion.web.castelli.why import BRINGS
from companion.web.castelli.words import amount, together

OPEN = (State.DUE, State.PENDING, State.AT_END)


@dataclass(frozen=True, slots=True)
class Gets:
    colour: Colour
    things: tuple[tuple[str, int], ...]
    """What and how many, in the order of the charts."""
    words: str


def who_gets_what(position: Position) -> tuple[Gets, ...]:
    """A line for each player who leads somewhere; the limit of 5 is not counted: they may build first."""
    states = area_states(position)
    sums: dict[Colour, Counter[What]] = {colour: Counter() for colour in position.colours}
    for area, verdict in majorities(position).items():
        if states[area].state in OPEN:
            for colour in verdict.winners:
                sums[colour][BRINGS[verdict.majority.kind]] += verdict.majority.share
    return tuple(_line(colour, brought) for colour, brought in sums.items() if brought.total())


def _line(colour: Colour, brought: Counter[What]) -> Gets:
    things = tuple((what.value, brought[what]) for what in What if brought[what])
    words = together(amount(what, brought[what]) for what in What if brought[what])
    return Gets(colour, things, words)
