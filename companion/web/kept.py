"""Pieces of pages that many ask for at once are made once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from markupsafe import Markup

MOST = 24
"""Drawings: four languages from four sides are sixteen; each has some ninety kilobytes."""


class Kept:
    """The last pieces that were asked for, by a key that says all that they depend on."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._pieces: OrderedDict[Hashable, Markup] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Markup]) -> Markup:
        """Made while others wait: after a change sixty ask for the same piece in the same moment."""
        with self._lock:
            piece = self._pieces.pop(key, None)
            if piece is None:
                piece = make()
            self._pieces[key] = piece
            while len(self._pieces) > self._most:
                self._pieces.popitem(last=False)
            return piece
