"""Photos of the table, beside the database, under names that nobody outside chooses.

A photo comes from a phone, or from anybody who found the address: its content decides what it is, its
size and pixels are limited before a decoder sees them, and what is no JPEG becomes one.
"""

from __future__ import annotations

import io
import json
import os
import struct
import threading
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from PIL import Image

from companion.table.errors import NotAPhoto, NotFound, StorageFailed, TooLarge, sentence
from companion.table.photofile import FORMATS, as_jpeg, upright
from companion.table.store import Store, now
from companion.vision.errors import NotAPhoto as NoPhoto

LARGEST = 30_000_000
"""Bytes. The largest JPEG of a phone's camera is about 25 MB; most have 3-8."""
MOST_PIXELS = 60_000_000
"""Phones make up to 50 megapixels; decoded, 60 take 240 MB, which a small computer still has."""
SMALLEST_SIDE = 240
"""A preview picture of fewer pixels shows no tile that could be read."""
QUALITY = 88
"""Of the small pictures and crops that pages show."""
SURROUNDINGS = 1.6
"""A crop shows this much more than the place itself, so that one sees where it lies."""
ORIENTATION = 0x0112
"""The EXIF tag; values from 5 on lie on their side."""
HEIC_BRANDS = (b"heic", b"heix", b"mif1", b"msf1", b"hevc", b"avif")


@dataclass(frozen=True, slots=True)
class Photo:
    id: str
    game: str
    at: str
    author: str
    width: int
    """Upright, like `height`."""
    height: int
    size: int
    """Bytes."""


class Photos:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._folder = store.folder / "photos"
        self._lock = threading.Lock()
        self._decoded: tuple[str, Image.Image] | None = None
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise _disk(error) from None
        self._sweep()

    def keep(self, game: str, data: bytes, author: str) -> Photo:
        """The photo on disk and in the game's list; `NotAPhoto` and `TooLarge` where it is none of use."""
        self._store.game(game)
        data, width, height = checked_jpeg(data)
        photo = Photo(token_hex(16), game, now(), author, width, height, len(data))
        self._write(self._file(photo.id), data)
        try:
            with self._store.writing() as write:
                row = (photo.id, game, photo.at, author, width, height, photo.size, None)
                write.execute("INSERT INTO photos VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        except BaseException:
            self._file(photo.id).unlink(missing_ok=True)
            raise
        return photo

    def of(self, game: str) -> tuple[Photo, ...]:
        """The newest last."""
        rows = self._store.reading(_COLUMNS + " WHERE game = ? ORDER BY rowid", (game,))
        return tuple(Photo(*row) for row in rows)

    def photo(self, game: str, photo: str) -> Photo:
        rows = self._store.reading(_COLUMNS + " WHERE game = ? AND id = ?", (game, photo))
        if not rows:
            raise NotFound(sentence("This photo is not there any more; it may have been deleted."))
        return Photo(*rows[0])

    def read(self, game: str, photo: str) -> bytes:
        """The whole photo, a JPEG."""
        try:
            return self._file(self.photo(game, photo).id).read_bytes()
        except FileNotFoundError:
            raise NotFound(sentence("This photo is not there any more; it may have been deleted.")) from None
        except OSError as error:
            raise _disk(error) from None

    def small(self, game: str, photo: str, longest: int = 1600) -> bytes:
        """Upright and scaled down, a JPEG for a page."""
        return _jpeg(_scaled(self._upright(game, photo), longest))

    def crop(
        self,
        game: str,
        photo: str,
        outline: Sequence[tuple[float, float]],
        longest: int = 480,
        surroundings: float = SURROUNDINGS,
    ) -> bytes:
        """A square of the board out of a kept photo; see `cut_out`."""
        return cut_out(self._upright(game, photo), outline, longest, surroundings)

    def delete(self, game: str, photo: str) -> None:
        """The picture goes; the game's history keeps that there was one."""
        found = self.photo(game, photo)
        with self._store.writing() as write:
            write.execute("DELETE FROM photos WHERE id = ?", (found.id,))
        with self._lock:
            self._decoded = None
        self._file(found.id).unlink(missing_ok=True)

    def keep_record(self, photo: str, record: dict[str, Any]) -> None:
        """What was read in the photo."""
        with self._store.writing() as write:
            text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            write.execute("UPDATE photos SET record = ? WHERE id = ?", (text, photo))

    def record(self, game: str, photo: str) -> dict[str, Any] | None:
        rows = self._store.reading("SELECT record FROM photos WHERE game = ? AND id = ?", (game, photo))
        try:
            return json.loads(rows[0][0]) if rows and rows[0][0] else None
        except json.JSONDecodeError:
            raise self._store.damaged() from None

    def _file(self, photo: str) -> Path:
        return self._folder / f"{photo}.jpg"

    def _write(self, file: Path, data: bytes) -> None:
        """On the disk before the database names it, so that a kill leaves no photo that is not there."""
        part = file.with_suffix(".part")
        try:
            with part.open("wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            part.replace(file)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise _disk(error) from None

    def _sweep(self) -> None:
        """Files that a kill left behind before the database knew them."""
        known = {f"{row[0]}.jpg" for row in self._store.reading("SELECT id FROM photos")}
        for file in self._folder.iterdir():
            if file.suffix in (".jpg", ".part") and file.name not in known:
                file.unlink(missing_ok=True)

    def _upright(self, game: str, photo: str) -> Image.Image:
        """Decoded once for all the crops of one photo that a page asks for in a row."""
        with self._lock:
            if self._decoded is None or self._decoded[0] != photo:
                self._decoded = photo, upright(self.read(game, photo))
            else:
                self.photo(game, photo)
            return self._decoded[1]


def cut_out(
    picture: Image.Image,
    outline: Sequence[tuple[float, float]],
    longest: int = 480,
    surroundings: float = SURROUNDINGS,
) -> bytes:
    """A square of the board, straightened and with its surroundings, so that it lies as on a map.

    `outline` goes round the square in the upright photo, from the corner that is to be at the top left.
    """
    x = sum(corner[0] for corner in outline) / len(outline)
    y = sum(corner[1] for corner in outline) / len(outline)
    if len(outline) != 4 or not (0 <= x < picture.width and 0 <= y < picture.height):
        raise NotFound(sentence("This place lies outside the photo."))
    wide = [(x + (a - x) * surroundings, y + (b - y) * surroundings) for a, b in outline]
    size = min(longest, max(64, round(2 * max(abs(a - x) + abs(b - y) for a, b in wide))))
    top_left, top_right, bottom_right, bottom_left = wide
    corners = (*top_left, *bottom_left, *bottom_right, *top_right)
    how = Image.Transform.QUAD
    return _jpeg(picture.transform((size, size), how, corners, Image.Resampling.BILINEAR))


def checked_jpeg(data: bytes) -> tuple[bytes, int, int]:
    """A JPEG, made from another format where needed, and its upright width and height."""
    if not data:
        raise NotAPhoto(sentence("No photo arrived; choose one and send it again."))
    if len(data) > LARGEST:
        most = LARGEST // 1_000_000
        raise TooLarge(sentence("The photo is larger than %(most)s MB; send a smaller one."), most=most)
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        raise NotAPhoto(
            sentence(
                "This is a HEIC or AVIF picture; set the camera to JPEG (“most compatible”) and try again."
            )
        )
    width, height, is_jpeg = _header(data)
    if width * height > MOST_PIXELS:
        most = MOST_PIXELS // 1_000_000
        raise TooLarge(
            sentence("The photo has more than %(most)s megapixels; take a smaller one."), most=most
        )
    if min(width, height) < SMALLEST_SIDE:
        raise NotAPhoto(sentence("The picture is too small to read a board; send the photo itself."))
    if is_jpeg:
        _check_whole(data)
        return data, width, height
    try:
        jpeg = as_jpeg(data)
    except NoPhoto:
        raise NotAPhoto(sentence("The picture is damaged or cut off; send it again.")) from None
    return jpeg, *_header(jpeg)[:2]


def _header(data: bytes) -> tuple[int, int, bool]:
    """Width and height, those of a JPEG upright, and whether it is one. Nothing is decoded for this."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the limit is our own
            with Image.open(io.BytesIO(data), formats=("JPEG", *FORMATS)) as picture:
                width, height = picture.size
                is_jpeg = picture.format == "JPEG"
                if is_jpeg and picture.getexif().get(ORIENTATION, 1) in (5, 6, 7, 8):
                    width, height = height, width
                return width, height, is_jpeg
    except Image.DecompressionBombError:
        return MOST_PIXELS, MOST_PIXELS, False
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, KeyError):
        raise NotAPhoto(sentence("This is not a photo; send a JPEG, PNG or WebP picture.")) from None


def _check_whole(data: bytes) -> None:
    """A JPEG ends with a marker, and cameras may add a little behind it; one that was cut off has none."""
    if b"\xff\xd9" not in data[-65536:]:
        raise NotAPhoto(sentence("The picture is damaged or cut off; send it again."))


def _scaled(picture: Image.Image, longest: int) -> Image.Image:
    share = longest / max(picture.size)
    if share >= 1:
        return picture
    size = max(1, round(picture.width * share)), max(1, round(picture.height * share))
    return picture.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0)


def _jpeg(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _disk(error: OSError) -> StorageFailed:
    return StorageFailed(
        sentence("Nothing was kept: the photos cannot be written (%(reason)s). Make room and try again."),
        reason=error.strerror or error,
    )


_COLUMNS = "SELECT id, game, at, author, width, height, size FROM photos"
