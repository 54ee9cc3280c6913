"""What happened at the table, on disk: an append-only log of each game in one SQLite file.

An entry is acknowledged only after it is safely on the disk, so a kill or a power cut at any moment loses
nothing that anybody was told is kept. Nothing is ever changed or deleted in a log: undo and redo are entries
themselves.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from secrets import choice
from typing import Any

from companion.table.database import Database
from companion.table.errors import BadInput, NotFound, Stale, sentence

LONGEST_KEY = 80
LONGEST_ENTRY = 2_000_000
"""Characters. A whole imported game is some 100 kB; a single entry beyond this is a mistake."""

Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GameRow:
    id: str
    kind: str
    material: str
    """What the game is played with, as the kind's own text; it never changes."""
    created: str
    changed: str
    number: int
    """Of the last entry in its log."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    entry: Entry
    author: str
    at: str = ""
    """Empty: now. A game that comes from elsewhere brings its own times."""


@dataclass(frozen=True, slots=True)
class LogRow:
    number: int
    """From 1, without gaps."""
    at: str
    author: str
    entry: Entry
    photo: str | None


class Store(Database):
    """All games of one folder. Every method may be called from any thread."""

    def new_game(self, kind: str, material: str, entries: Sequence[NewEntry], key: str) -> str:
        """A game with its first entries; the same key again gives the same game."""
        texts = [_entry_text(new.entry) for new in entries]
        _check_key(key)
        with self.writing() as write:
            if known := write.execute("SELECT id FROM games WHERE key = ?", (key,)).fetchone():
                return str(known[0])
            game = _new_id()
            write.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", (game, kind, material, now(), key))
            for number, (new, text) in enumerate(zip(entries, texts, strict=True), 1):
                row = (game, number, new.at or now(), new.author, f"{key} {number}", text, None)
                write.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            return game

    def games(self) -> tuple[GameRow, ...]:
        """The one that was touched last comes first."""
        rows = self.reading(_GAME_ROWS + " GROUP BY games.id ORDER BY changed DESC, games.id")
        return tuple(GameRow(*row) for row in rows)

    def game(self, game: str) -> GameRow:
        rows = self.reading(_GAME_ROWS + " WHERE games.id = ? GROUP BY games.id", (game,))
        if not rows:
            raise NotFound(
                sentence("There is no game “%(game)s” here; open one from the list."), game=game[:40]
            )
        return GameRow(*rows[0])

    def log(self, game: str) -> tuple[LogRow, ...]:
        rows = self.reading(
            "SELECT number, at, author, entry, photo FROM log WHERE game = ? ORDER BY number", (game,)
        )
        try:
            return tuple(LogRow(n, at, who, json.loads(entry), photo) for n, at, who, entry, photo in rows)
        except json.JSONDecodeError:
            raise self.damaged() from None

    def append(
        self, game: str, entry: Entry, author: str, key: str, expected: int, photo: str | None = None
    ) -> int:
        """Keeps an entry and returns its number. The same key again is the same entry.

        `expected` is the number the author had seen last: if another phone has been faster, this one is told.
        """
        text = _entry_text(entry)
        _check_key(key)
        self.game(game)
        with self.writing() as write:
            known = write.execute("SELECT number FROM log WHERE game = ? AND key = ?", (game, key)).fetchone()
            if known:
                return int(known[0])
            number = write.execute("SELECT max(number) FROM log WHERE game = ?", (game,)).fetchone()[0] or 0
            if number != expected:
                raise Stale(
                    sentence(
                        "Somebody else changed the game in the meantime; look again and repeat it if needed."
                    )
                )
            row = (game, number + 1, now(), author, key, text, photo)
            write.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            return int(number) + 1

    def last_number(self, game: str) -> int:
        rows = self.reading("SELECT max(number) FROM log WHERE game = ?", (game,))
        return int(rows[0][0]) if rows[0][0] is not None else self.game(game).number

    def number_of(self, game: str, key: str) -> int | None:
        """The entry that was kept under a key, if any."""
        rows = self.reading("SELECT number FROM log WHERE game = ? AND key = ?", (game, key))
        return int(rows[0][0]) if rows else None


_GAME_ROWS = (
    "SELECT games.id, kind, material, created, coalesce(max(log.at), created) AS changed,"
    " coalesce(max(number), 0) FROM games LEFT JOIN log ON log.game = games.id"
)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _new_id() -> str:
    """Short enough to be read out, without letters and digits that look alike."""
    return "".join(choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def _check_key(key: str) -> None:
    if not key or len(key) > LONGEST_KEY:
        raise BadInput(sentence("The request carries no usable key; load the page again and repeat it."))


def _entry_text(entry: Entry) -> str:
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if len(text) > LONGEST_ENTRY:
        raise BadInput(sentence("That is more than a game's log takes at once."))
    return text
