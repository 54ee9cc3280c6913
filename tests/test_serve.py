"""`companion serve` as somebody starts it: the link works, and it stops when it is told to."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path

import pytest


@contextmanager
def serving(*options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "companion.cli", "serve", "--host", "127.0.0.1", *options]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )
    too_long = threading.Timer(90, process.kill)  # only where a test fails
    too_long.start()
    try:
        yield process
    finally:
        too_long.cancel()
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def read_until(process: subprocess.Popen[str], last: str) -> str:
    assert process.stdout is not None
    lines = ""
    for line in process.stdout:
        lines += line
        if last in line:
            break
    return lines


def stopped(process: subprocess.Popen[str]) -> str:
    process.send_signal(signal.SIGTERM)
    assert process.stdout is not None
    rest = process.stdout.read()
    process.wait(30)
    return rest


def test_the_link_in_the_terminal_opens_the_hosts_page(tmp_path: Path) -> None:
    with serving("--port", "0", "--data", str(tmp_path / "games")) as process:
        told = read_until(process, "Ctrl-C")
        assert f"Games and photos are kept in {tmp_path / 'games'}" in told
        assert "█" in told  # the link as a QR code
        link = re.findall(r"http://127\.0\.0\.1:\d+/host/\S+", told)[0]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        assert "New game" in browser.open(link).read().decode()
        assert "Everything is kept." in stopped(process)
        assert process.returncode == 0


def test_the_demo_opens_on_a_game_in_progress(tmp_path: Path) -> None:
    with serving("--demo", "--port", "0", "--data", str(tmp_path)) as process:
        link = re.findall(r"http://127\.0\.0\.1:\d+/host/\S+", read_until(process, "Ctrl-C"))[0]
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        page = browser.open(link).read().decode()
        assert "Scan the sample photo" in page
        assert "Rosa" in page


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with serving("--port", port, "--data", str(tmp_path)) as process:
            told = read_until(process, "never said")
            assert process.wait(30) == 1
    assert f"Companion cannot listen on 127.0.0.1, port {port}: another program listens there." in told
    assert "Choose another port with --port." in told


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="a machine without IPv6")
@pytest.mark.parametrize("options", [(), ("--https",)])
def test_every_address_of_this_computer_is_listened_to(tmp_path: Path, options: tuple[str, ...]) -> None:
    with serving("--host", "::", "--port", "0", "--data", str(tmp_path), *options) as process:
        port = re.findall(r":(\d+)/host/", read_until(process, "Ctrl-C"))[0]
        for address in ("127.0.0.1", "::1"):
            socket.create_connection((address, int(port)), timeout=20).close()


def test_an_address_of_another_computer_is_told(tmp_path: Path) -> None:
    with serving("--host", "256.1.1.1", "--port", "0", "--data", str(tmp_path)) as process:
        told = read_until(process, "never said")
        assert process.wait(30) == 1
    assert "Companion cannot listen on 256.1.1.1, port 0: this computer has no such address." in told


def test_an_address_given_as_a_name_is_told(tmp_path: Path) -> None:
    with serving("--name", "http://table.local:8765", "--data", str(tmp_path)) as process:
        told = read_until(process, "never said")
        assert process.wait(30) == 2
    assert "http://table.local:8765 is no name of a computer. Give the name alone" in told


def test_a_certificate_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "certificate.pem").mkdir()
    with serving("--https", "--port", "0", "--data", str(tmp_path)) as process:
        told = read_until(process, "never said")
        assert process.wait(30) == 1
    assert f"the certificate cannot be kept in {tmp_path} (Is a directory)." in told


def test_a_damaged_database_is_named_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "companion.sqlite3"
    content = b"this is no database" * 100
    file.write_bytes(content)
    with serving("--port", "0", "--data", str(tmp_path)) as process:
        told = read_until(process, "never said")
        assert process.wait(30) == 1
    assert str(file) in told
    assert "Traceback" not in told
    assert file.read_bytes() == content
