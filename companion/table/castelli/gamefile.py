"""Reads a game out of a file: a position or a list of events as JSON, or a position in one line.

A game file names its set by a path relative to itself (`"set": "my-set.json"`), or not at all for the
bundled reference set. What is said about the game itself is checked where its words are known, in the
records of the rules; names that the set does not have (a tile, a slot, a site) are problems of the file,
while a table that breaks rules is a table like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.scoring.castelli import notation_reading
from companion.scoring.castelli.components import GameSet
from companion.scoring.castelli.event_records import game_from
from companion.scoring.castelli.history import Game, replay
from companion.scoring.castelli.plain import BadRecord
from companion.scoring.castelli.position import Position
from companion.scoring.castelli.records import position_from
from companion.scoring.castelli.status import status
from companion.table.bundled import REFERENCE, bundled
from companion.table.castelli.setfile import load_set
from companion.table.jsondoor import BadFile, Problem, parse, problems_of, read_file, read_text

SET_FILES = ("set.json", "kit.json")
"""What a set file is called inside a folder that is named as the set."""


NO_SUCH_THING = {
    "no-slot": "tiles",
    "no-such-tile": "tiles",
    "bad-turn": "tiles",
    "no-site": "castles",
    "no-space": "towns",
    "no-area": "evaluated",
    "no-such-colour": "players",
}
"""Problems of a position that say that the file and the set do not belong together, and where they stand."""


class Heading(BaseModel):
    """What a game file says beside the game."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    set: Annotated[str, Field(min_length=1, max_length=1000)] = REFERENCE


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game as it was read. The game of a position alone has no events."""

    name: str
    game: Game

    @property
    def failure(self) -> Problem | None:
        """The event that could not be played, where there is one; those before it count."""
        failure = self.game.failure
        if failure is None:
            return None
        return Problem(f"events[{failure.index}]", str(failure.error))


def load_game(path: Path, set_path: Path | None = None) -> GameFile:
    return read_game(read_file(path), str(path), path.parent, set_path)


def read_game(content: bytes, name: str, folder: Path, set_path: Path | None = None) -> GameFile:
    """The game in the bytes of a file; paths in it start from `folder`. `set_path` overrides its set."""
    text = read_text(content, name)
    if text.lstrip()[0] in "{[":
        return GameFile(name, _from_json(text, name, folder, set_path))
    if notation_reading.looks_like_notation(text):
        return GameFile(name, _from_line(text, name, set_path))
    what = "this is neither JSON in braces nor a position in one line, which begins with the word board."
    raise BadFile(name, [Problem("", what)])


def _from_line(text: str, name: str, set_path: Path | None) -> Game:
    game_set = set_at(set_path) if set_path else load_set(bundled("set.json"))
    try:
        position = notation_reading.read(text, game_set)
    except BadRecord as bad:
        raise BadFile(name, _problems(bad)) from None
    if strangers := _strangers(position):
        raise BadFile(name, strangers)
    return Game(position)


def _from_json(text: str, name: str, folder: Path, set_path: Path | None) -> Game:
    record, problems = parse(text, name)
    if not isinstance(record, dict):
        raise BadFile(name, [*problems, Problem("", "a game file holds one JSON object, in braces.")])
    try:
        heading = Heading.model_validate(record)
    except ValidationError as error:
        raise BadFile(name, [*problems, *problems_of(error, ())]) from None
    game_set = set_at(set_path) if set_path else set_called(heading.set, folder)
    record.pop("set", None)
    try:
        game = _game(record, game_set)
    except BadRecord as bad:
        raise BadFile(name, [*problems, *_problems(bad)]) from None
    if problems := [*problems, *_strangers(game.start, "start." if "events" in record else "")]:
        raise BadFile(name, problems)
    return game


def _game(record: dict[str, Any], game_set: GameSet) -> Game:
    if "events" not in record:
        return Game(position_from(record, game_set))
    start, events = game_from(record, game_set)
    return replay(start, events)


def _problems(bad: BadRecord) -> list[Problem]:
    return [Problem(where, what if what.endswith(".") else f"{what}.") for where, what in bad.problems]


def _strangers(position: Position, prefix: str = "") -> list[Problem]:
    """Names in a position that this set does not have."""
    return [
        Problem(f"{prefix}{NO_SUCH_THING[problem.code]}.{problem.where}", problem.sentence)
        for problem in status(position)
        if problem.code in NO_SUCH_THING
    ]


def set_called(named: str, folder: Path) -> GameSet:
    """The set that a game file calls `named`: the bundled one, or a path from the folder it lies in."""
    return load_set(bundled("set.json")) if named == REFERENCE else set_at(folder / named)


def set_at(path: Path) -> GameSet:
    """The set in a file, or in a folder that holds one, such as a kit or a calibration."""
    try:
        inside = [path / file for file in SET_FILES if (path / file).is_file()]
    except (OSError, ValueError):  # a path with signs that no path has
        inside = []
    return load_set(inside[0] if inside else path)
