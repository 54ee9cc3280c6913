"""python -m tools.pathtrace OUT --seed N --blender PYTHON: traces a made-up kit."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from pathlib import Path

from tools.kitmaker.__main__ import photo_size
from tools.kitmaker.kit import Order, photograph_games, photograph_setups
from tools.pathtrace.camera import Quality, Studio
from tools.pathtrace.lamps import ROOMS
from tools.pathtrace.sets import make_traced_set


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.pathtrace",
        description="Draws a made-up set and photographs it in traced light.",
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--blender", type=_python, required=True, help="the Python that has bpy")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--size", type=photo_size, default=(2400, 1800))
    parser.add_argument("--room", choices=("any", *ROOMS), default="any")
    parser.add_argument("--font", help="a TrueType file for the values on tiles")
    parser.add_argument("--faint", type=float, default=0.0, help="0 to 1: how alike the print's colours are")
    parser.add_argument("--samples", type=int, default=6)
    parser.add_argument(
        "--scale", type=float, default=0.75, help="pixels traced, as a share of the photo's side"
    )
    given = parser.parse_args()
    game, finish = make_traced_set(given.seed, given.font, given.faint)
    order = Order(given.seed, given.games, given.size)
    studio = Studio(given.blender, given.room, finish, Quality(given.samples, given.scale))
    for folder in ("setup", "games"):
        (given.out / folder).mkdir(parents=True, exist_ok=True)
    (given.out / "kit.json").write_text(json.dumps(game.kit, indent=1))
    photograph_setups(given.out / "setup", game, order, _tell, camera=studio)
    photograph_games(given.out / "games", game, order, _tell, camera=studio)
    return 0


def _python(text: str) -> str:
    found = shutil.which(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"there is no Python at {text}: name the one of the environment that has bpy."
        )
    return found


def _tell(name: str) -> None:
    print(name, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
