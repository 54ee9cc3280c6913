"""Faces that exist once: what one slot surely shows, another one does not."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.faces_once import settled

ONCE = ("a", "b", "c")


def chances(*slots: dict[str, float]) -> list[dict[str, float]]:
    found = settled([list(slot) for slot in slots], [np.array(list(slot.values())) for slot in slots], ONCE)
    return [dict(zip(slot, each.tolist(), strict=True)) for slot, each in zip(slots, found, strict=True)]


def test_a_sure_slot_settles_a_close_call_elsewhere() -> None:
    _, close = chances({"a": 1.0, "b": 1e-9}, {"b": 1.0, "a": 0.7})
    assert close["b"] > 0.995 and close["a"] < 0.01


def test_who_is_overruled_is_read_right_but_asked() -> None:
    _, overruled = chances({"a": 1.0, "b": 1e-9}, {"a": 1.0, "b": 0.4})
    assert 0.9 < overruled["b"] < 0.985 and overruled["a"] < 0.01


def test_a_chain_of_slots_is_followed_to_its_end() -> None:
    *_, last = chances({"a": 1.0}, {"a": 1.0, "b": 0.5}, {"b": 1.0, "c": 0.5})
    assert last["c"] > 0.95


def test_names_that_may_lie_often_do_not_hinder_each_other() -> None:
    one, other = chances({"back": 1.0, "a": 1e-6}, {"back": 1.0, "b": 1e-6})
    assert one["back"] > 0.999 and other["back"] > 0.999


def test_two_slots_that_surely_show_the_same_face_are_both_in_doubt() -> None:
    one, other = chances({"a": 1.0, "b": 1e-9}, {"a": 1.0, "c": 1e-9})
    assert 0.3 < one["a"] < 0.7 and 0.3 < other["a"] < 0.7
    assert one["b"] < 0.01 and other["c"] < 0.01


def test_two_turns_of_one_face_in_one_slot_do_not_hinder_each_other() -> None:
    (found,) = settled([["a", "a"]], [np.array([1.0, 0.25])], ONCE)
    assert found == pytest.approx([0.8, 0.2], abs=0.001)


def test_two_slots_that_could_be_the_other_way_round_are_not_sure() -> None:
    one, other = chances({"a": 1.0, "b": 0.6}, {"b": 1.0, "a": 0.6})
    assert one["a"] == pytest.approx(1 / 1.36, abs=0.01) and other["b"] == pytest.approx(1 / 1.36, abs=0.01)


def test_a_whole_board_of_slots_that_could_be_anything_is_still_settled() -> None:
    names = [f"face {k}" for k in range(40)]
    slots = [[names[(slot + k) % 40] for k in range(6)] for slot in range(32)]
    found = settled(slots, [np.array([1.0, 0.9, 0.8, 0.7, 0.6, 0.5])] * 32, names)
    assert all(0.99 < each.sum() <= 1.0 or each.argmax() for each in found)
