"""What the drawn board shows, mark by mark, ready for the template: no rule and no pixel is decided there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.table.castelli.boardmap import Outline, turned
from companion.table.castelli.rulebook import (
    CARD,
    MISSING,
    AreaState,
    BoardArea,
    Cell,
    Colour,
    FaceUp,
    Gift,
    Kind,
    Point,
    Position,
    Side,
    State,
    Tile,
    Verdict,
    area_states,
    majorities,
)
from companion.web.castelli import labels
from companion.web.castelli.board_marks import (
    AreaMark,
    ArmsMark,
    Badge,
    BoardView,
    CastleMark,
    Coordinate,
    RimMark,
    Spot,
    TileMark,
    TownMark,
)
from companion.web.castelli.mapping import PITCH, TILE, BoardMap
from companion.web.castelli.tinctures import Palette, Tincture

MOST_PIPS = 3
"""Symbols drawn one by one; a set with more gets a number beside one symbol."""
VALUE_REACH = 10.3
"""From a tile's middle to that of a value on its shield."""


def board_view(
    position: Position, palette: Palette, near: Side = Side.S, lit: Iterable[str] = ()
) -> BoardView:
    """`lit` names areas, sites and cells to be shown before all others."""
    drawn = BoardMap(position.board, near)
    lights = frozenset(lit)
    verdicts, states = majorities(position), area_states(position)
    areas = tuple(
        _area(drawn, position, palette, area, verdicts[area.id], states[area.id], lights)
        for area in position.board.areas.values()
    )
    left, top, width, height = drawn.frame
    return BoardView(
        near=near,
        box=(round(left, 1), round(top, 1), round(width, 1), round(height, 1)),
        field=_field(left, top, width, height),
        octagons=tuple(path_of([drawn.octagon(cell)]) for cell in position.board.spaces),
        areas=areas,
        tiles=tuple(_tile(drawn, position, palette, cell) for cell in position.board.slots),
        castles=tuple(
            CastleMark(
                site,
                Spot.at(drawn.site(site)),
                tuple(palette[colour] for colour in stack),
                labels.castle(site, stack),
                site in lights,
            )
            for site, stack in position.castles.items()
            if stack
        ),
        empty_sites=tuple(
            Spot.at(drawn.site(site))
            for site, area in position.board.sites.items()
            if area.kind is Kind.ROCKS and not position.castles.get(site)
        ),
        towns=tuple(
            TownMark(cell, Spot.at(drawn.spot(cell)), town, labels.town(cell, town), cell in lights)
            for cell, town in position.towns.items()
        ),
        rims=tuple(_rims(drawn)),
        coordinates=tuple(_coordinates(drawn)),
        mines=tuple((Spot.at(drawn.spot(mine.cell)), position.mine) for mine in position.board.mines),
        ties=tuple(_ties(areas)),
        is_lit=bool(lights),
    )


def tile_arms(tile: Tile, turns: int, palette: Palette) -> tuple[ArmsMark, ...]:
    """The four coats of arms of a tile as it lies on the screen."""
    marks = []
    for side in Side:
        arms = tile.facing(side, turns)
        is_card = arms.value == CARD
        text = "" if is_card else str(arms.value)
        degrees, at = 90 * (side - Side.S) % 360, Spot.at(turned(Point(0.0, -VALUE_REACH), 90 * side))
        marks.append(ArmsMark(side, degrees, at, palette[arms.colour], text, is_card))
    return tuple(marks)


def path_of(outlines: Iterable[Outline]) -> str:
    """SVG path data of closed outlines, in steps from corner to corner: the page has hundreds of them."""
    return "".join(map(_steps, outlines))


def _steps(outline: Outline) -> str:
    x, y = round(outline[0].x, 1), round(outline[0].y, 1)
    path = f"M{x:g} {y:g}l"
    for point in outline[1:]:
        to_x, to_y = round(point.x, 1), round(point.y, 1)
        path += f"{to_x - x:.4g} {to_y - y:.4g} "
        x, y = to_x, to_y
    return path.rstrip() + "z"


def _field(left: float, top: float, width: float, height: float) -> tuple[float, float, float, float]:
    """The meadow under tiles and octagons, inside the frame."""
    edge = 21.0
    return (
        round(left + edge, 1),
        round(top + edge, 1),
        round(width - 2 * edge, 1),
        round(height - 2 * edge, 1),
    )


def _area(
    drawn: BoardMap,
    position: Position,
    palette: Palette,
    area: BoardArea,
    verdict: Verdict,
    state: AreaState,
    lights: frozenset[str],
) -> AreaMark:
    castles = [site for site in area.sites if position.castles.get(site)]
    spots = drawn.labels(area, castles)
    leaders = tuple(palette[colour] for colour in verdict.majority.strongest)
    # the mine has its number in the middle, where a label of its own would be
    badge_at = Spot.at(drawn.mine_badge(area) if area.kind is Kind.MINE else spots.badge)
    return AreaMark(
        id=area.id,
        kind=area.kind,
        path=path_of(drawn.area(area)),
        fill=_pattern(leaders, state.state is State.EVALUATED),
        state=state.state.value,
        symbols=area.symbols,
        pips=() if area.kind is Kind.MINE else _pips(spots.symbols, area.symbols),
        badge=Badge(badge_at, leaders, _margin(verdict)) if leaders else None,
        label=labels.area(area, verdict, state),
        lit=area.id in lights,
    )


def _pattern(leaders: tuple[Tincture, ...], evaluated: bool) -> str:
    if not leaders:
        return ""
    kind = "held" if evaluated else "wash"
    if len(leaders) == 1:
        return f"{kind}-{leaders[0].number}"
    return "-".join(["tie", kind, *(str(leader.number) for leader in leaders)])


def _ties(areas: Iterable[AreaMark]) -> Iterable[tuple[str, tuple[Tincture, ...]]]:
    ties: Mapping[str, tuple[Tincture, ...]] = {
        area.fill: area.badge.leaders for area in areas if area.badge and len(area.badge.leaders) > 1
    }
    return ties.items()


def _margin(verdict: Verdict) -> str:
    best = sorted(verdict.majority.sums.values(), reverse=True)
    if len(verdict.majority.strongest) > 1:
        return "="
    return str(best[0] - best[1] if len(best) > 1 else best[0])


def _pips(middle: Point, symbols: int) -> tuple[Spot, ...]:
    """One symbol each for what the area brings, close together."""
    step = 4.25
    places: dict[int, tuple[tuple[float, float], ...]] = {
        0: (),
        1: ((0, 0),),
        2: ((-step, 0), (step, 0)),
        3: ((0, -step), (-step, step), (step, step)),
    }
    shown = places[symbols if symbols <= MOST_PIPS else 1]
    return tuple(Spot.at(Point(middle.x + x, middle.y + y)) for x, y in shown)


def _tile(drawn: BoardMap, position: Position, palette: Palette, cell: Cell) -> TileMark:
    lying = position.slot(cell)
    at = Spot.at(drawn.spot(cell))
    fresh = position.placed == cell
    label = labels.slot(position, cell)
    if not isinstance(lying, FaceUp):
        state = "none" if lying == MISSING else "down"
        return TileMark(cell, at, None, state, (), 0, False, fresh, label)
    tile = position.board.set.tiles.get(lying.tile)
    if tile is None:
        return TileMark(cell, at, lying.tile, "unknown", (), 0, False, fresh, label)
    arms = tile_arms(tile, lying.turns + drawn.turns, palette)
    return TileMark(cell, at, tile.id, "up", arms, tile.silver, tile.start, fresh, label)


def _rims(drawn: BoardMap) -> Iterable[RimMark]:
    """Gifts beside tiles, neutral arms beside octagons."""
    reach = TILE / 2 + 8
    for rim in drawn.board.rims.values():
        yield RimMark(Spot.at(drawn.beside(rim.slot, rim.side, reach)), 0, rim.gift)
    edge = PITCH - TILE / 2 + 3.5
    for area in drawn.board.areas.values():
        for side in area.neutral:
            towards_field = drawn.side(side).turned(2)
            at = Spot.at(drawn.beside(area.cell, side, edge))
            yield RimMark(at, 90 * (towards_field - Side.S) % 360, Gift.NEUTRAL)


def _coordinates(drawn: BoardMap) -> Iterable[Coordinate]:
    """Column letters and row numbers along two sides of the frame, as the sentences name them."""
    reach = 42.5
    for cell in (*drawn.board.slots, *drawn.board.spaces):
        letters = cell.rstrip("0123456789")
        number = cell[len(letters) :]
        if number == "1":
            yield Coordinate(Spot.at(drawn.beside(cell, Side.N, reach)), letters)
        if letters == "A":
            yield Coordinate(Spot.at(drawn.beside(cell, Side.W, reach)), number)


def named_colours(position: Position) -> tuple[Colour, ...]:
    """Colours in play first, in the order in which they sit; then the neutral ones."""
    return tuple(dict.fromkeys((*position.colours, *position.board.set.colours)))
