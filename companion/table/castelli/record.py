"""An observation of a Castelli board in the words of the table: the object that `companion scan` prints."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.scoring.castelli.components import Cell, GameSet
from companion.table.castelli.design import CASTLE, CHART, DOWN, FRAME, TRACK, board_cell, meadows, slots_of
from companion.vision.model import Faces, Observation, Pieces, Reading, SheetPose, Thing

Record = dict[str, Any]


def record_of(name: str, observation: Observation, game_set: GameSet) -> Record:
    """`name` is the photo's; turns and cells are those of the assembled board, not of its pieces."""
    poses = {pose.place: pose for pose in observation.found.poses if pose.place not in (FRAME, CHART)}
    tiles: Record = _unseen_tiles(observation, game_set)
    castles: Record = _unseen_castles(observation, game_set, poses)
    towns: Record = _unseen_towns(observation, game_set, poses)
    for reading in observation.readings:
        pose = poses[reading.place]
        cell, _, rest = reading.slot.name.partition("/")
        on_board = board_cell(game_set, reading.place, pose.turned, cell)
        if isinstance(reading.slot.holds, Faces):
            tiles[on_board] = _tile(reading, pose)
        elif reading.thing.names or reading.doubtful:
            if rest == "town":
                towns[on_board] = _sure({"kind": _town(reading.thing)}, reading, _town)
            else:
                castles[f"{on_board}/{rest}"] = _sure({"stack": _stack(reading.thing)}, reading, _stack)
    return {
        "photo": {"name": name, "width": observation.width, "height": observation.height},
        "board": {
            "corners": [[round(x, 1), round(y, 1)] for x, y in observation.found.corners],
            "error_px": round(observation.found.error_px, 2),
        },
        "assembly": observation.found.assembly,
        "arrangement": {place: {"piece": pose.sheet, "turned": pose.turned} for place, pose in poses.items()},
        "tiles": dict(sorted(tiles.items(), key=lambda item: (int(item[0][1:]), item[0]))),
        "castles": dict(sorted(castles.items())),
        "towns": dict(sorted(towns.items())),
        **_markers(observation, game_set),
    }


def _tile(reading: Reading, pose: SheetPose) -> Record:
    def on_board(thing: Thing) -> Record:
        if not thing.names:
            return {"state": "none"}
        if thing.names == (DOWN,):
            return {"state": "down"}
        return {"state": "up", "tile": thing.names[0], "turns": (thing.turns + pose.turned // 90) % 4}

    tile = _sure(on_board(reading.thing), reading, on_board)
    if reading.parts:  # a tile of no catalogue: its arms at N, E, S, W of the board
        quarter = pose.turned // 90
        tile["sides"] = [reading.parts[(side - quarter) % 4] for side in range(4)]
    return tile


def _town(thing: Thing) -> str | None:
    return thing.names[0] if thing.names else None


def _stack(thing: Thing) -> list[str]:
    return [name.removeprefix(CASTLE) for name in thing.names]


def _sure(read: Record, reading: Reading, words: Any) -> Record:
    """What was read with how sure that is, and what else it may be where that is in doubt."""
    read["confidence"] = round(reading.confidence, 4)
    read["doubtful"] = reading.doubtful
    if reading.doubtful and reading.alternatives:
        read["alternatives"] = [
            {"reading": words(thing), "confidence": round(confidence, 4)}
            for thing, confidence in reading.alternatives
        ]
    return read


def _unseen_tiles(observation: Observation, game_set: GameSet) -> dict[Cell, Record]:
    """Every meadow of the board, as long as nothing was seen there: open to doubt."""
    return {
        board_cell(game_set, place, 0, cell): {"state": "none", "confidence": 0.0, "doubtful": True}
        for place in _quadrants(observation)
        for cell in meadows(game_set)
    }


def _unseen_towns(observation: Observation, game_set: GameSet, seen: Collection[str]) -> dict[Cell, Record]:
    """The spaces of pieces that were not found: a town may stand on each."""
    return {
        board_cell(game_set, place, 0, cell): {"kind": None, "confidence": 0.0, "doubtful": True}
        for place in _quadrants(observation)
        if place not in seen
        for cell in next(iter(game_set.pieces.values())).spaces
    }


def _unseen_castles(
    observation: Observation, game_set: GameSet, seen: Mapping[str, SheetPose]
) -> dict[str, Record]:
    """The sites of the pieces that lie nowhere else, either way round, where no piece was found."""
    found = {pose.sheet for pose in seen.values()}
    sites = [
        slot.name.partition("/")
        for piece in game_set.pieces
        if piece not in found
        for slot in slots_of(game_set, piece)
        if isinstance(slot.holds, Pieces) and slot.holds.names[0].startswith(CASTLE)
    ]
    return {
        f"{board_cell(game_set, place, turned, cell)}/{site}": {
            "stack": [],
            "confidence": 0.0,
            "doubtful": True,
        }
        for place in _quadrants(observation)
        if place not in seen
        for turned in (0, 180)
        for cell, _, site in sites
    }


def _quadrants(observation: Observation) -> tuple[str, ...]:
    return ("NW", "SW") if observation.found.assembly == "two" else ("NW", "NE", "SW", "SE")


def _markers(observation: Observation, game_set: GameSet) -> Mapping[str, Any]:
    resources: dict[str, dict[str, int | None]] = {colour: {} for colour in game_set.colours}
    track: dict[str, int | None] = {}
    doubts = []
    for marker in observation.markers:
        if marker.scale == TRACK:
            track[marker.marker] = marker.space
        else:
            resources[marker.marker][marker.scale] = marker.space
        if marker.doubtful:
            doubts.append(f"{marker.scale}/{marker.marker}")
    return {"resources": resources, "track": track, "doubtful_markers": doubts}
