"""What happened, in words: one sentence for each event of the history."""

from __future__ import annotations

from companion.table.castelli.rulebook import (
    DOWN,
    Brigands,
    Build,
    Card,
    Colour,
    Correction,
    Duke,
    EndGame,
    EndTurn,
    Evaluate,
    Event,
    FaceUp,
    Guard,
    Incendiary,
    King,
    Overbuild,
    Peasant,
    PlayerCorrection,
    Raider,
    Reveal,
    RobberBaron,
    Sell,
    SiteKey,
    Slot,
    Town,
    Traitor,
    TurnTile,
)
from companion.web.castelli.tongue import _, ngettext
from companion.web.castelli.words import (
    card_name,
    castles_amount,
    colour_name,
    phase_name,
    together,
    town_name,
)


def deed(event: Event, active: Colour) -> str:
    """One sentence; `active` is whose turn it was."""
    who = colour_name(active)
    match event:
        case Reveal(slot=slot, tile=tile, swapped=swapped):
            if swapped:
                return _(
                    "%(who)s puts the tile from the hand on %(slot)s: %(tile)s.",
                    who=who,
                    slot=slot,
                    tile=tile,
                )
            return _("%(who)s reveals %(tile)s on %(slot)s.", who=who, slot=slot, tile=tile)
        case TurnTile(player=player):
            return _("%(who)s plays the Steward and turns the tile.", who=colour_name(player))
        case Evaluate():
            return _("Areas are evaluated.")
        case Build(site=site, card=card):
            built = _("%(who)s builds a castle on %(cell)s.", who=who, cell=_cell(site))
            return _with_card(built, card)
        case Overbuild(site=site, card=card):
            built = _("%(who)s overbuilds the castle on %(cell)s.", who=who, cell=_cell(site))
            return _with_card(built, card)
        case Guard(player=player, site=site):
            return _(
                "%(who)s plays the Guard for the castle on %(cell)s.",
                who=colour_name(player),
                cell=_cell(site),
            )
        case Sell(player=player, count=count):
            return ngettext(
                "%(who)s sells %(num)d card.", "%(who)s sells %(num)d cards.", count, who=colour_name(player)
            )
        case EndTurn():
            return _("%(who)s ends the turn.", who=who)
        case EndGame():
            return _("The game ends.")
        case Correction():
            return correction(event)
        case _:
            return _played(event, who)


def _played(
    event: King | RobberBaron | Raider | Brigands | Traitor | Peasant | Duke | Incendiary, who: str
) -> str:
    match event:
        case King(points=points):
            return _("%(who)s plays the King: %(points)s victory points.", who=who, points=points)
        case RobberBaron():
            return _("%(who)s plays the Robber Baron.", who=who)
        case Raider():
            return _("%(who)s plays the Raider.", who=who)
        case Brigands():
            return _("%(who)s plays the Brigands.", who=who)
        case Traitor(victim=victim):
            return _("%(who)s plays the Traitor against %(other)s.", who=who, other=colour_name(victim))
        case Peasant(cell=cell):
            return _("%(who)s plays the Peasant: a new village on %(cell)s.", who=who, cell=cell)
        case Duke(cell=cell):
            return _("%(who)s plays the Duke: a new city on %(cell)s.", who=who, cell=cell)
        case Incendiary(cell=cell):
            return _("%(who)s plays the Incendiary: the city on %(cell)s burns.", who=who, cell=cell)


def _with_card(sentence: str, card: Card | None) -> str:
    return sentence if card is None else f"{sentence} {_('Card: %(card)s.', card=card_name(card))}"


def _cell(site: SiteKey) -> str:
    return site.split("/")[0]


def correction(event: Correction) -> str:
    """Everything that was set by hand."""
    parts = [_("%(cell)s: %(tile)s", cell=cell, tile=_slot(slot)) for cell, slot in event.tiles.items()]
    parts += [
        _("%(cell)s: %(stack)s", cell=_cell(site), stack=_stack(stack))
        for site, stack in event.castles.items()
    ]
    parts += [_("%(cell)s: %(town)s", cell=cell, town=_town(town)) for cell, town in event.towns.items()]
    parts += [
        _("%(who)s: %(things)s", who=colour_name(colour), things=things)
        for colour, given in event.players.items()
        if (things := _belongings(given))
    ]
    numbers = (
        (event.mine, _("silver mine")),
        (event.deck, _("cards in the deck")),
        (event.spare_villages, _("villages beside the board")),
        (event.spare_cities, _("cities beside the board")),
    )
    parts += [
        _("%(what)s %(number)s", what=what, number=number) for number, what in numbers if number is not None
    ]
    if event.paid:
        parts.append(_("evaluated: %(areas)s", areas=together(sorted(event.paid))))
    if event.not_paid:
        parts.append(_("not evaluated: %(areas)s", areas=together(sorted(event.not_paid))))
    if event.turn is not None:
        parts.append(_("turn of %(who)s", who=colour_name(event.turn)))
    if event.phase is not None:
        parts.append(phase_name(event.phase))
    said = _("Set by hand: %(things)s.", things="; ".join(parts)) if parts else _("Set by hand.")
    return f"{said} {event.note}".strip()


def _slot(slot: Slot) -> str:
    if isinstance(slot, FaceUp):
        return _("%(tile)s, turned by %(degrees)s°", tile=slot.tile, degrees=slot.turns * 90)
    return _("face down") if slot == DOWN else _("no tile")


def _stack(stack: tuple[Colour, ...]) -> str:
    if not stack:
        return _("no castle")
    return _("castle: %(colours)s", colours=together(map(colour_name, stack)))


def _town(town: Town | None) -> str:
    return _("no village or city") if town is None else town_name(town)


def _belongings(given: PlayerCorrection) -> str:
    numbers = (
        (given.points, _("victory points")),
        (given.wood, _("wood")),
        (given.grain, _("grain")),
        (given.rocks, _("rocks")),
        (given.silver, _("silver")),
        (given.cards, _("cards")),
    )
    told = [f"{what} {number}" for number, what in numbers if number is not None]
    if given.castles_left is not None:
        told.append(_("%(castles)s left", castles=castles_amount(given.castles_left)))
    if given.hand_tile is not None:
        told.append(
            _("tile in hand %(tile)s", tile=given.hand_tile) if given.hand_tile else _("tile in hand unknown")
        )
    if given.holds_start is not None:
        told.append(_("start tile in hand") if given.holds_start else _("start tile placed"))
    return ", ".join(told)
