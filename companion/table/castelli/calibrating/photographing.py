"""Photos come into a draft here: each is checked, and the board is found in it."""

from __future__ import annotations

import re

import numpy as np

from companion.table.calibrating.drafts import Drafts
from companion.table.calibrating.photochecks import CUT_OFF, NOT_THE_BOARD, good_photo, not_found
from companion.table.castelli.calibrating.boardfit import BoardPhoto
from companion.table.castelli.calibrating.draft import (
    CASTLES,
    EMPTY,
    QUADRANTS,
    START,
    TILES,
    Draft,
    Geometry,
    Laid,
    Shot,
)
from companion.table.castelli.calibrating.looking import Looking
from companion.table.castelli.calibrating.meadows import Meadows
from companion.table.castelli.calibrating.sites import castles_seen
from companion.table.errors import BadInput, BoardNotFound, TableError, sentence
from companion.table.photos import checked_jpeg
from companion.vision.camera import Matrix
from companion.vision.errors import VisionError
from companion.vision.model import Found, SheetPose
from companion.vision.photo import Photo
from companion.vision.quality import is_cut_off

ROLE = re.compile(r"empty|start|(tiles|castles|extra|try)(-[1-9]\d?)?")
WIDTH = 500.0
"""Millimetres, where the owner does not say how wide the board is."""
AT_THE_RIM = 0.002
"""A corner this near the photo's edge, as a part of its long side, was cut off."""
NO_TILES = sentence(
    "No tiles lie on the board: lay one on every meadow, and take it again. If they lay on your first photo, "
    "take that one again, of the empty board."
)
FACE_UP = sentence("The tiles lie face up: turn them over, as at the start of a game, and take it again.")
FACE_DOWN = sentence("The tiles lie face down: turn them face up, and take it again.")
MEADOWS_TAKEN = sentence("Tiles lie on most meadows: leave only the start tiles, face up, and take it again.")
NOTHING_LIES = sentence(
    "Neither start tiles nor castles were seen: lay the start tiles on four meadows, castles on their sites, "
    "and take it again."
)

PIECES_MOVED = sentence(
    "The board pieces lie otherwise than on your first photo: lay them as they lay, so that what you named "
    "stays true, and take it again."
)
MIRRORED = sentence(
    "This photo or that of the empty board is mirrored, as some cameras do that face you: take both with the "
    "camera at the back of the phone."
)
AS_FIRST = {(place, piece, 0) for place, piece in QUADRANTS.items()}

Corners = tuple[tuple[float, float], ...]


class Photographing:
    def __init__(self, drafts: Drafts[Draft], looking: Looking) -> None:
        self.drafts = drafts
        self.looking = looking

    def take(self, id: str, role: str, data: bytes, key: str = "") -> Draft:
        """The draft with the photo in it; where the photo is of no use, a TableError says what to do."""
        draft = self.drafts.get(id)
        if key and key in draft.keys:
            return draft
        if not ROLE.fullmatch(role):
            raise BadInput(sentence("There is no such photo to take."))
        jpeg, width, height = checked_jpeg(data)
        photo = good_photo(jpeg)
        if role != EMPTY:
            self._ready(draft)
        shot = Shot(file=self.drafts.keep_photo(id, jpeg), width=width, height=height)
        if role == EMPTY:
            shot = self._empty_again(draft, shot, photo) or _first_look(shot, photo, draft)
        else:
            shot = self._found(draft, shot, photo, role)
        return self.drafts.change(id, lambda old: _with_shot(old, role, shot), key)

    def confirm_corners(self, id: str, role: str, key: str = "") -> Draft:
        """Draws the corners to the board's edges; the empty board then gets a grid, if it has none."""

        def confirmed(draft: Draft) -> Draft:
            shot = _shot(draft, role)
            check_corners(shot)
            if role != EMPTY:
                return _with_shot(draft, role, shot.model_copy(update={"corners_confirmed": True}))
            if draft.geometry and draft.grid_confirmed:
                shot = self._drawn(draft, shot)
                return _with_shot(draft, role, shot.model_copy(update={"corners_confirmed": True}))
            return self._laid(draft, shot.model_copy(update={"corners_confirmed": True}))

        return self.drafts.change(id, confirmed, key)

    def lay_grid(self, id: str, key: str = "") -> Draft:
        """The grid as the picture has it, whatever it was made before."""
        return self.drafts.change(id, lambda draft: self._laid(draft, _shot(draft, EMPTY)), key)

    def grid_fits(self, draft: Draft, shot: Shot) -> bool:
        return self._board(draft, shot).shows_grid(np.array(shot.corners))

    def _laid(self, draft: Draft, shot: Shot) -> Draft:
        """The grid that fits the picture, as wide as the owner said, and the corners at the board's edge."""
        draft = self._with_cells(draft, shot)
        corners, lengths = self._board(draft, shot).laid(np.array(shot.corners))
        pitch = (draft.geometry.width if draft.geometry else WIDTH) / lengths["width"]
        geometry = Geometry(**{name: round(length * pitch, 2) for name, length in lengths.items()})
        shot = shot.model_copy(update={"corners": _spots(corners)})
        return _with_shot(draft, EMPTY, shot).model_copy(update={"geometry": geometry})

    def _with_cells(self, draft: Draft, shot: Shot) -> Draft:
        """A board on which other cells are seen is another edition, if nothing was said of its cells yet."""
        if draft.is_named or self.grid_fits(draft, shot):
            return draft
        seen = self._board(draft, shot).other_cells(np.array(shot.corners))
        if seen is None:
            return draft
        name = draft.edition or f"{seen[0]} × {seen[1]}"
        return draft.model_copy(update={"columns": seen[0], "rows": seen[1], "edition": name})

    def _drawn(self, draft: Draft, shot: Shot) -> Shot:
        corners = self._board(draft, shot).drawn(np.array(shot.corners), draft.grid)
        return shot.model_copy(update={"corners": _spots(corners)})

    def _board(self, draft: Draft, shot: Shot) -> BoardPhoto:
        return BoardPhoto(self.looking.photo(draft, shot), draft.across, draft.down)

    def _ready(self, draft: Draft) -> None:
        empty = draft.shot(EMPTY)
        if empty is None or draft.geometry is None or not draft.grid_confirmed:
            raise BadInput(sentence("First photograph the empty board and lay the grid over it."))

    def _empty_again(self, draft: Draft, shot: Shot, photo: Photo) -> Shot | None:
        """A further photo of an empty board that was named: its print tells where the corners are, and
        whether its pieces lie as they did. None where it is not found by what was photographed before."""
        before = draft.shot(EMPTY)
        if before is None or not (draft.is_named and before.corners_confirmed and draft.grid_confirmed):
            return None
        try:
            found = self.looking.found(draft, before, shot)
        except VisionError:
            return None
        if is_cut_off(np.array(found.corners), photo):
            raise BoardNotFound(CUT_OFF)
        if any((pose.place, pose.sheet, pose.turned) not in AS_FIRST for pose in _pieces(found)):
            raise BadInput(PIECES_MOVED)
        update = {"corners": _spots(np.array(found.corners)), "arrangement": _first_laid()}
        return shot.model_copy(update=update)

    def _found(self, draft: Draft, shot: Shot, photo: Photo, role: str) -> Shot:
        try:
            found = self.looking.found(draft, _shot(draft, EMPTY), shot)
        except VisionError as error:
            raise self._why_not_found(draft, shot, error) from None
        if is_cut_off(np.array(found.corners), photo):
            raise BoardNotFound(CUT_OFF)
        laid: dict[str, Laid] = {
            pose.place: (pose.sheet, 180 if pose.turned == 180 else 0) for pose in _pieces(found)
        }
        arrangement = _all_laid(laid)
        if len(arrangement) < len(QUADRANTS) and found.assembly != "two":
            raise BoardNotFound(NOT_THE_BOARD)
        shot = shot.model_copy(
            update={
                "corners": _spots(np.array(found.corners)),
                "corners_confirmed": True,
                "arrangement": arrangement,
                "assembly": found.assembly,
            }
        )
        self._check_content(draft, shot, role)
        return shot

    def _why_not_found(self, draft: Draft, shot: Shot, error: VisionError) -> TableError:
        """Cameras that look back at their owner mirror what they see."""
        try:
            self.looking.found(draft, _shot(draft, EMPTY), shot, mirrored=True)
        except VisionError:
            return not_found(error)
        return BadInput(MIRRORED)

    def _check_content(self, draft: Draft, shot: Shot, role: str) -> None:
        """What the step asks for lies on the meadows."""
        kind = role.partition("-")[0]
        if kind not in (START, TILES, CASTLES):
            return
        meadows = Meadows(self.looking, draft, shot)
        if kind == CASTLES:
            if not meadows.are_bare():
                raise BadInput(MEADOWS_TAKEN)
            if not meadows.covered() and not castles_seen(self.looking, draft, _shot(draft, EMPTY), shot):
                raise BadInput(NOTHING_LIES)
            return
        if meadows.are_bare():
            raise BadInput(NO_TILES)
        is_up = meadows.show_faces()
        if kind == START and is_up is True:
            raise BadInput(FACE_UP)
        if kind == TILES and is_up is False:
            raise BadInput(FACE_DOWN)


def _all_laid(seen: dict[str, Laid]) -> dict[str, Laid]:
    """Pieces under so much that they were not seen lie where they lay, if all that were seen do."""
    before = _first_laid()
    return before if seen and seen.items() <= before.items() else seen


def _first_laid() -> dict[str, Laid]:
    return {place: (piece, 0) for place, piece in QUADRANTS.items()}


def _pieces(found: Found) -> list[SheetPose]:
    return [pose for pose in found.poses if pose.place in QUADRANTS]


def _first_look(shot: Shot, photo: Photo, draft: Draft) -> Shot:
    """Corners are proposed, with the charts on the right where the picture shows them."""
    corners, seen = BoardPhoto(photo, draft.across, draft.down).proposed()
    inside = np.clip(corners, 0, (shot.width, shot.height))
    update = {"corners": _spots(inside), "arrangement": _first_laid(), "board_seen": seen}
    return shot.model_copy(update=update)


def _spots(corners: Matrix) -> Corners:
    return tuple((round(x, 2), round(y, 2)) for x, y in corners.tolist())


def check_corners(shot: Shot) -> None:
    """Four corners that a board can have, all of them in the photo."""
    if len(shot.corners) != 4:
        raise BadInput(sentence("Drag the four corners to the corners of the board first."))
    rim = AT_THE_RIM * max(shot.width, shot.height)
    if any(not (rim <= x <= shot.width - rim and rim <= y <= shot.height - rim) for x, y in shot.corners):
        raise BadInput(CUT_OFF)
    points = np.array(shot.corners)
    before, after = np.roll(points, 1, axis=0) - points, np.roll(points, -1, axis=0) - points
    turns = after[:, 0] * before[:, 1] - after[:, 1] * before[:, 0]
    if not (turns > 0).all() or abs(turns).min() < (0.05 * max(shot.width, shot.height)) ** 2:
        raise BadInput(
            sentence("These are no corners of a board: go clockwise from its top left, charts on the right.")
        )


def _shot(draft: Draft, role: str) -> Shot:
    shot = draft.shot(role)
    if shot is None:
        raise BadInput(sentence("This photo has not been taken yet."))
    return shot


def _with_shot(draft: Draft, role: str, shot: Shot) -> Draft:
    """A new photo of the empty board leaves what was said of it; the owner sees whether the grid fits."""
    update: dict[str, object] = {"shots": {**draft.shots, role: shot}}
    if role == CASTLES and draft.shot(role) != shot:
        update["castles"] = {}
    return draft.model_copy(update=update)
