"""Products in strips are the products."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.products import ALONE, over_rows, product


@pytest.mark.parametrize("rows", [1, 16, 17, 1000])
def test_a_product_in_strips_is_the_product(rows: int) -> None:
    rng = np.random.default_rng(1)
    left, right = rng.normal(size=(rows, 120)), rng.normal(size=(120, ALONE // (120 * 16)))
    assert np.allclose(product(left, right), left @ right)


def test_a_product_of_nothing_is_empty() -> None:
    assert product(np.zeros((0, 3)), np.zeros((3, 2))).shape == (0, 2)


def test_sums_over_rows_in_strips_are_the_sums() -> None:
    rng = np.random.default_rng(2)
    left, right = rng.normal(size=(3000, 40)), rng.normal(size=(3000, 9))
    assert np.allclose(over_rows(left, right), left.T @ right)
