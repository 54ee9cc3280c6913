"""Who is let in, as what, and what the database knows of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table import seats as seats_module
from companion.table.database import FILE
from companion.table.errors import BadInput, NotAllowed, NotFound, Stale, TooManyTries
from companion.table.seats import WRONG_TRIES, Seats
from companion.table.store import NewEntry, Store

HERE = "192.168.0.7"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def seats(store: Store) -> Seats:
    return Seats(store)


@pytest.fixture
def game(store: Store) -> str:
    return store.new_game("toy", "{}", [NewEntry({"do": []}, "Anna")], "new")


def test_the_code_opens_the_game_for_watching_only(seats: Seats, game: str) -> None:
    seat = seats.join(seats.join_token(game), "a phone", HERE)
    assert (seat.game, seat.colour, seat.is_in, seat.may_photograph, seat.may_confirm, seat.is_host) == (
        game, None, False, False, False, False,
    )  # fmt: skip
    assert seats.seat(game, "a phone") == seat
    assert seats.seat(game, "another phone") is None and seats.seat(game, None) is None


def test_joining_again_keeps_the_seat(seats: Seats, game: str) -> None:
    code = seats.join_token(game)
    seat = seats.join(code, "a phone", HERE)
    seats.sit(game, "a phone", "red", "  Anna \n Maria ")
    again = seats.join(code, "a phone", HERE)
    assert (again.id, again.colour, again.name) == (seat.id, "red", "Anna Maria")
    assert len(seats.of(game)) == 1


def test_the_host_lets_in_and_decides(seats: Seats, game: str) -> None:
    seat = seats.join(seats.join_token(game), "a phone", HERE)
    inside = seats.allow(game, seat.id, is_in=True)
    assert inside.is_in and inside.may_photograph and inside.may_confirm
    assert not seats.allow(game, seat.id, may_confirm=False).may_confirm
    assert seats.seat(game, "a phone") == seats.of(game)[0]
    out = seats.allow(game, seat.id, is_in=False)
    assert not (out.is_in or out.may_photograph or out.may_confirm)
    seats.remove(game, seat.id)
    assert seats.seat(game, "a phone") is None
    with pytest.raises(NotFound):
        seats.allow(game, seat.id, is_in=True)


def test_a_colour_has_one_seat(seats: Seats, game: str) -> None:
    code = seats.join_token(game)
    for phone in ("one", "two"):
        seats.join(code, phone, HERE)
    seats.sit(game, "one", "red", "Anna")
    with pytest.raises(Stale):
        seats.sit(game, "two", "red", "Ben")
    assert seats.sit(game, "two", None, "Ben").colour is None
    seats.sit(game, "one", None, "Anna")
    assert seats.sit(game, "two", "red", "Ben").colour == "red"
    with pytest.raises(NotAllowed):
        seats.sit(game, "three", "blue", "Cleo")


def test_a_new_code_ends_the_old_one_but_nobody_has_to_leave(seats: Seats, game: str) -> None:
    old = seats.join_token(game)
    seats.join(old, "a phone", HERE)
    new = seats.new_join_token(game)
    assert seats.join_token(game) == new != old
    with pytest.raises(NotAllowed):
        seats.join(old, "late phone", HERE)
    assert seats.seat(game, "a phone") is not None
    assert seats.join(new, "late phone", HERE).game == game


def test_the_house_is_host_of_every_game(seats: Seats, game: str) -> None:
    key = seats.new_house_key()
    assert not seats.is_house("laptop")
    seats.enter_house(key, "laptop", HERE)
    assert seats.is_house("laptop")
    seat = seats.seat(game, "laptop")
    assert seat is not None and seat.is_host and seat.may_photograph and seat.may_confirm
    seats.new_house_key()
    with pytest.raises(NotAllowed):
        seats.enter_house(key, "thief", HERE)
    assert seats.is_house("laptop")


def test_who_makes_a_game_is_its_host_and_of_no_other(seats: Seats, store: Store, game: str) -> None:
    other = store.new_game("toy", "{}", [NewEntry({"do": []}, "Anna")], "other")
    assert seats.make_host(game, "a phone").is_host
    assert seats.seat(other, "a phone") is None


@pytest.mark.parametrize("way", ["join", "house"])
def test_guessing_is_stopped_for_that_address_only(
    seats: Seats, game: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def guess(word: str, address: str) -> None:
        if way == "join":
            seats.join(word, "a phone", address)
        else:
            seats.enter_house(word, "a phone", address)

    right = seats.join_token(game) if way == "join" else seats.new_house_key()
    for number in range(WRONG_TRIES):
        with pytest.raises(NotAllowed):
            guess(f"guess {number}", HERE)
    with pytest.raises(TooManyTries):
        guess(right, HERE)
    guess(right, "192.168.0.8")
    monkeypatch.setattr(seats_module, "WITHIN", 0.0)
    guess(right, HERE)


@pytest.mark.parametrize("code", ["", "x", "join ", "%", "\udcff", "a" * 100_000])
def test_codes_that_are_none(seats: Seats, game: str, code: str) -> None:
    seats.join_token(game)
    with pytest.raises(NotAllowed):
        seats.join(code, "a phone", HERE)


def test_the_database_knows_no_secret(tmp_path: Path, seats: Seats, store: Store, game: str) -> None:
    secrets = [seats.join_token(game), seats.new_house_key(), "session of a phone", "session of the house"]
    seats.join(secrets[0], secrets[2], HERE)
    seats.enter_house(secrets[1], secrets[3], HERE)
    store.close()
    content = (tmp_path / FILE).read_bytes()
    assert [secret for secret in secrets if secret.encode() in content] == []


def test_a_game_takes_only_so_many(seats: Seats, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats_module, "MOST_SEATS", 3)
    code = seats.join_token(game)
    for number in range(3):
        seats.join(code, f"phone {number}", HERE)
    with pytest.raises(BadInput, match="3 people already"):
        seats.join(code, "one too many", HERE)


def test_a_link_to_the_score_opens_nothing_else_and_outlives_a_restart(
    seats: Seats, store: Store, game: str
) -> None:
    word = seats.share_word(game)
    assert seats.share_word(game) == word != seats.join_token(game)
    assert seats.shared_game(word, HERE) == game
    with pytest.raises(NotAllowed):
        seats.join(word, "a phone", HERE)
    with pytest.raises(NotAllowed):
        seats.shared_game(seats.join_token(game), HERE)
    later = Seats(store)
    assert later.share_word(game) != word and later.shared_game(word, HERE) == game
    later.end_sharing(game)
    for given_out in (word, seats.share_word(game)):
        with pytest.raises(NotAllowed, match="shows no score any more"):
            later.shared_game(given_out, HERE)
    assert later.shared_game(later.share_word(game), HERE) == game


def test_guessing_links_to_scores_ends_like_guessing_codes(seats: Seats, game: str) -> None:
    for number in range(WRONG_TRIES):
        with pytest.raises(NotAllowed):
            seats.shared_game(f"guess-{number}", HERE)
    with pytest.raises(TooManyTries):
        seats.shared_game(seats.share_word(game), HERE)
