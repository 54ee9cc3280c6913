"""The letter game: its photos show the letters that their labels name."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tools.kitmaker.letters import LetterPhoto, LetterSet, letter_photos, scattered, slots, write_letters

Letters = tuple[LetterSet, dict[str, LetterPhoto], list[LetterPhoto]]


@pytest.fixture(scope="module")
def made() -> Letters:
    return letter_photos(2, 2, (640, 480))


def straightened(game: LetterSet, photo: LetterPhoto) -> np.ndarray:
    """The board from above, 4 pixels a millimetre."""
    width, height = (round(4 * side) for side in game.board)
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    warp = cv2.getPerspectiveTransform(np.array(photo.corners, np.float32), square)
    return cv2.cvtColor(cv2.warpPerspective(photo.picture, warp, (width, height)), cv2.COLOR_BGR2GRAY)


def test_slots_with_a_letter_look_unlike_the_bare_board(made: Letters) -> None:
    game, setup, _ = made
    bare, laid = straightened(game, setup["empty"]), straightened(game, setup["letters-1"])
    half = int(game.tile * 4 * 0.4)
    changed = {}
    for slot in slots():
        x, y = (round(4 * v) for v in game.middle(slot))
        window = np.s_[y - half : y + half, x - half : x + half]
        changed[slot] = 1 - cv2.matchTemplate(bare[window], laid[window], cv2.TM_CCOEFF_NORMED)[0, 0]
    covered = [changed[slot] for slot in slots() if slot in setup["letters-1"].letters]
    free = [changed[slot] for slot in slots() if slot not in setup["letters-1"].letters]
    assert np.median(covered) > 1.2 * np.median(free)


def test_every_letter_is_shown_in_each_setup_photo(made: Letters) -> None:
    game, setup, _ = made
    for name in ("letters-1", "letters-2"):
        assert set(setup[name].letters.values()) == set(game.faces)
    assert setup["empty"].letters == {}


def test_most_slots_of_a_game_are_empty(made: Letters) -> None:
    for photo in made[2]:
        assert 0 < len(photo.letters) < len(slots()) / 2
        assert set(photo.letters) <= set(slots())


def test_scattering_is_decided_by_the_seed() -> None:
    assert scattered(np.random.default_rng(3)) == scattered(np.random.default_rng(3))


def test_the_folder_holds_plain_values(tmp_path: Path) -> None:
    write_letters(tmp_path, 2, 1, (320, 240))
    described = json.loads((tmp_path / "letters.json").read_text())
    assert len(described["slots"]) == 225
    label = json.loads((tmp_path / "games" / "01.json").read_text())
    picture = cv2.imread(str(tmp_path / "games" / "01.jpg"))
    assert picture is not None
    assert [picture.shape[1], picture.shape[0]] == label["size"] == [320, 240]
    assert len(label["corners"]) == 4
