"""What templates ask about a game: names, sentences, and small selections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import flask_babel
from babel.dates import format_skeleton

from companion.table.castelli.proposal import Proposal
from companion.table.castelli.rulebook import (
    DOWN,
    Build,
    Card,
    Cell,
    Colour,
    Correction,
    Duke,
    EndGame,
    EndTurn,
    Evaluate,
    Event,
    FaceUp,
    Incendiary,
    Kind,
    Overbuild,
    Peasant,
    Phase,
    Reveal,
    Sell,
    Step,
    Town,
    TurnTile,
    Verdict,
)
from companion.table.castelli.sitting import HistoryRow, OpenArea, Sitting
from companion.table.errors import TableError
from companion.web.castelli import rulings_words
from companion.web.castelli.answer_pictures import pictured, tile_look
from companion.web.castelli.asked import answer_place, asked, marker_sentence, said
from companion.web.castelli.deeds import deed
from companion.web.castelli.labels import standing
from companion.web.castelli.problems import problem_sentence
from companion.web.castelli.refusals import refusal
from companion.web.castelli.score_view import ScoreView, score_view
from companion.web.castelli.tongue import _, lazy, locale
from companion.web.castelli.why import BRINGS, award_sentence, verdict_sentence
from companion.web.castelli.words import amount, card_name, colour_name, phase_name
from companion.web.told import told

THINGS = {
    "points": lazy("Victory points"),
    "wood": lazy("Wood"),
    "grain": lazy("Grain"),
    "rocks": lazy("Rocks"),
    "silver": lazy("Silver"),
    "cards": lazy("Cards"),
    "castles_left": lazy("Castles left"),
    "holds_start": lazy("Start tile in hand"),
    "mine": lazy("Silver in the mine"),
    "deck": lazy("Cards in the deck"),
    "spare_villages": lazy("Villages beside the board"),
    "spare_cities": lazy("Cities beside the board"),
}
ICONS = {
    "cards": "card",
    "castles_left": "castle",
    "holds_start": "tile",
    "mine": "silver",
    "deck": "card",
    "spare_villages": "village",
    "spare_cities": "city",
}
DEED_ICONS: Mapping[type[Event], str] = {
    Reveal: "tile",
    TurnTile: "redo",
    Evaluate: "market",
    Build: "castle",
    Overbuild: "castle",
    Peasant: "village",
    Duke: "city",
    Incendiary: "city",
    Sell: "silver",
    EndTurn: "check",
    EndGame: "crown",
    Correction: "settings",
}
"""Everything else is a card that was played."""
STAGES = {
    "keeping": lazy("It is being kept."),
    "reading": lazy("The board is being found and read."),
    "comparing": lazy("It is compared with the game so far."),
}


@dataclass(frozen=True, slots=True)
class DeedTold:
    words: str
    awards: tuple[str, ...]
    refused: str = ""
    is_routine: bool = False
    icon: str = "card"
    tile: FaceUp | None = None
    """As it was laid down."""


def player_name(sitting: Sitting, colour: Colour) -> str:
    """The player's name, or the colour where none was given."""
    return sitting.settings.name_of(colour) or colour_name(colour)


def final_result(sitting: Sitting) -> ScoreView:
    """The end of a game: who has won, and how a tie was broken."""
    names = {colour: player_name(sitting, colour) for colour in sitting.position.colours}
    return score_view(sitting.position, sitting.sheet(), sitting.finished, names)


def turns_of(row: HistoryRow, sitting: Sitting) -> list[DeedTold]:
    """Each event of an entry of the history in words."""
    actives = active_colours(sitting)
    rows = []
    for one in row.happened:
        active = one.player or actives.get(id(one.step), sitting.position.turn)
        refused = refusal(one.error) if one.error is not None else ""
        rows.append(_told(one.event, active, one.step, refused))
    return _worth_telling(rows)


def proposed(proposal: Proposal) -> list[DeedTold]:
    """What a photo says has happened, in words."""
    return _worth_telling([_told(one.event, one.player, one.step) for one in proposal.happened])


def _told(event: Event, active: Colour, step: Step | None, refused: str = "") -> DeedTold:
    awards = () if step is None else tuple(award_sentence(award) for award in step.awards)
    is_routine = isinstance(event, EndTurn | Evaluate)
    tile = FaceUp(event.tile, event.turns) if isinstance(event, Reveal) else None
    icon = DEED_ICONS.get(type(event), "card")
    return DeedTold(deed(event, active), awards, refused, is_routine, icon, tile)


def _worth_telling(deeds: list[DeedTold]) -> list[DeedTold]:
    """The end of a turn goes without saying among other events; so does an evaluation of nothing."""
    return [one for one in deeds if not one.is_routine or one.awards or one.refused or len(deeds) == 1]


def active_colours(sitting: Sitting) -> dict[int, Colour]:
    """Whose turn it was before each step, by the step's identity."""
    found, before = {}, sitting.start
    for step in sitting.steps:
        found[id(step)] = before.turn
        before = step.position
    return found


def waiting_for_one(pending: Sequence[OpenArea]) -> list[OpenArea]:
    """Those where something is at stake already come first."""
    soon = [area for area in pending if len(area.state.waits_for) == 1]
    return sorted(soon, key=lambda area: not area.verdict.majority.strongest)


def brings(open_area: OpenArea) -> str:
    """What an open area is worth: “3 wood”, “Market: 2 cards”."""
    majority = open_area.verdict.majority
    worth = amount(BRINGS[majority.kind], majority.symbols)
    if majority.kind is Kind.MARKET:
        return _("Market: %(cards)s", cards=worth)
    if majority.kind is Kind.MINE:
        return _("Silver mine: %(silver)s", silver=worth)
    return worth


def tiles_down(sitting: Sitting) -> int:
    return sum(slot == DOWN for slot in sitting.position.tiles.values())


def free_spaces(sitting: Sitting) -> list[Cell]:
    """Spaces without a village, a city or the mine: where a new one may be founded."""
    return [
        cell
        for cell, space in sitting.board.spaces.items()
        if cell not in sitting.position.towns and all(area.kind is not Kind.MINE for area in space.areas)
    ]


def cities(sitting: Sitting) -> list[Cell]:
    return [cell for cell, town in sitting.position.towns.items() if town is Town.CITY]


def moment(at: str) -> str:
    """A time of the log as the reader writes it, by the clock at the table: of today only the hour."""
    when, now = datetime.fromisoformat(at).astimezone(), datetime.now().astimezone()
    hour = format_skeleton("Hm", when, when.tzinfo, locale=locale())
    if when.date() == now.date():
        return str(hour)
    if when.year == now.year:
        return f"{format_skeleton('MMMd', when, locale=locale())}, {hour}"
    return str(format_skeleton("yMMMd", when, locale=locale()))


def day(at: str) -> str:
    return str(flask_babel.format_date(datetime.fromisoformat(at).astimezone(), "long", rebase=False))


def failure(error: TableError) -> str:
    """An error of the table room, in words."""
    return told(error.template, error.values)


def percent(share: float) -> str:
    return str(flask_babel.format_percent(share))


def thing_name(thing: str) -> str:
    return str(THINGS[thing])


def stage_name(stage: str) -> str:
    return str(STAGES.get(stage, ""))


def ruled_in_form(form: Mapping[str, str]) -> dict[str, str]:
    """The rulings as a form has them."""
    return {
        name.removeprefix("ruling-"): option for name, option in form.items() if name.startswith("ruling-")
    }


def standing_words(verdict: Verdict) -> str:
    return standing(verdict)


FILTERS: dict[str, Callable[..., Any]] = {
    "answer_place": answer_place,
    "asked": asked,
    "award_sentence": award_sentence,
    "brings": brings,
    "card_name": lambda card: card_name(Card(card)),
    "cities": cities,
    "colour_name": colour_name,
    "day": day,
    "failure": failure,
    "final_result": final_result,
    "free_spaces": free_spaces,
    "marker_sentence": marker_sentence,
    "moment": moment,
    "percent": percent,
    "phase_name": lambda phase: phase_name(Phase(phase)),
    "pictured": pictured,
    "player_name": player_name,
    "problem_sentence": problem_sentence,
    "proposed": proposed,
    "refusal": refusal,
    "ruling_name": rulings_words.ruling_name,
    "ruling_option": rulings_words.ruling_option,
    "ruling_question": rulings_words.ruling_question,
    "ruled_in_form": ruled_in_form,
    "said": said,
    "stage_name": stage_name,
    "standing_words": standing_words,
    "thing_icon": lambda thing: ICONS.get(thing, thing),
    "thing_name": thing_name,
    "tile_look": tile_look,
    "tiles_down": tiles_down,
    "turns_of": turns_of,
    "verdict_sentence": verdict_sentence,
    "waiting_for_one": waiting_for_one,
}
