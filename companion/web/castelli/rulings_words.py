"""The rulings in plain words: what is asked, and what each option means."""

from __future__ import annotations

from companion.web.castelli.tongue import lazy

_NAMES = {
    "neutral_tie": lazy("Tie with a neutral colour"),
    "own_space": lazy("Village or city beside the castle"),
    "silver_second_tie": lazy("Tie for second most silver"),
    "silver_top_tie": lazy("Tie for most silver"),
    "silver_zero": lazy("No silver at all"),
    "card_coat_builds": lazy("Building beside a card icon"),
    "overbuild_scope": lazy("Influence for overbuilding"),
    "sell_empty_mine": lazy("Selling to an empty mine"),
    "battle_tie_rounding": lazy("Sharing a village or city"),
}
_QUESTIONS = {
    "neutral_tie": lazy("You tie with a colour nobody plays. What happens to its share?"),
    "own_space": lazy("Does a village or city in the castle’s own landscape space score?"),
    "silver_second_tie": lazy("Several have the second most silver. Who gets the prize?"),
    "silver_top_tie": lazy("Several have the most silver. What does each of them get?"),
    "silver_zero": lazy("Can somebody without silver win the second prize?"),
    "card_coat_builds": lazy("May you build where your only coat of arms shows a card icon?"),
    "overbuild_scope": lazy("Where are heraldic points compared before overbuilding?"),
    "sell_empty_mine": lazy("You sell a card and the mine holds less than 2 silver."),
    "battle_tie_rounding": lazy("Which way are shared points rounded?"),
}
_OPTIONS = {
    ("neutral_tie", "shares"): lazy("The neutral colour takes its share, which is lost."),
    ("neutral_tie", "ignored"): lazy("The neutral colour is ignored."),
    ("own_space", "counts"): lazy("It counts, once."),
    ("own_space", "ignored"): lazy("It does not count."),
    ("silver_second_tie", "shared"): lazy("They share it, rounded down."),
    ("silver_second_tie", "each"): lazy("3 points each, 6 with Battle."),
    ("silver_top_tie", "each"): lazy("3 points each, 6 with Battle; no second prize."),
    ("silver_zero", "nothing"): lazy("No. Without silver there is no prize."),
    ("silver_zero", "second"): lazy("Yes."),
    ("card_coat_builds", "yes"): lazy("Yes."),
    ("card_coat_builds", "no"): lazy("No."),
    ("overbuild_scope", "space"): lazy("Around the whole landscape space."),
    ("overbuild_scope", "area"): lazy("Around the castle’s area only."),
    ("sell_empty_mine", "what_is_there"): lazy("You get what is there."),
    ("sell_empty_mine", "refused"): lazy("You may not sell it."),
    ("battle_tie_rounding", "up"): lazy("Up."),
}


def ruling_name(name: str) -> str:
    return str(_NAMES[name])


def ruling_question(name: str) -> str:
    return str(_QUESTIONS[name])


def ruling_option(name: str, option: str) -> str:
    return str(_OPTIONS[name, option])
