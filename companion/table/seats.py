"""Who sits at the table: the host's secret, the code that lets people in, and what each may do.

Secrets are long random words of which only hashes are kept, so that a copied database opens no seat. A
browser that was let in gets a session of its own (a cookie) and never shows the code again.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections import defaultdict, deque
from dataclasses import dataclass, replace
from secrets import token_hex, token_urlsafe

from companion.table.errors import BadInput, NotAllowed, NotFound, Stale, TooManyTries, sentence
from companion.table.store import Store

WRONG_TRIES = 10
WITHIN = 60.0
"""Ten wrong codes a minute from one address: enough for slips, hopeless for guessing 128 bits."""
MOST_ADDRESSES = 10_000
"""Whose tries are remembered; a flood of addresses takes no more memory than this."""
LONGEST_NAME = 40
MOST_SEATS = 200
"""In one game, watchers included: a page that joins in a loop fills no disk."""

_HOST_SECRET = "host secret"
_HOST = "host session"


@dataclass(frozen=True, slots=True)
class Seat:
    id: str
    game: str
    name: str
    colour: str | None
    """None: a watcher."""
    may_photograph: bool
    may_confirm: bool
    is_host: bool = False


@dataclass(frozen=True, slots=True)
class Joined:
    session: str
    """For the browser's cookie; it is not kept here and cannot be told again."""
    seat: Seat


class Seats:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._tokens: dict[str, str] = {}
        self._tries = _Tries()
        self._lock = threading.Lock()

    # The host

    def new_host_secret(self) -> str:
        """For the link that the terminal shows; the one before stops working, hosts' browsers stay."""
        secret = token_urlsafe(16)
        self._replace(_HOST_SECRET, secret)
        return secret

    def enter_as_host(self, secret: str, address: str) -> str:
        """A host's session for a browser that knows the secret."""
        self._tries.check(address)
        if not self._is_known(_HOST_SECRET, secret):
            self._tries.wrong(address)
            raise NotAllowed(sentence("This is not the host's link; use the one that the computer shows."))
        return self.new_host_session()

    def new_host_session(self) -> str:
        session = token_urlsafe(24)
        with self._store.writing() as write:
            write.execute("INSERT INTO secrets VALUES (?, ?)", (_HOST, _hash(session)))
        return session

    def is_host(self, session: str | None) -> bool:
        return session is not None and self._is_known(_HOST, session)

    # Joining

    def join_token(self, game: str) -> str:
        """The code in a game's QR code; made anew after a restart, as only its hash is kept."""
        with self._lock:
            token = self._tokens.get(game)
        return token or self.new_join_token(game)

    def new_join_token(self, game: str) -> str:
        """The code before stops working; those who are in stay in."""
        self._store.game(game)
        token = token_urlsafe(16)
        with self._lock:
            self._replace(_join(game), token)
            self._tokens[game] = token
        return token

    def join(self, token: str, address: str, session: str | None = None) -> Joined:
        """Lets a browser in as a watcher; one that is in already keeps its seat."""
        self._tries.check(address)
        rows = self._store.reading(
            "SELECT purpose FROM secrets WHERE hash = ? AND purpose LIKE 'join %'", (_hash(token),)
        )
        if not rows:
            self._tries.wrong(address)
            raise NotAllowed(sentence("This code does not open a game; ask the host for the code of now."))
        game = str(rows[0][0]).removeprefix("join ")
        session = session or token_urlsafe(24)
        return Joined(session, self.seat(game, session) or self._new_seat(game, session))

    def seat(self, game: str, session: str | None) -> Seat | None:
        """The seat of a browser in a game. The host has one in every game from the first look on."""
        if session is None:
            return None
        rows = self._store.reading(_COLUMNS + " WHERE game = ? AND session = ?", (game, _hash(session)))
        is_host = self.is_host(session)
        if rows:
            return _seat(rows[0], is_host)
        return self._new_seat(game, session) if is_host else None

    def sit(self, game: str, session: str, colour: str | None, name: str) -> Seat:
        """Takes a colour, or watches; one browser a colour, so that nobody plays for another by mistake."""
        seat = self.seat(game, session)
        if seat is None:
            raise NotAllowed(sentence("Join the game first, with the code that the host shows."))
        name = " ".join(name.split())[:LONGEST_NAME]
        with self._store.writing() as write:
            others = write.execute(
                "SELECT 1 FROM seats WHERE game = ? AND colour = ? AND id != ?", (game, colour, seat.id)
            )
            if colour is not None and others.fetchone():
                raise Stale(sentence("Somebody else has taken this seat in the meantime; choose another."))
            write.execute("UPDATE seats SET colour = ?, name = ? WHERE id = ?", (colour, name, seat.id))
        return replace(seat, colour=colour, name=name)

    def of(self, game: str) -> tuple[Seat, ...]:
        """Everybody who was let in, in the order in which they came."""
        rows = self._store.reading(_COLUMNS + " WHERE game = ? ORDER BY rowid", (game,))
        of_hosts = "SELECT seats.id FROM seats JOIN secrets ON hash = session WHERE purpose = ?"
        hosts = {row[0] for row in self._store.reading(of_hosts, (_HOST,))}
        return tuple(_seat(row, row[0] in hosts) for row in rows)

    def allow(
        self, game: str, seat: str, may_photograph: bool | None = None, may_confirm: bool | None = None
    ) -> Seat:
        """The host decides; whoever calls this has checked that it is the host."""
        known = self._by_id(game, seat)
        known = replace(
            known,
            may_photograph=known.may_photograph if may_photograph is None else may_photograph,
            may_confirm=known.may_confirm if may_confirm is None else may_confirm,
        )
        with self._store.writing() as write:
            values = (known.may_photograph, known.may_confirm, seat)
            write.execute("UPDATE seats SET may_photograph = ?, may_confirm = ? WHERE id = ?", values)
        return known

    def remove(self, game: str, seat: str) -> None:
        """Shows somebody out; the code still lets them in again until it is renewed."""
        known = self._by_id(game, seat)
        with self._store.writing() as write:
            write.execute("DELETE FROM seats WHERE id = ?", (known.id,))

    def _by_id(self, game: str, seat: str) -> Seat:
        for known in self.of(game):
            if known.id == seat:
                return known
        raise NotFound(sentence("This seat is empty now."))

    def _new_seat(self, game: str, session: str) -> Seat:
        self._store.game(game)
        is_host = self.is_host(session)
        seat = Seat(token_hex(8), game, "", None, is_host, is_host, is_host)
        with self._store.writing() as write:
            taken = write.execute("SELECT count(*) FROM seats WHERE game = ?", (game,)).fetchone()[0]
            if taken >= MOST_SEATS:
                raise BadInput(sentence("This game has %(most)s people already; ask the host to make room."),
                               most=MOST_SEATS)  # fmt: skip
            row = (seat.id, game, _hash(session), "", None, seat.may_photograph, seat.may_confirm)
            write.execute("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        return seat

    def _replace(self, purpose: str, secret: str) -> None:
        with self._store.writing() as write:
            write.execute("DELETE FROM secrets WHERE purpose = ?", (purpose,))
            write.execute("INSERT INTO secrets VALUES (?, ?)", (purpose, _hash(secret)))

    def _is_known(self, purpose: str, secret: str) -> bool:
        rows = self._store.reading("SELECT hash FROM secrets WHERE purpose = ?", (purpose,))
        hashed = _hash(secret)
        return any(hmac.compare_digest(hashed, row[0]) for row in rows)


class _Tries:
    """Wrong codes by address within the last minute."""

    def __init__(self) -> None:
        self._wrong: defaultdict[str, deque[float]] = defaultdict(deque)
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        with self._lock:
            tries = self._wrong.get(address)
            while tries and tries[0] < time.monotonic() - WITHIN:
                tries.popleft()
            if tries and len(tries) >= WRONG_TRIES:
                raise TooManyTries(sentence("Too many wrong codes; wait a minute and try again."))

    def wrong(self, address: str) -> None:
        with self._lock:
            if len(self._wrong) >= MOST_ADDRESSES:
                self._wrong.clear()
            self._wrong[address].append(time.monotonic())


def _hash(secret: str) -> str:
    """A plain hash is enough: these are random words of 128 bits and more, not passwords."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _join(game: str) -> str:
    return f"join {game}"


def _seat(row: tuple[object, ...], is_host: bool) -> Seat:
    id, game, name, colour, may_photograph, may_confirm = row
    return Seat(str(id), str(game), str(name), None if colour is None else str(colour),
                bool(may_photograph) or is_host, bool(may_confirm) or is_host, is_host)  # fmt: skip


_COLUMNS = "SELECT id, game, name, colour, may_photograph, may_confirm FROM seats"
