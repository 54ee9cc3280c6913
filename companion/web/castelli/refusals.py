"""Why the rules refuse something, in the reader's language, with the page where the rule stands.

The rules themselves say it in English, with names and numbers. For the other languages each kind of refusal
has a sentence of its own.
"""

from __future__ import annotations

from companion.table.castelli.rulebook import RuleBroken
from companion.web.castelli.tongue import _, lazy, locale
from companion.web.castelli.words import heading
from companion.web.told import told

SENTENCES = {
    "bad-count": lazy("Say how many cards are sold, at least one."),
    "bad-turn": lazy("A heraldic tile lies in one of four orientations."),
    "bought-before": lazy("Silver may stand in for a resource only once a turn."),
    "built-over-before": lazy("This castle has been overbuilt once already."),
    "buys-twice": lazy("The Master builder already lets silver stand in."),
    "drawn-too-many": lazy("More cards are named than were drawn."),
    "game-over": lazy("The game has ended."),
    "guarded": lazy("A Guard protects this castle in this turn."),
    "mine-too-empty": lazy("The silver mine is too empty to sell a card, by the ruling of this game."),
    "no-battle": lazy("This belongs to the “Battle” module, which is not played."),
    "no-castle": lazy("No castle stands there that could be overbuilt."),
    "no-castle-left": lazy("No castle of this colour is left to build."),
    "no-city": lazy("No city stands there."),
    "no-coat": lazy("No coat of arms of this colour points at that landscape space."),
    "no-dilemma": lazy("Tiles are exchanged in the “Dilemma” module only."),
    "no-site": lazy("That is no building site of this board."),
    "no-slot": lazy("That is no place for a heraldic tile on this board."),
    "no-space": lazy("That is no landscape space of this board."),
    "no-spare-town": lazy("None is left beside the board."),
    "no-such-card": lazy("That card is not in the player’s hand."),
    "no-such-king": lazy("There is no King worth that many points."),
    "no-such-tile": lazy("The set has no such heraldic tile."),
    "no-tile-to-turn": lazy("The Steward turns the tile just placed, before areas are evaluated."),
    "no-victim": lazy("The Traitor needs another player of this game."),
    "nobodys-turn": lazy("It is the turn of a colour that nobody plays."),
    "not-evaluated": lazy("First the areas have to be evaluated."),
    "not-face-down": lazy("No tile lies face down there."),
    "not-in-hand": lazy("That tile was not in the player’s hand."),
    "not-missing": lazy("Silver stands in only for a resource that is missing."),
    "not-own-castle": lazy("No castle of this player is on top there."),
    "not-playing": lazy("Nobody plays this colour."),
    "not-revealed": lazy("First a heraldic tile has to be revealed."),
    "not-stronger": lazy("To overbuild a castle you need more heraldic points there than its owner."),
    "not-vacant": lazy("A village or city already stands there."),
    "nothing-to-evaluate": lazy("Areas are evaluated once, after a tile was revealed."),
    "only-card-coats": lazy("Only card icons point there, and this game rules that they are not enough."),
    "own-castle": lazy("This castle is the player’s own."),
    "own-turn": lazy("This card is played in another player’s turn."),
    "revealed-before": lazy("A tile has already been revealed in this turn."),
    "second-card": lazy("In your own turn you may use one card."),
    "site-taken": lazy("A castle already stands there."),
    "start-tile": lazy("A start tile can only come out of a hand."),
    "taken-without-swap": lazy("A tile goes into the hand only when one is exchanged."),
    "tile-in-hand": lazy("That tile is in another player’s hand."),
    "tile-twice": lazy("That tile already lies somewhere else."),
    "tiles-down": lazy("Tiles still lie face down."),
    "too-few-cards": lazy("The player holds fewer cards than that."),
    "too-little-silver": lazy("The player has too little silver."),
    "too-poor": lazy("The player has too few resources."),
    "victim-without-card": lazy("That player has no card that could be bought."),
    "wrong-card": lazy("This card does not help here."),
    "wrong-ground": lazy("This castle may not stand in an area of this kind."),
}
"""By the code that the rules give."""


def reason(code: str, english: str) -> str:
    """What is wrong; `english` is what the rules said, or a sentence of the table room's."""
    known = SENTENCES.get(code)
    return str(known) if known is not None and locale() != "en" else told(english, {})


def refusal(broken: RuleBroken) -> str:
    """What is wrong, and where the rule stands."""
    return _(
        "%(why)s Rules p. %(page)s, “%(heading)s”.",
        why=reason(broken.code, broken.sentence),
        page=broken.rule.page,
        heading=heading(broken.rule),
    )
