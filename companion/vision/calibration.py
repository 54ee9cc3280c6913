"""All that is learnt of one owner's set: what is needed to read a photo of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.vision.landmarks import Landmarks, prepared
from companion.vision.looks import Looks
from companion.vision.model import Design
from companion.vision.prints import Print


@dataclass(frozen=True)
class Calibration:
    design: Design
    prints: Mapping[str, Print]
    """By sheet."""
    looks: Looks
    weak: tuple[str, ...] = ()
    """What the owner should know of it, a sentence each."""

    @cached_property
    def landmarks(self) -> Landmarks:
        """Made from the prints once, and as quickly as they could be read from disk."""
        return prepared(self.design, self.prints)
