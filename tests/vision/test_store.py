"""A calibration on disk: comes back the same, and whatever is wrong with a folder gets a sentence."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.vision import store
from companion.vision.calibration import Calibration
from companion.vision.design_json import design_from_json, design_to_json
from companion.vision.errors import BadCalibration
from companion.vision.learn import learn
from companion.vision.scan import scan
from tests.vision import smallgame


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    return learn(smallgame.source(tmp_path_factory.mktemp("setup")))


@pytest.fixture
def folder(learnt: Calibration, tmp_path: Path) -> Path:
    store.save(learnt, tmp_path / "set", {"set.json": b"{}"})
    return tmp_path / "set"


def test_a_calibration_comes_back_the_same(learnt: Calibration, folder: Path) -> None:
    again = store.load(folder)
    assert again.design == learnt.design
    assert again.weak == learnt.weak
    assert list(again.prints) == list(learnt.prints)
    for name, bare in learnt.prints.items():
        assert np.array_equal(again.prints[name].known, bare.known)
        assert np.array_equal(again.prints[name].image, bare.image)
        assert (again.prints[name].per_mm, again.prints[name].origin) == (bare.per_mm, bare.origin)
    assert store.beside(folder) == {"set.json": b"{}"}


def test_a_photo_reads_the_same_with_what_came_back(learnt: Calibration, folder: Path) -> None:
    photo = smallgame.jpeg(smallgame.photographed(smallgame.TILTED))
    first, second = scan(photo, learnt), scan(photo, store.load(folder))
    assert first.found.corners == second.found.corners
    assert [(r.slot, r.thing) for r in first.readings] == [(r.slot, r.thing) for r in second.readings]
    # looks may be kept with fewer digits
    assert [r.confidence for r in first.readings] == pytest.approx(
        [r.confidence for r in second.readings], abs=0.01
    )


def test_the_same_calibration_gives_the_same_bytes(learnt: Calibration, folder: Path, tmp_path: Path) -> None:
    store.save(learnt, tmp_path / "again", {"set.json": b"{}"})
    for path in folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name


def test_nothing_in_it_is_a_pickle(folder: Path) -> None:
    assert {path.suffix for path in folder.iterdir()} == {".json", ".png", ".npz"}
    with np.load(folder / "looks.npz", allow_pickle=False) as arrays:
        assert all(not arrays[name].dtype.hasobject for name in arrays.files)


def test_every_damaged_file_is_named(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        whole = path.read_bytes()
        middle = len(whole) // 2
        path.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
        with pytest.raises(BadCalibration, match=r"damaged.*calibrate again"):
            store.load(folder)
        path.write_bytes(whole)
    store.load(folder)


def test_every_missing_file_is_named(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        whole = path.read_bytes()
        path.unlink()
        with pytest.raises(BadCalibration, match=path.name):
            store.load(folder)
        path.write_bytes(whole)


def rewritten(folder: Path, name: str, change: Callable[[Any], Any]) -> None:
    """A file changed by somebody who also knows how to write its checksum."""
    value = change(json.loads((folder / name).read_bytes()))
    content = json.dumps(value).encode()
    (folder / name).write_bytes(content)
    if name != store.MANIFEST:
        manifest = json.loads((folder / store.MANIFEST).read_bytes())
        manifest["sha256"][name] = hashlib.sha256(content).hexdigest()
        (folder / store.MANIFEST).write_bytes(json.dumps(manifest).encode())


def test_an_older_one_asks_to_be_learnt_again(folder: Path) -> None:
    rewritten(folder, store.MANIFEST, lambda m: m | {"version": store.VERSION - 1})
    with pytest.raises(BadCalibration, match="older version: calibrate again"):
        store.load(folder)


def test_a_newer_one_asks_for_a_newer_program(folder: Path) -> None:
    rewritten(folder, store.MANIFEST, lambda m: m | {"version": store.VERSION + 1})
    with pytest.raises(BadCalibration, match="newer version of this program: update"):
        store.load(folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda m: {},
        lambda m: [],
        lambda m: m | {"format": "other"},
        lambda m: m | {"version": "1"},
        lambda m: m | {"sha256": {"../outside.json": "0"}},
        lambda m: m | {"sha256": {"design.json": 3}},
        lambda m: m | {"beside": ["elsewhere"]},
    ],
)
def test_a_strange_manifest_is_refused(change: Callable[[Any], Any], folder: Path) -> None:
    rewritten(folder, store.MANIFEST, change)
    with pytest.raises(BadCalibration, match=r"manifest\.json is damaged"):
        store.load(folder)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("design.json", lambda d: d | {"name": 3}),
        ("design.json", lambda d: {k: v for k, v in d.items() if k != "slots"}),
        ("design.json", lambda d: d | {"more": 1}),
        ("design.json", lambda d: d | {"sheets": []}),
        ("prints.json", lambda p: {}),
        ("prints.json", lambda p: p | {"another": {"per_mm": 1, "origin": [0, 0]}}),
        ("prints.json", lambda p: {name: {"per_mm": "wide"} for name in p}),
        ("looks.json", lambda looks: 7),
        ("weak.json", lambda w: 7),
    ],
)
def test_strange_content_with_a_right_checksum_is_refused(
    name: str, change: Callable[[Any], Any], folder: Path
) -> None:
    rewritten(folder, name, change)
    with pytest.raises(BadCalibration, match=r": calibrate again|update"):
        store.load(folder)


def test_a_picture_bomb_is_not_unpacked(folder: Path) -> None:
    path = folder / "print-0.png"
    huge = path.read_bytes()
    huge = huge[:16] + (60_000).to_bytes(4, "big") * 2 + huge[24:]
    path.write_bytes(huge)
    rewritten(
        folder,
        store.MANIFEST,
        lambda m: m | {"sha256": m["sha256"] | {path.name: hashlib.sha256(huge).hexdigest()}},
    )
    with pytest.raises(BadCalibration, match="unexpected"):
        store.load(folder)


def test_no_folder_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(BadCalibration, match="make one with 'companion calibrate'"):
        store.load(tmp_path / "nowhere")


def test_a_calibration_is_replaced_but_nothing_else_is(
    learnt: Calibration, folder: Path, tmp_path: Path
) -> None:
    store.save(learnt, folder)
    assert store.beside(folder) == {}
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
    other = tmp_path / "holiday"
    other.mkdir()
    (other / "beach.jpg").write_bytes(b"sand")
    with pytest.raises(BadCalibration, match="holds other files: name a new folder"):
        store.save(learnt, other)
    assert (other / "beach.jpg").read_bytes() == b"sand"
    with pytest.raises(BadCalibration, match="is a file"):
        store.save(learnt, other / "beach.jpg")


def test_a_folder_can_be_moved(folder: Path, tmp_path: Path) -> None:
    shutil.move(folder, tmp_path / "elsewhere")
    store.load(tmp_path / "elsewhere")


@pytest.mark.parametrize("name", ["manifest.json", "../up", "design.json", ".hidden"])
def test_files_beside_it_have_names_of_their_own(name: str, learnt: Calibration, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot lie beside"):
        store.save(learnt, tmp_path / "set", {name: b""})


def test_a_design_comes_back_from_json() -> None:
    design = smallgame.design()
    assert design_from_json(json.loads(json.dumps(design_to_json(design)))) == design
