"""`companion bench`: how well and how fast the games of a kit are read."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import click
import cv2
import numpy as np

from companion.commands.told import vision_errors_told
from companion.table.castelli.grading import Grade, Totals, grade
from companion.table.castelli.kit import Label, label_in
from companion.table.reader import Reader, calibrate, open_reader
from companion.vision.errors import VisionError

TRIES = 3
"""Each time is the median of so many, as the machine has other things to do."""
LARGE = (4000, 3000)
LARGE_QUALITY = 90
"""A photo of 12 megapixels as phones make them; the kit's own are enlarged to it."""

# Run on its own, so that nothing else of this process is counted. VmHWM is the most it ever took, in kB.
MEMORY = """
import sys
import cv2, numpy
from pathlib import Path

def most():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

base = most()
from companion.table.reader import open_reader
open_reader(Path(sys.argv[1])).read("photo", Path(sys.argv[2]).read_bytes())
print((most() - base) // 1024)
"""


@click.command()
@click.argument("kit", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("-v", "--verbose", is_flag=True, help="Name every slot that was read wrong.")
@vision_errors_told
def bench(kit: Path, verbose: bool) -> None:
    """Calibrates with the photos of KIT, scans its games, and compares with their labels.

    Times are shown beside the time that cv2 takes to decode the same file at full size, and as their ratio.

    \b
    Example:
      companion bench my-set
    """
    labels = [label_in(path) for path in sorted((kit / "games").glob("*.json"))]
    if not labels:
        raise click.UsageError(
            f"{kit} has no labelled games: put games/NAME.jpg and games/NAME.json into it."
        )
    with tempfile.TemporaryDirectory() as folder:
        calibration = Path(folder) / "calibration"
        started = time.perf_counter()
        calibrate(kit, calibration, lambda doing, share: None)
        click.echo(f"calibrated in {time.perf_counter() - started:.1f} s")
        reader = open_reader(calibration)
        grades, ratios, large_ratios = [], [], []
        large = Path(folder) / "large.jpg"
        for label in labels:
            data = (kit / "games" / label.photo).read_bytes()
            graded = _graded(reader, label, data)
            grades.append(graded)
            decode, scan = _times(reader, data)
            ratios.append(scan / decode)
            enlarged = _enlarged(data)
            large_decode, large_scan = _times(reader, enlarged)
            large_ratios.append(large_scan / large_decode)
            large.write_bytes(enlarged)
            click.echo(
                f"{_row(graded)}  scan {1000 * scan:.0f} ms, decode {1000 * decode:.0f} ms, "
                f"ratio {ratios[-1]:.1f}, at 12 MP {large_ratios[-1]:.1f}"
            )
            if verbose:
                for mistake in graded.mistakes:
                    click.echo(f"    {mistake}")
        memory = subprocess.run(
            [sys.executable, "-c", MEMORY, str(calibration), str(large)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
    click.echo(_summary(Totals(tuple(grades)), median(ratios), median(large_ratios), memory))


def _graded(reader: Reader, label: Label, data: bytes) -> Grade:
    try:
        return grade(label, json.loads(json.dumps(reader.read(label.photo, data))))
    except VisionError as error:
        return grade(label, {"error": str(error)})


def _times(reader: Reader, data: bytes) -> tuple[float, float]:
    """Seconds for a full decode by cv2, and for the whole scan."""

    def scanned() -> None:
        try:
            reader.read("photo", data)
        except VisionError:
            return

    pixels = np.frombuffer(data, np.uint8)
    return _median_time(lambda: cv2.imdecode(pixels, cv2.IMREAD_COLOR)), _median_time(scanned)


def _median_time(work: Callable[[], object]) -> float:
    times = []
    for _ in range(TRIES):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return median(times)


def _enlarged(data: bytes) -> bytes:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None  # the scan has just decoded the same bytes
    size = LARGE if picture.shape[1] >= picture.shape[0] else LARGE[::-1]
    larger = cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", larger, [cv2.IMWRITE_JPEG_QUALITY, LARGE_QUALITY])[1].tobytes()


def _row(graded: Grade) -> str:
    corner = "-" if graded.corner_px is None else f"{graded.corner_px:.1f}"
    state = "NOT FOUND" if not graded.found else "found" if graded.arranged else "found, NOT ARRANGED"
    return (
        f"{graded.photo}  {state}  tiles wrong {graded.tiles_wrong}/{graded.tiles}"
        f"  pieces wrong {graded.pieces_wrong}/{graded.pieces}"
        f"  stacks wrong {graded.stacks_wrong}  markers wrong {graded.markers_wrong}/{graded.markers}"
        f"  silent {graded.silent}  doubts {graded.doubts}  corner {corner} px"
    )


def _summary(totals: Totals, ratio: float, large_ratio: float, memory: str) -> str:
    photos = len(totals.grades)
    corner = "-" if totals.corner_px is None else f"{totals.corner_px:.1f}"
    rows = [
        ("boards found, arrangement right", f"{totals.found} and {totals.arranged} of {photos}"),
        ("tiles", f"{100 * totals.right('tiles'):.2f} % of {totals.sum('tiles')}"),
        ("castles, villages, cities", f"{100 * totals.right('pieces'):.2f} % of {totals.sum('pieces')}"),
        ("boards without any error", f"{totals.perfect} of {photos}"),
        ("wrong slots not called doubtful", f"{totals.sum('silent')}"),
        ("doubtful slots", f"{100 * totals.doubts:.2f} %"),
        ("stacks wrong below their top", f"{totals.sum('stacks_wrong')}"),
        ("corners, median", f"{corner} px"),
        ("resource and track markers", f"{100 * totals.right('markers'):.2f} % of {totals.sum('markers')}"),
        ("scan time / full decode, median", f"{ratio:.2f}, at 12 MP {large_ratio:.2f}"),
        ("memory above cv2 and numpy, 12 MP", f"{memory or '?'} MB"),
    ]
    return "\n".join(f"{name:36} {value}" for name, value in rows)
