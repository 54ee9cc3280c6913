"""The sample pictures: labels that fit the demo game, photos that fit their labels, a small clone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from companion.scoring.castelli.history import replay
from companion.scoring.castelli.records import position_record
from companion.table.bundled import bundled
from companion.table.castelli.gamefile import load_game
from companion.table.castelli.kit import label_in, source_of
from companion.table.castelli.setfile import load_set
from tools.kitmaker.position import shown
from tools.make_demo_game import REVEALS, Demo
from tools.make_sample_images import EVENING, MOMENTS, PHOTOGRAPHED

SAMPLES = Path(__file__).resolve().parent.parent.parent / "sample_images"
LABELS = sorted(SAMPLES.glob("*/*/*.json"))
MOST_BYTES = 15_000_000


def test_the_pictures_show_the_bundled_set() -> None:
    assert (SAMPLES / "reference" / "kit.json").read_bytes() == bundled("set.json").read_bytes()


@pytest.mark.parametrize(("number", "turns"), list(enumerate(MOMENTS, start=1)))
def test_each_game_shows_the_demo_game_after_so_many_turns(number: int, turns: int) -> None:
    label = json.loads((SAMPLES / "reference" / "games" / f"{number:02d}.json").read_text())
    position = Demo().play(turns).position
    assert shown(label) == shown(position_record(position))


def test_the_last_but_one_is_where_the_bundled_game_stands() -> None:
    game = load_game(bundled("demo.json")).game
    assert MOMENTS[-2] == REVEALS and replay(game.start, game.events).position == Demo().play().position


def test_there_are_photos_to_try() -> None:
    assert len(LABELS) == 4 + 5 + 4 + 4


def test_the_evening_shows_turns_in_a_row() -> None:
    first = EVENING[int(PHOTOGRAPHED[0]) - 1]
    start = json.loads((SAMPLES / "evening" / "start.json").read_text())
    assert start == position_record(Demo().play(first - 1).position)
    for number in range(len(PHOTOGRAPHED)):
        label = json.loads((SAMPLES / "evening" / f"{number + 1:02}.json").read_text())
        assert shown(label) == shown(position_record(Demo().play(first + number).position))


@pytest.mark.parametrize("label", LABELS, ids=lambda path: str(path.relative_to(SAMPLES)))
def test_a_label_names_its_photo_and_corners_in_it(label: Path) -> None:
    told = label_in(label)
    with Image.open(label.parent / told.photo) as photo:
        width, height = ImageOps.exif_transpose(photo).size
    assert all(0 <= x <= width and 0 <= y <= height for x, y in told.corners)


@pytest.mark.parametrize("kit", ["reference", "kit-a"])
def test_a_kit_can_be_learnt_from(kit: str) -> None:
    folder = SAMPLES / kit
    source = source_of(folder, load_set(folder / "kit.json"))
    assert [photo.photo.stem for photo in source.photos] == ["castles", "empty", "start", "tiles"]


def test_a_clone_stays_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*") if path.is_file()) <= MOST_BYTES
