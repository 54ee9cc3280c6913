"""What Blender is told of a scene agrees with the label of its photo; Blender itself is not needed here."""

from __future__ import annotations

import json
from typing import Any

import cv2
import numpy as np
import pytest

from companion.table.bundled import bundled
from tools.kitmaker import position
from tools.kitmaker.kit import make_set
from tools.kitmaker.photograph import things_around
from tools.kitmaker.scene import CAREFUL, GameSet, lay
from tools.kitmaker.view import Shot, View, aim
from tools.pathtrace.describe import any_finish, axes, describe
from tools.pathtrace.forms import CASTLES, CITIES, MARKERS, VILLAGES, Maker
from tools.pathtrace.lamps import ROOMS, make_room

SHOT = Shot((640, 480), 35.0, 70.0, 3.0, 0.9, 0.8, (0.2, -0.1), 0.0)


@pytest.fixture(scope="module")
def game() -> GameSet:
    return make_set(5, json.loads(bundled("set.json").read_text()))


@pytest.fixture(scope="module")
def described(game: GameSet, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    label = position.game(rng, game.kit, 4, "full")
    scene, board = lay(rng, game, label, "full", CAREFUL), _board(game)
    made = describe(
        rng, scene, things_around(rng, board), aim(SHOT, board), make_room(rng, board, "lamp"),
        np.full((64, 64, 3), 90, np.uint8), (200.0, 200.0, 200.0), game.cardboard, any_finish(rng),
        tmp_path_factory.mktemp("textures"),
    )  # fmt: skip
    return dict(json.loads(json.dumps(made)))


def _board(game: GameSet) -> tuple[float, float]:
    return game.kit["geometry"]["width"], game.kit["geometry"]["height"]


def test_the_described_camera_sees_every_point_where_the_label_has_it(
    game: GameSet, described: dict[str, Any]
) -> None:
    view: View = aim(SHOT, _board(game))
    camera = described["camera"]
    points = np.array([(0, 0, 0), (300, 20, 0), (150, 400, 15.0), (-60, 90, 40.0)])
    right, down, depth = np.array(camera["axes"]) @ (points - camera["eye"]).T
    middle = (np.array(camera["size"]) - 1) / 2
    seen = middle + camera["focal"] * np.column_stack([right / depth, down / depth])
    assert np.allclose(seen, view.straight(points), atol=1e-6)
    assert np.allclose(axes(view) @ axes(view).T, np.eye(3), atol=1e-9)


def test_every_sheet_has_its_print_on_disk_and_tiles_lie_on_the_board(described: dict[str, Any]) -> None:
    board, *tiles = described["sheets"]
    assert len(tiles) == 32
    assert all(cv2.imread(sheet["texture"]) is not None for sheet in described["sheets"])
    assert board["high"] == 0 and all(tile["low"] == 0 < tile["high"] for tile in tiles)
    assert described["table"]["height"] == board["low"] < 0


def test_no_lamp_shines_from_below_and_together_they_make_about_full_light(game: GameSet) -> None:
    for k, room in enumerate(ROOMS * 5):
        light = make_room(np.random.default_rng(k), _board(game), room)
        assert all(lamp.at[2] > 300 for lamp in light.lamps)
        assert light.ambient[1] + sum(lamp.colour[1] for lamp in light.lamps) == pytest.approx(1.0)


@pytest.mark.parametrize("maker", {*CASTLES, *VILLAGES, *CITIES, *MARKERS}, ids=lambda maker: maker.__name__)
def test_a_piece_stands_on_the_board_and_is_as_large_as_was_asked(maker: Maker) -> None:
    parts = maker(12.0, 15.0)
    corners = np.vstack([part.corners for part in parts])
    low, high = corners.min(0), corners.max(0)
    assert low[2] == 0
    assert 4 < high[2] <= 17
    assert 8 < (high - low)[:2].max() <= 15
    for part in parts:
        assert {k for face in part.faces for k in face} == set(range(len(part.corners)))
