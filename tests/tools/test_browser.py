"""The script that sees to a browser for the tests, on machines with and without one."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent.parent / "tools" / "browser.py"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A machine on which nothing can be called but what lies here."""
    return tmp_path


def put(path: Path, name: str, text: str = "#!/bin/sh\n") -> None:
    (path / name).write_text(text)
    (path / name).chmod(0o755)


def run(path: Path, user: int, **environment: str) -> subprocess.CompletedProcess[str]:
    play = f"runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    code = f"import os, runpy\nos.geteuid = lambda: {user}\n{play}"
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, env={"PATH": str(path), **environment},
    )  # fmt: skip


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_machine_with_a_browser_is_left_alone(path: Path, name: str) -> None:
    put(path, name)
    put(path, "apt-get", "#!/bin/sh\nexit 1\n")
    assert run(path, user=0).returncode == 0


def test_a_browser_that_is_named_will_do(path: Path) -> None:
    assert run(path, user=1000, COMPANION_CHROMIUM="/opt/chrome").returncode == 0


def test_root_gets_it_from_apt(path: Path) -> None:
    brings_one = f'#!/bin/sh\necho "$@" >> {path}/asked\n[ "$1" = update ] || /bin/cp "$0" {path}/chromium\n'
    put(path, "apt-get", brings_one)
    done = run(path, user=0)
    assert done.returncode == 0 and "Installing chromium" in done.stdout
    asked = (path / "asked").read_text().splitlines()
    assert [words.split()[0] for words in asked] == ["update", "install"] and "chromium" in asked[1]


def test_what_apt_says_is_passed_on(path: Path) -> None:
    put(path, "apt-get", "#!/bin/sh\necho E: no network >&2\nexit 100\n")
    done = run(path, user=0)
    assert done.returncode == 1
    assert "E: no network" in done.stderr and "COMPANION_CHROMIUM" in done.stderr


def test_an_apt_that_succeeds_without_bringing_one(path: Path) -> None:
    put(path, "apt-get")
    done = run(path, user=0)
    assert done.returncode == 1 and "did not bring a chromium" in done.stderr


@pytest.mark.parametrize(("user", "apt"), [(1000, True), (0, False)])
def test_who_cannot_install_is_told_what_to_do(path: Path, user: int, apt: bool) -> None:
    if apt:
        put(path, "apt-get")
    done = run(path, user)
    assert done.returncode == 1
    assert "need a chromium" in done.stderr and "apt install chromium" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_script_can_be_read_by_an_old_python() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 6))
