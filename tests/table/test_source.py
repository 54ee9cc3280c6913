"""The calibration source of any game: what is read out of the file, and every problem with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.table.jsondoor import BadFile
from companion.table.source import load_source
from companion.vision.model import NOTHING, Faces, Pieces, Thing


def letters() -> dict[str, Any]:
    """A board of 3 x 2 letters on one sheet, with a house beside it and a track of four spaces."""
    return {
        "format": "companion-source",
        "version": 1,
        "name": "letters",
        "sheets": {"board": {"size": [60, 40]}},
        "things": {
            "letter": {"faces": ["A", "B"], "turns": 1, "size": [18, 18], "thickness": 4},
            "house": {"pieces": ["red house", "blue house"], "most": 2},
        },
        "slots": {
            "board": {
                "columns": 3,
                "rows": 2,
                "origin": [0, 0],
                "pitch": [20, 20],
                "size": [18, 18],
                "holds": "letter",
            }
        },
        "scales": [
            {
                "name": "score",
                "sheet": "board",
                "spaces": [[5, 38], [15, 38], [25, 38], [35, 38]],
                "markers": ["red"],
                "radius": 4,
            }
        ],
        "forms": {"red house": {"height": 12, "footprint": 9, "paint": "red"}},
        "photos": [
            {
                "photo": "one.jpg",
                "corners": [[0, 0], [600, 0], [600, 400], [0, 400]],
                "shows": {"board/B1": "A", "board/C2": {"face": "B", "turns": 0}},
                "markers": {"score/red": 3},
            }
        ],
    }


def written(folder: Path, value: Any) -> Path:
    (folder / "one.jpg").write_bytes(b"a photo is only opened when it is learnt from")
    (folder / "source.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def problems(folder: Path, value: Any) -> list[str]:
    with pytest.raises(BadFile) as refused:
        load_source(written(folder, value))
    return [str(problem) for problem in refused.value.problems]


def test_a_grid_of_slots_on_one_sheet(tmp_path: Path) -> None:
    source = load_source(written(tmp_path, letters()))
    slots = source.design.slots["board"]
    assert [slot.name for slot in slots] == ["A1", "B1", "C1", "A2", "B2", "C2"]
    assert slots[4].polygon == ((20.0, 20.0), (38.0, 20.0), (38.0, 38.0), (20.0, 38.0))
    assert isinstance(slots[0].holds, Faces)
    assert slots[0].holds.thickness == 4.0


def test_a_game_of_one_sheet_needs_no_assembly(tmp_path: Path) -> None:
    (assembly,) = load_source(written(tmp_path, letters())).design.assemblies
    assert assembly.corners == ((0.0, 0.0), (60.0, 0.0), (60.0, 40.0), (0.0, 40.0))
    assert [place.sheets for place in assembly.places] == [("board",)]


def test_what_a_photo_shows_and_that_the_rest_is_empty(tmp_path: Path) -> None:
    (photo,) = load_source(written(tmp_path, letters())).photos
    assert photo.things["board", "B1"] == Thing(("A",))
    assert photo.things["board", "C2"] == Thing(("B",))
    assert photo.things["board", "A1"] == NOTHING
    assert photo.markers == {("score", "red"): 3}
    assert photo.arrangement == {"board": ("board", 0)}


def test_a_rest_that_nobody_looked_at_is_not_called_empty(tmp_path: Path) -> None:
    value = letters()
    value["photos"][0]["rest"] = "unknown"
    (photo,) = load_source(written(tmp_path, value)).photos
    assert set(photo.things) == {("board", "B1"), ("board", "C2")}


def test_slots_one_by_one_may_hold_pieces(tmp_path: Path) -> None:
    value = letters()
    value["slots"]["board"] = [{"name": "yard", "polygon": [[0, 0], [9, 0], [9, 9]], "holds": "house"}]
    value["photos"][0]["shows"] = {"board/yard": ["red house", "blue house"]}
    source = load_source(written(tmp_path, value))
    assert source.design.slots["board"][0].holds == Pieces(("red house", "blue house"), most=2)
    assert source.photos[0].things["board", "yard"] == Thing(("red house", "blue house"))
    assert source.design.forms["red house"].paint == "red"


def test_every_name_that_leads_nowhere_is_reported_at_once(tmp_path: Path) -> None:
    value = letters()
    value["scales"][0]["sheet"] = "table"
    value["photos"][0]["photo"] = "../elsewhere.jpg"
    value["photos"][0]["shows"] = {"board/Z9": "A", "board/A1": "Q"}
    value["photos"][0]["markers"] = {"score/red": 4}
    assert problems(tmp_path, value) == [
        "scales[0].sheet: there is no sheet table.",
        "photos[0].photo: there is no photo ../elsewhere.jpg beside the file.",
        'photos[0].shows["board/Z9"]: there is no such slot (sheet/slot).',
        'photos[0].shows["board/A1"]: Q cannot lie there.',
        'photos[0].markers["score/red"]: there is no such marker (scale/marker) or space.',
    ]


def test_a_sheet_without_a_shape(tmp_path: Path) -> None:
    value = letters()
    value["sheets"]["board"] = {}
    assert problems(tmp_path, value) == ['sheets.board: a sheet has either "size" or "parts".']


def test_sheets_that_nobody_laid_out(tmp_path: Path) -> None:
    value = letters()
    value["sheets"]["second"] = {"size": [10, 10]}
    assert "assemblies: more than one sheet, but nothing says how they are laid out." in problems(
        tmp_path, value
    )


def test_a_newer_source_says_to_update(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, letters() | {"version": 2})
    assert problem.startswith("version: this source is of version 2, newer than this program reads (1)")


def test_a_wrong_type_names_its_place(tmp_path: Path) -> None:
    value = letters()
    value["things"]["letter"]["turns"] = 3
    assert any(problem.startswith("things.letter") for problem in problems(tmp_path, value))
