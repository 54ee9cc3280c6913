"""The QR code leads a phone to the table's computer, by whatever name the host opened the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.web.config import WebConfig
from companion.web.network import asked_as, from_a_phone, phones_ask
from tests.web.asking import Browser
from tests.web.house import open_house


@pytest.mark.parametrize(
    ("link", "phones", "followed"),
    [
        ("http://127.0.0.1:8765/join/x", "10.0.0.7", "http://10.0.0.7:8765/join/x"),
        ("http://localhost:8765/join/x", "10.0.0.7", "http://10.0.0.7:8765/join/x"),
        ("https://[::1]/join/x", "10.0.0.7", "https://10.0.0.7/join/x"),
        ("http://localhost:8765/join/x", "fd00::7", "http://[fd00::7]:8765/join/x"),
        ("http://table.local:8765/join/x", "10.0.0.7", "http://table.local:8765/join/x"),
        ("http://127.0.0.1:8765/join/x", None, "http://127.0.0.1:8765/join/x"),
    ],
)
def test_a_link_of_this_computer_is_turned_into_one_for_phones(
    link: str, phones: str | None, followed: str
) -> None:
    assert from_a_phone(link, phones) == followed


NAMES = [
    ("Table.local", "table.local"),
    ("table.local.", "table.local"),
    ("Küche", "xn--kche-0ra"),
    ("10.0.0.7", "10.0.0.7"),
    ("FD00::7", "fd00::7"),
]


@pytest.mark.parametrize(("name", "sent"), NAMES)
def test_a_name_is_what_browsers_make_of_it(name: str, sent: str) -> None:
    assert asked_as(name) == sent


@pytest.mark.parametrize(
    "name", ["", "http://table.local", "table.local:8765", "my table", "a..b", "-", "x" * 64]
)
def test_what_is_no_name_of_a_computer(name: str) -> None:
    with pytest.raises(ValueError):
        asked_as(name)


HOSTS = [("127.0.0.1", None), ("localhost", None), ("10.0.0.7", "10.0.0.7")]


@pytest.mark.parametrize(("host", "asked"), HOSTS)
def test_phones_ask_for_what_is_listened_to(host: str, asked: str | None) -> None:
    assert phones_ask(host) == asked


def test_the_people_page_shows_phones_the_way(folder: Path) -> None:
    with open_house(folder, WebConfig(phones_ask="10.0.0.7")) as house:
        game, host = house.new_game().game, Browser(house.address)
        host.get(house.host_link)
        page = host.get(f"/g/{game}/people").text
    assert house.join_link(game).replace("127.0.0.1", "10.0.0.7") in page
