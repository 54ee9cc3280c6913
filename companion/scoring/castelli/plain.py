"""Plain data: reading it with every problem noted, and turning any value of the rules into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from companion.scoring.castelli.rules_index import Rule

LARGEST = 1_000_000
"""No number in a game comes near it; a larger one is a slip or an attack."""


class BadRecord(ValueError):
    """A record that cannot be read, with every problem and its place."""

    def __init__(self, problems: Sequence[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{path or 'the record'}: {sentence}" for path, sentence in self.problems))


class Reader:
    """Checks values as they are read. A bad one is noted and a harmless one returned in its place."""

    def __init__(self) -> None:
        self.problems: list[tuple[str, str]] = []

    def problem(self, path: str, sentence: str) -> None:
        self.problems.append((path, sentence))

    def mapping(self, value: object, path: str) -> Mapping[str, Any]:
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return value
        self.problem(path, f"must be an object with named entries, not {_name(value)}")
        return {}

    def text(self, value: object, path: str) -> str:
        if isinstance(value, str):
            return value
        self.problem(path, f"must be text, not {_name(value)}")
        return ""

    def optional_text(self, value: object, path: str) -> str | None:
        return None if value is None else self.text(value, path)

    def whole(self, value: object, path: str) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST:
            return value
        self.problem(path, f"must be a whole number, not {_name(value)}")
        return 0

    def truth(self, value: object, path: str) -> bool:
        if isinstance(value, bool):
            return value
        self.problem(path, f"must be true or false, not {_name(value)}")
        return False

    def choice(self, value: object, options: Sequence[str], path: str) -> str:
        names = [str(option) for option in options]
        if isinstance(value, str) and value in names:
            return value
        self.problem(path, f"must be one of {', '.join(names)}, not {_name(value)}")
        return names[0]

    def items(self, value: object, path: str) -> Sequence[Any]:
        if isinstance(value, list | tuple):
            return value
        self.problem(path, f"must be a list, not {_name(value)}")
        return ()

    def texts(self, value: object, path: str) -> list[str]:
        return [self.text(item, f"{path}[{number}]") for number, item in enumerate(self.items(value, path))]


def _name(value: object) -> str:
    """How to speak of a bad value without printing a book."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return f"“{value[:40]}”"
    if isinstance(value, bool | float):
        return repr(value).lower()
    if isinstance(value, int):
        return "a number beyond all bounds" if abs(value) > LARGEST else repr(value)
    return (
        "a list" if isinstance(value, list | tuple) else "an object" if isinstance(value, Mapping) else "that"
    )


def plain(value: object) -> Any:
    """Any value the rules hand out as dictionaries, lists, numbers and text.

    A reason says its kind under `is` and the page and heading of its rule.
    """
    if isinstance(value, Rule):
        return {"page": value.page, "heading": value.heading}
    if isinstance(value, Enum):
        return value.name if isinstance(value, int) else value.value
    if is_dataclass(value) and not isinstance(value, type):
        return _with_rule(value, {field.name: plain(getattr(value, field.name)) for field in fields(value)})
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _with_rule(value, {key: plain(item) for key, item in value._asdict().items()})
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def _with_rule(value: object, record: dict[str, Any]) -> dict[str, Any]:
    rule = getattr(value, "rule", None)
    if isinstance(rule, Rule):
        return {"is": type(value).__name__, **record, "rule": plain(rule)}
    return record
