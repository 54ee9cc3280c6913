"""Every reason has its sentence, in four languages, in the words of each rulebook."""

from __future__ import annotations

import re

import pytest

from companion.scoring.castelli import Award, Evaluate, Reveal, What, apply, changed
from companion.scoring.castelli.awards import (
    CardPlayed,
    CardsInHand,
    CardsSold,
    CastlePaid,
    CastleScored,
    CastlesOnTop,
    Majority,
    OnTheTrack,
    ResourcesLeft,
    RimGift,
    Scored,
    SilverPrize,
    StartTileHeld,
    TileShows,
    TownMajority,
    Verdict,
)
from companion.scoring.castelli.components import Gift, Kind, Town
from companion.scoring.castelli.drawing import parse
from companion.scoring.castelli.position import Card
from companion.scoring.castelli.rules_index import Rule
from companion.scoring.castelli.rulings import DEFAULT_RULINGS, OPTIONS, with_option
from companion.web.castelli.rulings_words import ruling_name, ruling_option, ruling_question
from companion.web.castelli.why import award_sentence, ruling_notes, verdict_sentence
from companion.web.castelli.why_end import line_title
from companion.web.castelli.words import amount, area_name, card_name, colour_name, heading, town_name
from tests.scoring.boards import plain_tile
from tests.scoring.sets import COLOURS
from tests.web.castelli.speaking import LANGUAGES, speaking

ROCKS = """
+-----------+-----------+-----------+
|    g4     |    1w1    |           |
| r4 $0 y4  | 0r2 . 0r2 |    ##     |
|    b4     |    1w1    |           |
|           |           |           |
+-----------+-----------+-----------+
|    0w1    |           |    0w1    |
| 0w1 . 0w1 |    ##     | 0w1 . 0w1 |
|    0w1    |           |    0w1    |
|           |           |           |
+-----------+-----------+-----------+
"""
"""The example of page 5: Blue's tile on C1 completes the rocks area on B1, 5 to Yellow's 4."""


def rocks_award() -> Award:
    tile = plain_tile("A", "g5", "y5", "r5", "b5")
    position = changed(parse(ROCKS, COLOURS, spare_tiles=(tile,)), turn="blue")
    step = apply(apply(position, Reveal("C1", "A")).position, Evaluate())
    return next(award for award in step.awards if award.what is What.ROCKS)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Blue 5 (5 from C1) against Yellow 4: Blue gains 2 rocks. Rules p.\u00a05."),
        ("de", "Blau 5 (5 von C1) gegenüber Gelb 4: Blau erhält 2 Stein. Anleitung S.\u00a05."),
        ("it", "Blu 5 (5 da C1) rispetto a Giallo 4: Blu riceve 2 pietre. Regole p.\u00a05."),
        ("nl", "Blauw 5 (5 van C1) tegen Geel 4: Blauw krijgt 2 steen. Spelregels p.\u00a05."),
    ],
)
def test_the_example_of_page_5(language: str, sentence: str) -> None:
    with speaking(language):
        assert award_sentence(rocks_award()) == sentence


def majority(sums: dict[str, int], strongest: tuple[str, ...], share: int, symbols: int = 2) -> Majority:
    return Majority("B3/0", Kind.GRAIN, symbols, sums, (), strongest, share)


@pytest.mark.parametrize(
    ("verdict", "decided", "sentence"),
    [
        (Verdict(majority({"red": 0}, (), 0), ()), True, "Nobody has heraldic points here."),
        (
            Verdict(majority({"red": 3, "blue": 3}, ("red", "blue"), 1), ("red", "blue")),
            True,
            "Red 3 () and Blue 3 () tie: each gains 1 grain.",
        ),
        (
            Verdict(majority({"red": 3, "blue": 3}, ("red", "blue"), 0, 1), ("red", "blue")),
            True,
            "Red 3 () and Blue 3 () tie: too little to share, nobody gains anything.",
        ),
        (
            Verdict(majority({"red": 3, "blue": 1}, ("red",), 0), ()),
            True,
            "Red 3 () against Blue 1: Red is neutral, nobody gains anything.",
        ),
        (
            Verdict(majority({"red": 3}, ("red",), 2), ("red",)),
            False,
            "Red 3 (), nobody else has points: Red would gain 2 grain.",
        ),
        (
            # a neutral colour shares the lead: what it takes is lost, the player's share is told
            Verdict(majority({"red": 3, "blue": 3}, ("red", "blue"), 1), ("blue",), ("neutral_tie",)),
            True,
            "Red 3 () and Blue 3 () tie: Blue gains 1 grain.",
        ),
    ],
)
def test_how_an_area_can_come_out(verdict: Verdict, decided: bool, sentence: str) -> None:
    with speaking():
        assert verdict_sentence(verdict, decided) == sentence


REASONS = [
    (Award("red", What.SILVER, 2, TileShows("C3", "T7", 2)), "shows 2 silver: Red gains 2 silver"),
    (Award("red", What.WOOD, 1, RimGift("A1/N", Gift.WOOD, "T7")), "Red on A1 points at the edge"),
    (
        Award(
            "blue",
            What.POINTS,
            3,
            CastleScored("B3/0/0", (Scored("B1", Town.CITY, 2), Scored("D3", Town.VILLAGE, 1))),
        ),
        "in line with City B1 (2) and Village D3 (1): Blue gains 3 victory points",
    ),
    (Award("blue", What.POINTS, 0, CastleScored("B3/0/0", ())), "no village and no city in line"),
    (Award("red", What.WOOD, -1, CastlePaid("B3/0/0", None)), "Red pays 1 wood for the castle on B3"),
    (
        Award("red", What.SILVER, -2, CastlePaid("B3/0/0", Card.MASTER_BUILDER, (Kind.WOOD, Kind.GRAIN))),
        "In place of: Wood and Grain. Card: Master builder",
    ),
    (
        Award("red", What.ROCKS, -2, CastlePaid("B3/0/0", None, (), "blue")),
        "overbuild the castle of Blue on B3",
    ),
    (Award("red", What.POINTS, 4, CardPlayed(Card.KING_4)), "King (4): Red gains 4 victory points"),
    (Award("red", What.SILVER, 1, CardPlayed(Card.RAIDER, "blue")), "Raider: Red gains 1 silver from Blue"),
    (Award("blue", What.SILVER, -1, CardPlayed(Card.RAIDER, "red")), "Raider: Blue gives 1 silver to Red"),
    (Award("red", What.SILVER, 4, CardsSold(2)), "Red sells 2 cards and gains 4 silver"),
    (Award("red", What.CARD, -1, CardsSold(1)), "Red sells 1 card."),
    (Award("red", What.POINTS, 12, OnTheTrack()), "Red has made 12 victory points"),
    (Award("red", What.POINTS, 1, CardsInHand(1)), "1 card in hand"),
    (Award("red", What.POINTS, 3, ResourcesLeft(2, 0, 1)), "2 wood and 1 rock left"),
    (Award("red", What.POINTS, 0, ResourcesLeft(0, 0, 0)), "No resources are left"),
    (
        Award("red", What.POINTS, 4, SilverPrize(1, {"red": 5, "blue": 3}, ("red",), False)),
        "Red has the most silver (Red 5 and Blue 3): 4 victory points. Rules p.\u00a06",
    ),
    (
        Award("red", What.POINTS, 3, SilverPrize(1, {"red": 5, "blue": 5}, ("red", "blue"), False)),
        "Red and Blue tie for the most silver",
    ),
    (
        Award("red", What.POINTS, 4, SilverPrize(2, {"red": 5, "blue": 9}, ("red",), True)),
        "Red has the second most silver (Blue 9 and Red 5): 4 victory points. Rules p.\u00a08",
    ),
    (
        Award("red", What.POINTS, 1, SilverPrize(2, {"red": 5, "blue": 5}, ("red", "blue"), False)),
        "Red and Blue tie for the second most silver",
    ),
    (Award("red", What.POINTS, 5, StartTileHeld()), "Red still holds the start tile: 5 victory points"),
    (
        Award(
            "green",
            What.POINTS,
            3,
            TownMajority("B3", Town.CITY, 6, {"green": ("a",), "blue": ("b",)}, ("green", "blue")),
        ),
        "worth 6 victory points: Green 1 and Blue 1. Green and Blue share them, rounded up. Rules p.\u00a08",
    ),
    (
        Award("red", What.POINTS, 4, CastlesOnTop(("a", "b"))),
        "2 castles not overbuilt, 2 victory points each",
    ),
    (Award("red", What.WOOD, 1, RimGift("A1/N", Gift.WOOD, "T7"), lost=1), "nobody holds more than 5"),
    (Award("red", What.CARD, 0, TileShows("A1", "T7", 1), lost=1), "the deck is empty"),
    (Award("red", What.SILVER, 0, TileShows("A1", "T7", 1), lost=1), "it is not there"),
]


@pytest.mark.parametrize(("award", "part"), REASONS, ids=[part for _, part in REASONS])
def test_each_reason_in_english(award: Award, part: str) -> None:
    with speaking():
        assert part in award_sentence(award)


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize(("award", "part"), REASONS, ids=[part for _, part in REASONS])
def test_each_reason_in_the_other_languages(award: Award, part: str, language: str) -> None:
    """Other words, the same numbers, and no place left open."""
    with speaking():
        english = award_sentence(award)
    with speaking(language):
        told = award_sentence(award)
    assert told != english
    assert "%(" not in told
    assert sorted(re.findall(r"\d+", told)) == sorted(re.findall(r"\d+", english))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Steward Landgrave “wood” area City 1 card 2 cards 1 victory point 2 rocks Red"),
        ("de", "Vogt Landgraf Gebiet „Holz“ Stadt 1 Karte 2 Karten 1 Siegpunkt 2 Stein Rot"),
        ("it", "Vogt Conte area “Legname” Città 1 carta 2 carte 1 punto 2 pietre Rosso"),
        ("nl", "Landvoogd Graaf houtgebied Stad 1 kaart 2 kaarten 1 overwinningspunt 2 steen Rood"),
    ],
)
def test_names_and_plurals_are_those_of_the_rulebook(language: str, words: str) -> None:
    with speaking(language):
        names = [
            card_name(Card.STEWARD),
            card_name(Card.LANDGRAVE),
            area_name(Kind.WOOD),
            town_name(Town.CITY),
            amount(What.CARD, 1),
            amount(What.CARD, 2),
            amount(What.POINTS, 1),
            amount(What.ROCKS, 2),
            colour_name("red"),
        ]
        assert " ".join(names) == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_in_the_box_has_a_name(language: str) -> None:
    with speaking(language):
        assert all(card_name(card) for card in Card)
        assert all(heading(rule) for rule in Rule)
        for name, options in OPTIONS.items():
            assert ruling_name(name) and ruling_question(name)
            assert all(ruling_option(name, option) for option in options)


def test_a_colour_without_a_common_name_keeps_its_own() -> None:
    with speaking("de"):
        assert colour_name("bordeaux") == "Bordeaux"
        assert colour_name("ochre team") == "Ochre team"


def test_a_ruling_says_what_was_chosen() -> None:
    rulings = with_option(DEFAULT_RULINGS, "neutral_tie", "ignored")
    with speaking():
        (note,) = ruling_notes(("neutral_tie",), rulings)
    assert (note.answer, note.pages) == ("The neutral colour is ignored.", (7,))


def test_only_lines_of_the_sheet_have_a_title() -> None:
    with speaking():
        assert line_title(TownMajority("B3", Town.CITY, 6, {}, ())) == "City B3"
        with pytest.raises(ValueError, match="CardsSold"):
            line_title(CardsSold(1))
