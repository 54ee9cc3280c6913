"""What pieces, faces and markers are learnt from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.model import Labelled, SheetPose


@dataclass(frozen=True)
class LabelledView:
    """A photo of which the owner said what it shows, with the sheets found in it."""

    image: NDArray[np.uint8]
    """Upright, at working size."""
    poses: tuple[SheetPose, ...]
    labelled: Labelled
    scale: float
    """Working pixels per pixel of the full photo."""
