"""A photo of a running game teaches what was corrected, and nothing that the table does not know for sure."""

from __future__ import annotations

from typing import Any

from companion.scoring.castelli.position import FaceUp, Modules
from companion.table.castelli.calibrating.from_play import label_from_play
from companion.table.castelli.calibrating.trying import label_of, reading_of
from tests.scoring.sets import laid_out, made_set
from tests.scoring.table import Table

COLOURS = ("red", "blue", "green", "yellow")
SURE = {"confidence": 1.0, "doubtful": False}


def test_only_what_was_corrected_and_what_was_read_for_sure_is_taught() -> None:
    table = Table(laid_out(made_set(3), 4, 3), COLOURS, 3, Modules())
    for _ in range(6):
        table.one_turn()
    position = table.position
    up = [cell for cell, lies in position.tiles.items() if isinstance(lies, FaceUp)]
    misread, doubted, *rest = up
    tiles: dict[str, Any] = {}
    for cell, lies in position.tiles.items():
        face = {"tile": lies.tile, "turns": lies.turns} if isinstance(lies, FaceUp) else {}
        tiles[cell] = {"state": "up" if face else str(lies), **face, **SURE}
    tiles[misread] |= {"turns": (tiles[misread]["turns"] + 1) % 4}
    tiles[doubted] |= {"doubtful": True}
    wrong = rest[0]
    tiles[wrong] = {"state": "none", **SURE}
    space = next(iter(position.board.spaces))
    record = {"tiles": tiles, "castles": {}, "towns": {space: {"kind": "city", "doubtful": True}}}

    label = label_from_play(record, position, misread)

    lies = position.slot(misread)
    assert isinstance(lies, FaceUp)
    assert label["tiles"][misread] == {"tile": lies.tile, "turns": lies.turns}
    assert set(label["unknown"]) == {doubted, wrong, f"{space}/town"}
    taught = label_of(reading_of(label))
    assert taught["tiles"] == label["tiles"]
    assert set(taught["unknown"]) == set(label["unknown"])
