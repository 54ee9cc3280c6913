"""Photos of running games, and what each of them proposes until somebody confirms it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Any

from companion.scoring.castelli.board import Board, assemble, assembly_problems
from companion.scoring.castelli.event_records import event_record
from companion.table.calibrations import Calibrations, Record, Scan
from companion.table.castelli.arrangement import is_same_board, laid_as
from companion.table.castelli.asking import Answers, Question
from companion.table.castelli.book import Book
from companion.table.castelli.design import TOURNAMENT
from companion.table.castelli.markers import MarkerDifference, marker_differences
from companion.table.castelli.outlines import outlines_in
from companion.table.castelli.proposal import Proposal
from companion.table.castelli.seen import picture_of
from companion.table.castelli.sitting import Sitting
from companion.table.castelli.working_out import work_out
from companion.table.errors import BadInput, BoardNotFound, Busy, NotAnswered, NotFound, Stale, sentence
from companion.table.live import Live
from companion.table.photos import SURROUNDINGS, Photos
from companion.table.store import Store

SCAN_WAIT = 60.0
"""Seconds that a photo waits while others are read: one at a time, so that memory stays bounded."""

AROUND_A_PIECE = 3.2
"""A castle's site by itself is a patch of ground: players see where it is by the tiles and pieces around."""

TWO_GAMES = sentence(
    "The two boards of a tournament are two games, so a photo of both cannot be read as one. Cover one board "
    "and take another photo."
)

Progress = Callable[[str], None]
"""Is told what goes on: `keeping`, `reading`, `comparing`."""


@dataclass(frozen=True, slots=True)
class OpenProposal:
    id: str
    photo: str
    number: int
    """Of the log entry after which it would come."""
    proposal: Proposal
    answers: Answers


@dataclass(frozen=True, slots=True)
class Taken:
    """A photo was read."""

    photo: str
    sitting: Sitting
    open: OpenProposal | None
    """None: it was applied at once, or nothing had changed; what is left of it are its markers."""
    applied: bool
    proposal: Proposal


class Scans(Book):
    def __init__(
        self, store: Store, photos: Photos, live: Live, calibrations: Calibrations, scan: Scan
    ) -> None:
        super().__init__(store, live)
        self.photos = photos
        self.calibrations = calibrations
        self._scan = scan
        self._scanning = threading.Lock()
        self._worked_out: dict[str, OpenProposal] = {}
        """By game: the last one, which every phone asks for again."""

    # Photos

    def take_photo(
        self, game: str, data: bytes, author: str, key: str, progress: Progress = lambda stage: None
    ) -> Taken:
        """Keeps a photo, reads it and proposes what has happened; the same key again is the same photo."""
        sitting = self.sitting(game)
        if known := self._photo_under(game, key):
            return self._taken(game, known, author, key)
        progress("keeping")
        photo = self.photos.keep(game, data, author)
        try:
            progress("reading")
            record = self.read(self.photos.read(game, photo.id), photo.id, sitting.settings.calibration)
            progress("comparing")
            record["outlines"] = outlines_in(record, self._board_on(record, sitting)) | record.get(
                "outlines", {}
            )
        except BaseException:
            self.photos.delete(game, photo.id)
            raise
        self.photos.keep_record(photo.id, record)
        if not self._opened(game, photo.id, key):
            self.photos.delete(game, photo.id)
        self.live.publish(game)
        return self._taken(game, self._photo_under(game, key), author, key)

    def _photo_under(self, game: str, key: str) -> str:
        """The photo that came with a key; empty where none has."""
        known = self.store.reading("SELECT photo FROM proposals WHERE game = ? AND key = ?", (game, key))
        return str(known[0][0]) if known else ""

    def _opened(self, game: str, photo: str, key: str) -> bool:
        """False where the same photo, sent again while it was being read, has been faster."""
        with self.store.writing() as write:
            if write.execute("SELECT 1 FROM proposals WHERE game = ? AND key = ?", (game, key)).fetchone():
                return False
            replaced = "UPDATE proposals SET state = 'replaced' WHERE game = ? AND state = 'open'"
            write.execute(replaced, (game,))
            row = (token_hex(8), game, photo, key, "{}", "open")
            write.execute("INSERT INTO proposals VALUES (?, ?, ?, ?, ?, ?)", row)
            return True

    def _taken(self, game: str, photo: str, author: str, key: str) -> Taken:
        open_now = self.proposal(game)
        sitting = self.sitting(game)
        if open_now is None or open_now.photo != photo:
            return Taken(photo, sitting, None, False, Proposal())
        proposal = open_now.proposal
        if proposal.is_empty:
            if not proposal.moved_markers:
                self._close(game, open_now.id, "confirmed")
                open_now = None
            return Taken(photo, sitting, open_now, False, proposal)
        if not (sitting.settings.auto_apply and proposal.is_clean):
            return Taken(photo, sitting, open_now, False, proposal)
        try:
            after = self._write_down(game, open_now, author, f"{key} auto", open_now.number)
        except Stale:
            return Taken(photo, sitting, open_now, False, proposal)
        return Taken(photo, after, self._only_markers(game, open_now.id), True, proposal)

    def _only_markers(self, game: str, proposal: str) -> OpenProposal | None:
        """What an applied photo leaves open: its markers, where they lie otherwise than the book says now."""
        left = self.proposal(game)
        if left is None or left.id != proposal or left.proposal.moved_markers:
            return left
        self._close(game, proposal, "confirmed")
        return None

    def read(self, jpeg: bytes, name: str, calibration: str) -> Record:
        """What lies on a photographed board; `BoardNotFound` says why it cannot be told."""
        folder = self.calibrations.get(calibration).folder
        if not self._scanning.acquire(timeout=SCAN_WAIT):
            raise Busy(sentence("Other photos are still being read; try again in a moment."))
        try:
            record = self._scan(jpeg, name, folder)
        finally:
            self._scanning.release()
        if "error" in record:
            raise BoardNotFound("%(why)s", why=record["error"])
        if record.get("assembly") == TOURNAMENT:
            raise BoardNotFound(TWO_GAMES)
        return dict(record)

    def _board_on(self, record: Record, sitting: Sitting) -> Board:
        seen = picture_of(record).assembly
        if is_same_board(seen, sitting.board.assembly) or assembly_problems(sitting.game_set, seen):
            return sitting.board
        return assemble(sitting.game_set, seen)

    def last_photo(self, game: str) -> str | None:
        """The last one that was confirmed, of those that nobody has deleted."""
        kept = {photo.id for photo in self.photos.of(game)}
        return next((row.photo for row in reversed(self.sitting(game).rows) if row.photo in kept), None)

    def reading(self, game: str, photo: str) -> Record | None:
        """What was read in a photo, to be drawn on it."""
        self.photos.photo(game, photo)
        return self.photos.record(game, photo)

    def markers(self, game: str) -> tuple[MarkerDifference, ...]:
        """Where markers lay on the last photo that was confirmed, against the book of now."""
        sitting = self.sitting(game)
        record = self.photos.record(game, sitting.last_photo) if sitting.last_photo else None
        return marker_differences(sitting.position, picture_of(record)) if record else ()

    def crop(self, game: str, photo: str, where: str, longest: int = 480) -> bytes:
        """The part of a photo that shows a slot, a site or a space."""
        outlines = (self.reading(game, photo) or {}).get("outlines", {})
        outline = outlines.get(where) or outlines.get(f"{where}/town")
        if not outline:
            raise NotFound(sentence("The photo does not show %(place)s."), place=where[:20])
        around = surroundings_of(where, self.sitting(game).board)
        return self.photos.crop(game, photo, [(x, y) for x, y in outline], longest, around)

    # Proposals

    def proposal(self, game: str) -> OpenProposal | None:
        """The open one, worked out against the table as it is now."""
        row = self._open_row(game)
        if row is None:
            return None
        id, photo, answers = row
        sitting = self.sitting(game)
        known = self._worked_out.get(game)
        if known and (known.id, known.number, known.answers) == (id, sitting.number, answers):
            return known
        record = self.photos.record(game, photo) or {}
        found = OpenProposal(id, photo, sitting.number, work_out(sitting, record, answers), answers)
        self._worked_out[game] = found
        return found

    def answer(self, game: str, proposal: str, question: str, choice: str) -> OpenProposal:
        """The id of a choice, or where the question allows it, another answer of that form."""
        open_now = self._the(game, proposal)
        asked = next((q for q in open_now.proposal.questions if q.id == question), None)
        if asked is None:
            raise Stale(sentence("This question has been answered in the meantime."))
        if not asked.other and choice not in {known.id for known in asked.choices}:
            raise BadInput(sentence("This is none of the answers to choose from."))
        return self._answered(game, open_now, {**open_now.answers, question: choice}, asked)

    def unanswer(self, game: str, proposal: str, question: str) -> OpenProposal:
        """Takes back an answer, and those that were given after it."""
        open_now = self._the(game, proposal)
        given = list(open_now.answers)
        kept = given[: given.index(question)] if question in given else given
        return self._answered(game, open_now, {id: open_now.answers[id] for id in kept}, None)

    def _answered(
        self, game: str, open_now: OpenProposal, answers: Answers, asked: Question | None
    ) -> OpenProposal:
        record = self.photos.record(game, open_now.photo) or {}
        worked_out = work_out(self.sitting(game), record, answers)
        if asked is not None and any(q.id == asked.id for q in worked_out.questions):
            raise BadInput(sentence("This is no answer to the question; choose one or describe another."))
        with self.store.writing() as write:
            write.execute("UPDATE proposals SET answers = ? WHERE id = ?", (json.dumps(answers), open_now.id))
        self.live.publish(game)
        return replace(open_now, answers=answers, proposal=worked_out)

    def confirm(self, game: str, proposal: str, author: str, key: str, expected: int) -> Sitting:
        """What the photo shows goes into the book, as one deed."""
        if self._is_repeated(game, key):
            return self.sitting(game)
        open_now = self._the(game, proposal)
        if open_now.proposal.questions:
            raise NotAnswered(sentence("Answer the open questions first."))
        sitting = self._write_down(game, open_now, author, key, expected)
        self._close(game, proposal, "confirmed")
        return sitting

    def _write_down(self, game: str, open_now: OpenProposal, author: str, key: str, expected: int) -> Sitting:
        if expected != open_now.number:
            self._at(game, expected)
        entry: dict[str, Any] = {}
        worked_out = open_now.proposal
        if worked_out.arrangement is not None:
            entry["settings"] = laid_as(worked_out.arrangement)
        if worked_out.happened:
            entry["do"] = [event_record(event) for event in worked_out.events]
        if worked_out.instead_of:
            entry["instead_of"] = worked_out.instead_of
        if entry:
            self.write(game, entry, author, key, expected, open_now.photo)
        return self.sitting(game)

    def dismiss(self, game: str, proposal: str) -> None:
        """The photo stays, what it proposed does not."""
        self._close(game, self._the(game, proposal).id, "dismissed")

    def _close(self, game: str, proposal: str, state: str) -> None:
        with self.store.writing() as write:
            write.execute("UPDATE proposals SET state = ? WHERE id = ?", (state, proposal))
        self.live.publish(game)

    def _the(self, game: str, proposal: str) -> OpenProposal:
        open_now = self.proposal(game)
        if open_now is None or open_now.id != proposal:
            raise Stale(sentence("This photo has been dealt with in the meantime."))
        return open_now

    def _open_row(self, game: str) -> tuple[str, str, dict[str, str]] | None:
        """None too where somebody has deleted the photo."""
        question = (
            "SELECT proposals.id, photo, answers FROM proposals JOIN photos ON photos.id = photo "
            "WHERE proposals.game = ? AND state = 'open' AND record IS NOT NULL"
        )
        rows = self.store.reading(question, (game,))
        return (rows[0][0], rows[0][1], json.loads(rows[0][2])) if rows else None


def surroundings_of(where: str, board: Board) -> float:
    """How much more than the place itself its crop shows."""
    return SURROUNDINGS if where in board.slots else AROUND_A_PIECE
