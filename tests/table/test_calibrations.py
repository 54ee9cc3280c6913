"""The calibrations at hand, and names that are no paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.calibrations import Calibrations
from companion.table.errors import BadInput, NotFound, Stale
from companion.table.scanner import Scanner
from tests.table.tabletop import jpeg_of


@pytest.fixture
def calibrations(tmp_path: Path) -> Calibrations:
    for name in ("own/my-set", "own/UPPER", "own/bundled", "bundled"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "own" / "a-file").touch()
    return Calibrations(tmp_path / "own", {"bundled": tmp_path / "bundled"})


def test_own_ones_and_the_bundled_one_which_keeps_its_name(
    calibrations: Calibrations, tmp_path: Path
) -> None:
    assert [(c.name, c.is_bundled) for c in calibrations.all()] == [("bundled", True), ("my-set", False)]
    assert calibrations.get("bundled").folder == tmp_path / "bundled"


@pytest.mark.parametrize("name", ["", "..", "../bundled", "/etc", "a/b", "My Set", "x" * 41, "own\0", "-x"])
def test_a_name_is_never_a_path(calibrations: Calibrations, name: str) -> None:
    with pytest.raises(BadInput):
        calibrations.place_for(name)
    with pytest.raises(NotFound):
        calibrations.get(name)
    with pytest.raises(NotFound):
        calibrations.delete(name)


def test_made_and_deleted(calibrations: Calibrations, tmp_path: Path) -> None:
    assert calibrations.place_for("another") == tmp_path / "own" / "another"
    with pytest.raises(Stale):
        calibrations.place_for("my-set")
    calibrations.delete("my-set")
    assert not (tmp_path / "own" / "my-set").exists()
    with pytest.raises(BadInput):
        calibrations.delete("bundled")
    assert (tmp_path / "bundled").is_dir()


def test_a_folder_without_a_calibration_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        Scanner()(jpeg_of({}), "photo", tmp_path)
