"""How paints look in one photo, told from all pieces together."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.pieces import Form, Paint, PieceLooks
from companion.vision.pieces_ground import Ground
from companion.vision.pieces_print import FLOOR, GAMMA, OPPONENT, USUAL_PRINT, Floats
from companion.vision.plane import Window
from companion.vision.wood_light import WoodLight, wood_light

SIDE = 60
# luminance, red - green, yellow - blue
PAINTS = {"red": (-1.0, 1.2, 0.6), "orange": (-0.9, 0.75, 0.6), "blue": (-1.2, -0.2, -0.7)}


def looks() -> PieceLooks:
    form = Form(np.array([0.0, 10.0]), np.array([5.0, 5.0]), 10.0)
    spread = np.array([[0.25, 0.1, 0.1]], np.float32)
    paints = {
        name: Paint(np.array([at], np.float32), spread, np.ones(1, np.float32)) for name, at in PAINTS.items()
    }
    return PieceLooks(dict.fromkeys(paints, form), paints)


def board_of(colours: Floats) -> Ground:
    """A board on which every spot shows a piece of these colours, n of them in a row again and again."""
    logs = np.resize(colours, (SIDE * SIDE, 3)) @ np.linalg.inv(OPPONENT.astype(np.float64)).T
    light = np.maximum(np.exp(logs * GAMMA) - FLOOR, 0).reshape(SIDE, SIDE, 3).astype(np.float32)
    everywhere = np.ones((SIDE, SIDE), bool)
    sure = np.full((SIDE, SIDE), 5, np.float32)
    return Ground(
        Window(0, 0, 1.0, SIDE, SIDE), np.array([0.0, 0.0, 900.0]), {}, np.eye(3), light,
        np.ones_like(light), np.zeros_like(light), -sure, sure, ~everywhere, everywhere,
    )  # fmt: skip


def seen(names: str, strength: float, shift: float) -> Floats:
    rng = np.random.default_rng(7)
    true = np.array([PAINTS[name] for name in names.split()])
    many = np.tile(true, (SIDE * SIDE // len(true), 1)) + rng.normal(
        0, (0.2, 0.08, 0.08), (SIDE * SIDE // len(true), 3)
    ).repeat(len(true), 0)
    return np.asarray(many * (1, strength, strength) + (shift, 0, 0), np.float32)


def named(ground: Ground, light: WoodLight, count: int) -> list[str]:
    """What the first spots look like most."""
    density = looks().densities(light.colours(ground, np.arange(count)))
    return [looks().names[k] for k in density.argmax(axis=1)]


def test_reds_that_turned_pale_are_told_by_the_others_that_did() -> None:
    board = board_of(seen("red orange blue", 0.72, -0.1))
    assert named(board, WoodLight(), 3) == ["orange", "orange", "blue"]
    light = wood_light(board, looks())
    assert named(board, light, 3) == ["red", "orange", "blue"]
    assert light.strength > 1.2


def test_paints_as_they_were_learnt_stay_as_they_are() -> None:
    light = wood_light(board_of(seen("red orange blue", 1.0, 0.0)), looks())
    assert 0.9 <= light.strength <= 1.1
    assert light.shift == pytest.approx((0, 0, 0), abs=0.08)


def test_a_bare_board_tells_nothing() -> None:
    board = board_of(seen("red", 1.0, 0.0))
    board.piece[:] = -5
    assert wood_light(board, looks()) == WoodLight()


def test_a_veil_brighter_than_what_is_seen_does_not_lie_on_wood() -> None:
    # the paper mirrors a window, the wood does not: with the veil taken off, every paint would be black
    black_and_blue = {"black": (-1.74, 0.0, 0.0), "blue": PAINTS["blue"]}
    paints = {
        name: Paint(
            np.array([at], np.float32), np.array([[0.25, 0.1, 0.1]], np.float32), np.ones(1, np.float32)
        )
        for name, at in black_and_blue.items()
    }
    known = PieceLooks(dict.fromkeys(paints, next(iter(looks().forms.values()))), paints)
    board = board_of(seen("blue", 0.8, -0.2))
    board.veil[:] = 0.3
    board.gain[:] -= 0.3 / USUAL_PRINT
    light = wood_light(board, known)
    density = known.densities(light.colours(board, np.arange(9)))
    assert {known.names[k] for k in density.argmax(axis=1)} == {"blue"}
