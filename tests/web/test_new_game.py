"""A game is set up as the host says, and shown to guests as far as they may act."""

from __future__ import annotations

from tests.web.asking import Browser
from tests.web.house import House


def test_a_new_game_has_the_players_that_were_chosen(house: House, host: Browser) -> None:
    """Lines beyond the chosen number are hidden, and do not count even though they have a colour."""
    sent = {f"colour-{seat}": colour for seat, colour in enumerate(("green", "red", "blue", "yellow"))}
    form = {
        **sent,
        "name-0": "Greta",
        "count": "2",
        "mine": "green",
        "set": "reference",
        "key": "two-players",
    }
    answer = host.post("/new", form)
    assert answer.status == 303
    game = answer.headers["Location"].split("/")[2]
    sitting = house.table.sitting(game)
    assert sitting.settings.colours == ("green", "red")
    assert sitting.history[0].author == "Greta"
    assert "The game was set up." in host.get(f"/g/{game}/history").text


def test_who_has_only_the_sample_set_is_told_how_to_play_with_their_own(host: Browser) -> None:
    page = host.get("/new").text
    assert "Sample set" in page and 'href="/calibrations"' in page
    assert ">reference<" not in page


def test_who_may_only_watch_is_offered_no_form(house: House, game: str, guest: Browser) -> None:
    sitting = house.table.sitting(game)
    site, space = next(iter(sitting.board.sites)), next(iter(sitting.board.spaces))
    for path in ("", "board", f"slot/{sitting.board.slots[0]}", f"site/{site}", f"space/{space}", "supply"):
        page = guest.get(f"/g/{game}/{path}")
        assert page.status == 200
        assert "<form" not in page.text.split("<main")[1].split("</main>")[0], path
