"""How far a draft has got: what is said, what is missing, and what the rulebook's counts say to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from companion.table.castelli.calibrating.draft import CASTLES, EMPTY, START, TILES, Draft, Space
from companion.table.castelli.calibrating.kitfiles import first_shown, is_meadow, rim_sides
from companion.table.castelli.calibrating.scales import NAMES
from companion.table.castelli.setrules import CITIES, START_TILES, VILLAGES
from companion.table.castelli.setrules import TILES as HERALDIC
from companion.table.errors import Told, sentence

Count = tuple[int, int | None]
"""How many there are, and how many there should be; None where that is not known."""

CASTLES_EACH = 2
"""Castles of a colour that should be shown at least: one may stand in a shadow."""


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    done: int
    total: int
    open: tuple[Told, ...] = ()
    ready: bool = True

    @property
    def is_done(self) -> bool:
        return self.done >= self.total and not self.open


@dataclass(frozen=True, slots=True)
class SpaceCheck:
    villages: Count
    cities: Count
    mines: Count
    named: int
    total: int
    problems: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class TileCheck:
    tiles: Count
    starts: Count
    problems: tuple[Told, ...]


def steps(draft: Draft) -> tuple[Step, ...]:
    grid = draft.grid_confirmed and draft.geometry is not None
    empty = draft.shot(EMPTY)
    board = Step("board", int(empty is not None) + int(empty is not None and empty.corners_confirmed), 2)
    named = space_check(draft)
    gifts = [key for key, cell, _ in rim_sides(draft) if is_meadow(cell)]
    said = [
        board,
        Step("grid", int(grid), 1, (), board.done == 2),
        Step("spaces", named.named, named.total, named.problems, grid),
        Step("frame", sum(key in draft.frame for key in gifts), len(gifts), (), grid),
        _tile_step(draft, grid),
        _castle_step(draft, grid),
        Step("scales", sum(name in draft.scales for name in NAMES), len(NAMES), (), grid),
    ]
    whole = all(step.is_done for step in said)
    learnt = bool(draft.calibration) and draft.learnt == draft.said
    tried = any(shot.reading is not None for shot in draft.shots.values())
    return (
        *said,
        Step("learn", int(learnt), 1, (), whole),
        Step("try", int(tried), 1, (), bool(draft.calibration)),
    )


def _tile_step(draft: Draft, grid: bool) -> Step:
    check = tile_check(draft)
    total = (check.tiles[1] or _meadows_shown(draft, check)) + (check.starts[1] or 0)
    whole = sum(draft.tiles[key].is_whole for key in first_shown(draft).values())
    missing = [] if TILES in draft.shots else [Told(sentence("Photograph all tiles, face up on the board."))]
    (named, tiles), (starts, wanted) = check.tiles, check.starts
    if tiles and wanted and named >= tiles and starts < wanted and CASTLES in draft.shots:
        told = sentence(
            "A set has %(wanted)s start tiles; you named %(count)s. Tap the place where one is missing."
        )
        missing.append(Told(told, {"wanted": wanted, "count": starts}))
    return Step("tiles", min(whole, total), total, (*missing, *check.problems), grid)


def _meadows_shown(draft: Draft, check: TileCheck) -> int:
    """How many tiles an edition has, as nobody else knows: as many as lie on the photo of all tiles."""
    bare = sum(name.startswith(f"{TILES}/") for name in draft.bare)
    return max(1, len(draft.meadows()) - bare, check.tiles[0] + check.starts[0])


def _castle_step(draft: Draft, grid: bool) -> Step:
    """Two photos, then castles of each colour."""
    problems = []
    if START not in draft.shots:
        problems.append(Told(sentence("Photograph the board as at the start of a game.")))
    if CASTLES not in draft.shots:
        problems.append(Told(sentence("Photograph castles of every colour on castle sites.")))
    shown = Counter(colour for stack in draft.castles.values() for colour in stack)
    if CASTLES in draft.shots:
        problems += [
            Told(sentence("No castle of the colour %(colour)s is named yet."), {"colour": colour})
            for colour in draft.colours
            if not shown[colour]
        ]
    done = sum(role in draft.shots for role in (START, CASTLES)) + sum(bool(shown[c]) for c in draft.colours)
    return Step("castles", done, 2 + max(4, len(draft.colours)), tuple(problems), grid)


def space_check(draft: Draft) -> SpaceCheck:
    keys = draft.keys_of_spaces()
    spaces = {key: space for key, space in draft.spaces.items() if key in keys}
    printed = Counter(space.printed for space in spaces.values())
    mines = sum(area.kind == "mine" for space in spaces.values() for area in space.areas)
    is_rulebook = not draft.edition
    villages = printed["village"], VILLAGES if is_rulebook else None
    cities = printed["city"], CITIES if is_rulebook else None
    whole = len(spaces) == len(keys)
    problems = [told for key, space in spaces.items() for told in _space_problems(keys[key], space)]
    for told, (count, wanted) in (
        (sentence("%(wanted)s villages are printed on the board; you named %(count)s."), villages),
        (sentence("%(wanted)s cities are printed on the board; you named %(count)s."), cities),
        (sentence("%(wanted)s silver mine is printed on the board; you named %(count)s."), (mines, 1)),
    ):
        if wanted is not None and (count > wanted or (whole and count < wanted)):
            problems.append(Told(told, {"wanted": wanted, "count": count}))
    complete = sum(not any(_space_problems("", space)) for space in spaces.values())
    return SpaceCheck(villages, cities, (mines, 1), complete, len(keys), tuple(problems))


def _space_problems(cell: str, space: Space) -> Iterator[Told]:
    values = {"cell": cell}
    for area in space.areas:
        if area.kind is None:
            yield Told(sentence("%(cell)s: an area has no kind yet."), values)
        elif area.kind != "mine" and not area.symbols:
            yield Told(sentence("%(cell)s: count the symbols of each area."), values)
        if area.kind == "rocks" and not area.sites:
            yield Told(sentence("%(cell)s: rocks have a castle site; tap it."), values)
        if area.kind == "mine" and len(space.areas) > 1:
            yield Told(sentence("%(cell)s: the mine has its space to itself."), values)


def tile_check(draft: Draft) -> TileCheck:
    shown = [draft.tiles[key] for key in first_shown(draft).values()]
    starts = sum(tile.start for tile in shown)
    heraldic = len(shown) - starts
    problems = []
    if not draft.colours and TILES in draft.shots:
        problems.append(Told(sentence("Give the colours of the tiles their names.")))
    for name, tile in draft.tiles.items():
        if not tile.is_whole:
            cell = name.partition("/")[2]
            problems.append(Told(sentence("The tile at %(cell)s has a side without a name."), {"cell": cell}))
    problems += [
        Told(sentence("The tiles at %(one)s and %(other)s are the same; look again."), {"one": a, "other": b})
        for a, b in _twins(draft)
    ]
    tiles: Count = heraldic, HERALDIC if not draft.edition else None
    start: Count = starts, START_TILES if not draft.edition else None
    for told, (count, wanted) in (
        (sentence("A set has %(wanted)s heraldic tiles; you named %(count)s."), tiles),
        (sentence("A set has %(wanted)s start tiles; you named %(count)s."), start),
    ):
        if wanted is not None and count > wanted:
            problems.append(Told(told, {"wanted": wanted, "count": count}))
    return TileCheck(tiles, start, tuple(problems))


def _twins(draft: Draft) -> Iterator[tuple[str, str]]:
    """Tiles of one photo that are the same when turned: no set has two."""
    seen: dict[tuple[str, object], str] = {}
    for name, tile in draft.tiles.items():
        role, _, cell = name.partition("/")
        if tile.likeness is not None:
            if (role, tile.likeness) in seen:
                yield seen[role, tile.likeness], cell
            seen.setdefault((role, tile.likeness), cell)
