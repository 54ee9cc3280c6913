"""Player colours as heraldry prints them: a fill, a hatching after Petra Sancta, an initial.

The set names its colours freely and the calibration may say how they look; here each gets a look that can
be told from every other without seeing colour at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.web.castelli.colour_names import NAMED

Rgb = tuple[int, int, int]

INK: Rgb = (33, 28, 22)
PAPER: Rgb = (255, 253, 246)


class Hatching(StrEnum):
    """How engravers write a tincture where there is no colour."""

    GULES = "gules"
    """Red: upright lines."""
    AZURE = "azure"
    """Blue: level lines."""
    VERT = "vert"
    """Green: lines falling to the right."""
    OR = "or"
    """Gold: dots."""
    PURPURE = "purpure"
    """Purple: lines falling to the left."""
    SABLE = "sable"
    """Black: upright and level lines."""
    ARGENT = "argent"
    """Silver: plain."""
    TENNE = "tenne"
    """Orange: level lines, and lines falling to the left."""
    SANGUINE = "sanguine"
    """Blood red: lines falling both ways."""


TYPICAL: Mapping[Hatching, tuple[Rgb, ...]] = {
    Hatching.GULES: ((200, 32, 40), (255, 0, 0), (140, 10, 20)),
    Hatching.AZURE: ((30, 86, 176), (0, 0, 255), (0, 0, 110), (90, 170, 230)),
    Hatching.VERT: ((38, 128, 62), (0, 220, 0), (10, 60, 20), (140, 190, 60)),
    Hatching.OR: ((240, 196, 40), (255, 255, 0), (250, 225, 130)),
    Hatching.PURPURE: ((120, 50, 140), (200, 90, 200), (75, 0, 130)),
    Hatching.SABLE: ((34, 32, 34), (85, 85, 85)),
    Hatching.ARGENT: ((240, 240, 236), (180, 180, 180)),
    Hatching.TENNE: ((226, 122, 30), (200, 105, 50)),
    Hatching.SANGUINE: ((120, 72, 40), (226, 120, 160)),
}
"""Shades that people call by each tincture's name; the first is how it is shown where nothing is known."""


@dataclass(frozen=True, slots=True)
class Tincture:
    """The look of one player colour."""

    colour: str
    """As the set names it."""
    number: int
    """Its place in the palette, for the names of patterns and classes."""
    initial: str
    fill: str
    ink: str
    """Readable on the fill: paper or ink."""
    line: str
    """The hatching on the fill."""
    on_paper: str
    """The colour, deep enough to be seen as a line on paper."""
    hatching: Hatching


@dataclass(frozen=True, slots=True)
class Palette:
    tinctures: Mapping[str, Tincture]

    def __getitem__(self, colour: str) -> Tincture:
        return self.tinctures[colour]

    def __iter__(self) -> Iterator[Tincture]:
        return iter(self.tinctures.values())


def palette(
    colours: Sequence[str], seen: Mapping[str, Rgb] | None = None, names: Mapping[str, str] | None = None
) -> Palette:
    """`seen` is what the calibration says of a colour; otherwise the set's word for it has to do.

    `names` are the colours' names in the reader's language, whose initials are shown.
    """
    looks = {colour: _look(colour, seen or {}) for colour in colours}
    hatchings = _hatchings(looks)
    initials = _initials({colour: (names or {}).get(colour, colour) for colour in colours})
    tinctures = {}
    for number, colour in enumerate(colours):
        fill = _readable(looks[colour] or TYPICAL[hatchings[colour]][0])
        ink = PAPER if contrast(PAPER, fill) >= contrast(INK, fill) else INK
        tinctures[colour] = Tincture(
            colour,
            number,
            initials[colour],
            _hex(fill),
            _hex(ink),
            _hex(_line(fill)),
            _hex(_on_paper(fill)),
            hatchings[colour],
        )
    return Palette(tinctures)


def contrast(one: Rgb, other: Rgb) -> float:
    """As WCAG counts it: 1 to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _look(colour: str, seen: Mapping[str, Rgb]) -> Rgb | None:
    if colour in seen:
        return seen[colour]
    return NAMED.get(colour.casefold().replace(" ", "").replace("-", ""))


def _hatchings(looks: Mapping[str, Rgb | None]) -> dict[str, Hatching]:
    """The nearest tincture to each look, nearest pairs first, none twice while there are enough."""
    pairs = sorted(
        (min(colour_distance(look, shade) for shade in TYPICAL[hatching]), colour, hatching)
        for colour, look in looks.items()
        if look is not None
        for hatching in Hatching
    )
    chosen: dict[str, Hatching] = {}
    for _, colour, hatching in pairs:
        if colour not in chosen and hatching not in chosen.values():
            chosen[colour] = hatching
    for colour in looks:
        if colour not in chosen:
            free = [hatching for hatching in Hatching if hatching not in chosen.values()]
            chosen[colour] = (free or list(Hatching))[0]
    return chosen


def _initials(names: Mapping[str, str]) -> dict[str, str]:
    """As few letters as tell the names apart: Black and Blue become Bla and Blu."""
    initials = {}
    for colour, name in names.items():
        others = [other.casefold() for of, other in names.items() if of != colour]
        length = 1
        while length < len(name) and any(other.startswith(name[:length].casefold()) for other in others):
            length += 1
        initials[colour] = name[:length].capitalize()
    return initials


def _readable(fill: Rgb) -> Rgb:
    """The colour, a little darker where neither paper nor ink could be read on it."""
    for step in range(10):
        shade = _mixed(fill, INK, step / 50)
        if max(contrast(PAPER, shade), contrast(INK, shade)) >= 4.5:
            return shade
    return fill


def _line(fill: Rgb) -> Rgb:
    """A darker or lighter shade of the fill that stands out from it as graphics must (3 to 1)."""
    aim = INK if contrast(INK, fill) >= contrast(PAPER, fill) else PAPER
    for step in range(1, 11):
        shade = _mixed(fill, aim, step / 10)
        if contrast(shade, fill) >= 3:
            return shade
    return aim


def _on_paper(fill: Rgb) -> Rgb:
    for step in range(11):
        shade = _mixed(fill, INK, step / 10)
        if contrast(shade, PAPER) >= 3:
            return shade
    return INK


def _mixed(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _hex(rgb: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rgb)


def _linear(channel: int) -> float:
    value = channel / 255
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def _luminance(rgb: Rgb) -> float:
    red, green, blue = map(_linear, rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def colour_distance(one: Rgb, other: Rgb) -> float:
    """As people see it."""
    return math.dist(_lab(one), _lab(other))


def _lab(rgb: Rgb) -> tuple[float, float, float]:
    """CIELAB under daylight, in which distances are about those that people see."""
    red, green, blue = map(_linear, rgb)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
