"""Products of matrices that stay in the thread that asks for them.

BLAS shares a large product among threads of its own, which go on spinning for a while in case another one
comes: on two cores that takes one from whatever is read at the same time. And sums that are shared otherwise
are rounded otherwise: this way the answer does not hang on the number of threads.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", np.float32, np.float64)

# So many multiplications OpenBLAS does in one thread.
ALONE = 1 << 18


def product(left: NDArray[Number], right: NDArray[Number]) -> NDArray[Number]:
    """left @ right, strip by strip of its rows. Right has few enough numbers."""
    rows, inner = left.shape
    strip = max(1, ALONE // max(1, right.size))
    if rows <= strip:
        return np.asarray(np.matmul(left, right))
    whole = rows - rows % strip
    out = np.empty((rows, right.shape[1]), left.dtype)
    strips = np.ascontiguousarray(left[:whole]).reshape(-1, strip, inner)
    np.matmul(strips, right, out=out[:whole].reshape(-1, strip, right.shape[1]))
    np.matmul(left[whole:], right, out=out[whole:])
    return out


def over_rows(left: NDArray[Number], right: NDArray[Number]) -> NDArray[Number]:
    """left.T @ right, strip by strip of the rows of both."""
    strip = max(1, ALONE // max(1, left.shape[1] * right.shape[1]))
    total = np.zeros((left.shape[1], right.shape[1]), left.dtype)
    for at in range(0, len(left), strip):
        total += np.matmul(left[at : at + strip].T, right[at : at + strip])
    return total
