"""The drawn board, kept: phones that look at the same table in the same language get the same drawing."""

from __future__ import annotations

from flask import get_template_attribute
from markupsafe import Markup

from companion.table.castelli.rulebook import Side
from companion.table.castelli.sitting import Sitting
from companion.web.castelli.board_view import board_view
from companion.web.castelli.colours import palette_of
from companion.web.castelli.links import links
from companion.web.castelli.tongue import _, locale
from companion.web.rooms import rooms


def drawn_board(sitting: Sitting, near: Side) -> Markup:
    """Drawing takes longer than all the rest of the page, and a change is looked at by everybody at once."""
    key = (sitting.game, sitting.number, near, locale())
    return rooms().drawings.get(key, lambda: _draw(sitting, near))


def _draw(sitting: Sitting, near: Side) -> Markup:
    board_map = get_template_attribute("castelli/_map.html", "board_map")
    label = _("The board. Every area and every heraldic tile can be opened.")
    view = board_view(sitting.position, palette_of(sitting), near)
    drawn: Markup = board_map(view, links(sitting.game), label=label)
    return drawn
