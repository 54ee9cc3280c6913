"""Who may see and do what, and what every answer is wrapped in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web.asking import Browser
from tests.web.house import House, open_house

KEY = "key-of-this-test"


def write(house: House, game: str, **fields: str) -> dict[str, str]:
    """The fields that every form carries."""
    return {"key": KEY + game, "expected": str(house.table.sitting(game).number), **fields}


def test_the_links_key_becomes_a_cookie_and_leaves_the_address(house: House) -> None:
    browser = Browser(house.address)
    answer = browser.get(house.host_link.removeprefix(house.address))
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    assert re.search(r"companion=[\w-]{43};.*HttpOnly.*SameSite=Lax", answer.headers["Set-Cookie"])
    assert house.companion.house_key not in browser.get("/").text


def test_the_link_leads_to_pages_of_this_server_only(house: House) -> None:
    for wanted, led in (
        ("/new", "/new"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil", "/"),
    ):
        answer = Browser(house.address).get(f"/host/{house.companion.house_key}?to={wanted}")
        assert answer.headers["Location"] == led


def test_the_joining_link_becomes_a_cookie_and_leaves_the_address(house: House, game: str) -> None:
    browser = Browser(house.address)
    answer = browser.get(house.join_link(game).removeprefix(house.address))
    assert (answer.status, answer.headers["Location"]) == (303, f"/g/{game}/people")
    assert browser.get(f"/g/{game}/").status == 200


def test_nobody_sees_a_game_without_joining(stranger: Browser, game: str) -> None:
    for page in ("", "people", "history", "settings", "board", "photo", "score", "stream", "castelli.json"):
        answer = stranger.get(f"/g/{game}/{page}")
        assert answer.status == 403, page
        assert "You have not joined this game" in answer.text


def test_only_the_host_makes_games(stranger: Browser, guest: Browser, host: Browser) -> None:
    for page in ("/new", "/quick", "/calibrations"):
        assert stranger.get(page).status == 403
        assert guest.get(page).status == 403
        assert host.get(page).status == 200
    assert stranger.post("/new", {"key": KEY, "set": "reference"}).status == 403


def test_a_wrong_code_opens_nothing_and_guessing_ends_soon(folder: Path) -> None:
    with open_house(folder) as house:  # of its own: the other tests come from the same address
        guesser = Browser(house.address)
        statuses = [
            guesser.get(f"/join/guess-{number}", X_Forwarded_For=f"10.0.0.{number}").status  # fools nobody
            for number in range(12)
        ]
    assert statuses[:10] == [403] * 10
    assert statuses[10:] == [429, 429]


def test_who_waits_may_watch_but_not_write(house: House, guest: Browser, game: str) -> None:
    before = house.table.sitting(game).number
    assert guest.get(f"/g/{game}/").status == 200
    refused = guest.post(f"/g/{game}/undo", write(house, game, steps="1"))
    assert refused.status == 403
    assert refused.sentence == "The host has not let you in yet; until then you can watch."
    assert guest.upload(f"/g/{game}/scan", "photo", b"x", write(house, game)).status == 403
    assert guest.post(f"/g/{game}/allow", {"seat": "x"}).status == 403
    assert house.table.sitting(game).number == before


def test_the_host_lets_in_and_decides_about_rights(
    house: House, host: Browser, guest: Browser, game: str
) -> None:
    seat = next(one for one in house.seats.of(game) if not one.is_in)
    assert host.post(f"/g/{game}/let-in", {"seat": seat.id}).status == 303
    assert guest.post(f"/g/{game}/undo", write(house, game, steps="1")).status == 303
    taken = {"seat": seat.id, "is_in": "1", "may_confirm": "1"}
    assert host.post(f"/g/{game}/allow", taken).status == 303
    refused = guest.upload(f"/g/{game}/scan", "photo", b"x", write(house, game))
    assert refused.sentence == "The host has not allowed you to take photos."
    host.post(f"/g/{game}/allow", {"seat": seat.id, "is_in": "1", "may_photograph": "1"})
    refused = guest.post(f"/g/{game}/redo", write(house, game, steps="1"))
    assert refused.sentence == "The host has not allowed you to confirm and change things."
    assert host.post(f"/g/{game}/show-out", {"seat": seat.id}).status == 303
    assert guest.get(f"/g/{game}/").status == 403


def test_a_new_code_stops_the_old_one(house: House, host: Browser, game: str) -> None:
    old = house.join_link(game)
    assert host.post(f"/g/{game}/new-code").status == 303
    assert Browser(house.address).get(old.removeprefix(house.address)).status == 403
    house.seats._tries._wrong.clear()
    assert Browser(house.address).get(house.join_link(game).removeprefix(house.address)).status == 303


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "", "[::2]", "127.0.0.2"])
def test_another_hosts_name_gets_nothing(host: Browser, name: str) -> None:
    answer = host.send("GET", "/", b"", {"Host": name} if name else {"Host": "x y"})
    assert answer.status in (400, 421)
    assert "Thursday" not in answer.text and "New game" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:1"},
        {"Origin": "http://[::1"},
        {"Origin": "", "Sec_Fetch_Site": "cross-site"},
        {"Origin": "", "Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_form_of_another_site_changes_nothing(
    house: House, host: Browser, game: str, headers: dict[str, str]
) -> None:
    before = house.table.sitting(game).number
    answer = host.post(f"/g/{game}/undo", write(house, game, steps="1"), **headers)
    assert answer.status == 403
    assert answer.json["error"] == "foreign_origin"
    assert house.table.sitting(game).number == before


def test_every_answer_has_the_headers_that_keep_others_out(house: House, host: Browser, game: str) -> None:
    for path in ("/", f"/g/{game}/", "/static/style.css", "/nowhere", f"/g/{game}/colours.css"):
        headers = host.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, path
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["X-Frame-Options"] == "DENY"
    assert "no-store" in host.get(f"/g/{game}/").headers["Cache-Control"]


def test_pages_hold_no_inline_script_or_style(host: Browser, game: str) -> None:
    for page in (
        "/",
        "/new",
        "/quick",
        f"/g/{game}/",
        f"/g/{game}/people",
        f"/g/{game}/board",
        f"/g/{game}/score",
    ):
        text = host.get(page).text
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|javascript:", text), page
