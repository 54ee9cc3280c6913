"""A scan of a game that has no words of its own here: what lies in each slot, by the slot's name."""

from __future__ import annotations

from typing import Any

from companion.vision.model import Observation


def slots_record(name: str, observation: Observation) -> dict[str, Any]:
    return {
        "photo": {"name": name, "width": observation.width, "height": observation.height},
        "board": {
            "corners": [[round(x, 1), round(y, 1)] for x, y in observation.found.corners],
            "error_px": round(observation.found.error_px, 2),
        },
        "arrangement": {
            pose.place: {"sheet": pose.sheet, "turned": pose.turned} for pose in observation.found.poses
        },
        "slots": {
            f"{reading.slot.sheet}/{reading.slot.name}": {
                "things": list(reading.thing.names),
                "turns": reading.thing.turns,
                "confidence": round(reading.confidence, 4),
                "doubtful": reading.doubtful,
            }
            for reading in observation.readings
        },
        "markers": {
            f"{marker.scale}/{marker.marker}": {
                "space": marker.space,
                "confidence": round(marker.confidence, 4),
                "doubtful": marker.doubtful,
            }
            for marker in observation.markers
        },
    }
