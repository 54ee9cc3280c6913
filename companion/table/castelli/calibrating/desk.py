"""The desk at which a set is put together: drafts, their photos and pictures, and the grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from companion.table.calibrating.drafts import Drafts
from companion.table.castelli.calibrating.draft import CELLS, EMPTY, Draft, Geometry, Rect, Shot
from companion.table.castelli.calibrating.looking import Looking, jpeg_of
from companion.table.castelli.calibrating.meadows import Meadows
from companion.table.castelli.calibrating.photographing import Photographing
from companion.table.castelli.setrules import COLUMNS, ROWS
from companion.table.errors import BadInput, NotFound, Told, sentence

LONGEST_TITLE = 60
LONGEST_PICTURE = 2400
MOST_PER_MM = 12.0
"""Pixels a millimetre of a picture: finer than any phone's photo of a whole board."""


@dataclass(frozen=True, slots=True)
class DraftCard:
    id: str
    title: str
    changed: str
    done: int
    total: int


class Desk:
    def __init__(self, folder: Path) -> None:
        self.drafts = Drafts(folder, Draft)
        self.looking = Looking(self.drafts.photo)
        self._photos = Photographing(self.drafts, self.looking)

    def new(self, title: str, columns: int = COLUMNS, rows: int = ROWS, edition: str = "") -> Draft:
        _check_cells(columns, rows, edition)
        name = _title(title)
        return self.drafts.add(
            lambda id: Draft(id=id, title=name, columns=columns, rows=rows, edition=edition.strip())
        )

    def get(self, id: str) -> Draft:
        return self.drafts.get(id)

    def rename(self, id: str, title: str, key: str = "") -> Draft:
        name = _title(title)
        return self._said(id, key, title=name)

    def delete(self, id: str) -> None:
        self.drafts.delete(id)

    def undo(self, id: str) -> Draft:
        return self.drafts.undo(id)

    def redo(self, id: str) -> Draft:
        return self.drafts.redo(id)

    def can_undo(self, id: str) -> bool:
        return self.drafts.can_undo(id)

    def can_redo(self, id: str) -> bool:
        return self.drafts.can_redo(id)

    # Photos

    def photograph(self, id: str, role: str, data: bytes, key: str = "") -> Draft:
        return self._photos.take(id, role, data, key)

    def set_corners(self, id: str, role: str, corners: Sequence[Sequence[float]], key: str = "") -> Draft:
        if len(corners) != 4 or any(len(corner) != 2 for corner in corners):
            raise BadInput(sentence("Drag the four corners to the corners of the board first."))
        spots = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
        return self._shot_with(id, role, key, corners=spots, corners_confirmed=False)

    def turn_corners(self, id: str, role: str, key: str = "") -> Draft:
        """The next corner is the board's top left."""
        corners = self._shot(self.get(id), role).corners
        return self._shot_with(id, role, key, corners=(*corners[1:], *corners[:1]), corners_confirmed=False)

    def confirm_corners(self, id: str, role: str, key: str = "") -> Draft:
        return self._photos.confirm_corners(id, role, key)

    def remove_photo(self, id: str, role: str, key: str = "") -> Draft:
        def removed(draft: Draft) -> Draft:
            self._shot(draft, role)
            shots = {name: shot for name, shot in draft.shots.items() if name != role}
            tiles = {name: tile for name, tile in draft.tiles.items() if name.partition("/")[0] != role}
            bare = tuple(name for name in draft.bare if name.partition("/")[0] != role)
            return draft.model_copy(update={"shots": shots, "tiles": tiles, "bare": bare})

        return self.drafts.change(id, removed, key)

    def next_role(self, id: str, kind: str) -> str:
        """The next free one of `extra-1`, `extra-2` ..., or of tries."""
        taken = self.get(id).shots
        free = (f"{kind}-{n}" for n in range(1, 100) if f"{kind}-{n}" not in taken)
        return next(free)

    def next_extra(self, id: str) -> str:
        return self.next_role(id, "extra")

    # Pictures

    def picture(self, id: str, role: str, longest: int = 1600) -> bytes:
        draft = self.get(id)
        return jpeg_of(self.looking.photo(draft, self._shot(draft, role)).image, _longest(longest))

    def board(self, id: str, role: str, longest: int = 1600) -> bytes:
        grid = self._grid(self.get(id))
        return self.crop(id, role, (0, 0, grid.width, grid.height), longest)

    def crop(self, id: str, role: str, rect: Rect, longest: int = 480, turned: int = 0) -> bytes:
        draft = self.get(id)
        grid = self._grid(draft)
        left, top, right, bottom = rect
        long = max(right - left, bottom - top)
        outside = right < 0 or bottom < 0 or left > grid.width or top > grid.height
        if not (right - left > 0 and bottom - top > 0) or outside or long > 2 * (grid.width + grid.height):
            raise NotFound(sentence("This place lies outside the board."))
        per_mm = min(MOST_PER_MM, _longest(longest) / long)
        return jpeg_of(self.looking.cut(draft, self._shot(draft, role), rect, per_mm), longest, turned)

    # The grid

    def set_geometry(self, id: str, key: str = "", **changes: float) -> Draft:
        """Another width alone makes everything larger or smaller."""

        def changed(draft: Draft) -> Draft:
            grid = self._grid(draft)
            if changes.keys() == {"width"}:
                return draft.model_copy(update={"geometry": _scaled(grid, changes["width"])})
            try:
                fresh = Geometry.model_validate(grid.model_dump() | changes)
            except ValidationError:
                raise BadInput(sentence("These lengths do not fit a board.")) from None
            _check_grid(draft, fresh)
            return draft.model_copy(update={"geometry": fresh})

        return self.drafts.change(id, changed, key)

    def fit_grid(self, id: str, key: str = "") -> Draft:
        return self._photos.lay_grid(id, key)

    def confirm_grid(self, id: str, key: str = "") -> Draft:
        def confirmed(draft: Draft) -> Draft:
            if not self._shot(draft, EMPTY).corners_confirmed:
                raise BadInput(sentence("Drag the four corners to the corners of the board first."))
            _check_grid(draft, self._grid(draft))
            return draft.model_copy(update={"grid_confirmed": True})

        return self.drafts.change(id, confirmed, key)

    def grid_doubt(self, id: str) -> Told | None:
        """What is to be looked at where no grid fits the picture well, or something lies on the board."""
        draft = self.get(id)
        shot = draft.shot(EMPTY)
        if shot is None or not shot.corners_confirmed:
            return None
        if self._photos.grid_fits(draft, shot):
            if draft.geometry is None or not Meadows(self.looking, draft, shot).seem_taken():
                return None
            return Told(
                sentence(
                    "Do tiles lie on the board? This photo has to show it empty: take them off, and "
                    "photograph it again. If it is empty, go on."
                )
            )
        return Told(
            sentence(
                "No grid was seen in this picture. Does it show the empty board, and are the corners right?"
            )
        )

    def set_cells(self, id: str, columns: int, rows: int, edition: str, key: str = "") -> Draft:
        """Another number of cells: the grid is laid anew, and what was said of other cells is forgotten."""
        _check_cells(columns, rows, edition)

        def changed(draft: Draft) -> Draft:
            update: dict[str, Any] = {"columns": columns, "rows": rows, "edition": edition.strip()}
            if (columns, rows) != (draft.columns, draft.rows):
                update |= {"geometry": None, "grid_confirmed": False, "spaces": {}, "frame": {}}
                update |= {"tiles": {}, "bare": (), "castles": {}}
            return draft.model_copy(update=update)

        draft = self.drafts.change(id, changed, key)
        shot = draft.shot(EMPTY)
        if draft.geometry is None and shot is not None and shot.corners_confirmed:
            return self.fit_grid(id)
        return draft

    # What the others use

    def _said(self, id: str, key: str = "", **update: Any) -> Draft:
        return self.drafts.change(id, lambda draft: draft.model_copy(update=update), key)

    def _shot(self, draft: Draft, role: str) -> Shot:
        shot = draft.shot(role)
        if shot is None:
            raise NotFound(sentence("This photo has not been taken yet."))
        return shot

    def _shot_with(self, id: str, role: str, key: str, **update: Any) -> Draft:
        def changed(draft: Draft) -> Draft:
            shot = self._shot(draft, role).model_copy(update=update)
            return draft.model_copy(update={"shots": {**draft.shots, role: shot}})

        return self.drafts.change(id, changed, key)

    def _grid(self, draft: Draft) -> Geometry:
        if draft.geometry is None:
            raise NotFound(sentence("Confirm the corners of the empty board first."))
        return draft.geometry


def _scaled(grid: Geometry, width: float) -> Geometry:
    if not 50 <= width <= 5000:
        raise BadInput(sentence("A board is between 50 and 5000 millimetres wide."))
    return grid.scaled(width / grid.width)


def _title(title: str) -> str:
    name = " ".join(title.split())[:LONGEST_TITLE]
    if not name:
        raise BadInput(sentence("Give your copy of the game a name."))
    return name


def _check_cells(columns: int, rows: int, edition: str) -> None:
    if columns not in CELLS or rows not in CELLS:
        raise BadInput(
            sentence("A board piece has 2, 4, 6 ... up to 12 cells a side: pieces make a checkerboard.")
        )
    if (columns, rows) != (COLUMNS, ROWS) and not edition.strip():
        raise BadInput(sentence("A board with other cells is another edition: give it a name."))


def _check_grid(draft: Draft, grid: Geometry) -> None:
    right, bottom = grid.x + draft.across * grid.pitch, grid.y + draft.down * grid.pitch
    if min(grid.x, grid.y) < 0 or right > grid.width or bottom > grid.height:
        raise BadInput(sentence("The grid reaches over the edge of the board; make it smaller or move it."))
    if not grid.pitch < grid.octagon <= grid.pitch * 1.43 or grid.tile >= grid.pitch:
        raise BadInput(
            sentence("Octagons reach over their cells and touch each other; tiles fit between them.")
        )


def _longest(longest: int) -> int:
    return max(16, min(longest, LONGEST_PICTURE))
