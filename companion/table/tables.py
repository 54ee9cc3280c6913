"""The tables of the database. The log is append-only: the database itself refuses anything else."""

from __future__ import annotations

VERSION = 1
"""Of these tables. A file of a later version is refused, never guessed at."""

TABLES = """
CREATE TABLE games (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, material TEXT NOT NULL, created TEXT NOT NULL,
    key TEXT UNIQUE NOT NULL
) STRICT;
CREATE TABLE log (
    game TEXT NOT NULL REFERENCES games(id), number INTEGER NOT NULL, at TEXT NOT NULL, author TEXT NOT NULL,
    key TEXT NOT NULL, entry TEXT NOT NULL, photo TEXT, PRIMARY KEY (game, number), UNIQUE (game, key)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER log_keeps BEFORE UPDATE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TABLE photos (
    id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES games(id), at TEXT NOT NULL, author TEXT NOT NULL,
    width INTEGER NOT NULL, height INTEGER NOT NULL, size INTEGER NOT NULL, record TEXT
) STRICT;
CREATE TABLE proposals (
    id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES games(id), photo TEXT NOT NULL, key TEXT NOT NULL,
    answers TEXT NOT NULL, state TEXT NOT NULL, UNIQUE (game, key)
) STRICT;
CREATE TABLE seats (
    id TEXT PRIMARY KEY, game TEXT NOT NULL REFERENCES games(id), session TEXT NOT NULL, name TEXT NOT NULL,
    colour TEXT, is_host INTEGER NOT NULL, is_in INTEGER NOT NULL, may_photograph INTEGER NOT NULL,
    may_confirm INTEGER NOT NULL, UNIQUE (game, session)
) STRICT;
CREATE TABLE secrets (purpose TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (purpose, hash)) STRICT;
"""
