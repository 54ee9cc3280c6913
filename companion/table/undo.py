"""What a log stands for: deeds that stand, deeds that were undone, and the settings of now.

Entries of a log, which is never changed:
    {"do": [...events]}                       one deed; a single undo takes all of it back
    {"do": [...events], "instead_of": 2}      it takes the place of the last two deeds, whose facts were wrong
    {"undo": 3}, {"redo": 1}                  so many deeds
    {"settings": {...}}                       from now on, for the whole game; may come with a deed
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from companion.table.store import LogRow

Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Deed:
    number: int
    """Of its entry in the log."""
    events: tuple[Event, ...]
    instead_of: tuple[Deed, ...] = ()
    """They stand again once this one is undone."""


@dataclass(frozen=True, slots=True)
class Standing:
    done: tuple[Deed, ...] = ()
    undone: tuple[Deed, ...] = ()
    """The last of them is the next to be redone."""
    settings: dict[str, Any] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)
    """By entry of a deed, also of one that was undone: the deed on which it followed, 0 for the start."""


def standing(rows: Iterable[LogRow]) -> Standing:
    done: list[Deed] = []
    undone: list[Deed] = []
    settings: dict[str, Any] = {}
    after: dict[int, int] = {}
    for row in rows:
        entry = row.entry
        settings.update(entry.get("settings", {}))
        if "do" in entry:
            replaced = _taken(done, entry.get("instead_of", 0))
            after[row.number] = done[-1].number if done else 0
            done.append(Deed(row.number, tuple(entry["do"]), replaced))
            undone.clear()
        for _ in range(entry.get("undo", 0)):
            if not done:
                break
            deed = done.pop()
            done.extend(deed.instead_of)
            undone.append(deed)
        for _ in range(entry.get("redo", 0)):
            if not undone:
                break
            deed = undone.pop()
            _taken(done, len(deed.instead_of))
            done.append(deed)
    return Standing(tuple(done), tuple(undone), settings, after)


def undoable(deeds: Iterable[Deed]) -> int:
    """How often undo can be pressed: a deed that is undone brings back those it replaced."""
    return sum(1 + undoable(deed.instead_of) for deed in deeds)


def _taken(deeds: list[Deed], count: int) -> tuple[Deed, ...]:
    """The last `count`, taken off the list; as many as there are."""
    if count <= 0:
        return ()
    taken = tuple(deeds[-count:])
    del deeds[-count:]
    return taken
