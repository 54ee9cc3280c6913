"""A board drawn as text, so that a reader of a test sees the position; and such a drawing read back.

+-----------+-----------+
|    r5     |   0r2.1   |      a tile face up: its arms as they lie, "*" a card icon, silver in the middle
| y5 $1 g*  | 1w1 v 0r2 |      an octagon: at each side the number, kind, symbols, ".sites" of the area there
|    b5     |    1w1    |      (w wood, g grain, r rocks, m market, s silver mine; "--" no area),
|           | 0/0=r+b   |      in the middle v village, c city or ".", below the castles by area and site
+-----------+-----------+
|   0g2     |    ##     |      "##" a tile face down, "()" no tile
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.scoring.castelli.board import Assembly, Board, BoardArea, Placed, assemble, cell_name
from companion.scoring.castelli.components import (
    CARD,
    Area,
    Arms,
    Cell,
    Colour,
    GameSet,
    Geometry,
    Gift,
    Kind,
    Piece,
    Point,
    Side,
    Space,
    Tile,
    Town,
)
from companion.scoring.castelli.position import (
    DOWN,
    MISSING,
    FaceUp,
    Modules,
    Player,
    Position,
    Slot,
    all_cards,
    complete,
)

KINDS = {"w": Kind.WOOD, "g": Kind.GRAIN, "r": Kind.ROCKS, "m": Kind.MARKET, "s": Kind.MINE}
TOWNS = {"v": Town.VILLAGE, "c": Town.CITY, ".": None}
LINES = 4
_LETTERS = {kind: letter for letter, kind in KINDS.items()}
_NOWHERE = Geometry(0, 0, Point(0, 0), 1, 1, 1, 0, 0)


def initials(colours: Sequence[Colour]) -> dict[Colour, str]:
    """A letter for each colour: the first of its name that no colour before it has taken."""
    letters: dict[Colour, str] = {}
    for colour in colours:
        free = (letter for letter in colour.lower() if letter not in letters.values())
        letters[colour] = next(free, "?")
    return letters


def draw(position: Position) -> str:
    """The board as text, without frame and hands."""
    board = position.board
    blocks = [
        [_block(position, cell_name(column, row)) for column in range(board.columns)]
        for row in range(board.rows)
    ]
    width = max(len(line) for row in blocks for block in row for line in block)
    rule = "+" + "+".join("-" * (width + 2) for _ in range(board.columns)) + "+"
    lines = [rule]
    for row in blocks:
        for number in range(LINES):
            cells = [block[number] for block in row]
            centred = [cell.center(width) if number != LINES - 1 else cell.ljust(width) for cell in cells]
            lines.append("| " + " | ".join(centred) + " |")
        lines.append(rule)
    return "\n".join(lines)


def _block(position: Position, cell: Cell) -> tuple[str, str, str, str]:
    letters = initials(position.board.colours)
    space = position.board.spaces.get(cell)
    if space is None:
        return _meadow(position.slot(cell), position.board, letters)
    sides = [_side(position.board, space.areas, side) for side in Side]
    town = position.towns.get(cell)
    middle = next(letter for letter, kind in TOWNS.items() if kind is town)
    castles = [
        f"{site.split('/', 1)[1]}={'+'.join(letters.get(colour, '?') for colour in stack)}"
        for site, stack in position.castles.items()
        if site.split("/")[0] == cell
    ]
    return sides[0], f"{sides[3]} {middle} {sides[1]}", sides[2], " ".join(castles)


def _meadow(slot: Slot, board: Board, letters: Mapping[Colour, str]) -> tuple[str, str, str, str]:
    if not isinstance(slot, FaceUp) or (tile := board.set.tiles.get(slot.tile)) is None:
        return "", "##" if slot == DOWN else "()", "", ""
    north, east, south, west = (
        letters[arms.colour] + ("*" if arms.value == CARD else str(arms.value))
        for arms in (tile.facing(side, slot.turns) for side in Side)
    )
    return north, f"{west} ${tile.silver} {east}", south, ""


def _side(board: Board, areas: Sequence[BoardArea], side: Side) -> str:
    for number, area in enumerate(areas):
        if side in area.sides:
            sites = len(area.sites) if area.kind is Kind.ROCKS else 0
            return f"{number}{_LETTERS[area.kind]}{area.symbols}" + (f".{sites}" if sites else "")
    return "--"


def parse(
    text: str,
    colours: Sequence[Colour],
    players: Sequence[Colour] | None = None,
    frame: Mapping[tuple[Cell, Side], Gift] | None = None,
    modules: Modules = Modules(),  # noqa: B008  # a frozen value
    spare_tiles: Sequence[Tile] = (),
) -> Position:
    """The drawn position on a set made for it: one board piece, and every drawn tile once.

    Areas whose tiles all lie face up count as paid, the deck is full and nobody owns anything.
    `ValueError` names what cannot be read.
    """
    cells = _cells(text)
    letters = {letter: colour for colour, letter in initials(colours).items()}
    spaces: dict[Cell, Space] = {}
    tiles: dict[Cell, Slot] = {}
    in_set = {tile.id: tile for tile in spare_tiles}
    castles: dict[str, tuple[Colour, ...]] = {}
    for cell, block in cells.items():
        words = block[1].split()
        if words in (["##"], ["()"]):
            tiles[cell] = DOWN if words == ["##"] else MISSING
        elif len(words) == 3 and words[1].startswith("$"):
            tile = _tile(cell, block, letters)
            in_set[tile.id] = tile
            tiles[cell] = FaceUp(tile.id)
        else:
            spaces[cell] = _space(cell, block)
            castles.update(_stacks(cell, block[3], letters))
    size = _size(cells)
    piece = Piece("drawn", spaces)
    game_set = GameSet("drawn", _NOWHERE, {"drawn": piece}, frame or {}, in_set, {}, (), size[0], size[1])
    board = assemble(game_set, Assembly.of({"NW": Placed("drawn")}))
    in_play = tuple(players if players is not None else colours)
    return Position(
        board=board,
        players=tuple(Player(colour) for colour in in_play),
        tiles=tiles,
        towns=board.printed_towns,
        castles=castles,
        deck=all_cards(modules).total(),
        evaluated=complete(board, tiles),
        turn=in_play[0],
        modules=modules,
    )


def _cells(text: str) -> dict[Cell, list[str]]:
    rows = [line.strip() for line in text.strip().splitlines()]
    inner = [line.strip("|").split("|") for line in rows if not line.startswith("+")]
    if len(inner) % LINES or len({len(line) for line in inner}) != 1:
        raise ValueError(f"A drawing has {LINES} lines for each row of cells, all with as many cells.")
    return {
        cell_name(column, number // LINES): [inner[number + k][column] for k in range(LINES)]
        for number in range(0, len(inner), LINES)
        for column in range(len(inner[0]))
    }


def _size(cells: Mapping[Cell, object]) -> tuple[int, int]:
    columns = next(n for n in range(1, len(cells) + 2) if cell_name(n, 0) not in cells)
    return columns, len(cells) // columns


def _around(block: Sequence[str], cell: Cell) -> tuple[str, str, str, str]:
    """The words at N, E, S and W."""
    middle, north, south = block[1].split(), block[0].split(), block[2].split()
    if len(middle) != 3 or len(north) != 1 or len(south) != 1:
        raise ValueError(f"{cell}: a word at each side and one in the middle are needed.")
    return north[0], middle[2], south[0], middle[0]


def _tile(cell: Cell, block: Sequence[str], letters: Mapping[str, Colour]) -> Tile:
    arms = []
    for word in _around(block, cell):
        if word[0] not in letters or not (word[1:] == "*" or word[1:].isdigit()):
            raise ValueError(f"{cell}: “{word}” must be the letter of a colour and a value.")
        arms.append(Arms(letters[word[0]], CARD if word[1:] == "*" else int(word[1:])))
    return Tile(f"T{cell}", (arms[0], arms[1], arms[2], arms[3]), int(block[1].split()[1][1:]))


def _space(cell: Cell, block: Sequence[str]) -> Space:
    numbered: dict[int, tuple[Kind, int, int, list[Side]]] = {}
    for side, word in zip(Side, _around(block, cell), strict=True):
        if word == "--":
            continue
        if len(word) < 3 or word[1] not in KINDS or not (word[0] + word[2]).isdigit():
            raise ValueError(f"{cell}: “{word}” must be an area's number, kind and symbols.")
        symbols, _, sites = word[2:].partition(".")
        kind, _, known_sites, sides = numbered.get(int(word[0]), (KINDS[word[1]], 0, 0, []))
        numbered[int(word[0])] = (kind, int(symbols), max(known_sites, int(sites or 0)), [*sides, side])
    middle = block[1].split()[1]
    if middle not in TOWNS:
        raise ValueError(f"{cell}: “{middle}” must be v, c or a dot.")
    areas = tuple(
        Area(kind, tuple(sides), symbols, (Point(0, 0),) * sites)
        for _, (kind, symbols, sites, sides) in sorted(numbered.items())
    )
    return Space(areas, TOWNS[middle])


def _stacks(cell: Cell, line: str, letters: Mapping[str, Colour]) -> dict[str, tuple[Colour, ...]]:
    stacks = {}
    for word in line.split():
        site, _, stack = word.partition("=")
        if any(letter not in letters for letter in stack.split("+")):
            raise ValueError(f"{cell}: “{word}” must be a site, = and letters of colours.")
        stacks[f"{cell}/{site}"] = tuple(letters[letter] for letter in stack.split("+"))
    return stacks
