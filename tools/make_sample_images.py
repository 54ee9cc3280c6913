"""Writes sample_images/reference: the reference set, drawn and photographed, with states of the demo game.

    .venv/bin/python -m tools.make_sample_images

The games are the demo game at several moments, each taken from another seat: the fourth is where the bundled
game stands, the fifth two turns later, so that there is something to scan. sample_images/evening holds three
turns of it in a row, each photographed, and the position before them.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from companion.scoring.castelli.records import position_record
from companion.table.bundled import bundled
from tools.kitmaker.kit import Order, write_kit
from tools.kitmaker.position import Label
from tools.make_demo_game import REVEALS, Demo

OUT = Path(__file__).resolve().parent.parent / "sample_images" / "reference"
SEED = 72  # of the art: forests look like forests, and every tile can be read by eye
SIZE = (2000, 1500)
MOMENTS = (6, 13, 20, REVEALS, REVEALS + 2)
"""After how many turns a photo is taken."""
EVENING = (14, 15, 16, 17, 18)
EVENING_SIZE = (1600, 1200)
PHOTOGRAPHED = ("03", "04", "05")
"""Of the evening: the seats and tables from which the others are taken make files of twice the size."""


def main(out: Path = OUT) -> None:
    order = Order(SEED, size=SIZE, set_file=bundled("set.json"), positions=positions(MOMENTS))
    write_kit(out, order, lambda name: print(out / name))
    photograph_evening(out.with_name("evening"))


def positions(moments: tuple[int, ...]) -> tuple[Label, ...]:
    """The demo game after so many turns."""
    demo = Demo()
    found, played = [], 0
    for moment in moments:
        found.append(position_record(demo.play(moment - played).position))
        played = moment
    return tuple(found)


def photograph_evening(out: Path) -> None:
    played = positions(EVENING)
    order = Order(SEED, size=EVENING_SIZE, set_file=bundled("set.json"), positions=played)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        write_kit(Path(folder), order)
        for number, name in enumerate(PHOTOGRAPHED, 1):
            for kind in ("jpg", "json"):
                shutil.copy(Path(folder, "games", f"{name}.{kind}"), out / f"{number:02}.{kind}")
    before = EVENING.index(EVENING[int(PHOTOGRAPHED[0]) - 1] - 1)
    (out / "start.json").write_text(json.dumps(played[before], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
