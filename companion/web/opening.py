"""Opens a Companion: the table room on a folder, and the pages over it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from flask import Flask

from companion.table.calibrations import Calibrations, Scan
from companion.table.castelli.calibrating.workshop import Workshop
from companion.table.castelli.table import Looks, Table
from companion.table.live import Live
from companion.table.photos import Photos
from companion.table.seats import Seats
from companion.table.store import Store
from companion.web.app import create_app
from companion.web.config import WebConfig
from companion.web.rooms import Rooms


class Companion:
    """Everything that one folder of games needs while it is served."""

    def __init__(
        self,
        folder: Path,
        config: WebConfig,
        scan: Scan,
        bundled: Mapping[str, Path],
        looks: Looks = lambda folder: {},
    ) -> None:
        self.store = Store(folder)
        self.live, self.seats, self.photos = Live(config.most_viewers), Seats(self.store), Photos(self.store)
        calibrations = Calibrations(folder / "calibrations", bundled)
        self.table = Table(self.store, self.photos, self.live, self.seats, calibrations, scan, looks)
        self.workshop = Workshop(folder / "drafts", calibrations, scan)
        self.config = config
        self.samples: dict[str, bytes] = {}
        """By game: a photo at hand to scan, for a newcomer without a board."""
        self.house_key = self.seats.new_house_key()
        """Of the host's link; a new one at each start, browsers that are in stay in."""

    def app(self) -> Flask:
        return create_app(
            Rooms(self.table, self.seats, self.photos, self.live, self.workshop, samples=self.samples),
            self.config,
        )

    def close(self) -> None:
        """Ends the streams first: a server waits for them."""
        self.table.close()
