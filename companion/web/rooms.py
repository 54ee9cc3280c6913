"""The table room's services, as the views reach them."""

from __future__ import annotations

from dataclasses import dataclass

from flask import current_app

from companion.table.castelli.table import Table
from companion.table.live import Live
from companion.table.photos import Photos
from companion.table.seats import Seats


@dataclass(frozen=True, slots=True)
class Rooms:
    table: Table
    seats: Seats
    photos: Photos
    live: Live
    host_secret: str
    """Whoever has it is a host. The server keeps it for the person who sits at its own machine."""


def rooms() -> Rooms:
    found: Rooms = current_app.config["ROOMS"]
    return found
