"""A draft as the kit directory that `companion calibrate` learns from: the set file, photos and labels.

The browser's steps and the command end in the same calibration because both go through these files.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.scoring.castelli.board import cell_name, cell_place
from companion.scoring.castelli.components import Cell
from companion.table.castelli.calibrating.draft import CASTLES, START, TILES, Draft, Shot, Space
from companion.table.castelli.calibrating.trying import label_of
from companion.table.castelli.reading import KIT

Record = dict[str, Any]
FULL_MINE = 20
"""Silver said to lie in the mine of the start photo: that there is some is all that matters."""


def set_record(draft: Draft) -> Record:
    """The set file, as far as it has been said."""
    grid = draft.grid
    record: Record = {
        "name": draft.title,
        "unit": "mm",
        "geometry": {
            **{key: round(value, 2) for key, value in grid.model_dump(exclude={"x", "y"}).items()},
            "origin": [round(grid.x, 2), round(grid.y, 2)],
        },
        "pieces": _pieces(draft),
        "frame": _frame(draft),
        "tiles": list(tile_records(draft)),
        "chart": {
            name: _spots(draft.scales[name].spaces)
            for name in ("wood", "grain", "rocks")
            if name in draft.scales
        },
        "track": _spots(draft.scales["track"].spaces) if "track" in draft.scales else [],
    }
    if draft.edition:
        record["edition"] = {
            "name": draft.edition,
            "cells": [draft.columns, draft.rows],
            "tiles": max(1, sum(not draft.tiles[key].start for key in first_shown(draft).values())),
            "colours": list(draft.colours),
        }
    return record


def _pieces(draft: Draft) -> Record:
    pieces: Record = {}
    for key in draft.keys_of_spaces():
        piece, _, cell = key.partition("/")
        if key in draft.spaces:
            pieces.setdefault(piece, {"spaces": {}})["spaces"][cell] = _space(draft.spaces[key])
    return {piece: pieces[piece] for piece in sorted(pieces)}


def _space(space: Space) -> Record:
    areas = []
    for area in space.areas:
        record: Record = {"kind": area.kind, "sides": area.sides, "symbols": area.symbols or 0}
        if area.sites:
            record["sites"] = _spots(area.sites)
        areas.append(record)
    return {"areas": areas, "printed": space.printed}


def rim_sides(draft: Draft) -> Iterator[tuple[str, Cell, int]]:
    """Every side along the rim: its key, its cell, and which side (0 is N, clockwise)."""
    last_column, last_row = draft.across - 1, draft.down - 1
    for column, row in draft.cells():
        cell = cell_name(column, row)
        for side, is_rim in enumerate((row == 0, column == last_column, row == last_row, column == 0)):
            if is_rim:
                yield f"{cell}/{'NESW'[side]}", cell, side


def is_meadow(cell: Cell) -> bool:
    return sum(cell_place(cell)) % 2 == 0


def _frame(draft: Draft) -> Record:
    frame: Record = {}
    for key, cell, _ in rim_sides(draft):
        if not is_meadow(cell):
            frame[key] = "neutral"
        elif key in draft.frame:
            frame[key] = draft.frame[key]
    return frame


def tile_ids(draft: Draft) -> dict[str, str]:
    """The tiles' names by where they lie: `tiles/C3` is T07, or S1 for a start tile.

    A tile that another photo shows as well has one name.
    """
    ids: dict[str, str] = {}
    known: dict[object, str] = {}
    tiles = starts = 0
    for key in sorted(draft.tiles, key=_reading_order):
        tile, role = draft.tiles[key], key.partition("/")[0]
        look = tile.likeness
        if (name := known.get(look)) and not any(
            other == name and at.startswith(f"{role}/") for at, other in ids.items()
        ):
            ids[key] = name
            continue
        if tile.start:
            starts += 1
            ids[key] = f"S{starts}"
        else:
            tiles += 1
            ids[key] = f"T{tiles:02d}"
        if look is not None:
            known.setdefault(look, ids[key])
    return ids


def first_shown(draft: Draft) -> dict[str, str]:
    """Each tile of the set once, by its name: where it was shown first."""
    shown: dict[str, str] = {}
    for key, name in tile_ids(draft).items():
        shown.setdefault(name, key)
    return shown


def _reading_order(key: str) -> tuple[bool, str, int, int]:
    role, _, cell = key.partition("/")
    column, row = cell_place(cell)
    return role == CASTLES, role, row, column


def tile_records(draft: Draft) -> Iterator[Record]:
    for name, key in first_shown(draft).items():
        tile = draft.tiles[key]
        yield {
            "id": name,
            "sides": [list(side) for side in tile.sides],
            "silver": tile.silver,
            "start": tile.start,
        }


def label_record(draft: Draft, role: str, photo: str, standing: Sequence[str] = ()) -> Record:
    """What lies on a photo, as far as it has been said; nobody was asked about pieces beside tiles, so where
    some seem to be `standing` nothing is known."""
    shot = draft.shots[role]
    record: Record = {
        "photo": photo,
        "corners": [[round(x, 2), round(y, 2)] for x, y in shot.corners],
        "arrangement": {
            place: {"piece": piece, "turned": turned} for place, (piece, turned) in shot.arrangement.items()
        },
        "assembly": shot.assembly,
        "tiles": dict.fromkeys(draft.meadows(), "none"),
    }
    if shot.reading is not None:
        label = label_of(shot.reading)
        return record | label | {"tiles": record["tiles"] | label["tiles"]}
    if role == START:
        return record | _start(draft, shot)
    for key, name in tile_ids(draft).items():
        at, _, cell = key.partition("/")
        if at == role:
            first = draft.tiles[first_shown(draft)[name]]
            record["tiles"][cell] = {"tile": name, "turns": first.turns_to(draft.tiles[key])}
    if role.partition("-")[0] == TILES:
        record["unknown"] = sorted(standing)
    if role == CASTLES:
        record["castles"] = {site: list(stack) for site, stack in draft.castles.items() if stack}
    return record


def _start(draft: Draft, shot: Shot) -> Record:
    """The start of a game: everything lies where the rulebook puts it (p. 3)."""
    towns = {}
    mine = False
    for cell in draft.landscapes():
        space = draft.spaces.get(space_at(draft, shot, cell)[0])
        if space is not None and space.printed:
            towns[cell] = space.printed
        mine = mine or any(area.kind == "mine" for area in space.areas) if space else mine
    colours = list(draft.colours)
    return {
        "tiles": dict.fromkeys(draft.meadows(), "down"),
        "towns": towns,
        "resources": {colour: {"wood": 0, "grain": 0, "rocks": 0} for colour in colours},
        "track": dict.fromkeys(colours, 0),
        "mine_silver": FULL_MINE if mine else 0,
    }


def space_at(draft: Draft, shot: Shot, cell: Cell) -> tuple[str, int]:
    """The piece and its cell that lie at a cell of the photographed board, and the piece's turn."""
    column, row = cell_place(cell)
    quadrant = ("N" if row < draft.rows else "S") + ("W" if column < draft.columns else "E")
    piece, turned = shot.arrangement.get(quadrant, ("", 0))
    column, row = column % draft.columns, row % draft.rows
    if turned == 180:
        column, row = draft.columns - 1 - column, draft.rows - 1 - row
    return f"{piece}/{cell_name(column, row)}", turned


def learns_from(draft: Draft, role: str) -> bool:
    """A photo that was only tried, and not confirmed, says nothing."""
    shot = draft.shots[role]
    return shot.corners_confirmed and (shot.reading is None or shot.taught)


def write_kit(
    draft: Draft, folder: Path, photo: Callable[[str], bytes], standing: Mapping[str, Sequence[str]]
) -> None:
    """Writes the whole folder anew; `photo` gives the bytes of a draft's photo by its file name, `standing`
    tells by photo where pieces seem to stand of which nothing was said."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "setup").mkdir(parents=True)
    (folder / KIT).write_text(json.dumps(set_record(draft), indent=1, ensure_ascii=False), encoding="utf-8")
    for role, shot in draft.shots.items():
        if learns_from(draft, role):
            (folder / "setup" / f"{role}.jpg").write_bytes(photo(shot.file))
            label = json.dumps(
                label_record(draft, role, f"{role}.jpg", standing.get(role, ())), indent=1, ensure_ascii=False
            )
            (folder / "setup" / f"{role}.json").write_text(label, encoding="utf-8")


def _spots(spots: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in spots]
