"""One file out, one file in: what is damaged, newer, too large or strange is refused, and changes nothing."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

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


def test_a_bomb_is_not_unpacked(packed: bytes, tmp_path: Path) -> None:
    bomb = changed(packed, lambda members: members.update({"contact.png": bytes(200_000_000)}))
    assert len(bomb) < 10_000_000
    with pytest.raises(TooLarge):
        unpack(bomb, tmp_path / "own" / "friend")


@pytest.mark.parametrize("cut", [0, 100, 5000])
def test_a_file_that_is_cut_off_is_refused(packed: bytes, cut: int) -> None:
    with pytest.raises(TableError):
        preview(packed[:cut])
