"""Positions as plain dictionaries, ready for JSON, and back.

The format is that of a photo's label and of `companion scan --json` (`arrangement`, `tiles`, `castles`,
`towns`, `resources`, `track`, `mine_silver`), with what a photo does not show added. Only `arrangement` is
required; what is left out stands as at the end of a turn on that board. `position_from` reports every
problem of a record with its place, not just the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.scoring.castelli.board import Assembly, Board, Placed, Quadrant, assemble, assembly_problems
from companion.scoring.castelli.components import Cell, Colour, GameSet, Town
from companion.scoring.castelli.plain import BadRecord, Reader
from companion.scoring.castelli.position import (
    CASTLES_OF_A_COLOUR,
    DOWN,
    MISSING,
    RESOURCES,
    SILVER_IN_GAME,
    SPARE_TOWNS,
    Card,
    FaceUp,
    Modules,
    Phase,
    Player,
    Position,
    Slot,
    all_cards,
    complete,
)
from companion.scoring.castelli.rulings import DEFAULT_RULINGS, Rulings, differing, with_option

SCAN_ONLY = ("photo", "corners", "size", "board")
"""Keys of labels and scans that say nothing about the game."""
KEYS = (
    *("arrangement", "spare_mine", "players", "tiles", "towns", "castles", "resources", "track", "silver"),
    *("cards", "castles_left", "hand_tiles", "holds_start", "mine_silver", "deck", "spare", "evaluated"),
    *("turn", "phase", "placed", "silver_bought", "card_used", "guarded", "finished", "modules", "rulings"),
)


def slot_record(slot: Slot) -> str | dict[str, Any]:
    return {"tile": slot.tile, "turns": slot.turns} if isinstance(slot, FaceUp) else slot


def position_record(position: Position) -> dict[str, Any]:
    """Everything; `position_from` with the same set gives the same position back."""
    players = position.players
    spare = position.board.assembly.spare_mine
    return {
        "arrangement": {
            quadrant.value: {"piece": placed.piece, "turned": placed.turned}
            for quadrant, placed in position.board.assembly.pieces
        },
        **({"spare_mine": spare} if spare is not None else {}),
        "players": list(position.colours),
        "tiles": {cell: slot_record(slot) for cell, slot in position.tiles.items()},
        "towns": {cell: town.value for cell, town in position.towns.items()},
        "castles": {site: list(stack) for site, stack in position.castles.items()},
        "resources": {p.colour: {kind.value: p.resource(kind) for kind in RESOURCES} for p in players},
        "track": {p.colour: p.points for p in players},
        "silver": {p.colour: p.silver for p in players},
        "cards": {p.colour: {"count": p.cards, "known": [card.value for card in p.known]} for p in players},
        "castles_left": {p.colour: p.castles_left for p in players},
        "hand_tiles": {p.colour: p.hand_tile for p in players if p.hand_tile is not None},
        "holds_start": [p.colour for p in players if p.holds_start],
        "mine_silver": position.mine,
        "deck": position.deck,
        "spare": {"villages": position.spare_villages, "cities": position.spare_cities},
        "evaluated": sorted(position.evaluated),
        "turn": position.turn,
        "phase": position.phase.value,
        "placed": position.placed,
        "silver_bought": position.silver_bought,
        "card_used": position.card_used,
        "guarded": sorted(position.guarded),
        "finished": position.finished,
        "modules": [name for name in ("dilemma", "battle") if getattr(position.modules, name)],
        "rulings": differing(position.rulings),
    }


def position_from(record: object, game_set: GameSet) -> Position:
    """The position a record describes; raises `BadRecord` with every problem."""
    reader = Reader()
    root = reader.mapping(record, "")
    for key in root:
        if key not in KEYS and key not in SCAN_ONLY:
            reader.problem(key, f"a position has no “{key}”; it has {', '.join(KEYS)}")
    board = _board(reader, root, game_set)
    # without a board the rest is read as for any board of this set, so that its problems are told too
    position = _position(reader, root, board or _any_board(game_set))
    if reader.problems:
        raise BadRecord(reader.problems)
    return position


def _any_board(game_set: GameSet) -> Board:
    return assemble(game_set, Assembly(((Quadrant.NW, Placed(next(iter(game_set.pieces)))),)))


def _board(reader: Reader, root: Mapping[str, Any], game_set: GameSet) -> Board | None:
    before = len(reader.problems)
    pieces: dict[str, Placed] = {}
    if "arrangement" not in root:
        reader.problem("arrangement", "is missing; say which board piece lies in which quadrant")
    for name, entry in reader.mapping(root.get("arrangement", {}), "arrangement").items():
        path = f"arrangement.{name}"
        placed = reader.mapping(entry, path)
        if name not in Quadrant.__members__:
            reader.problem(path, "is no quadrant; quadrants are NW, NE, SW and SE")
            continue
        piece = reader.text(placed.get("piece"), f"{path}.piece")
        pieces[name] = Placed(piece, reader.whole(placed.get("turned", 0), f"{path}.turned"))
    spare = reader.optional_text(root.get("spare_mine"), "spare_mine")
    if len(reader.problems) > before:
        return None
    assembly = Assembly.of(pieces, spare)
    for sentence in assembly_problems(game_set, assembly):
        reader.problem("arrangement", sentence)
    return None if len(reader.problems) > before else assemble(game_set, assembly)


def _position(reader: Reader, root: Mapping[str, Any], board: Board) -> Position:
    modules = _modules(reader, root.get("modules", []))
    castles = stacks_from(reader, root.get("castles", {}), "castles")
    players = _players(reader, root, board, castles)
    tiles = tiles_from(reader, root.get("tiles", dict.fromkeys(board.slots, DOWN)), "tiles")
    towns = towns_from(reader, root.get("towns", board.printed_towns), "towns")
    spare = reader.mapping(root.get("spare", {}), "spare")
    silver = SILVER_IN_GAME.get(len(players), 0) - sum(player.silver for player in players)
    deck = all_cards(modules).total() - sum(player.cards for player in players)
    evaluated = root.get("evaluated")
    return Position(
        board=board,
        players=players,
        tiles=tiles,
        towns=towns,
        castles=castles,
        mine=reader.whole(root.get("mine_silver", silver), "mine_silver"),
        deck=reader.whole(root.get("deck", deck), "deck"),
        spare_villages=reader.whole(
            spare.get("villages", _spare(board, towns, Town.VILLAGE)), "spare.villages"
        ),
        spare_cities=reader.whole(spare.get("cities", _spare(board, towns, Town.CITY)), "spare.cities"),
        evaluated=complete(board, tiles)
        if evaluated is None
        else frozenset(reader.texts(evaluated, "evaluated")),
        turn=reader.text(root.get("turn", players[0].colour if players else ""), "turn"),
        phase=Phase(reader.choice(root.get("phase", "reveal"), [*Phase], "phase")),
        placed=reader.optional_text(root.get("placed"), "placed"),
        silver_bought=reader.truth(root.get("silver_bought", False), "silver_bought"),
        card_used=reader.truth(root.get("card_used", False), "card_used"),
        guarded=frozenset(reader.texts(root.get("guarded", []), "guarded")),
        finished=reader.truth(root.get("finished", False), "finished"),
        modules=modules,
        rulings=_rulings(reader, root.get("rulings", {})),
    )


def _spare(board: Board, towns: Mapping[Cell, Town], kind: Town) -> int:
    """Where nobody says how many are left: those that stand where none of their kind is printed are used."""
    printed = board.printed_towns
    placed = sum(town is kind and printed.get(cell) is not kind for cell, town in towns.items())
    return max(SPARE_TOWNS - placed, 0)


def _modules(reader: Reader, value: object) -> Modules:
    names = [
        reader.choice(name, ["dilemma", "battle"], f"modules[{number}]")
        for number, name in enumerate(reader.texts(value, "modules"))
    ]
    return Modules("dilemma" in names, "battle" in names)


def _rulings(reader: Reader, value: object) -> Rulings:
    rulings = DEFAULT_RULINGS
    for name, option in reader.mapping(value, "rulings").items():
        try:
            rulings = with_option(rulings, name, reader.text(option, f"rulings.{name}"))
        except ValueError as error:
            reader.problem(f"rulings.{name}", str(error))
    return rulings


def _players(
    reader: Reader, root: Mapping[str, Any], board: Board, castles: Mapping[str, tuple[Colour, ...]]
) -> tuple[Player, ...]:
    resources = reader.mapping(root.get("resources", {}), "resources")
    colours = reader.texts(root.get("players", list(resources) or list(board.colours)), "players")
    for number, colour in enumerate(colours):
        if colour not in board.colours:
            known = ", ".join(board.colours)
            reader.problem(f"players[{number}]", f"the set has no “{colour}”; its colours are {known}")
    by_colour = {
        key: reader.mapping(root.get(key, {}), key)
        for key in ("track", "silver", "cards", "castles_left", "hand_tiles")
    }
    for key, entries in (*by_colour.items(), ("resources", resources)):
        for name in entries:
            if name not in colours:
                reader.problem(f"{key}.{name}", f"“{name}” is not one of the players")
    holders = reader.texts(root.get("holds_start", []), "holds_start")
    built = [colour for stack in castles.values() for colour in stack]
    players = []
    for colour in colours:
        own = reader.mapping(resources.get(colour, {}), f"resources.{colour}")
        wood, grain, rocks = (
            reader.whole(own.get(kind.value, 0), f"resources.{colour}.{kind}") for kind in RESOURCES
        )
        count, kinds = _cards(reader, by_colour["cards"].get(colour, 0), f"cards.{colour}")
        left = max(CASTLES_OF_A_COLOUR - built.count(colour), 0)
        players.append(
            Player(
                colour=colour,
                wood=wood,
                grain=grain,
                rocks=rocks,
                silver=reader.whole(by_colour["silver"].get(colour, 0), f"silver.{colour}"),
                points=reader.whole(by_colour["track"].get(colour, 0), f"track.{colour}"),
                cards=count,
                known=kinds,
                castles_left=reader.whole(
                    by_colour["castles_left"].get(colour, left), f"castles_left.{colour}"
                ),
                hand_tile=reader.optional_text(by_colour["hand_tiles"].get(colour), f"hand_tiles.{colour}"),
                holds_start=colour in holders,
            )
        )
    return tuple(players)


def _cards(reader: Reader, value: object, path: str) -> tuple[int, tuple[Card, ...]]:
    """A number, or a number with the kinds that are known."""
    if not isinstance(value, Mapping):
        return reader.whole(value, path), ()
    known = cards_from(reader, value.get("known", []), f"{path}.known")
    return reader.whole(value.get("count", len(known)), f"{path}.count"), tuple(sorted(known))


def cards_from(reader: Reader, value: object, path: str) -> tuple[Card, ...]:
    names = reader.texts(value, path)
    return tuple(Card(reader.choice(name, [*Card], f"{path}[{number}]")) for number, name in enumerate(names))


def tiles_from(reader: Reader, value: object, path: str) -> dict[Cell, Slot]:
    return {cell: _slot(reader, slot, f"{path}.{cell}") for cell, slot in reader.mapping(value, path).items()}


def _slot(reader: Reader, value: object, path: str) -> Slot:
    if isinstance(value, Mapping):
        if value.get("state", "up") == "up":
            tile = reader.text(value.get("tile"), f"{path}.tile")
            return FaceUp(tile, reader.whole(value.get("turns", 0), f"{path}.turns"))
        value = value["state"]
    if value not in (DOWN, MISSING):
        reader.problem(path, "a slot is “down”, “none”, or a tile and its turns")
    return DOWN if value == DOWN else MISSING


def towns_from(reader: Reader, value: object, path: str) -> dict[Cell, Town]:
    towns = {}
    for cell, entry in reader.mapping(value, path).items():
        kind = entry.get("kind") if isinstance(entry, Mapping) else entry
        towns[cell] = Town(reader.choice(kind, [*Town], f"{path}.{cell}"))
    return towns


def stacks_from(reader: Reader, value: object, path: str) -> dict[str, tuple[Colour, ...]]:
    stacks = {}
    for site, entry in reader.mapping(value, path).items():
        stack = entry.get("stack") if isinstance(entry, Mapping) else entry
        stacks[site] = tuple(reader.texts(stack, f"{path}.{site}"))
    return stacks
