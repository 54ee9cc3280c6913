"""Takes one photo of a scene: table, clutter, lamps, lens and phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator

from tools.kitmaker import clutter
from tools.kitmaker.develop import Phone, develop
from tools.kitmaker.light import make_light
from tools.kitmaker.paint import Picture, hsv
from tools.kitmaker.render import Surfaces, render
from tools.kitmaker.scene import Cardboard, Scene
from tools.kitmaker.solids import Solid
from tools.kitmaker.table import make_table, wall_colour
from tools.kitmaker.view import Points, Shot, View, aim

Watch = Callable[[Scene, Sequence[Solid], View], None]
"""Is told what every photo shows: the scene, what happens to lie around it, and the camera."""

TAP_ERROR = 3.0
"""How far a person taps off a corner, sigma in pixels of a 2400 px photo."""


def take(
    rng: Generator,
    scene: Scene,
    board: tuple[float, float],
    cardboard: Cardboard,
    shot: Shot,
    phone: Phone,
    hard: bool = False,
    watch: Watch = lambda scene, around, view: None,
) -> tuple[Picture, View]:
    """The photo, upright, and the camera that took it."""
    view = aim(shot, board)
    surfaces = Surfaces(
        make_table(rng),
        wall_colour(rng),
        print_gloss=cardboard.gloss * (1.6 if hard else 0.8),
        table_gloss=float(rng.uniform(0, 0.4)),
        sharpness=float(rng.uniform(60, 500)),
        cardboard=cardboard,
    )
    around = things_around(rng, board)
    if hard and rng.random() < 0.4:
        around.append(clutter.hand(rng, board, view.eye))
    watch(scene, around, view)
    light = render(rng, scene, around, view, make_light(rng, board, hard), surfaces)
    return develop(rng, light, view, phone), view


def corners(view: View, board: tuple[float, float], tapped: Generator | None = None) -> Points:
    """The board's corners in the photo: exact, or as a person taps them."""
    width, height = board
    seen = view.project(np.array([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)], float))
    if tapped is not None:
        seen = seen + tapped.normal(0, TAP_ERROR * max(view.size) / 2400, (4, 2))
    return np.round(seen, 1)


def things_around(rng: Generator, board: tuple[float, float]) -> list[Solid]:
    """What happens to stand on the table beside the board."""
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
