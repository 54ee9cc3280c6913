"""The log on disk: keys, numbers, locks, full disks and damaged files."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.table.database import FILE
from companion.table.errors import (
    BadInput,
    NotFound,
    Stale,
    StorageDamaged,
    StorageFailed,
    StorageInUse,
    TableError,
)
from companion.table.store import NewEntry, Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def a_game(store: Store, key: str = "new") -> str:
    return store.new_game("toy", "{}", [NewEntry({"settings": {"a": 1}}, "Anna")], key)


def entries(store: Store, game: str) -> list[object]:
    return [row.entry for row in store.log(game)]


def test_what_was_appended_is_there_after_a_restart(tmp_path: Path) -> None:
    store = Store(tmp_path)
    game = a_game(store)
    assert store.append(game, {"do": ["ä"]}, "Ben", "k1", 1, photo="p") == 2
    store.close()
    rows = Store(tmp_path).log(game)
    assert [(row.number, row.author, row.entry, row.photo) for row in rows] == [
        (1, "Anna", {"settings": {"a": 1}}, None),
        (2, "Ben", {"do": ["ä"]}, "p"),
    ]


def test_the_same_key_is_the_same_entry(store: Store) -> None:
    game = a_game(store)
    assert store.append(game, {"do": [1]}, "Anna", "k", 1) == 2
    assert store.append(game, {"do": [1]}, "Anna", "k", 1) == 2
    assert entries(store, game) == [{"settings": {"a": 1}}, {"do": [1]}]
    assert a_game(store) == game


def test_a_key_of_one_game_says_nothing_about_another(store: Store) -> None:
    first, second = a_game(store, "one"), a_game(store, "two")
    store.append(first, {"do": [1]}, "Anna", "k", 1)
    store.append(second, {"do": [2]}, "Anna", "k", 1)
    assert entries(store, second)[-1] == {"do": [2]}


def test_of_two_phones_at_once_one_wins_and_the_other_is_told(store: Store) -> None:
    game = a_game(store)
    results: list[int | str] = []
    ready = threading.Barrier(8)

    def phone(name: str) -> None:
        ready.wait()
        try:
            results.append(store.append(game, {"do": [name]}, name, name, 1))
        except Stale as stale:
            results.append(stale.code)

    threads = [threading.Thread(target=phone, args=(f"phone {i}",)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results, key=str) == [2] + ["stale"] * 7
    assert len(store.log(game)) == 2


def test_nothing_in_a_log_can_be_changed_or_deleted(store: Store) -> None:
    game = a_game(store)
    for statement in ("UPDATE log SET author = 'x'", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"), store.writing() as write:
            write.execute(statement)
    assert len(store.log(game)) == 1


def test_games_are_listed_with_the_last_touched_first(store: Store) -> None:
    first, second = a_game(store, "one"), a_game(store, "two")
    store.append(first, {"do": []}, "Anna", "k", 1)
    with store.writing() as write:  # the clock may stand still between two entries of a test
        write.execute(
            "INSERT INTO log VALUES (?, 3, '2999-01-01T00:00:00.000Z', 'Anna', 'later', '{}', NULL)", (first,)
        )
    assert [(row.id, row.number) for row in store.games()] == [(first, 3), (second, 1)]


@pytest.mark.parametrize("key", ["", "x" * 81])
def test_unusable_keys_are_refused(store: Store, key: str) -> None:
    game = a_game(store)
    with pytest.raises(BadInput):
        store.append(game, {"do": []}, "Anna", key, 1)


def test_a_game_that_is_not_there(store: Store) -> None:
    with pytest.raises(NotFound, match="no game “nowhere”"):
        store.append("nowhere", {"do": []}, "Anna", "k", 1)


def test_a_second_program_on_the_same_folder_is_refused(tmp_path: Path, store: Store) -> None:
    a_game(store)
    open_it = "from pathlib import Path; from companion.table.store import Store; Store(Path(sys.argv[1]))"
    script = f"import sys; {open_it}"
    second = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True)
    assert second.returncode != 0 and "Another Companion is running" in second.stderr
    with pytest.raises(StorageInUse):
        Store(tmp_path)
    store.close()
    Store(tmp_path)


def refuses_to_keep(store: Store, game: str, before: int) -> TableError:
    """Nothing is acknowledged, and what was there before still is."""
    with pytest.raises(StorageFailed) as refused:
        for number in range(before, before + 2000):
            store.append(game, {"do": ["x" * 500]}, "Anna", f"k{number}", number)
    kept = store.log(game)
    assert [row.number for row in kept] == list(range(1, len(kept) + 1))
    return refused.value


def test_a_full_disk_acknowledges_nothing(store: Store) -> None:
    game = a_game(store)
    pages = store.reading("PRAGMA page_count")[0][0]
    store.reading(f"PRAGMA max_page_count = {pages + 3}")
    error = refuses_to_keep(store, game, 1)
    assert str(store.file) in str(error) and error.status == 507
    last = store.log(game)[-1].number
    store.reading(f"PRAGMA max_page_count = {pages + 1000}")
    assert store.append(game, {"do": ["room again"]}, "Anna", "after", last) == last + 1


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from companion.table.errors import StorageFailed
from companion.table.store import NewEntry, Store
store = Store(Path(sys.argv[1]))
game = store.new_game("toy", "{}", [NewEntry({"do": []}, "Anna")], "new")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
number = 1
try:
    while number < 5000:
        number = store.append(game, {"do": ["x" * 2000]}, "Anna", f"k{number}", number)
except StorageFailed as error:
    print(game, number, error.code)
"""


def test_a_disk_that_takes_no_more_bytes_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, timeout=60
    )
    game, number, code = done.stdout.split()
    assert code == "storage_failed"
    assert [row.number for row in Store(tmp_path).log(game)] == list(range(1, int(number) + 1))


def test_a_read_only_database_acknowledges_nothing(store: Store) -> None:
    game = a_game(store)
    store.reading("PRAGMA query_only = ON")
    refuses_to_keep(store, game, 1)
    assert len(store.log(game)) == 1


def broken_header(content: bytes) -> bytes:
    return b"not a database at all" + content[21:]


def broken_page(content: bytes) -> bytes:
    return content[:4096] + b"\xff" * 4096 + content[8192:]


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def last_page_cut_off(content: bytes) -> bytes:
    return content[:-1000]


@pytest.mark.parametrize("harm", [broken_header, broken_page, cut_off, last_page_cut_off])
def test_a_damaged_database_is_refused_named_and_left_as_it_is(tmp_path: Path, harm: object) -> None:
    store = Store(tmp_path)
    game = a_game(store)
    for number in range(1, 60):
        store.append(game, {"do": ["x" * 300]}, "Anna", f"k{number}", number)
    store.close()
    file = tmp_path / FILE
    file.write_bytes(harm(file.read_bytes()))  # type: ignore[operator]
    harmed = file.read_bytes()
    with pytest.raises(StorageDamaged) as refused:
        Store(tmp_path)
    assert str(file) in str(refused.value)
    assert file.read_bytes() == harmed


def test_an_emptied_database_beside_photos_is_no_new_one(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.jpg").write_bytes(b"x")
    (tmp_path / FILE).touch()
    with pytest.raises(StorageDamaged):
        Store(tmp_path)


def test_a_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / FILE)
    other.execute("CREATE TABLE games (title TEXT)")
    other.close()
    content = (tmp_path / FILE).read_bytes()
    with pytest.raises(StorageFailed, match="another program"):
        Store(tmp_path)
    assert (tmp_path / FILE).read_bytes() == content


def test_a_database_of_a_later_program_is_refused(tmp_path: Path, store: Store) -> None:
    store.reading("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(StorageFailed, match="later Companion"):
        Store(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageFailed, match="cannot be made"):
        Store(tmp_path / "file" / "data")
