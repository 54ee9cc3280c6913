"""Reads photos in a process of its own.

Reading a board takes every core it gets for half a second and more: in the process of the pages it would hold
them up. And a picture that a decoder chokes on takes only this process with it, not the table.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar, cast

from companion.table.calibrations import Record
from companion.table.errors import BoardNotFound, TableError, sentence

RGB = tuple[int, int, int]
T = TypeVar("T")

PATIENCE = 120.0
"""Seconds after which a photo counts as one that cannot be read: a hundred times what one takes."""
STEP_BACK = 5
"""Added to its niceness: a page that somebody waits for comes first."""


class ScanProcess:
    """A `Scanner` behind a pipe. It starts with the first question, and again after it has died."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._one_at_a_time = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def __call__(self, data: bytes, name: str, folder: Path) -> Record:
        return cast(Record, self._ask("__call__", data, name, folder))

    def paints(self, folder: Path, kind: str) -> dict[str, RGB]:
        return cast(dict[str, RGB], self._ask("paints", folder, kind))

    def close(self) -> None:
        with self._one_at_a_time:
            self._end()

    def _ask(self, method: str, *what: object) -> Any:
        with self._one_at_a_time:
            try:
                pipe = self._running()
                pipe.send((method, what))
                if not pipe.poll(self._patience):
                    raise TimeoutError
                answer = pipe.recv()
            except (OSError, EOFError):  # a TimeoutError is an OSError too
                self._end()
                raise BoardNotFound(
                    sentence("Reading this photo failed. Take another one, from a little further away.")
                ) from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _running(self) -> Connection:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self._end()
            # a fork would take over locks that other threads hold at this moment
            spawn = multiprocessing.get_context("spawn")
            self._pipe, theirs = spawn.Pipe()
            self._process = spawn.Process(target=_serve, args=[theirs], name="companion-scan", daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe

    def _end(self) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._pipe = self._process = None


def _serve(pipe: Connection) -> None:
    """The other side: answers until nobody is there to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the table, which then hangs up
    if hasattr(os, "nice"):
        os.nice(STEP_BACK)
    from companion.table.scanner import Scanner  # only here: the table needs none of the vision libraries

    scanner = Scanner()
    with contextlib.suppress(EOFError, OSError):
        while True:
            method, what = pipe.recv()
            pipe.send(_answer(getattr(scanner, method), what))


def _answer(method: Callable[..., T], what: tuple[object, ...]) -> T | Exception:
    try:
        return method(*what)
    except TableError as error:
        return error
    except Exception as error:  # our own mistake: the table logs it and says a sentence
        return RuntimeError(f"{type(error).__name__}: {error}")
