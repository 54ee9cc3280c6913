"""The event stream: changes arrive, a lost phone catches up, and one viewer too many disturbs nobody."""

from __future__ import annotations

import contextlib
import http.client
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from companion.web.config import WebConfig
from tests.web.asking import Browser
from tests.web.house import House, open_house


@contextlib.contextmanager
def watching(
    browser: Browser, game: str, seen: int = 0, **headers: str
) -> Iterator[http.client.HTTPResponse]:
    line = http.client.HTTPConnection(urlsplit(browser.address).netloc, timeout=10)
    cookie = f"companion={browser.cookies['companion']}"
    line.request("GET", f"/g/{game}/stream?seen={seen}", headers={"Cookie": cookie, **headers})
    response = line.getresponse()
    try:
        yield response
    finally:
        response.close()
        line.close()


def next_version(stream: http.client.HTTPResponse) -> int:
    while line := stream.readline():
        if line.startswith(b"data: "):
            return int(line[6:])
    raise AssertionError("the stream ended")


def test_a_change_arrives(house: House, host: Browser, game: str) -> None:
    version = house.companion.live.version(game)
    with watching(host, game, version) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        house.end_turn(game)
        assert next_version(stream) > version


def test_who_was_away_is_told_at_once(house: House, host: Browser, game: str) -> None:
    seen = house.companion.live.version(game)
    newest = house.companion.live.publish(game)
    with watching(host, game, seen) as stream:
        assert next_version(stream) == newest
    with watching(host, game, 0, **{"Last-Event-ID": str(seen)}) as stream:
        assert next_version(stream) == newest


def test_only_who_joined_may_listen(stranger: Browser, game: str) -> None:
    assert stranger.get(f"/g/{game}/stream").status == 403


def test_a_viewer_past_the_cap_is_told_and_the_rest_goes_on(folder: Path) -> None:
    """Five viewers would already hang a server with waitress's four threads."""
    cap = 6
    with open_house(folder, WebConfig(most_viewers=cap)) as house, contextlib.ExitStack() as stack:
        game = house.new_game(arrangement_seen=True).game
        browser = Browser(house.address)
        browser.get(house.host_link.removeprefix(house.address))
        version = house.companion.live.version(game)
        streams = [stack.enter_context(watching(browser, game, version)) for _ in range(cap)]
        refused = browser.get(f"/g/{game}/stream", Accept="application/json")
        assert refused.status == 503
        assert refused.sentence == "6 phones are watching, as many as this computer serves. Try again later."
        assert refused.headers["Retry-After"]
        assert browser.get(f"/g/{game}/").status == 200
        house.play(game, 1)
        assert all(next_version(stream) > version for stream in streams)


def test_a_viewer_who_left_makes_room(folder: Path) -> None:
    with open_house(folder, WebConfig(most_viewers=1)) as house:
        game = house.new_game().game
        browser = Browser(house.address)
        browser.get(house.host_link.removeprefix(house.address))
        with watching(browser, game):
            assert house.companion.live.viewers == 1
        until = time.monotonic() + 20
        while house.companion.live.viewers and time.monotonic() < until:
            threading.Event().wait(0.05)
        assert house.companion.live.viewers == 0
