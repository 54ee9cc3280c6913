"""A photo of a running game as something to learn from: what was read, as far as the table agrees with it."""

from __future__ import annotations

from typing import Any

from companion.scoring.castelli.position import FaceUp, Position

Record = dict[str, Any]


def label_from_play(record: Record, position: Position, corrected: str) -> Record:
    """What lay on the photo. The place that was corrected is as the table has it now; elsewhere only what was
    read for sure and still stands counts, because the game may have gone on since the photo."""
    tiles: Record = {}
    castles: Record = {}
    towns: Record = {}
    unknown = []
    for cell, read in record.get("tiles", {}).items():
        lies = position.slot(cell)
        truth = {"tile": lies.tile, "turns": lies.turns} if isinstance(lies, FaceUp) else str(lies)
        seen = {key: read[key] for key in ("tile", "turns")} if read["state"] == "up" else read["state"]
        if cell == corrected or (seen == truth and not read["doubtful"]):
            tiles[cell] = truth
        else:
            unknown.append(cell)
    for site, read in record.get("castles", {}).items():
        stack = list(position.castles.get(site, ()))
        if site == corrected or (read["stack"] == stack and not read["doubtful"]):
            castles[site] = stack
        else:
            unknown.append(site)
    for cell, read in record.get("towns", {}).items():
        town = position.towns.get(cell)
        kind = str(town) if town else None
        if cell == corrected or (read["kind"] == kind and not read["doubtful"]):
            towns[cell] = kind
        else:
            unknown.append(f"{cell}/town")
    return {"tiles": tiles, "castles": castles, "towns": towns, "unknown": unknown}
