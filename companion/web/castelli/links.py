"""Where each mark of the map leads."""

from __future__ import annotations

from collections.abc import Callable

from flask import url_for


def links(game: str) -> Callable[[str, str], str]:
    """The page of each mark on the map."""
    pages_of: dict[str, Callable[[str], str]] = {
        "area": lambda where: url_for("castelli.area", game=game, area=where),
        "slot": lambda where: url_for("castelli.slot", game=game, cell=where),
        "site": lambda where: url_for("castelli.site", game=game, site=where),
        "space": lambda where: url_for("castelli.space", game=game, cell=where),
    }
    return lambda kind, where: pages_of[kind](where)
