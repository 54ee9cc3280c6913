"""Every colour a set may have gets a look of its own, readable and told apart without colour."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.web.castelli.tinctures import PAPER, Hatching, Rgb, contrast, palette


def rgb(code: str) -> Rgb:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


@pytest.mark.parametrize(
    ("colour", "hatching"),
    [
        ("red", Hatching.GULES),
        ("blue", Hatching.AZURE),
        ("green", Hatching.VERT),
        ("yellow", Hatching.OR),
        ("Gelb", Hatching.OR),
        ("rosso", Hatching.GULES),
        ("forest green", Hatching.VERT),
        ("navy", Hatching.AZURE),
        ("black", Hatching.SABLE),
        ("white", Hatching.ARGENT),
        ("purple", Hatching.PURPURE),
        ("orange", Hatching.TENNE),
    ],
)
def test_a_named_colour_is_hatched_as_heralds_do(colour: str, hatching: Hatching) -> None:
    assert palette([colour])[colour].hatching is hatching


def test_what_the_calibration_saw_counts_more_than_the_name() -> None:
    looks = palette(["red", "team 2"], {"red": (30, 90, 180), "team 2": (200, 40, 40)})
    assert (looks["red"].hatching, looks["team 2"].hatching) == (Hatching.AZURE, Hatching.GULES)
    assert looks["red"].fill == "#1e5ab4"


colour_names = some.lists(some.text(min_size=1, max_size=12), min_size=2, max_size=8, unique_by=str.casefold)
shades = some.tuples(*[some.integers(0, 255)] * 3)


@given(colour_names, some.lists(shades, min_size=8, max_size=8))
def test_any_colours_can_be_read_and_told_apart(names: list[str], seen: list[Rgb]) -> None:
    looks = list(palette(names, dict(zip(names[::2], seen, strict=False))))
    assert len({look.hatching for look in looks}) == len(names)
    for look in looks:
        assert contrast(rgb(look.fill), rgb(look.ink)) >= 4.5
        assert contrast(rgb(look.on_paper), PAPER) >= 3
        assert look.initial


@pytest.mark.parametrize(
    ("names", "initials"),
    [
        (["Red", "Blue", "Green", "Yellow"], ["R", "B", "G", "Y"]),
        (["Rot", "Blau", "Grün", "Gelb"], ["R", "B", "Gr", "Ge"]),
        (["Rood", "Blauw", "Groen", "Geel"], ["R", "B", "Gr", "Ge"]),
        (["Black", "Blue"], ["Bla", "Blu"]),
    ],
)
def test_initials_are_as_short_as_they_can_be(names: list[str], initials: list[str]) -> None:
    colours = [f"c{number}" for number in range(len(names))]
    looks = palette(colours, names=dict(zip(colours, names, strict=True)))
    assert [look.initial for look in looks] == initials
