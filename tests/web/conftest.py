"""One real server for the tests that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.asking import Browser
from tests.web.chromium import Browser as ChromiumBrowser
from tests.web.chromium import launched
from tests.web.house import House, open_house


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture
def host(house: House) -> Browser:
    """A browser that came in by the host's link."""
    browser = Browser(house.address)
    assert browser.get(house.host_link.removeprefix(house.address)).status == 303
    return browser


@pytest.fixture
def stranger(house: House) -> Browser:
    return Browser(house.address)


@pytest.fixture
def game(house: House) -> str:
    """A game under way, four tiles in."""
    made = house.new_game(arrangement_seen=True)
    house.play(made.game, 4)
    return made.game


@pytest.fixture
def guest(house: House, game: str) -> Browser:
    """A browser that joined by the QR code's link; nobody has let it in yet."""
    browser = Browser(house.address)
    assert browser.get(house.join_link(game).removeprefix(house.address)).status == 303
    return browser


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture(scope="session")
def chromium() -> Iterator[ChromiumBrowser]:
    """One browser for all tests; each test opens phones of its own in it."""
    with launched() as browser:
        yield browser
