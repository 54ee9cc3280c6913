"""Facts of the past that were wrong: the history is played again from there, so that every award is right.

A tile that was misread, or turned by a Steward after the book had gone on, changes who won areas and what
was paid since. Correcting the tile alone would leave the old awards standing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.scoring.castelli.components import Cell, Colour
from companion.scoring.castelli.events import Event, Reveal, TurnTile
from companion.scoring.castelli.history import replay
from companion.scoring.castelli.position import FaceUp, Position

Stewards = Mapping[Cell, tuple[Colour, FaceUp]]
"""By slot: who turned the tile, and how it lies since."""


@dataclass(frozen=True, slots=True)
class Past:
    start: Position
    deeds: tuple[tuple[Event, ...], ...] = ()
    """The events that stand, by deed: what one undo takes back."""


@dataclass(frozen=True, slots=True)
class Amended:
    instead_of: int
    """How many of the last deeds these events take the place of."""
    events: tuple[Event, ...]
    position: Position


def amend(past: Past, misread: Mapping[Cell, FaceUp], stewards: Stewards) -> Amended | None:
    """None where the history does not know the tile, or cannot be played on with it."""
    first = _first_deed(past.deeds, {*misread, *stewards})
    if first is None:
        return None
    before = replay(past.start, _flat(past.deeds[:first])).position
    amended = tuple(_amended(_flat(past.deeds[first:]), misread, stewards))
    played = replay(before, amended)
    lies = {slot: played.position.slot(slot) for slot in misread}
    if played.failure is not None or lies != dict(misread):
        return None
    return Amended(len(past.deeds) - first, amended, played.position)


def _first_deed(deeds: Sequence[Sequence[Event]], slots: set[Cell]) -> int | None:
    """The deed before which everything stays; None where one of the tiles was never revealed."""
    revealed = {
        event.slot: index
        for index, deed in enumerate(deeds)
        for event in deed
        if isinstance(event, Reveal) and event.slot in slots
    }
    return min(revealed.values()) if revealed.keys() == slots and slots else None


def _amended(events: list[Event], misread: Mapping[Cell, FaceUp], stewards: Stewards) -> Iterator[Event]:
    """Only the last reveal of a slot counts: a former one was undone by a correction."""
    last = {event.slot: index for index, event in enumerate(events) if isinstance(event, Reveal)}
    for index, event in enumerate(events):
        if not isinstance(event, Reveal) or last[event.slot] != index:
            yield event
            continue
        right = misread.get(event.slot)
        yield replace(event, tile=right.tile, turns=right.turns) if right else event
        if event.slot in stewards:
            who, lies = stewards[event.slot]
            yield TurnTile(who, lies.turns)


def _flat(deeds: Sequence[Sequence[Event]]) -> list[Event]:
    return [event for deed in deeds for event in deed]
