"""python -m tools.kitmaker OUT --seed N: writes a made-up kit."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tools.kitmaker.box import PIECE
from tools.kitmaker.kit import Order, write_kit
from tools.kitmaker.palette import PLAYER_HSV
from tools.kitmaker.position import LAYOUTS, Label


def photo_size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and min(int(width), int(height)) >= 64):
        raise argparse.ArgumentTypeError(
            f"{text} is not a photo size: write it as 2400x1800, at least 64 a side."
        )
    return int(width), int(height)


def _set(text: str) -> Path:
    path = Path(text)
    colours = {colour for tile in json.loads(path.read_text())["tiles"] for colour, _ in tile["sides"]}
    if unknown := sorted(colours - set(PLAYER_HSV)):
        raise argparse.ArgumentTypeError(
            f"there is no paint for {', '.join(unknown)} here, only for {', '.join(PLAYER_HSV)}."
        )
    return path


def _cells(text: str) -> tuple[int, int]:
    columns, _, rows = text.partition("x")
    if not (columns.isdigit() and rows.isdigit() and {int(columns), int(rows)} <= {2, 4, 6, 8, 10, 12}):
        raise argparse.ArgumentTypeError(
            f"{text} are no cells of a piece: write them as 6x4, even and up to 12."
        )
    return int(columns), int(rows)


def _positions(text: str) -> tuple[Label, ...]:
    return tuple(json.loads(Path(text).read_text()))


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.kitmaker", description="Draws a made-up set and photographs it."
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=photo_size, default=(2400, 1800))
    parser.add_argument(
        "--hard", action="store_true", help="hands, glare, parts out of frame, careless players, EXIF turns"
    )
    parser.add_argument("--players", type=int, choices=(2, 3, 4))
    parser.add_argument("--layout", choices=LAYOUTS)
    parser.add_argument(
        "--cells", type=_cells, default=PIECE, help="columns and rows of a piece, for an edition: 6x4"
    )
    parser.add_argument("--set", type=_set, metavar="SET.json", help="draw art for this set")
    parser.add_argument(
        "--positions", type=_positions, default=(), metavar="FILE.json",
        help="a list of positions (as in game files or labels) to photograph instead of made-up games",
    )  # fmt: skip
    given = parser.parse_args()
    players = given.players or (2 if given.layout == "two" else 4)
    layout = given.layout or ("two" if players == 2 else "full")
    order = Order(
        given.seed,
        given.games,
        given.size,
        given.hard,
        players,
        layout,
        given.cells,
        given.set,
        given.positions,
    )
    write_kit(given.out, order, lambda name: print(name, file=sys.stderr))
    return 0


if __name__ == "__main__":
    sys.exit(main())
