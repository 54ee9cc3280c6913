"""Why an area goes to whom: the sums, the sides that count, the rule, the rulings."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.castelli.rulebook import (
    Award,
    BoardArea,
    Cell,
    Colour,
    Counted,
    Kind,
    Majority,
    Position,
    Side,
    SiteKey,
    State,
    Step,
    Verdict,
    area_state,
    majorities,
)
from companion.web.castelli import labels
from companion.web.castelli.board_marks import ArmsMark
from companion.web.castelli.board_view import tile_arms
from companion.web.castelli.mapping import map_turns
from companion.web.castelli.tinctures import Palette, Tincture
from companion.web.castelli.tongue import _
from companion.web.castelli.why import (
    RulingNote,
    award_sentence,
    counted_sentence,
    rule_page,
    rule_reference,
    ruling_notes,
    verdict_sentence,
)


@dataclass(frozen=True, slots=True)
class CountedView:
    """A side of a tile that counts, with the tile as it lies."""

    slot: Cell
    arms: tuple[ArmsMark, ...]
    silver: int
    start: bool
    sentence: str
    points: int


@dataclass(frozen=True, slots=True)
class SumView:
    """One colour's influence on the area."""

    colour: Colour
    tincture: Tincture
    points: int
    leads: bool
    neutral: bool
    """Nobody plays this colour."""
    sides: tuple[CountedView, ...]


@dataclass(frozen=True, slots=True)
class SiteView:
    site: SiteKey
    label: str
    stack: tuple[Tincture, ...]


@dataclass(frozen=True, slots=True)
class AreaView:
    area: BoardArea
    title: str
    state: State
    state_sentence: str
    sentence: str
    """Who gains what and why, with the page."""
    paid: tuple[str, ...]
    """What was really handed out, where that differs from the share: limits, an empty deck."""
    rule: str
    rulings: tuple[RulingNote, ...]
    sums: tuple[SumView, ...]
    waits_for: tuple[Cell, ...]
    neutral_sides: int
    sites: tuple[SiteView, ...]

    @property
    def shown(self) -> tuple[Cell, ...]:
        """The tiles that count, for crops of the photo."""
        return tuple(dict.fromkeys(side.slot for row in self.sums for side in row.sides))


def area_view(
    position: Position, steps: tuple[Step, ...], area_id: str, palette: Palette, near: Side = Side.S
) -> AreaView:
    """Pictures of tiles are turned as the map is. `KeyError` where the board has no such area."""
    area = position.board.areas[area_id]
    state = area_state(position, area_id)
    verdict, awards = _decided(steps, area_id)
    if verdict is None or state.state is not State.EVALUATED:
        verdict, awards = majorities(position)[area_id], ()
    decided = state.state in (State.EVALUATED, State.DUE)
    sentence = verdict_sentence(verdict, decided)
    return AreaView(
        area=area,
        title=labels.area_title(area),
        state=state.state,
        state_sentence=labels.state_of(state),
        sentence=f"{sentence} {rule_page(verdict.majority.rule)}",
        paid=tuple(award_sentence(award) for award in awards if award.lost),
        rule=rule_reference(verdict.majority.rule),
        rulings=ruling_notes(_rulings(verdict, awards), position.rulings),
        sums=tuple(_sums(position, verdict.majority, palette, map_turns(near))),
        waits_for=tuple(dict.fromkeys(state.waits_for)),
        neutral_sides=len(area.neutral),
        sites=tuple(_site(position, site, palette) for site in area.sites),
    )


def _decided(steps: tuple[Step, ...], area_id: str) -> tuple[Verdict | None, tuple[Award, ...]]:
    """How the area came out when it was evaluated, and what was handed out for it."""
    for step in reversed(steps):
        for verdict in step.verdicts:
            if verdict.majority.area == area_id:
                awards = (
                    award
                    for award in step.awards
                    if isinstance(award.reason, Majority) and award.reason.area == area_id
                )
                return verdict, tuple(awards)
    return None, ()


def _rulings(verdict: Verdict, awards: tuple[Award, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*verdict.rulings, *(name for award in awards for name in award.rulings))))


def _sums(position: Position, majority: Majority, palette: Palette, turns: int) -> list[SumView]:
    """Every colour with a side here, the strongest first."""
    rows = []
    for colour, points in sorted(majority.sums.items(), key=lambda entry: -entry[1]):
        own = (side for side in majority.counted if side.colour == colour)
        sides = tuple(_counted(position, side, palette, turns) for side in own)
        if sides:
            leads = colour in majority.strongest
            neutral = colour not in position.colours
            rows.append(SumView(colour, palette[colour], points, leads, neutral, sides))
    return rows


def _counted(position: Position, side: Counted, palette: Palette, view_turns: int) -> CountedView:
    tile = position.board.set.tiles[side.tile]
    lying = position.slot(side.slot)
    turns = getattr(lying, "turns", 0)
    arms = tile_arms(tile, turns + view_turns, palette)
    return CountedView(side.slot, arms, tile.silver, tile.start, counted_sentence(side), side.points)


def _site(position: Position, site: SiteKey, palette: Palette) -> SiteView:
    stack = position.castles.get(site, ())
    area = position.board.sites[site]
    if stack:
        label = labels.castle(site, stack)
    elif area.kind is Kind.ROCKS:
        label = _("%(cell)s, building site.", cell=area.cell)
    else:
        label = _("%(cell)s, no castle.", cell=area.cell)
    return SiteView(site, label, tuple(palette[colour] for colour in stack))
