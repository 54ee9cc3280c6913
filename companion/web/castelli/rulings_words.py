"""The rulings in plain words: what is asked, and what each option means."""

from __future__ import annotations

from flask_babel import lazy_gettext

_NAMES = {
    "neutral_tie": lazy_gettext("Tie with a neutral colour"),
    "own_space": lazy_gettext("Village or city beside the castle"),
    "silver_second_tie": lazy_gettext("Tie for second most silver"),
    "silver_top_tie": lazy_gettext("Tie for most silver"),
    "silver_zero": lazy_gettext("No silver at all"),
    "card_coat_builds": lazy_gettext("Building beside a card icon"),
    "overbuild_scope": lazy_gettext("Influence for overbuilding"),
    "sell_empty_mine": lazy_gettext("Selling to an empty mine"),
    "battle_tie_rounding": lazy_gettext("Sharing a village or city"),
}
_QUESTIONS = {
    "neutral_tie": lazy_gettext("You tie with a colour nobody plays. What happens to its share?"),
    "own_space": lazy_gettext("Does a village or city in the castle’s own landscape space score?"),
    "silver_second_tie": lazy_gettext("Several have the second most silver. Who gets the prize?"),
    "silver_top_tie": lazy_gettext("Several have the most silver. What does each of them get?"),
    "silver_zero": lazy_gettext("Can somebody without silver win the second prize?"),
    "card_coat_builds": lazy_gettext("May you build where your only coat of arms shows a card icon?"),
    "overbuild_scope": lazy_gettext("Where are heraldic points compared before overbuilding?"),
    "sell_empty_mine": lazy_gettext("You sell a card and the mine holds less than 2 silver."),
    "battle_tie_rounding": lazy_gettext("Which way are shared points rounded?"),
}
_OPTIONS = {
    ("neutral_tie", "shares"): lazy_gettext("The neutral colour takes its share, which is lost."),
    ("neutral_tie", "ignored"): lazy_gettext("The neutral colour is ignored."),
    ("own_space", "counts"): lazy_gettext("It counts, once."),
    ("own_space", "ignored"): lazy_gettext("It does not count."),
    ("silver_second_tie", "shared"): lazy_gettext("They share it, rounded down."),
    ("silver_second_tie", "each"): lazy_gettext("3 points each, 6 with Battle."),
    ("silver_top_tie", "each"): lazy_gettext("3 points each, 6 with Battle; no second prize."),
    ("silver_zero", "nothing"): lazy_gettext("No. Without silver there is no prize."),
    ("silver_zero", "second"): lazy_gettext("Yes."),
    ("card_coat_builds", "yes"): lazy_gettext("Yes."),
    ("card_coat_builds", "no"): lazy_gettext("No."),
    ("overbuild_scope", "space"): lazy_gettext("Around the whole landscape space."),
    ("overbuild_scope", "area"): lazy_gettext("Around the castle’s area only."),
    ("sell_empty_mine", "what_is_there"): lazy_gettext("You get what is there."),
    ("sell_empty_mine", "refused"): lazy_gettext("You may not sell it."),
    ("battle_tie_rounding", "up"): lazy_gettext("Up."),
}


def ruling_name(name: str) -> str:
    return str(_NAMES[name])


def ruling_question(name: str) -> str:
    return str(_QUESTIONS[name])


def ruling_option(name: str, option: str) -> str:
    return str(_OPTIONS[name, option])
