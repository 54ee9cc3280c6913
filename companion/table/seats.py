"""Who sits at the table: the key of the house, the code that opens a game, and what each may do.

Keys, codes and sessions are long random words of which only hashes are kept, so that a copied database
opens no seat. A browser brings a session of its own (a cookie); the code opens a game to it once.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
import time
from collections import deque
from dataclasses import dataclass, replace
from secrets import token_hex, token_urlsafe

from companion.table.errors import BadInput, NotAllowed, NotFound, Stale, TooManyTries, sentence
from companion.table.names import tidy
from companion.table.store import Store

WRONG_TRIES = 10
WITHIN = 60.0
"""Ten wrong codes a minute from one address: enough for slips, hopeless for guessing 128 bits."""
MOST_ADDRESSES = 10_000
"""Whose tries are remembered; a flood of addresses takes no more memory than this."""
LONGEST_NAME = 40
MOST_SEATS = 200
"""In one game, watchers included: a page that joins in a loop fills no disk."""

_HOUSE_KEY = "house key"
_HOUSE = "house session"
_JOIN = "join "
_SHARE = "share "


@dataclass(frozen=True, slots=True)
class Seat:
    id: str
    game: str
    name: str = ""
    colour: str | None = None
    """None: a watcher."""
    is_host: bool = False
    is_in: bool = False
    """The host has let them in; before that they may only watch."""
    may_photograph: bool = False
    may_confirm: bool = False


class Seats:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._codes: dict[str, str] = {}
        self._shares: dict[str, str] = {}
        self._tries = _Tries()
        self._lock = threading.Lock()

    # The house: whoever runs the program, and may make games

    def new_house_key(self) -> str:
        """For the link that the terminal shows; the one before stops working, browsers inside stay."""
        key = token_urlsafe(16)
        self._replace(_HOUSE_KEY, key)
        return key

    def enter_house(self, key: str, session: str, address: str) -> None:
        self._tries.check(address)
        if not self._is_known(_HOUSE_KEY, key):
            self._tries.wrong(address)
            raise NotAllowed(sentence("This is not the host's link; use the one that the computer shows."))
        with self._store.writing() as write:
            write.execute("INSERT OR IGNORE INTO secrets VALUES (?, ?)", (_HOUSE, _hash(session)))

    def is_house(self, session: str | None) -> bool:
        return session is not None and self._is_known(_HOUSE, session)

    # Joining a game

    def join_token(self, game: str) -> str:
        """The code in a game's QR code; made anew after a restart, as only its hash is kept."""
        with self._lock:
            code = self._codes.get(game)
        return code or self.new_join_token(game)

    def new_join_token(self, game: str) -> str:
        """The code before stops working; those who are in stay in."""
        self._store.game(game)
        code = token_urlsafe(16)
        with self._lock:
            self._replace(_JOIN + game, code)
            self._codes[game] = code
        return code

    def join(self, token: str, session: str, address: str) -> Seat:
        """Opens a game to a browser, as a watcher; one that has joined before keeps its seat."""
        wrong = NotAllowed(sentence("This code does not open a game; ask the host for the code of now."))
        game = self._opened(_JOIN, token, address, wrong)
        return self.seat(game, session) or self._new_seat(game, session, is_host=False)

    # Showing the score to whoever has the link

    def share_word(self, game: str) -> str:
        """The word in the link to a game's score sheet. A restart makes another; as only hashes are kept,
        those given out before go on leading there."""
        self._store.game(game)
        with self._lock:
            word = self._shares.get(game)
            if word is None:
                word = self._shares[game] = token_urlsafe(16)
                self._add(_SHARE + game, word)
            return word

    def end_sharing(self, game: str) -> None:
        """No link given out so far shows the score any more."""
        with self._lock, self._store.writing() as write:
            write.execute("DELETE FROM secrets WHERE purpose = ?", (_SHARE + game,))
            self._shares.pop(game, None)

    def shared_game(self, word: str, address: str) -> str:
        """The game whose score a link shows; it opens nothing else."""
        wrong = NotAllowed(sentence("This link shows no score any more; ask who sent it for another."))
        return self._opened(_SHARE, word, address, wrong)

    def make_host(self, game: str, session: str) -> Seat:
        """Who makes a game is its host."""
        seat = self.seat(game, session)
        if seat is None:
            return self._new_seat(game, session, is_host=True)
        with self._store.writing() as write:
            write.execute("UPDATE seats SET is_host = 1 WHERE id = ?", (seat.id,))
        return self._by_id(game, seat.id)

    def seat(self, game: str, session: str | None) -> Seat | None:
        """The seat of a browser in a game. The house is host of every game from its first look on."""
        if session is None:
            return None
        rows = self._store.reading(_SEATS + " WHERE game = ? AND session = ?", (game, _hash(session)))
        in_house = self.is_house(session)
        if rows:
            return _seat(rows[0], in_house)
        return self._new_seat(game, session, is_host=True) if in_house else None

    def sit(self, game: str, session: str, colour: str | None, name: str) -> Seat:
        """Takes a colour, or watches; one browser a colour, so that nobody plays for another by mistake."""
        seat = self.seat(game, session)
        if seat is None:
            raise NotAllowed(sentence("Join the game first, with the code that the host shows."))
        name = tidy(name)[:LONGEST_NAME]
        with self._store.writing() as write:
            same = "SELECT 1 FROM seats WHERE game = ? AND colour = ? AND id != ?"
            if colour is not None and write.execute(same, (game, colour, seat.id)).fetchone():
                raise Stale(sentence("Somebody else has taken this seat in the meantime; choose another."))
            write.execute("UPDATE seats SET colour = ?, name = ? WHERE id = ?", (colour, name, seat.id))
        return replace(seat, colour=colour, name=name)

    def of(self, game: str) -> tuple[Seat, ...]:
        """Everybody who has joined, in the order in which they came."""
        rows = self._store.reading(_SEATS + " WHERE game = ? ORDER BY rowid", (game,))
        return tuple(_seat(row) for row in rows)

    def allow(
        self,
        game: str,
        seat: str,
        *,
        is_in: bool | None = None,
        may_photograph: bool | None = None,
        may_confirm: bool | None = None,
    ) -> Seat:
        """The host decides; whoever calls this has checked that it is the host.

        Whoever is let in may photograph and confirm, unless the host says otherwise.
        """
        known = self._by_id(game, seat)
        entered = bool(is_in) and not known.is_in
        is_in = known.is_in if is_in is None else is_in
        photograph = (known.may_photograph or entered) if may_photograph is None else may_photograph
        confirm = (known.may_confirm or entered) if may_confirm is None else may_confirm
        with self._store.writing() as write:
            rights = "UPDATE seats SET is_in = ?, may_photograph = ?, may_confirm = ? WHERE id = ?"
            write.execute(rights, (is_in, is_in and photograph, is_in and confirm, seat))
        return self._by_id(game, seat)

    def remove(self, game: str, seat: str) -> None:
        """Shows somebody out; the code still lets them watch again until it is renewed."""
        known = self._by_id(game, seat)
        with self._store.writing() as write:
            write.execute("DELETE FROM seats WHERE id = ?", (known.id,))

    def _by_id(self, game: str, seat: str) -> Seat:
        for known in self.of(game):
            if known.id == seat:
                return known
        raise NotFound(sentence("This seat is empty now."))

    def _new_seat(self, game: str, session: str, is_host: bool) -> Seat:
        self._store.game(game)
        seat = Seat(token_hex(8), game, "", None, is_host, is_host, is_host, is_host)
        with self._store.writing() as write:
            if known := write.execute(
                _SEATS + " WHERE game = ? AND session = ?", (game, _hash(session))
            ).fetchone():
                return _seat(known)  # another request of the same browser was faster
            taken = write.execute("SELECT count(*) FROM seats WHERE game = ?", (game,)).fetchone()[0]
            if taken >= MOST_SEATS:
                full = sentence("This game has %(most)s people already; ask the host to make room.")
                raise BadInput(full, most=MOST_SEATS)
            row = (seat.id, game, _hash(session), "", None, is_host, is_host, is_host, is_host)
            write.execute("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return seat

    def _opened(self, purpose: str, secret: str, address: str, wrong: NotAllowed) -> str:
        """The game that a secret of this purpose belongs to; every wrong try counts."""
        self._tries.check(address)
        belongs = "SELECT purpose FROM secrets WHERE hash = ? AND purpose LIKE ?"
        rows = self._store.reading(belongs, (_hash(secret), purpose + "%"))
        if not rows:
            self._tries.wrong(address)
            raise wrong
        return str(rows[0][0]).removeprefix(purpose)

    def _replace(self, purpose: str, secret: str) -> None:
        with self._store.writing() as write:
            write.execute("DELETE FROM secrets WHERE purpose = ?", (purpose,))
            write.execute("INSERT INTO secrets VALUES (?, ?)", (purpose, _hash(secret)))

    def _add(self, purpose: str, secret: str) -> None:
        with self._store.writing() as write:
            write.execute("INSERT INTO secrets VALUES (?, ?)", (purpose, _hash(secret)))

    def _is_known(self, purpose: str, secret: str) -> bool:
        rows = self._store.reading("SELECT hash FROM secrets WHERE purpose = ?", (purpose,))
        hashed = _hash(secret)
        return any(hmac.compare_digest(hashed, row[0]) for row in rows)


class _Tries:
    """Wrong codes by address within the last minute."""

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        with self._lock:
            tries = self._wrong.get(address, deque())
            while tries and tries[0] < time.monotonic() - WITHIN:
                tries.popleft()
            if len(tries) >= WRONG_TRIES:
                raise TooManyTries(sentence("Too many wrong codes; wait a minute and try again."))

    def wrong(self, address: str) -> None:
        with self._lock:
            if len(self._wrong) >= MOST_ADDRESSES:
                self._wrong.clear()
            self._wrong.setdefault(address, deque()).append(time.monotonic())


def _hash(secret: str) -> str:
    """A plain hash is enough: these are random words of 128 bits and more, not passwords."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _seat(row: tuple[str, str, str, str | None, int, int, int, int], in_house: bool = False) -> Seat:
    id, game, name, colour, is_host, is_in, may_photograph, may_confirm = row
    host = bool(is_host) or in_house
    return Seat(
        id,
        game,
        name,
        colour,
        host,
        host or bool(is_in),
        host or bool(may_photograph),
        host or bool(may_confirm),
    )


_SEATS = "SELECT id, game, name, colour, is_host, is_in, may_photograph, may_confirm FROM seats"
