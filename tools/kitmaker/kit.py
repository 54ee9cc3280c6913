"""Makes a kit: draws the set, photographs the four setups and the games, writes labels beside them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator

from tools.kitmaker import position
from tools.kitmaker.board_art import make_board
from tools.kitmaker.box import PIECE, Kit, make_kit, player_colours
from tools.kitmaker.develop import Phone, any_phone, careful_phone, encode
from tools.kitmaker.paint import Picture, hsv
from tools.kitmaker.palette import make_palette
from tools.kitmaker.photograph import Watch, corners, take
from tools.kitmaker.position import Label
from tools.kitmaker.scene import CAREFUL, Cardboard, GameSet, any_hands, lay
from tools.kitmaker.solids import make_forms
from tools.kitmaker.tile_art import make_back, make_faces
from tools.kitmaker.view import Shot, View, aim, any_shot, good_shot, setup_shot

Camera = Callable[..., tuple[Picture, View]]
"""Takes a photo of a scene as `take` does."""
FACE_PIXELS = 200
FRAMING, HARD_FRAMING = (0.3, 0.0), (0.25, 0.2)
"""The least share of the photo that the board takes, and how far its corners may lie outside, in photos."""


@dataclass(frozen=True)
class Order:
    """What kit is wanted."""

    seed: int
    games: int = 20
    size: tuple[int, int] = (2400, 1800)
    hard: bool = False
    players: int = 4
    layout: str = "full"
    piece: tuple[int, int] = PIECE
    """Columns and rows of a piece."""
    set_file: Path | None = None
    """A set that is there already; only its art is made up then."""
    positions: tuple[Label, ...] = ()
    """What the games are to show, one after another; otherwise boards are made up."""


def make_set(seed: int, kit: Kit | None = None, piece: tuple[int, int] = PIECE) -> GameSet:
    # a stream of its own for each part: a new brush changes no other part of the set
    box, colours, print_, faces, back, wood, stuff = (np.random.default_rng([seed, 1, k]) for k in range(7))
    kit = kit or make_kit(box, f"made-{seed}", piece)
    palette = make_palette(colours, player_colours(kit))
    return GameSet(
        kit,
        palette,
        make_board(print_, kit, palette),
        make_faces(faces, kit, palette, FACE_PIXELS),
        make_back(back, FACE_PIXELS),
        make_forms(wood),
        make_cardboard(stuff),
        castle_sits=float(stuff.choice([0.0, 1.5])),
    )


def make_cardboard(rng: Generator) -> Cardboard:
    return Cardboard(
        tile_thickness=float(rng.uniform(1.8, 2.5)),
        board_thickness=float(rng.uniform(1.5, 3.0)),
        gloss=float(rng.uniform(0.05, 0.5)),
        edge=hsv(rng.uniform(20, 60), rng.uniform(0, 0.35), rng.choice([0.25, 0.6, 0.75, 0.9])),
    )


def write_kit(
    out: Path,
    order: Order,
    tell: Callable[[str], None] = lambda _: None,
    watch: Watch = lambda scene, around, view: None,
) -> None:
    given = order.set_file.read_bytes() if order.set_file else None
    game = make_set(order.seed, json.loads(given) if given else None, order.piece)
    for folder in ("setup", "games"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "kit.json").write_bytes(given or json.dumps(game.kit, indent=1).encode())
    photograph_setups(out / "setup", game, order, tell, watch)
    photograph_games(out / "games", game, order, tell, watch)


def photograph_setups(
    out: Path,
    game: GameSet,
    order: Order,
    tell: Callable[[str], None],
    watch: Watch = lambda scene, around, view: None,
    camera: Camera = take,
) -> None:
    """The four photos that a calibration is learnt from."""
    rng = np.random.default_rng([order.seed, 2])
    arrangement = position.any_arrangement(rng, game.kit, "full")
    setups = {
        "empty": position.bare(game.kit, arrangement),
        "start": position.start(game.kit, arrangement),
        "tiles": position.all_tiles(game.kit, arrangement),
        "castles": position.castles_shown(rng, game.kit, arrangement),
    }
    for k, (name, label) in enumerate(setups.items()):
        rng = np.random.default_rng([order.seed, 3, k])
        shot, phone = _setup_shot(rng, game, order), careful_phone(rng)
        scene = lay(rng, game, label, "full", CAREFUL)
        photo, view = camera(rng, scene, _board(game), game.cardboard, shot, phone, watch=watch)
        write_photo(out / name, photo, finished(label, game, view, f"{name}.jpg", tapped=rng), phone)
        tell(f"setup/{name}.jpg")


def photograph_games(
    out: Path,
    game: GameSet,
    order: Order,
    tell: Callable[[str], None],
    watch: Watch = lambda scene, around, view: None,
    camera: Camera = take,
) -> None:
    for k in range(len(order.positions) or order.games):
        rng = np.random.default_rng([order.seed, 4, k])
        if order.positions:
            label = position.shown(order.positions[k])
        else:
            label = position.game(rng, game.kit, order.players, order.layout)
        shot, phone = _near_shot(rng, game, order), any_phone(rng, order.hard)
        scene = lay(rng, game, label, order.layout, any_hands(rng, order.hard))
        photo, view = camera(rng, scene, _board(game), game.cardboard, shot, phone, order.hard, watch)
        name = f"{k + 1:02d}"
        orientation = int(rng.integers(1, 9)) if order.hard else 1
        done = finished(label, game, view, f"{name}.jpg")
        write_photo(out / name, photo, done, phone, orientation)
        tell(f"games/{name}.jpg")


def _setup_shot(rng: Generator, game: GameSet, order: Order) -> Shot:
    while True:
        shot = setup_shot(rng, order.size)
        if good_shot(aim(shot, _board(game)), _board(game), *FRAMING):
            return shot


def _near_shot(rng: Generator, game: GameSet, order: Order) -> Shot:
    """A player's shot, landscape or portrait, in which the board is not too small to be read at all."""
    board = _board(game)
    while True:
        size = order.size if rng.random() < 0.75 else order.size[::-1]
        shot = any_shot(rng, size, order.hard)
        if good_shot(aim(shot, board), board, *(HARD_FRAMING if order.hard else FRAMING)):
            return shot


def _board(game: GameSet) -> tuple[float, float]:
    return game.kit["geometry"]["width"], game.kit["geometry"]["height"]


def finished(label: Label, game: GameSet, view: View, photo: str, tapped: Generator | None = None) -> Label:
    """The label with the board's corners in the photo."""
    seen = corners(view, _board(game), tapped).tolist()
    return label | {"photo": photo, "corners": seen, "size": list(view.size)}


def write_photo(path: Path, photo: Picture, label: Label, phone: Phone, orientation: int = 1) -> None:
    path.with_suffix(".jpg").write_bytes(encode(photo, phone.quality, orientation))
    path.with_suffix(".json").write_text(json.dumps(label, indent=1))
