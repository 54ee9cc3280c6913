"""Events, and whole games, as plain dictionaries, ready for JSON, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import Field, fields
from typing import Any

from companion.scoring.castelli import events
from companion.scoring.castelli.components import GameSet, Kind
from companion.scoring.castelli.events import Correction, Event, PlayerCorrection
from companion.scoring.castelli.plain import BadRecord, Reader, plain
from companion.scoring.castelli.position import RESOURCES, Card, Phase, Position
from companion.scoring.castelli.records import (
    cards_from,
    position_from,
    position_record,
    slot_record,
    stacks_from,
    tiles_from,
    towns_from,
)

EVENTS: Mapping[str, type[Event]] = {
    "reveal": events.Reveal,
    "turn-tile": events.TurnTile,
    "evaluate": events.Evaluate,
    "build": events.Build,
    "overbuild": events.Overbuild,
    "king": events.King,
    "robber-baron": events.RobberBaron,
    "raider": events.Raider,
    "brigands": events.Brigands,
    "traitor": events.Traitor,
    "peasant": events.Peasant,
    "duke": events.Duke,
    "incendiary": events.Incendiary,
    "guard": events.Guard,
    "sell": events.Sell,
    "end-turn": events.EndTurn,
    "end-game": events.EndGame,
    "correction": events.Correction,
}
NAMES = {kind: name for name, kind in EVENTS.items()}


def event_record(event: Event) -> dict[str, Any]:
    """`{"event": "reveal", "slot": "A1", "tile": "T07", "turns": 2}`; what is at its default is left out."""
    record: dict[str, Any] = {"event": NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if value != _default(field):
            record[field.name] = _plain_field(field.name, value)
    return record


def _default(field: Field[Any]) -> object:
    return field.default if field.default_factory is NO_DEFAULT else field.default_factory()


def _plain_field(name: str, value: Any) -> Any:
    if name == "tiles":
        return {cell: slot_record(slot) for cell, slot in value.items()}
    if name == "players":
        return {
            colour: {f.name: plain(given) for f in fields(c) if (given := getattr(c, f.name)) is not None}
            for colour, c in value.items()
        }
    return plain(value)


def event_from(record: object, path: str = "") -> Event:
    """The event a record describes; raises `BadRecord` with every problem."""
    reader = Reader()
    event = _event(reader, record, path)
    if reader.problems or event is None:
        raise BadRecord(reader.problems)
    return event


def _event(reader: Reader, record: object, path: str) -> Event | None:
    root = reader.mapping(record, path)
    dot = f"{path}." if path else ""
    before = len(reader.problems)
    name = root.get("event")
    if not isinstance(name, str) or name not in EVENTS:
        reader.problem(f"{dot}event", f"must name an event: {', '.join(EVENTS)}")
        return None
    kind = EVENTS[name]
    known = {field.name: field for field in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in root.items():
        if key == "event":
            continue
        if key not in known:
            reader.problem(
                f"{dot}{key}", f"“{name}” has no “{key}”; it has {', '.join(known) or 'nothing else'}"
            )
        elif kind is Correction:
            values[key] = _correction_value(reader, key, value, f"{dot}{key}")
        else:
            values[key] = _VALUES[key](reader, value, f"{dot}{key}")
    for field in known.values():
        if field.name not in root and field.default is NO_DEFAULT and field.default_factory is NO_DEFAULT:
            reader.problem(f"{dot}{field.name}", f"is missing; “{name}” needs it")
    return None if len(reader.problems) > before else kind(**values)


def _drawn(reader: Reader, value: object, path: str) -> events.Drawn:
    drawn = []
    for number, entry in enumerate(reader.items(value, path)):
        place = f"{path}[{number}]"
        pair = reader.texts(entry, place)
        if len(pair) != 2:
            reader.problem(place, "must be a colour and a card")
        else:
            drawn.append((pair[0], Card(reader.choice(pair[1], [*Card], place))))
    return tuple(drawn)


def _card(reader: Reader, value: object, path: str) -> Card | None:
    return None if value is None else Card(reader.choice(value, [*Card], path))


def _buy(reader: Reader, value: object, path: str) -> Kind | None:
    return None if value is None else Kind(reader.choice(value, RESOURCES, path))


_VALUES: Mapping[str, Callable[[Reader, object, str], Any]] = {
    "slot": Reader.text,
    "tile": Reader.text,
    "turns": Reader.whole,
    "swapped": Reader.truth,
    "taken": Reader.optional_text,
    "drawn": _drawn,
    "player": Reader.text,
    "site": Reader.text,
    "buy": _buy,
    "card": _card,
    "points": Reader.whole,
    "victim": Reader.text,
    "cell": Reader.text,
    "count": Reader.whole,
    "cards": cards_from,
}


def _correction_value(reader: Reader, key: str, value: object, path: str) -> Any:
    if key == "tiles":
        return tiles_from(reader, value, path)
    if key == "castles":
        return stacks_from(reader, value, path)
    if key == "towns":
        entries = reader.mapping(value, path)
        standing = towns_from(reader, {c: t for c, t in entries.items() if t is not None}, path)
        return {cell: standing.get(cell) for cell in entries}
    if key == "players":
        entries = reader.mapping(value, path)
        return {colour: _player(reader, entry, f"{path}.{colour}") for colour, entry in entries.items()}
    if key in ("paid", "not_paid"):
        return frozenset(reader.texts(value, path))
    if key == "phase":
        return None if value is None else Phase(reader.choice(value, [*Phase], path))
    if key in ("turn", "note"):
        return reader.text(value, path)
    return None if value is None else reader.whole(value, path)


def _player(reader: Reader, value: object, path: str) -> PlayerCorrection:
    given: dict[str, Any] = {}
    for key, entry in reader.mapping(value, path).items():
        place = f"{path}.{key}"
        if key == "known":
            given[key] = cards_from(reader, entry, place)
        elif key == "hand_tile":
            given[key] = reader.text(entry, place)
        elif key == "holds_start":
            given[key] = reader.truth(entry, place)
        elif key in PlayerCorrection.__dataclass_fields__:
            given[key] = reader.whole(entry, place)
        else:
            reader.problem(place, f"a player has no “{key}”")
    return PlayerCorrection(**given)


def game_record(start: Position, played: Iterable[Event]) -> dict[str, Any]:
    return {"start": position_record(start), "events": [event_record(event) for event in played]}


def game_from(record: object, game_set: GameSet) -> tuple[Position, tuple[Event, ...]]:
    """Start and events of a recorded game; raises `BadRecord` with every problem of both."""
    reader = Reader()
    root = reader.mapping(record, "")
    for key in root:
        if key not in ("start", "events"):
            reader.problem(key, "a game has “start” and “events” only")
    start: Position | None = None
    try:
        start = position_from(root.get("start"), game_set)
    except BadRecord as error:
        reader.problems += [(f"start.{path}" if path else "start", text) for path, text in error.problems]
    entries = reader.items(root.get("events", []), "events")
    read = [_event(reader, entry, f"events[{number}]") for number, entry in enumerate(entries)]
    if reader.problems or start is None:
        raise BadRecord(reader.problems)
    return start, tuple(event for event in read if event is not None)
