"""The score sheet as rows of numbers, each of which can be asked why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from companion.table.castelli.rulebook import (
    CardsInHand,
    CastlesOnTop,
    Cell,
    Colour,
    OnTheTrack,
    Position,
    Reason,
    ResourcesLeft,
    ScoreSheet,
    SilverPrize,
    Standing,
    StartTileHeld,
    Town,
    TownMajority,
    What,
)
from companion.web.castelli.tongue import _, ngettext
from companion.web.castelli.why import (
    RulingNote,
    ruling_notes,
    verdict_sentence,
)
from companion.web.castelli.why_end import line_title, town_sentence
from companion.web.castelli.words import amount, castles_amount, colour_name, together


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the sheet: an amount for each player, none where the line is not theirs."""

    key: str
    title: str
    amounts: tuple[tuple[Colour, int | None], ...]


@dataclass(frozen=True, slots=True)
class TownRow:
    """Battle: a village or city, and who owns the castles in its row and column."""

    cell: Cell
    town: Town
    title: str
    sentence: str
    winners: tuple[Colour, ...]
    each: int


@dataclass(frozen=True, slots=True)
class Place:
    place: int
    colour: Colour
    points: int


@dataclass(frozen=True, slots=True)
class ScoreView:
    rows: tuple[Row, ...]
    totals: tuple[tuple[Colour, int], ...]
    places: tuple[Place, ...]
    towns: tuple[TownRow, ...]
    winners: tuple[Colour, ...]
    result: str
    """Who wins, or would win, in one sentence."""
    tie_break: str
    mine: str
    """How the silver of the mine went."""
    rulings: tuple[RulingNote, ...]


def _is_village(reason: Reason) -> bool:
    return isinstance(reason, TownMajority) and reason.town is Town.VILLAGE


def _is_city(reason: Reason) -> bool:
    return isinstance(reason, TownMajority) and reason.town is Town.CITY


ROWS: dict[str, Callable[[Reason], bool]] = {
    "track": lambda reason: isinstance(reason, OnTheTrack),
    "cards": lambda reason: isinstance(reason, CardsInHand),
    "resources": lambda reason: isinstance(reason, ResourcesLeft),
    "silver": lambda reason: isinstance(reason, SilverPrize),
    "start": lambda reason: isinstance(reason, StartTileHeld),
    "villages": _is_village,
    "cities": _is_city,
    "castles": lambda reason: isinstance(reason, CastlesOnTop),
}
"""Which awards of the sheet make up each row, in the order of the rulebook."""


def score_view(
    position: Position, sheet: ScoreSheet, finished: bool, names: Mapping[Colour, str] | None = None
) -> ScoreView:
    """`names` are the players'; without them the colours stand for themselves."""
    colours = tuple(sheet.totals)
    return ScoreView(
        rows=tuple(score_rows(sheet, colours)),
        totals=tuple(sheet.totals.items()),
        places=tuple(
            Place(standing.place, colour, standing.points)
            for standing in sheet.standings
            for colour in standing.colours
        ),
        towns=tuple(_towns(sheet)),
        winners=sheet.winners,
        result=result_sentence(sheet, finished, names or {}),
        tie_break=tie_break_sentence(sheet),
        mine=_mine(sheet),
        rulings=ruling_notes(sheet.rulings, position.rulings),
    )


def town_lights(sheet: ScoreSheet, cell: Cell) -> tuple[str, ...]:
    """A village or city and the castles in its row and column; `KeyError` where nobody has any."""
    for line in sheet.lines:
        if isinstance(line.reason, TownMajority) and line.reason.cell == cell:
            return tuple(marks_of(line.reason))
    raise KeyError(cell)


def row_title(key: str) -> str:
    if key == "silver":
        return _("Silver")
    if key == "villages":
        return _("Villages")
    if key == "cities":
        return _("Cities")
    samples: dict[str, Reason] = {
        "track": OnTheTrack(),
        "cards": CardsInHand(0),
        "resources": ResourcesLeft(0, 0, 0),
        "start": StartTileHeld(),
        "castles": CastlesOnTop(()),
    }
    return line_title(samples[key])


def result_sentence(sheet: ScoreSheet, finished: bool, called: Mapping[Colour, str]) -> str:
    if not sheet.standings:
        return ""
    names = together(called.get(colour) or colour_name(colour) for colour in sheet.winners)
    points = amount(What.POINTS, sheet.standings[0].points)
    if sheet.is_shared:
        if finished:
            return _("%(colours)s share the victory with %(points)s each.", colours=names, points=points)
        return _("%(colours)s would share the victory with %(points)s each.", colours=names, points=points)
    if finished:
        return _("%(colour)s wins with %(points)s.", colour=names, points=points)
    return _("%(colour)s would win with %(points)s.", colour=names, points=points)


def tie_break_sentence(sheet: ScoreSheet) -> str:
    """Only where points alone do not decide the victory."""
    if not sheet.standings:
        return ""
    first = sheet.standings[0]
    level = [standing for standing in sheet.standings if standing.points == first.points]
    if len(level) > 1:
        return _(
            "Equal points: the most castles built decide, %(castles)s. Rules p. 6.",
            castles=together(map(_built, level)),
        )
    if sheet.is_shared:
        return _(
            "Equal points and equally many castles built, %(castles)s. Rules p. 6.", castles=_built(first)
        )
    return ""


def _built(standing: Standing) -> str:
    names = together(map(colour_name, standing.colours))
    return _("%(colour)s with %(castles)s", colour=names, castles=castles_amount(standing.castles))


def score_rows(sheet: ScoreSheet, colours: tuple[Colour, ...]) -> Iterable[Row]:
    for key, belongs in ROWS.items():
        amounts = []
        for colour in colours:
            own = [award.amount for award in sheet.of(colour) if belongs(award.reason)]
            amounts.append((colour, sum(own) if own else None))
        if any(number is not None for _colour, number in amounts):
            yield Row(key, row_title(key), tuple(amounts))


def _towns(sheet: ScoreSheet) -> Iterable[TownRow]:
    """Each village and city once, though several players may share it; in reading order."""
    found: dict[Cell, tuple[TownMajority, int]] = {}
    for line in sheet.lines:
        if isinstance(line.reason, TownMajority):
            found[line.reason.cell] = (line.reason, line.amount)
    for cell in sorted(found, key=lambda cell: (len(cell), cell[1:], cell)):
        reason, each = found[cell]
        yield TownRow(cell, reason.town, line_title(reason), town_sentence(reason), reason.tied, each)


def marks_of(reason: Reason) -> Iterable[str]:
    if isinstance(reason, TownMajority):
        yield reason.cell
        for sites in reason.castles.values():
            yield from sites
    elif isinstance(reason, CastlesOnTop):
        yield from reason.sites


def _mine(sheet: ScoreSheet) -> str:
    if sheet.mine is None:
        return ""
    cubes = ngettext(
        "The silver mine holds %(num)d silver cube.",
        "The silver mine holds %(num)d silver cubes.",
        sheet.mine.majority.symbols,
    )
    return f"{cubes} {verdict_sentence(sheet.mine)}"
