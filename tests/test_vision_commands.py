"""`companion calibrate`, `scan` and `bench` as a user calls them, on the bundled pictures."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.table.bundled import bundled
from companion.table.castelli.grading import grade
from companion.table.castelli.kit import label_in

KIT = Path(__file__).resolve().parent.parent / "sample_images" / "reference"
GAMES = sorted((KIT / "games").glob("*.jpg"))
PHOTO = GAMES[-1]
CALIBRATION = bundled("calibration")
MOST_DOUBTFUL_MISTAKES = 3
"""In a photo of some 70 slots: green castles and green woods are hard to tell apart in this set."""


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def scanned(*photos: Path, calibration: Path = CALIBRATION) -> list[dict[str, Any]]:
    done = run("scan", *photos, "--calibration", calibration, "--json")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def readings() -> list[dict[str, Any]]:
    return scanned(*GAMES)


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_the_bundled_calibration_reads_the_sample_photos(readings: list[dict[str, Any]], number: int) -> None:
    graded = grade(label_in(GAMES[number].with_suffix(".json")), readings[number])
    assert graded.found and graded.arranged
    assert not graded.silent, graded.mistakes
    assert graded.tiles_wrong + graded.pieces_wrong <= MOST_DOUBTFUL_MISTAKES, graded.mistakes


def test_a_scan_is_one_object_a_line_as_other_programs_expect_it(readings: list[dict[str, Any]]) -> None:
    assert [reading["photo"]["name"] for reading in readings] == [photo.name for photo in GAMES]
    last = readings[-1]
    assert last["photo"] == {"name": "05.jpg", "width": 2000, "height": 1500}
    assert len(last["board"]["corners"]) == 4 and last["board"]["error_px"] < 3
    assert set(last) >= {"arrangement", "tiles", "castles", "towns", "resources", "track"}
    assert last["arrangement"]["NE"] == {"piece": "P4", "turned": 180}
    assert all({"state", "confidence", "doubtful"} <= set(tile) for tile in last["tiles"].values())


def test_nothing_is_said_for_sure_of_a_board_piece_under_a_cloth(tmp_path: Path) -> None:
    photo, label = cv2.imread(str(PHOTO)), label_in(PHOTO.with_suffix(".json"))
    assert photo is not None
    top_left, top_right, _, bottom_left = np.array(label.corners)
    # about the north-west quarter of the frame, a bit more than the piece: the charts lie in the east
    middle = 0.48 * (top_right + bottom_left) + 0.04 * top_left
    cloth = np.array([top_left, (top_left + top_right) / 2, middle, (top_left + bottom_left) / 2])
    cv2.fillConvexPoly(photo, cloth.round().astype(np.int32), (60, 60, 70))
    cv2.imwrite(str(tmp_path / "cloth.jpg"), photo)
    (reading,) = scanned(tmp_path / "cloth.jpg")
    assert "NW" not in reading["arrangement"] and len(reading["arrangement"]) == 3
    # . is a meadow or space of which nothing is said, ? one in doubt
    rows = [
        "".join(
            "?" if {**reading["tiles"], **reading["towns"]}.get(f"{c}{r}", {}).get("doubtful") else "."
            for c in "ABCD"
        )
        for r in range(1, 5)
    ]
    assert rows == ["????", "????", "????", "????"]
    hidden = [site for site in label.castles if site[0] in "ABCD" and site[1] in "1234"]
    assert hidden and all(reading["castles"][site]["doubtful"] for site in hidden)


def test_a_scan_in_words() -> None:
    done = run("scan", PHOTO, "--calibration", CALIBRATION)
    assert done.exit_code == 0
    assert done.output.startswith("05.jpg: the board was found") and "tiles: 32" in done.output


def test_what_was_read_is_drawn_on_the_photo(tmp_path: Path) -> None:
    out = tmp_path / "annotated.jpg"
    assert run("scan", PHOTO, "--calibration", CALIBRATION, "--annotate", out).exit_code == 0
    photo, drawn = cv2.imread(str(PHOTO)), cv2.imread(str(out))
    assert photo is not None and drawn is not None and drawn.shape == photo.shape
    assert (cv2.absdiff(photo, drawn).max(2) > 60).mean() > 0.005


def test_only_one_photo_can_be_drawn_on(tmp_path: Path) -> None:
    done = run("scan", *GAMES[:2], "--calibration", CALIBRATION, "--annotate", tmp_path / "out.jpg")
    assert done.exit_code == 2 and "name only one" in done.output


def test_a_photo_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    text = tmp_path / "notes.jpg"
    text.write_text("two silver for the red player")
    table = tmp_path / "table.jpg"
    cv2.imwrite(str(table), np.full((600, 800, 3), 120, np.uint8))
    missing = tmp_path / "missing.jpg"
    done = run("scan", text, table, missing, PHOTO, "--calibration", CALIBRATION, "--json")
    assert done.exit_code == 3
    *bad, good = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reading["photo"]["name"] for reading in bad] == ["notes.jpg", "table.jpg", "missing.jpg"]
    for reading in bad:
        assert reading["error"].endswith(".") and "Traceback" not in reading["error"]
    assert "tiles" in good


def test_a_calibration_that_is_not_there(tmp_path: Path) -> None:
    done = run("scan", PHOTO, "--calibration", tmp_path / "nowhere", "--json")
    assert done.exit_code == 2 and "companion calibrate" in done.output


def test_a_folder_that_is_no_kit(tmp_path: Path) -> None:
    done = run("calibrate", tmp_path, "--out", tmp_path / "out")
    assert done.exit_code == 2 and "no kit.json and no source.json" in done.output
    assert not (tmp_path / "out").exists()


def test_a_kit_without_labelled_games_cannot_be_measured(tmp_path: Path) -> None:
    done = run("bench", tmp_path)
    assert done.exit_code == 2 and "no labelled games" in done.output


@pytest.fixture(scope="module")
def small_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference kit with one of its games."""
    kit = tmp_path_factory.mktemp("kits") / "small"
    shutil.copytree(KIT / "setup", kit / "setup")
    (kit / "games").mkdir()
    for file in (KIT / "kit.json", GAMES[0], GAMES[0].with_suffix(".json")):
        shutil.copy(file, kit / file.relative_to(KIT))
    return kit


def test_the_bundled_calibration_is_what_calibrating_gives(
    small_kit: Path, tmp_path: Path, readings: list[dict[str, Any]]
) -> None:
    """Not byte for byte: other processors round otherwise. But it says the same, and reads the same."""
    out = tmp_path / "calibration"
    done = run("calibrate", small_kit, "--out", out)
    assert done.exit_code == 0, done.output
    assert "Learnt reference" in done.output
    assert {file.name for file in out.iterdir()} == {file.name for file in CALIBRATION.iterdir()}
    for name in ("design.json", "set.json"):
        assert (out / name).read_bytes() == (CALIBRATION / name).read_bytes(), "run `make calibration`"
    (again,) = scanned(PHOTO, calibration=out)
    assert {cell: tile["state"] for cell, tile in again["tiles"].items()} == {
        cell: tile["state"] for cell, tile in readings[-1]["tiles"].items()
    }


def test_bench_prints_the_figures(small_kit: Path) -> None:
    done = run("bench", small_kit, "--verbose")
    assert done.exit_code == 0, done.output
    figures = dict(line.split("  ", 1) for line in done.output.splitlines()[2:] if "  " in line)
    assert figures["boards found, arrangement right"].strip() == "1 and 1 of 1"
    assert figures["tiles"].strip() == "100.00 % of 32"
    assert figures["memory above cv2 and numpy, 12 MP"].strip().endswith("MB")
