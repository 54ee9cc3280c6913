"""Plus and minus on what lies in front of a player, and on what lies beside the board."""

from __future__ import annotations

from dataclasses import replace

from companion.scoring.castelli.components import Colour
from companion.scoring.castelli.events import Correction, PlayerCorrection
from companion.scoring.castelli.position import (
    CASTLES_OF_A_COLOUR,
    MOST_OF_A_RESOURCE,
    SPARE_TOWNS,
    Position,
)
from companion.table.errors import BadInput, sentence

LIMITS = {
    "wood": MOST_OF_A_RESOURCE,
    "grain": MOST_OF_A_RESOURCE,
    "rocks": MOST_OF_A_RESOURCE,
    "castles_left": CASTLES_OF_A_COLOUR,
    "silver": 99,
    "points": 999,
    "cards": 99,
    "holds_start": 1,
}
"""What can be adjusted, and how far up."""

SUPPLIES = {"mine": 99, "deck": 99, "spare_villages": SPARE_TOWNS, "spare_cities": SPARE_TOWNS}
"""What lies beside the players, and how far up it can be adjusted."""


def adjusted(position: Position, colour: Colour, what: str, by: int) -> Correction:
    """Silver comes out of the mine and cards out of the deck, and they go back there, as far as they last."""
    if colour not in position.colours or what not in LIMITS:
        raise BadInput(sentence("There is no such player or nothing of that name to adjust."))
    now: int = getattr(position.player(colour), what)
    value: int | bool = _within(now + by, LIMITS[what])
    if what == "holds_start":
        value = bool(value)
    mine = max(0, position.mine - by) if what == "silver" else None
    deck = max(0, position.deck - by) if what == "cards" else None
    known = () if what == "cards" and by < 0 else None
    correction = replace(PlayerCorrection(known=known), **{what: value})  # type: ignore[arg-type]  # in LIMITS
    return Correction(players={colour: correction}, mine=mine, deck=deck)


def supply_adjusted(position: Position, what: str, by: int) -> Correction:
    """Silver in the mine, cards in the deck, villages and cities beside the board; nobody gives or gets."""
    if what not in SUPPLIES:
        raise BadInput(sentence("There is no such player or nothing of that name to adjust."))
    value = _within(getattr(position, what) + by, SUPPLIES[what])
    return replace(Correction(), **{what: value})  # type: ignore[arg-type]  # in SUPPLIES


def _within(value: int, most: int) -> int:
    if not 0 <= value <= most:
        raise BadInput(sentence("That cannot be less than 0 or more than %(most)s."), most=most)
    return value
