"""Writes sample_images/reference: the reference set, drawn and photographed, with states of the demo game.

    .venv/bin/python -m tools.make_sample_images

The games are the demo game at several moments, each taken from another seat: the fourth is where the bundled
game stands, the fifth two turns later, so that there is something to scan.
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.scoring.castelli.records import position_record
from companion.table.bundled import bundled
from tools.kitmaker.kit import Order, write_kit
from tools.make_demo_game import REVEALS, Demo

OUT = Path(__file__).resolve().parent.parent / "sample_images" / "reference"
SEED = 72  # of the art: forests look like forests, and every tile can be read by eye
SIZE = (2000, 1500)
MOMENTS = (6, 13, 20, REVEALS, REVEALS + 2)
"""After how many turns a photo is taken."""


def main(out: Path = OUT) -> None:
    demo = Demo()
    positions, played = [], 0
    for moment in MOMENTS:
        positions.append(position_record(demo.play(moment - played).position))
        played = moment
    order = Order(SEED, size=SIZE, set_file=bundled("set.json"), positions=tuple(positions))
    write_kit(out, order, lambda name: print(out / name))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
