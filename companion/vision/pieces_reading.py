"""Which pieces stand where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.vision.model import Reading, SheetPose
from companion.vision.pieces import PieceLooks
from companion.vision.pieces_alike import told_together
from companion.vision.pieces_confidence import Around, piece_reading
from companion.vision.pieces_evidence import weigh
from companion.vision.pieces_ground import Ground
from companion.vision.pieces_settling import settle
from companion.vision.pieces_sites import Sites
from companion.vision.wood_light import WoodLight


def read_pieces(
    ground: Ground, poses: Sequence[SheetPose], sites: Sites, looks: PieceLooks, light: WoodLight
) -> tuple[tuple[Reading, ...], NDArray[np.bool_]]:
    """What stands in each slot, and where the ground is seen: not where a piece stands before it."""
    evidence = weigh(ground, looks, light)
    settled = settle(sites, evidence)
    settled = told_together(settled, sites, looks)
    free = evidence.free()
    around = Around.of(ground, free, poses, settled)
    readings = (piece_reading(sites, i, ranked, looks, around) for i, ranked in enumerate(settled))
    return tuple(readings), free
