"""Everybody hears of every change, nobody of more than the last one, and a slow phone holds nobody up."""

from __future__ import annotations

import threading

import pytest

from companion.table.errors import Busy
from companion.table.live import Live, Viewer


def test_a_viewer_hears_at_once_what_is_newer_than_it_has_seen() -> None:
    live = Live()
    seen = live.version("game")
    version = live.publish("game")
    with live.subscribe("game", seen) as viewer:
        assert next(viewer) == version > seen
        assert live.publish("game") > version
        assert next(viewer) == live.version("game")


def test_a_heartbeat_comes_while_nothing_happens() -> None:
    live = Live()
    with live.subscribe("game", live.version("game"), heartbeat=0.01) as viewer:
        assert next(viewer) is None
        live.publish("another game")
        assert next(viewer) is None


def test_changes_that_were_missed_come_as_one() -> None:
    live = Live()
    with live.subscribe("game", live.version("game"), heartbeat=0.01) as viewer:
        versions = [live.publish("game") for _ in range(5)]
        assert versions == sorted(set(versions))
        assert next(viewer) == versions[-1]
        assert next(viewer) is None


def test_all_viewers_are_woken() -> None:
    live = Live()
    heard: list[int | None] = []

    def watch(viewer: Viewer) -> None:
        with viewer:
            heard.append(next(viewer))

    viewers = [live.subscribe("game", live.version("game"), heartbeat=30) for _ in range(60)]
    threads = [threading.Thread(target=watch, args=(viewer,)) for viewer in viewers]
    for thread in threads:
        thread.start()
    version = live.publish("game")
    for thread in threads:
        thread.join(30)
    assert heard == [version] * 60
    assert live.viewers == 0


def test_a_viewer_beyond_the_cap_is_told_and_a_place_becomes_free() -> None:
    live = Live(most=2)
    first, second = live.subscribe("game"), live.subscribe("game")
    with pytest.raises(Busy, match="2 phones are watching"):
        live.subscribe("game")
    first.close()
    first.close()
    assert live.viewers == 1
    live.subscribe("game")
    assert next(second) == live.version("game")


def test_closing_ends_every_stream() -> None:
    live = Live()
    viewer = live.subscribe("game", live.version("game"), heartbeat=30)
    ended = threading.Thread(target=lambda: list(viewer))
    ended.start()
    live.close()
    ended.join(30)
    assert not ended.is_alive()
    with pytest.raises(Busy):
        live.subscribe("game")
