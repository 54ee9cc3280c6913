"""A photo that is read with what was learnt, put right by the owner, and learnt from in turn."""

from __future__ import annotations

from typing import Any

from companion.table.castelli.calibrating.draft import QUADRANTS, Laid, Shot
from companion.table.errors import BadInput, sentence

Record = dict[str, Any]
RESOURCES = ("wood", "grain", "rocks")


def shot_of(record: Record, file: str, width: int, height: int) -> Shot:
    arrangement: dict[str, Laid] = {
        place: (str(laid["piece"]), 180 if laid["turned"] == 180 else 0)
        for place, laid in record["arrangement"].items()
        if place in QUADRANTS
    }
    return Shot(
        file=file,
        width=width,
        height=height,
        corners=tuple((float(x), float(y)) for x, y in record["board"]["corners"]),
        corners_confirmed=True,
        arrangement=arrangement,
        assembly=str(record.get("assembly", "full")),
        reading=record,
    )


def put_right(reading: Record, place: str, truth: object) -> Record:
    """The reading with what really lies at a place: `tiles/C3`, `castles/B3/1/0`, `towns/B3`, `track/red`."""
    kind, _, where = place.partition("/")
    sure = {"confidence": 1.0, "doubtful": False}
    match kind, truth:
        case "tiles", "none" | "down":
            return _with(reading, "tiles", where, {"state": truth, **sure})
        case "tiles", {"tile": str(tile), "turns": int(turns)} if where:
            return _with(reading, "tiles", where, {"state": "up", "tile": tile, "turns": turns % 4, **sure})
        case "castles", [*stack] if len(stack) <= 2 and all(isinstance(colour, str) for colour in stack):
            return _with(reading, "castles", where, {"stack": stack, **sure})
        case "towns", "village" | "city" | None:
            return _with(reading, "towns", where, {"kind": truth, **sure})
        case "track", int(space):
            return _sure_marker(_with(reading, "track", where, space), f"track/{where}")
        case _, int(space) if kind in RESOURCES:
            stands = {**reading.get("resources", {}).get(where, {}), kind: space}
            return _sure_marker(_with(reading, "resources", where, stands), place)
    raise BadInput(sentence("This cannot be understood; reload the page and try again."))


def _with(reading: Record, part: str, where: str, value: object) -> Record:
    return {**reading, part: {**reading.get(part, {}), where: value}}


def _sure_marker(reading: Record, marker: str) -> Record:
    doubts = [name for name in reading.get("doubtful_markers", []) if name != marker]
    return {**reading, "doubtful_markers": doubts}


def label_of(reading: Record) -> Record:
    """As a label; what is still in doubt counts as not looked at."""
    doubts = set(reading.get("doubtful_markers", []))
    tiles: Record = {}
    unknown = []
    for cell, read in reading.get("tiles", {}).items():
        if read["doubtful"]:
            unknown.append(cell)
        elif read["state"] == "up":
            tiles[cell] = {"tile": read["tile"], "turns": read["turns"]}
        else:
            tiles[cell] = read["state"]
    towns, castles = reading.get("towns", {}), reading.get("castles", {})
    unknown += [f"{cell}/town" for cell, read in towns.items() if read["doubtful"]]
    unknown += [site for site, read in castles.items() if read["doubtful"]]
    resources = {
        colour: {k: at for k, at in stands.items() if at is not None and f"{k}/{colour}" not in doubts}
        for colour, stands in reading.get("resources", {}).items()
    }
    track = reading.get("track", {})
    return {
        "tiles": tiles,
        "towns": {c: read["kind"] for c, read in towns.items() if read["kind"] and not read["doubtful"]},
        "castles": {
            s: read["stack"] for s, read in castles.items() if read["stack"] and not read["doubtful"]
        },
        "resources": {colour: stands for colour, stands in resources.items() if stands},
        "track": {c: at for c, at in track.items() if at is not None and f"track/{c}" not in doubts},
        "mine_silver": 1,  # nobody was asked: something may lie there
        "unknown": unknown,
    }


def reading_of(label: Record) -> Record:
    """The other way round: what is known of a photo as a reading without doubt, the rest as in doubt."""
    sure = {"confidence": 1.0, "doubtful": False}
    doubt = {"confidence": 0.0, "doubtful": True}
    unknown = label.get("unknown", [])
    unknown_towns = [place.removesuffix("/town") for place in unknown if place.endswith("/town")]
    unknown_sites = [place for place in unknown if place.count("/") == 2]
    unknown_cells = [place for place in unknown if "/" not in place]
    tiles = {
        cell: {"state": "up", **said, **sure} if isinstance(said, dict) else {"state": said, **sure}
        for cell, said in label.get("tiles", {}).items()
    }
    return {
        "tiles": tiles | {cell: {"state": "none", **doubt} for cell in unknown_cells},
        "towns": {cell: {"kind": kind, **sure} for cell, kind in label.get("towns", {}).items()}
        | {cell: {"kind": None, **doubt} for cell in unknown_towns},
        "castles": {site: {"stack": list(stack), **sure} for site, stack in label.get("castles", {}).items()}
        | {site: {"stack": [], **doubt} for site in unknown_sites},
        "resources": label.get("resources", {}),
        "track": label.get("track", {}),
        "doubtful_markers": [],
    }
