"""What happened at the table, on disk: an append-only log of each game in one SQLite file.

An entry is acknowledged only after it is safely on the disk (synchronous=FULL), so a kill or a power cut
at any moment loses nothing that anybody was told is kept. One process holds the file (locking_mode
EXCLUSIVE: a second one is refused), and one connection behind one lock does all the work: SQLite has had
faults where two connections write to one write-ahead log, and a table of players needs no more than one.

Nothing is ever changed or deleted in a log: undo and redo are entries themselves.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import choice
from typing import Any

from companion.table.errors import (
    BadInput,
    NotFound,
    Stale,
    StorageDamaged,
    StorageFailed,
    StorageInUse,
    sentence,
)
from companion.table.tables import TABLES, VERSION

FILE = "companion.sqlite3"
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


class Store:
    """All games of one folder. Every method may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / FILE
        self._lock = threading.RLock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageFailed(
                sentence("The folder %(folder)s cannot be made: %(reason)s."),
                folder=folder,
                reason=error.strerror or error,
            ) from None
        self._refuse_emptied()
        self._connection = self._open()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    # Games and their logs

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
            raise self._damaged() from None

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

    # The one connection

    def reading(self, question: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        with self._lock, self._told_plainly():
            return self._connection.execute(question, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All of it is kept, or none: whoever returns from here without an error may acknowledge it."""
        with self._lock, self._told_plainly():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told_plainly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise  # a fault of the program, not of the disk
        except sqlite3.DatabaseError as error:
            if _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise self._damaged() from error
            raise StorageFailed(
                sentence(
                    "Nothing was kept: %(file)s cannot be written (%(reason)s). Make room and try again."
                ),
                file=self.file,
                reason=error,
            ) from error

    def _open(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self.file, timeout=0, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._not_opened(error) from None
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            # looked at before anything is written, so that a damaged file stays as it is
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if found != "ok":
                raise self._damaged()
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise StorageFailed(
                    sentence(
                        "%(file)s was written by a later Companion; start that one, or choose another folder."
                    ),
                    file=self.file,
                )
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("BEGIN EXCLUSIVE")
            if version == 0:
                for statement in _statements(TABLES):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            connection.close()
            raise self._not_opened(error) from None
        except BaseException:
            connection.close()
            raise
        return connection

    def _refuse_emptied(self) -> None:
        """SQLite takes an empty file for a new one; where photos lie beside it, it has lost its games."""
        photos = self.folder / "photos"
        if self.file.exists() and self.file.stat().st_size == 0 and photos.is_dir() and any(photos.iterdir()):
            raise self._damaged()

    def _not_opened(self, error: sqlite3.Error) -> Exception:
        if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StorageInUse(
                sentence("Another Companion is running on %(folder)s; stop it, or choose another folder."),
                folder=self.folder,
            )
        if _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return self._damaged()
        return StorageFailed(
            sentence(
                "%(file)s cannot be opened for writing (%(reason)s); choose a folder that can be written to."
            ),
            file=self.file,
            reason=error,
        )

    def _damaged(self) -> StorageDamaged:
        return StorageDamaged(
            sentence(
                "%(file)s is damaged and was left as it is. Move it away to start anew, or put a copy back."
            ),
            file=self.file,
        )


_GAME_ROWS = (
    "SELECT games.id, kind, material, created, coalesce(max(log.at), created) AS changed,"
    " coalesce(max(number), 0) FROM games LEFT JOIN log ON log.game = games.id"
)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _new_id() -> str:
    """Short enough to be read out, without letters and digits that look alike."""
    return "".join(choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(10))


def _code(error: sqlite3.Error) -> int:
    """SQLite's own error number, without the details in its upper bits; 0 where Python made the error."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _statements(script: str) -> Iterator[str]:
    """`executescript` would commit by itself; the tables and their version have to come as one."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _check_key(key: str) -> None:
    if not key or len(key) > LONGEST_KEY:
        raise BadInput(sentence("The request carries no usable key; load the page again and repeat it."))


def _entry_text(entry: Entry) -> str:
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    if len(text) > LONGEST_ENTRY:
        raise BadInput(sentence("That is more than a game's log takes at once."))
    return text
