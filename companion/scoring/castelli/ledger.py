"""The books of one event: gains and payments in the order they happen, then the next position."""

from __future__ import annotations

from typing import Any

from companion.scoring.castelli.awards import Award, Reason, RuleBroken, Step, Verdict, What
from companion.scoring.castelli.components import Colour, Kind
from companion.scoring.castelli.events import Drawn
from companion.scoring.castelli.position import MOST_OF_A_RESOURCE, Card, Player, Position, changed
from companion.scoring.castelli.rules_index import Rule

_WHAT = {Kind.WOOD: What.WOOD, Kind.GRAIN: What.GRAIN, Kind.ROCKS: What.ROCKS}


class Ledger:
    """Lives for one event; what it hands out at the end is a frozen `Step`."""

    def __init__(self, position: Position, drawn: Drawn = ()) -> None:
        self.position = position
        self.players: dict[Colour, Player] = {player.colour: player for player in position.players}
        self.mine = position.mine
        self.deck = position.deck
        self.awards: list[Award] = []
        self.told = list(drawn)

    def note(
        self,
        colour: Colour,
        what: What,
        amount: int,
        reason: Reason,
        rulings: tuple[str, ...] = (),
        lost: int = 0,
    ) -> None:
        self.awards.append(Award(colour, what, amount, reason, rulings, lost))

    def gain_resource(
        self, colour: Colour, kind: Kind, amount: int, reason: Reason, instead: int = -1
    ) -> None:
        """`instead` is the amount under the other option of `neutral_tie`, where it is another."""
        player = self.players[colour]
        held = player.resource(kind)
        room = max(MOST_OF_A_RESOURCE - held, 0)
        gained = min(amount, room)
        self.players[colour] = changed(player, **{kind: held + gained})
        matters = instead >= 0 and min(instead, room) != gained
        self.note(colour, _WHAT[kind], gained, reason, ("neutral_tie",) if matters else (), amount - gained)

    def pay(self, colour: Colour, resources: tuple[int, int, int], silver: int, reason: Reason) -> None:
        """Wood, grain and rocks for a castle, and silver into the mine."""
        player = self.players[colour]
        wood, grain, rocks = resources
        self.players[colour] = changed(
            player,
            wood=player.wood - wood,
            grain=player.grain - grain,
            rocks=player.rocks - rocks,
            silver=player.silver - silver,
        )
        self.mine += silver
        for what, amount in (
            (What.WOOD, wood),
            (What.GRAIN, grain),
            (What.ROCKS, rocks),
            (What.SILVER, silver),
        ):
            if amount:
                self.note(colour, what, -amount, reason)

    def use_castle(self, colour: Colour) -> None:
        player = self.players[colour]
        self.players[colour] = changed(player, castles_left=player.castles_left - 1)

    def silver_from_mine(
        self, colour: Colour, amount: int, reason: Reason, rulings: tuple[str, ...] = ()
    ) -> None:
        taken = min(amount, max(self.mine, 0))
        self.mine -= taken
        player = self.players[colour]
        self.players[colour] = changed(player, silver=player.silver + taken)
        self.note(colour, What.SILVER, taken, reason, rulings, amount - taken)

    def silver_between(self, giver: Colour, taker: Colour, amount: int, gave: Reason, took: Reason) -> None:
        self.players[giver] = changed(self.players[giver], silver=self.players[giver].silver - amount)
        self.players[taker] = changed(self.players[taker], silver=self.players[taker].silver + amount)
        self.note(giver, What.SILVER, -amount, gave)
        self.note(taker, What.SILVER, amount, took)

    def gain_points(self, colour: Colour, amount: int, reason: Reason, rulings: tuple[str, ...] = ()) -> None:
        player = self.players[colour]
        self.players[colour] = changed(player, points=player.points + amount)
        self.note(colour, What.POINTS, amount, reason, rulings)

    def draw(self, colour: Colour, amount: int, reason: Reason, instead: int = -1) -> None:
        """Cards off the deck, as long as there are any."""
        drawn = min(amount, max(self.deck, 0))
        matters = instead >= 0 and min(instead, max(self.deck, 0)) != drawn
        self.deck -= drawn
        player = self.players[colour]
        kinds = self._told_to(colour, drawn)
        known = tuple(sorted((*player.known, *kinds))) if kinds else player.known
        self.players[colour] = changed(player, cards=player.cards + drawn, known=known)
        self.note(colour, What.CARD, drawn, reason, ("neutral_tie",) if matters else (), amount - drawn)

    def _told_to(self, colour: Colour, amount: int) -> list[Card]:
        kinds: list[Card] = []
        for entry in self.told[:]:
            if len(kinds) < amount and entry[0] == colour:
                kinds.append(entry[1])
                self.told.remove(entry)
        return kinds

    def discard(self, colour: Colour, card: Card) -> None:
        """A card of a known kind leaves the hand and goes under the deck."""
        self.players[colour] = without_card(self.players[colour], card)
        self.deck += 1

    def discard_unseen(self, colour: Colour, amount: int) -> None:
        """Cards leave the hand and nobody says which: what was known of the hand no longer is."""
        player = self.players[colour]
        self.players[colour] = changed(player, cards=player.cards - amount, known=())
        self.deck += amount

    def step(self, verdicts: tuple[Verdict, ...] = (), rulings: tuple[str, ...] = (), **changes: Any) -> Step:
        if self.told:
            colour, card = self.told[0]
            raise RuleBroken(
                "drawn-too-many",
                f"The event says that {colour} drew {card}, but no such card was due.",
                Rule.MARKET,
            )
        position = changed(
            self.position, players=tuple(self.players.values()), mine=self.mine, deck=self.deck, **changes
        )
        return Step(position, tuple(self.awards), verdicts, rulings)


def has_card(player: Player, card: Card) -> bool:
    """The card is known to be in hand, or one of the cards in hand is not known."""
    return card in player.known or player.cards > len(player.known)


def without_card(player: Player, card: Card) -> Player:
    known = list(player.known)
    if card in known:
        known.remove(card)
    return changed(player, cards=player.cards - 1, known=tuple(known))
