"""One number of the score sheet: the awards it is made of, in words and as a picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.table.castelli.rulebook import (
    Award,
    CardsInHand,
    Colour,
    Position,
    ResourcesLeft,
    Rule,
    ScoreSheet,
    SilverPrize,
    Step,
    What,
)
from companion.web.castelli.score_view import ROWS, marks_of, row_title, score_rows, tie_break_sentence
from companion.web.castelli.tongue import _
from companion.web.castelli.why import RulingNote, award_sentence, rule_reference, ruling_notes
from companion.web.castelli.words import amount

TOTAL = "total"
"""The last line, which can be asked too."""


@dataclass(frozen=True, slots=True)
class WhyView:
    """All that one number of the sheet is made of."""

    title: str
    colour: Colour
    total: int
    sentences: tuple[str, ...]
    rules: tuple[str, ...]
    rulings: tuple[RulingNote, ...]
    lit: tuple[str, ...] = ()
    """Castles and towns to be shown on the map."""
    tallies: tuple[Tally, ...] = ()
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """So many of a thing in front of a player, to be drawn one by one."""

    colour: Colour
    thing: str
    number: int


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of the sheet as a part of the total."""

    key: str
    title: str
    number: int
    share: int
    """Of the longest bar, in hundredths."""


def why_view(
    position: Position, sheet: ScoreSheet, steps: Iterable[Step], key: str, colour: Colour
) -> WhyView:
    """`KeyError` where the sheet has no such row or colour."""
    if colour not in sheet.totals:
        raise KeyError(colour)
    if key == TOTAL:
        return _why_total(position, sheet, colour)
    belongs = ROWS[key]
    awards = [award for award in sheet.of(colour) if belongs(award.reason)]
    told = [award_sentence(award) for award in awards]
    if key == "track":
        told += [award_sentence(award) for award in _made(steps, colour)]
    lit = [mark for award in awards for mark in marks_of(award.reason)]
    return WhyView(
        title=row_title(key),
        colour=colour,
        total=sum(award.amount for award in awards),
        sentences=tuple(told),
        rules=tuple(dict.fromkeys(rule_reference(award.reason.rule) for award in awards)),
        rulings=ruling_notes(
            tuple(dict.fromkeys(name for award in awards for name in award.rulings)), position.rulings
        ),
        lit=tuple(dict.fromkeys(lit)),
        tallies=tuple(_tallies(position, awards)),
    )


def _why_total(position: Position, sheet: ScoreSheet, colour: Colour) -> WhyView:
    """The lines of the sheet that make up a player's total."""
    rows = score_rows(sheet, tuple(sheet.totals))
    lines = [(row.key, row.title, dict(row.amounts)[colour] or 0) for row in rows]
    longest = max((number for _key, _title, number in lines), default=0) or 1
    place = next(standing.place for standing in sheet.standings if colour in standing.colours)
    points = amount(What.POINTS, sheet.totals[colour])
    told = _(
        "%(points)s, which is place %(place)s of %(players)s.",
        points=points,
        place=place,
        players=len(sheet.totals),
    )
    return WhyView(
        title=_("Total"),
        colour=colour,
        total=sheet.totals[colour],
        sentences=tuple(filter(None, (told, tie_break_sentence(sheet) if place == 1 else ""))),
        rules=(rule_reference(Rule.END),),
        rulings=ruling_notes(sheet.rulings, position.rulings),
        bars=tuple(Bar(key, title, number, round(100 * number / longest)) for key, title, number in lines),
    )


def _tallies(position: Position, awards: Iterable[Award]) -> Iterable[Tally]:
    """What is counted at the end, as it lies in front of the players."""
    for award in awards:
        match award.reason:
            case CardsInHand(count):
                yield Tally(award.player, "card", count)
            case ResourcesLeft(wood, grain, rocks):
                yield Tally(award.player, "wood", wood)
                yield Tally(award.player, "grain", grain)
                yield Tally(award.player, "rocks", rocks)
            case SilverPrize(silver=silver):
                for colour in position.colours:
                    yield Tally(colour, "silver", silver[colour])


def _made(steps: Iterable[Step], colour: Colour) -> Iterable[Award]:
    """Where the points on the track come from."""
    for step in steps:
        for award in step.awards:
            if award.player == colour and award.what is What.POINTS and award.amount:
                yield award
