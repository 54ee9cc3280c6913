"""The door for files: what is refused, and with which sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.jsondoor import DEEPEST, LARGEST, BadFile, parse, place, read_file, read_text


def problem(content: bytes) -> str:
    """The one problem for which a file is refused."""
    with pytest.raises(BadFile) as caught:
        parse(read_text(content, "x.json"), "x.json")
    (only,) = caught.value.problems
    return str(only)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it is empty"),
        (b" \n\t ", "it is empty"),
        (b"\xff\xd8\xff\xe0 JFIF", "not UTF-8 text (byte 0)"),
        ('{"name": "Käse"}'.encode("latin-1"), "not UTF-8 text (byte 11)"),
        ('{"name": 1}'.encode("utf-16"), "not UTF-8 text"),
        (b'{"tiles": [1, 2', "Is the file cut off?"),
        (b'{"tiles": "ab', "not JSON"),
        (b'{"tiles":\n  nonsense}', "line 2, column 3: this is not JSON"),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "nested more than"),
        (b"[" * 1_000_000, "nested more than"),
        (b'{"a":' * 100_000, "nested more than"),
        (b"1" * 5000, "too long to be read"),
        (b" " * (LARGEST + 1), "larger than 4 MB"),
    ],
)
def test_what_is_no_json_file_is_refused_with_a_sentence(content: bytes, sentence: str) -> None:
    assert sentence in problem(content)


def test_keys_given_twice_and_numbers_that_are_none_are_all_named() -> None:
    _, problems = parse('{"a": {"b": 1, "b": 2}, "c": [0, NaN, {"d": 1e999}], "a": -Infinity}', "x")
    assert [found.where for found in problems] == ["a", "a", "c[1]", "c[2].d"]
    _, problems = parse('[{"x": {"b": 1, "b": 2, "b": 3}}]', "x")
    assert [found.where for found in problems] == ["[0].x.b"]


def test_half_characters_are_named() -> None:
    _, problems = parse(r'{"a": ["\ud800", "\ud83c\udff0"], "b": {"\udfff": 1}}', "x")
    assert [found.where for found in problems] == ["a[0]", "b"]


def test_brackets_in_texts_are_not_nesting() -> None:
    text = '["' + "[" * 1000 + '\\"{{"]'
    assert parse(text, "x") == (["[" * 1000 + '"{{'], [])


def test_a_byte_order_mark_is_no_problem() -> None:
    assert parse(read_text(b"\xef\xbb\xbf[1]", "x"), "x") == ([1], [])


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, sentence in [
        (tmp_path, "a folder"),
        (tmp_path / "none.json", "no such file"),
        (Path("a\0b"), "null"),
    ]:
        with pytest.raises(BadFile, match=sentence):
            read_file(path)


def test_a_huge_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(LARGEST * 1000)
    assert len(read_file(huge)) == LARGEST + 1


def test_places() -> None:
    assert (
        place(("pieces", "P2", "spaces", "B3", "areas", 1, "sides")) == "pieces.P2.spaces.B3.areas[1].sides"
    )
    assert place(("frame", "A1/N")) == 'frame["A1/N"]'
    assert place(()) == ""
    assert len(place(("x" * 10_000 + " ",))) < 100
