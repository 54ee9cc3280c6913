"""Tells every phone at once that something about a game has changed.

Only a version goes out, a number that grows. Whoever was away, or slow, sees the newest version next and
nothing in between, so nobody's slowness costs memory or holds the others up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

from companion.table.errors import Busy, sentence

MOST_VIEWERS = 80
"""Each viewer holds a thread and a connection of the server; a table has a handful, a hall perhaps sixty."""
HEARTBEAT = 15.0
"""Seconds after which an idle stream gives a sign of life: routers drop silent ones after 30 to 60."""


class Live:
    def __init__(self, most: int = MOST_VIEWERS) -> None:
        self.most = most
        self._changed = threading.Condition()
        self._first = _milliseconds()
        self._versions: dict[str, int] = {}
        self._viewers = 0
        self._closed = False

    @property
    def viewers(self) -> int:
        return self._viewers

    def version(self, game: str) -> int:
        """Versions are times, so that they also grow over a restart of the program."""
        return self._versions.get(game, self._first)

    def publish(self, game: str) -> int:
        """Something that pages show has changed: the log, a proposal, a seat."""
        with self._changed:
            version = max(_milliseconds(), self.version(game) + 1)
            self._versions[game] = version
            self._changed.notify_all()
            return version

    def subscribe(self, game: str, seen: int = 0, heartbeat: float = HEARTBEAT) -> Viewer:
        """`seen` is the version the viewer already shows: a newer one comes at once."""
        with self._changed:
            if self._closed or self._viewers >= self.most:
                raise Busy(
                    sentence(
                        "%(most)s phones are watching, as many as this computer serves. Try again later."
                    ),
                    most=self.most,
                )
            self._viewers += 1
        return Viewer(self, game, seen, heartbeat)

    def close(self) -> None:
        """Ends every stream."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _next(self, game: str, seen: int, wait: float) -> int | None:
        """The game's version once it is beyond `seen`; None when the time is over."""
        until = time.monotonic() + wait
        with self._changed:
            while not self._closed and self.version(game) <= seen:
                left = until - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    return None
            if self._closed:
                raise StopIteration
            return self.version(game)

    def _left(self) -> None:
        with self._changed:
            self._viewers -= 1


class Viewer(Iterator[int | None]):
    """Versions as they come, and None as a heartbeat. Has to be closed, however it ends."""

    def __init__(self, live: Live, game: str, seen: int, heartbeat: float) -> None:
        self._live = live
        self._game = game
        self._seen = seen
        self._heartbeat = heartbeat
        self._open = True

    def __next__(self) -> int | None:
        if not self._open:
            raise StopIteration
        version = self._live._next(self._game, self._seen, self._heartbeat)
        if version is not None:
            self._seen = version
        return version

    def close(self) -> None:
        if self._open:
            self._open = False
            self._live._left()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _milliseconds() -> int:
    return time.time_ns() // 1_000_000
