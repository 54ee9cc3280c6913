"""How fast the table is seen: 60 viewers on the event stream while a photo is read.

    .venv/bin/python tools/bench_web.py

It starts the real server in this process with the demo game, opens 60 streams, changes the game again and
again while the sample photo is scanned, and prints how long it takes from sending a change until each viewer
has been told (median, 99 %), and until the page after a change has been loaded. One viewer more than the cap
has to get a 503. Nothing is asserted about time: machines differ.
"""

from __future__ import annotations

import http.client
import re
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from companion.commands.demo_table import set_up_demo
from companion.table.bundled import REFERENCE, bundled
from companion.table.scanner import Scanner
from companion.web.config import WebConfig
from companion.web.opening import Companion
from companion.web.server import Server

VIEWERS = 60
ROUNDS = 30
FORM = "application/x-www-form-urlencoded"


@dataclass
class Phone:
    """A host's browser: one connection for pages, cookies kept."""

    port: int
    game: str
    cookie: str = ""
    line: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, str, str]:
        origin = f"http://127.0.0.1:{self.port}"
        headers = {"Cookie": self.cookie, "Origin": origin, "Content-Type": FORM, "Accept": "text/html"}
        self.line.request(method, path, urlencode(fields or {}), headers)
        answer = self.line.getresponse()
        return answer.status, answer.headers.get("Set-Cookie", ""), answer.read().decode()

    def enter(self, key: str) -> None:
        self.cookie = self.ask("GET", f"/host/{key}")[1].partition(";")[0]

    def change(self, number: int, by: int) -> int:
        """One more or one less wood for red: as small as a change can be."""
        form = {"key": f"bench-{number:06}", "expected": str(number), "what": "wood", "by": str(by)}
        return self.ask("POST", f"/g/{self.game}/player/red", form)[0]


@dataclass
class Viewer(threading.Thread):
    """Listens to the stream and notes when it is told a new version."""

    phone: Phone
    seen: int
    told: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.line = http.client.HTTPConnection("127.0.0.1", self.phone.port, timeout=120)
        headers = {"Cookie": self.phone.cookie}
        self.line.request("GET", f"/g/{self.phone.game}/stream?seen={self.seen}", headers=headers)
        self.answer = self.line.getresponse()
        self.status = self.answer.status

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        try:
            while line := self.answer.readline():
                if line.startswith(b"data:"):
                    self.told.append(time.perf_counter())
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the server has been closed


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        config = WebConfig(most_viewers=VIEWERS)
        companion = Companion(Path(folder), config, Scanner(), {REFERENCE: bundled("calibration")})
        game = set_up_demo(companion).split("/")[2]
        server = Server(companion.app(), config, "127.0.0.1", 0)
        threading.Thread(target=server.run, daemon=True).start()
        try:
            measure(companion, server.port, game)
        finally:
            companion.live.close()
            server.close()
            companion.close()
    return 0


def measure(companion: Companion, port: int, game: str) -> None:
    phone = Phone(port, game)
    phone.enter(companion.house_key)
    seen = companion.live.version(game)
    viewers = [Viewer(phone, seen) for _ in range(VIEWERS)]
    for viewer in viewers:
        viewer.start()
    one_more = Viewer(phone, seen)
    say(f"{VIEWERS} viewers; one more gets {one_more.status}")
    calm = [changed(companion, phone, viewers, game, turn) for turn in range(ROUNDS)]
    report("nobody scans", calm)
    scanning = threading.Thread(target=scan, args=(companion, port, game))
    scanning.start()
    busy: list[Change] = []
    while scanning.is_alive() and len(busy) < 400:
        busy.append(changed(companion, phone, viewers, game, len(calm) + len(busy)))
    scanning.join()
    report(f"while a photo is read ({len(busy)} changes)", busy)


@dataclass
class Change:
    to_viewers: list[float]
    to_page: float


def changed(companion: Companion, phone: Phone, viewers: list[Viewer], game: str, turn: int) -> Change:
    for viewer in viewers:
        viewer.told.clear()
    number = companion.table.sitting(game).number
    started = time.perf_counter()
    status = phone.change(number, 1 if turn % 2 == 0 else -1)
    if status != 303:
        raise SystemExit(f"The change was refused with {status}.")
    phone.ask("GET", f"/g/{game}/")
    page = time.perf_counter() - started
    wait_for(lambda: all(viewer.told for viewer in viewers))
    return Change([viewer.told[0] - started for viewer in viewers], page)


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not is_so():
        if time.monotonic() > until:
            raise SystemExit("Not every viewer was told within 30 seconds.")
        time.sleep(0.001)


def scan(companion: Companion, port: int, game: str) -> None:
    other = Phone(port, game)
    other.enter(companion.house_key)
    page = other.ask("GET", f"/g/{game}/")[2]
    number = re.findall(r'name="expected" value="(\d+)"', page)[0]
    started = time.perf_counter()
    status = other.ask("POST", f"/g/{game}/scan-sample", {"key": "bench-scan", "expected": number})[0]
    say(f"scan under way for {time.perf_counter() - started:.1f} s, answered {status}")


def report(title: str, changes: list[Change]) -> None:
    told = sorted(seconds * 1000 for change in changes for seconds in change.to_viewers)
    pages = sorted(change.to_page * 1000 for change in changes)
    say(f"{title}: change to seen {spread(told)}; page after a change {spread(pages)}")


def spread(values: list[float]) -> str:
    worst = values[min(len(values) - 1, int(len(values) * 0.99))]
    return f"median {statistics.median(values):.0f} ms, 99 % {worst:.0f} ms"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
