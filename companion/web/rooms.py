"""The table room's services, as the views reach them."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import current_app

from companion.table.castelli.calibrating.workshop import Workshop
from companion.table.castelli.table import Table
from companion.table.live import Live
from companion.table.photos import Photos
from companion.table.seats import Seats
from companion.web.kept import Kept


@dataclass(frozen=True, slots=True)
class Rooms:
    table: Table
    seats: Seats
    photos: Photos
    live: Live
    workshop: Workshop
    scanning: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By game: whose photo is being read, and how far that has got."""
    drawings: Kept = field(default_factory=Kept)
    samples: dict[str, bytes] = field(default_factory=dict)
    """By game: a photo at hand to scan."""


def rooms() -> Rooms:
    found: Rooms = current_app.config["ROOMS"]
    return found
