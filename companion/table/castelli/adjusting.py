"""Plus and minus on what lies in front of a player."""

from __future__ import annotations

from dataclasses import replace

from companion.scoring.castelli.components import Colour
from companion.scoring.castelli.events import Correction, PlayerCorrection
from companion.scoring.castelli.position import CASTLES_OF_A_COLOUR, MOST_OF_A_RESOURCE, Position
from companion.table.errors import BadInput, sentence

LIMITS = {
    "wood": MOST_OF_A_RESOURCE,
    "grain": MOST_OF_A_RESOURCE,
    "rocks": MOST_OF_A_RESOURCE,
    "castles_left": CASTLES_OF_A_COLOUR,
    "silver": 99,
    "points": 999,
    "cards": 99,
}
"""What can be adjusted, and how far up."""


def adjusted(position: Position, colour: Colour, what: str, by: int) -> Correction:
    """Silver comes out of the mine and cards out of the deck, and they go back there, as far as they last."""
    if colour not in position.colours or what not in LIMITS:
        raise BadInput(sentence("There is no such player or nothing of that name to adjust."))
    now: int = getattr(position.player(colour), what)
    value = now + by
    if not 0 <= value <= LIMITS[what]:
        raise BadInput(sentence("That cannot be less than 0 or more than %(most)s."), most=LIMITS[what])
    mine = max(0, position.mine - by) if what == "silver" else None
    deck = max(0, position.deck - by) if what == "cards" else None
    known = () if what == "cards" and by < 0 else None
    correction = replace(PlayerCorrection(known=known), **{what: value})  # type: ignore[arg-type]  # in LIMITS
    return Correction(players={colour: correction}, mine=mine, deck=deck)
