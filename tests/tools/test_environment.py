"""The script behind `make run` and `make test`: what it says when a machine lacks something."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project as small as can be, with the real script."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "environment.py", tmp_path / "tools")
    settings = '[project]\nname = "p"\nversion = "1"\ndependencies = ["no-such-library"]\n'
    (tmp_path / "pyproject.toml").write_text(settings)
    return tmp_path


def run(project: Path, start: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the script as make does; `start` is Python that changes the machine first."""
    script = str(project / "tools" / "environment.py")
    play = f"runpy.run_path({script!r}, run_name='__main__')"
    code = f"import runpy, sys\nsys.argv = [{script!r}]\n{start}\n{play}"
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False, env={**os.environ, **environment},
    )  # fmt: skip


def test_libraries_that_cannot_be_fetched(project: Path) -> None:
    for _ in range(2):  # and it does not take the half-made environment for a whole one
        done = run(project, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(project))
        assert done.returncode == 1
        assert "could not be installed" in done.stderr and "check the connection" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_python_without_venv(project: Path) -> None:
    without = """
import importlib.util as util
find = util.find_spec
util.find_spec = lambda name, package=None: None if name == "ensurepip" else find(name, package)
"""
    done = run(project, without)
    assert done.returncode == 1
    assert "without its 'ensurepip' module" in done.stderr and "apt install python3-venv" in done.stderr


def test_a_python_that_is_too_old(project: Path) -> None:
    done = run(project, "sys.version_info = (3, 8, 1)", PATH=str(project))
    assert done.returncode == 1
    assert "needs Python 3.11 or newer, and python3 here is 3.8" in done.stderr


def test_the_script_can_be_read_by_an_old_python() -> None:
    """Or it could not even say that it is too old."""
    ast.parse((ROOT / "tools" / "environment.py").read_text(encoding="utf-8"), feature_version=(3, 6))
