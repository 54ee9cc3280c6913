"""Pages on which an owner teaches the program their own copy of the game, step by step."""

from __future__ import annotations

from functools import cache

from flask import Blueprint


@cache
def pages() -> Blueprint:
    """Imported late, as the other pages of the game are; each module adds its own to the blueprint."""
    from companion.web.castelli.calibrating import (
        board_pages,
        learn_pages,
        making,
        naming_pages,
        pictures,
        sharing_pages,
        space_pages,
        tile_pages,
        try_pages,
    )

    for module in (
        board_pages,
        space_pages,
        tile_pages,
        naming_pages,
        learn_pages,
        try_pages,
        sharing_pages,
        pictures,
    ):
        module.add_to(making.pages)
    return making.pages
