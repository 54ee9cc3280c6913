"""Finds what comes with the program: the reference set and the demo game."""

from __future__ import annotations

import sys
from pathlib import Path

REFERENCE = "reference"
"""The name by which a game file asks for the bundled set."""


def bundled(name: str) -> Path:
    """A file of calibration/reference: in the clone, or where pip puts it when the program is installed."""
    clone = Path(__file__).resolve().parent.parent.parent / "calibration" / "reference" / name
    if clone.exists():
        return clone
    return Path(sys.prefix) / "share" / "companion" / "reference" / name
