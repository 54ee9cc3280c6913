"""A position in one line that a person can read.

    board P1 P2* / P3* P4; tiles T07>,.,.,T12^/.,.,-,./...; towns v:B3,A4 c:D3; castles F7/1/0=green+red;
    red 12 w3 r2 s4 c2(king-4) x7 +S1; blue 9; mine 6; deck 20; turn red build A1; rules battle dilemma

Grammar. Fields are parted by ";", words by spaces. Fields in brackets may be left out. A sign in a name
that is no letter, digit, "_" or "-" is written as "%" and two hexadecimal digits a byte, as in an address.

    position  = board tiles [towns] [castles] player... mine deck [spare] [paid] turn [rules]
    board     = "board" PIECE PIECE "/" PIECE PIECE ["mine@" CELL]
                NW NE / SW SE; "*" after a piece turned by 180 degrees; "-" where none lies face up;
                the cell covered by the tournament's spare mine tile
    tiles     = "tiles" row {"/" row}, a row = slot {"," slot} from west to east
    slot      = TILE turn | "." face down | "-" no tile
    turn      = "^" | ">" | "v" | "<": where the tile's own north points
    towns     = "towns" ["v:" CELL {"," CELL}] ["c:" CELL {"," CELL}]; left out: as printed
    castles   = "castles" {SITE "=" COLOUR {"+" COLOUR}}, stacks from the bottom up
    player    = COLOUR POINTS ["w" n] ["g" n] ["r" n] ["s" n] ["c" n ["(" CARD {"," CARD} ")"]] ["x" n]
                ["+" [TILE] | "=" TILE]
                wood, grain, rocks, silver, cards and those known, castles left (else 9 less those built),
                the start tile held or another tile in hand
    mine      = "mine" n, silver in the mine
    deck      = "deck" n
    spare     = "spare" VILLAGES "+" CITIES beside the board; left out: 2+2
    paid      = "paid" {"+" ID | "-" ID}: what is paid beyond, or not yet of, all that is complete
    turn      = "turn" COLOUR PHASE [SLOT] ["silver"] ["card"] {"guard=" SITE} ["over"]
                phase reveal, placed or build; the slot revealed; 2 silver have stood in; a card is used
    rules     = "rules" ["dilemma"] ["battle"] {RULING "=" OPTION}

What lies where the board has no place for it is not written; `records` keeps that too.
"""

from __future__ import annotations

from urllib.parse import quote

from companion.scoring.castelli.board import Board, Quadrant, cell_place
from companion.scoring.castelli.components import Town
from companion.scoring.castelli.position import (
    CASTLES_OF_A_COLOUR,
    DOWN,
    MISSING,
    SPARE_TOWNS,
    FaceUp,
    Player,
    Position,
    Slot,
    complete,
)
from companion.scoring.castelli.rulings import differing

TURNS = "^>v<"
FIELDS = ("board", "tiles", "towns", "castles", "mine", "deck", "spare", "paid", "turn", "rules")


def write(position: Position) -> str:
    """The position in one line; `notation_reading.read` gives it back."""
    fields = [
        _board(position.board),
        _tiles(position),
        *_towns(position),
        *_castles(position),
        *(_player(player, position) for player in position.players),
        f"mine {position.mine}",
        f"deck {position.deck}",
        *_spare(position),
        *_paid(position),
        _turn(position),
        *_rules(position),
    ]
    return "; ".join(fields)


def name(text: str) -> str:
    """Letters, digits, `_` and `-` as they are, every other sign escaped."""
    return quote(text, safe="").replace(".", "%2E").replace("~", "%7E")


def path(text: str) -> str:
    """A site or area: names parted by slashes."""
    return "/".join(name(part) for part in text.split("/"))


def _board(board: Board) -> str:
    pieces = dict(board.assembly.pieces)
    rows = []
    for west, east in ((Quadrant.NW, Quadrant.NE), (Quadrant.SW, Quadrant.SE)):
        words = []
        for quadrant in (west, east):
            placed = pieces.get(quadrant)
            words.append("-" if placed is None else name(placed.piece) + ("*" if placed.turned else ""))
        rows.append(" ".join(words))
    spare = board.assembly.spare_mine
    return f"board {rows[0]} / {rows[1]}" + (f" mine@{spare}" if spare is not None else "")


def _tiles(position: Position) -> str:
    rows: dict[int, list[str]] = {}
    for cell in position.board.slots:
        rows.setdefault(cell_place(cell)[1], []).append(_slot(position.slot(cell)))
    return "tiles " + "/".join(",".join(rows[row]) for row in sorted(rows))


def _slot(slot: Slot) -> str:
    if isinstance(slot, FaceUp):
        return name(slot.tile) + TURNS[slot.turns % 4]
    return {DOWN: ".", MISSING: "-"}[slot]


def _towns(position: Position) -> list[str]:
    if dict(position.towns) == position.board.printed_towns:
        return []
    groups = []
    for letter, kind in (("v", Town.VILLAGE), ("c", Town.CITY)):
        cells = [name(cell) for cell, town in position.towns.items() if town is kind]
        if cells:
            groups.append(f"{letter}:{','.join(cells)}")
    return [" ".join(["towns", *groups])]


def _castles(position: Position) -> list[str]:
    stacks = [
        f"{path(site)}={'+'.join(name(colour) for colour in stack)}"
        for site, stack in position.castles.items()
    ]
    return [" ".join(["castles", *stacks])] if stacks else []


def _player(player: Player, position: Position) -> str:
    colour = name(player.colour)
    if colour in FIELDS:  # a colour of that name would read as a field
        colour = f"%{ord(colour[0]):02X}{colour[1:]}"
    words = [colour, str(player.points)]
    amounts = {"w": player.wood, "g": player.grain, "r": player.rocks, "s": player.silver, "c": player.cards}
    for letter, amount in amounts.items():
        known = f"({','.join(player.known)})" if letter == "c" and player.known else ""
        if amount or known:
            words.append(f"{letter}{amount}{known}")
    built = sum(stack.count(player.colour) for stack in position.castles.values())
    if player.castles_left != max(CASTLES_OF_A_COLOUR - built, 0):
        words.append(f"x{player.castles_left}")
    if player.holds_start:
        words.append("+" + name(player.hand_tile or ""))
    elif player.hand_tile is not None:
        words.append("=" + name(player.hand_tile))
    return " ".join(words)


def _spare(position: Position) -> list[str]:
    if position.spare_villages == position.spare_cities == SPARE_TOWNS:
        return []
    return [f"spare {position.spare_villages}+{position.spare_cities}"]


def _paid(position: Position) -> list[str]:
    usual = complete(position.board, position.tiles)
    words = [f"+{path(extra)}" for extra in sorted(position.evaluated - usual)]
    words += [f"-{path(missing)}" for missing in sorted(usual - position.evaluated)]
    return [" ".join(["paid", *words])] if words else []


def _turn(position: Position) -> str:
    words = ["turn", name(position.turn), position.phase.value]
    if position.placed is not None:
        words.append(name(position.placed))
    words += ["silver"] if position.silver_bought else []
    words += ["card"] if position.card_used else []
    words += [f"guard={path(site)}" for site in sorted(position.guarded)]
    words += ["over"] if position.finished else []
    return " ".join(words)


def _rules(position: Position) -> list[str]:
    words = [module for module in ("dilemma", "battle") if getattr(position.modules, module)]
    words += [f"{ruling}={option}" for ruling, option in differing(position.rulings).items()]
    return [" ".join(["rules", *words])] if words else []
