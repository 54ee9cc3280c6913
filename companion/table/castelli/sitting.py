"""One game as it stands: the events that count, what each of them brought, and how it came to that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from companion.scoring.castelli.awards import RuleBroken, Step, Verdict
from companion.scoring.castelli.board import Board, BoardArea
from companion.scoring.castelli.components import Colour, GameSet
from companion.scoring.castelli.event_records import event_from
from companion.scoring.castelli.events import EndGame, EndTurn, Event
from companion.scoring.castelli.history import Failure, Game, replay
from companion.scoring.castelli.position import Position
from companion.scoring.castelli.questions import AreaState, State, area_states, majorities
from companion.scoring.castelli.sheet import ScoreSheet
from companion.table.castelli.settings import Settings, board_of, start_position
from companion.table.errors import BadInput
from companion.table.store import LogRow
from companion.table.undo import Deed, Standing, standing, undoable

EntryKind = Literal["do", "undo", "redo", "settings"]


class RuleRefused(BadInput):
    """The rules do not allow it; `broken` says which rule, and its code serves translations."""

    def __init__(self, broken: RuleBroken) -> None:
        super().__init__("%(sentence)s (%(rule)s)", sentence=broken.sentence, rule=str(broken.rule))
        self.broken = broken
        self.code = broken.code


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the history, with what it brought where it still counts."""

    event: Event
    step: Step | None = None
    error: RuleBroken | None = None
    """Why it could not be played, where the replay stopped here."""
    player: Colour | None = None
    """Whose turn it was, where it does not count any more."""


@dataclass(frozen=True, slots=True)
class HistoryRow:
    number: int
    at: str
    """UTC, ISO 8601."""
    author: str
    kind: EntryKind
    photo: str | None
    happened: tuple[Happened, ...] = ()
    stands: bool = True
    """False once it was undone, or corrected by a later row that takes its place."""
    count: int = 0
    """Deeds undone or redone; for a deed, how many former ones it takes the place of."""
    changes: Mapping[str, object] | None = None
    """Settings that were changed."""


@dataclass(frozen=True, slots=True)
class OpenArea:
    """An area that still brings something: how it would be decided as the tiles lie."""

    area: BoardArea
    state: AreaState
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class TurnPoints:
    """Everybody's points after a turn; turn 0 is the start."""

    turn: int
    colour: Colour | None
    points: Mapping[Colour, int]


@dataclass(frozen=True)
class Sitting:
    """A view of one game. It never changes; the next entry of the log makes another one."""

    game: str
    number: int
    """Of the last entry: whoever acts names it, so that two phones do not act on different tables."""
    settings: Settings
    board: Board
    played: Game
    deeds: Standing
    rows: tuple[LogRow, ...]
    parsed: Mapping[int, tuple[Event, ...]]
    """The events of each entry."""

    @property
    def game_set(self) -> GameSet:
        return self.board.set

    @property
    def start(self) -> Position:
        return self.played.start

    @property
    def position(self) -> Position:
        return self.played.position

    @property
    def events(self) -> tuple[Event, ...]:
        return self.played.events

    @property
    def steps(self) -> tuple[Step, ...]:
        return self.played.steps

    @property
    def failure(self) -> Failure | None:
        """An event of the history that the rules refuse, say after a ruling was changed; what came before
        it counts, what comes after does not."""
        return self.played.failure

    @property
    def finished(self) -> bool:
        return self.position.finished

    @property
    def can_undo(self) -> int:
        return undoable(self.deeds.done)

    @cached_property
    def steps_back(self) -> Mapping[int, int]:
        """By entry of a deed that stands: how often undo has to be pressed until it is taken back."""
        done = self.deeds.done
        return {deed.number: 1 + undoable(done[at + 1 :]) for at, deed in enumerate(done)}

    @property
    def can_redo(self) -> int:
        return len(self.deeds.undone)

    @property
    def last_photo(self) -> str | None:
        return next((row.photo for row in reversed(self.rows) if row.photo), None)

    def sheet(self) -> ScoreSheet:
        """The final sheet; before the end, as it would be if the game ended now."""
        return self.played.sheet()

    @cached_property
    def due(self) -> tuple[OpenArea, ...]:
        """Areas that are complete and not yet paid."""
        return tuple(area for area in self._open if area.state.state is State.DUE)

    @cached_property
    def pending(self) -> tuple[OpenArea, ...]:
        """Areas that wait for tiles, those that wait for the fewest first."""
        waiting = (area for area in self._open if area.state.state is State.PENDING)
        return tuple(sorted(waiting, key=lambda area: len(area.state.waits_for)))

    @cached_property
    def _open(self) -> tuple[OpenArea, ...]:
        states, verdicts = area_states(self.position), majorities(self.position)
        return tuple(
            OpenArea(self.board.areas[area], state, verdicts[area])
            for area, state in states.items()
            if state.state in (State.DUE, State.PENDING)
        )

    @cached_property
    def points_over_turns(self) -> tuple[TurnPoints, ...]:
        points = [TurnPoints(0, None, _points(self.start))]
        before = self.start
        for event, step in zip(self.events, self.steps, strict=True):
            if isinstance(event, EndTurn | EndGame):
                points.append(TurnPoints(len(points), before.turn, _points(step.position)))
            before = step.position
        if _points(before) != points[-1].points:
            points.append(TurnPoints(len(points), before.turn, _points(before)))
        return tuple(points)

    @cached_property
    def history(self) -> tuple[HistoryRow, ...]:
        """Every entry of the log, the newest last."""
        brought = self._brought()
        undone = self._undone(brought)
        return tuple(_history_row(row, brought, undone) for row in self.rows)

    def _brought(self) -> dict[int, tuple[Happened, ...]]:
        """By entry: its events with their steps, for the deeds that stand."""
        found: dict[int, tuple[Happened, ...]] = {}
        at = 0
        for deed in self.deeds.done:
            happened = []
            for event in self.parsed[deed.number]:
                step = self.steps[at] if at < len(self.steps) else None
                stopped = self.failure is not None and self.failure.index == at
                happened.append(
                    Happened(event, step, self.failure.error if stopped and self.failure else None)
                )
                at += 1
            found[deed.number] = tuple(happened)
        return found

    def _undone(self, brought: Mapping[int, tuple[Happened, ...]]) -> dict[int, tuple[Happened, ...]]:
        """By entry: the events of deeds that do not stand, with whose turn it was when they were done."""
        found: dict[int, tuple[Happened, ...]] = {}
        left = {0: self.start}
        """The table as each deed left it."""
        for row in self.rows:
            if "do" not in row.entry:
                continue
            before = left[self.deeds.after[row.number]]
            if row.number in brought:
                steps = [one.step for one in brought[row.number] if one.step is not None]
                left[row.number] = steps[-1].position if steps else before
                continue
            events = self.parsed[row.number]
            tables = (before, *(step.position for step in replay(before, events).steps))
            left[row.number] = tables[-1]
            turns = [table.turn for table in tables] + [tables[-1].turn] * len(events)
            found[row.number] = tuple(
                Happened(event, player=turn) for event, turn in zip(events, turns, strict=False)
            )
        return found


def sit_down(
    game: str,
    rows: Sequence[LogRow],
    settings: Settings,
    game_set: GameSet,
    before: Sitting | None = None,
) -> Sitting:
    """The game that a log stands for; what an earlier view of it has worked out is taken over."""
    deeds = standing(rows)
    events = dict(before.parsed) if before is not None else {}
    for row in rows:
        if "do" in row.entry and row.number not in events:
            events[row.number] = tuple(event_from(record) for record in row.entry["do"])
    if before is not None and before.settings is settings:
        board, start = before.board, before.start
    else:
        board = board_of(settings, game_set)
        start = start_position(settings, board)
    played = _replayed(start, deeds.done, events, before)
    return Sitting(game, rows[-1].number if rows else 0, settings, board, played, deeds, tuple(rows), events)


def _replayed(
    start: Position,
    deeds: Sequence[Deed],
    events: Mapping[int, tuple[Event, ...]],
    before: Sitting | None,
) -> Game:
    """All deeds in a row; those with which an earlier view of the game began as well are not played again."""
    known = before.deeds.done if before is not None and before.start == start else ()
    same = 0
    for deed, other in zip(deeds, known, strict=False):
        if deed.number != other.number:
            break
        same += 1
    begun = sum(len(events[deed.number]) for deed in deeds[:same])
    if before is None or begun > len(before.steps):  # it stopped before that
        return replay(start, _flat(deeds, events))
    kept, steps = before.events[:begun], before.steps[:begun]
    rest = replay(steps[-1].position if steps else start, _flat(deeds[same:], events))
    failure = replace(rest.failure, index=rest.failure.index + begun) if rest.failure else None
    return Game(start, kept + rest.events, steps + rest.steps, failure)


def _flat(deeds: Iterable[Deed], events: Mapping[int, tuple[Event, ...]]) -> Iterable[Event]:
    return (event for deed in deeds for event in events[deed.number])


def _history_row(
    row: LogRow,
    brought: Mapping[int, tuple[Happened, ...]],
    undone: Mapping[int, tuple[Happened, ...]],
) -> HistoryRow:
    entry = row.entry
    changes = entry.get("settings")
    if "do" in entry:
        stands = row.number in brought
        happened = brought[row.number] if stands else undone[row.number]
        replaced = entry.get("instead_of", 0)
        return HistoryRow(
            row.number, row.at, row.author, "do", row.photo, happened, stands, replaced, changes
        )
    for kind in ("undo", "redo"):
        if kind in entry:
            return HistoryRow(row.number, row.at, row.author, kind, row.photo, count=entry[kind])
    return HistoryRow(row.number, row.at, row.author, "settings", row.photo, changes=changes)


def _points(position: Position) -> dict[Colour, int]:
    return {player.colour: player.points for player in position.players}
