"""Killed in the middle of writing, again and again: nothing that was acknowledged is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from companion.table.photos import Photos
from companion.table.store import Store
from tests.table.tabletop import jpeg_of

WRITER = """
import sys
from pathlib import Path
from companion.table.photos import Photos
from companion.table.store import NewEntry, Store
store = Store(Path(sys.argv[1]))
photos = Photos(store)
photo = Path(sys.argv[2]).read_bytes()
game = store.new_game("toy", "{}", [NewEntry({"do": []}, "Anna")], "the game")
number = store.last_number(game)
print(game, flush=True)
while True:
    number = store.append(game, {"do": ["x" * (number * 37 % 3000)]}, "Anna", f"key {number}", number)
    print("entry", number, flush=True)
    if number % 5 == 0:
        print("photo", photos.keep(game, photo, "Anna").id, flush=True)
"""

KILLS = 8
LONGEST = 20.0
"""Seconds in which a writer has to get going."""


def test_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    picture = tmp_path / "photo.jpg"
    picture.write_bytes(jpeg_of({}))
    data = tmp_path / "data"
    entries: set[int] = set()
    photos: set[str] = set()
    game = ""
    for kill in range(KILLS):
        game, told = killed_after(data, picture, acknowledged=3 + 4 * kill)
        entries |= {int(word) for kind, word in told if kind == "entry"}
        photos |= {word for kind, word in told if kind == "photo"}
        store = Store(data)
        numbers = [row.number for row in store.log(game)]
        kept = Photos(store)
        assert entries <= set(numbers), f"lost after kill {kill}"
        assert numbers == list(range(1, len(numbers) + 1))
        assert photos <= {photo.id for photo in kept.of(game)}
        assert all(kept.read(game, photo) == picture.read_bytes() for photo in photos)
        store.close()
    assert len(entries) > KILLS * 3 and photos


def killed_after(data: Path, picture: Path, acknowledged: int) -> tuple[str, list[tuple[str, str]]]:
    """Lets a program write until it has acknowledged so much, kills it at once, and says what it told."""
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(data), str(picture)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    until = time.monotonic() + LONGEST
    try:
        game = writer.stdout.readline().strip()
        told: list[list[str]] = []
        while len(told) < acknowledged and time.monotonic() < until:
            told.append(writer.stdout.readline().split())
    finally:
        writer.kill()
    rest, _ = writer.communicate()
    # the last line may be cut off: then it was not acknowledged
    told += [line.split() for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    return game, [(kind, word) for kind, word in told]
