"""Small words of the pages: when something happened, by the clock of the table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from flask import Flask
from flask_babel import Babel, force_locale

from companion.web.castelli.filters import day, moment


@pytest.fixture
def at_the_table_in_new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    app = Flask(__name__)
    Babel(app)
    with app.test_request_context():
        yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("at_the_table_in_new_york")
@pytest.mark.parametrize(
    ("language", "that_day"),
    [
        ("en", "November 2, 2020"),
        ("de", "2. November 2020"),
        ("it", "2 novembre 2020"),
        ("nl", "2 november 2020"),
    ],
)
def test_days_are_those_of_the_table(language: str, that_day: str) -> None:
    with force_locale(language):
        assert day("2020-11-03T03:05:00.000Z") == that_day
        assert moment("2020-11-03T03:05:00.000Z").startswith(("Nov 2", "2. Nov", "2 nov"))


@pytest.mark.usefixtures("at_the_table_in_new_york")
def test_of_today_only_the_hour_is_told() -> None:
    now = datetime.now(UTC)
    with force_locale("de"):
        assert moment(now.isoformat()) == now.astimezone().strftime("%H:%M")
