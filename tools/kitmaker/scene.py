"""A position made solid: where every tile and wooden piece lies, in mm, with the jitter of hands."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker.board_art import BoardArt, outlines
from tools.kitmaker.box import COLUMNS, KINDS, QUADRANTS, XY, Kit, piece_size
from tools.kitmaker.ink import MM
from tools.kitmaker.paint import Colour, Picture
from tools.kitmaker.palette import Palette
from tools.kitmaker.position import Label, piece_cell, silver_pile, spaces
from tools.kitmaker.solids import Forms, Solid, prism, square


@dataclass(frozen=True)
class Cardboard:
    """What board and tiles are made of."""

    tile_thickness: float
    board_thickness: float
    gloss: float
    edge: Colour
    """Where it is cut."""


@dataclass(frozen=True)
class GameSet:
    """A whole set, drawn and turned."""

    kit: Kit
    palette: Palette
    board: BoardArt
    faces: dict[str, Picture]
    back: Picture
    forms: Forms
    cardboard: Cardboard
    castle_sits: float
    """How far an upper castle sinks into the lower one, in mm: some shapes nest."""


@dataclass(frozen=True)
class LaidTile:
    art: Picture
    x: float
    y: float
    degrees: float
    size: float


@dataclass(frozen=True)
class Scene:
    print: Picture
    """The assembled board seen straight from above, MM pixels a millimetre."""
    tiles: tuple[LaidTile, ...]
    solids: tuple[Solid, ...]


@dataclass(frozen=True)
class Hands:
    """How carefully things were put down."""

    tile_shift: float
    tile_twist: float
    piece_shift: float
    board_gap: float
    board_twist: float


CAREFUL = Hands(0.7, 2.0, 0.8, 0.0, 0.0)
CARELESS = Hands(4.0, 10.0, 2.0, 1.2, 0.4)


def any_hands(rng: Generator, hard: bool) -> Hands:
    if hard and rng.random() < 0.7:
        return CARELESS
    loose = float(rng.uniform(0.5, 1.6))
    seams = rng.random() < 0.4
    return Hands(loose, 3.0 * loose, loose, 0.3 if seams else 0.0, 0.05 if seams else 0.0)


def shift_of_half(kit: Kit, layout: str) -> float:
    """How far the right half of the field moves to make room for the charts in the middle."""
    return 0.0 if layout == "full" else float(kit["geometry"]["chart"])


def chart_shift(kit: Kit, layout: str) -> float:
    geometry, columns = kit["geometry"], piece_size(kit)[0]
    half = columns * geometry["pitch"] + (geometry["octagon"] - geometry["pitch"]) / 2
    return 0.0 if layout == "full" else -half


def middle_of(kit: Kit, cell: str, layout: str = "full") -> XY:
    """The middle of a cell on the assembled board."""
    geometry = kit["geometry"]
    c, r = COLUMNS.index(cell[0]), int(cell[1:]) - 1
    x = (
        geometry["origin"][0]
        + (c + 0.5) * geometry["pitch"]
        + (shift_of_half(kit, layout) if c >= piece_size(kit)[0] else 0.0)
    )
    return float(x), float(geometry["origin"][1] + (r + 0.5) * geometry["pitch"])


def lay(rng: Generator, game: GameSet, label: Label, layout: str, hands: Hands) -> Scene:
    tiles = []
    for cell, lies in label["tiles"].items():
        if lies != "none":
            x, y = middle_of(game.kit, cell, layout)
            art = game.back if lies == "down" else game.faces[lies["tile"]]
            turns = int(rng.integers(4)) if lies == "down" else lies["turns"]
            dx, dy = _within(rng, hands.tile_shift)
            twist = float(rng.uniform(-1, 1)) * hands.tile_twist
            tiles.append(LaidTile(art, x + dx, y + dy, turns * 90 + twist, game.kit["geometry"]["tile"]))
    solids = [*_castles(rng, game, label, layout, hands), *_towns(rng, game, label, layout, hands)]
    solids += _silver(rng, game, label, layout)
    if "track" in label:
        solids += _resources(rng, game, label, layout, hands is not CAREFUL) + _track(rng, game, label)
    return Scene(assemble(rng, game, label["arrangement"], layout, hands), tuple(tiles), tuple(solids))


def _within(rng: Generator, reach: float) -> XY:
    angle, radius = rng.uniform(0, 2 * np.pi), reach * np.sqrt(rng.uniform(0, 1))
    return float(radius * np.cos(angle)), float(radius * np.sin(angle))


def assemble(rng: Generator, game: GameSet, arrangement: Kit, layout: str, hands: Hands) -> Picture:
    """The print of the board with its four pieces in place."""
    rim = game.board.rim.copy()
    geometry, art = game.kit["geometry"], game.board.pieces
    if layout != "full":
        _move_charts(rim, game.kit)
    span = np.array(piece_size(game.kit)) * geometry["pitch"]
    apart = span + np.array([shift_of_half(game.kit, layout), 0.0])
    for place in QUADRANTS:
        lies = arrangement.get(place)
        piece = art[lies["piece"]] if lies else art["P1"]
        face = piece.print if lies else game.board.back
        half = span / 2 + piece.overhang
        at = np.array(geometry["origin"]) + span / 2 + apart * np.array([place[1] == "E", place[0] == "S"])
        dx, dy = _within(rng, hands.board_gap)
        twist = float(rng.uniform(-1, 1)) * hands.board_twist + (lies["turned"] if lies else 0)
        centre = (float(half[0] * MM - 0.5), float(half[1] * MM - 0.5))
        warp = cv2.getRotationMatrix2D(centre, -twist, 1.0)
        corner = (at + np.array([dx, dy]) - half) * MM
        left, top = int(corner[0]) - 8, int(corner[1]) - 8
        warp[:, 2] += (corner[0] - left, corner[1] - top)
        size = face.shape[1] + 18, face.shape[0] + 18
        sheet = cv2.warpAffine(face, warp, size, flags=cv2.INTER_LINEAR)
        mask = cv2.warpAffine(piece.mask, warp, size, flags=cv2.INTER_LINEAR)
        if hands.board_gap:  # a gap between pieces is a dark slit
            _blend(rim, np.zeros_like(sheet), cv2.dilate(mask, np.ones((3, 3), np.uint8)), left, top)
        _blend(rim, sheet, mask, left, top)
    return rim


def _blend(canvas: Picture, art: Picture, mask: Picture, left: int, top: int) -> None:
    rows, columns = min(art.shape[0], canvas.shape[0] - top), min(art.shape[1], canvas.shape[1] - left)
    part = canvas[top : top + rows, left : left + columns]
    art, mask = art[:rows, :columns], mask[:rows, :columns]
    edge = (mask > 0) & (mask < 255)
    alpha = mask[edge][:, None].astype(np.float32) / 255
    mixed = part[edge] * (1 - alpha) + art[edge] * alpha
    cv2.copyTo(art, (mask == 255).astype(np.uint8), part)
    part[edge] = mixed.astype(np.uint8)


def _move_charts(rim: Picture, kit: Kit) -> None:
    """Charts between the halves: the right half of the field moves to the right, the charts into the gap."""
    geometry = kit["geometry"]
    frame = round(geometry["frame"] * MM)
    bottom = rim.shape[0] - frame
    columns = piece_size(kit)[0]
    middle = round((geometry["origin"][0] + columns * geometry["pitch"]) * MM)
    field = 2 * columns * geometry["pitch"] + geometry["octagon"] - geometry["pitch"]
    end = round((geometry["frame"] + field) * MM)
    wide = rim.shape[1] - frame - end
    half, chart = rim[frame:bottom, middle:end].copy(), rim[frame:bottom, end : end + wide].copy()
    rim[frame:bottom, middle : middle + wide] = chart
    rim[frame:bottom, middle + wide : middle + wide + half.shape[1]] = half


def _castles(rng: Generator, game: GameSet, label: Label, layout: str, hands: Hands) -> list[Solid]:
    solids = []
    printed = dict(spaces(game.kit, label["arrangement"]))
    for key, stack in label["castles"].items():
        cell, area, site = key.split("/")
        x, y = castle_place(rng, game, label, cell, printed[cell]["areas"][int(area)], int(site), layout)
        z = 0.0
        for colour in stack:
            dx, dy = _within(rng, hands.piece_shift if z == 0 else 0.8)
            castle = Solid(game.forms.castle, game.palette.wood[colour], game.forms.gloss)
            solids.append(castle.placed(x + dx, y + dy, z, float(rng.uniform(0, 360))))
            z += castle.height - game.castle_sits
    return solids


def castle_place(
    rng: Generator, game: GameSet, label: Label, cell: str, area: Kit, site: int, layout: str
) -> XY:
    """Where a castle stands: on its site, or anywhere well inside a grain or wood area."""
    geometry = game.kit["geometry"]
    if "sites" in area:
        offset = np.array(area["sites"][site])
    else:
        parts = [part.astype(np.float32) for part in outlines(geometry["pitch"], geometry["octagon"], area)]
        room = game.forms.castle_width * 0.75
        offset = np.zeros(2)
        clear = -np.inf
        for _ in range(60):
            at = rng.uniform(-0.45, 0.45, 2) * geometry["octagon"]
            inside = max(cv2.pointPolygonTest(part, (float(at[0]), float(at[1])), True) for part in parts)
            inside = min(inside, float(np.hypot(*at)) - 11.0)  # a town may stand in the middle
            if inside > clear:
                offset, clear = at, inside
            if clear > room:
                break
    c, r = COLUMNS.index(cell[0]), int(cell[1:]) - 1
    turned = piece_cell(game.kit, label["arrangement"], c, r)[2]
    x, y = middle_of(game.kit, cell, layout)
    sign = -1 if turned else 1
    return x + sign * float(offset[0]), y + sign * float(offset[1])


def _towns(rng: Generator, game: GameSet, label: Label, layout: str, hands: Hands) -> list[Solid]:
    solids = []
    for cell, kind in label["towns"].items():
        x, y = middle_of(game.kit, cell, layout)
        dx, dy = _within(rng, hands.piece_shift)
        parts = game.forms.city if kind == "city" else game.forms.village
        colour = game.palette.city if kind == "city" else game.palette.village
        solids.append(
            Solid(parts, colour, game.forms.gloss).placed(x + dx, y + dy, 0, float(rng.uniform(0, 360)))
        )
    return solids


def _silver(rng: Generator, game: GameSet, label: Label, layout: str) -> list[Solid]:
    cell = next(
        (c for c, space in spaces(game.kit, label["arrangement"]) if space["areas"][0]["kind"] == "mine"),
        None,
    )
    if cell is None:
        return []
    x, y = middle_of(game.kit, cell, layout)
    cube = game.forms.silver
    pile = silver_pile(rng, label["mine_silver"], cube, game.kit["geometry"]["octagon"] * 0.2)
    shape = Solid((prism(square(cube, cube), 0, cube),), game.palette.silver, 0.6)
    return [shape.placed(x + dx, y + dy, z, yaw) for dx, dy, z, yaw in pile]


def _resources(rng: Generator, game: GameSet, label: Label, layout: str, stacks: bool) -> list[Solid]:
    """Side by side across the space, or stacked where the players are that way."""
    solids, forms = [], game.forms
    wide = game.kit["geometry"]["chart"] * 0.55
    own_lane = rng.random() < 0.5
    colours = list(label["resources"])
    for kind in KINDS:
        for k, (x, y) in enumerate(game.kit["chart"][kind]):
            here = [colour for colour in colours if label["resources"][colour][kind] == k]
            stacked = stacks and len(here) > 1 and rng.random() < 0.2
            lanes = np.linspace(-wide / 2, wide / 2, 4)
            order = rng.permutation(4)
            z = 0.0
            for j, colour in enumerate(here):
                lane = lanes[colours.index(colour)] if own_lane else lanes[order[0 if stacked else j]]
                marker = Solid(forms.resource, game.palette.wood[colour], forms.gloss)
                dx, dy = _within(rng, 1.0)
                if stacked:
                    lane = lanes[order[0]]
                    dx, dy = dx * 0.6, dy * 0.6
                at = x + chart_shift(game.kit, layout) + lane
                solids.append(marker.placed(at + dx, y + dy, z, float(rng.uniform(-30, 30))))
                z += marker.height if stacked else 0.0
    return solids


def _track(rng: Generator, game: GameSet, label: Label) -> list[Solid]:
    """Markers on the same space are stacked, or crowd it."""
    solids, forms = [], game.forms
    for space in sorted(set(label["track"].values())):
        here = [colour for colour, at in label["track"].items() if at == space]
        here = [here[int(k)] for k in rng.permutation(len(here))]
        x, y = game.kit["track"][space]
        stacked = len(here) > 2 or (len(here) == 2 and rng.random() < 0.5)
        z = 0.0
        for j, colour in enumerate(here):
            marker = Solid(forms.marker, game.palette.wood[colour], forms.gloss)
            dx, dy = _within(rng, 1.5 if z == 0 else 0.7)
            if len(here) == 2 and not stacked:
                dx += (j - 0.5) * forms.marker_width * 1.1
            solids.append(marker.placed(x + dx, y + dy, z, float(rng.uniform(0, 360))))
            z += marker.height if stacked else 0.0
    return solids
