"""Makes the virtual environment that `make run` and `make test` work in, once, and says what is missing.

    python3 tools/environment.py          what the program needs
    python3 tools/environment.py test     and what the tests need

It runs on the machine's own python3, before anything is installed: standard library only, and no syntax
that an older python3 cannot even read, so that it can say that it is too old.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "companion-installed"


class Missing(Exception):
    """Something this machine lacks, with what to do about it."""


def main() -> int:
    extra = "[test]" if "test" in sys.argv[1:] else ""
    try:
        use_a_python_new_enough()
        if not installed(extra):
            make_environment()
            install(extra)
    except Missing as missing:
        sys.stderr.write(f"\nCompanion cannot start: {missing}\n")
        return 1
    return 0


def use_a_python_new_enough() -> None:
    """Some systems keep an old python3 and have a newer one beside it under its own name."""
    if sys.version_info >= OLDEST:
        return
    for name in NEWER:
        found = shutil.which(name)
        if found:
            os.execv(found, [found, *sys.argv])
    raise Missing(
        "it needs Python 3.11 or newer, and python3 here is {}.{}.\n"
        "Install a newer one (python.org, or your system's packages), or name it: "
        "make run PYTHON=/path/to/python3.11".format(*sys.version_info[:2])
    )


def wanted(extra: str) -> str:
    """What the stamp says when this very project, at this very place, is installed as asked.

    The folder belongs to it because an environment does not survive being moved.
    """
    settings = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    return f"{settings} {VENV} {extra}"


def installed(extra: str) -> bool:
    """The tests' environment also serves the program."""
    try:
        stamp = STAMP.read_text(encoding="utf-8")
    except OSError:
        return False
    return stamp in (wanted(extra), wanted("[test]")) and works()


def works() -> bool:
    """An environment breaks when the system's Python behind it is replaced or the folder is moved."""
    python = environment_python()
    if not python.exists():
        return False
    try:
        question = [str(python), "-c", "import sys; print(sys.prefix); print(sys.version_info >= (3, 11))"]
        answer = subprocess.run(question, capture_output=True, text=True, check=False)
    except OSError:
        return False
    prefix, _, new_enough = answer.stdout.strip().partition("\n")
    return answer.returncode == 0 and new_enough == "True" and Path(prefix).resolve() == VENV.resolve()


def environment_python() -> Path:
    return VENV / "bin" / "python"


def make_environment() -> None:
    if works() and pip_works():
        return
    for module in ("venv", "ensurepip"):
        if importlib.util.find_spec(module) is None:
            raise Missing(
                f"python3 here comes without its '{module}' module, which makes virtual environments.\n"
                "On Debian or Ubuntu: sudo apt install python3-venv. Then try again."
            )
    say("Making a virtual environment in .venv ...")
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        raise Missing(
            f"a virtual environment could not be made in {VENV}.\n{last_lines(made)}\n"
            "Is the disk full, or the folder not yours to write in?"
        )


def pip_works() -> bool:
    question = [str(environment_python()), "-m", "pip", "--version"]
    return subprocess.run(question, capture_output=True, check=False).returncode == 0


def install(extra: str) -> None:
    say("Installing what Companion needs; the first time this takes a minute or two ...")
    project = f"{ROOT}{extra}"
    command = [str(environment_python()), "-m", "pip", "install", "--quiet", "--editable", project]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(
            f"its libraries could not be installed. pip says:\n{last_lines(done)}\n"
            "They come from the internet the first time: check the connection, or a proxy or "
            "disk in the way, and try again."
        )
    STAMP.write_text(wanted(extra), encoding="utf-8")


def last_lines(done: "subprocess.CompletedProcess[str]") -> str:
    lines = (done.stdout + done.stderr).strip().splitlines()[-6:]
    return "\n".join("    " + line for line in lines)


def say(sentence: str) -> None:
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
