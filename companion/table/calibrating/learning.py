"""Learns in the background, one calibration at a time, and tells how far it has got."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.table.errors import Busy, TableError, Told, sentence
from companion.table.jsondoor import BadFile
from companion.vision.errors import VisionError

Report = Callable[[str, float], None]
Work = Callable[[Report], str]
"""Does the learning, tells what it is doing and which share is done, returns the calibration's name."""

STAGES = {"opening": "photos", "laying": "prints", "learning": "looks", "done": "saving"}
"""By the first word of what the vision room says it is doing."""


@dataclass(frozen=True, slots=True)
class Progress:
    doing: str
    """`photos`, `prints`, `looks`, `saving`, `done` or `failed`."""
    share: float
    failure: Told | None = None
    name: str = ""

    @property
    def is_over(self) -> bool:
        return self.doing in ("done", "failed")


class Learning:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._progress: dict[str, Progress] = {}
        self._threads: dict[str, threading.Thread] = {}

    def start(self, id: str, work: Work) -> None:
        with self._lock:
            if any(not progress.is_over for progress in self._progress.values()):
                raise Busy(sentence("Another calibration is being learnt; wait until it is done."))
            self._progress[id] = Progress("photos", 0.0)
        thread = threading.Thread(target=self._run, args=(id, work), name=f"learning {id}", daemon=True)
        self._threads[id] = thread
        thread.start()

    def progress(self, id: str) -> Progress | None:
        return self._progress.get(id)

    def wait(self, id: str) -> Progress | None:
        """Until it is over; for those who have nothing else to do."""
        if thread := self._threads.get(id):
            thread.join()
        return self.progress(id)

    def _run(self, id: str, work: Work) -> None:
        def report(doing: str, share: float) -> None:
            stage = STAGES.get(doing.split(" ")[0], "looks")
            self._progress[id] = Progress(stage, min(share, 0.99))

        try:
            name = work(report)
            self._progress[id] = Progress("done", 1.0, name=name)
        except TableError as error:
            self._failed(id, Told(error.template, error.values))
        except (VisionError, BadFile, OSError) as error:
            self._failed(id, Told("%(why)s", {"why": str(error)}))
        except Exception as error:  # a thread that dies silently would leave the page waiting for ever
            what = sentence(
                "Learning stopped unexpectedly (%(why)s): take the photos again, or send them in."
            )
            self._failed(id, Told(what, {"why": type(error).__name__}))

    def _failed(self, id: str, failure: Told) -> None:
        self._progress[id] = replace(self._progress[id], doing="failed", failure=failure)
