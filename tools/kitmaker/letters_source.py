"""The letter game as a calibration source: what an owner of any game writes down, and the photos it names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import cv2

from tools.kitmaker.letters import SIDE, LetterPhoto, LetterSet, slots

SHEET = "board"


def write_source(
    folder: Path, game: LetterSet, photos: Mapping[str, LetterPhoto], thickness: bool = True,
    unknown: Sequence[str] = (),
) -> None:  # fmt: skip
    """`photos` by name; in those that are `unknown`, nobody looked at the slots without a letter."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, photo in photos.items():
        cv2.imwrite(str(folder / f"{name}.jpg"), photo.picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    described = [_labelled(name, photo, name in unknown) for name, photo in photos.items()]
    value = source_of(game, described, thickness)
    (folder / "source.json").write_text(json.dumps(value, indent=1), encoding="utf-8")


def source_of(game: LetterSet, photos: Sequence[dict[str, Any]], thickness: bool = True) -> dict[str, Any]:
    spare = (game.pitch - game.tile) / 2
    letter: dict[str, Any] = {
        "faces": list(ascii_uppercase), "turns": 1, "size": [game.tile, game.tile], "shift": 2, "twist": 5
    }  # fmt: skip
    if thickness:
        letter["thickness"] = round(game.cardboard.tile_thickness, 2)
    grid = {
        "columns": SIDE, "rows": SIDE, "origin": [game.origin[0] + spare, game.origin[1] + spare],
        "pitch": [game.pitch, game.pitch], "size": [game.tile, game.tile], "holds": "letter",
    }  # fmt: skip
    return {
        "format": "companion-source",
        "version": 1,
        "name": game.name,
        "sheets": {SHEET: {"size": list(game.board)}},
        "things": {"letter": letter},
        "slots": {SHEET: grid},
        "photos": list(photos),
    }


def _labelled(name: str, photo: LetterPhoto, unknown: bool) -> dict[str, Any]:
    shows = {f"{SHEET}/{slot}": letter for slot, letter in photo.letters.items()}
    label = {"photo": f"{name}.jpg", "corners": photo.corners, "shows": shows}
    return label | ({"rest": "unknown"} if unknown else {})


def wrong_slots(photo: LetterPhoto, read: Mapping[str, Any]) -> list[tuple[str, str, str, bool]]:
    """Slots that were misread: name, truth, what was read, and whether that was called doubtful."""
    wrong = []
    for slot in slots():
        told = read[f"{SHEET}/{slot}"]
        seen = told["things"][0] if told["things"] else ""
        truth = photo.letters.get(slot, "")
        if seen != truth:
            wrong.append((slot, truth, seen, bool(told["doubtful"])))
    return wrong
