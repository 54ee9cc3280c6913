"""The table: the games, their photos, the sets they are played with, and who sits at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.scoring.castelli.board import assemble, assembly_problems
from companion.scoring.castelli.components import Colour
from companion.scoring.castelli.position import Modules
from companion.scoring.castelli.rulings import Rulings
from companion.table.calibrations import Calibrations, Record, Scan
from companion.table.castelli.asking import Answers
from companion.table.castelli.outlines import outlines_in
from companion.table.castelli.quick import Hand, QuickScore, quick_score
from companion.table.castelli.reading import SET, set_in
from companion.table.castelli.scans import Scans, surroundings_of
from companion.table.castelli.seen import picture_of
from companion.table.castelli.settings import Settings
from companion.table.castelli.sitting import Sitting
from companion.table.errors import BadInput, BoardNotFound, NotFound, TableError, sentence
from companion.table.jsondoor import BadFile, read_file
from companion.table.live import Live
from companion.table.photofile import upright
from companion.table.photos import Photos, checked_jpeg, cut_out
from companion.table.seats import Seats
from companion.table.store import Store

QUICK_CROP = 320
"""Pixels: crops of a quick score are kept in memory."""

PIECES = {"two": 2}
"""Board pieces of an assembly with fewer than four."""
PART_OF_A_BOARD = sentence(
    "Only a part of the board was found. Take another photo with all of it in the picture, "
    "and no hand over it."
)

RGB = tuple[int, int, int]
Looks = Callable[[Path], Mapping[Colour, RGB]]
"""What the calibration in a folder says of the look of player colours; it may not know."""


@dataclass(frozen=True, slots=True)
class SetCard:
    """A calibration to choose for a new game."""

    name: str
    title: str = ""
    colours: tuple[Colour, ...] = ()
    pieces: tuple[str, ...] = ()
    tiles: int = 0
    is_bundled: bool = False
    problem: str | None = None


class Table(Scans):
    """All that the web room talks to."""

    def __init__(
        self,
        store: Store,
        photos: Photos,
        live: Live,
        seats: Seats,
        calibrations: Calibrations,
        scan: Scan,
        looks: Looks = lambda folder: {},
    ) -> None:
        super().__init__(store, photos, live, calibrations, scan)
        self.seats = seats
        self._looks = looks
        self._known_looks: dict[str, Mapping[Colour, RGB]] = {}

    def close(self) -> None:
        self.live.close()
        self.store.close()

    def sets(self) -> tuple[SetCard, ...]:
        return tuple(self._set_card(c.name, c.is_bundled) for c in self.calibrations.all())

    def _set_card(self, name: str, is_bundled: bool) -> SetCard:
        try:
            game_set = set_in(self._set_text(name).encode(), name)
        except (BadFile, TableError) as error:
            return SetCard(name, is_bundled=is_bundled, problem=str(error))
        pieces = tuple(game_set.pieces)
        return SetCard(name, game_set.name, game_set.colours, pieces, len(game_set.tiles), is_bundled)

    def _set_text(self, calibration: str) -> str:
        return read_file(self.calibrations.get(calibration).folder / SET).decode("utf-8-sig")

    def looks(self, calibration: str) -> Mapping[Colour, RGB]:
        """How the player colours of a set look, where its calibration says so."""
        if calibration not in self._known_looks:
            try:
                self._known_looks[calibration] = self._looks(self.calibrations.get(calibration).folder)
            except TableError:  # it is gone; its games can still be looked at
                return {}
        return self._known_looks[calibration]

    def new_game(self, settings: Mapping[str, Any], author: str, key: str) -> Sitting:
        """`settings` as in `Settings`; without an arrangement, the first photo tells how the pieces lie."""
        named = settings.get("calibration", Settings.model_fields["calibration"].default)
        try:
            material = self._set_text(str(named))
        except (BadFile, UnicodeDecodeError) as error:
            raise BadInput(
                sentence("The calibration “%(name)s” has no set that can be read: %(why)s"),
                name=named,
                why=str(error),
            ) from None
        return self.new_game_with(material, settings, author, key)

    # Quick score

    def quick_record(self, calibration: str, data: bytes) -> Record:
        """What a single photo shows, for `quick_score`; the photo is not kept."""
        jpeg, _, _ = checked_jpeg(data)
        record = self.read(jpeg, "quick", calibration)
        if len(picture_of(record).assembly.pieces) < PIECES.get(record.get("assembly", ""), 4):
            raise BoardNotFound(PART_OF_A_BOARD)
        return record

    def quick_crops(self, record: Record, data: bytes, score: QuickScore) -> dict[str, bytes]:
        """By place: the part of the photo that shows what is asked about."""
        board = score.position.board
        outlines = outlines_in(record, board) | record.get("outlines", {})
        picture = upright(checked_jpeg(data)[0])
        crops = {}
        for where in {question.where for question in score.questions}:
            outline = outlines.get(where) or outlines.get(f"{where}/town")
            if outline:
                around = surroundings_of(where, board)
                with suppress(NotFound):  # it lies outside the photo
                    crops[where] = cut_out(picture, [(x, y) for x, y in outline], QUICK_CROP, around)
        return crops

    def quick_score(
        self,
        calibration: str,
        record: Record,
        hands: Mapping[Colour, Hand],
        modules: Modules,
        rulings: Rulings,
        answers: Answers | None = None,
    ) -> QuickScore:
        """The final sheet of a board that no game runs on; `hands` names the players as they sit."""
        game_set = set_in(self._set_text(calibration).encode(), calibration)
        assembly = picture_of(record).assembly
        if assembly_problems(game_set, assembly):
            raise BoardNotFound(PART_OF_A_BOARD)
        try:
            return quick_score(assemble(game_set, assembly), record, hands, modules, rulings, answers)
        except ValueError as error:
            raise BadInput(sentence("No sheet can be made of this: %(why)s"), why=str(error)) from None
