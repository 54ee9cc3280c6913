"""Sees to it that there is a chromium, in which `make test` tries the pages.

    python3 tools/browser.py

Where there is none, root on a system with apt-get gets it from there; anybody else is told what to install.
Like environment.py it runs on the machine's own python3, before anything is installed.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome")
PACKAGE = "chromium"
WHAT_TO_DO = (
    "The tests of the pages need a chromium, and none is on the PATH.\n"
    "Install one (Debian: sudo apt install chromium; Fedora: sudo dnf install chromium), "
    "or name yours: COMPANION_CHROMIUM=/path/to/chrome make test"
)


def main() -> int:
    if found():
        return 0
    if not may_install():
        sys.stderr.write(WHAT_TO_DO + "\n")
        return 1
    sys.stdout.write("Installing chromium, in which the pages are tried ...\n")
    sys.stdout.flush()
    trouble = install()
    if trouble or not found():
        sys.stderr.write(f"apt-get did not bring a chromium.\n{trouble}{WHAT_TO_DO}\n")
        return 1
    return 0


def found() -> bool:
    return bool(os.environ.get("COMPANION_CHROMIUM")) or any(shutil.which(name) for name in NAMES)


def may_install() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install() -> str:
    """What apt-get said last where it failed, otherwise nothing."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "--yes", "--no-install-recommends", PACKAGE]):
        done = subprocess.run(["apt-get", *step], capture_output=True, text=True, check=False, env=quiet)
        if done.returncode != 0:
            lines = (done.stdout + done.stderr).strip().splitlines()[-4:]
            return "".join(f"    {line}\n" for line in lines)
    return ""


if __name__ == "__main__":
    sys.exit(main())
