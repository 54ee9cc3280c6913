"""--https: a certificate of the machine's own, and pages that may use the camera and keep the screen on."""

from __future__ import annotations

import gc
import http.client
import socket
import ssl
import stat
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509

from companion.web.certificate import fingerprint, tls_context
from companion.web.config import WebConfig
from tests.web.chromium import Browser, phone
from tests.web.house import open_house

HOSTS = frozenset({"localhost", "127.0.0.1", "table.local"})


def names_in(folder: Path) -> set[str]:
    certificate = x509.load_pem_x509_certificate((folder / "certificate.pem").read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}


def test_the_certificate_names_this_machine_and_is_kept(folder: Path) -> None:
    tls_context(folder, HOSTS)
    first = fingerprint(folder)
    assert names_in(folder) == HOSTS
    assert stat.S_IMODE((folder / "certificate.pem").stat().st_mode) == 0o600
    tls_context(folder, HOSTS)
    assert fingerprint(folder) == first
    tls_context(folder, HOSTS | {"10.0.0.7"})
    assert fingerprint(folder) != first
    assert "10.0.0.7" in names_in(folder)


def test_a_damaged_certificate_is_made_anew(folder: Path) -> None:
    (folder / "certificate.pem").write_text("no certificate")
    tls_context(folder, HOSTS)
    assert names_in(folder) == HOSTS


@pytest.mark.parametrize("photo_size", [10, 3_000_000])
def test_what_goes_through_the_front_arrives_whole(folder: Path, photo_size: int) -> None:
    tls = tls_context(folder, HOSTS)
    with open_house(folder, WebConfig(https=True), tls=tls) as house:
        trusting = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
        line = http.client.HTTPSConnection(urlsplit(house.address).netloc, context=trusting, timeout=20)
        line.request("GET", house.host_link.removeprefix(house.address))
        answer = line.getresponse()
        answer.read()
        assert answer.status == 303
        assert "Secure" in answer.headers["Set-Cookie"]
        line.request("POST", "/new", body=b"x" * photo_size, headers={"Origin": house.address})
        assert line.getresponse().status in (403, 413)
        line.close()


def test_wrong_codes_are_counted_by_the_phones_address(folder: Path) -> None:
    """Behind the front every connection comes from this machine; the limit has to know the phones."""
    tls = tls_context(folder, HOSTS)
    with open_house(folder, WebConfig(https=True), tls=tls) as house:
        trusting = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
        line = http.client.HTTPSConnection(
            urlsplit(house.address).netloc, context=trusting, timeout=20, source_address=("127.0.0.2", 0)
        )
        line.request("GET", "/join/wrong")
        line.getresponse().read()
        line.close()
        assert list(house.seats._tries._wrong) == ["127.0.0.2"]


def test_who_shakes_hands_and_hangs_up_leaves_no_trace(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A browser that warns of the certificate does so, and the host's window shows what is logged."""
    tls = tls_context(folder, HOSTS)
    trusting = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    with open_house(folder, WebConfig(https=True), tls=tls) as house:
        netloc = urlsplit(house.address).netloc
        for _ in range(20):
            line = http.client.HTTPSConnection(netloc, context=trusting, timeout=20)
            line.connect()
            line.close()
        line = http.client.HTTPSConnection(netloc, context=trusting, timeout=20)
        line.request("GET", "/")
        assert line.getresponse().status == 200
        line.close()
    gc.collect()  # a task that failed unheard says so when it goes
    assert not caplog.records


def test_the_end_of_the_evening_leaves_no_trace_either(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Ctrl-C while a phone listens and another has not said a word."""
    tls = tls_context(folder, HOSTS)
    trusting = ssl.create_default_context(cafile=str(folder / "certificate.pem"))
    with open_house(folder, WebConfig(https=True), tls=tls) as house:
        place = urlsplit(house.address)
        line = http.client.HTTPSConnection(place.netloc, context=trusting, timeout=20)
        line.request("GET", "/")
        line.getresponse().read()
        silent = socket.create_connection((place.hostname or "", place.port or 0), timeout=20)
    assert line.sock is None or line.sock.recv(1) == b""
    silent.close()
    gc.collect()
    assert not caplog.records


def test_the_page_may_use_camera_and_wake_lock(folder: Path, chromium: Browser) -> None:
    tls = tls_context(folder, HOSTS)
    with (
        open_house(folder, WebConfig(https=True), tls=tls) as house,
        phone(chromium, ignore_https_errors=True) as context,
    ):
        game = house.new_game(arrangement_seen=True).game
        page = context.new_page()
        page.goto(house.host_link)
        page.goto(f"{house.address}/g/{game}/")
        assert page.evaluate("isSecureContext && 'wakeLock' in navigator && 'mediaDevices' in navigator")
        house.play(game, 1)
        page.locator("#player-0 .turn-words", has_text="Build").wait_for()
