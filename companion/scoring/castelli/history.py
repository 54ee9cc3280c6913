"""A game as its list of events. Undo drops the last one; a replay that fails keeps the good part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import RuleBroken, Step
from companion.scoring.castelli.events import EndGame, Event
from companion.scoring.castelli.position import Position
from companion.scoring.castelli.sheet import ScoreSheet, score_sheet, with_rulings


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a replay stopped, and why."""

    index: int
    """The event's number, from 0."""
    event: Event
    error: RuleBroken


@dataclass(frozen=True, slots=True)
class Game:
    start: Position
    events: tuple[Event, ...] = ()
    """Those that were applied."""
    steps: tuple[Step, ...] = ()
    """What each of them brought."""
    failure: Failure | None = None
    """The first event that could not be applied; those after it were not tried."""

    @property
    def position(self) -> Position:
        return self.steps[-1].position if self.steps else self.start

    def play(self, event: Event) -> Game:
        """One event more; raises `RuleBroken`."""
        step = apply(self.position, event)
        return Game(self.start, (*self.events, event), (*self.steps, step))

    def undo(self) -> Game:
        """Without the last event; a game without events stays as it is."""
        return Game(self.start, self.events[:-1], self.steps[:-1])

    def rulings(self) -> set[str]:
        """Rulings that mattered for anything that happened."""
        names: set[str] = set()
        for step in self.steps:
            names.update(step.rulings)
            for award in step.awards:
                names.update(award.rulings)
            for verdict in step.verdicts:
                names.update(verdict.rulings)
        return names

    def sheet(self) -> ScoreSheet:
        """The final sheet, with the rulings that mattered on the way.

        It is made from the position before the mine was shared out, so that silver prizes still know
        that they hang on it.
        """
        ended = bool(self.events) and isinstance(self.events[-1], EndGame)
        return with_rulings(score_sheet(self.undo().position if ended else self.position), self.rulings())


def replay(start: Position, events: Iterable[Event]) -> Game:
    """All events in order, up to the first that breaks a rule."""
    applied: list[Event] = []
    steps: list[Step] = []
    position = start
    for index, event in enumerate(events):
        try:
            step = apply(position, event)
        except RuleBroken as error:
            return Game(start, tuple(applied), tuple(steps), Failure(index, event, error))
        applied.append(event)
        steps.append(step)
        position = step.position
    return Game(start, tuple(applied), tuple(steps))
