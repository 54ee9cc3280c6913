"""What a screen reader says about a mark on the map, in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.table.castelli.rulebook import (
    MISSING,
    AreaState,
    BoardArea,
    Cell,
    Colour,
    FaceUp,
    Kind,
    Position,
    Side,
    SiteKey,
    State,
    Town,
    Verdict,
    What,
)
from companion.web.castelli.tongue import _
from companion.web.castelli.words import (
    amount,
    area_name,
    colour_name,
    gift_name,
    side_name,
    together,
    town_name,
)

_BRINGS = {Kind.WOOD: What.WOOD, Kind.GRAIN: What.GRAIN, Kind.ROCKS: What.ROCKS, Kind.MARKET: What.CARD}


def area(of: BoardArea, verdict: Verdict, state: AreaState) -> str:
    """“B3, “wood” area for 2 wood. Blue leads by 1. Waits for C3.”"""
    parts = [area_title(of), standing(verdict), state_of(state)]
    return " ".join(part for part in parts if part)


def area_title(of: BoardArea) -> str:
    if of.kind is Kind.MINE:
        return _("%(cell)s, %(area)s.", cell=of.cell, area=area_name(of.kind))
    return _(
        "%(cell)s, %(area)s: %(amount)s.",
        cell=of.cell,
        area=area_name(of.kind),
        amount=amount(_BRINGS[of.kind], of.symbols),
    )


def standing(verdict: Verdict) -> str:
    strongest = verdict.majority.strongest
    if not strongest:
        return _("Nobody has points here.")
    if len(strongest) > 1:
        return _("%(colours)s tie.", colours=together(map(colour_name, strongest)))
    best = sorted(verdict.majority.sums.values(), reverse=True)
    return _(
        "%(colour)s leads by %(margin)s.", colour=colour_name(strongest[0]), margin=best[0] - sum(best[1:2])
    )


def state_of(state: AreaState) -> str:
    if state.state is State.EVALUATED:
        return _("Evaluated.")
    if state.state is State.DUE:
        return _("Due now.")
    if state.state is State.NEVER:
        return _("Is not evaluated.")
    if state.state is State.AT_END:
        return _("Is evaluated at the end of the game.")
    return _("Waits for %(cells)s.", cells=together(dict.fromkeys(state.waits_for)))


def slot(position: Position, cell: Cell) -> str:
    """“C3, heraldic tile T07: north Blue 3, east card icon of Red …”"""
    lying = position.slot(cell)
    gifts = [gift_name(rim.gift) for rim in position.board.rims_at.get(cell, ())]
    at_rim = " " + _("At the edge: %(gifts)s.", gifts=together(gifts)) if gifts else ""
    if lying == MISSING:
        return _("%(cell)s, no heraldic tile.", cell=cell) + at_rim
    if not isinstance(lying, FaceUp):
        return _("%(cell)s, heraldic tile, face down.", cell=cell) + at_rim
    return (
        _("%(cell)s, heraldic tile %(tile)s.", cell=cell, tile=lying.tile)
        + " "
        + sides(position, lying)
        + at_rim
    )


def sides(position: Position, lying: FaceUp) -> str:
    tile = position.board.set.tiles.get(lying.tile)
    if tile is None:
        return _("The set has no such tile.")
    told = []
    for side in Side:
        arms = tile.facing(side, lying.turns)
        colour, where = colour_name(arms.colour), side_name(side)
        if arms.value == "card":
            told.append(_("%(side)s: card icon, %(colour)s", side=where, colour=colour))
        else:
            told.append(_("%(side)s: %(colour)s %(value)s", side=where, colour=colour, value=arms.value))
    silver = [amount(What.SILVER, tile.silver)] if tile.silver else []
    words = "; ".join((*told, *silver))
    return f"{words[0].upper()}{words[1:]}."


def castle(site: SiteKey, stack: Sequence[Colour]) -> str:
    cell = site.split("/")[0]
    if len(stack) > 1:
        return _(
            "%(cell)s, castle of %(colour)s, built over one of %(below)s.",
            cell=cell,
            colour=colour_name(stack[-1]),
            below=colour_name(stack[-2]),
        )
    return _("%(cell)s, castle of %(colour)s.", cell=cell, colour=colour_name(stack[-1]))


def town(cell: Cell, kind: Town) -> str:
    return _("%(cell)s, %(town)s.", cell=cell, town=town_name(kind))
