"""A whole Companion for a test: storage in a folder, and the real server on a free port."""

from __future__ import annotations

import contextlib
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.table.bundled import bundled
from companion.table.calibrations import Record, Scan
from companion.table.castelli.rulebook import DOWN, Build, EndTurn, Event, FaceUp, building_sites
from companion.table.castelli.sitting import Sitting
from companion.table.castelli.table import Table
from companion.table.errors import BoardNotFound
from companion.table.seats import Seats
from companion.web.config import WebConfig
from companion.web.opening import Companion
from companion.web.server import Server

REFERENCE = bundled("set.json").parent
PLAYERS = [
    {"colour": "red", "name": "Rosa"},
    {"colour": "blue", "name": "Ben"},
    {"colour": "green", "name": "Greta"},
    {"colour": "yellow", "name": "Jan"},
]


@dataclass
class House:
    companion: Companion
    address: str
    """`http://127.0.0.1:PORT`, without a slash at the end."""

    @property
    def table(self) -> Table:
        return self.companion.table

    @property
    def seats(self) -> Seats:
        return self.companion.seats

    @property
    def host_link(self) -> str:
        return f"{self.address}/host/{self.companion.house_key}"

    def join_link(self, game: str) -> str:
        return f"{self.address}/join/{self.seats.join_token(game)}"

    def new_game(self, **settings: object) -> Sitting:
        return self.table.new_game({"players": PLAYERS, **settings}, "Rosa", f"made-{self._next()}")

    def play(self, game: str, turns: int) -> Sitting:
        """So many tiles in reading order, and a castle wherever the rules allow one."""
        for _ in range(turns):
            sitting = self.table.sitting(game)
            slot = next(cell for cell in sitting.board.slots if sitting.position.slot(cell) == DOWN)
            lying = {s.tile for s in sitting.position.tiles.values() if isinstance(s, FaceUp)}
            tile = next(t.id for t in sitting.game_set.tiles.values() if t.id not in lying and not t.start)
            number = self._next()
            sitting = self.table.reveal(
                game, slot, tile, sitting.number % 4, "Rosa", f"turn-{number}", sitting.number
            )
            self._build(sitting)
        return self.table.sitting(game)

    def end_turn(self, game: str) -> Sitting:
        return self.do(game, EndTurn())

    def do(self, game: str, *events: Event) -> Sitting:
        number = self.table.sitting(game).number
        return self.table.apply(game, events, "Rosa", f"deed-{self._next()}", number)

    def _build(self, sitting: Sitting) -> None:
        position = sitting.position
        payable = [s for s in building_sites(position, position.turn) if s.price is not None and not s.card]
        if payable and payable[0].over is None:
            event = Build(payable[0].site, buy=payable[0].buy)
            self.table.apply(sitting.game, [event], "Rosa", f"castle-{self._next()}", sitting.number)

    _count = 0

    def _next(self) -> int:
        House._count += 1
        return House._count


def nothing_found(jpeg: bytes, name: str, calibration: Path) -> Record:
    """A reader for tests that take no photo that is read."""
    raise BoardNotFound("The board was not found.")


@contextlib.contextmanager
def open_house(
    folder: Path,
    config: WebConfig | None = None,
    scan: Scan = nothing_found,
    calibration: Path = REFERENCE,
    tls: ssl.SSLContext | None = None,
) -> Iterator[House]:
    settings = config or WebConfig()
    companion = Companion(folder, settings, scan, {"reference": calibration})
    server = Server(companion.app(), settings, "127.0.0.1", 0, tls)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    try:
        yield House(companion, f"{'https' if tls else 'http'}://127.0.0.1:{server.port}")
    finally:
        companion.live.close()
        server.close()
        running.join(5)
        companion.close()
