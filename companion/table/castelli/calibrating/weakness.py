"""What the vision room found weak in a calibration, as sentences in the words of the game that translate.

A calibration keeps these as sentences in English (weak.json), so that one from a friend tells them too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.table.castelli.design import CASTLE
from companion.table.errors import Told, sentence

ALIKE = sentence("The tiles %(one)s and %(other)s look alike.")
COARSE = sentence("The photo of %(tiles)s is coarse: take one from nearer.")
FORMS = (
    (r"(?P<one>[TS]\d+) and (?P<other>[TS]\d+) look alike\.", ALIKE),
    (r"The photo of (?P<tiles>.+) is coarse: take one from nearer\.", COARSE),
    (
        r"No photo shows (?P<tiles>[TS]\d.*): they will be read as unknown\.",
        sentence("No photo shows %(tiles)s: they will be read as unknown."),
    ),
    (
        rf"No photo shows {CASTLE}(?P<colour>[^,]+): it .+\.",
        sentence("No photo shows a castle of the colour %(colour)s: photograph one on a castle site."),
    ),
    (
        rf"{CASTLE}(?P<colour>.+) and {CASTLE}(?P<other_colour>.+) have close colours\.",
        sentence("The castles %(colour)s and %(other_colour)s have close colours."),
    ),
    (
        r"Only (?P<share>\d+)% of (?P<piece>.+) was ever seen bare: .+\.",
        sentence("Only %(share)s %% of %(piece)s was ever seen bare: photograph the empty board once more."),
    ),
    (
        r"(?P<photo>.+)\.jpg is blurred at the left edge: .+\.",
        sentence("The photo “%(photo)s” is blurred at its left: take it again with a steady hand."),
    ),
    (
        r"(?P<photo>.+)\.jpg is blurred at the middle: .+\.",
        sentence("The photo “%(photo)s” is blurred in the middle: take it again with a steady hand."),
    ),
    (
        r"(?P<photo>.+)\.jpg is blurred at the right edge: .+\.",
        sentence("The photo “%(photo)s” is blurred at its right: take it again with a steady hand."),
    ),
)
NAMES = re.compile(r"\b[TS]\d+\b")


@dataclass(frozen=True, slots=True)
class Weakness:
    told: Told
    tiles: tuple[str, ...]
    """Those that it is about."""

    @property
    def is_of_tiles(self) -> bool:
        """Whether a better photo of the tiles would help."""
        return self.told.template in (ALIKE, COARSE)


def weaknesses(found: Iterable[str]) -> Iterator[Weakness]:
    for english in found:
        matched = ((re.fullmatch(form, english), template) for form, template in FORMS)
        told = next((Told(template, match.groupdict()) for match, template in matched if match), None)
        yield Weakness(told or Told("%(what)s", {"what": english}), tuple(NAMES.findall(english)))
