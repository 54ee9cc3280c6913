"""The players' colours on paper: the stylesheet that gives each tincture its paint, by day and by night."""

from __future__ import annotations

from companion.table.castelli.sitting import Sitting
from companion.web.castelli.tinctures import Palette, palette
from companion.web.castelli.words import colour_name
from companion.web.rooms import rooms


def palette_of(sitting: Sitting) -> Palette:
    """All colours of the set, also those that nobody plays: neutral arms lie on the board too."""
    colours = sitting.game_set.colours
    seen = rooms().table.colours(sitting.game)
    return palette(colours, seen, {colour: colour_name(colour) for colour in colours})


def stylesheet(of: Palette) -> str:
    """`.tincture-0 { --paint: ... }` and so on."""
    return "\n".join(
        f".tincture-{tincture.number} {{ --paint: {tincture.fill}; --paint-ink: {tincture.ink}; "
        f"--paint-hatch: {tincture.line}; --paint-line: {tincture.line}; "
        f"--paint-text: {tincture.on_paper}; }}"
        for tincture in of
    )
