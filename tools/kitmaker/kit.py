"""Makes a kit: draws the set, photographs the four setups and the games, writes labels beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator

from tools.kitmaker import clutter, position
from tools.kitmaker.board_art import make_board
from tools.kitmaker.box import make_kit, player_colours
from tools.kitmaker.develop import Phone, any_phone, careful_phone, develop, encode
from tools.kitmaker.light import make_light
from tools.kitmaker.paint import Picture, hsv
from tools.kitmaker.palette import make_palette
from tools.kitmaker.position import Label
from tools.kitmaker.render import Surfaces, render
from tools.kitmaker.scene import CAREFUL, GameSet, Hands, any_hands, lay
from tools.kitmaker.solids import Solid, make_forms
from tools.kitmaker.table import make_table, wall_colour
from tools.kitmaker.tile_art import make_back, make_faces
from tools.kitmaker.view import Shot, View, aim, any_shot, setup_shot, taken

FACE_PIXELS = 200
LEAST_TAKEN, LEAST_TAKEN_HARD = 0.3, 0.25
"""The board fills at least about a third of a game's photo."""
TAP_ERROR = 3.0
"""How far a person taps off a corner, sigma in pixels of a 2400 px photo."""


@dataclass(frozen=True)
class Order:
    """What kit is wanted."""

    seed: int
    games: int = 20
    size: tuple[int, int] = (2400, 1800)
    hard: bool = False
    players: int = 4
    layout: str = "full"


def make_set(seed: int) -> GameSet:
    # a stream of its own for each part: a new brush changes no other part of the set
    box, colours, print_, faces, back, wood, stuff = (np.random.default_rng([seed, 1, k]) for k in range(7))
    kit = make_kit(box, f"made-{seed}")
    palette = make_palette(colours, player_colours(kit))
    return GameSet(
        kit,
        palette,
        make_board(print_, kit, palette),
        make_faces(faces, kit, palette, FACE_PIXELS),
        make_back(back, FACE_PIXELS),
        make_forms(wood),
        tile_thickness=float(stuff.uniform(1.8, 2.5)),
        board_thickness=float(stuff.uniform(1.5, 3.0)),
        gloss=float(stuff.uniform(0.05, 0.5)),
        castle_sits=float(stuff.choice([0.0, 1.5])),
        edge=hsv(stuff.uniform(20, 60), stuff.uniform(0, 0.35), stuff.choice([0.25, 0.6, 0.75, 0.9])),
    )


def write_kit(out: Path, order: Order, tell: Callable[[str], None] = lambda _: None) -> None:
    game = make_set(order.seed)
    for folder in ("setup", "games"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "kit.json").write_text(json.dumps(game.kit, indent=1))
    rng = np.random.default_rng([order.seed, 2])
    arrangement = position.any_arrangement(rng, game.kit, "full")
    setups = {
        "empty": position.bare(arrangement),
        "start": position.start(game.kit, arrangement),
        "tiles": position.all_tiles(game.kit, arrangement),
        "castles": position.castles_shown(rng, game.kit, arrangement),
    }
    for k, (name, label) in enumerate(setups.items()):
        rng = np.random.default_rng([order.seed, 3, k])
        photo, view, phone = photograph(
            rng, game, label, setup_shot(rng, order.size), careful_phone(rng), CAREFUL
        )
        _write(out / "setup" / name, photo, finished(label, game, view, f"{name}.jpg", tapped=rng), phone, 1)
        tell(f"setup/{name}.jpg")
    for k in range(order.games):
        rng = np.random.default_rng([order.seed, 4, k])
        label = position.game(rng, game.kit, order.players, order.layout)
        shot = _near_shot(rng, game, order)
        photo, view, phone = photograph(
            rng,
            game,
            label,
            shot,
            any_phone(rng, order.hard),
            any_hands(rng, order.hard),
            order.layout,
            order.hard,
        )
        name = f"{k + 1:02d}"
        orientation = int(rng.integers(1, 9)) if order.hard else 1
        _write(out / "games" / name, photo, finished(label, game, view, f"{name}.jpg"), phone, orientation)
        tell(f"games/{name}.jpg")


def _near_shot(rng: Generator, game: GameSet, order: Order) -> Shot:
    """A player's shot, landscape or portrait, in which the board is not too small to be read at all."""
    board = (game.kit["geometry"]["width"], game.kit["geometry"]["height"])
    while True:
        size = order.size if rng.random() < 0.75 else order.size[::-1]
        shot = any_shot(rng, size, order.hard)
        if taken(aim(shot, board), board) > (LEAST_TAKEN_HARD if order.hard else LEAST_TAKEN):
            return shot


def photograph(
    rng: Generator,
    game: GameSet,
    label: Label,
    shot: Shot,
    phone: Phone,
    hands: Hands,
    layout: str = "full",
    hard: bool = False,
) -> tuple[Picture, View, Phone]:
    """One photo of a position, upright, and the camera that took it."""
    geometry = game.kit["geometry"]
    board = (geometry["width"], geometry["height"])
    view = aim(shot, board)
    surfaces = Surfaces(
        make_table(rng),
        wall_colour(rng),
        print_gloss=game.gloss * (1.6 if hard else 0.8),
        table_gloss=float(rng.uniform(0, 0.4)),
        sharpness=float(rng.uniform(60, 500)),
        tile_thickness=game.tile_thickness,
        board_thickness=game.board_thickness,
        edge=game.edge,
    )
    scene = lay(rng, game, label, layout, hands)
    around = _clutter(rng, board)
    if hard and rng.random() < 0.4:
        around.append(clutter.hand(rng, board, view.eye))
    light = render(rng, scene, around, view, make_light(rng, board, hard), surfaces)
    return develop(rng, light, view, phone), view, phone


def _clutter(rng: Generator, board: tuple[float, float]) -> list[Solid]:
    things = []
    for _ in range(int(rng.integers(0, 6))):
        thing = clutter.thing(rng, hsv(rng.uniform(0, 360), rng.uniform(0.1, 0.8), rng.uniform(0.2, 0.9)))
        away = float(rng.uniform(75, 260))
        angle = float(rng.uniform(0, 2 * np.pi))
        out = np.array([np.cos(angle), np.sin(angle)])
        out /= np.abs(out).max()
        at = np.array(board) / 2 + out * (np.array(board) / 2 + away)
        things.append(thing.placed(float(at[0]), float(at[1]), 0.0, float(rng.uniform(0, 360))))
    return things


def finished(label: Label, game: GameSet, view: View, photo: str, tapped: Generator | None = None) -> Label:
    """The label with the board's corners in the photo: exact, or as a person taps them."""
    width, height = game.kit["geometry"]["width"], game.kit["geometry"]["height"]
    corners = view.project(np.array([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)], float))
    if tapped is not None:
        corners = corners + tapped.normal(0, TAP_ERROR * max(view.size) / 2400, (4, 2))
    return label | {"photo": photo, "corners": np.round(corners, 1).tolist(), "size": list(view.size)}


def _write(path: Path, photo: Picture, label: Label, phone: Phone, orientation: int) -> None:
    path.with_suffix(".jpg").write_bytes(encode(photo, phone.quality, orientation))
    path.with_suffix(".json").write_text(json.dumps(label, indent=1))
