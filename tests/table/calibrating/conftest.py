"""One made-up set, photographed small, and one workshop in which its owner has named everything."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.table.calibrations import Calibrations
from companion.table.castelli.calibrating.workshop import Workshop
from companion.table.scanner import Scanner
from tests.table.calibrating.owner import Owner
from tools.kitmaker.kit import Order, write_kit

SEED = 51
SIZE = (1400, 1050)


@pytest.fixture(scope="session")
def made_kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kit = tmp_path_factory.mktemp("calibrating") / "kit"
    write_kit(kit, Order(seed=SEED, games=1, size=SIZE))
    return kit


def workshop_in(folder: Path) -> Workshop:
    return Workshop(folder / "drafts", Calibrations(folder / "calibrations", {}), Scanner())


@pytest.fixture(scope="session")
def photographed(made_kit: Path, tmp_path_factory: pytest.TempPathFactory) -> Owner:
    """The grid is laid and all photos are taken; tests leave it as it is."""
    owner = Owner(made_kit, workshop_in(tmp_path_factory.mktemp("photographed")))
    owner.lay_grid()
    owner.photograph_all()
    return owner


@pytest.fixture(scope="session")
def named(photographed: Owner, tmp_path_factory: pytest.TempPathFactory) -> Owner:
    """Everything is named, step by step; nothing is learnt yet."""
    folder = tmp_path_factory.mktemp("named")
    shutil.copytree(photographed.workshop.drafts.place(photographed.id), folder / "drafts" / photographed.id)
    owner = Owner(photographed.kit, workshop_in(folder))
    owner.id = photographed.id
    owner.name_all()
    return owner
