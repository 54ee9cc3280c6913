"""Names that people type: in one line, and of characters that every page, picture and file can show."""

from __future__ import annotations

import re

UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]+")
"""Control characters, which no XML may hold, and those that turn the direction of all that follows."""


def tidy(name: str) -> str:
    return " ".join(UNSEEN.sub(" ", name).split())
