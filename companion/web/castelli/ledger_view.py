"""How a number beside a player or the board came about: every change since the start, with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.table.castelli.rulebook import (
    Award,
    CastleScored,
    Colour,
    Event,
    Majority,
    Position,
    Step,
    What,
)
from companion.table.castelli.sitting import Sitting
from companion.web.castelli.deeds import deed
from companion.web.castelli.tongue import _, ngettext
from companion.web.castelli.why import award_sentence
from companion.web.castelli.words import amount, castles_amount

THINGS: Mapping[str, What] = {
    "points": What.POINTS,
    "wood": What.WOOD,
    "grain": What.GRAIN,
    "rocks": What.ROCKS,
    "silver": What.SILVER,
    "cards": What.CARD,
}
"""What players gain and give."""
OWN = (*THINGS, "castles_left")
SHARED: Mapping[str, What] = {"mine": What.SILVER, "deck": What.CARD}
"""What lies beside the board for everybody."""


@dataclass(frozen=True, slots=True)
class Entry:
    by: int
    after: int
    sentences: tuple[str, ...]
    area: str | None = None
    """The area whose page tells more, where one decided."""
    site: str | None = None


@dataclass(frozen=True, slots=True)
class LedgerView:
    what: str
    colour: Colour | None
    number: int
    sentence: str
    entries: tuple[Entry, ...]
    """The latest first."""


def ledger_view(sitting: Sitting, what: str, colour: Colour | None) -> LedgerView:
    """Of a player, or without a colour of what lies beside the board; `KeyError` for anything else."""
    thing: What | None
    if colour is None:
        thing, told = SHARED[what], tuple(_shared(sitting, what))
    elif what in OWN and colour in sitting.position.colours:
        thing, told = THINGS.get(what), tuple(_own(sitting, what, colour))
    else:
        raise KeyError(what)
    number = _count(what, colour)(sitting.position)
    return LedgerView(what, colour, number, _sentence(thing, number, told), told[::-1])


def _count(what: str, colour: Colour | None) -> Callable[[Position], int]:
    def count(position: Position) -> int:
        number: int = getattr(position if colour is None else position.player(colour), what)
        return number

    return count


def _sentence(thing: What | None, number: int, entries: Iterable[Entry]) -> str:
    """“2 wood: 5 came in, 3 went out.”"""
    changes = [entry.by for entry in entries]
    if thing is None:
        built = -sum(changes)
        left = ngettext("%(num)d castle is left", "%(num)d castles are left", number)
        return _("%(left)s, %(castles)s built.", left=left, castles=castles_amount(max(0, built)))
    if not changes:
        return _("%(amount)s, as at the start.", amount=amount(thing, number))
    came, went = sum(by for by in changes if by > 0), -sum(by for by in changes if by < 0)
    now = amount(thing, number)
    return _("%(amount)s: %(came)s came in, %(went)s went out.", amount=now, came=came, went=went)


def _changes(sitting: Sitting) -> Iterator[tuple[Event, Colour, Position, Step]]:
    """Each event with whose turn it was, the table before it, and what it did."""
    before = sitting.start
    for event, step in zip(sitting.events, sitting.steps, strict=True):
        yield event, before.turn, before, step
        before = step.position


def _own(sitting: Sitting, what: str, colour: Colour) -> Iterator[Entry]:
    """An award is an entry of its own; what no award explains, the event itself does."""
    count = _count(what, colour)
    for event, active, before, step in _changes(sitting):
        number, after = count(before), count(step.position)
        for award in step.awards:
            if award.player == colour and award.what is THINGS.get(what) and award.amount:
                number += award.amount
                yield _awarded(award, number)
        if number != after:
            yield Entry(after - number, after, (deed(event, active),))


def _awarded(award: Award, after: int) -> Entry:
    area = award.reason.area if isinstance(award.reason, Majority) else None
    site = award.reason.site if isinstance(award.reason, CastleScored) else None
    return Entry(award.amount, after, (award_sentence(award),), area, site)


def _shared(sitting: Sitting, what: str) -> Iterator[Entry]:
    count = _count(what, None)
    for event, active, before, step in _changes(sitting):
        by = count(step.position) - count(before)
        if by:
            awards = [award_sentence(award) for award in step.awards if award.what is SHARED[what]]
            yield Entry(by, count(step.position), (deed(event, active), *awards))
