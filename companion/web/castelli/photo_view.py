"""The reading drawn on the photo: tiles with their values in perspective, castles, towns, doubts ringed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.table.castelli.boardmap import cell_middle
from companion.table.castelli.rulebook import Board, Cell, FaceUp, Side, cell_place
from companion.web.castelli.mapping import BoardMap
from companion.web.castelli.perspective import Perspective, Spot, in_order, middle, reach
from companion.web.castelli.tinctures import Palette, Tincture
from companion.web.castelli.tongue import _
from companion.web.castelli.words import colour_name, town_name

Outlines = Mapping[str, Sequence[Sequence[float]]]
"""Where slots, sites and spaces were seen in the photo: `C3`, `B3/1/0`, `B3/town`."""

VALUE_REACH = 0.3
"""From a tile's middle to the values on its sides, as part of its width."""

ROOM_AROUND = 0.04
"""Of the board's extent in the photo."""
SITE_SHARE = 0.13
"""Half a castle site or town, as part of the pitch, where the photo did not tell its outline."""


@dataclass(frozen=True, slots=True)
class SideMark:
    at: Spot
    tincture: Tincture
    value: str


@dataclass(frozen=True, slots=True)
class ReadMark:
    """One slot as it was read."""

    where: str
    kind: str
    """`slot`, `site` or `space`: which page sets it right."""
    outline: str
    at: Spot
    size: float
    sides: tuple[SideMark, ...]
    stack: tuple[Tincture, ...]
    text: str
    doubtful: bool
    label: str


@dataclass(frozen=True, slots=True)
class PhotoView:
    width: int
    height: int
    corners: str
    box: tuple[int, int, int, int]
    """The part that shows the board: left, top, width, height. A phone has no room for the rest."""
    marks: tuple[ReadMark, ...]
    doubts: int


def photo_view(record: Mapping[str, Any], board: Board, palette: Palette) -> PhotoView | None:
    """None for a photo on which no board was found."""
    if "board" not in record:
        return None
    corners = record["board"]["corners"]
    outlines = record.get("outlines", {})
    drawing = _Drawing(board, Perspective.of(corners), outlines, palette, record.get("assembly", "full"))
    marks = (
        *drawing.tiles(record.get("tiles", {})),
        *drawing.castles(record.get("castles", {})),
        *drawing.towns(record.get("towns", {})),
    )
    width, height = record["photo"]["width"], record["photo"]["height"]
    doubts = sum(mark.doubtful for mark in marks)
    return PhotoView(width, height, _points(corners), _box(corners, width, height), marks, doubts)


def _box(corners: Sequence[Sequence[float]], width: int, height: int) -> tuple[int, int, int, int]:
    """Round the corners, with room for what stands at the rim and leans outwards."""
    across, down = [x for x, _y in corners], [y for _x, y in corners]
    room = ROOM_AROUND * max(max(across) - min(across), max(down) - min(down))
    left, right = max(0, int(min(across) - room)), min(width, int(max(across) + room))
    top, bottom = max(0, int(min(down) - room)), min(height, int(max(down) + room))
    return left, top, right - left, bottom - top


@dataclass(frozen=True, slots=True)
class _Drawing:
    board: Board
    view: Perspective
    outlines: Outlines
    palette: Palette
    assembly: str

    def tiles(self, read: Mapping[str, Mapping[str, Any]]) -> Iterable[ReadMark]:
        for cell, tile in read.items():
            doubtful = bool(tile.get("doubtful"))
            if cell not in self.board.slots or (tile["state"] == "none" and not doubtful):
                continue
            quad = self._tile_quad(cell)
            sides = tuple(self._sides(quad, tile)) if tile["state"] == "up" else ()
            yield self._mark(cell, "slot", quad, doubtful, _tile_label(cell, tile), sides=sides)

    def castles(self, read: Mapping[str, Mapping[str, Any]]) -> Iterable[ReadMark]:
        for site, castle in read.items():
            if site in self.board.sites:
                stack = tuple(self.palette[colour] for colour in castle["stack"])
                label = _castle_label(site, castle)
                outline = self._outline(site, self._spot(site))
                yield self._mark(site, "site", outline, bool(castle.get("doubtful")), label, stack=stack)

    def towns(self, read: Mapping[str, Mapping[str, Any]]) -> Iterable[ReadMark]:
        for cell, town in read.items():
            if cell in self.board.spaces:
                kind = town.get("kind")
                text = town_name(kind) if kind else ""
                label = _("%(cell)s: %(town)s", cell=cell, town=text or _("nothing"))
                outline = self._outline(f"{cell}/town", self._cell(cell))
                yield self._mark(cell, "space", outline, bool(town.get("doubtful")), label, text=text[:1])

    def _mark(
        self,
        where: str,
        kind: str,
        outline: tuple[Spot, ...],
        doubtful: bool,
        label: str,
        *,
        sides: tuple[SideMark, ...] = (),
        stack: tuple[Tincture, ...] = (),
        text: str = "",
    ) -> ReadMark:
        at = middle(outline)
        at = (round(at[0], 1), round(at[1], 1))
        size = round(reach(outline, at), 1)
        label = _("%(reading)s (not sure)", reading=label) if doubtful else label
        return ReadMark(where, kind, _points(outline), at, size, sides, stack, text, doubtful, label)

    def _sides(self, quad: tuple[Spot, ...], tile: Mapping[str, Any]) -> Iterable[SideMark]:
        known = self.board.set.tiles.get(tile.get("tile", ""))
        if known is None:
            return
        face = Perspective.of(quad)
        lying = FaceUp(known.id, tile.get("turns", 0))
        for side in Side:
            arms = known.facing(side, lying.turns)
            u = 0.5 + VALUE_REACH * (0, 1, 0, -1)[side]
            v = 0.5 + VALUE_REACH * (-1, 0, 1, 0)[side]
            value = "·" if arms.value == "card" else str(arms.value)
            yield SideMark(face.at(u, v), self.palette[arms.colour], value)

    def _tile_quad(self, cell: Cell) -> tuple[Spot, ...]:
        expected = self._square(self._cell(cell), self.board.set.geometry.tile / 2)
        seen = self._seen(cell)
        return in_order(seen, expected) if len(seen) == 4 else expected

    def _outline(self, where: str, at: tuple[float, float]) -> tuple[Spot, ...]:
        return self._seen(where) or self._square(at, self.board.set.geometry.pitch * SITE_SHARE)

    def _seen(self, where: str) -> tuple[Spot, ...]:
        return tuple((x, y) for x, y in self.outlines.get(where, ()))

    def _square(self, at: tuple[float, float], half: float) -> tuple[Spot, ...]:
        width, height = self.board.set.geometry.width, self.board.set.geometry.height
        spots = ((-half, -half), (half, -half), (half, half), (-half, half))
        return tuple(self.view.at((at[0] + x) / width, (at[1] + y) / height) for x, y in spots)

    def _cell(self, cell: Cell) -> tuple[float, float]:
        """Millimetres on the assembled board; in a tournament the charts lie between the two halves."""
        column, row = cell_place(cell)
        geometry = self.board.set.geometry
        at = cell_middle(geometry, column, row)
        between = self.assembly == "tournament" and column >= self.board.set.columns
        return at.x + geometry.chart * between, at.y

    def _spot(self, site: str) -> tuple[float, float]:
        """Where a castle site lies on the board: the drawn map knows its direction, that is near enough."""
        drawn = BoardMap(self.board)
        cell = site.split("/")[0]
        spot, centre, at = drawn.site(site), drawn.spot(cell), self._cell(cell)
        return at[0] + spot.x - centre.x, at[1] + spot.y - centre.y


def _points(outline: Iterable[Iterable[float]]) -> str:
    return " ".join(",".join(f"{value:.1f}" for value in spot) for spot in outline)


def _tile_label(cell: Cell, tile: Mapping[str, Any]) -> str:
    if tile["state"] == "up":
        return _("%(cell)s: heraldic tile %(tile)s", cell=cell, tile=tile.get("tile", "?"))
    if tile["state"] == "down":
        return _("%(cell)s: face down", cell=cell)
    return _("%(cell)s: no heraldic tile", cell=cell)


def _castle_label(site: str, castle: Mapping[str, Any]) -> str:
    cell = site.split("/")[0]
    if not castle["stack"]:
        return _("%(cell)s: no castle", cell=cell)
    return _("%(cell)s: castle of %(colour)s", cell=cell, colour=colour_name(castle["stack"][-1]))
