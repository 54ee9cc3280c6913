"""A few turns of a game, for tests of what a sitting keeps."""

from __future__ import annotations

from companion.table.castelli.sitting import Sitting
from companion.table.castelli.table import Table
from tests.table.tabletop import FOUR


def new_game(table: Table, **settings: object) -> Sitting:
    return table.new_game({"players": FOUR, **settings}, "Anna", f"new {sorted(settings)}")


def turn(
    table: Table, sitting: Sitting, slot: str, tile: str, turns: int = 0, author: str = "Anna"
) -> Sitting:
    key = f"{slot} {tile} {turns} after {sitting.number}"
    return table.reveal(sitting.game, slot, tile, turns, author, key, sitting.number)


def some_turns(table: Table, count: int = 4) -> Sitting:
    sitting = new_game(table)
    slots = sitting.board.slots
    for number in range(count):
        sitting = turn(table, sitting, slots[number], f"T{number + 1:02}", number % 4)
    return sitting
