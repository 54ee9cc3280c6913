"""Names of everything in the box, in the words of the reader's rulebook."""

from __future__ import annotations

from collections.abc import Iterable

from babel.lists import format_list
from flask_babel import LazyString, get_locale, lazy_gettext, ngettext

from companion.table.castelli.rulebook import Card, Gift, Kind, Phase, Rule, Side, Town, What

_COLOURS = {
    "red": lazy_gettext("Red"),
    "blue": lazy_gettext("Blue"),
    "green": lazy_gettext("Green"),
    "yellow": lazy_gettext("Yellow"),
    "black": lazy_gettext("Black"),
    "white": lazy_gettext("White"),
    "orange": lazy_gettext("Orange"),
    "purple": lazy_gettext("Purple"),
    "violet": lazy_gettext("Violet"),
    "brown": lazy_gettext("Brown"),
    "pink": lazy_gettext("Pink"),
    "grey": lazy_gettext("Grey"),
    "gray": lazy_gettext("Grey"),
    "turquoise": lazy_gettext("Turquoise"),
}
_KINDS = {
    Kind.WOOD: lazy_gettext("Wood"),
    Kind.GRAIN: lazy_gettext("Grain"),
    Kind.ROCKS: lazy_gettext("Rocks"),
    Kind.MARKET: lazy_gettext("Market"),
    Kind.MINE: lazy_gettext("Silver mine"),
}
_AREAS = {
    Kind.WOOD: lazy_gettext("“wood” area"),
    Kind.GRAIN: lazy_gettext("“grain” area"),
    Kind.ROCKS: lazy_gettext("“rocks” area"),
    Kind.MARKET: lazy_gettext("market"),
    Kind.MINE: lazy_gettext("silver mine"),
}
_TOWNS = {Town.VILLAGE: lazy_gettext("Village"), Town.CITY: lazy_gettext("City")}
_GIFTS = {
    Gift.WOOD: lazy_gettext("Wood"),
    Gift.GRAIN: lazy_gettext("Grain"),
    Gift.ROCKS: lazy_gettext("Rocks"),
    Gift.SILVER: lazy_gettext("Silver"),
    Gift.CARD: lazy_gettext("Character card"),
    Gift.NEUTRAL: lazy_gettext("Neutral coat of arms"),
}
_CARDS = {
    Card.KING_3: lazy_gettext("King (3)"),
    Card.KING_4: lazy_gettext("King (4)"),
    Card.KING_5: lazy_gettext("King (5)"),
    Card.STEWARD: lazy_gettext("Steward"),
    Card.LANDGRAVE: lazy_gettext("Landgrave"),
    Card.LANDGRAVINE: lazy_gettext("Landgravine"),
    Card.ROBBER_BARON: lazy_gettext("Robber Baron"),
    Card.RAIDER: lazy_gettext("Raider"),
    Card.BRIGANDS: lazy_gettext("Brigands"),
    Card.TRAITOR: lazy_gettext("Traitor"),
    Card.MASTER_BUILDER: lazy_gettext("Master builder"),
    Card.PEASANT: lazy_gettext("Peasant"),
    Card.DUKE: lazy_gettext("Duke"),
    Card.GUARD: lazy_gettext("Guard"),
    Card.INCENDIARY: lazy_gettext("Incendiary"),
    Card.ABBOT: lazy_gettext("Abbot"),
    Card.ARMY_OF_KNIGHTS: lazy_gettext("Army of Knights"),
}
_PHASES = {
    Phase.REVEAL: lazy_gettext("Reveal a heraldic tile"),
    Phase.PLACED: lazy_gettext("Evaluate areas and gain resources"),
    Phase.BUILD: lazy_gettext("Build castle(s) and score victory points"),
}
_SIDES = {
    Side.N: lazy_gettext("north"),
    Side.E: lazy_gettext("east"),
    Side.S: lazy_gettext("south"),
    Side.W: lazy_gettext("west"),
}
_HEADINGS = {
    Rule.CHARACTERS: lazy_gettext("The 25 basic character cards"),
    Rule.BATTLE_CARDS: lazy_gettext("The 8 “Battle” module cards"),
    Rule.COMPONENTS: lazy_gettext("Game components for Castelli"),
    Rule.SETUP: lazy_gettext("Setup and general preparations"),
    Rule.TURN: lazy_gettext("Playing the game"),
    Rule.REVEAL: lazy_gettext("Reveal a heraldic tile"),
    Rule.TILE_GIFT: lazy_gettext("Gain character card or silver cube"),
    Rule.EVALUATE: lazy_gettext("Evaluate areas"),
    Rule.MINE: lazy_gettext("Exception “The silver mine”"),
    Rule.RESOURCES: lazy_gettext("Gain resources"),
    Rule.RIM_TILE: lazy_gettext("Heraldic tiles at the edge of the game board"),
    Rule.RIM_SPACE: lazy_gettext("Landscape spaces at the edge of the game board"),
    Rule.MARKET: lazy_gettext("The “markets”"),
    Rule.BUILD: lazy_gettext("Building castles"),
    Rule.CASTLE_POINTS: lazy_gettext("Scoring victory points"),
    Rule.END: lazy_gettext("End of the game and winner"),
    Rule.FEWER_PLAYERS: lazy_gettext("Rules changes for 2 and 3 players"),
    Rule.DILEMMA: lazy_gettext("The “Dilemma” module"),
    Rule.BATTLE: lazy_gettext("The “Battle” module"),
    Rule.OVERBUILD: lazy_gettext("Rules for overbuilding a castle"),
    Rule.BATTLE_SCORING: lazy_gettext("During final scoring points are awarded for …"),
    Rule.TOURNAMENT: lazy_gettext("Castelli-Tournament"),
}


def colour_name(colour: str) -> str:
    """In the reader's language where it is an everyday colour, else as the set calls it."""
    known: LazyString | None = _COLOURS.get(colour.casefold())
    return str(known) if known is not None else colour[:1].upper() + colour[1:]


def kind_name(kind: Kind) -> str:
    return str(_KINDS[Kind(kind)])


def area_name(kind: Kind) -> str:
    """An area of this kind, as it stands in a sentence after its place: “B3, “wood” area”."""
    return str(_AREAS[Kind(kind)])


def town_name(town: Town) -> str:
    return str(_TOWNS[Town(town)])


def gift_name(gift: Gift) -> str:
    return str(_GIFTS[Gift(gift)])


def card_name(card: Card) -> str:
    return str(_CARDS[Card(card)])


def phase_name(phase: Phase) -> str:
    return str(_PHASES[Phase(phase)])


def side_name(side: Side) -> str:
    return str(_SIDES[side])


def heading(rule: Rule) -> str:
    """The heading in the reader's rulebook; its page is the same in all of them."""
    return str(_HEADINGS[rule])


def amount(what: What, number: int) -> str:
    """“2 rocks”, “1 card”, “5 victory points”."""
    what = What(what)
    if what is What.WOOD:
        return ngettext("%(num)d wood", "%(num)d wood", number)
    if what is What.GRAIN:
        return ngettext("%(num)d grain", "%(num)d grain", number)
    if what is What.ROCKS:
        return ngettext("%(num)d rock", "%(num)d rocks", number)
    if what is What.SILVER:
        return ngettext("%(num)d silver", "%(num)d silver", number)
    if what is What.CARD:
        return ngettext("%(num)d card", "%(num)d cards", number)
    return ngettext("%(num)d victory point", "%(num)d victory points", number)


def towns_amount(town: Town, number: int) -> str:
    if Town(town) is Town.VILLAGE:
        return ngettext("%(num)d village", "%(num)d villages", number)
    return ngettext("%(num)d city", "%(num)d cities", number)


def castles_amount(number: int) -> str:
    return ngettext("%(num)d castle", "%(num)d castles", number)


def together(names: Iterable[str]) -> str:
    """“Green, Red and Blue”, as the reader's language joins them."""
    return format_list(list(names), locale=get_locale() or "en")
