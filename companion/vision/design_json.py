"""A design as JSON and back: every field by its own name, checked on the way in.

Driven by the fields of the words in model.py, so that a word cannot gain a field that is forgotten here.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from companion.vision.errors import BadCalibration
from companion.vision.model import Design

# Which of several words a value is, where a field may hold more than one.
WORD = "is"


def design_to_json(design: Design) -> dict[str, Any]:
    written: dict[str, Any] = _written(design)
    return written


def design_from_json(value: object) -> Design:
    """Raises BadCalibration with the place of what does not fit."""
    design: Design = _read(Design, value, "design")
    return design


def _written(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        word = {WORD: type(value).__name__}
        return word | {field.name: _written(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: _written(inner) for name, inner in value.items()}
    if isinstance(value, tuple):
        return [_written(inner) for inner in value]
    return value


def _read(kind: Any, value: Any, where: str) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _read(_chosen(inner, value, where), value, where)
    if is_dataclass(kind):
        return _read_word(kind, value, where)
    if origin is tuple:
        _check(isinstance(value, list), where)
        kinds = [inner[0]] * len(value) if inner[-1:] == (...,) else list(inner)
        _check(len(kinds) == len(value), where)
        return tuple(_read(k, v, f"{where}[{i}]") for i, (k, v) in enumerate(zip(kinds, value, strict=True)))
    if origin is not None and issubclass(origin, Mapping):
        _check(isinstance(value, dict), where)
        return {str(name): _read(inner[1], v, f"{where}.{name}") for name, v in value.items()}
    return _read_plain(kind, value, where)


def _read_plain(kind: Any, value: Any, where: str) -> Any:
    if kind is float:
        _check(isinstance(value, int | float) and not isinstance(value, bool), where)
        return float(value)
    _check(type(value) is kind, where)
    return value


def _read_word(kind: Any, value: Any, where: str) -> Any:
    _check(isinstance(value, dict) and value.get(WORD) == kind.__name__, where)
    hints = get_type_hints(kind)
    names = {field.name for field in fields(kind)}
    _check(value.keys() - {WORD} == names, where)
    return kind(**{name: _read(hints[name], value[name], f"{where}.{name}") for name in names})


def _chosen(kinds: tuple[Any, ...], value: Any, where: str) -> Any:
    word = value.get(WORD) if isinstance(value, dict) else None
    for kind in kinds:
        if getattr(kind, "__name__", None) == word:
            return kind
    raise _unfit(where)


def _check(fits: bool, where: str) -> None:
    if not fits:
        raise _unfit(where)


def _unfit(where: str) -> BadCalibration:
    return BadCalibration(f"The calibration's {where} is not what this program writes: calibrate again.")
