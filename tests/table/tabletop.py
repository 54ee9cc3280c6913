"""A table for tests: photos whose reading is known, because it is written into the picture's comment.

The records have the form that the scanner gives; only the eyes are replaced, everything behind them runs.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from companion.scoring.castelli.position import RESOURCES, FaceUp, Position, Slot
from companion.table.bundled import bundled
from companion.table.calibrations import Calibrations
from companion.table.castelli.table import Table
from companion.table.live import Live
from companion.table.photos import Photos
from companion.table.seats import Seats
from companion.table.store import Store

Record = dict[str, Any]

FOUR = [
    {"colour": "red", "name": "Anna"},
    {"colour": "blue", "name": "Ben"},
    {"colour": "green", "name": "Cleo"},
    {"colour": "yellow", "name": "Dan"},
]


def open_table(folder: Path) -> Table:
    store = Store(folder)
    calibrations = Calibrations(folder / "calibrations", {"reference": bundled("set.json").parent})
    return Table(store, Photos(store), Live(), Seats(store), calibrations, read_comment)


def read_comment(jpeg: bytes, name: str, folder: Path) -> Record:
    with Image.open(io.BytesIO(jpeg)) as picture:
        record: Record = json.loads(picture.info["comment"])
    return {"photo": {"name": name, "width": picture.width, "height": picture.height}, **record}


def jpeg_of(record: Mapping[str, Any]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (400, 300), "tan").save(out, "JPEG", comment=json.dumps(record).encode())
    return out.getvalue()


def photo_of(position: Position) -> Record:
    """What a perfect scan of this table says."""
    return {
        "board": {"corners": [[20, 15], [380, 15], [380, 285], [20, 285]], "error_px": 0.5},
        "assembly": "full",
        "arrangement": {
            quadrant.value: {"piece": placed.piece, "turned": placed.turned}
            for quadrant, placed in position.board.assembly.pieces
        },
        "tiles": {cell: sure(slot_reading(position.slot(cell))) for cell in position.board.slots},
        "castles": {site: sure({"stack": list(stack)}) for site, stack in position.castles.items()},
        "towns": {cell: sure({"kind": town.value}) for cell, town in position.towns.items()},
        "resources": {
            player.colour: {kind.value: player.resource(kind) for kind in RESOURCES}
            for player in position.players
        },
        "track": {player.colour: player.points for player in position.players},
        "doubtful_markers": [],
    }


def sure(reading: Mapping[str, Any]) -> Record:
    return {**reading, "confidence": 0.999, "doubtful": False}


def doubtful(reading: Any, confidence: float, *others: tuple[Any, float]) -> Record:
    """A doubtful reading in the form of its place: a slot, a stack, or a village, city or None."""
    return {
        **entry_of(reading),
        "confidence": confidence,
        "doubtful": True,
        "alternatives": [{"reading": plain_of(other), "confidence": chance} for other, chance in others],
    }


def slot_reading(slot: Slot) -> Record:
    if isinstance(slot, FaceUp):
        return {"state": "up", "tile": slot.tile, "turns": slot.turns}
    return {"state": slot}


def plain_of(reading: Any) -> Any:
    """As it stands among the alternatives of a record."""
    if isinstance(reading, FaceUp) or reading in ("down", "none"):
        return slot_reading(reading)
    return list(reading) if isinstance(reading, tuple) else reading


def entry_of(reading: Any) -> Record:
    plain = plain_of(reading)
    if isinstance(plain, dict):
        return plain
    return {"stack": plain} if isinstance(plain, list) else {"kind": plain}
