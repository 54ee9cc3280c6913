"""The players' colours on paper: the stylesheet that gives each tincture its paint, by day and by night."""

from __future__ import annotations

from collections.abc import Sequence

from companion.table.castelli.sitting import Sitting
from companion.web.castelli.tinctures import Palette, palette
from companion.web.castelli.words import colour_name
from companion.web.rooms import rooms


def palette_of(sitting: Sitting) -> Palette:
    """All colours of the set, also those that nobody plays: neutral arms lie on the board too."""
    return palette_for(sitting.game_set.colours, sitting.settings.calibration)


def palette_for(colours: Sequence[str], calibration: str) -> Palette:
    """As the calibration has seen them; the shields' initials are those of the reader's language."""
    names = {colour: colour_name(colour) for colour in colours}
    return palette(colours, rooms().table.looks(calibration), names)


def stylesheet(of: Palette) -> str:
    """`.tincture-0 { --paint: ... }` and so on."""
    return "\n".join(
        f".tincture-{tincture.number} {{ --paint: {tincture.fill}; --paint-ink: {tincture.ink}; "
        f"--paint-hatch: {tincture.line}; --paint-line: {tincture.line}; "
        f"--paint-text: {tincture.on_paper}; }}"
        for tincture in of
    )
