"""The cards that are an event by themselves, and selling cards (p. 1, 5)."""

from __future__ import annotations

from companion.scoring.castelli.awards import CardPlayed, CardsSold, RuleBroken, Step, What
from companion.scoring.castelli.components import Cell, Colour, Town
from companion.scoring.castelli.events import (
    Brigands,
    CardEvent,
    Duke,
    Guard,
    Incendiary,
    King,
    Peasant,
    Raider,
    RobberBaron,
    Sell,
    Traitor,
    TurnTile,
)
from companion.scoring.castelli.ledger import Ledger, has_card, without_card
from companion.scoring.castelli.position import BATTLE_CARDS, Card, FaceUp, Phase, Position, changed
from companion.scoring.castelli.rules_index import Rule

SILVER_FOR_A_CARD = 2
KINGS = {3: Card.KING_3, 4: Card.KING_4, 5: Card.KING_5}
_CARD_OF: dict[type, Card] = {
    RobberBaron: Card.ROBBER_BARON,
    Raider: Card.RAIDER,
    Brigands: Card.BRIGANDS,
    Traitor: Card.TRAITOR,
    Peasant: Card.PEASANT,
    Duke: Card.DUKE,
    Incendiary: Card.INCENDIARY,
}


def check_own_card(position: Position, card: Card) -> None:
    """The active player holds this card and has used none this turn."""
    if position.card_used:
        raise RuleBroken("second-card", "A player may use one card in their own turn.", Rule.MARKET)
    check_card(position, position.turn, card)


def check_card(position: Position, colour: Colour, card: Card) -> None:
    if card in BATTLE_CARDS and not position.modules.battle:
        raise RuleBroken("no-battle", f"The {card} belongs to the Battle module.", Rule.BATTLE)
    if not has_card(position.player(colour), card):
        raise RuleBroken("no-such-card", f"{colour} has no {card} in hand.", Rule.MARKET)


def card_of(event: CardEvent) -> Card:
    if not isinstance(event, King):
        return _CARD_OF[type(event)]
    if event.points not in KINGS:
        raise RuleBroken("no-such-king", f"There is no King worth {event.points} points.", Rule.CHARACTERS)
    return KINGS[event.points]


def play_card(position: Position, event: CardEvent) -> Step:
    """A card of the own turn (p. 1); it goes under the deck."""
    card = card_of(event)
    check_own_card(position, card)
    ledger = Ledger(position)
    colour = position.turn
    ledger.discard(colour, card)
    if isinstance(event, King):
        ledger.gain_points(colour, event.points, CardPlayed(card))
    elif isinstance(event, RobberBaron):
        ledger.silver_from_mine(colour, max(position.mine, 0) // 2, CardPlayed(card))
    elif isinstance(event, Raider | Brigands):
        _steal(ledger, card, 1 if card is Card.RAIDER else 2)
    elif isinstance(event, Traitor):
        _buy_card(ledger, event)
    else:
        return _change_town(ledger, event)
    return ledger.step(card_used=True)


def _steal(ledger: Ledger, card: Card, most: int) -> None:
    thief = ledger.position.turn
    for victim, player in list(ledger.players.items()):
        loot = min(most, max(player.silver, 0))
        if victim != thief and loot:
            ledger.silver_between(victim, thief, loot, CardPlayed(card, thief), CardPlayed(card, victim))


def _buy_card(ledger: Ledger, event: Traitor) -> None:
    """One silver for one card, drawn blind; what was known of the victim's hand is no longer sure."""
    buyer, victim = ledger.position.turn, event.victim
    if victim == buyer or victim not in ledger.players:
        raise RuleBroken(
            "no-victim", f"A Traitor needs another player, not {victim or 'nobody'}.", Rule.CHARACTERS
        )
    if ledger.players[victim].cards < 1:
        raise RuleBroken("victim-without-card", f"{victim} has no card to be bought.", Rule.CHARACTERS)
    if ledger.players[buyer].silver < 1:
        raise RuleBroken(
            "too-little-silver", f"{buyer} has no silver to pay the Traitor with.", Rule.CHARACTERS
        )
    ledger.silver_between(buyer, victim, 1, CardPlayed(Card.TRAITOR, victim), CardPlayed(Card.TRAITOR, buyer))
    loser, taker = ledger.players[victim], ledger.players[buyer]
    if event.card is None:
        ledger.players[victim] = changed(loser, cards=loser.cards - 1, known=())
        ledger.players[buyer] = changed(taker, cards=taker.cards + 1)
    else:
        if not has_card(loser, event.card):
            raise RuleBroken("no-such-card", f"{victim} has no {event.card} in hand.", Rule.CHARACTERS)
        ledger.players[victim] = without_card(loser, event.card)
        known = tuple(sorted((*taker.known, event.card)))
        ledger.players[buyer] = changed(taker, cards=taker.cards + 1, known=known)
    ledger.note(victim, What.CARD, -1, CardPlayed(Card.TRAITOR, buyer))
    ledger.note(buyer, What.CARD, 1, CardPlayed(Card.TRAITOR, victim))


def _change_town(ledger: Ledger, event: Peasant | Duke | Incendiary) -> Step:
    """A space is vacant where no village and no city stands: castles have their own sites (p. 1)."""
    position = ledger.position
    _check_space(position, event.cell)
    there = position.towns.get(event.cell)
    if isinstance(event, Incendiary):
        if there is not Town.CITY:
            raise RuleBroken("no-city", f"No city stands on {event.cell}.", Rule.BATTLE_CARDS)
        towns = {cell: town for cell, town in position.towns.items() if cell != event.cell}
        return ledger.step(card_used=True, towns=towns)
    town = Town.VILLAGE if isinstance(event, Peasant) else Town.CITY
    rule = Rule.CHARACTERS if town is Town.VILLAGE else Rule.BATTLE_CARDS
    spare = position.spare_villages if town is Town.VILLAGE else position.spare_cities
    if there is not None:
        raise RuleBroken("not-vacant", f"A {there} already stands on {event.cell}.", rule)
    if spare < 1:
        raise RuleBroken("no-spare-town", f"No {town} is left beside the board.", Rule.SETUP)
    towns = {**position.towns, event.cell: town}
    if town is Town.VILLAGE:
        return ledger.step(card_used=True, towns=towns, spare_villages=spare - 1)
    return ledger.step(card_used=True, towns=towns, spare_cities=spare - 1)


def _check_space(position: Position, cell: Cell) -> None:
    if cell not in position.board.spaces:
        raise RuleBroken("no-space", f"“{cell}” is no landscape space of this board.", Rule.SETUP)


def turn_tile(position: Position, event: TurnTile) -> Step:
    """Steward: another player turns the tile just placed, before it is evaluated."""
    _check_other(position, event.player, Card.STEWARD)
    check_card(position, event.player, Card.STEWARD)
    slot = position.placed
    lying = position.slot(slot) if slot is not None else None
    if position.phase is not Phase.PLACED or slot is None or not isinstance(lying, FaceUp):
        raise RuleBroken(
            "no-tile-to-turn",
            "A Steward turns the tile just placed, before it is evaluated.",
            Rule.CHARACTERS,
        )
    if event.turns not in range(4):
        raise RuleBroken("bad-turn", f"A tile lies in quarter turns 0 to 3, not {event.turns}.", Rule.REVEAL)
    ledger = Ledger(position)
    ledger.discard(event.player, Card.STEWARD)
    return ledger.step(tiles={**position.tiles, slot: FaceUp(lying.tile, event.turns)})


def guard(position: Position, event: Guard) -> Step:
    """The owner answers an attack on a castle: it is not built over in this turn.

    The attacker pays nothing, because nothing was built.
    """
    _check_other(position, event.player, Card.GUARD)
    check_card(position, event.player, Card.GUARD)
    if position.castles.get(event.site, ("",))[-1] != event.player:
        raise RuleBroken(
            "not-own-castle", f"No castle of {event.player} is on top at {event.site}.", Rule.BATTLE_CARDS
        )
    ledger = Ledger(position)
    ledger.discard(event.player, Card.GUARD)
    return ledger.step(guarded=position.guarded | {event.site})


def _check_other(position: Position, colour: Colour, card: Card) -> None:
    if colour not in position.colours:
        raise RuleBroken("not-playing", f"{colour or 'Nobody'} is not in this game.", Rule.SETUP)
    if colour == position.turn:
        raise RuleBroken("own-turn", f"The {card} is played in another player's turn.", Rule.CHARACTERS)


def sell(position: Position, event: Sell) -> Step:
    """2 silver a card out of the mine, as far as it goes or as ruled."""
    colour = event.player
    if colour not in position.colours:
        raise RuleBroken("not-playing", f"{colour or 'Nobody'} is not in this game.", Rule.SETUP)
    if event.count < 1 or (event.cards and len(event.cards) != event.count):
        raise RuleBroken(
            "bad-count", "The number of cards sold is at least 1 and fits the cards named.", Rule.MARKET
        )
    if position.player(colour).cards < event.count:
        raise RuleBroken("too-few-cards", f"{colour} holds fewer than {event.count} cards.", Rule.MARKET)
    ledger = Ledger(position)
    wanted = SILVER_FOR_A_CARD * event.count
    is_short = position.mine < wanted
    if is_short and position.rulings.sell_empty_mine == "refused":
        raise RuleBroken(
            "mine-too-empty",
            f"The mine holds {position.mine}, and this game rules that a card sells for 2 or not at all.",
            Rule.MARKET,
            ("sell_empty_mine",),
        )
    for card in event.cards:
        if not has_card(ledger.players[colour], card):
            raise RuleBroken("no-such-card", f"{colour} has no {card} in hand.", Rule.MARKET)
        ledger.discard(colour, card)
    if not event.cards:
        ledger.discard_unseen(colour, event.count)
    rulings = ("sell_empty_mine",) if is_short else ()
    ledger.note(colour, What.CARD, -event.count, CardsSold(event.count), rulings)
    ledger.silver_from_mine(colour, wanted, CardsSold(event.count), rulings)
    return ledger.step(rulings=rulings)
