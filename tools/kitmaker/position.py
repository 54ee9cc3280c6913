"""What lies on a board: a kit's setup positions and plausible games, each as the label of its photo."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator

from tools.kitmaker.box import (
    CASTLES_A_COLOUR,
    COLUMNS,
    KINDS,
    MINE_SILVER,
    PIECES,
    QUADRANTS,
    Kit,
    board_cells,
    is_meadow,
    piece_size,
    player_colours,
)

Label = dict[str, Any]
LAYOUTS = ("full", "two", "tournament")
SPARE_TOWNS = {"village": 2, "city": 2}


def quadrant(kit: Kit, column: int, row: int) -> str:
    columns, rows = piece_size(kit)
    return ("N" if row < rows else "S") + ("W" if column < columns else "E")


def piece_cell(kit: Kit, arrangement: Kit, column: int, row: int) -> tuple[str, str, bool]:
    """The piece that lies under a board cell, its own name for the cell, and whether it lies upside down."""
    columns, rows = piece_size(kit)
    lies = arrangement[quadrant(kit, column, row)]
    c, r = column % columns, row % rows
    if lies["turned"]:
        c, r = columns - 1 - c, rows - 1 - r
    return lies["piece"], f"{COLUMNS[c]}{r + 1}", bool(lies["turned"])


def meadows(kit: Kit, arrangement: Kit) -> list[str]:
    return [cell for cell, c, r in board_cells(kit) if is_meadow(c, r) and quadrant(kit, c, r) in arrangement]


def spaces(kit: Kit, arrangement: Kit) -> list[tuple[str, Kit]]:
    """Every landscape space on the board with what is printed there."""
    found = []
    for cell, c, r in board_cells(kit):
        if not is_meadow(c, r) and quadrant(kit, c, r) in arrangement:
            piece, own, _ = piece_cell(kit, arrangement, c, r)
            found.append((cell, kit["pieces"][piece]["spaces"][own]))
    return found


def any_arrangement(rng: Generator, kit: Kit, layout: str) -> Kit:
    order = [PIECES[int(k)] for k in rng.permutation(4)]
    places: tuple[str, ...] = QUADRANTS
    if layout == "two":  # the mine's piece and one other, charts beside them
        mine = mine_piece(kit)
        order = [mine, next(name for name in order if name != mine)]
        order = [order[int(k)] for k in rng.permutation(2)]
        places = ("NW", "SW")
    return {
        place: {"piece": piece, "turned": int(rng.integers(2)) * 180}
        for place, piece in zip(places, order, strict=False)
    }


def mine_piece(kit: Kit) -> str:
    return next(
        str(name)
        for name, piece in kit["pieces"].items()
        if any(space["areas"][0]["kind"] == "mine" for space in piece["spaces"].values())
    )


def bare(kit: Kit, arrangement: Kit) -> Label:
    return {
        "arrangement": arrangement,
        "tiles": dict.fromkeys(meadows(kit, arrangement), "none"),
        "towns": {},
        "castles": {},
        "mine_silver": 0,
    }


def printed_towns(kit: Kit, arrangement: Kit) -> dict[str, str]:
    return {cell: space["printed"] for cell, space in spaces(kit, arrangement) if space["printed"]}


def start(kit: Kit, arrangement: Kit) -> Label:
    label = bare(kit, arrangement)
    label["tiles"] = dict.fromkeys(label["tiles"], "down")
    label["towns"] = printed_towns(kit, arrangement)
    label["mine_silver"] = MINE_SILVER[4]
    label["resources"] = {colour: dict.fromkeys(KINDS, 0) for colour in player_colours(kit)}
    label["track"] = dict.fromkeys(player_colours(kit), 0)
    return label


def all_tiles(kit: Kit, arrangement: Kit) -> Label:
    label = bare(kit, arrangement)
    heraldic = [tile["id"] for tile in kit["tiles"] if tile["id"][0] == "T"]
    label["tiles"] = {
        cell: {"tile": name, "turns": 0} for cell, name in zip(label["tiles"], heraldic, strict=True)
    }
    return label


def sites(kit: Kit, arrangement: Kit) -> list[str]:
    return [
        f"{cell}/{a}/{s}"
        for cell, space in spaces(kit, arrangement)
        for a, area in enumerate(space["areas"])
        for s in range(len(area.get("sites", ())))
    ]


def castles_shown(rng: Generator, kit: Kit, arrangement: Kit) -> Label:
    """The four start tiles, two castles of each colour, and four built over another."""
    label = bare(kit, arrangement)
    for cell, name in zip(list(label["tiles"])[:4], ("S1", "S2", "S3", "S4"), strict=True):
        label["tiles"][cell] = {"tile": name, "turns": 0}
    colours = player_colours(kit)
    free = sites(kit, arrangement)
    chosen = [free[int(k)] for k in rng.permutation(len(free))[:12]]
    stacks = [[colours[k % 4]] for k in range(8)] + [[colours[k], colours[(k + 1) % 4]] for k in range(4)]
    label["castles"] = dict(zip(chosen, stacks, strict=False))
    return label


def shown(record: Label) -> Label:
    """What a photo shows of a position: a position's record says more, such as the cards in hand."""
    seen = ("arrangement", "tiles", "towns", "castles", "resources", "track", "mine_silver")
    label = {key: record[key] for key in seen}
    label["tiles"] = {
        cell: lies if isinstance(lies, str) else {"tile": lies["tile"], "turns": lies.get("turns", 0)}
        for cell, lies in label["tiles"].items()
    }
    return label


def game(rng: Generator, kit: Kit, players: int, layout: str) -> Label:
    """A board in play, at a random moment."""
    arrangement = any_arrangement(rng, kit, layout)
    label = bare(kit, arrangement)
    colours = [player_colours(kit)[int(k)] for k in sorted(rng.permutation(4)[:players])]
    moment = float(rng.beta(0.9, 0.8))
    label["tiles"] = _tiles_in_play(rng, kit, list(label["tiles"]), moment)
    label["towns"] = _towns_in_play(rng, kit, arrangement)
    label["castles"] = _castles_in_play(rng, kit, arrangement, colours, moment)
    label["resources"] = {colour: {kind: int(rng.integers(0, 6)) for kind in KINDS} for colour in colours}
    label["track"] = {colour: int(rng.integers(0, 70)) if moment > 0.1 else 0 for colour in colours}
    if players > 1 and rng.random() < 0.3:  # markers meet on the track
        label["track"][colours[0]] = label["track"][colours[-1]]
    label["mine_silver"] = int(rng.integers(0, MINE_SILVER[players] + 1))
    return label if layout == "full" else label | {"layout": layout}


def _tiles_in_play(rng: Generator, kit: Kit, places: list[str], moment: float) -> dict[str, Any]:
    names = [tile["id"] for tile in kit["tiles"]]
    heraldic = [name for name in names if name[0] == "T"]
    pool = names if rng.random() < 0.4 else heraldic
    drawn = [pool[int(k)] for k in rng.permutation(len(pool))[: len(places)]]
    up = round(moment * len(places))
    shown = set(rng.permutation(len(places))[:up].tolist())
    return {
        cell: {"tile": drawn[k], "turns": int(rng.integers(4))} if k in shown else "down"
        for k, cell in enumerate(places)
    }


def _towns_in_play(rng: Generator, kit: Kit, arrangement: Kit) -> dict[str, str]:
    towns = printed_towns(kit, arrangement)
    if rng.random() < 0.35:
        gone = list(towns)[int(rng.integers(len(towns)))]
        del towns[gone]
    vacant = [
        cell
        for cell, space in spaces(kit, arrangement)
        if cell not in towns and space["areas"][0]["kind"] != "mine"
    ]
    for kind, spare in SPARE_TOWNS.items():
        for _ in range(int(rng.integers(spare + 1)) if rng.random() < 0.4 else 0):
            towns[vacant.pop(int(rng.integers(len(vacant))))] = kind
    return towns


def _castles_in_play(
    rng: Generator, kit: Kit, arrangement: Kit, colours: list[str], moment: float
) -> dict[str, list[str]]:
    left = dict.fromkeys(colours, CASTLES_A_COLOUR)
    castles: dict[str, list[str]] = {}

    def build(key: str) -> None:
        able = [colour for colour in colours if left[colour] and colour not in castles.get(key, ())]
        if able:
            colour = able[int(rng.integers(len(able)))]
            left[colour] -= 1
            castles.setdefault(key, []).append(colour)

    free = sites(kit, arrangement)
    built = min(round(moment * rng.uniform(0.4, 1.0) * 28), len(free))
    for k in rng.permutation(len(free))[:built]:
        build(free[int(k)])
    fields = [
        f"{cell}/{a}/0"
        for cell, space in spaces(kit, arrangement)
        for a, area in enumerate(space["areas"])
        if area["kind"] in ("wood", "grain")
    ]
    for k in rng.permutation(len(fields))[: int(rng.integers(0, 4)) if built else 0]:
        build(fields[int(k)])
    if rng.random() < 0.5:  # the battle cards are in play
        for key in list(castles):
            if rng.random() < 0.25:
                build(key)
    return castles


def silver_pile(
    rng: Generator, count: int, cube: float, reach: float
) -> list[tuple[float, float, float, float]]:
    """x, y, height and yaw of each cube heaped in the mine: the first ones below, the rest on top."""
    pile: list[tuple[float, float, float, float]] = []
    for _ in range(count):
        at = rng.uniform(-1, 1, 2) * reach
        best = at
        for _ in range(10):
            at = rng.uniform(-1, 1, 2) * reach
            if np.hypot(*at) <= reach and all(
                np.hypot(at[0] - x, at[1] - y) > cube * 1.2 for x, y, _, _ in pile
            ):
                best = at
                break
        under = [z for x, y, z, _ in pile if np.hypot(best[0] - x, best[1] - y) < cube * 0.9]
        pile.append(
            (float(best[0]), float(best[1]), max(under) + cube if under else 0.0, float(rng.uniform(0, 90)))
        )
    return pile
