"""What the owner says of spaces, frame, tiles, castles and scales, with proposals that learn from it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from companion.table.castelli.calibrating import scales
from companion.table.castelli.calibrating.desk import Desk
from companion.table.castelli.calibrating.draft import (
    CASTLES,
    EMPTY,
    GIFTS,
    TILES,
    Draft,
    Shot,
    Space,
    Spot,
    Tile,
)
from companion.table.castelli.calibrating.kitfiles import is_meadow, rim_sides
from companion.table.castelli.calibrating.rim import Rim, RimView
from companion.table.castelli.calibrating.sites import SiteView, places, site_views
from companion.table.castelli.calibrating.spaces import Spaces, SpaceView
from companion.table.castelli.calibrating.tiles import PaletteView, Tiles, TileView
from companion.table.errors import BadInput, NotFound, sentence

P = TypeVar("P", bound=BaseModel)
L = TypeVar("L")
KEPT = 6
"""Sets of looks that stay in memory."""
MOST_COLOURS = 12
MOST_SPACES = 1000


class Naming(Desk):
    # Spaces

    def spaces(self, id: str) -> tuple[SpaceView, ...]:
        draft = self.get(id)
        empty = self._grounded(draft)
        return self._looks(
            ("spaces", *_print_key(draft, empty)), lambda: Spaces(self.looking, draft, empty)
        ).views(draft)

    def set_space(self, id: str, name: str, space: Space | Mapping[str, Any], key: str = "") -> Draft:
        said = _valid(Space, space)
        sides = "".join(area.sides for area in said.areas)
        if sorted(sides) != sorted("NESW"):
            raise BadInput(sentence("Each of the four sides belongs to one area."))

        def changed(draft: Draft) -> Draft:
            if name not in draft.keys_of_spaces():
                raise NotFound(sentence("There is no such landscape space."))
            return draft.model_copy(update={"spaces": {**draft.spaces, name: said}})

        return self.drafts.change(id, changed, key)

    def clear_space(self, id: str, name: str, key: str = "") -> Draft:
        spaces = {other: space for other, space in self.get(id).spaces.items() if other != name}
        return self._said(id, key, spaces=spaces)

    # The frame

    def rim(self, id: str) -> tuple[RimView, ...]:
        draft = self.get(id)
        empty = self._grounded(draft)
        return self._looks(("rim", *_print_key(draft, empty)), lambda: Rim(self.looking, draft, empty)).views(
            draft
        )

    def set_rim(self, id: str, side: str, gift: str, key: str = "") -> Draft:
        if gift not in GIFTS:
            raise BadInput(sentence("Choose what the frame shows there."))

        def changed(draft: Draft) -> Draft:
            if not any(name == side and is_meadow(cell) for name, cell, _ in rim_sides(draft)):
                raise NotFound(sentence("No gift is printed there."))
            return draft.model_copy(update={"frame": {**draft.frame, side: gift}})

        return self.drafts.change(id, changed, key)

    def confirm_rim(self, id: str, key: str = "") -> Draft:
        """All proposals that are still open, as they are."""
        open_now = {view.key: view.proposal for view in self.rim(id) if view.is_gift and view.proposal}
        return self._said(id, key, frame=open_now | self.get(id).frame)

    # Tiles

    def palette(self, id: str) -> tuple[PaletteView, ...]:
        draft = self.get(id)
        return self._tile_looks(draft).palette(draft)

    def name_colours(self, id: str, names: Sequence[str], key: str = "") -> Draft:
        """In the order of the palette; what was named with an old name gets the new one."""
        fresh = tuple(" ".join(name.split()).lower()[:40] for name in names)
        if len(set(fresh)) < len(fresh) or not all(fresh) or not 4 <= len(fresh) <= MOST_COLOURS:
            raise BadInput(sentence("Give each colour a name of its own."))

        def changed(draft: Draft) -> Draft:
            renamed = dict(zip(draft.colours, fresh, strict=False))
            tiles = {name: _renamed(tile, renamed) for name, tile in draft.tiles.items()}
            castles = {
                site: tuple(renamed.get(colour, colour) for colour in stack)
                for site, stack in draft.castles.items()
            }
            return draft.model_copy(update={"colours": fresh, "tiles": tiles, "castles": castles})

        return self.drafts.change(id, changed, key)

    def tiles(self, id: str, role: str = TILES) -> tuple[TileView, ...]:
        draft = self.get(id)
        self._shot(draft, role)
        return self._tile_looks(draft).views(draft, role)

    def set_tile(self, id: str, name: str, tile: Tile | Mapping[str, Any], key: str = "") -> Draft:
        said = _valid(Tile, tile)
        colours = [colour for colour, _ in said.sides if colour is not None]
        if len(set(colours)) < len(colours):
            raise BadInput(sentence("Each colour stands on a tile once."))

        def changed(draft: Draft) -> Draft:
            self._check_meadow(draft, name)
            if strange := [colour for colour in colours if colour not in draft.colours]:
                raise BadInput(
                    sentence("“%(colour)s” is none of the colours of this set."), colour=strange[0]
                )
            bare = tuple(other for other in draft.bare if other != name)
            return draft.model_copy(update={"tiles": {**draft.tiles, name: said}, "bare": bare})

        return self.drafts.change(id, changed, key)

    def clear_tile(self, id: str, name: str, key: str = "") -> Draft:
        tiles = {other: tile for other, tile in self.get(id).tiles.items() if other != name}
        return self._said(id, key, tiles=tiles)

    def no_tile(self, id: str, name: str, key: str = "") -> Draft:
        """A meadow of a photo on which no tile lies."""

        def changed(draft: Draft) -> Draft:
            self._check_meadow(draft, name)
            tiles = {other: tile for other, tile in draft.tiles.items() if other != name}
            return draft.model_copy(update={"tiles": tiles, "bare": tuple(sorted({*draft.bare, name}))})

        return self.drafts.change(id, changed, key)

    def _check_meadow(self, draft: Draft, name: str) -> None:
        role, _, cell = name.partition("/")
        self._shot(draft, role)
        if cell not in draft.meadows():
            raise NotFound(sentence("No tile lies there."))

    def _tile_looks(self, draft: Draft) -> Tiles:
        self._grounded(draft)
        roles = [role for role in draft.shots if role.partition("-")[0] in (TILES, CASTLES)]
        if not roles:
            raise NotFound(sentence("First photograph the tiles, face up on the board."))
        versions = [f"{role} {draft.shots[role].version}" for role in roles]
        name = ("tiles", draft.id, _grid_key(draft), *versions, str(max(4, len(draft.colours))))
        return self._looks(name, lambda: Tiles(self.looking, draft, roles))

    # Castles

    def sites(self, id: str) -> tuple[SiteView, ...]:
        draft = self.get(id)
        empty, shot = self._grounded(draft), self._shot(draft, CASTLES)
        looks = self._tile_looks(draft)
        palette = {name: looks.centres[group] for group, name in looks.names(draft).items()}
        return site_views(self.looking, draft, empty, shot, palette)

    def set_castle(self, id: str, site: str, stack: Sequence[str], key: str = "") -> Draft:
        """Colours from the bottom up; none where the site is empty."""

        def changed(draft: Draft) -> Draft:
            if site not in places(draft, self._shot(draft, CASTLES)):
                raise NotFound(sentence("There is no castle site."))
            if len(stack) > 2 or any(colour not in draft.colours for colour in stack):
                raise BadInput(
                    sentence("One castle stands there, or one on another, of the colours of this set.")
                )
            return draft.model_copy(update={"castles": {**draft.castles, site: tuple(stack)}})

        return self.drafts.change(id, changed, key)

    def confirm_castles(self, id: str, key: str = "") -> Draft:
        return self._said(id, key, castles={view.key: view.proposal for view in self.sites(id)})

    # Charts and track

    def place_scale(
        self, id: str, name: str, points: Sequence[Sequence[float]], count: int | None = None, key: str = ""
    ) -> Draft:
        """From the first to the last space; the rest lies between them."""

        def changed(draft: Draft) -> Draft:
            _check_scale(name)
            spots = [self._on_board(draft, point) for point in points]
            number = count or scales.COUNTS[name]
            if len(spots) != 2 or not 2 <= number <= MOST_SPACES or (name != "track" and number != 6):
                raise BadInput(sentence("Tap the first and the last space."))
            scale = scales.placed(name, self._grid(draft), {0: spots[0], number - 1: spots[1]})
            return draft.model_copy(update={"scales": {**draft.scales, name: scale}})

        return self.drafts.change(id, changed, key)

    def move_space(self, id: str, name: str, space: int, to: Sequence[float], key: str = "") -> Draft:
        """Spaces between it and the next ones that were put somewhere move along."""

        def changed(draft: Draft) -> Draft:
            _check_scale(name)
            scale = draft.scales.get(name)
            if scale is None or not 0 <= space < len(scale.spaces):
                raise NotFound(sentence("There is no such space."))
            fresh = scales.moved(name, self._grid(draft), scale, space, self._on_board(draft, to))
            return draft.model_copy(update={"scales": {**draft.scales, name: fresh}})

        return self.drafts.change(id, changed, key)

    def _on_board(self, draft: Draft, point: Sequence[float]) -> Spot:
        grid = self._grid(draft)
        if len(point) != 2 or not (0 <= point[0] <= grid.width and 0 <= point[1] <= grid.height):
            raise BadInput(sentence("This place lies outside the board."))
        return float(point[0]), float(point[1])

    # Looks stay in memory until the photo or the grid changes

    def _looks(self, name: tuple[str, ...], make: Callable[[], L]) -> L:
        if not hasattr(self, "_made"):
            self._made: OrderedDict[tuple[str, ...], Any] = OrderedDict()
        if name not in self._made:
            self._made[name] = make()
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        found: L = self._made[name]
        return found

    def _grounded(self, draft: Draft) -> Shot:
        """The photo of the empty board, once its grid is known."""
        self._grid(draft)
        return self._shot(draft, EMPTY)


def _valid(shape: type[P], value: P | Mapping[str, Any]) -> P:
    if isinstance(value, shape):
        return value
    try:
        return shape.model_validate(value)
    except ValidationError:
        raise BadInput(sentence("This cannot be understood; reload the page and try again.")) from None


def _renamed(tile: Tile, names: Mapping[str, str]) -> Tile:
    sides = tuple((names.get(colour, colour) if colour else None, value) for colour, value in tile.sides)
    return tile.model_copy(update={"sides": sides})


def _check_scale(name: str) -> None:
    if name not in scales.NAMES:
        raise NotFound(sentence("There is no such chart."))


def _grid_key(draft: Draft) -> str:
    return draft.grid.model_dump_json()


def _print_key(draft: Draft, empty: Shot) -> tuple[str, ...]:
    return draft.id, empty.version, _grid_key(draft)
