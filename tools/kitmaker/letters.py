"""A second, different game: a 15 x 15 board for letter tiles, most slots empty, all tiles upright.

`make_letters(seed)` draws the set; `photograph_letters` lays words and takes a photo. Everything that comes
out is plain: `LetterSet.described()` is the geometry as JSON values, a photo has its picture, corners and
the letters by slot. `write_letters` puts the same into a folder:

    letters.json            size of the board, pitch, origin, tile, thickness, letters, middles of the slots
    setup/NAME.jpg|.json    empty (nothing lies there), letters-1 and letters-2 (every letter, scattered)
    games/NN.jpg|.json      words in play; {"photo", "size", "corners", "letters": {"H8": "A", ...}}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker import icons
from tools.kitmaker.develop import any_phone, careful_phone
from tools.kitmaker.ink import MM
from tools.kitmaker.kit import FRAMING, make_cardboard, write_photo
from tools.kitmaker.paint import (
    FONTS,
    TEXTURES,
    Picture,
    contrasting,
    fill,
    glyph,
    hsv,
    line,
    mix,
    stamp,
    texture,
)
from tools.kitmaker.photograph import corners, take
from tools.kitmaker.scene import Cardboard, LaidTile, Scene
from tools.kitmaker.view import aim, any_shot, good_shot, setup_shot

SIDE = 15
FACE = 200
PRINTED = tuple(font for font in FONTS if font != cv2.FONT_HERSHEY_SCRIPT_COMPLEX)
COMMON = "EEEEAAAIIIOOONNNRRRTTTLLSSUUDDGGBCMPFHVWYKJXQZ"
WORDS = 12


@dataclass(frozen=True)
class LetterSet:
    name: str
    board: tuple[float, float]
    origin: tuple[float, float]
    pitch: float
    tile: float
    print: Picture
    faces: dict[str, Picture]
    cardboard: Cardboard

    def middle(self, slot: str) -> tuple[float, float]:
        column, row = ascii_uppercase.index(slot[0]), int(slot[1:]) - 1
        return self.origin[0] + (column + 0.5) * self.pitch, self.origin[1] + (row + 0.5) * self.pitch

    def described(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unit": "mm",
            "board": list(self.board),
            "origin": list(self.origin),
            "pitch": self.pitch,
            "tile": self.tile,
            "thickness": round(self.cardboard.tile_thickness, 2),
            "letters": sorted(self.faces),
            "slots": {slot: list(self.middle(slot)) for slot in slots()},
        }


@dataclass(frozen=True)
class LetterPhoto:
    picture: Picture
    """Upright BGR."""
    corners: list[list[float]]
    letters: dict[str, str]

    def label(self, name: str) -> dict[str, Any]:
        height, width = self.picture.shape[:2]
        return {"photo": name, "size": [width, height], "corners": self.corners, "letters": self.letters}


def slots() -> list[str]:
    return [f"{ascii_uppercase[c]}{r + 1}" for r in range(SIDE) for c in range(SIDE)]


def make_letters(seed: int) -> LetterSet:
    rng = np.random.default_rng([seed, 11])
    pitch = round(float(rng.uniform(19, 24)), 1)
    rim = round(float(rng.uniform(12, 26)), 1)
    side = round(SIDE * pitch + 2 * rim, 1)
    cardboard = make_cardboard(rng)
    return LetterSet(
        f"letters-{seed}",
        (side, side),
        (rim, rim),
        pitch,
        round(pitch * float(rng.uniform(0.86, 0.94)), 1),
        _draw_board(rng, side, rim, pitch),
        _draw_faces(rng),
        cardboard,
    )


def _draw_board(rng: Generator, side: float, rim: float, pitch: float) -> Picture:
    """Plain squares, bonus squares placed alike in all four quarters, a name on the rim."""
    shape = (round(side * MM), round(side * MM))
    ground = hsv(rng.uniform(0, 360), rng.uniform(0.1, 0.5), rng.uniform(0.4, 0.8))
    canvas = texture(rng, str(rng.choice(TEXTURES)), shape, ground, MM, 0.7)
    inner = hsv(rng.uniform(0, 360), rng.uniform(0.05, 0.35), rng.uniform(0.6, 0.9))
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    fill(
        canvas,
        (rim + square * SIDE * pitch) * MM,
        texture(rng, str(rng.choice(TEXTURES)), shape, inner, MM, 0.4),
    )
    bonus = [hsv(rng.uniform(0, 360), rng.uniform(0.4, 0.8), rng.uniform(0.5, 0.9)) for _ in range(4)]
    marks = [icons.SHIELDS[int(k)] for k in rng.permutation(len(icons.SHIELDS))[:4]]
    half = SIDE // 2 + 1
    kinds = rng.choice(5, (half, half), p=[0.72, 0.1, 0.08, 0.06, 0.04])
    kinds = np.triu(kinds) + np.triu(kinds, 1).T
    kinds[half - 1, half - 1] = 4
    for r in range(SIDE):
        for c in range(SIDE):
            kind = int(kinds[min(r, SIDE - 1 - r), min(c, SIDE - 1 - c)])
            corner = np.array([rim + c * pitch, rim + r * pitch])
            if kind:
                fill(canvas, (corner + square * pitch) * MM, bonus[kind - 1], 0.85)
                art = icons.blank()
                icons.shape(art, marks[kind - 1](), mix(bonus[kind - 1], contrasting(bonus[kind - 1]), 0.7))
                stamp(canvas, art, (corner + pitch / 2) * MM, pitch * 0.45 * MM)
            line(canvas, (corner + square * pitch) * MM, mix(inner, contrasting(inner), 0.6), 0.4 * MM)
    font = FONTS[int(rng.integers(len(FONTS)))]
    name = glyph("LETTERS", font, contrasting(ground), 0.12)
    stamp(canvas, name, np.array([side / 2, rim / 2]) * MM, rim * 0.4 * MM)
    for k in range(SIDE):  # coordinates along two sides break the symmetry of the squares
        mark = glyph(str(k + 1), font, contrasting(ground), 0.1)
        stamp(canvas, mark, np.array([rim / 2, rim + (k + 0.5) * pitch]) * MM, rim * 0.3 * MM)
    return np.clip(canvas, 0, 255).astype(np.uint8)


def _draw_faces(rng: Generator) -> dict[str, Picture]:
    """Letter, and its worth in the lower right corner; each tile of a letter looks the same."""
    paper = hsv(rng.uniform(25, 55), rng.uniform(0.1, 0.45), rng.uniform(0.7, 0.95))
    if rng.random() < 0.25:
        paper = hsv(rng.uniform(0, 360), 0.4, 0.3)
    ink = mix(paper, contrasting(paper), 0.95)
    ground = texture(rng, str(rng.choice(TEXTURES)), (FACE, FACE), paper, FACE / 19, 0.4)
    font, bold = PRINTED[int(rng.integers(len(PRINTED)))], float(rng.uniform(0.1, 0.18))
    size = float(rng.uniform(0.48, 0.62))
    faces = {}
    for letter in ascii_uppercase:
        face = ground.copy()
        stamp(face, glyph(letter, font, ink, bold), (FACE * 0.46, FACE * 0.46), FACE * size)
        worth = str(1 + (ord(letter) * 7) % 10)
        stamp(face, glyph(worth, font, ink, bold), (FACE * 0.82, FACE * 0.82), FACE * 0.17)
        line(face, [(2, 2), (FACE - 3, 2), (FACE - 3, FACE - 3), (2, FACE - 3)], mix(paper, ink, 0.4), 4)
        faces[letter] = np.clip(face, 0, 255).astype(np.uint8)
    return faces


def scattered(rng: Generator) -> dict[str, str]:
    """Every letter at two or three places of the board."""
    places = [slots()[int(k)] for k in rng.permutation(SIDE * SIDE)]
    letters = list(ascii_uppercase) * 3
    return dict(sorted(zip(places, letters[: int(rng.integers(52, 79))], strict=False)))


def words_in_play(rng: Generator) -> dict[str, str]:
    """Runs of letters across and down, the first through the middle."""
    laid: dict[str, str] = {}
    for k in range(int(rng.integers(1, WORDS + 1))):
        length, down = int(rng.integers(2, 8)), bool(rng.integers(2))
        start, lane = int(rng.integers(0, SIDE - length + 1)), int(rng.integers(SIDE))
        if k == 0:
            start, lane = SIDE // 2 - length // 2, SIDE // 2
        for at in range(start, start + length):
            c, r = (lane, at) if down else (at, lane)
            laid.setdefault(f"{ascii_uppercase[c]}{r + 1}", COMMON[int(rng.integers(len(COMMON)))])
    return laid


def photograph_letters(
    rng: Generator, game: LetterSet, letters: dict[str, str], size: tuple[int, int], setup: bool
) -> LetterPhoto:
    """One photo of the board with `letters` on it; a setup photo is taken with care, its corners tapped."""
    loose = 0.4 if setup else float(rng.uniform(0.5, 1.2))
    tiles = []
    for slot, letter in letters.items():
        x, y = game.middle(slot)
        dx, dy = rng.normal(0, 0.4 * loose, 2)
        tiles.append(
            LaidTile(game.faces[letter], x + dx, y + dy, float(rng.normal(0, 1.5 * loose)), game.tile)
        )
    shot, phone = setup_shot(rng, size), careful_phone(rng)
    if not setup:
        shot, phone = any_shot(rng, size, False), any_phone(rng, False)
        while not good_shot(aim(shot, game.board), game.board, *FRAMING):
            shot = any_shot(rng, size, False)
    picture, view = take(rng, Scene(game.print, tuple(tiles), ()), game.board, game.cardboard, shot, phone)
    _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, phone.quality])
    picture = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
    return LetterPhoto(picture, corners(view, game.board, rng if setup else None).tolist(), letters)


def letter_photos(
    seed: int, games: int, size: tuple[int, int]
) -> tuple[LetterSet, dict[str, LetterPhoto], list[LetterPhoto]]:
    """A set, its labelled setup photos by name, and photos of games."""
    game = make_letters(seed)
    setup = {}
    for k, name in enumerate(("empty", "letters-1", "letters-2")):
        rng = np.random.default_rng([seed, 12, k])
        laid = {} if name == "empty" else scattered(rng)
        setup[name] = photograph_letters(rng, game, laid, size, setup=True)
    played = []
    for k in range(games):
        rng = np.random.default_rng([seed, 13, k])
        played.append(photograph_letters(rng, game, words_in_play(rng), size, setup=False))
    return game, setup, played


def write_letters(out: Path, seed: int, games: int, size: tuple[int, int] = (2400, 1800)) -> None:
    game, setup, played = letter_photos(seed, games, size)
    for folder in ("setup", "games"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    (out / "letters.json").write_text(json.dumps(game.described(), indent=1))
    photos = {f"setup/{name}": photo for name, photo in setup.items()}
    photos |= {f"games/{k + 1:02d}": photo for k, photo in enumerate(played)}
    for path, photo in photos.items():
        write_photo(
            out / path,
            photo.picture,
            photo.label(f"{Path(path).name}.jpg"),
            careful_phone(np.random.default_rng(seed)),
        )
