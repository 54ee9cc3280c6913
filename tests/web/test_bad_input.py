"""Whatever is wrong with what comes in is said in a sentence, with the right status, and changes nothing."""

from __future__ import annotations

import html
import io
import json
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image

from tests.web.asking import BOUNDARY, Browser
from tests.web.house import House, open_house


def fields(house: House, game: str, key: str = "key-of-a-test") -> dict[str, str]:
    return {"key": key, "expected": str(house.table.sitting(game).number)}


def picture(width: int = 400, height: int = 300, kind: str = "JPEG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (120, 90, 60)).save(out, kind)
    return out.getvalue()


PHOTOS = [
    ("empty", b"", 415),
    ("text", b"this is no photo", 415),
    ("html", b"<html><script>alert(1)</script>", 415),
    ("svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", 415),
    ("cut off", picture()[:2000], 415),
    ("cut off png", picture(kind="PNG")[:-40], 415),
    ("too small", picture(40, 30), 415),
    ("too many pixels", picture(9000, 7000, "PNG"), 413),
    ("no board on it", picture(), 422),
]


@pytest.mark.parametrize(("name", "data", "status"), PHOTOS, ids=[name for name, _, _ in PHOTOS])
def test_a_photo_that_is_none(
    house: House, host: Browser, game: str, name: str, data: bytes, status: int
) -> None:
    before = house.table.sitting(game).number
    answer = host.upload(
        f"/g/{game}/scan", "photo", data, fields(house, game, f"photo-{name}".replace(" ", "-"))
    )
    assert answer.status == status
    assert len(answer.sentence) > 20
    assert house.table.sitting(game).number == before
    assert house.table.proposal(game) is None
    assert house.companion.photos.of(game) == ()


@pytest.mark.parametrize("cut", [1, 4, 30, 200])
def test_a_form_that_stops_in_the_middle_is_refused(house: House, host: Browser, game: str, cut: int) -> None:
    data = picture(800, 600)
    answer = host.upload(f"/g/{game}/scan", "photo", data, fields(house, game), cut=cut + 2)
    assert answer.status in (400, 415)
    assert house.companion.photos.of(game) == ()


def test_a_body_larger_than_allowed_is_refused_before_it_is_sent(host: Browser, game: str) -> None:
    place = urlsplit(host.address)
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=10) as line:
        line.sendall(
            f"POST /g/{game}/scan HTTP/1.1\r\nHost: {place.netloc}\r\nOrigin: {host.address}\r\n"
            f"Cookie: companion={host.cookies['companion']}\r\nContent-Length: 3000000000\r\n"
            f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n".encode()
        )
        assert b" 413 " in line.recv(4096).split(b"\r\n")[0]


def test_a_form_larger_than_forms_are_is_refused(host: Browser, game: str) -> None:
    answer = host.post(f"/g/{game}/seat", {"name": "x" * 400_000})
    assert answer.status == 413
    assert "too large" in answer.sentence


def test_a_photo_sent_as_something_else_is_refused(host: Browser, game: str) -> None:
    answer = host.send("POST", f"/g/{game}/scan", picture(), {"Content-Type": "image/jpeg"})
    assert answer.status == 415


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/static/../config.py", 404),
        ("GET", "/static/%2e%2e/config.py", 404),
        ("GET", "/static/..%2fconfig.py", 404),
        ("GET", "/g/no-such-game/", 404),
        ("GET", "/g/{game}/player/purple", 404),
        ("GET", "/g/{game}/photos/0123.jpg", 404),
        ("GET", "/g/{game}/photos/..%2f..%2fcompanion.sqlite3.jpg", 404),
        ("GET", "/g/{game}/photos/0123/C3.jpg", 404),
        ("GET", "/g/{game}/question/tile/C3", 404),
        ("DELETE", "/g/{game}/", 405),
        ("GET", "/g/{game}/undo", 405),
        ("GET", "/sets/..%2f..%2fetc/colours.css", 404),
    ],
)
def test_addresses_that_lead_nowhere(host: Browser, game: str, method: str, path: str, status: int) -> None:
    answer = host.send(method, path.format(game=game), b"", {"Accept": "text/html"})
    assert answer.status == status
    assert answer.sentence.endswith(".")
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("path", "extra", "status"),
    [
        ("undo", {"steps": "1", "key": ""}, 422),
        ("undo", {"steps": "1", "key": "short"}, 422),
        ("undo", {"steps": "1", "key": "with spaces in it"}, 422),
        ("undo", {"steps": "1", "expected": "many"}, 422),
        ("undo", {"steps": "1", "expected": "1"}, 409),
        ("undo", {"steps": "999"}, 422),
        ("undo", {"steps": "-1"}, 422),
        ("redo", {"steps": "1"}, 422),
        ("player/red", {"what": "points", "by": "1000"}, 422),
        ("player/red", {"what": "name", "by": "1"}, 422),
        ("player/red", {"what": "wood", "by": "-9"}, 422),
        ("player/purple", {"what": "wood", "by": "1"}, 404),
        ("do", {"deed": "dance"}, 422),
        ("do", {"deed": "king", "points": "9"}, 422),
        ("do", {"deed": "king", "points": "x"}, 422),
        ("do", {"deed": "traitor", "victim": "purple"}, 422),
        ("do", {"deed": "peasant", "cell": "Z99"}, 422),
        ("do", {"deed": "sell", "player": "purple", "count": "1"}, 422),
        ("seat", {"colour": "purple"}, 422),
        ("let-in", {"seat": "nobody"}, 404),
        ("show-out", {"seat": "nobody"}, 404),
        ("answer", {"proposal": "none", "question": "tile/C3", "choice": "down"}, 409),
        ("confirm", {"proposal": "none"}, 409),
        ("dismiss", {"proposal": "none"}, 409),
        ("photos/0123/delete", {}, 404),
    ],
)
def test_forms_that_make_no_sense(
    house: House, host: Browser, game: str, path: str, extra: dict[str, str], status: int
) -> None:
    before = house.table.sitting(game).number
    answer = host.post(f"/g/{game}/{path}", {**fields(house, game), **extra})
    assert (answer.status, answer.sentence.endswith((".", ").", ")"))) == (status, True), answer.text
    assert house.table.sitting(game).number == before


@pytest.mark.parametrize(
    "wrong",
    [
        {"colour-0": "red"},
        {"colour-0": "red", "colour-1": "red"},
        {"colour-0": "red", "colour-1": "purple"},
        {"colour-0": "red", "colour-1": "blue", "name-0": "x" * 100},
        {"colour-0": "red", "colour-1": "blue", "ruling-own_space": "sometimes"},
        {"colour-0": "red", "colour-1": "blue", "set": "../../etc"},
        {"colour-0": "red", "colour-1": "blue", "key": ""},
    ],
)
def test_a_new_game_that_cannot_be(house: House, host: Browser, wrong: dict[str, str]) -> None:
    before = len(house.table.games())
    answer = host.post("/new", {"key": "key-of-a-new-game", "set": "reference", **wrong})
    assert answer.status in (404, 422)
    assert len(house.table.games()) == before


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff\xfe", b"{" * 100_000, b'{"format": "other"}'])
def test_a_game_file_that_is_none(house: House, host: Browser, data: bytes) -> None:
    answer = host.upload("/import", "file", data, {"key": "key-of-an-import"})
    assert answer.status in (400, 413, 422)
    assert answer.sentence


def test_a_game_file_with_a_tile_of_another_set_is_shown_as_far_as_it_goes(
    house: House, host: Browser, game: str
) -> None:
    content = json.loads(house.table.export_game(game))
    reveal = next(
        event for line in content["log"] for event in line["entry"].get("do", ()) if "tile" in event
    )
    reveal["tile"] = "T77"
    key = {"key": "key-of-another-set"}
    opened = host.upload("/import", "file", json.dumps(content).encode(), key, X_Send="1").json["next"]
    for page in ("", "board", "history", "score"):
        assert host.get(opened + page).status == 200
    assert "The set has no tile" in html.unescape(host.get(f"{opened}history").text)


def test_the_same_form_twice_is_one_event(house: House, host: Browser, game: str) -> None:
    sent = {**fields(house, game, "sent-twice"), "what": "wood", "by": "1"}
    before = house.table.sitting(game).position.player("red").wood
    number = house.table.sitting(game).number
    assert [host.post(f"/g/{game}/player/red", sent).status for _ in range(2)] == [303, 303]
    after = house.table.sitting(game)
    assert (after.position.player("red").wood, after.number) == (before + 1, number + 1)


def test_two_who_confirm_at_once_one_wins_and_the_other_is_told(
    house: House, host: Browser, game: str
) -> None:
    number = house.table.sitting(game).number
    sent = [
        {**fields(house, game, key), "what": "grain", "by": "1"} for key in ("first-phone", "second-phone")
    ]
    answers = [host.post(f"/g/{game}/player/blue", form) for form in sent]
    assert [answer.status for answer in answers] == [303, 409]
    assert answers[1].sentence
    assert house.table.sitting(game).number == number + 1


def test_errors_come_as_json_for_programs_and_as_a_page_for_readers(host: Browser) -> None:
    page = host.get("/nowhere", Accept="text/html")
    assert page.headers.get_content_type() == "text/html"
    data = host.get("/nowhere", Accept="application/json")
    assert data.json == {
        "error": "not_found",
        "problems": [],
        "sentence": "There is nothing at this address. Go back to the start page.",
    }


def test_our_own_mistake_is_a_sentence_with_a_number(
    house: House, host: Browser, game: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(game: str) -> None:
        raise RuntimeError("a secret of the program")

    monkeypatch.setattr(house.table, "sitting", broken)
    answer = host.get(f"/g/{game}/", Accept="text/html")
    assert answer.status == 500
    assert "secret" not in answer.text and "Traceback" not in answer.text
    number = answer.sentence.split()[-1].rstrip(".")
    assert number in caplog.text


def test_a_disk_that_takes_nothing_acknowledges_nothing(folder: Path) -> None:
    with open_house(folder) as house:
        host = Browser(house.address)
        host.get(house.host_link.removeprefix(house.address))
        game = house.new_game(arrangement_seen=True).game
        number = house.table.sitting(game).number
        assert host.get(f"/g/{game}/").status == 200
        house.companion.store._connection.execute("PRAGMA query_only = 1")
        sent = {**fields(house, game, "to-a-full-disk"), "what": "wood", "by": "1"}
        refused = host.post(f"/g/{game}/player/red", sent)
        assert refused.status == 507
        assert refused.sentence.startswith("Nothing was kept")
        assert host.get(f"/g/{game}/").status == 200
        house.companion.store._connection.execute("PRAGMA query_only = 0")
        assert house.table.sitting(game).number == number
        assert host.post(f"/g/{game}/player/red", sent).status == 303
