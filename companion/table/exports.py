"""A game as one JSON file: what it is played with and its whole log, without photos.

{"companion": 1, "kind": "castelli", "created": "...", "material": {...}, "log": [{"at", "author", "entry"}]}
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from companion.table.errors import BadInput, Told, sentence
from companion.table.jsondoor import BadFile, Problem, parse, problems_of, read_text
from companion.table.store import GameRow, LogRow

LONGEST_LOG = 5000
"""Entries. A long evening has some 200."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


def _time(text: str) -> str:
    """As the log writes it, or nothing; other times could not be shown by every clock."""
    with suppress(ValueError):
        at = datetime.fromisoformat(text) if text else None
        if at is None or (at.tzinfo is not None and 1970 <= at.year < 9999):
            return text
    raise ValueError("should be a time such as 2026-11-19T20:15:00Z")


Time = Annotated[str, Field(max_length=40), AfterValidator(_time)]


class Line(_Part):
    at: Time
    author: str = Field(max_length=80)
    entry: Entry


class Entry(_Part):
    """One of the forms of `companion.table.undo`; what the events say is for the game to check."""

    do: list[dict[str, Any]] | None = Field(default=None, max_length=LONGEST_LOG)
    instead_of: int | None = Field(default=None, ge=0, le=LONGEST_LOG)
    undo: int | None = Field(default=None, ge=1, le=LONGEST_LOG)
    redo: int | None = Field(default=None, ge=1, le=LONGEST_LOG)
    settings: dict[str, Any] | None = None

    def plain(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


class GameFile(_Part):
    companion: Literal[1]
    kind: str = Field(max_length=40)
    created: Time = ""
    material: dict[str, Any]
    log: list[Line] = Field(min_length=1, max_length=LONGEST_LOG)


def write_export(row: GameRow, log: tuple[LogRow, ...]) -> bytes:
    content = {
        "companion": 1,
        "kind": row.kind,
        "created": row.created,
        "material": json.loads(row.material),
        "log": [{"at": entry.at, "author": entry.author, "entry": entry.entry} for entry in log],
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode()


def read_export(data: bytes, name: str) -> GameFile:
    """The file's form is right; `BadInput` lists everything that is not."""
    try:
        raw, problems = parse(read_text(data, name), name)
        if not isinstance(raw, dict):
            problems.append(Problem("", "a game's file holds one JSON object, in braces."))
        if problems:
            raise bad_export(problems)
        return GameFile.model_validate(raw)
    except BadFile as bad:
        raise bad_export(list(bad.problems)) from None
    except ValidationError as error:
        raise bad_export(problems_of(error, ())) from None


def bad_export(problems: list[Problem]) -> BadInput:
    told = [Told("%(where)s%(what)s", {"where": _where(p), "what": p.what}) for p in problems]
    return BadInput(sentence("This file is no game that can be opened."), told)


def _where(problem: Problem) -> str:
    return f"{problem.where}: " if problem.where else ""
