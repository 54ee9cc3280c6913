"""The final sheet: one line for every number, with its reason (p. 6-8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.scoring.castelli.awards import (
    Award,
    CardsInHand,
    CastlesOnTop,
    OnTheTrack,
    Reason,
    ResourcesLeft,
    SilverPrize,
    StartTileHeld,
    TownMajority,
    Verdict,
    What,
)
from companion.scoring.castelli.board import SiteKey
from companion.scoring.castelli.components import Cell, Colour, Town
from companion.scoring.castelli.evaluation import judge_mine, shares
from companion.scoring.castelli.position import Position
from companion.scoring.castelli.rulings import OPTIONS, Rulings, with_option

START_TILE_POINTS = 5
CASTLE_ON_TOP_POINTS = 2
TOWN_WORTH = {Town.VILLAGE: 3, Town.CITY: 6}


@dataclass(frozen=True, slots=True)
class Prizes:
    """Points for silver: most, second most, and each of those who tie for most."""

    most: int
    second: int
    tied: int


BASE_PRIZES = Prizes(4, 2, 3)
BATTLE_PRIZES = Prizes(8, 4, 6)


@dataclass(frozen=True, slots=True)
class Standing:
    """A place in the ranking; several colours share it where nothing tells them apart."""

    place: int
    colours: tuple[Colour, ...]
    points: int
    castles: int
    by_castles: bool
    """Castles built told them apart from others with as many points."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    lines: tuple[Award, ...]
    """Points, player by player, in the order of the rulebook."""
    totals: Mapping[Colour, int]
    standings: tuple[Standing, ...]
    silver: Mapping[Colour, int]
    """Everybody's silver after the mine was shared out."""
    mine: Verdict | None
    """How the mine's silver went, where it had not been shared out before."""
    rulings: tuple[str, ...]
    """Rulings under whose other option a line would be different, or would be there."""

    @property
    def winners(self) -> tuple[Colour, ...]:
        return self.standings[0].colours if self.standings else ()

    @property
    def is_shared(self) -> bool:
        return len(self.winners) > 1

    def of(self, colour: Colour) -> tuple[Award, ...]:
        return tuple(line for line in self.lines if line.player == colour)


def score_sheet(position: Position) -> ScoreSheet:
    """The end of the game, from the position alone. Before the end: as if it ended now."""
    mine = judge_mine(position)
    silver, silver_instead = _silver_after(position, mine)
    lines = {colour: [] for colour in position.colours}  # type: dict[Colour, list[Award]]
    _hands(position, lines)
    rulings = _silver_lines(position, lines, silver, silver_instead)
    if mine is not None:
        rulings.update(mine.rulings)
    if position.modules.battle:
        rulings.update(_battle(position, lines))
    totals = {colour: sum(line.amount for line in own) for colour, own in lines.items()}
    all_lines = tuple(line for own in lines.values() for line in own)
    rulings.update(name for line in all_lines for name in line.rulings)
    return ScoreSheet(
        lines=all_lines,
        totals=totals,
        standings=standings(totals, castles_built(position)),
        silver=silver,
        mine=mine,
        rulings=tuple(name for name in OPTIONS if name in rulings),
    )


def _add(
    lines: dict[Colour, list[Award]], colour: Colour, amount: int, reason: Reason, *rulings: str
) -> None:
    lines[colour].append(Award(colour, What.POINTS, amount, reason, rulings))


def _hands(position: Position, lines: dict[Colour, list[Award]]) -> None:
    """The track, cards, resources and the start tile."""
    for player in position.players:
        _add(lines, player.colour, player.points, OnTheTrack())
        _add(lines, player.colour, player.cards, CardsInHand(player.cards))
        left = ResourcesLeft(player.wood, player.grain, player.rocks)
        _add(lines, player.colour, player.resources, left)
        if position.modules.dilemma and player.holds_start:
            _add(lines, player.colour, START_TILE_POINTS, StartTileHeld())


def _silver_after(position: Position, mine: Verdict | None) -> tuple[dict[Colour, int], dict[Colour, int]]:
    """Everybody's silver after the mine was shared, as ruled and under the other `neutral_tie`."""
    silver = {player.colour: player.silver for player in position.players}
    instead = dict(silver)
    if mine is not None:
        majority = mine.majority
        share, other = shares(position, majority.symbols, len(majority.strongest), len(mine.winners))
        for colour in mine.winners:
            silver[colour] += share
            instead[colour] += other
    return silver, instead


def silver_prizes(
    silver: Mapping[Colour, int], prizes: Prizes, rulings: Rulings
) -> dict[Colour, tuple[int, int, tuple[Colour, ...]]]:
    """Place, points and those tied, for each who wins a silver prize."""
    most = max(silver.values(), default=0)
    if most <= 0:
        return {}
    top = tuple(colour for colour, amount in silver.items() if amount == most)
    if len(top) > 1:
        return dict.fromkeys(top, (1, prizes.tied, top))
    won = {top[0]: (1, prizes.most, top)}
    others = {
        colour: amount
        for colour, amount in silver.items()
        if colour != top[0] and (amount > 0 or rulings.silver_zero == "second")
    }
    if others:
        next_most = max(others.values())
        second = tuple(colour for colour, amount in others.items() if amount == next_most)
        points = prizes.second
        if len(second) > 1:
            points = prizes.tied if rulings.silver_second_tie == "each" else prizes.second // len(second)
        won.update(dict.fromkeys(second, (2, points, second)))
    return won


def _silver_lines(
    position: Position,
    lines: dict[Colour, list[Award]],
    silver: Mapping[Colour, int],
    silver_instead: Mapping[Colour, int],
) -> set[str]:
    """The silver prizes; returns the rulings that decide a prize, given or withheld."""
    battle = position.modules.battle
    prizes = BATTLE_PRIZES if battle else BASE_PRIZES
    won = silver_prizes(silver, prizes, position.rulings)
    instead = {"neutral_tie": silver_prizes(silver_instead, prizes, position.rulings)}
    for name in ("silver_second_tie", "silver_zero"):
        other = next(option for option in OPTIONS[name] if option != getattr(position.rulings, name))
        instead[name] = silver_prizes(silver, prizes, with_option(position.rulings, name, other))
    nothing = (0, 0, ())
    decisive = set()
    for colour in lines:
        place, points, tied = won.get(colour, nothing)
        matters = [name for name, other in instead.items() if other.get(colour, nothing)[1] != points]
        decisive.update(matters)
        if place:
            if place == 1 and len(tied) > 1:
                matters.append("silver_top_tie")  # the books do not say that it holds for Battle too
            _add(lines, colour, points, SilverPrize(place, silver, tied, battle), *matters)
    return decisive


def _battle(position: Position, lines: dict[Colour, list[Award]]) -> set[str]:
    """Villages and cities to who owns most castles in line with them, and castles on top (p. 8)."""
    tops: dict[Cell, list[tuple[SiteKey, Colour]]] = {}
    own_sites: dict[Colour, list[SiteKey]] = {colour: [] for colour in lines}
    for site, stack in position.castles.items():
        area = position.board.sites.get(site)
        if stack and area is not None and stack[-1] in own_sites:
            tops.setdefault(area.cell, []).append((site, stack[-1]))
            own_sites[stack[-1]].append(site)
    decisive = set()
    for cell, town in position.towns.items():
        decisive.update(_town_line(position, lines, cell, town, tops))
    for colour, sites in own_sites.items():
        if sites:
            _add(lines, colour, CASTLE_ON_TOP_POINTS * len(sites), CastlesOnTop(tuple(sites)))
    return decisive


def _town_line(
    position: Position,
    lines: dict[Colour, list[Award]],
    cell: Cell,
    town: Town,
    tops: Mapping[Cell, list[tuple[SiteKey, Colour]]],
) -> set[str]:
    space = position.board.spaces.get(cell)
    if space is None:
        return set()
    in_line = [castle for other in space.lines for castle in tops.get(other, ())]
    with_own = [*tops.get(cell, ()), *in_line]
    counts = position.rulings.own_space == "counts"
    castles, castles_instead = (with_own, in_line) if counts else (in_line, with_own)
    won = _town_shares(castles, TOWN_WORTH[town])
    instead = _town_shares(castles_instead, TOWN_WORTH[town]) if tops.get(cell) else won
    by_owner: dict[Colour, tuple[SiteKey, ...]] = {
        colour: sites
        for colour in lines
        if (sites := tuple(site for site, owner in castles if owner == colour))
    }
    for colour, points in won.items():
        matters = ["own_space"] if instead.get(colour, 0) != points else []
        if points * len(won) != TOWN_WORTH[town]:
            matters.append("battle_tie_rounding")
        reason = TownMajority(cell, town, TOWN_WORTH[town], by_owner, tuple(won))
        _add(lines, colour, points, reason, *matters)
    return {"own_space"} if instead != won else set()


def _town_shares(castles: list[tuple[SiteKey, Colour]], worth: int) -> dict[Colour, int]:
    """Points for each who owns most of these castles; a tie is shared and rounded up."""
    owners = [owner for _, owner in castles]
    if not owners:
        return {}
    most = max(owners.count(colour) for colour in owners)
    strongest = [colour for colour in dict.fromkeys(owners) if owners.count(colour) == most]
    return dict.fromkeys(strongest, -(-worth // len(strongest)))


def castles_built(position: Position) -> dict[Colour, int]:
    """Castles on the board, also those built over: they break a tie (p. 6)."""
    built = dict.fromkeys(position.colours, 0)
    for stack in position.castles.values():
        for colour in stack:
            if colour in built:
                built[colour] += 1
    return built


def standings(totals: Mapping[Colour, int], castles: Mapping[Colour, int]) -> tuple[Standing, ...]:
    """Most points, then most castles built, then they share the place."""
    ranks = {colour: (points, castles.get(colour, 0)) for colour, points in totals.items()}
    places: list[Standing] = []
    for rank in sorted(set(ranks.values()), reverse=True):
        sharing = tuple(colour for colour in totals if ranks[colour] == rank)
        by_castles = any(other[0] == rank[0] and other != rank for other in ranks.values())
        place = 1 + sum(len(standing.colours) for standing in places)
        places.append(Standing(place, sharing, rank[0], rank[1], by_castles))
    return tuple(places)


def with_rulings(sheet: ScoreSheet, names: set[str]) -> ScoreSheet:
    """The sheet of a game in whose course these rulings mattered too."""
    return replace(sheet, rulings=tuple(name for name in OPTIONS if name in names or name in sheet.rulings))
