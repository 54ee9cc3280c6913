"""Every problem of a position at once. Real tables are messy: nothing here raises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from companion.scoring.castelli.awards import RimGift
from companion.scoring.castelli.components import Town
from companion.scoring.castelli.evaluation import counted_sides, due, due_rims
from companion.scoring.castelli.history import Game
from companion.scoring.castelli.position import (
    BATTLE_CARDS,
    CASTLES_OF_A_COLOUR,
    DOWN,
    MISSING,
    MOST_OF_A_RESOURCE,
    RESOURCES,
    SILVER_IN_GAME,
    SPARE_TOWNS,
    FaceUp,
    Phase,
    Player,
    Position,
    all_cards,
)

FULL_BOARD_PIECES = 4
TWO_PLAYER_PIECES = 2
HIGHEST_STACK = 2


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    """A fixed name, for programs and translations."""
    where: str
    """The slot, site, cell, area or colour it is about; empty where it is about the whole table."""
    sentence: str


def status(position: Position) -> tuple[Problem, ...]:
    """All that is wrong with a position; empty in a game played by the rules."""
    checks = (
        _table,
        _tiles,
        _hand_tiles,
        _castles,
        _coats,
        _towns,
        _hands,
        _cards,
        _silver,
        _evaluated,
        _turn,
    )
    return tuple(problem for check in checks for problem in check(position))


def game_status(game: Game) -> tuple[Problem, ...]:
    """The position's problems, and areas that were paid twice on the way to it."""
    paid: Counter[str] = Counter()
    for step in game.steps:
        paid.update(verdict.majority.area for verdict in step.verdicts)
        paid.update(award.reason.rim for award in step.awards if isinstance(award.reason, RimGift))
    twice = [
        Problem("paid-twice", area, f"Area {area} was paid {times} times; each is paid once a game.")
        for area, times in paid.items()
        if times > 1
    ]
    return (*twice, *status(game.position))


def _table(position: Position) -> Iterator[Problem]:
    colours = position.colours
    if len(colours) not in SILVER_IN_GAME:
        yield Problem("players", "", f"Castelli is for 2, 3 or 4 players; here are {len(colours)}.")
    for colour, times in Counter(colours).items():
        if times > 1:
            yield Problem("player-twice", colour, f"{times} players are {colour}.")
        if colour not in position.board.colours:
            yield Problem("no-such-colour", colour, f"The set has no {colour}.")
    if len(position.board.mines) != 1:
        yield Problem("mines", "", f"The board shows {len(position.board.mines)} silver mines; it has one.")
    pieces = len(position.board.assembly.pieces)
    wanted = TWO_PLAYER_PIECES if len(colours) == 2 else FULL_BOARD_PIECES
    if len(position.board.set.pieces) >= FULL_BOARD_PIECES and pieces != wanted:
        yield Problem("pieces", "", f"{len(colours)} players use {wanted} board pieces; here lie {pieces}.")


def _tiles(position: Position) -> Iterator[Problem]:
    lying: dict[str, str] = {}
    for slot, tile in position.tiles.items():
        if slot not in position.board.areas_at:
            yield Problem("no-slot", slot, f"“{slot}” is no place for a heraldic tile.")
        if not isinstance(tile, FaceUp):
            continue
        known = position.board.set.tiles.get(tile.tile)
        if known is None:
            yield Problem("no-such-tile", slot, f"{slot}: the set has no tile “{tile.tile}”.")
        elif known.start and not position.modules.dilemma:
            yield Problem(
                "start-tile", slot, f"{slot}: start tile {tile.tile} belongs to the Dilemma module."
            )
        if tile.turns not in range(4):
            yield Problem("bad-turn", slot, f"{slot}: a tile lies in quarter turns 0 to 3, not {tile.turns}.")
        if tile.tile in lying:
            there = f"{lying[tile.tile]} and {slot}"
            yield Problem("tile-twice", slot, f"Tile {tile.tile} lies on {there}; there is only one.")
        lying[tile.tile] = slot
    for slot in position.board.slots:
        if position.slot(slot) == MISSING:
            yield Problem("no-tile", slot, f"No tile lies on {slot}.")


def _hand_tiles(position: Position) -> Iterator[Problem]:
    tiles = position.board.set.tiles
    up = {lying.tile for lying in position.tiles.values() if isinstance(lying, FaceUp)}
    for player in position.players:
        held = player.hand_tile
        if (held is not None or player.holds_start) and not position.modules.dilemma:
            yield Problem(
                "no-dilemma", player.colour, f"{player.colour} holds a tile without the Dilemma module."
            )
        if held is None:
            continue
        if held not in tiles:
            yield Problem("no-such-tile", player.colour, f"{player.colour} holds “{held}”, which is no tile.")
        elif tiles[held].start != player.holds_start:
            not_so = "" if tiles[held].start else "no "
            yield Problem(
                "start-tile", player.colour, f"{player.colour} holds {held}, which is {not_so}start tile."
            )
        if held in up or sum(other.hand_tile == held for other in position.players) > 1:
            yield Problem(
                "tile-twice", player.colour, f"{player.colour} holds {held}, which is elsewhere too."
            )
    starts = sum(tile.start for tile in tiles.values())
    used = sum(player.holds_start for player in position.players)
    used += sum(tile in tiles and tiles[tile].start for tile in up)
    if position.modules.dilemma and used > starts:
        yield Problem("start-tiles", "", f"{used} start tiles are in use; the set has {starts}.")


def _castles(position: Position) -> Iterator[Problem]:
    built: Counter[str] = Counter()
    for site, stack in position.castles.items():
        built.update(stack)
        if site not in position.board.sites:
            yield Problem("no-site", site, f"“{site}” is no place for a castle.")
        if not stack:
            yield Problem("empty-stack", site, f"{site} is listed without a castle.")
        if len(stack) > HIGHEST_STACK:
            yield Problem("stack", site, f"{len(stack)} castles stand on {site}; one is built over once.")
        if len(stack) > 1 and not position.modules.battle:
            yield Problem("no-battle", site, f"{site}: castles are built over in the Battle module only.")
        if any(lower == upper for lower, upper in pairwise(stack)):
            yield Problem("own-castle", site, f"{site}: {stack[-1]} built over their own castle.")
    for colour in built:
        if colour not in position.colours:
            yield Problem(
                "not-playing", colour, f"Castles of {colour} stand on the board; {colour} does not play."
            )
    for player in position.players:
        yield from _castle_count(player, built[player.colour])


def _castle_count(player: Player, built: int) -> Iterator[Problem]:
    colour = player.colour
    if built > CASTLES_OF_A_COLOUR:
        yield Problem("castles", colour, f"{built} castles of {colour} stand on the board; there are 9.")
    elif built + player.castles_left != CASTLES_OF_A_COLOUR:
        has = f"{built} castles of {colour} on the board and {player.castles_left} beside it"
        yield Problem("castles-left", colour, f"{has} do not make 9.")


def _coats(position: Position) -> Iterator[Problem]:
    """A tile once paid stays as it lies, so the builder's coat must still look at the castle's space."""
    needs_value = position.rulings.card_coat_builds == "no"
    for site, stack in position.castles.items():
        area = position.board.sites.get(site)
        if area is None or not stack:
            continue
        coats = counted_sides(position, position.board.spaces[area.cell].borders)
        if not any(c.colour == stack[0] and not (c.is_card and needs_value) for c in coats):
            yield Problem("no-coat", site, f"{site}: no coat of arms of {stack[0]} looks at {area.cell}.")


def _towns(position: Position) -> Iterator[Problem]:
    printed = Counter(position.board.printed_towns.values())
    standing = Counter(position.towns.values())
    for cell in position.towns:
        if cell not in position.board.spaces:
            yield Problem("no-space", cell, f"“{cell}” is no landscape space for a village or city.")
    for town, spare in ((Town.VILLAGE, position.spare_villages), (Town.CITY, position.spare_cities)):
        most = printed[town] + SPARE_TOWNS
        if standing[town] + spare > most:
            name = "villages" if town is Town.VILLAGE else "cities"
            yield Problem(name, "", f"{standing[town]} {name} stand and {spare} are spare; there are {most}.")
        if spare < 0:
            yield Problem("spare-towns", "", f"The number of spare pieces of a {town} is below 0.")


def _hands(position: Position) -> Iterator[Problem]:
    for player in position.players:
        for kind in RESOURCES:
            amount = player.resource(kind)
            if not 0 <= amount <= MOST_OF_A_RESOURCE:
                sentence = f"{player.colour} has {amount} {kind}; a player holds 0 to {MOST_OF_A_RESOURCE}."
                yield Problem(f"{kind}", player.colour, sentence)
        for name in ("silver", "points", "cards", "castles_left"):
            if getattr(player, name) < 0:
                yield Problem(name.replace("_", "-"), player.colour, f"{player.colour}: {name} is below 0.")


def _cards(position: Position) -> Iterator[Problem]:
    box = all_cards(position.modules)
    known = Counter(card for player in position.players for card in player.known)
    for player in position.players:
        if len(player.known) > player.cards:
            yield Problem("known-cards", player.colour, f"{player.colour} holds fewer cards than are known.")
    for card, number in known.items():
        if card in BATTLE_CARDS and not position.modules.battle:
            yield Problem("no-battle", card, f"The {card} belongs to the Battle module.")
        elif number > box[card]:
            yield Problem("card-twice", card, f"{number} {card} cards are in hands; there are {box[card]}.")
    if position.deck < 0:
        yield Problem("deck", "", "The deck holds fewer than 0 cards.")
    cards = position.deck + sum(player.cards for player in position.players)
    if cards != box.total():
        yield Problem("card-count", "", f"Deck and hands hold {cards} cards; the game has {box.total()}.")


def _silver(position: Position) -> Iterator[Problem]:
    if position.mine < 0:
        yield Problem("mine", "", "The mine holds less than 0 silver.")
    wanted = SILVER_IN_GAME.get(len(position.players))
    if wanted is not None and position.silver > wanted:
        yield Problem(
            "silver-too-much", "", f"{position.silver} silver is on the table; the game has {wanted}."
        )
    if wanted is not None and position.silver < wanted:
        yield Problem("silver-missing", "", f"Only {position.silver} silver is on the table of {wanted}.")


def _evaluated(position: Position) -> Iterator[Problem]:
    board = position.board
    for area in sorted(position.evaluated):
        if area in board.rims:
            slots = [board.rims[area].slot]
        elif area in board.areas:
            slots = [slot for slot, _ in board.areas[area].borders]
        else:
            yield Problem("no-area", area, f"“{area}” is no area of this board.")
            continue
        hidden = [slot for slot in slots if not isinstance(position.slot(slot), FaceUp)]
        if hidden:
            yield Problem("paid-early", area, f"{area} is paid, but {', '.join(hidden)} is not face up.")
        if area in board.areas and board.areas[area] in board.mines and not position.finished:
            yield Problem("mine-paid", area, "The mine is paid before the end of the game.")
    if position.phase is not Phase.PLACED:
        for missed in [area.id for area, _ in due(position)] + [rim.id for rim in due_rims(position)]:
            yield Problem("not-paid", missed, f"All tiles of {missed} lie face up, but it is not paid.")


def _turn(position: Position) -> Iterator[Problem]:
    if position.turn not in position.colours:
        yield Problem("turn", position.turn, f"It is the turn of “{position.turn}”, who does not play.")
    placed = position.placed is not None and isinstance(position.slot(position.placed), FaceUp)
    if position.phase is not Phase.REVEAL and not placed:
        yield Problem("placed", position.placed or "", "The tile revealed this turn is not on the board.")
    down = [slot for slot in position.board.slots if position.slot(slot) == DOWN]
    if position.finished and down:
        yield Problem("finished", "", f"The game has ended, but {', '.join(down)} lie face down.")
