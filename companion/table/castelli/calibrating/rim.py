"""Proposes what the frame shows beside the tiles, from those of its pictures that were named."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.table.castelli.calibrating.draft import Draft, Gift, Rect, Shot
from companion.table.castelli.calibrating.kitfiles import is_meadow, rim_sides
from companion.table.castelli.calibrating.looking import Looking
from companion.vision.resemble import Look, alike, look_of, mark_in

NEAR = 0.3
"""The picture of a gift starts this far from a meadow's middle, and is twice as wide, in pitches."""
FAR = 0.72
"""It ends here: where the frame begins, as octagons that touch leave that much room."""
SHOWN = 1.0
"""What is shown of the rim reaches this far, over the frame as well."""


@dataclass(frozen=True, slots=True)
class RimView:
    key: str
    rect: Rect
    turned: int
    value: Gift | None
    proposal: Gift | None
    sure: float
    is_gift: bool


class Rim:
    def __init__(self, looking: Looking, draft: Draft, empty: Shot) -> None:
        self.looks: dict[str, tuple[Look, Look]] = {}
        """As it is, and with its side turned to the top."""
        for key, cell, side in rim_sides(draft):
            if is_meadow(cell):
                image = looking.part(draft, empty, beside(draft, cell, side, FAR))
                turned = np.ascontiguousarray(np.rot90(image, side))
                self.looks[key] = look_of(mark_in(image)), look_of(mark_in(turned))

    def views(self, draft: Draft) -> tuple[RimView, ...]:
        views = []
        for key, cell, side in rim_sides(draft):
            value = draft.frame.get(key)
            proposal, sure = self._proposal(draft, key) if is_meadow(cell) else (None, 1.0)
            rect = beside(draft, cell, side, SHOWN)
            views.append(RimView(key, rect, -side % 4, value, value or proposal, sure, is_meadow(cell)))
        return tuple(views)

    def _proposal(self, draft: Draft, key: str) -> tuple[Gift | None, float]:
        best: dict[Gift, float] = {}
        for other, gift in draft.frame.items():
            if other in self.looks and other != key:
                pairs = zip(self.looks[key], self.looks[other], strict=True)
                share = max(alike(a, b, 0.5) for a, b in pairs)
                best[gift] = max(best.get(gift, 0.0), share)
        if not best:
            return None, 0.0
        ranked = sorted(best, key=lambda gift: -best[gift])
        second = best[ranked[1]] if len(ranked) > 1 else 0.3
        return ranked[0], min(1.0, max(0.0, best[ranked[0]] - second) * 5)


def beside(draft: Draft, cell: str, side: int, far: float) -> Rect:
    """The strip of the board beside a side of a meadow."""
    x, y = draft.middle(cell)
    pitch = draft.grid.pitch
    wide, near, far = NEAR * pitch, NEAR * pitch, far * pitch
    return (
        (x - wide, y - far, x + wide, y - near),
        (x + near, y - wide, x + far, y + wide),
        (x - wide, y + near, x + wide, y + far),
        (x - far, y - wide, x - near, y + wide),
    )[side]
