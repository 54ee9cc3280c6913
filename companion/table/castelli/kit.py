"""A kit directory (a photographed set with labels) as a source that the vision room can learn from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from companion.scoring.castelli.components import GameSet, Town
from companion.table.castelli.design import CASTLE, DOWN, TRACK, board_cell, design_of
from companion.table.jsondoor import BadFile, parse, problems_of, read_file, read_text
from companion.vision.model import NOTHING, Design, Faces, Labelled, Source, Thing

Quadrant = Literal["NW", "NE", "SW", "SE"]


class Laid(BaseModel):
    """A piece in its quadrant."""

    piece: str
    turned: Literal[0, 180]


class TileUp(BaseModel):
    tile: str
    turns: int


class Label(BaseModel):
    """What the owner says of a photo; more keys than these may stand in the file."""

    model_config = ConfigDict(extra="ignore")

    photo: str
    corners: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    arrangement: dict[Quadrant, Laid]
    tiles: dict[str, TileUp | Literal["none", "down"]]
    towns: dict[str, Town] = {}
    castles: dict[str, list[str]] = {}
    resources: dict[str, dict[str, int]] = {}
    track: dict[str, int] = {}
    mine_silver: int = 0
    assembly: str = "full"
    unknown: list[str] = []
    """Places that nobody looked at: `C3` of a tile, `B3/1/0` of a castle, `B3/town`."""


def source_of(kit: Path, game_set: GameSet) -> Source:
    """The setup photos of a kit with what lies on them."""
    design = design_of(game_set)
    labels = sorted((kit / "setup").glob("*.json"))
    return Source(design, tuple(labelled_of(path, game_set, design) for path in labels))


def label_in(path: Path) -> Label:
    """The label of one photo. Raises BadFile with every problem."""
    value, problems = parse(read_text(read_file(path), str(path)), str(path))
    try:
        label = Label.model_validate(value)
    except ValidationError as error:
        raise BadFile(str(path), problems + problems_of(error, ())) from None
    if problems:
        raise BadFile(str(path), problems)
    return label


def labelled_of(path: Path, game_set: GameSet, design: Design) -> Labelled:
    label = label_in(path)
    things: dict[tuple[str, str], Thing] = {}
    for place, laid in label.arrangement.items():
        for slot in design.slots[laid.piece]:
            cell, _, rest = slot.name.partition("/")
            on_board = board_cell(game_set, place, laid.turned, cell)
            if (f"{on_board}/{rest}" if rest else on_board) in label.unknown:
                continue
            if isinstance(slot.holds, Faces):
                things[laid.piece, slot.name] = _tile(label.tiles.get(on_board, "none"), laid.turned)
            elif rest == "town":
                town = label.towns.get(on_board)
                things[laid.piece, slot.name] = Thing((town.value,)) if town else NOTHING
            else:
                stack = label.castles.get(f"{on_board}/{rest}", [])
                things[laid.piece, slot.name] = Thing(tuple(CASTLE + colour for colour in stack))
    return Labelled(
        photo=path.parent / label.photo,
        assembly=label.assembly,
        corners=label.corners,
        arrangement={place: (laid.piece, laid.turned) for place, laid in label.arrangement.items()},
        things=things,
        markers=_markers(label),
        covered=label.mine_silver > 0,
    )


def _tile(label: TileUp | Literal["none", "down"], turned: int) -> Thing:
    """In the piece's own turn: a piece that lies turned by 180 degrees turns its tiles with it."""
    if isinstance(label, TileUp):
        return Thing((label.tile,), (label.turns - turned // 90) % 4)
    return NOTHING if label == "none" else Thing((DOWN,))


def _markers(label: Label) -> Mapping[tuple[str, str], int]:
    markers = {(TRACK, colour): space for colour, space in label.track.items()}
    for colour, stands in label.resources.items():
        markers.update({(kind, colour): space for kind, space in stands.items()})
    return markers
