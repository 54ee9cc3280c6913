"""Small boards drawn as text, and short ways to put things on them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.scoring.castelli import Modules, Phase, Position, Rulings, changed
from companion.scoring.castelli.components import CARD, Arms, Tile
from companion.scoring.castelli.drawing import parse
from tests.scoring.sets import COLOURS

BATTLE = Modules(battle=True)
DILEMMA = Modules(dilemma=True)

TOY = """
+-----------+-----------+-----------+-----------+-----------+
|    g2     |    0r2    |    b3     |    0w2    |    y2     |
| b2 $0 r2  | 0r2.2 v 1m2 | r3 $0 y3 | 0w2 c 0w2 | r2 $0 b2 |
|    y2     |    1m2    |    g3     |    0w2    |    g2     |
|           |           |           |           |           |
+-----------+-----------+-----------+-----------+-----------+
|    0s0    |    y1     |   0r1.1   |    g1     |    0g2    |
| 0s0 . 0s0 | r1 $0 b1  | 0r1 . 1g2 | b1 $0 r1  | 0g2 . 0g2 |
|    0s0    |    g1     |    1g2    |    y1     |    0g2    |
|           |           |           |           |           |
+-----------+-----------+-----------+-----------+-----------+
|    b2     |    0w1    |           |   0r3.1   |           |
| g2 $0 y2  | 0w1 v 0w1 |    ##     | 0r3 v 0r3 |    ##     |
|    r2     |    0w1    |           |    0r3    |           |
|           |           |           |           |           |
+-----------+-----------+-----------+-----------+-----------+
"""
"""Reveals C3 and E3 are still to come. Villages B1, B3, D3; the city D1; the mine A2.
Who looks at the sites: B1 (r2 from A1, r3 from C1, y1 from B2), C2 (g3 from C1, b1 from B2, b1 from D2),
D3 (y1 from D2)."""


def plain_tile(name: str, north: str, east: str, south: str, west: str, silver: int = 0) -> Tile:
    """`plain_tile("T", "r3", "b3", "g*", "y3")`."""
    letters = {colour[0]: colour for colour in COLOURS}
    arms = [
        Arms(letters[word[0]], CARD if word[1:] == "*" else int(word[1:]))
        for word in (north, east, south, west)
    ]
    return Tile(name, (arms[0], arms[1], arms[2], arms[3]), silver)


def toy(
    turn: str = "red",
    phase: Phase = Phase.BUILD,
    players: tuple[str, ...] = COLOURS,
    modules: Modules = Modules(),  # noqa: B008  # a frozen value
    rulings: Rulings = Rulings(),  # noqa: B008  # a frozen value
    castles: Mapping[str, tuple[str, ...]] | None = None,
    mine: int = 10,
    **hands: dict[str, Any],
) -> Position:
    """The toy board with what each colour owns: `toy(red={"wood": 1})`."""
    spare = (plain_tile("T1", "r4", "b4", "g4", "y4", 1), plain_tile("T2", "r5", "y5", "b5", "g5"))
    position = parse(TOY, COLOURS, players, modules=modules, spare_tiles=spare)
    owned = tuple(changed(player, **hands.get(player.colour, {})) for player in position.players)
    return changed(
        position,
        players=owned,
        turn=turn,
        phase=phase,
        placed="C1" if phase is not Phase.REVEAL else None,
        castles=dict(castles or {}),
        mine=mine,
        rulings=rulings,
        deck=position.deck - sum(player.cards for player in owned),
    )


RICH = {"wood": 2, "grain": 2, "rocks": 2, "silver": 4}
"""Enough for two castles, or to build over one."""
