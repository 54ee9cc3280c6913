"""Castelli once more, told straight from the rulebook, slowly, and without the rules under test.

It works out the board from the set by itself, keeps everything in plain dictionaries and follows a list
of events that is known to be legal. Only the names of values and events are shared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion.scoring.castelli import events as e
from companion.scoring.castelli.board import Assembly
from companion.scoring.castelli.components import CARD, GameSet
from companion.scoring.castelli.rulings import Rulings

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
ORDER = ["N", "E", "S", "W"]


@dataclass
class Naive:
    game_set: GameSet
    assembly: Assembly
    colours: tuple[str, ...]
    battle: bool
    dilemma: bool
    rulings: Rulings
    octagons: dict[tuple[int, int], list[dict[str, Any]]] = field(default_factory=dict)
    meadows: set[tuple[int, int]] = field(default_factory=set)
    towns: dict[tuple[int, int], str] = field(default_factory=dict)
    up: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    castles: dict[tuple[int, int, int, int], list[str]] = field(default_factory=dict)
    paid: list[str] = field(default_factory=list)
    last: tuple[int, int] = (-1, -1)

    def __post_init__(self) -> None:
        self.active = 0
        self.wood = dict.fromkeys(self.colours, 0)
        self.grain = dict.fromkeys(self.colours, 0)
        self.rocks = dict.fromkeys(self.colours, 0)
        self.silver = dict.fromkeys(self.colours, 0)
        self.cards = dict.fromkeys(self.colours, 0)
        self.points = dict.fromkeys(self.colours, 0)
        self.start_tile = dict.fromkeys(self.colours, self.dilemma)
        self.mine = {2: 11, 3: 16, 4: 22}[len(self.colours)]
        self.deck = 33 if self.battle else 25
        for quadrant, placed in self.assembly.pieces:
            dx = self.game_set.columns if quadrant in ("NE", "SE") else 0
            dy = self.game_set.rows if quadrant in ("SW", "SE") else 0
            for x in range(self.game_set.columns):
                for y in range(self.game_set.rows):
                    self._lay(placed.piece, placed.turned == 180, x, y, (x + dx, y + dy))

    def _lay(self, piece: str, turned: bool, x: int, y: int, at: tuple[int, int]) -> None:
        if turned:
            x, y = self.game_set.columns - 1 - x, self.game_set.rows - 1 - y
        space = self.game_set.pieces[piece].spaces.get(f"{LETTERS[x]}{y + 1}")
        if space is None:
            self.meadows.add(at)
            return
        self.octagons[at] = []
        for area in space.areas:
            sides = [side.name for side in area.sides]
            if turned:
                sides = [OPPOSITE[side] for side in sides]
            self.octagons[at].append({"kind": str(area.kind), "sides": sides, "symbols": area.symbols})
        if space.printed is not None:
            self.towns[at] = str(space.printed)

    def place(self, cell: str) -> tuple[int, int]:
        return LETTERS.index(cell[0]), int(cell[1:]) - 1

    def label(self, at: tuple[int, int]) -> str:
        return f"{LETTERS[at[0]]}{at[1] + 1}"

    def coat(self, at: tuple[int, int], side: str) -> tuple[str, Any]:
        """Colour and value on a side of the tile lying there."""
        tile, turns = self.up[at]
        arms = self.game_set.tiles[tile].sides[(ORDER.index(side) - turns) % 4]
        return arms.colour, arms.value

    def beside(self, at: tuple[int, int], sides: list[str]) -> list[tuple[tuple[int, int], str]]:
        """Meadows at these sides of an octagon, each with the side of its tile that looks at it."""
        found = []
        for side in sides:
            there = at[0] + STEPS[side][0], at[1] + STEPS[side][1]
            if there in self.meadows:
                found.append((there, OPPOSITE[side]))
        return found

    def sums(self, at: tuple[int, int], sides: list[str]) -> dict[str, int]:
        total = dict.fromkeys(self.game_set.colours, 0)
        for there, side in self.beside(at, sides):
            if there in self.up:
                colour, value = self.coat(there, side)
                total[colour] += 0 if value == CARD else value
        return total

    def shares(self, sums: dict[str, int], worth: int) -> dict[str, int]:
        most = max(sums.values())
        if most == 0:
            return {}
        tied = [colour for colour in sums if sums[colour] == most]
        players = [colour for colour in tied if colour in self.colours]
        if not players:
            return {}
        heads = len(tied) if self.rulings.neutral_tie == "shares" else len(players)
        return dict.fromkeys(players, worth // heads)

    def is_ready(self, at: tuple[int, int], area: dict[str, Any]) -> bool:
        borders = self.beside(at, area["sides"])
        if not borders or any(there not in self.up for there, _ in borders):
            return False
        return any(self.coat(there, side)[1] != CARD for there, side in borders)

    def seats(self) -> list[str]:
        return [self.colours[(self.active + n) % len(self.colours)] for n in range(len(self.colours))]

    def give(self, colour: str, what: str, amount: int) -> None:
        if what == "silver":
            amount = min(amount, self.mine)
            self.mine -= amount
            self.silver[colour] += amount
        elif what in ("card", "market"):
            amount = min(amount, self.deck)
            self.deck -= amount
            self.cards[colour] += amount
        else:
            stock = getattr(self, what)
            stock[colour] = min(5, stock[colour] + amount)

    def evaluate(self) -> None:
        for side in ORDER:
            gift = self.rim(self.last, side)
            if gift is not None:
                self.paid.append(f"{self.label(self.last)}/{side}")
                colour = self.coat(self.last, side)[0]
                if colour in self.colours:
                    self.give(colour, gift, 1)
        for at in sorted(self.octagons, key=lambda place: (place[1], place[0])):
            for number, area in enumerate(self.octagons[at]):
                name = f"{self.label(at)}/{number}"
                if area["kind"] == "mine" or name in self.paid or not self.is_ready(at, area):
                    continue
                self.paid.append(name)
                shares = self.shares(self.sums(at, area["sides"]), area["symbols"])
                for colour in self.seats():
                    if colour in shares:
                        self.give(colour, area["kind"], shares[colour])

    def rim(self, at: tuple[int, int], side: str) -> str | None:
        there = at[0] + STEPS[side][0], at[1] + STEPS[side][1]
        if there in self.meadows or there in self.octagons:
            return None
        column = at[0]
        if side == "E" and len(self.assembly.pieces) == 2:
            column += self.game_set.columns  # the charts lie beside the only column of pieces
        gifts = {(cell, s.name): str(gift) for (cell, s), gift in self.game_set.frame.items()}
        return gifts.get((self.label((column, at[1])), side))

    def castle(self, site: str, card: str | None, buy: str | None, price: int) -> None:
        cell, area, number = site.split("/")
        at = self.place(cell)
        me = self.colours[self.active]
        cost = {"wood": price, "grain": price, "rocks": price}
        if card == "master-builder":
            for kind in cost:
                if getattr(self, kind)[me] < 1:
                    cost[kind] = 0
                    self.silver[me] -= 1
                    self.mine += 1
        if buy is not None:
            cost[buy] -= 1
            self.silver[me] -= 2
            self.mine += 2
        for kind, amount in cost.items():
            getattr(self, kind)[me] -= amount
        if card is not None:
            self.cards[me] -= 1
            self.deck += 1
        self.castles.setdefault((*at, int(area), int(number)), []).append(me)
        for town_at, town in self.towns.items():
            in_line = town_at[0] == at[0] or town_at[1] == at[1]
            if in_line and (town_at != at or self.rulings.own_space == "counts"):
                self.points[me] += 2 if town == "city" else 1

    def follow(self, event: Any) -> None:
        me = self.colours[self.active]
        if isinstance(event, e.Reveal):
            self.last = self.place(event.slot)
            self.up[self.last] = (event.tile, event.turns)
            tile = self.game_set.tiles[event.tile]
            if event.swapped:
                self.start_tile[me] = False
            self.give(me, "card", sum(arms.value == CARD for arms in tile.sides))
            self.give(me, "silver", tile.silver)
        elif isinstance(event, e.TurnTile):
            self.up[self.last] = (self.up[self.last][0], event.turns)
            self.put_under(event.player)
        elif isinstance(event, e.Evaluate):
            self.evaluate()
        elif isinstance(event, e.Build):
            self.castle(event.site, event.card, event.buy, 1)
        elif isinstance(event, e.Overbuild):
            self.castle(event.site, event.card, event.buy, 1 if event.card == "abbot" else 2)
        elif isinstance(event, e.EndTurn):
            self.active = (self.active + 1) % len(self.colours)
        elif isinstance(event, e.Sell):
            for _ in range(event.count):
                self.put_under(event.player)
                self.give(event.player, "silver", 2)
        elif isinstance(event, e.Guard):
            self.put_under(event.player)
        elif isinstance(event, e.EndGame):
            self.share_mine()
        else:
            self.put_under(me)
            self.character(me, event)

    def put_under(self, colour: str) -> None:
        self.cards[colour] -= 1
        self.deck += 1

    def character(self, me: str, event: Any) -> None:
        if isinstance(event, e.King):
            self.points[me] += event.points
        elif isinstance(event, e.RobberBaron):
            self.give(me, "silver", self.mine // 2)
        elif isinstance(event, e.Raider | e.Brigands):
            for other in self.colours:
                if other != me:
                    loot = min(self.silver[other], 1 if isinstance(event, e.Raider) else 2)
                    self.silver[other] -= loot
                    self.silver[me] += loot
        elif isinstance(event, e.Traitor):
            self.silver[me] -= 1
            self.silver[event.victim] += 1
            self.cards[event.victim] -= 1
            self.cards[me] += 1
        elif isinstance(event, e.Peasant):
            self.towns[self.place(event.cell)] = "village"
        elif isinstance(event, e.Duke):
            self.towns[self.place(event.cell)] = "city"
        elif isinstance(event, e.Incendiary):
            del self.towns[self.place(event.cell)]

    def share_mine(self) -> None:
        for at, areas in self.octagons.items():
            for area in areas:
                if area["kind"] == "mine" and self.is_ready(at, area):
                    for colour, share in self.shares(self.sums(at, area["sides"]), self.mine).items():
                        self.give(colour, "silver", share)

    def totals(self) -> dict[str, int]:
        total = {}
        for me in self.colours:
            total[me] = self.points[me] + self.cards[me] + self.wood[me] + self.grain[me] + self.rocks[me]
            total[me] += 5 if self.start_tile[me] else 0
        self.add_silver_prizes(total)
        if self.battle:
            self.add_battle(total)
        return total

    def add_silver_prizes(self, total: dict[str, int]) -> None:
        first, second, tied = (8, 4, 6) if self.battle else (4, 2, 3)
        amounts = sorted(set(self.silver.values()), reverse=True)
        if amounts[0] == 0:
            return
        top = [me for me in self.colours if self.silver[me] == amounts[0]]
        if len(top) > 1:
            for me in top:
                total[me] += tied
            return
        total[top[0]] += first
        if len(amounts) == 1 or (amounts[1] == 0 and self.rulings.silver_zero == "nothing"):
            return
        next_best = [me for me in self.colours if self.silver[me] == amounts[1]]
        for me in next_best:
            if len(next_best) == 1:
                total[me] += second
            else:
                total[me] += tied if self.rulings.silver_second_tie == "each" else second // len(next_best)

    def add_battle(self, total: dict[str, int]) -> None:
        tops = [(site, stack[-1]) for site, stack in self.castles.items()]
        for _, owner in tops:
            total[owner] += 2
        for at, town in self.towns.items():
            count = dict.fromkeys(self.colours, 0)
            for site, owner in tops:
                same = site[:2] == at
                if same and self.rulings.own_space != "counts":
                    continue
                if site[0] == at[0] or site[1] == at[1]:
                    count[owner] += 1
            most = max(count.values())
            if most:
                best = [me for me in self.colours if count[me] == most]
                worth = 6 if town == "city" else 3
                for me in best:
                    total[me] += (worth + len(best) - 1) // len(best)
