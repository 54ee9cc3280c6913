"""python -m tools.kitmaker OUT --seed N: writes a made-up kit."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.kitmaker.kit import Order, write_kit
from tools.kitmaker.position import LAYOUTS


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    if not (width.isdigit() and height.isdigit() and min(int(width), int(height)) >= 64):
        raise argparse.ArgumentTypeError(
            f"{text} is not a photo size: write it as 2400x1800, at least 64 a side."
        )
    return int(width), int(height)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.kitmaker", description="Draws a made-up set and photographs it."
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=_size, default=(2400, 1800))
    parser.add_argument(
        "--hard", action="store_true", help="hands, glare, parts out of frame, careless players, EXIF turns"
    )
    parser.add_argument("--players", type=int, choices=(2, 3, 4))
    parser.add_argument("--layout", choices=LAYOUTS)
    given = parser.parse_args()
    players = given.players or (2 if given.layout == "two" else 4)
    layout = given.layout or ("two" if players == 2 else "full")
    order = Order(given.seed, given.games, given.size, given.hard, players, layout)
    write_kit(given.out, order, lambda name: print(name, file=sys.stderr))
    return 0


if __name__ == "__main__":
    sys.exit(main())
