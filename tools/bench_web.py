"""How fast the table is seen: 60 viewers on the event stream while photos are read.

    .venv/bin/python tools/bench_web.py

It starts `companion serve --demo`, opens 60 streams, changes the game again and again: first in peace, then
while photos are read, then with every viewer loading the page as phones do. It prints how long it takes
from sending a change until each viewer has been told (median, 99 %), and until the page after it is there.
Viewers beyond the cap have to get a 503. Nothing is asserted about time: machines differ.
"""

from __future__ import annotations

import http.client
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

VIEWERS = 60
ROUNDS = 60
FORM = "application/x-www-form-urlencoded"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder, served(folder) as link:
        measure(link)
    return 0


@contextmanager
def served(folder: str) -> Iterator[str]:
    """The host's link of a table in a process of its own: whoever measures must not slow it down."""
    program = [sys.executable, "-c", "from companion.cli import main; main()"]
    command = [*program, "serve", "--demo", "--host", "127.0.0.1", "--port", "0"]
    serving = subprocess.Popen([*command, "--data", folder], stdout=subprocess.PIPE, text=True)
    try:
        assert serving.stdout is not None
        yield next(line.strip() for line in serving.stdout if "/host/" in line)
    finally:
        serving.send_signal(signal.SIGINT)
        serving.wait(30)


def measure(link: str) -> None:
    phone = Phone.by(link)
    seen = phone.version()
    viewers = [Viewer(phone, seen) for _ in range(VIEWERS)]
    for viewer in viewers:
        viewer.start()
    say(f"{VIEWERS} viewers; {beyond_the_cap(phone, seen)}")
    scan(phone)  # the first one opens the calibration
    report("nobody scans", [changed(phone, viewers, turn) for turn in range(ROUNDS)])
    scanning = threading.Thread(target=scan, args=[Phone.by(link), 5])
    scanning.start()
    busy: list[Change] = []
    while scanning.is_alive() or len(busy) < ROUNDS:
        busy.append(changed(phone, viewers, len(busy)))
        time.sleep(0.05)  # nobody taps faster
    scanning.join()
    report(f"while photos are read ({len(busy)} changes)", busy)
    for viewer in viewers:
        viewer.loads = True
    report("every viewer loads the page", [changed(phone, viewers, turn) for turn in range(ROUNDS // 2)])


@dataclass
class Phone:
    """A browser: one connection for pages, cookies kept."""

    port: int
    game: str
    cookie: str = ""
    line: http.client.HTTPConnection = field(init=False)

    def __post_init__(self) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    @classmethod
    def by(cls, link: str) -> Phone:
        """The host's, by the link that the computer shows."""
        address = urlsplit(link)
        phone = cls(address.port or 80, address.query.split("/")[2])
        phone.cookie = phone.ask("GET", address.path)[1].partition(";")[0]
        return phone

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> tuple[int, str, str]:
        origin = f"http://127.0.0.1:{self.port}"
        headers = {"Cookie": self.cookie, "Origin": origin, "Content-Type": FORM, "Accept": "text/html"}
        self.line.request(method, path, urlencode(fields or {}), headers)
        answer = self.line.getresponse()
        return answer.status, answer.headers.get("Set-Cookie", ""), answer.read().decode()

    def page(self) -> str:
        return self.ask("GET", f"/g/{self.game}/")[2]

    def version(self) -> int:
        return int(re.findall(r'data-version="(\d+)"', self.page())[0])

    def number(self) -> str:
        return str(re.findall(r'name="expected" value="(\d+)"', self.page())[0])

    def change(self, number: str, by: int) -> None:
        """One more or one less wood for red: as small as a change can be."""
        form = {"key": f"bench-{number:0>6}", "expected": number, "what": "wood", "by": str(by)}
        status = self.ask("POST", f"/g/{self.game}/player/red", form)[0]
        if status != 303:
            raise SystemExit(f"The change was refused with {status}.")


class Viewer(threading.Thread):
    """Listens to the stream and notes when it is told a new version, or has loaded it."""

    def __init__(self, phone: Phone, seen: int) -> None:
        super().__init__(daemon=True)
        self.told: list[float] = []
        self.loads = False
        self._browser = Phone(phone.port, phone.game, phone.cookie)
        self._line = http.client.HTTPConnection("127.0.0.1", phone.port, timeout=120)
        self._line.request("GET", f"/g/{phone.game}/stream?seen={seen}", headers={"Cookie": phone.cookie})
        self._answer = self._line.getresponse()
        self.status = self._answer.status

    def run(self) -> None:
        try:
            while line := self._answer.readline():
                if line.startswith(b"data:"):
                    if self.loads:
                        self._browser.page()
                    self.told.append(time.perf_counter())
        except (OSError, http.client.HTTPException, ValueError):
            pass  # the server has been closed

    def leave(self) -> None:
        self._line.close()


def beyond_the_cap(phone: Phone, seen: int) -> str:
    """More and more viewers, until one is refused; then they all go again."""
    more: list[Viewer] = []
    while not more or more[-1].status == 200:
        more.append(Viewer(phone, seen))
    for viewer in more:
        viewer.leave()
    return f"number {VIEWERS + len(more)} gets {more[-1].status}"


@dataclass
class Change:
    to_viewers: list[float]
    to_page: float


def changed(phone: Phone, viewers: list[Viewer], turn: int) -> Change:
    number = phone.number()
    for viewer in viewers:
        viewer.told.clear()
    started = time.perf_counter()
    phone.change(number, 1 if turn % 2 == 0 else -1)
    phone.page()
    page = time.perf_counter() - started
    wait_for(lambda: all(viewer.told for viewer in viewers))
    return Change([viewer.told[0] - started for viewer in viewers], page)


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not is_so():
        if time.monotonic() > until:
            raise SystemExit("Not every viewer was told within 30 seconds.")
        time.sleep(0.001)


def scan(phone: Phone, times: int = 1) -> None:
    for _ in range(times):
        started = time.perf_counter()
        form = {"key": f"scan-{started:.6f}".replace(".", "-"), "expected": phone.number()}
        status = phone.ask("POST", f"/g/{phone.game}/scan-sample", form)[0]
        say(f"a photo read in {time.perf_counter() - started:.1f} s, answered {status}")


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
