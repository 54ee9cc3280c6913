"""What lies on the meadows of a photo: nothing, tiles face up, or tiles face down.

No tile of the set has to be known. Another lamp changes a meadow all over alike, a tile changes each of its
parts in its own way; faces differ from each other and have four colours, backs are of one kind (p. 2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.scoring.castelli.components import Cell
from companion.table.castelli.calibrating.draft import EMPTY, TILES, Draft, Shot
from companion.table.castelli.calibrating.kitfiles import space_at
from companion.table.castelli.calibrating.looking import Looking
from companion.vision.borders import two_classes
from companion.vision.plane import Image
from companion.vision.quarters import quarter_colours
from companion.vision.resemble import alike, changed_unevenly, in_lab, look_of, pattern_alike

INSIDE = 0.45
"""What is looked at around a meadow's middle, in sides of a tile: its rim may be a neighbour's shadow."""
UNEVEN, LIKENESS = 0.02, 0.1
"""Bare meadows have changed less since the board was empty than the first, less the second for being wholly
like it (-0.01 at most in twenty sets); those with plain backs on them more (0.04 at least)."""
COVERED = 0.1
"""A single meadow differs more where a tile lies (0.14 at least); shadows of castles reach that sometimes."""
BACKS_ALIKE, SURELY_BACKS, FACES_ALIKE = 0.73, 0.9, 0.45
"""Patterns of tiles beside each other are more alike than the first where they lie face down, and less than
the last where they lie face up; faces of one plan and backs that are turned lie between."""
FOUR_COLOURS = 6.0
"""Lab units by which any two quarters of a face differ (7 at least); two of most backs do by 4 at most."""
SEEN_BEFORE = 0.5
"""Tiles that another photo shows look more like there than this (0.63 and more), those that it does not less
(0.33 at most)."""
PLAIN = 10.0
"""Grey values by which a face varies at least; a back may be all of one colour."""


class Meadows:
    """The meadows of one photo on which the board was found."""

    def __init__(self, looking: Looking, draft: Draft, shot: Shot) -> None:
        self._looking, self._draft = looking, draft
        self._images = self._cut(shot)
        self._empty = [self._as_empty(shot, cell) for cell in draft.meadows()]
        self._looks = [look_of(image) for image in self._images]

    def are_bare(self) -> bool:
        """Whether they look as on the photo of the empty board."""
        bare = [look_of(image) for image in self._empty]
        likeness = np.median([pattern_alike(a, b) for a, b in zip(self._looks, bare, strict=True)])
        return bool(np.median(self._unevenness()) - LIKENESS * likeness < UNEVEN)

    def covered(self) -> set[Cell]:
        """Those on which a tile seems to lie, of meadows that are bare for the most part."""
        uneven = self._unevenness()
        level = max(COVERED, two_classes(uneven))
        return {cell for cell, off in zip(self._draft.meadows(), uneven, strict=True) if off > level}

    def show_faces(self) -> bool | None:
        """Whether tiles lie face up on them; None where that cannot be told."""
        if seen := self._faces_seen():
            return True
        plain = float(np.median([in_lab(image)[..., 0].std() for image in self._images])) < PLAIN
        among, has_four = self._among(), self._differ_in_quarters() > FOUR_COLOURS
        if plain or among > SURELY_BACKS or (among > BACKS_ALIKE and not has_four):
            return False
        has_faces = among < FACES_ALIKE or (has_four and among < BACKS_ALIKE)
        return True if has_faces and seen is None else None

    def seem_taken(self) -> bool:
        """Whether tiles seem to lie where no empty board is known yet: printed meadows differ from each other
        (0.25 alike at most), or, if an artist drew but one, have few colours."""
        return self._among() > BACKS_ALIKE or self._differ_in_quarters() > FOUR_COLOURS

    def _cut(self, shot: Shot) -> list[Image]:
        return [self._around(shot, cell) for cell in self._draft.meadows()]

    def _around(self, shot: Shot, cell: Cell) -> Image:
        rect = self._draft.around(cell, INSIDE * self._draft.grid.tile)
        return self._looking.part(self._draft, shot, rect)

    def _as_empty(self, shot: Shot, cell: Cell) -> Image:
        """The same meadow on the photo of the empty board, where its piece may have lain otherwise."""
        key, turned = space_at(self._draft, shot, cell)
        bare = self._around(self._draft.shots[EMPTY], self._draft.cell_of(key) or cell)
        return np.ascontiguousarray(np.rot90(bare, 2)) if turned == 180 else bare

    def _unevenness(self) -> NDArray[np.float64]:
        """By meadow: how differently its parts have changed since the board was empty."""
        pairs = zip(self._images, self._empty, strict=True)
        return np.array([changed_unevenly(now, was) for now, was in pairs])

    def _among(self) -> float:
        """How alike the patterns of meadows are that follow each other."""
        pairs = zip(self._looks, self._looks[1:] + self._looks[:1], strict=True)
        return float(np.median([pattern_alike(a, b) for a, b in pairs]))

    def _differ_in_quarters(self) -> float:
        """How far the two quarters of a meadow that are most alike are from each other."""
        colours = np.array([quarter_colours(in_lab(image)) for image in self._images])
        off = np.linalg.norm(colours[:, :, None] - colours[:, None], axis=3)[:, *np.triu_indices(4, 1)]
        return float(np.median(off.min(axis=1)))

    def _faces_seen(self) -> bool | None:
        """Whether they are those of the first photo of all tiles; None where there is none yet."""
        shot = self._draft.shot(TILES)
        if shot is None:
            return None
        faces = self._cut(shot)
        known = [look_of(np.ascontiguousarray(np.rot90(face, k))) for face in faces for k in range(4)]
        nearest = [max(alike(one, other) for other in known) for one in self._looks]
        return float(np.median(nearest)) > SEEN_BEFORE
