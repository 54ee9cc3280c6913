"""A set as kitmaker draws it from the same seed, with other wood and, if wanted, another print."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tools.kitmaker.board_art import make_board
from tools.kitmaker.box import make_kit, player_colours
from tools.kitmaker.kit import make_cardboard
from tools.kitmaker.paint import Font, mix
from tools.kitmaker.palette import Palette, make_palette
from tools.kitmaker.scene import GameSet
from tools.kitmaker.tile_art import make_back, make_faces
from tools.pathtrace.describe import Finish, any_finish
from tools.pathtrace.forms import make_traced_forms

FACE_PIXELS = 260


def make_traced_set(seed: int, font: Font | None, faint: float) -> tuple[GameSet, Finish]:
    """`faint`: how far the colours of print and towns are drawn together, 0 to 1."""
    box, colours, print_, faces, back, wood, stuff, finish = (
        np.random.default_rng([seed, 1, k]) for k in range(8)
    )
    kit = make_kit(box, f"traced-{seed}")
    palette = fainter(make_palette(colours, player_colours(kit)), faint)
    game = GameSet(
        kit,
        palette,
        make_board(print_, kit, palette),
        make_faces(faces, kit, palette, FACE_PIXELS, font),
        make_back(back, FACE_PIXELS),
        make_traced_forms(wood),
        make_cardboard(stuff),
        castle_sits=0.0,
    )
    return game, any_finish(finish)


def fainter(palette: Palette, faint: float) -> Palette:
    if not faint:
        return palette
    fields = list(palette.terrain.values())
    common = tuple(sum(field[channel] for field in fields) / len(fields) for channel in range(3))
    b, g, r = common
    return replace(
        palette,
        terrain={kind: mix(field, (b, g, r), faint) for kind, field in palette.terrain.items()},
        village=mix(palette.village, (b, g, r), faint),
        city=mix(palette.city, (b, g, r), faint),
    )
