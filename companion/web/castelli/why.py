"""Why: every number's reason as one plain sentence in the reader's language, with the page of its rule."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.castelli.rulebook import (
    PAGES,
    Award,
    CardPlayed,
    CardsSold,
    CastlePaid,
    CastleScored,
    Colour,
    Counted,
    Kind,
    Majority,
    RimGift,
    Rule,
    Rulings,
    Scored,
    TileShows,
    Verdict,
    What,
)
from companion.web.castelli.rulings_words import ruling_name, ruling_option, ruling_question
from companion.web.castelli.tongue import _, ngettext
from companion.web.castelli.why_end import end_sentence
from companion.web.castelli.words import (
    amount,
    card_name,
    colour_name,
    heading,
    kind_name,
    together,
    town_name,
)

BRINGS = {
    Kind.WOOD: What.WOOD,
    Kind.GRAIN: What.GRAIN,
    Kind.ROCKS: What.ROCKS,
    Kind.MARKET: What.CARD,
    Kind.MINE: What.SILVER,
}


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A ruling that a number hangs on."""

    name: str
    title: str
    question: str
    answer: str
    pages: tuple[int, ...]


def award_sentence(award: Award) -> str:
    """Who gets or gives what, why, and on which page the rule stands."""
    parts = [reason_sentence(award)]
    if award.lost:
        parts.append(_lost(award))
    return " ".join((*parts, rule_page(award.reason.rule)))


def rule_page(rule: Rule) -> str:
    return _("Rules p. %(page)s.", page=rule.page)


def rule_reference(rule: Rule) -> str:
    return _("Rules p. %(page)s, “%(heading)s”", page=rule.page, heading=heading(rule))


def ruling_notes(names: tuple[str, ...], rulings: Rulings) -> tuple[RulingNote, ...]:
    return tuple(
        RulingNote(
            name,
            ruling_name(name),
            ruling_question(name),
            ruling_option(name, getattr(rulings, name)),
            PAGES[name],
        )
        for name in names
    )


def verdict_sentence(verdict: Verdict, decided: bool = True) -> str:
    """“Blue 5 (3 from C3, 2 from D4) against Yellow 4: Blue gains 2 rocks.”

    An area that still waits for tiles says what would be gained.
    """
    majority = verdict.majority
    if not majority.strongest:
        return _("Nobody has heraldic points here.")
    strongest = together(_with_parts(majority, colour) for colour in majority.strongest)
    outcome = _outcome(verdict, decided)
    rivals = _rivals(majority)
    if len(majority.strongest) > 1:
        if rivals:
            return _(
                "%(colours)s tie against %(rivals)s: %(outcome)s",
                colours=strongest,
                rivals=rivals,
                outcome=outcome,
            )
        return _("%(colours)s tie: %(outcome)s", colours=strongest, outcome=outcome)
    if rivals:
        return _(
            "%(colour)s against %(rivals)s: %(outcome)s", colour=strongest, rivals=rivals, outcome=outcome
        )
    return _("%(colour)s, nobody else has points: %(outcome)s", colour=strongest, outcome=outcome)


def counted_sentence(counted: Counted) -> str:
    """One side of a tile that counts."""
    colour = colour_name(counted.colour)
    if counted.is_card:
        return _("%(slot)s: %(colour)s, a card icon counts 0", slot=counted.slot, colour=colour)
    return _("%(slot)s: %(colour)s %(points)s", slot=counted.slot, colour=colour, points=counted.points)


def reason_sentence(award: Award) -> str:
    """Why, with the arithmetic."""
    colour = colour_name(award.player)
    gained = amount(award.what, abs(award.amount))
    match award.reason:
        case Majority() as majority:
            # what each of several winners gets has an award of its own
            return verdict_sentence(Verdict(majority, (award.player,)))
        case TileShows(slot, _tile, shown):
            return _(
                "The heraldic tile on %(slot)s shows %(shown)s: %(colour)s gains %(amount)s.",
                slot=slot,
                shown=amount(award.what, shown),
                colour=colour,
                amount=gained,
            )
        case RimGift(rim, _gift, _tile):
            return _(
                "The coat of arms of %(colour)s on %(slot)s points at the edge of the game board: "
                "%(colour)s gains %(amount)s.",
                colour=colour,
                slot=rim.split("/")[0],
                amount=gained,
            )
        case CastleScored(site, towns):
            return _castle_scored(site.split("/")[0], towns, colour, gained)
        case CastlePaid() as paid:
            return _castle_paid(paid, award.what, colour, gained)
        case CardPlayed(card, other):
            return _card_played(card_name(card), other, colour, award.amount, gained)
        case CardsSold(count):
            return _sold(award.what, count, colour, gained)
        case _:
            return end_sentence(award.reason, colour, award.amount)


def _with_parts(majority: Majority, colour: Colour) -> str:
    parts = [side for side in majority.counted if side.colour == colour and side.points]
    told = [_("%(points)s from %(slot)s", points=side.points, slot=side.slot) for side in parts]
    return _(
        "%(colour)s %(sum)s (%(parts)s)",
        colour=colour_name(colour),
        sum=majority.sums[colour],
        parts=", ".join(told),
    )


def _rivals(majority: Majority) -> str:
    ranked = sorted(majority.sums.items(), key=lambda entry: -entry[1])
    return together(
        f"{colour_name(colour)} {points}"
        for colour, points in ranked
        if points and colour not in majority.strongest
    )


def _outcome(verdict: Verdict, decided: bool) -> str:
    majority = verdict.majority
    if not verdict.winners:
        return ngettext(
            "%(colours)s is neutral, nobody gains anything.",
            "%(colours)s are neutral, nobody gains anything.",
            len(majority.strongest),
            colours=together(map(colour_name, majority.strongest)),
        )
    if majority.share == 0:
        return (
            _("too little to share, nobody gains anything.")
            if majority.symbols
            else _("there is nothing to gain.")
        )
    share = amount(BRINGS[majority.kind], majority.share)
    if len(verdict.winners) > 1:
        return (
            _("each gains %(amount)s.", amount=share)
            if decided
            else _("each would gain %(amount)s.", amount=share)
        )
    colour = colour_name(verdict.winners[0])
    if decided:
        return _("%(colour)s gains %(amount)s.", colour=colour, amount=share)
    return _("%(colour)s would gain %(amount)s.", colour=colour, amount=share)


def _lost(award: Award) -> str:
    lost = amount(award.what, award.lost)
    if award.what is What.CARD:
        return _("%(amount)s more cannot be drawn: the deck is empty.", amount=lost)
    if award.what is What.SILVER:
        return _("%(amount)s more cannot be taken: it is not there.", amount=lost)
    return _("%(amount)s more is lost: nobody holds more than 5.", amount=lost)


def _castle_scored(cell: str, towns: tuple[Scored, ...], colour: str, gained: str) -> str:
    if not towns:
        return _("New castle on %(cell)s: no village and no city in line.", cell=cell)
    told = [
        _("%(town)s %(cell)s (%(points)s)", town=town_name(town.town), cell=town.cell, points=town.points)
        for town in towns
    ]
    return _(
        "New castle on %(cell)s, in line with %(towns)s: %(colour)s gains %(amount)s.",
        cell=cell,
        towns=together(told),
        colour=colour,
        amount=gained,
    )


def _castle_paid(paid: CastlePaid, what: What, colour: str, given: str) -> str:
    cell = paid.site.split("/")[0]
    if paid.over is None:
        told = _(
            "%(colour)s pays %(amount)s for the castle on %(cell)s.", colour=colour, amount=given, cell=cell
        )
    else:
        told = _(
            "%(colour)s pays %(amount)s to overbuild the castle of %(other)s on %(cell)s.",
            colour=colour,
            amount=given,
            other=colour_name(paid.over),
            cell=cell,
        )
    parts = [told]
    if paid.instead_of and what is What.SILVER:  # the resources beside it stand for themselves
        missing = together(kind_name(kind) for kind in paid.instead_of)
        parts.append(_("In place of: %(resources)s.", resources=missing))
    if paid.card is not None:
        parts.append(_("Card: %(card)s.", card=card_name(paid.card)))
    return " ".join(parts)


def _card_played(card: str, other: Colour | None, colour: str, number: int, what: str) -> str:
    if other is None:
        return _("%(card)s: %(colour)s gains %(amount)s.", card=card, colour=colour, amount=what)
    values = {"card": card, "colour": colour, "amount": what, "other": colour_name(other)}
    if number < 0:
        return _("%(card)s: %(colour)s gives %(amount)s to %(other)s.", **values)
    return _("%(card)s: %(colour)s gains %(amount)s from %(other)s.", **values)


def _sold(what: What, count: int, colour: str, gained: str) -> str:
    cards = amount(What.CARD, count)
    if what is What.SILVER:
        return _(
            "%(colour)s sells %(cards)s and gains %(amount)s.", colour=colour, cards=cards, amount=gained
        )
    return _("%(colour)s sells %(cards)s.", colour=colour, cards=cards)
