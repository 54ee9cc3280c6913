"""Where each rule stands: the page and the heading in the rulebook, for every number handed out."""

from __future__ import annotations

from enum import Enum


class Rule(Enum):
    """A rule by its page (1-8, the same in all four rulebooks) and its heading in the English one."""

    CHARACTERS = (1, "The 25 basic character cards")
    BATTLE_CARDS = (1, "The 8 “Battle” module cards")
    COMPONENTS = (2, "Game components for Castelli")
    SETUP = (3, "Setup and general preparations")
    TURN = (4, "Playing the game")
    REVEAL = (4, "Reveal a heraldic tile")
    TILE_GIFT = (4, "Gain character card or silver cube")
    EVALUATE = (4, "Evaluate areas")
    MINE = (4, "Exception “The silver mine”")
    RESOURCES = (5, "Gain resources")
    RIM_TILE = (5, "Heraldic tiles at the edge of the game board")
    RIM_SPACE = (5, "Landscape spaces at the edge of the game board")
    MARKET = (5, "The “markets”")
    BUILD = (6, "Building castles")
    CASTLE_POINTS = (6, "Scoring victory points")
    END = (6, "End of the game and winner")
    FEWER_PLAYERS = (7, "Rules changes for 2 and 3 players")
    DILEMMA = (7, "The “Dilemma” module")
    BATTLE = (7, "The “Battle” module")
    OVERBUILD = (8, "Rules for overbuilding a castle")
    BATTLE_SCORING = (8, "During final scoring points are awarded for")
    TOURNAMENT = (8, "Castelli-Tournament")

    @property
    def page(self) -> int:
        return self.value[0]

    @property
    def heading(self) -> str:
        return self.value[1]

    def __str__(self) -> str:
        return f"p. {self.page}, {self.heading}"
