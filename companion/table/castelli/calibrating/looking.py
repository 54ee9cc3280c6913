"""The photos of a draft, seen: straightened, cut out, and the board found in them by its own print."""

from __future__ import annotations

import io
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PIL import Image as Pillow

from companion.scoring.castelli import components as box
from companion.table.castelli.calibrating.draft import QUADRANTS, Draft, Geometry, Rect, Shot
from companion.table.castelli.design import design_of
from companion.table.errors import NotFound, sentence
from companion.vision.camera import Matrix
from companion.vision.landmarks import Landmarks, prepared
from companion.vision.model import NOTHING, Design, Found, Labelled, Source
from companion.vision.photo import Photo, decode
from companion.vision.plane import Image, Window, homography_of, shrunk, straightened
from companion.vision.prints import Print, learn_prints
from companion.vision.registration import find_board

QUALITY = 88
PER_MM = 3.0
"""Pixels a millimetre of the pictures that are compared: about what a phone's photo of the board holds."""
KEPT_PHOTOS = 5
"""Decoded photos, some 12 MB each."""


class Looking:
    """Pictures of one workshop's drafts. `read` gives a photo's bytes by draft and file name."""

    def __init__(self, read: Callable[[str, str], bytes]) -> None:
        self._read = read
        self._lock = threading.Lock()
        self._photos: OrderedDict[tuple[str, str], Photo] = OrderedDict()
        self._boards: OrderedDict[tuple[str, ...], Image] = OrderedDict()
        self._prints: OrderedDict[tuple[str, ...], tuple[dict[str, Print], Landmarks]] = OrderedDict()

    def photo(self, draft: Draft, shot: Shot) -> Photo:
        with self._lock:
            key = draft.id, shot.file
            photo = self._photos.pop(key, None) or decode(self._read(draft.id, shot.file))
            self._photos[key] = photo
            while len(self._photos) > KEPT_PHOTOS:
                self._photos.popitem(last=False)
            return photo

    def cut(self, draft: Draft, shot: Shot, rect: Rect, per_mm: float) -> Image:
        """A rectangle of the board as seen straight from above; `draft` needs a geometry."""
        left, top, right, bottom = rect
        width, height = max(1, round((right - left) * per_mm)), max(1, round((bottom - top) * per_mm))
        window = Window(left + 0.5 / per_mm, top + 0.5 / per_mm, per_mm, width, height)
        photo = self.photo(draft, shot)
        return straightened(photo.image, _homography(draft.grid, shot, photo), window, smooth=per_mm > PER_MM)

    def board(self, draft: Draft, shot: Shot) -> Image:
        """The whole board with `PER_MM` pixels a millimetre, kept for those who compare its parts."""
        grid = draft.grid
        key = draft.id, shot.version, f"{grid.width:.2f} {grid.height:.2f}"
        with self._lock:
            if key in self._boards:
                self._boards.move_to_end(key)
                return self._boards[key]
        made = self.cut(draft, shot, (0, 0, grid.width, grid.height), PER_MM)
        with self._lock:
            self._boards[key] = made
            while len(self._boards) > KEPT_PHOTOS:
                self._boards.popitem(last=False)
        return made

    def part(self, draft: Draft, shot: Shot, rect: Rect) -> Image:
        """A part of `board`; what lies outside is filled from its rim."""
        board = self.board(draft, shot)
        left, top = round(rect[0] * PER_MM), round(rect[1] * PER_MM)
        # sizes are rounded by themselves: pictures of one size, wherever they lie, can be compared
        across, down = round((rect[2] - rect[0]) * PER_MM), round((rect[3] - rect[1]) * PER_MM)
        height, width = board.shape[:2]
        xs = np.clip(np.arange(left, left + max(across, 1)), 0, width - 1)
        ys = np.clip(np.arange(top, top + max(down, 1)), 0, height - 1)
        return np.ascontiguousarray(board[np.ix_(ys, xs)])

    def prints(self, draft: Draft, empty: Shot) -> tuple[dict[str, Print], Landmarks]:
        """What the empty board looks like, and what it is recognised by."""
        key = draft.id, empty.version, draft.grid.model_dump_json()
        with self._lock:
            if key in self._prints:
                return self._prints[key]
        source = _bare_source(draft, empty)
        prints, _ = learn_prints(source, [self.photo(draft, empty)])
        made = prints, prepared(source.design, prints)
        with self._lock:
            self._prints[key] = made
            while len(self._prints) > 2:
                self._prints.popitem(last=False)
        return made

    def found(self, draft: Draft, empty: Shot, shot: Shot, mirrored: bool = False) -> Found:
        """Where the board lies in another photo, or in its mirror image. Raises VisionError."""
        _, landmarks = self.prints(draft, empty)
        photo = self.photo(draft, shot)
        if mirrored:
            photo = replace(photo, image=np.ascontiguousarray(photo.image[:, ::-1]))
        return find_board(photo.in_gray(), landmarks)


def _homography(grid: Geometry, shot: Shot, photo: Photo) -> Matrix:
    if len(shot.corners) != 4:
        raise NotFound(sentence("The corners of the board are not known in this photo yet."))
    board = np.array([(0, 0), (grid.width, 0), (grid.width, grid.height), (0, grid.height)])
    return homography_of(board, (np.array(shot.corners) + 0.5) * photo.scale - 0.5)


def bare_design(draft: Draft) -> Design:
    """All that is known of the board once its grid is: sheets and how they may lie, and nothing on them."""
    grid = draft.grid
    spaces = MappingProxyType(
        {key.partition("/")[2]: box.Space(()) for key in draft.keys_of_spaces() if key.startswith("P1/")}
    )
    game_set = box.GameSet(
        name=draft.title,
        geometry=box.Geometry(
            grid.width,
            grid.height,
            box.Point(grid.x, grid.y),
            grid.pitch,
            grid.tile,
            grid.octagon,
            grid.frame,
            grid.chart,
        ),
        pieces={name: box.Piece(name, spaces) for name in QUADRANTS.values()},
        frame={},
        tiles={},
        chart={},
        track=(),
        columns=draft.columns,
        rows=draft.rows,
    )
    return design_of(game_set)


def _bare_source(draft: Draft, empty: Shot) -> Source:
    design = bare_design(draft)
    things = {(sheet, slot.name): NOTHING for sheet, slots in design.slots.items() for slot in slots}
    arrangement = {place: (piece, 0) for place, piece in QUADRANTS.items()}
    labelled = Labelled(Path(f"{empty.file}"), "full", empty.corners, arrangement, things, {})
    return Source(design, (labelled,))


def jpeg_of(image: Image, longest: int, turned: int = 0) -> bytes:
    """For a page; `turned` are quarter turns clockwise."""
    upright, _ = shrunk(np.ascontiguousarray(np.rot90(image, -turned % 4)), longest)
    out = io.BytesIO()
    Pillow.fromarray(np.ascontiguousarray(upright[..., ::-1])).save(out, "JPEG", quality=QUALITY)
    return out.getvalue()
