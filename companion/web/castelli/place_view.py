"""Castle sites and landscape spaces: what stands there, who may build, and how to set it right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.table.castelli.rulebook import (
    BUILDING_CARDS,
    OVERBUILDING_CARDS,
    BuildingSite,
    Card,
    Cell,
    Colour,
    Correction,
    Phase,
    PlayerCorrection,
    Position,
    Scored,
    SiteKey,
    Town,
    TownMajority,
    area_states,
    building_sites,
    majorities,
    score_sheet,
)
from companion.web.castelli import labels
from companion.web.castelli.tinctures import Palette, Tincture
from companion.web.castelli.tongue import _
from companion.web.castelli.why_end import town_sentence
from companion.web.castelli.words import colour_name, together, town_name


@dataclass(frozen=True, slots=True)
class StackChoice:
    value: str
    """Colours from the bottom up, by commas; empty for no castle."""
    stack: tuple[Tincture, ...]
    label: str
    now: bool


@dataclass(frozen=True, slots=True)
class Builder:
    """A player who may build here as the tiles lie."""

    colour: Colour
    points: int
    towns: str
    can_pay: bool
    acts: bool
    """It is their turn to build, so it can be done from here."""
    over: bool
    card: Card | None = None
    """The card that makes it possible."""


@dataclass(frozen=True, slots=True)
class SiteView:
    site: SiteKey
    title: str
    choices: tuple[StackChoice, ...]
    builders: tuple[Builder, ...]
    area: str
    guard: Colour | None = None
    """Battle: who may play a Guard for the castle here, in the turn of another."""


@dataclass(frozen=True, slots=True)
class TownChoice:
    value: str
    label: str
    now: bool


@dataclass(frozen=True, slots=True)
class SpaceView:
    cell: Cell
    title: str
    choices: tuple[TownChoice, ...]
    areas: tuple[tuple[str, str], ...]
    in_line: str
    """Battle: who owns the most castles in its row and column."""


def site_view(position: Position, site: SiteKey, palette: Palette) -> SiteView:
    """`KeyError` where the board has no such site."""
    area = position.board.sites[site]
    stack = position.castles.get(site, ())
    empty = _("%(cell)s, building site.", cell=area.cell)
    return SiteView(
        site=site,
        title=labels.castle(site, stack) if stack else empty,
        choices=tuple(
            StackChoice(
                ",".join(choice),
                tuple(palette[colour] for colour in choice),
                _stack_label(choice),
                choice == stack,
            )
            for choice in _stacks(position, stack)
        ),
        builders=tuple(_builders(position, site)),
        area=area.id,
        guard=_guard(position, stack),
    )


def _guard(position: Position, stack: tuple[Colour, ...]) -> Colour | None:
    may = position.modules.battle and not position.finished and stack and stack[-1] != position.turn
    return stack[-1] if may and position.player(stack[-1]).cards else None


def site_correction(position: Position, site: SiteKey, stack: tuple[Colour, ...]) -> Correction:
    """The castles beside the board change with those that are put on it or taken off."""
    more = Counter(stack)
    more.subtract(position.castles.get(site, ()))
    players = {
        player.colour: PlayerCorrection(castles_left=max(0, player.castles_left - more[player.colour]))
        for player in position.players
        if more[player.colour]
    }
    return Correction(castles={site: stack}, players=players)


def space_view(position: Position, cell: Cell) -> SpaceView:
    """`KeyError` where the board has no such space."""
    space = position.board.spaces[cell]
    town = position.towns.get(cell)
    verdicts, states = majorities(position), area_states(position)
    kinds: tuple[Town | None, ...] = (None, Town.VILLAGE, Town.CITY)
    return SpaceView(
        cell=cell,
        title=labels.town(cell, town) if town else _("%(cell)s, no village or city.", cell=cell),
        choices=tuple(
            TownChoice(kind or "", town_name(kind) if kind else _("Nothing"), kind == town) for kind in kinds
        ),
        areas=tuple((area.id, labels.area(area, verdicts[area.id], states[area.id])) for area in space.areas),
        in_line=_in_line(position, cell),
    )


def _stacks(position: Position, now: tuple[Colour, ...]) -> list[tuple[Colour, ...]]:
    """No castle, one of each player, and one over another where castles may be overbuilt."""
    colours = position.colours
    stacks: list[tuple[Colour, ...]] = [(), *((colour,) for colour in colours)]
    if position.modules.battle:
        stacks += [(below, above) for below in colours for above in colours if above != below]
    return stacks if now in stacks else [*stacks, now]


def _stack_label(stack: tuple[Colour, ...]) -> str:
    if not stack:
        return _("No castle")
    if len(stack) == 1:
        return colour_name(stack[0])
    return _("%(above)s over %(below)s", above=colour_name(stack[-1]), below=colour_name(stack[-2]))


def _builders(position: Position, site: SiteKey) -> Iterable[Builder]:
    """Everybody who may build here; whose turn it is, also with a card where nothing else goes."""
    for colour in position.colours:
        plain = [option for option in building_sites(position, colour) if option.site == site]
        for option in plain:
            yield _builder(position, colour, option)
        if _acts(position, colour) and not any(option.price for option in plain):
            for card in (*BUILDING_CARDS, *OVERBUILDING_CARDS):
                for option in building_sites(position, colour, card):
                    if option.site == site and option.price is not None:
                        yield _builder(position, colour, option)


def _acts(position: Position, colour: Colour) -> bool:
    return position.turn == colour and position.phase is Phase.BUILD


def _builder(position: Position, colour: Colour, option: BuildingSite) -> Builder:
    return Builder(
        colour,
        option.points,
        _towns(option.towns),
        option.price is not None,
        _acts(position, colour),
        option.over is not None,
        option.card,
    )


def _towns(towns: tuple[Scored, ...]) -> str:
    return together(f"{town_name(town.town)} {town.cell} ({town.points})" for town in towns)


def _in_line(position: Position, cell: Cell) -> str:
    if not position.modules.battle:
        return ""
    sheet = score_sheet(position)
    for line in sheet.lines:
        if isinstance(line.reason, TownMajority) and line.reason.cell == cell:
            return town_sentence(line.reason)
    return ""
