"""The book of all games of Castelli in a store: every change goes through here, and everybody is told.

Whoever changes a game names the number of the entry they saw last and a key of their own. Two phones that
act on the same table at once: one is first, the other is told. A request that comes twice counts once.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.scoring.castelli.components import Cell, Colour, GameSet
from companion.scoring.castelli.event_records import event_record
from companion.scoring.castelli.events import Correction, EndTurn, Evaluate, Event, Reveal
from companion.scoring.castelli.history import replay
from companion.scoring.castelli.plain import BadRecord
from companion.scoring.castelli.position import FaceUp, Phase
from companion.table.castelli.adjusting import adjusted, supply_adjusted
from companion.table.castelli.amending import Amended, Past, amend
from companion.table.castelli.importing import KIND, check_entries, checked_material
from companion.table.castelli.reading import set_in
from companion.table.castelli.settings import PlayerAtTable, check_settings
from companion.table.castelli.sitting import RuleRefused, Sitting, sit_down
from companion.table.errors import BadInput, Stale, StorageDamaged, TableError, sentence
from companion.table.exports import read_export, write_export
from companion.table.jsondoor import BadFile
from companion.table.live import Live
from companion.table.store import LogRow, NewEntry, Store
from companion.table.undo import standing

LISTED = 100
"""Games in the list, the latest first; beyond that nobody scrolls."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game in the list."""

    game: str
    created: str
    changed: str
    number: int
    title: str = ""
    players: tuple[PlayerAtTable, ...] = ()
    points: Mapping[Colour, int] | None = None
    turns: int = 0
    """Tiles revealed."""
    finished: bool = False
    problem: TableError | None = None
    """Why it cannot be opened."""


class Book:
    """Every method may be called from any thread."""

    def __init__(self, store: Store, live: Live) -> None:
        self.store = store
        self.live = live
        self._open: dict[str, Sitting] = {}
        self._lock = threading.Lock()

    # Opening

    def sitting(self, game: str) -> Sitting:
        """The game as it stands now."""
        number = self.store.last_number(game)
        with self._lock:
            known = self._open.get(game)
        if known is not None and known.number == number:
            return known
        sitting = self._sit_down(game, self.store.log(game), known)
        with self._lock:
            newest = self._open.get(game)
            if newest is None or newest.number < sitting.number:
                self._open[game] = sitting
        return sitting

    def games(self) -> tuple[GameLine, ...]:
        """The game that was touched last comes first."""
        return tuple(self._line(row.id, row.created, row.changed, row.number) for row in self._rows())

    def _rows(self) -> list[Any]:
        return [row for row in self.store.games() if row.kind == KIND][:LISTED]

    def _line(self, game: str, created: str, changed: str, number: int) -> GameLine:
        line = GameLine(game, created, changed, number)
        try:
            sitting = self.sitting(game)
        except TableError as problem:
            return replace(line, problem=problem)
        position = sitting.position
        return replace(
            line,
            title=sitting.settings.title,
            players=tuple(sitting.settings.players),
            points={player.colour: player.points for player in position.players},
            turns=sum(isinstance(slot, FaceUp) for slot in position.tiles.values()),
            finished=sitting.finished,
        )

    def _sit_down(self, game: str, rows: Sequence[LogRow], before: Sitting | None) -> Sitting:
        try:
            game_set = before.game_set if before is not None else self._set_of(game)
            said = standing(rows).settings
            known = before is not None and before.deeds.settings == said
            settings = before.settings if before is not None and known else check_settings(said, game_set)
            return sit_down(game, rows, settings, game_set, before)
        except (BadRecord, BadInput, BadFile) as error:
            raise StorageDamaged(
                sentence("The game “%(game)s” in %(file)s is damaged and was left as it is: %(why)s"),
                game=game,
                file=self.store.file,
                why=str(error),
            ) from error

    def _set_of(self, game: str) -> GameSet:
        return set_in(self.store.game(game).material.encode(), "set")

    # Changing

    def new_game_with(self, material: str, settings: Mapping[str, Any], author: str, key: str) -> Sitting:
        """A new game with the set in `material`, the text of a set file."""
        checked = check_settings(settings, set_in(material.encode(), "set"))
        entry = {"settings": checked.model_dump(mode="json")}
        return self.sitting(self.store.new_game(KIND, material, [NewEntry(entry, author)], key))

    def apply(self, game: str, events: Sequence[Event], author: str, key: str, expected: int) -> Sitting:
        """Events in a row, as one deed; `RuleRefused` and nothing happens where one is not allowed."""
        if self._is_repeated(game, key):
            return self.sitting(game)
        sitting = self._at(game, expected)
        check_playable(sitting, events)
        return self.write(game, {"do": [event_record(event) for event in events]}, author, key, expected)

    def reveal(
        self, game: str, slot: Cell, tile: str, turns: int, author: str, key: str, expected: int
    ) -> Sitting:
        """A tile revealed and evaluated without a photo; the turn before ends by itself."""
        if self._is_repeated(game, key):
            return self.sitting(game)
        position = self._at(game, expected).position
        ending: list[Event] = [EndTurn()] if position.phase is not Phase.REVEAL else []
        known = position.board.set.tiles.get(tile)
        event = Reveal(slot, tile, turns, swapped=known is not None and known.start)
        return self.apply(game, [*ending, event, Evaluate()], author, key, expected)

    def undo(self, game: str, author: str, key: str, expected: int, steps: int = 1) -> Sitting:
        if self._is_repeated(game, key):
            return self.sitting(game)
        if not 1 <= steps <= self._at(game, expected).can_undo:
            raise BadInput(sentence("There is nothing more to undo."))
        return self.write(game, {"undo": steps}, author, key, expected)

    def redo(self, game: str, author: str, key: str, expected: int, steps: int = 1) -> Sitting:
        if self._is_repeated(game, key):
            return self.sitting(game)
        if not 1 <= steps <= self._at(game, expected).can_redo:
            raise BadInput(sentence("There is nothing more to redo."))
        return self.write(game, {"redo": steps}, author, key, expected)

    def correct(self, game: str, correction: Correction, author: str, key: str, expected: int) -> Sitting:
        """Sets by hand whatever the correction names."""
        return self.apply(game, [correction], author, key, expected)

    def adjust(
        self, game: str, colour: Colour, what: str, by: int, author: str, key: str, expected: int
    ) -> Sitting:
        """Plus and minus: wood, grain, rocks, silver, points, cards, castles_left of a player."""
        if self._is_repeated(game, key):
            return self.sitting(game)
        position = self._at(game, expected).position
        return self.correct(game, adjusted(position, colour, what, by), author, key, expected)

    def adjust_supply(self, game: str, what: str, by: int, author: str, key: str, expected: int) -> Sitting:
        """Plus and minus: mine, deck, spare_villages, spare_cities."""
        if self._is_repeated(game, key):
            return self.sitting(game)
        position = self._at(game, expected).position
        return self.correct(game, supply_adjusted(position, what, by), author, key, expected)

    def steward(
        self, game: str, slot: Cell, player: Colour, turns: int, author: str, key: str, expected: int
    ) -> Sitting:
        """A Steward that nobody told of when the tile was placed: the game is played again from there."""
        if self._is_repeated(game, key):
            return self.sitting(game)
        sitting = self._at(game, expected)
        lying = sitting.position.slot(slot)
        if not isinstance(lying, FaceUp):
            raise BadInput(sentence("There is no such place or tile in this game."))
        amended = amend(past_of(sitting), {}, {slot: (player, FaceUp(lying.tile, turns))})
        if amended is None:
            raise BadInput(
                sentence("The history does not allow that this tile was turned by a Steward of that player.")
            )
        return self._write_amended(game, amended, author, key, expected)

    def correct_tile(
        self, game: str, slot: Cell, tile: str, turns: int, author: str, key: str, expected: int
    ) -> Sitting:
        """A tile that was entered wrongly: the game is played again from there, so that awards are right.

        Where the history does not allow that, the tile alone is set.
        """
        if self._is_repeated(game, key):
            return self.sitting(game)
        sitting = self._at(game, expected)
        right = FaceUp(tile, turns)
        if slot not in sitting.board.slots or tile not in sitting.game_set.tiles or turns not in range(4):
            raise BadInput(sentence("There is no such place or tile in this game."))
        amended = amend(past_of(sitting), {slot: right}, {})
        if amended is None or not sitting.position.tiles.get(slot):
            return self.correct(game, Correction(tiles={slot: right}), author, key, expected)
        return self._write_amended(game, amended, author, key, expected)

    def _write_amended(self, game: str, amended: Amended, author: str, key: str, expected: int) -> Sitting:
        events = [event_record(event) for event in amended.events]
        return self.write(game, {"do": events, "instead_of": amended.instead_of}, author, key, expected)

    def change_settings(
        self, game: str, changes: Mapping[str, Any], author: str, key: str, expected: int
    ) -> Sitting:
        """Settings hold for the whole game: a ruling that is changed changes what has happened, too."""
        if self._is_repeated(game, key):
            return self.sitting(game)
        sitting = self._at(game, expected)
        merged = {**sitting.settings.model_dump(mode="json"), **changes}
        checked = check_settings(merged, sitting.game_set)
        again = sit_down(game, sitting.rows, checked, sitting.game_set, sitting)
        if again.failure is not None and sitting.failure is None:
            raise RuleRefused(again.failure.error)
        dumped = checked.model_dump(mode="json")
        entry = {"settings": {name: dumped[name] for name in changes if name in dumped}}
        return self.write(game, entry, author, key, expected)

    def write(
        self,
        game: str,
        entry: Mapping[str, Any],
        author: str,
        key: str,
        expected: int,
        photo: str | None = None,
    ) -> Sitting:
        """Keeps an entry that has been checked, and tells everybody."""
        self.store.append(game, entry, author, key, expected, photo)
        self.live.publish(game)
        return self.sitting(game)

    def _is_repeated(self, game: str, key: str) -> bool:
        return self.store.number_of(game, key) is not None

    def _at(self, game: str, expected: int) -> Sitting:
        """The game as its author saw it."""
        sitting = self.sitting(game)
        if sitting.number != expected:
            raise Stale(
                sentence(
                    "Somebody else changed the game in the meantime; look again and repeat it if needed."
                )
            )
        return sitting

    # Out and in

    def export_game(self, game: str) -> bytes:
        return write_export(self.store.game(game), self.store.log(game))

    def import_game(self, data: bytes, author: str, key: str) -> Sitting:
        """A game out of a file, to be looked at and continued; `BadInput` lists what is wrong with it."""
        from_file = read_export(data, "game")
        entries = [NewEntry(line.entry.plain(), line.author or author, line.at) for line in from_file.log]
        material = checked_material(from_file.kind, from_file.material)
        check_entries([new.entry for new in entries], set_in(material.encode(), "set"))
        return self.sitting(self.store.new_game(KIND, material, entries, key))


def past_of(sitting: Sitting) -> Past:
    return Past(sitting.start, tuple(sitting.parsed[deed.number] for deed in sitting.deeds.done))


def check_playable(sitting: Sitting, events: Sequence[Event]) -> None:
    if not events:
        raise BadInput(sentence("There was nothing to do."))
    if sitting.failure is not None:
        raise BadInput(
            sentence("The history stops at something the rules do not allow; undo it before you go on.")
        )
    played = replay(sitting.position, events)
    if played.failure is not None:
        raise RuleRefused(played.failure.error)
