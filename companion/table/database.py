"""The one file of a folder of games, and the one connection to it.

What is acknowledged is safely on the disk (synchronous=FULL). One process holds the file (locking_mode
EXCLUSIVE: a second one is refused), and one connection behind one lock does all the work: SQLite has had
faults where two connections write to one write-ahead log, and a table of players needs no more than one.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.table.errors import StorageDamaged, StorageFailed, StorageInUse, sentence
from companion.table.tables import TABLES, VERSION

FILE = "companion.sqlite3"


class Database:
    """Every method may be called from any thread."""

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
                raise self.damaged() from error
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
            # looked at before anything is written, so that a file that is no use stays as it is
            version = self._checked_version(connection)
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

    def _checked_version(self, connection: sqlite3.Connection) -> int:
        """Of the tables in it; 0 where the file is new."""
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok" or self._is_cut_off(connection):
            raise self.damaged()
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > VERSION:
            raise StorageFailed(
                sentence(
                    "%(file)s was written by a later Companion; start that one, or choose another folder."
                ),
                file=self.file,
            )
        if version == 0 and connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise StorageFailed(
                sentence("%(file)s belongs to another program; choose another folder."), file=self.file
            )
        return version

    def _is_cut_off(self, connection: sqlite3.Connection) -> bool:
        """A last page that is not whole reads as zeros. A log that a kill left beside it mends that."""
        log = self.file.with_name(f"{FILE}-wal")
        if log.exists() and log.stat().st_size:
            return False
        return self.file.stat().st_size % int(connection.execute("PRAGMA page_size").fetchone()[0]) != 0

    def _refuse_emptied(self) -> None:
        """SQLite takes an empty file for a new one; where photos lie beside it, it has lost its games."""
        photos = self.folder / "photos"
        if self.file.exists() and self.file.stat().st_size == 0 and photos.is_dir() and any(photos.iterdir()):
            raise self.damaged()

    def _not_opened(self, error: sqlite3.Error) -> Exception:
        if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StorageInUse(
                sentence("Another Companion is running on %(folder)s; stop it, or choose another folder."),
                folder=self.folder,
            )
        if _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return self.damaged()
        return StorageFailed(
            sentence(
                "%(file)s cannot be opened for writing (%(reason)s); choose a folder that can be written to."
            ),
            file=self.file,
            reason=error,
        )

    def damaged(self) -> StorageDamaged:
        return StorageDamaged(
            sentence(
                "%(file)s is damaged and was left as it is. Move it away to start anew, or put a copy back."
            ),
            file=self.file,
        )


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
