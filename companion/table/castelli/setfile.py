"""Reads a Castelli set out of its JSON file: everything printed that a game is played with.

    game_set = load_set(Path("calibration/reference/set.json"))

Whatever is wrong with the file is gathered first and raised together as one `BadFile`: an owner who
types in a set wants the whole list, not one line a try.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from companion.scoring.castelli import components as box
from companion.scoring.castelli.board import cell_place
from companion.table.castelli import setrules
from companion.table.castelli.setshape import (
    AreaShape,
    ChartShape,
    EditionShape,
    GeometryShape,
    Gift,
    Name,
    Part,
    SpaceShape,
    Spot,
    TileShape,
    Track,
)
from companion.table.jsondoor import BadFile, Problem, Where, parse, place, problems_of, read_file, read_text

T = TypeVar("T")

KEYS = ("name", "unit", "geometry", "pieces", "frame", "tiles", "chart", "track", "edition")


@dataclass(frozen=True, slots=True)
class SetReading:
    """A set, and what in its file was not understood but does no harm."""

    game_set: box.GameSet
    remarks: tuple[Problem, ...]


def load_set(path: Path) -> box.GameSet:
    return read_set(read_file(path), str(path)).game_set


def read_set(content: bytes, name: str) -> SetReading:
    """The set in the bytes of a file; `name` is what errors call it."""
    raw, problems = parse(read_text(content, name), name)
    if not isinstance(raw, dict):
        raise BadFile(name, [Problem("", "a set file holds one JSON object, in braces.")])
    reading = _Reading(problems)
    parts = reading.parts(raw)
    if parts is None or reading.problems:
        raise BadFile(name, reading.all_problems())
    return SetReading(_game_set(parts), tuple(reading.remarks))


@dataclass
class _Reading:
    """Goes through the file part by part, so that one broken part hides no problem of another."""

    problems: list[Problem]
    remarks: list[Problem] = field(default_factory=list)

    def parts(self, raw: dict[str, Any]) -> setrules.Parts | None:
        """All parts of the set, or None where whole sections are missing. Fills `problems` and `remarks`."""
        self.unknown_keys(raw.keys() - set(KEYS), ())
        if raw.get("unit", "mm") != "mm":
            self.problems.append(Problem("unit", 'lengths of a set are in millimetres; write "mm".'))
        name = self.take(Name, raw, "name")
        edition = self.edition(raw)
        geometry = self.take(GeometryShape, raw, "geometry")
        pieces, pieces_whole = self.pieces(raw)
        frame, frame_whole = self.entries(Gift, raw, "frame", dict)
        tiles, tiles_whole = self.entries(TileShape, raw, "tiles", list)
        chart = self.take(ChartShape, raw, "chart")
        track = self.take(Track, raw, "track")
        parts = setrules.Parts(
            name=name or "",
            edition=edition,
            geometry=geometry,
            pieces=pieces,
            frame=frame,
            tiles=tiles,
            chart=chart,
            track=track,
            whole=setrules.Whole(pieces=pieces_whole, frame=frame_whole, tiles=tiles_whole),
        )
        self.problems += setrules.problems(parts)
        return parts if geometry and chart and track else None

    def edition(self, raw: dict[str, Any]) -> EditionShape | None:
        """A plain name is enough to say that this is another edition."""
        if isinstance(raw.get("edition"), str):
            raw = {"edition": {"name": raw["edition"]}}
        return self.take(EditionShape, raw, "edition") if raw.get("edition") is not None else None

    def pieces(self, raw: dict[str, Any]) -> tuple[dict[str, dict[box.Cell, SpaceShape]], bool]:
        pieces: dict[str, dict[box.Cell, SpaceShape]] = {}
        whole = True
        for piece, inner in self.section(raw, "pieces", dict):
            if not isinstance(inner, dict):
                self.problems.append(Problem(place(("pieces", piece)), 'a piece is an object with "spaces".'))
                whole = False
                continue
            self.unknown_keys(inner.keys() - {"spaces"}, ("pieces", piece))
            pieces[piece], spaces_whole = self.entries(SpaceShape, inner, "spaces", dict, ("pieces", piece))
            whole = whole and spaces_whole
        return pieces, whole

    def entries(
        self, shape: Any, raw: dict[str, Any], key: str, kind: type[Any], where: Where = ()
    ) -> tuple[dict[Any, Any], bool]:
        """The well-shaped entries of a list or object, by place or key, and whether these are all."""
        found = self.section(raw, key, kind, where)
        taken = {inner: self.check(shape, value, (*where, key, inner)) for inner, value in found}
        good = {inner: value for inner, value in taken.items() if value is not None}
        return good, bool(found) and len(good) == len(found)

    def section(
        self, raw: dict[str, Any], key: str, kind: type[Any], where: Where = ()
    ) -> list[tuple[Any, Any]]:
        value: Any = raw.get(key)
        if isinstance(value, kind) and value:
            return list(value.items()) if kind is dict else list(enumerate(value))
        what = "this is missing." if value is None else "this is empty."
        if value is not None and not isinstance(value, kind):
            what = f"this should be {'an object, in braces' if kind is dict else 'a list, in brackets'}."
        self.problems.append(Problem(place((*where, key)), what))
        return []

    def take(self, shape: Any, raw: dict[str, Any], key: str) -> Any:
        if key not in raw:
            self.problems.append(Problem(key, "this is missing."))
            return None
        return self.check(shape, raw[key], (key,))

    def check(self, shape: Any, value: Any, where: Where) -> Any:
        try:
            checked = TypeAdapter(shape).validate_python(value, strict=True)
        except ValidationError as error:
            self.problems += problems_of(error, where)
            return None
        if isinstance(checked, Part):
            self.unknown_keys_of(checked, where)
        return checked

    def unknown_keys_of(self, part: Part, where: Where) -> None:
        self.unknown_keys((part.model_extra or {}).keys(), where)
        if isinstance(part, SpaceShape):
            for index, area in enumerate(part.areas):
                self.unknown_keys((area.model_extra or {}).keys(), (*where, "areas", index))

    def unknown_keys(self, keys: Any, where: Where) -> None:
        for key in sorted(keys):
            self.remarks.append(Problem(place((*where, key)), "this key is not known and was left out."))

    def all_problems(self) -> list[Problem]:
        """One a place and sentence, in the order found; then unknown keys, which may be a slip of the pen."""
        return list(dict.fromkeys([*self.problems, *self.remarks]))


def _game_set(parts: setrules.Parts) -> box.GameSet:
    """Frozen values out of parts that have been checked."""
    geometry, chart = parts.geometry, parts.chart
    assert geometry is not None and chart is not None and parts.track is not None
    columns, rows = parts.cells
    return box.GameSet(
        name=parts.name,
        geometry=box.Geometry(
            width=geometry.width,
            height=geometry.height,
            origin=_point(geometry.origin),
            pitch=geometry.pitch,
            tile=geometry.tile,
            octagon=geometry.octagon,
            frame=geometry.frame,
            chart=geometry.chart,
        ),
        pieces=_frozen({name: _piece(name, spaces) for name, spaces in parts.pieces.items()}),
        frame=_frozen({_rim_side(key): box.Gift(gift) for key, gift in parts.frame.items()}),
        tiles=_frozen({tile.id: _tile(tile) for tile in parts.tiles.values()}),
        chart=_frozen(
            {box.Kind(kind): tuple(map(_point, getattr(chart, kind))) for kind in ("wood", "grain", "rocks")}
        ),
        track=tuple(map(_point, parts.track)),
        columns=columns,
        rows=rows,
    )


def _piece(name: str, spaces: Mapping[box.Cell, SpaceShape]) -> box.Piece:
    in_order = sorted(spaces, key=lambda cell: tuple(reversed(cell_place(cell))))
    return box.Piece(name, _frozen({cell: _space(spaces[cell]) for cell in in_order}))


def _space(space: SpaceShape) -> box.Space:
    printed = box.Town(space.printed) if space.printed else None
    return box.Space(tuple(map(_area, space.areas)), printed)


def _area(area: AreaShape) -> box.Area:
    return box.Area(
        kind=box.Kind(area.kind),
        sides=tuple(box.Side[letter] for letter in area.sides),
        symbols=area.symbols,
        sites=tuple(map(_point, area.sites)),
        polygon=tuple(map(_point, area.polygon)) if area.polygon else None,
    )


def _tile(tile: TileShape) -> box.Tile:
    north, east, south, west = (box.Arms(colour, value) for colour, value in tile.sides)
    return box.Tile(tile.id, (north, east, south, west), tile.silver, tile.is_start)


def _rim_side(key: str) -> tuple[box.Cell, box.Side]:
    cell, _, side = key.partition("/")
    return cell, box.Side[side]


def _point(spot: Spot) -> box.Point:
    return box.Point(spot[0], spot[1])


def _frozen(mapping: dict[Any, T]) -> Mapping[Any, T]:
    return MappingProxyType(mapping)
