"""Markers on a scale: all paint belongs to a marker, and every marker stands somewhere."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.markers import MarkerLooks, below, nearest, paint_said, places


def put(drawing: str) -> dict[str, tuple[int | None, float, bool]]:
    """Places for a drawn scale: a line a marker, its paint on each space in tenths of the usual amount."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    totals = np.array([[float(tenths) / 10 for tenths in row[1:]] for row in rows])
    return places([row[0] for row in rows], totals, totals.sum(axis=0))


def test_each_stands_where_its_paint_is() -> None:
    found = put("""
        red   0 9 0 0 0 0
        blue  0 0 0 0 8 0
    """)
    assert {marker: (space, doubtful) for marker, (space, _, doubtful) in found.items()} == {
        "red": (1, False),
        "blue": (4, False),
    }


def test_two_share_a_space() -> None:
    found = put("""
        red   0 0 9 0
        blue  0 0 8 0
    """)
    assert [space for space, _, _ in found.values()] == [2, 2]


def test_a_pale_marker_goes_where_paint_is_left_over() -> None:
    """White on white hardly shows; the other blob is red's, though it looks a little white as well."""
    found = put("""
        red    0 9 0 0
        white  0 2 0 3
    """)
    assert found["white"][0] == 3


def test_paint_in_two_places_is_in_doubt() -> None:
    space, sure, doubtful = put("red 0 5 0 5")["red"]
    assert space in (1, 3)
    assert doubtful
    assert sure <= 0.5


def test_no_paint_no_place() -> None:
    assert put("red 0 0 0") == {}


def test_a_tall_marker_appears_beyond_its_space() -> None:
    eye = np.array([0.0, 0.0, 500.0])
    appears = np.array([[102.0, 0.0]])
    assert below(appears, eye, 10.0)[0] == pytest.approx([99.96, 0.0])


def test_the_nearest_space_of_all_scales() -> None:
    wood, grain = np.array([[0.0, 0.0], [0.0, 20.0]]), np.array([[0.0, 60.0], [0.0, 80.0]])
    scale, space, away = nearest(np.array([[5.0, 22.0], [0.0, 57.0]]), [wood, grain])
    assert scale.tolist() == [0, 1]
    assert space.tolist() == [1, 0]
    assert away[1] == pytest.approx(3.0)


def test_bare_print_says_nothing_and_a_sure_piece_all() -> None:
    densities = np.zeros((3, 2), dtype=np.float32)
    piece = np.array([-4.0, 0.0, 9.0], dtype=np.float32)
    said = paint_said(densities, piece)
    assert said.sum(axis=1).tolist() == [0.0, 0.5, 1.0]
    assert (said[:, 0] == said[:, 1]).all()


def test_looks_of_markers_are_kept_as_they_are() -> None:
    looks = MarkerLooks({"wood": 4.0}, {"wood": 80.0}, {"red": "a red piece"})
    assert MarkerLooks.from_store(looks.to_store()) == looks
