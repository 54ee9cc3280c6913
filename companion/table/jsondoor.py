"""The door for files from outside: bytes in, plain JSON values out, or every problem with its place.

Nothing that comes through here is trusted: a file may be huge, cut off, binary, nested a million deep,
name a key twice or hold numbers that are none. What is inside is checked by whoever asked for it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

LARGEST = 4_000_000
"""Bytes. A set is some 25 kB and a long game 100 kB: more than this is a mistake, such as a photo."""

DEEPEST = 40
"""Brackets inside brackets. A set has 8; Python's own reader gives up at about 1000 with no place named."""

SHOWN = 60
"""Characters of a wrong value that an error repeats."""

Where = tuple[str | int, ...]
"""The keys and list places that lead to a value."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and where: `pieces.P2.spaces.B3.areas[1].sides`."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class BadFile(Exception):
    """A file that cannot be used, with all that is wrong with it."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        self.name = name
        self.problems = tuple(problems)
        super().__init__(f"{name}: " + "; ".join(map(str, problems)))


class _Object(dict[str, Any]):
    """A JSON object that remembers the keys it was given twice."""

    repeated: tuple[str, ...] = ()


def read_file(path: Path) -> bytes:
    """The bytes of a file that is small enough to be one of ours."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except IsADirectoryError:
        raise BadFile(str(path), [Problem("", "this is a folder, not a file.")]) from None
    except FileNotFoundError:
        raise BadFile(str(path), [Problem("", "there is no such file.")]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFile(str(path), [Problem("", f"it cannot be read: {reason}.")]) from None
    return content


def read_text(content: bytes, name: str) -> str:
    """Text out of bytes, with the sizes and encodings that are refused."""
    if len(content) > LARGEST:
        what = f"it is larger than {LARGEST // 1_000_000} MB, which no set or game is. Is it the right file?"
        raise BadFile(name, [Problem("", what)])
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"it is not UTF-8 text (byte {error.start}). Is it a picture, or saved in another encoding?"
        raise BadFile(name, [Problem("", what)]) from None
    if not text.strip():
        raise BadFile(name, [Problem("", "it is empty.")])
    return text


def parse(text: str, name: str) -> tuple[Any, list[Problem]]:
    """The JSON value in a text, with its keys given twice, NaN, infinities and half characters.

    Those leave a value that can be looked at further, so that the reader hears of everything at once;
    a text that is no JSON at all raises.
    """
    if _depth(text) > DEEPEST:
        what = f"its brackets are nested more than {DEEPEST} deep, which no set or game is."
        raise BadFile(name, [Problem("", what)])
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        is_cut = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
        cut = " Is the file cut off?" if is_cut else ""
        where = f"line {error.lineno}, column {error.colno}"
        raise BadFile(name, [Problem(where, f"this is not JSON: {error.msg}.{cut}")]) from None
    except (ValueError, RecursionError):  # Python refuses numbers of thousands of digits
        raise BadFile(name, [Problem("", "it holds a number that is too long to be read.")]) from None
    return value, list(_not_plain(value, ()))


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    made = _Object(pairs)
    if len(made) < len(pairs):
        made.repeated = tuple(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
    return made


def _depth(text: str) -> int:
    """How deep brackets are nested; brackets within strings do not count."""
    deepest = depth = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _not_plain(value: Any, where: Where) -> Iterator[Problem]:
    if isinstance(value, _Object):
        for key in value.repeated:
            yield Problem(place((*where, key)), "this key is given more than once; keep one.")
        for key, inner in value.items():
            if not _is_text(key):
                yield Problem(place(where), "a key holds half a character (a lone surrogate).")
            yield from _not_plain(inner, (*where, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _not_plain(inner, (*where, index))
    elif isinstance(value, str) and not _is_text(value):
        yield Problem(place(where), "this text holds half a character (a lone surrogate).")
    elif isinstance(value, float) and not math.isfinite(value):
        yield Problem(place(where), "this is not a number that can be used (NaN, or infinitely large).")


def _is_text(value: str) -> bool:
    """Escapes can say what no file and no database takes: one half of a pair that makes a character."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def place(where: Where) -> str:
    """`("frame", "A1/N")` as `frame["A1/N"]`, `("tiles", 3, "id")` as `tiles[3].id`."""
    text = ""
    for step in where:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.replace("_", "").replace("-", "").isalnum():
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(shortened(step))}]"
    return text


def shortened(value: object) -> str:
    """A value from outside as an error may repeat it."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def problems_of(error: ValidationError, where: Where) -> list[Problem]:
    """pydantic's findings in our words and with the whole place."""
    problems = []
    for finding in error.errors(include_url=False):
        at = place((*where, *finding["loc"]))
        if finding["type"] == "missing":
            problems.append(Problem(at, "this is missing."))
            continue
        what = finding["msg"].removeprefix("Input ").removeprefix("Value error, ").rstrip(".")
        problems.append(Problem(at, f"{what}, not {shortened(json_like(finding['input']))}."))
    return problems


def json_like(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)
