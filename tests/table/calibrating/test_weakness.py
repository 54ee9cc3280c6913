"""What is weak is told in the words of the game, with the tiles that it is about."""

from __future__ import annotations

import pytest

from companion.table.castelli.calibrating.weakness import weaknesses


@pytest.mark.parametrize(
    ("english", "says", "tiles"),
    [
        ("T08 and T30 look alike.", "The tiles T08 and T30 look alike.", ("T08", "T30")),
        ("The photo of T01, S2 is coarse: take one from nearer.", "T01, S2 is coarse", ("T01", "S2")),
        ("No photo shows T03: they will be read as unknown.", "No photo shows T03: they will", ("T03",)),
        ("No photo shows castle/red: it cannot be told from the others.", "a castle of the colour red", ()),
        ("castle/red and castle/blue have close colours.", "The castles red and blue have close", ()),
        ("Only 40% of P1 was ever seen bare: add a photo of the empty board.", "Only 40 % of P1", ()),
        (
            "tiles.jpg is blurred at the middle: take it again with a steady hand.",
            "blurred in the middle",
            (),
        ),
        ("Something that a newer program says.", "Something that a newer program says.", ()),
    ],
)
def test_each_sentence_of_the_vision_room_has_its_own(
    english: str, says: str, tiles: tuple[str, ...]
) -> None:
    (weak,) = weaknesses([english])
    assert says in str(weak.told)
    assert weak.tiles == tiles
    assert weak.is_of_tiles == ("alike" in english or "coarse" in english)
