"""Writes calibration/reference/demo.json: a game of four on the reference set, a few turns before its end.

    .venv/bin/python tools/make_demo_game.py

The players are simple souls: each turns the tile so that it brings most, plays a card that brings
something, and builds the best castle they can pay for. The dice are fixed, so the game is always the same.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from pathlib import Path

from companion.scoring.castelli.apply import apply
from companion.scoring.castelli.awards import Award, What
from companion.scoring.castelli.board import Assembly, Placed, assemble
from companion.scoring.castelli.event_records import game_record
from companion.scoring.castelli.events import (
    Brigands,
    Build,
    EndTurn,
    Evaluate,
    Event,
    King,
    Peasant,
    Raider,
    Reveal,
    RobberBaron,
    Sell,
)
from companion.scoring.castelli.history import Game, replay
from companion.scoring.castelli.position import (
    CHARACTER_CARDS,
    DOWN,
    Card,
    Modules,
    Position,
    new_game,
)
from companion.scoring.castelli.questions import building_sites, what_if
from companion.scoring.castelli.status import status
from companion.table.bundled import bundled
from companion.table.castelli.setfile import load_set

OUT = Path(__file__).resolve().parent.parent / "calibration" / "reference" / "demo.json"
REVEALS = 26
WORTH = {What.POINTS: 2.0, What.CARD: 1.5, What.SILVER: 0.7}
"""What a player thinks things are worth; a resource is 1."""

ARRANGEMENT = Assembly.of(
    {"NW": Placed("P2"), "NE": Placed("P4", 180), "SW": Placed("P1", 180), "SE": Placed("P3")}
)


class Demo:
    def __init__(self) -> None:
        self.dice = random.Random(1632)
        game_set = load_set(bundled("set.json"))
        board = assemble(game_set, ARRANGEMENT)
        self.game = Game(new_game(board, ("red", "blue", "green", "yellow"), Modules()))
        self.tiles = sorted(tile.id for tile in game_set.tiles.values() if not tile.start)
        self.deck = sorted(card for card, count in CHARACTER_CARDS.items() for _ in range(count))
        self.dice.shuffle(self.tiles)
        self.dice.shuffle(self.deck)

    @property
    def position(self) -> Position:
        return self.game.position

    def play(self, turns: int = REVEALS) -> Game:
        for _ in range(turns):
            self.reveal()
            self.do(Evaluate())
            self.use_a_card()
            self.build()
            self.sell()
            self.do(EndTurn())
        return self.game

    def do(self, event: Event) -> None:
        """Plays an event; cards that are drawn by it come from the top of the deck, and are told."""
        if isinstance(event, Reveal | Evaluate):
            drawing = [award for award in apply(self.position, event).awards if award.what is What.CARD]
            drawn = tuple((award.player, self.deck.pop()) for award in drawing for _ in range(award.amount))
            event = replace(event, drawn=drawn)
        self.game = self.game.play(event)

    def reveal(self) -> None:
        down = [cell for cell, slot in self.position.tiles.items() if slot == DOWN]
        # people turn over tiles beside those that lie face up already, now and then somewhere else
        slot = self.dice.choice(down[: max(6, len(down) // 3)])
        tile = self.tiles.pop()
        turns = max(range(4), key=lambda turns: self.gain(what_if(self.position, slot, tile, turns).awards))
        self.do(Reveal(slot, tile, turns))

    def gain(self, awards: tuple[Award, ...]) -> float:
        """What awards are worth to the active player, less what the others get on average."""
        total = 0.0
        for award in awards:
            worth = WORTH.get(award.what, 1.0) * award.amount
            total += worth if award.player == self.position.turn else -worth / 3
        return total

    def use_a_card(self) -> None:
        for card in self.position.player(self.position.turn).known:
            event = self.worth_playing(card)
            if event is not None:
                self.do(event)
                self.deck.insert(0, card)
                return

    def worth_playing(self, card: Card) -> Event | None:
        position = self.position
        if card in (Card.KING_3, Card.KING_4, Card.KING_5):
            return King(int(card.value[-1]))
        if card is Card.ROBBER_BARON and position.mine >= 4:
            return RobberBaron()
        rich = sum(player.silver > 0 for player in position.players if player.colour != position.turn)
        if card is Card.RAIDER and rich >= 2:
            return Raider()
        if card is Card.BRIGANDS and rich == 3:
            return Brigands()
        if card is Card.PEASANT:
            castles = [site.split("/")[0] for site, stack in position.castles.items()
                       if stack[-1] == position.turn]  # fmt: skip
            vacant = [cell for cell in castles if cell not in position.towns]
            return Peasant(vacant[0]) if vacant else None
        return None

    def build(self) -> None:
        while True:
            options = [site for site in building_sites(self.position, self.position.turn) if site.price]
            if not options:
                return
            self.do(Build(options[0].site, options[0].buy))

    def sell(self) -> None:
        """Who holds more than three cards sells one, as long as the mine can pay."""
        player = self.position.player(self.position.turn)
        if player.cards > 3 and self.position.mine >= 2:
            card = player.known[0]
            self.do(Sell(player.colour, 1, (card,)))
            self.deck.insert(0, card)


def main(out: Path = OUT) -> None:
    game = Demo().play()
    assert replay(game.start, game.events) == game and not status(game.position), status(game.position)
    record = game_record(game.start, game.events)
    lines = ",\n  ".join(json.dumps(event) for event in record["events"])
    start = json.dumps(record["start"])
    out.write_text(
        f'{{\n "set": "reference",\n "start": {start},\n "events": [\n  {lines}\n ]\n}}\n', encoding="utf-8"
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
