"""The players' colours on paper: the stylesheet that gives each tincture its paint, by day and by night."""

from __future__ import annotations

from companion.table.castelli.sitting import Sitting
from companion.web.castelli.tinctures import Palette, palette
from companion.web.castelli.words import colour_name
