"""A table of players who keep to the rules and otherwise play at random.

It holds what the program does not see: which tile lies where, the order of the deck and the cards in
everybody's hand. Some of it is told to the program, as at a real table.
"""

from __future__ import annotations

import random
from dataclasses import replace

from companion.scoring.castelli.awards import What
from companion.scoring.castelli.board import Board
from companion.scoring.castelli.building import BUILDING_CARDS, OVERBUILDING_CARDS
from companion.scoring.castelli.components import Town
from companion.scoring.castelli.events import (
    Brigands,
    Build,
    Drawn,
    Duke,
    EndGame,
    EndTurn,
    Evaluate,
    Event,
    Guard,
    Incendiary,
    King,
    Overbuild,
    Peasant,
    Raider,
    Reveal,
    RobberBaron,
    Sell,
    Traitor,
    TurnTile,
)
from companion.scoring.castelli.history import Game
from companion.scoring.castelli.position import Card, Modules, Position, all_cards, new_game
from companion.scoring.castelli.questions import BuildingSite, building_sites
from companion.scoring.castelli.rulings import DEFAULT_RULINGS, Rulings


class Table:
    def __init__(
        self,
        board: Board,
        colours: tuple[str, ...],
        seed: int,
        modules: Modules = Modules(),  # noqa: B008  # a frozen value
        rulings: Rulings = DEFAULT_RULINGS,
        tells: float = 0.5,
    ) -> None:
        self.rng = random.Random(seed)
        tiles = [tile.id for tile in board.set.tiles.values() if not tile.start]
        starts = [tile.id for tile in board.set.tiles.values() if tile.start]
        self.face_down = dict(zip(board.slots, self.rng.sample(tiles, len(board.slots)), strict=True))
        self.tile_in_hand = dict(zip(colours, self.rng.sample(starts, len(colours)), strict=True))
        self.deck = self.rng.sample(list(all_cards(modules).elements()), all_cards(modules).total())
        self.hands: dict[str, list[Card]] = {colour: [] for colour in colours}
        self.tells = tells
        told = self.tile_in_hand if modules.dilemma and self.likes(tells) else None
        self.game = Game(new_game(board, colours, modules, rulings, told))

    @property
    def position(self) -> Position:
        return self.game.position

    def likes(self, chance: float) -> bool:
        return self.rng.random() < chance

    def play(self, event: Event) -> None:
        """Do it, draw the cards it brings, and perhaps tell their kinds."""
        after = self.game.play(event)
        drawn: list[tuple[str, Card]] = []
        if isinstance(event, Reveal | Evaluate):
            for award in after.steps[-1].awards:
                if award.what is What.CARD:
                    for _ in range(award.amount):
                        card = self.deck.pop(0)
                        self.hands[award.player].append(card)
                        drawn.append((award.player, card))
            told: Drawn = tuple(entry for entry in drawn if self.likes(self.tells))
            after = self.game.play(replace(event, drawn=told))
        self.game = after

    def use(self, colour: str, card: Card) -> None:
        self.hands[colour].remove(card)
        self.deck.append(card)

    def whole_game(self) -> Game:
        while self.face_down:
            self.one_turn()
        self.play(EndGame())
        return self.game

    def one_turn(self) -> None:
        self._sell()
        if self.likes(0.3):
            self._own_card()
        self._reveal()
        self._steward()
        self.play(Evaluate())
        self._sell()
        if self.likes(0.5):
            self._own_card()
        for _ in range(3):
            self._castle()
        if self.face_down or self.likes(0.5):
            self.play(EndTurn())

    def _sell(self) -> None:
        for colour, hand in self.hands.items():
            if hand and self.likes(0.05) and self.position.rulings.sell_empty_mine == "what_is_there":
                sold = self.rng.sample(hand, self.rng.randint(1, len(hand)))
                named = tuple(sold) if self.likes(self.tells) else ()
                for card in sold:
                    self.use(colour, card)
                self.play(Sell(colour, len(sold), named))

    def _reveal(self) -> None:
        slot = self.rng.choice(list(self.face_down))
        lay = self.face_down.pop(slot)
        turns = self.rng.randrange(4)
        colour = self.position.turn
        if self.position.modules.dilemma and self.likes(0.3):
            taken, lay = lay, self.tile_in_hand[colour]
            self.tile_in_hand[colour] = taken
            self.play(Reveal(slot, lay, turns, True, taken if self.likes(self.tells) else None))
        else:
            self.play(Reveal(slot, lay, turns))

    def _steward(self) -> None:
        for colour, hand in self.hands.items():
            if colour != self.position.turn and Card.STEWARD in hand and self.likes(0.3):
                self.use(colour, Card.STEWARD)
                self.play(TurnTile(colour, self.rng.randrange(4)))

    def _own_card(self) -> None:
        colour = self.position.turn
        usable = [card for card in self.hands[colour] if self._as_event(card) is not None]
        if not usable or self.position.card_used:
            return
        card = self.rng.choice(usable)
        event = self._as_event(card)
        assert event is not None
        self.use(colour, card)
        if isinstance(event, Traitor):
            bought = self.rng.choice(self.hands[event.victim])
            self.hands[event.victim].remove(bought)
            self.hands[colour].append(bought)
            event = replace(event, card=bought if self.likes(self.tells) else None)
        self.play(event)

    def _as_event(self, card: Card) -> Event | None:
        """The card played now, where it can be."""
        position = self.position
        vacant = [cell for cell in position.board.spaces if cell not in position.towns]
        cities = [cell for cell, town in position.towns.items() if town is Town.CITY]
        victims = [c for c, hand in self.hands.items() if hand and c != position.turn]
        if card.startswith("king"):
            return King(int(card[-1]))
        if card is Card.TRAITOR and victims and position.player(position.turn).silver:
            return Traitor(self.rng.choice(victims))
        if card is Card.PEASANT and vacant and position.spare_villages:
            return Peasant(self.rng.choice(vacant))
        if card is Card.DUKE and vacant and position.spare_cities:
            return Duke(self.rng.choice(vacant))
        if card is Card.INCENDIARY and cities:
            return Incendiary(self.rng.choice(cities))
        simple: dict[Card, Event] = {
            Card.ROBBER_BARON: RobberBaron(),
            Card.RAIDER: Raider(),
            Card.BRIGANDS: Brigands(),
        }
        return simple.get(card)

    def _castle(self) -> None:
        colour = self.position.turn
        cards = [c for c in self.hands[colour] if c in (*BUILDING_CARDS, *OVERBUILDING_CARDS)]
        card = self.rng.choice(cards) if cards and self.likes(0.5) else None
        options = [option for option in building_sites(self.position, colour, card) if option.price]
        attacks = [option for option in options if option.over]
        if options and self.likes(0.8):
            self._raise(colour, self.rng.choice(attacks if attacks and self.likes(0.7) else options))

    def _raise(self, colour: str, option: BuildingSite) -> None:
        if option.over and Card.GUARD in self.hands[option.over] and self.likes(0.5):
            self.use(option.over, Card.GUARD)
            self.play(Guard(option.over, option.site))
            return
        if option.card:
            self.use(colour, option.card)
        kind = Overbuild if option.over else Build
        self.play(kind(option.site, option.buy, option.card))
