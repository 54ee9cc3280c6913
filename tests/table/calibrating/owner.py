"""An owner who knows their copy from the cardboard: names everything as the labels of a kit say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.scoring.castelli.board import cell_name, cell_place
from companion.table.castelli.calibrating.draft import Area, Draft, Space
from companion.table.castelli.calibrating.splits import turned_space
from companion.table.castelli.calibrating.workshop import Workshop
from companion.table.castelli.setrules import COLUMNS, ROWS

ROLES = ("empty", "start", "tiles", "castles")


@dataclass
class Owner:
    kit: Path
    workshop: Workshop

    def __post_init__(self) -> None:
        self.set: dict[str, Any] = json.loads((self.kit / "kit.json").read_text())
        self.labels = {role: json.loads((self.kit / "setup" / f"{role}.json").read_text()) for role in ROLES}
        self.faces = {tile["id"]: tile for tile in self.set["tiles"]}
        self.piece: tuple[int, int] = tuple(self.set.get("edition", {}).get("cells", (COLUMNS, ROWS)))
        """Columns and rows of a piece."""
        self.id = ""
        self.proposed_spaces: list[tuple[Space, Space]] = []
        self.proposed_sides: list[tuple[Any, Any]] = []

    def photo(self, role: str) -> bytes:
        return (self.kit / "setup" / f"{role}.jpg").read_bytes()

    def lay_grid(self) -> Draft:
        self.id = self.workshop.new("My copy").id
        self.workshop.photograph(self.id, "empty", self.photo("empty"))
        self.workshop.set_corners(self.id, "empty", self.labels["empty"]["corners"])
        self.workshop.confirm_corners(self.id, "empty")
        return self.workshop.confirm_grid(self.id)

    def photograph_all(self) -> Draft:
        for role in ROLES[1:]:
            draft = self.workshop.photograph(self.id, role, self.photo(role))
        return draft

    def name_all(self) -> None:
        self.proposed_spaces = self.name_spaces()
        self.name_rim()
        self.proposed_sides = self.name_tiles()
        self.name_castles()
        self.place_scales()

    def space(self, cell: str, scale: float) -> Space:
        """What is printed there as the empty board lies."""
        column, row = cell_place(cell)
        columns, rows = self.piece
        place = ("N" if row < rows else "S") + ("W" if column < columns else "E")
        laid = self.labels["empty"]["arrangement"][place]
        column, row = column % columns, row % rows
        if laid["turned"] == 180:
            column, row = columns - 1 - column, rows - 1 - row
        told = self.set["pieces"][laid["piece"]]["spaces"][cell_name(column, row)]
        areas = tuple(
            Area(
                kind=area["kind"],
                sides=area["sides"],
                symbols=area["symbols"],
                sites=tuple((x * scale, y * scale) for x, y in area.get("sites", [])),
            )
            for area in told["areas"]
        )
        return turned_space(Space(areas=areas, printed=told["printed"]), laid["turned"] // 90)

    def name_spaces(self) -> list[tuple[Space, Space]]:
        """What was proposed, just before each was named, and what is right."""
        draft = self.workshop.get(self.id)
        scale = draft.grid.width / self.set["geometry"]["width"]
        pairs = []
        for key, cell in draft.keys_of_spaces().items():
            truth = self.space(cell, scale)
            view = next(view for view in self.workshop.spaces(self.id) if view.key == key)
            pairs.append((view.proposal, truth))
            self.workshop.set_space(self.id, key, truth)
        return pairs

    def name_rim(self) -> None:
        for view in self.workshop.rim(self.id):
            if view.is_gift:
                self.workshop.set_rim(self.id, view.key, self.set["frame"][view.key])

    def tile(self, role: str, cell: str) -> dict[str, Any] | None:
        lies = self.labels[role]["tiles"].get(cell)
        if not isinstance(lies, dict):
            return None
        face = self.faces[lies["tile"]]
        sides = [face["sides"][(k - lies["turns"]) % 4] for k in range(4)]
        return {"sides": sides, "silver": face["silver"], "start": lies["tile"].startswith("S")}

    def name_tiles(self) -> list[tuple[Any, Any]]:
        """What was proposed for each side, just before, and what is right."""
        names = []
        for colour in self.workshop.palette(self.id):
            role, _, cell = colour.example.partition("/")
            tile = self.tile(role, cell)
            assert tile is not None
            names.append(tile["sides"][colour.side][0])
        self.workshop.name_colours(self.id, names)
        pairs: list[tuple[Any, Any]] = []
        for role in ("tiles", "castles"):
            for cell in self.workshop.get(self.id).meadows():
                truth = self.tile(role, cell)
                if truth is not None:
                    key = f"{role}/{cell}"
                    view = next(view for view in self.workshop.tiles(self.id, role) if view.key == key)
                    pairs += zip(view.proposal.sides, map(tuple, truth["sides"]), strict=True)
                    self.workshop.set_tile(self.id, key, truth)
        return pairs

    def name_castles(self) -> None:
        told = self.labels["castles"]["castles"]
        for view in self.workshop.sites(self.id):
            self.workshop.set_castle(self.id, view.key, told.get(view.key, []))

    def place_scales(self) -> Draft:
        draft = self.workshop.get(self.id)
        scale = draft.grid.width / self.set["geometry"]["width"]
        ends = {name: (spots[0], spots[-1]) for name, spots in self.set["chart"].items()}
        ends["track"] = self.set["track"][0], self.set["track"][-1]
        for name, points in ends.items():
            inside = [_inside(draft, x * scale, y * scale) for x, y in points]
            draft = self.workshop.place_scale(self.id, name, inside)
        return draft


def _inside(draft: Draft, x: float, y: float) -> tuple[float, float]:
    return min(x, draft.grid.width), min(y, draft.grid.height)
