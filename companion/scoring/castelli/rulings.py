"""Where the rulebooks are silent or differ: named options, each with a default, set per game."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Literal


@dataclass(frozen=True, slots=True)
class Rulings:
    """The choice made for each open question. The first option named is the default."""

    neutral_tie: Literal["shares", "ignored"] = "shares"
    """A player ties with a colour not in play (p. 7): it takes its share, which is lost; or it is ignored."""
    own_space: Literal["counts", "ignored"] = "counts"
    """A village or city in the castle's own octagon (p. 6, 8): counts once; or does not count."""
    silver_second_tie: Literal["shared", "each"] = "shared"
    """Several tie for second most silver (p. 6): share its prize, rounded down; or 3 (Battle 6) each."""
    silver_top_tie: Literal["each"] = "each"
    """Any number tie for most silver (p. 6): 3 (Battle: 6) each and no second prize."""
    silver_zero: Literal["nothing", "second"] = "nothing"
    """A player without silver (p. 6): wins no silver prize; or may be second."""
    card_coat_builds: Literal["yes", "no"] = "yes"
    """Is a coat of arms with a card icon enough to build on a space (p. 4, 6)?"""
    overbuild_scope: Literal["space", "area"] = "space"
    """The influence compared when building over (p. 8): on the whole octagon; or on the castle's area."""
    sell_empty_mine: Literal["what_is_there", "refused"] = "what_is_there"
    """A card is sold and the mine holds less than 2 (p. 5): what is there; or it may not be sold."""
    battle_tie_rounding: Literal["up"] = "up"
    """Sharing a village or city (p. 8) rounds up."""


DEFAULT_RULINGS = Rulings()

OPTIONS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "neutral_tie": ("shares", "ignored"),
        "own_space": ("counts", "ignored"),
        "silver_second_tie": ("shared", "each"),
        "silver_top_tie": ("each",),
        "silver_zero": ("nothing", "second"),
        "card_coat_builds": ("yes", "no"),
        "overbuild_scope": ("space", "area"),
        "sell_empty_mine": ("what_is_there", "refused"),
        "battle_tie_rounding": ("up",),
    }
)
"""Every ruling by name with its options, the default first."""

PAGES: MappingProxyType[str, tuple[int, ...]] = MappingProxyType(
    {
        "neutral_tie": (7,),
        "own_space": (6, 8),
        "silver_second_tie": (6,),
        "silver_top_tie": (6, 8),
        "silver_zero": (6,),
        "card_coat_builds": (4, 6),
        "overbuild_scope": (8,),
        "sell_empty_mine": (5,),
        "battle_tie_rounding": (8,),
    }
)


def with_option(rulings: Rulings, name: str, option: str) -> Rulings:
    """These rulings with one of them set; `ValueError` names what is wrong."""
    if name not in OPTIONS:
        raise ValueError(f"There is no ruling “{name}”; the rulings are {', '.join(OPTIONS)}.")
    if option not in OPTIONS[name]:
        raise ValueError(
            f"The ruling “{name}” has no option “{option}”; choose {' or '.join(OPTIONS[name])}."
        )
    return replace(rulings, **{name: option})  # type: ignore[arg-type]  # checked against OPTIONS just above


def differing(rulings: Rulings) -> dict[str, str]:
    """Only the rulings that are not at their default."""
    return {
        field.name: value
        for field in fields(rulings)
        if (value := getattr(rulings, field.name)) != OPTIONS[field.name][0]
    }
