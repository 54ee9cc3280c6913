"""One file out, one file in: what is damaged, newer, too large or strange is refused, and changes nothing."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from companion.table.bundled import bundled
from companion.table.castelli.calibrating.pack import pack, preview, unpack
from companion.table.errors import BadInput, TableError, TooLarge
from companion.vision.store import load

FOLDER = bundled("calibration")
Members = dict[str, bytes]


@pytest.fixture(scope="module")
def packed() -> bytes:
    return pack(FOLDER)


def test_a_set_comes_out_as_it_went_in(packed: bytes, tmp_path: Path) -> None:
    unpack(packed, tmp_path / "own" / "friend")
    assert sorted(file.name for file in (tmp_path / "own").iterdir()) == ["friend"]
    for file in FOLDER.iterdir():
        assert (tmp_path / "own" / "friend" / file.name).read_bytes() == file.read_bytes()
    assert pack(tmp_path / "own" / "friend") == packed
    load(tmp_path / "own" / "friend")


def test_the_preview_shows_what_is_in_it(packed: bytes) -> None:
    shown = preview(packed)
    assert len(shown.pieces) == 4
    assert shown.tiles == 36
    assert len(shown.colours) == 4
    assert len(shown.sheets) == 6
    assert all(picture.startswith(b"\xff\xd8") for _, picture in shown.sheets)


def test_no_photo_goes_out(packed: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert not [name for name in archive.namelist() if name.endswith((".jpg", ".jpeg"))]


def changed(packed: bytes, change: Callable[[Members], object]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def newer(members: Members) -> None:
    manifest = json.loads(members["manifest.json"])
    members["manifest.json"] = json.dumps(manifest | {"version": 99}).encode()


def elsewhere(members: Members) -> None:
    """A list of files that names one outside the folder."""
    manifest = json.loads(members["manifest.json"])
    listed = {
        ("../../set.json" if name == "set.json" else name): sha for name, sha in manifest["sha256"].items()
    }
    members["manifest.json"] = json.dumps(manifest | {"sha256": listed}).encode()


def other_set(members: Members) -> None:
    told = json.loads(members["set.json"])
    members["set.json"] = json.dumps(told | {"name": "another"}).encode()


def pickled(members: Members) -> None:
    """An array that would be run when it is opened, under the checksum that it has."""
    out = io.BytesIO()
    np.savez(out, looks=np.array([print], dtype=object))
    members["looks.npz"] = out.getvalue()
    manifest = json.loads(members["manifest.json"])
    manifest["sha256"]["looks.npz"] = sha256(members["looks.npz"]).hexdigest()
    members["manifest.json"] = json.dumps(manifest).encode()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda members: members.update({"../escaped.json": b"{}"}), "does not belong"),
        (lambda members: members.update({"/etc/set.json": b"{}"}), "does not belong"),
        (lambda members: members.update({"run.py": b"print()"}), "does not belong"),
        (lambda members: members.update({"sub/set.json": b"{}"}), "does not belong"),
        (lambda members: members.update({"print-0.png": b"\x89PNG"}), "damaged"),
        (lambda members: members.update({"design.json": b"[" * 100_000}), "nested"),
        (lambda members: members.pop("set.json"), "damaged"),
        (lambda members: members.pop("looks.npz"), "damaged"),
        (newer, "newer"),
        (elsewhere, "damaged"),
        (other_set, "damaged"),
        (pickled, "damaged"),
    ],
)
def test_what_is_wrong_is_refused_with_a_sentence(
    packed: bytes, tmp_path: Path, change: Callable[[Members], object], says: str
) -> None:
    data = changed(packed, change)
    with pytest.raises(BadInput, match=says):
        preview(data)
    with pytest.raises(BadInput, match=says):
        unpack(data, tmp_path / "own" / "friend")
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


def rewritten(packed: bytes, change: Callable[[zipfile.ZipInfo], object]) -> bytes:
    """The same files with other entries in the archive's list."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive, zipfile.ZipFile(out, "w") as fresh:
        for entry in archive.infolist():
            content = archive.read(entry.filename)
            change(entry)
            fresh.writestr(entry, content)
    return out.getvalue()


def linked(entry: zipfile.ZipInfo) -> None:
    if entry.filename == "set.json":
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16


def executable(entry: zipfile.ZipInfo) -> None:
    entry.external_attr = (stat.S_IFREG | 0o4777) << 16


def test_a_link_is_refused(packed: bytes, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not belong"):
        unpack(rewritten(packed, linked), tmp_path / "own" / "friend")
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


def test_nothing_that_is_unpacked_can_be_run(packed: bytes, tmp_path: Path) -> None:
    unpack(rewritten(packed, executable), tmp_path / "own" / "friend")
    assert not any(file.stat().st_mode & 0o7111 for file in (tmp_path / "own" / "friend").iterdir())


def test_a_set_that_is_there_is_not_overwritten(packed: bytes, tmp_path: Path) -> None:
    (tmp_path / "friend").mkdir()
    (tmp_path / "friend" / "mine").write_text("kept")
    with pytest.raises(TableError):
        unpack(packed, tmp_path / "friend")
    assert [file.name for file in (tmp_path / "friend").iterdir()] == ["mine"]
    assert [file.name for file in tmp_path.iterdir()] == ["friend"]


def test_a_bomb_is_not_unpacked(packed: bytes, tmp_path: Path) -> None:
    bomb = changed(packed, lambda members: members.update({"contact.png": bytes(200_000_000)}))
    assert len(bomb) < 10_000_000
    with pytest.raises(TooLarge):
        unpack(bomb, tmp_path / "own" / "friend")


@pytest.mark.parametrize("cut", [0, 100, 5000])
def test_a_file_that_is_cut_off_is_refused(packed: bytes, cut: int) -> None:
    with pytest.raises(TableError):
        preview(packed[:cut])
