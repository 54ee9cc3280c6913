"""Tells what stands on a print from the print itself, spot by spot.

Shadows, gloss, a lamp's colour, a sheet that lies off by half a pixel: all of them change how a print looks,
and none of them is a piece. What is one shows in the surroundings of a spot, not in its colour alone. A small
network was taught that on sets of all kinds of art that `tools/kitmaker` drew (`tools/teach_covered.py`). It
sees a photo laid flat beside the bare print of this owner's set, so that it knows no set and no game.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

NETWORK = Path(__file__).with_name("covered.onnx")
# What is told apart: the print and flat things on it; a piece; anything else, such as a hand.
PRINT, PIECE, OTHER = range(3)
# The network halves its picture three times, and tells of 4 x 4 spots at once.
STRIDE, BLOCK = 8, 4


@dataclass(frozen=True, eq=False)
class Covered:
    piece: Floats
    """Rows x columns: logarithm of the odds that a piece is seen there, against all else."""
    other: NDArray[np.bool_]
    """Where something is seen that is neither print nor piece."""


def covered(planes: Floats) -> Covered:
    """`planes`: 10 x rows x columns. Logarithms of blue, green, red as seen, and as the print would look
    under this light (0 where it is not known); 1 where the print is known; 1 where flat things may lie;
    and by how much, across and down, a spot appears farther off for each unit that it lies above the board.
    """
    _, rows, columns = planes.shape
    padded = np.zeros((1, len(planes), rows + -rows % STRIDE, columns + -columns % STRIDE), np.float32)
    padded[0, :, :rows, :columns] = planes
    net, lock = _network()
    with lock:  # a network has but one picture at a time
        net.setInput(padded)
        told = np.asarray(net.forward(), np.float32)[0]
    _, down, across = told.shape
    said = told.reshape(BLOCK, BLOCK, 3, down, across)
    # of print and other things, the less likely hardly counts
    piece = said[:, :, PIECE] - np.maximum(said[:, :, PRINT], said[:, :, OTHER])
    other = said[:, :, OTHER] > np.maximum(said[:, :, PRINT], said[:, :, PIECE])
    return Covered(_spots(piece, rows, columns), _spots(other, rows, columns))


def _spots(said: NDArray[Any], rows: int, columns: int) -> NDArray[Any]:
    """From blocks of spots to a picture."""
    _, _, down, across = said.shape
    spots = said.transpose(2, 0, 3, 1).reshape(down * BLOCK, across * BLOCK)
    return np.ascontiguousarray(spots[:rows, :columns])


@cache
def _network() -> tuple[cv2.dnn.Net, Lock]:
    return cv2.dnn.readNetFromONNX(np.frombuffer(NETWORK.read_bytes(), np.uint8)), Lock()
