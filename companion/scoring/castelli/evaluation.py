"""Influence, and what an area brings to the strongest (p. 4-6)."""

from __future__ import annotations

from companion.scoring.castelli.awards import Counted, Majority, RimGift, RuleBroken, Step, Verdict
from companion.scoring.castelli.board import BoardArea, Rim
from companion.scoring.castelli.components import Cell, Colour, Gift, Kind, Side
from companion.scoring.castelli.events import Evaluate
from companion.scoring.castelli.ledger import Ledger
from companion.scoring.castelli.position import FaceUp, Phase, Position
from companion.scoring.castelli.rules_index import Rule

_RESOURCE_OF_GIFT = {Gift.WOOD: Kind.WOOD, Gift.GRAIN: Kind.GRAIN, Gift.ROCKS: Kind.ROCKS}


def counted_sides(position: Position, borders: tuple[tuple[Cell, Side], ...]) -> tuple[Counted, ...]:
    """The coats of arms that look across these borders; tiles face down, or not of this set, show none."""
    tiles = position.tiles
    faces = position.board.faces
    counted = []
    for slot, side in borders:
        lying = tiles.get(slot)
        if isinstance(lying, FaceUp) and (face := faces.get(lying.tile)) is not None:
            colour, points, is_card = face[(side - lying.turns) % 4]
            counted.append(Counted(slot, lying.tile, side, colour, points, is_card))
    return tuple(counted)


def sums_of(position: Position, counted: tuple[Counted, ...]) -> dict[Colour, int]:
    """Points of each colour, neutral ones too."""
    sums = dict.fromkeys(position.board.colours, 0)
    for side in counted:
        sums[side.colour] += side.points
    return sums


def is_never(counted: tuple[Counted, ...]) -> bool:
    """Neutral arms and card icons alone: such an area is not evaluated (p. 5)."""
    return all([side.is_card for side in counted])  # noqa: C419  # a list is faster for so few


def judge(position: Position, area: BoardArea, counted: tuple[Counted, ...], worth: int) -> Verdict:
    """Who is strongest and what each gets; the same for areas, markets and the mine."""
    sums = sums_of(position, counted)
    most = max(sums.values(), default=0)
    strongest = tuple([colour for colour, points in sums.items() if points == most]) if most else ()
    winners = tuple([colour for colour in strongest if position.is_playing(colour)])
    share, instead = shares(position, worth, len(strongest), len(winners))
    majority = Majority(area.id, area.kind, worth, sums, counted, strongest, share)
    return Verdict(majority, winners, ("neutral_tie",) if share != instead else ())


def shares(position: Position, worth: int, strongest: int, winners: int) -> tuple[int, int]:
    """The share of each winner as ruled, and under the other option of `neutral_tie`."""
    if not winners:
        return 0, 0
    with_neutral, without = worth // strongest, worth // winners
    if position.rulings.neutral_tie == "shares":
        return with_neutral, without
    return without, with_neutral


def due(position: Position) -> list[tuple[BoardArea, tuple[Counted, ...]]]:
    """Areas whose bordering tiles all lie face up and which have not been paid, in reading order."""
    evaluated = position.evaluated
    hidden = _hidden(position)
    complete = [
        (area, counted_sides(position, area.borders))
        for mask, area in position.board.masks
        if not mask & hidden and area.id not in evaluated
    ]
    return [(area, counted) for area, counted in complete if not is_never(counted)]


def _hidden(position: Position) -> int:
    """The bits of all slots without a tile face up."""
    tiles = position.tiles
    hidden = 0
    for slot, bit in position.board.bits.items():
        if tiles.get(slot).__class__ is not FaceUp:
            hidden |= bit
    return hidden


def due_rims(position: Position) -> list[Rim]:
    tiles, evaluated = position.tiles, position.evaluated
    return [
        rim
        for rim in position.board.rims.values()
        if rim.id not in evaluated and tiles.get(rim.slot).__class__ is FaceUp
    ]


def evaluate(position: Position, event: Evaluate) -> Step:
    """Rim gifts first, then areas in reading order; shares go round clockwise from the active player.

    The order only matters where mine or deck run out. Rim gifts wait for this moment because a Steward
    may turn the tile before.
    """
    if position.phase is not Phase.PLACED:
        raise RuleBroken(
            "nothing-to-evaluate", "Areas are evaluated once, after a tile was revealed.", Rule.EVALUATE
        )
    ledger = Ledger(position, event.drawn)
    rims = due_rims(position)
    for rim in rims:
        _pay_rim(ledger, rim)
    verdicts = []
    for area, counted in due(position):
        verdict = judge(position, area, counted, area.symbols)
        _pay(ledger, verdict)
        verdicts.append(verdict)
    paid = [rim.id for rim in rims] + [verdict.majority.area for verdict in verdicts]
    evaluated = position.evaluated.union(paid) if paid else position.evaluated
    return ledger.step(tuple(verdicts), evaluated=evaluated, phase=Phase.BUILD)


def _pay_rim(ledger: Ledger, rim: Rim) -> None:
    sides = counted_sides(ledger.position, ((rim.slot, rim.side),))
    if not sides or sides[0].colour not in ledger.players:
        return
    colour = sides[0].colour
    reason = RimGift(rim.id, rim.gift, sides[0].tile)
    if rim.gift is Gift.SILVER:
        ledger.silver_from_mine(colour, 1, reason)
    elif rim.gift is Gift.CARD:
        ledger.draw(colour, 1, reason)
    else:
        ledger.gain_resource(colour, _RESOURCE_OF_GIFT[rim.gift], 1, reason)


def _pay(ledger: Ledger, verdict: Verdict) -> None:
    majority = verdict.majority
    if not majority.share:
        return
    instead = -1
    if verdict.rulings:
        _, instead = shares(ledger.position, majority.symbols, len(majority.strongest), len(verdict.winners))
    for colour in clockwise(ledger.position, verdict.winners):
        if majority.kind is Kind.MARKET:
            ledger.draw(colour, majority.share, majority, instead)
        else:
            ledger.gain_resource(colour, majority.kind, majority.share, majority, instead)


def clockwise(position: Position, colours: tuple[Colour, ...]) -> list[Colour]:
    """These players in turn order, the active player first."""
    if len(colours) == 1:
        return list(colours)
    seats = position.colours
    first = seats.index(position.turn) if position.turn in seats else 0
    return [colour for colour in (*seats[first:], *seats[:first]) if colour in colours]


def judge_mine(position: Position) -> Verdict | None:
    """The mine at the end of the game; None where it is never evaluated or has been already."""
    for area in position.board.mines:
        counted = counted_sides(position, area.borders)
        if area.id not in position.evaluated and not is_never(counted):
            return judge(position, area, counted, position.mine)
    return None


def pay_mine(ledger: Ledger, verdict: Verdict) -> None:
    if verdict.majority.share:
        for colour in clockwise(ledger.position, verdict.winners):
            ledger.silver_from_mine(colour, verdict.majority.share, verdict.majority, verdict.rulings)
