"""Names of everything in the box, in the words of the reader's rulebook."""

from __future__ import annotations

from collections.abc import Iterable

from babel.lists import format_list

from companion.table.castelli.rulebook import Card, Gift, Kind, Phase, Rule, Side, Town, What
from companion.web.castelli.tongue import Lazy, lazy, locale, ngettext

_COLOURS = {
    "red": lazy("Red"),
    "blue": lazy("Blue"),
    "green": lazy("Green"),
    "yellow": lazy("Yellow"),
    "black": lazy("Black"),
    "white": lazy("White"),
    "orange": lazy("Orange"),
    "purple": lazy("Purple"),
    "violet": lazy("Violet"),
    "brown": lazy("Brown"),
    "pink": lazy("Pink"),
    "grey": lazy("Grey"),
    "gray": lazy("Grey"),
    "turquoise": lazy("Turquoise"),
}
_KINDS = {
    Kind.WOOD: lazy("Wood"),
    Kind.GRAIN: lazy("Grain"),
    Kind.ROCKS: lazy("Rocks"),
    Kind.MARKET: lazy("Market"),
    Kind.MINE: lazy("Silver mine"),
}
_AREAS = {
    Kind.WOOD: lazy("“wood” area"),
    Kind.GRAIN: lazy("“grain” area"),
    Kind.ROCKS: lazy("“rocks” area"),
    Kind.MARKET: lazy("market"),
    Kind.MINE: lazy("silver mine"),
}
_TOWNS = {Town.VILLAGE: lazy("Village"), Town.CITY: lazy("City")}
_GIFTS = {
    Gift.WOOD: lazy("Wood"),
    Gift.GRAIN: lazy("Grain"),
    Gift.ROCKS: lazy("Rocks"),
    Gift.SILVER: lazy("Silver"),
    Gift.CARD: lazy("Character card"),
    Gift.NEUTRAL: lazy("Neutral coat of arms"),
}
_CARDS = {
    Card.KING_3: lazy("King (3)"),
    Card.KING_4: lazy("King (4)"),
    Card.KING_5: lazy("King (5)"),
    Card.STEWARD: lazy("Steward"),
    Card.LANDGRAVE: lazy("Landgrave"),
    Card.LANDGRAVINE: lazy("Landgravine"),
    Card.ROBBER_BARON: lazy("Robber Baron"),
    Card.RAIDER: lazy("Raider"),
    Card.BRIGANDS: lazy("Brigands"),
    Card.TRAITOR: lazy("Traitor"),
    Card.MASTER_BUILDER: lazy("Master builder"),
    Card.PEASANT: lazy("Peasant"),
    Card.DUKE: lazy("Duke"),
    Card.GUARD: lazy("Guard"),
    Card.INCENDIARY: lazy("Incendiary"),
    Card.ABBOT: lazy("Abbot"),
    Card.ARMY_OF_KNIGHTS: lazy("Army of Knights"),
}
_PHASES = {
    Phase.REVEAL: lazy("Reveal a heraldic tile"),
    Phase.PLACED: lazy("Evaluate areas and gain resources"),
    Phase.BUILD: lazy("Build castle(s) and score victory points"),
}
_SIDES = {
    Side.N: lazy("north"),
    Side.E: lazy("east"),
    Side.S: lazy("south"),
    Side.W: lazy("west"),
}
_HEADINGS = {
    Rule.CHARACTERS: lazy("The 25 basic character cards"),
    Rule.BATTLE_CARDS: lazy("The 8 “Battle” module cards"),
    Rule.COMPONENTS: lazy("Game components for Castelli"),
    Rule.SETUP: lazy("Setup and general preparations"),
    Rule.TURN: lazy("Playing the game"),
    Rule.REVEAL: lazy("Reveal a heraldic tile"),
    Rule.TILE_GIFT: lazy("Gain character card or silver cube"),
    Rule.EVALUATE: lazy("Evaluate areas"),
    Rule.MINE: lazy("Exception “The silver mine”"),
    Rule.RESOURCES: lazy("Gain resources"),
    Rule.RIM_TILE: lazy("Heraldic tiles at the edge of the game board"),
    Rule.RIM_SPACE: lazy("Landscape spaces at the edge of the game board"),
    Rule.MARKET: lazy("The “markets”"),
    Rule.BUILD: lazy("Building castles"),
    Rule.CASTLE_POINTS: lazy("Scoring victory points"),
    Rule.END: lazy("End of the game and winner"),
    Rule.FEWER_PLAYERS: lazy("Rules changes for 2 and 3 players"),
    Rule.DILEMMA: lazy("The “Dilemma” module"),
    Rule.BATTLE: lazy("The “Battle” module"),
    Rule.OVERBUILD: lazy("Rules for overbuilding a castle"),
    Rule.BATTLE_SCORING: lazy("During final scoring points are awarded for …"),
    Rule.TOURNAMENT: lazy("Castelli-Tournament"),
}


def colour_name(colour: str) -> str:
    """In the reader's language where it is an everyday colour, else as the set calls it."""
    known: Lazy | None = _COLOURS.get(colour.casefold())
    return str(known) if known is not None else colour[:1].upper() + colour[1:]


def colour_called(name: str) -> str:
    """The colour that the reader calls so: everyday colours have one name in a set, whatever the language."""
    said = " ".join(name.split()).casefold()
    return next((colour for colour, known in _COLOURS.items() if str(known).casefold() == said), said)


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
    return format_list(list(names), locale=locale())
