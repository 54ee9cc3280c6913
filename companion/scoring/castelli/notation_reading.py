"""Reading the one-line notation: it becomes a record, and `records` checks it like any other."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from companion.scoring.castelli.board import Quadrant, cell_name
from companion.scoring.castelli.components import GameSet
from companion.scoring.castelli.notation import FIELDS, TURNS
from companion.scoring.castelli.plain import BadRecord
from companion.scoring.castelli.position import Position, changed
from companion.scoring.castelli.records import position_from

_AMOUNT = re.compile(r"([wgrsx])(-?\d{1,7})")
_CARDS = re.compile(r"c(-?\d{1,7})(?:\(([^()]*)\))?")
_RESOURCES = {"w": "wood", "g": "grain", "r": "rocks"}


class BadNotation(BadRecord):
    """A line that is no position, with every problem and the field it is in."""


def looks_like_notation(text: str) -> bool:
    return text.lstrip().startswith("board ")


def read(text: str, game_set: GameSet) -> Position:
    """The position a line describes; raises `BadNotation`."""
    reading = _Reading(game_set)
    for field in text.strip().split(";"):
        if field.strip():
            reading.field(field.split())
    for needed in ("board", "tiles", "turn"):
        if needed not in reading.seen:
            reading.problem(needed, "is missing")
    if reading.problems:
        raise BadNotation(reading.problems)
    try:
        position = position_from(reading.record, game_set)
    except BadRecord as error:
        raise BadNotation(error.problems) from None
    evaluated = (position.evaluated | reading.paid) - reading.not_paid
    return changed(position, evaluated=frozenset(evaluated))


class _Reading:
    """The record as it grows, field by field."""

    def __init__(self, game_set: GameSet) -> None:
        self.set = game_set
        self.problems: list[tuple[str, str]] = []
        self.seen: set[str] = set()
        self.paid: set[str] = set()
        self.not_paid: set[str] = set()
        self.record: dict[str, Any] = {
            "players": [],
            "holds_start": [],
            "spare": {"villages": 2, "cities": 2},
        }
        for key in ("resources", "track", "silver", "cards", "castles_left", "hand_tiles", "castles"):
            self.record[key] = {}

    def problem(self, field: str, sentence: str) -> None:
        self.problems.append((field, sentence))

    def field(self, words: list[str]) -> None:
        head = words[0]
        if head not in FIELDS:
            self._player(words)
            return
        if head in self.seen:
            self.problem(head, "stands twice")
        self.seen.add(head)
        getattr(self, f"_{head}")(words[1:])

    def _board(self, words: list[str]) -> None:
        if words and words[-1].startswith("mine@"):
            self.record["spare_mine"] = unquote(words.pop()[5:])
        if len(words) != 5 or words[2] != "/":
            self.problem("board", "must read like “board P1 P2* / P3 -”")
            return
        self.record["arrangement"] = {
            quadrant.value: {
                "piece": unquote(word.removesuffix("*")),
                "turned": 180 if word.endswith("*") else 0,
            }
            for quadrant, word in zip(Quadrant, (words[0], words[1], words[3], words[4]), strict=True)
            if word != "-"
        }

    def _tiles(self, words: list[str]) -> None:
        slots = self._slots()
        rows = "".join(words).split("/")
        if [len(row.split(",")) for row in rows] != [len(row) for row in slots]:
            wanted = ", ".join(str(len(row)) for row in slots)
            self.problem("tiles", f"must have rows of {wanted} slots on this board")
            return
        self.record["tiles"] = {
            cell: self._slot(cell, word)
            for cells, row in zip(slots, rows, strict=True)
            for cell, word in zip(cells, row.split(","), strict=True)
        }

    def _slots(self) -> list[list[str]]:
        """The slots of the board, row by row, as far as its pieces are known."""
        columns, rows = self.set.columns, self.set.rows
        found: dict[int, list[tuple[int, str]]] = {}
        for name, entry in self.record.get("arrangement", {}).items():
            quadrant = Quadrant(name)
            piece = self.set.pieces.get(entry["piece"])
            for row in range(rows if piece else 0):
                for column in range(columns):
                    own = (columns - 1 - column, rows - 1 - row) if entry["turned"] else (column, row)
                    if piece is not None and cell_name(*own) not in piece.spaces:
                        x, y = column + columns * quadrant.is_east, row + rows * quadrant.is_south
                        found.setdefault(y, []).append((x, cell_name(x, y)))
        return [[cell for _, cell in sorted(found[row])] for row in sorted(found)]

    def _slot(self, cell: str, word: str) -> Any:
        if word in (".", "-"):
            return "down" if word == "." else "none"
        if len(word) < 2 or word[-1] not in TURNS:
            self.problem(
                "tiles", f"{cell}: “{word[:40]}” must be a tile and one of {' '.join(TURNS)}, or . or -"
            )
            return "none"
        return {"tile": unquote(word[:-1]), "turns": TURNS.index(word[-1])}

    def _towns(self, words: list[str]) -> None:
        towns = self.record["towns"] = {}
        for word in words:
            kind = {"v:": "village", "c:": "city"}.get(word[:2])
            if kind is None:
                self.problem("towns", f"“{word[:40]}” must begin with v: or c:")
            else:
                towns.update({unquote(cell): kind for cell in word[2:].split(",")})

    def _castles(self, words: list[str]) -> None:
        for word in words:
            site, equals, stack = word.partition("=")
            if not equals:
                self.problem("castles", f"“{word[:40]}” must be a site, = and colours")
            self.record["castles"][unquote(site)] = [unquote(c) for c in stack.split("+")] if stack else []

    def _player(self, words: list[str]) -> None:
        colour = unquote(words[0])
        self.record["players"].append(colour)
        self.record["resources"][colour] = {}
        if len(words) < 2:
            self.problem(colour, "needs the points on the track after the colour")
        for number, word in enumerate(words[1:]):
            if number == 0:
                self.record["track"][colour] = self._whole(colour, word)
            else:
                self._player_word(colour, word)

    def _player_word(self, colour: str, word: str) -> None:
        if match := _AMOUNT.fullmatch(word):
            letter, amount = match[1], int(match[2])
            if letter in _RESOURCES:
                self.record["resources"][colour][_RESOURCES[letter]] = amount
            else:
                self.record["silver" if letter == "s" else "castles_left"][colour] = amount
        elif match := _CARDS.fullmatch(word):
            known = match[2].split(",") if match[2] else []
            self.record["cards"][colour] = {"count": int(match[1]), "known": known}
        elif word[0] in "+=":
            if word[0] == "+":
                self.record["holds_start"].append(colour)
            if len(word) > 1:
                self.record["hand_tiles"][colour] = unquote(word[1:])
        else:
            self.problem(colour, f"“{word[:40]}” says nothing about a player")

    def _whole(self, field: str, word: str) -> int:
        if re.fullmatch(r"-?\d{1,7}", word):
            return int(word)
        self.problem(field, f"“{word[:40]}” must be a whole number")
        return 0

    def _mine(self, words: list[str]) -> None:
        self.record["mine_silver"] = self._whole("mine", " ".join(words))

    def _deck(self, words: list[str]) -> None:
        self.record["deck"] = self._whole("deck", " ".join(words))

    def _spare(self, words: list[str]) -> None:
        villages, _, cities = " ".join(words).partition("+")
        self.record["spare"] = {
            "villages": self._whole("spare", villages),
            "cities": self._whole("spare", cities),
        }

    def _paid(self, words: list[str]) -> None:
        for word in words:
            if word[0] not in "+-":
                self.problem("paid", f"“{word[:40]}” must begin with + or -")
            (self.paid if word[0] == "+" else self.not_paid).add(unquote(word[1:]))

    def _turn(self, words: list[str]) -> None:
        if len(words) < 2:
            self.problem("turn", "must name a colour and a phase")
            return
        self.record["turn"], self.record["phase"] = unquote(words[0]), words[1]
        guarded = self.record["guarded"] = []
        for number, word in enumerate(words[2:]):
            if word in ("silver", "card", "over"):
                self.record[{"silver": "silver_bought", "card": "card_used", "over": "finished"}[word]] = True
            elif word.startswith("guard="):
                guarded.append(unquote(word[6:]))
            elif number == 0:
                self.record["placed"] = unquote(word)
            else:
                self.problem("turn", f"“{word[:40]}” says nothing about a turn")

    def _rules(self, words: list[str]) -> None:
        modules = self.record["modules"] = []
        rulings = self.record["rulings"] = {}
        for word in words:
            ruling, equals, option = word.partition("=")
            if equals:
                rulings[ruling] = option
            else:
                modules.append(word)
