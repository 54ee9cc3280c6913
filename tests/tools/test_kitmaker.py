"""Made-up kits obey the rulebook and their labels say where things are in the photo."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.table.bundled import bundled
from companion.table.castelli.setfile import load_set
from tools.kitmaker import position
from tools.kitmaker.board_art import octagon, outlines
from tools.kitmaker.box import make_kit, player_colours, runs
from tools.kitmaker.develop import any_phone, encode
from tools.kitmaker.kit import Order, make_set, photograph_games, write_kit
from tools.kitmaker.photograph import corners, take
from tools.kitmaker.scene import CAREFUL, GameSet, chart_shift, lay, middle_of
from tools.kitmaker.view import Shot, aim

ROOT = Path(__file__).resolve().parent.parent.parent
REFERENCE = bundled("set.json")
"""It has what made-up sets lack: an area in two parts, and areas with outlines of their own."""
GIVEN = json.loads((ROOT / "sample_images" / "reference" / "games" / "03.json").read_text())
ORDER = Order(seed=3, size=(480, 360), hard=True, set_file=REFERENCE, positions=(GIVEN, GIVEN))


@pytest.fixture(scope="module")
def game() -> GameSet:
    """Drawing a set takes longest, so that the tests share one."""
    return make_set(ORDER.seed, json.loads(REFERENCE.read_text()))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("kit")
    write_kit(out, ORDER)
    return out


def label_of(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text()))


@pytest.mark.parametrize("seed", range(12))
def test_a_made_up_set_passes_the_checks_of_a_set_file(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "kit.json"
    file.write_text(json.dumps(make_kit(np.random.default_rng([seed, 1, 0]), f"made-{seed}")))
    assert len(load_set(file).tiles) == 36


@pytest.mark.parametrize("piece", [(2, 4), (6, 4), (2, 2)])
def test_a_made_up_edition_has_other_cells_and_passes_the_same_checks(
    piece: tuple[int, int], tmp_path: Path
) -> None:
    kit = make_kit(np.random.default_rng([5, 1, 0]), "made", piece)
    file = tmp_path / "kit.json"
    file.write_text(json.dumps(kit))
    game_set = load_set(file)
    assert (game_set.columns, game_set.rows) == piece
    start = position.start(kit, position.any_arrangement(np.random.default_rng(1), kit, "full"))
    assert len(start["tiles"]) == 2 * piece[0] * piece[1]


@pytest.mark.parametrize("seed", range(6))
def test_no_two_tiles_can_be_confused_by_turning_them(seed: int) -> None:
    kit = make_kit(np.random.default_rng(seed), "kit")
    looks = set()
    for tile in kit["tiles"]:
        sides = [tuple(side) for side in tile["sides"]]
        looks.add((min(tuple(map(str, sides[k:] + sides[:k])) for k in range(4)), tile["silver"]))
    assert len(looks) == 36


def test_a_draw_in_which_the_start_tiles_find_no_look_of_their_own_left_begins_again() -> None:
    """This one drew all six ways round of a 3 without silver before the last start tile came."""
    made = make_kit(np.random.default_rng([303, 1, 0]), "kit")
    assert [tile["id"] for tile in made["tiles"]][-4:] == ["S1", "S2", "S3", "S4"]


@pytest.mark.parametrize(("players", "layout"), [(4, "full"), (3, "full"), (2, "two"), (4, "tournament")])
def test_games_use_no_more_than_the_box_holds(players: int, layout: str) -> None:
    for seed in range(25):
        rng = np.random.default_rng(seed)
        kit = make_kit(rng, "kit")
        label = position.game(rng, kit, players, layout)
        names = [lies["tile"] for lies in label["tiles"].values() if lies != "down"]
        castles = Counter(colour for stack in label["castles"].values() for colour in stack)
        towns = Counter(label["towns"].values())
        assert len(label["tiles"]) == (16 if layout == "two" else 32)
        assert max(Counter(names).values(), default=0) <= 1
        assert max(castles.values(), default=0) <= 9
        assert len(castles) <= players == len(label["track"])
        assert all(len(stack) <= 2 and len(set(stack)) == len(stack) for stack in label["castles"].values())
        assert towns["village"] <= 13 and towns["city"] <= 8
        assert label["mine_silver"] <= {4: 22, 3: 16, 2: 11}[players]
        assert set(label["resources"]) == set(label["track"]) <= set(player_colours(kit))


def test_the_castles_photo_shows_twelve_sites_four_of_them_built_over() -> None:
    rng = np.random.default_rng(1)
    kit = make_kit(rng, "kit")
    label = position.castles_shown(rng, kit, position.any_arrangement(rng, kit, "full"))
    assert Counter(len(stack) for stack in label["castles"].values()) == {1: 8, 2: 4}
    assert Counter(stack[-1] for stack in label["castles"].values()) == dict.fromkeys(player_colours(kit), 3)


def test_a_kit_has_the_four_setup_photos_and_its_games(made: Path) -> None:
    found = sorted(str(path.relative_to(made)) for path in made.rglob("*.jpg"))
    assert found == [
        "games/01.jpg",
        "games/02.jpg",
        "setup/castles.jpg",
        "setup/empty.jpg",
        "setup/start.jpg",
        "setup/tiles.jpg",
    ]
    for jpg in made.rglob("*.jpg"):
        label = label_of(jpg.with_suffix(".json"))
        upright = cv2.imread(str(jpg))
        assert upright is not None
        assert [upright.shape[1], upright.shape[0]] == label["size"]
        assert label["photo"] == jpg.name


def test_the_same_seed_makes_the_same_kit(made: Path, game: GameSet, tmp_path: Path) -> None:
    """The set was drawn twice too, once for the kit and once for these photos."""
    photograph_games(tmp_path, game, ORDER, lambda name: None, lambda scene, around, view: None)
    for path in made.glob("games/*"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_a_given_set_and_given_positions_are_photographed(made: Path) -> None:
    assert (made / "kit.json").read_bytes() == REFERENCE.read_bytes()
    labels = [label_of(made / "games" / name) for name in ("01.json", "02.json")]
    for label in labels:
        assert position.shown(label) == position.shown(GIVEN)
    assert labels[0]["corners"] != labels[1]["corners"]


@pytest.mark.parametrize(
    ("sides", "in_runs"),
    [("N", ["N"]), ("NS", ["N", "S"]), ("WN", ["WN"]), ("NW", ["WN"]), ("EWN", ["WNE"]), ("ESWN", ["ESWN"])],
)
def test_sides_beside_each_other_make_one_wedge(sides: str, in_runs: list[str]) -> None:
    assert runs(sides) == in_runs


def test_the_areas_of_a_space_fill_its_octagon(game: GameSet) -> None:
    geometry = game.kit["geometry"]
    size = geometry["pitch"], geometry["octagon"]
    whole = cv2.contourArea(octagon(*size).astype(np.float32))
    for piece in game.kit["pieces"].values():
        for space in piece["spaces"].values():
            parts = [part for area in space["areas"] for part in outlines(*size, area)]
            covered = sum(cv2.contourArea(part.astype(np.float32)) for part in parts)
            assert covered == pytest.approx(whole, rel=0.01)


@pytest.mark.parametrize("tilt", [0.0, 25.0, 45.0])
@pytest.mark.parametrize("side", [0.0, 130.0])
def test_a_tile_lies_where_its_label_and_the_camera_say(game: GameSet, tilt: float, side: float) -> None:
    """A white square put in for a face is found in the photo about the projected middle of its cell."""
    white = np.full_like(game.back, 255)
    marked = replace(game, back=np.zeros_like(game.back), faces=dict.fromkeys(game.faces, white))
    rng = np.random.default_rng(5)
    arrangement = position.any_arrangement(rng, game.kit, "full")
    label = position.start(game.kit, arrangement) | {"towns": {}, "mine_silver": 0}
    cells = ("A1", "H8", "D4", "E7")
    for cell in cells:
        label["tiles"][cell] = {"tile": "T01", "turns": 0}
    board = (game.kit["geometry"]["width"], game.kit["geometry"]["height"])
    shot = Shot((800, 600), tilt, side, 0.0, 0.95, 0.8, (0.0, 0.0), 0.02)
    cardboard = replace(game.cardboard, gloss=0.0)
    photo, view = take(
        rng, lay(rng, marked, label, "full", CAREFUL), board, cardboard, shot, any_phone(rng, False)
    )
    height = game.cardboard.tile_thickness
    for cell in label["tiles"]:
        x, y = view.project(np.array([[*middle_of(game.kit, cell), height]]))[0].round().astype(int)
        brightness = photo[y - 1 : y + 2, x - 1 : x + 2].mean()
        assert (brightness > 100) == (cell in cells)


def test_the_labelled_corners_bound_the_print(game: GameSet) -> None:
    """Bent lens and all: where a blue sheet and a red one differ in the photo lie the labelled corners."""
    rng = np.random.default_rng(6)
    board = (game.kit["geometry"]["width"], game.kit["geometry"]["height"])
    label = position.bare(game.kit, position.any_arrangement(rng, game.kit, "full"))
    scene = lay(rng, game, label, "full", CAREFUL)
    shot = Shot((800, 600), 30.0, 20.0, 2.0, 0.9, 0.8, (0.0, 0.0), 0.06)
    calm = replace(any_phone(rng, False), soft_ends=0.0, shake=(0.0, 0.0), noise=0.0)
    photos = []
    for colour in (
        (200, 0, 0),
        (0, 0, 200),
    ):  # the same table, lamps and clutter twice: only the print differs
        sheet = replace(scene, print=np.full_like(scene.print, colour))
        photos.append(take(np.random.default_rng(8), sheet, board, game.cardboard, shot, calm))
    differs = cv2.absdiff(photos[0][0], photos[1][0]).max(-1) > 60
    seen = np.zeros(differs.shape, np.uint8)
    cv2.fillConvexPoly(seen, np.round(corners(photos[0][1], board)).astype(np.int32), 1)
    agreement = (differs & (seen > 0)).sum() / (differs | (seen > 0)).sum()
    assert agreement > 0.97


def test_halves_part_to_let_the_charts_between_them(game: GameSet) -> None:
    kit = game.kit
    left, right = middle_of(kit, "D1", "tournament"), middle_of(kit, "E1", "tournament")
    chart = kit["chart"]["wood"][0][0] + chart_shift(kit, "tournament")
    assert left[0] < chart < right[0]
    assert right[0] - left[0] == pytest.approx(kit["geometry"]["pitch"] + kit["geometry"]["chart"])


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_viewer_sees_the_photo_upright_whatever_the_tag(orientation: int) -> None:
    photo = cv2.resize(np.random.default_rng(0).integers(0, 255, (6, 8, 3)).astype(np.uint8), (160, 120))
    data = np.frombuffer(encode(photo, 95, orientation), np.uint8)
    upright = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert upright is not None
    assert upright.shape == photo.shape
    assert cv2.absdiff(upright, photo).mean() < 6


def test_a_shot_keeps_the_board_in_the_frame() -> None:
    for tilt in (0.0, 20.0, 50.0):
        for side in range(0, 360, 40):
            view = aim(Shot((600, 800), tilt, float(side), 3.0, 0.9, 0.7, (0.5, -0.5), 0.0), (534.0, 472.0))
            seen = corners(view, (534.0, 472.0))
            assert (seen > -2).all() and (seen < np.array([602, 802])).all()
            around = [*seen, seen[0], seen[1]]
            turns = [np.linalg.det([b - a, c - b]) for (a, b), (_, c) in pairwise(pairwise(around))]
            assert min(turns) > 0  # clockwise in the photo: the board is seen from above
