"""A photo may be deleted at any time: every page goes on with those that are left, or with none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.table.castelli.rulebook import DOWN, FaceUp
from tests.table.tabletop import jpeg_of, photo_of, read_comment
from tests.web.asking import Browser
from tests.web.castelli.test_pages import pages_of
from tests.web.house import House, open_house


def confirmed(house: House, game: str, tile: str) -> str:
    """A photo of one more tile, taken over; the photo's name."""
    position = house.table.sitting(game).position
    slot = next(cell for cell in position.board.slots if position.slot(cell) == DOWN)
    photo = photo_of(replace(position, tiles={**position.tiles, slot: FaceUp(tile, 0)}))
    taken = house.table.take_photo(game, jpeg_of(photo), "Rosa", f"photo of {tile}")
    assert taken.open is not None
    number = house.table.sitting(game).number
    house.table.confirm(game, taken.open.id, "Rosa", f"confirm {tile}", number)
    return taken.photo


def test_pages_go_on_with_the_photos_that_are_left(folder: Path) -> None:
    with open_house(folder, scan=read_comment) as house:
        game = house.new_game(arrangement_seen=True).game
        host = Browser(house.address)
        host.get(house.host_link.removeprefix(house.address))
        first, last = confirmed(house, game, "T10"), confirmed(house, game, "T11")
        for deleted, shown in ((last, first), (first, None)):
            assert host.post(f"/g/{game}/photos/{deleted}/delete").status == 303
            for path in (*pages_of(house, game), "", "history", "settings"):
                assert host.get(f"/g/{game}/{path}").status == 200, path
            page = host.get(f"/g/{game}/photo").text
            assert f"/photos/{shown}.jpg" in page if shown else "No photo yet" in page
