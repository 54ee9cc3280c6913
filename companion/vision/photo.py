"""From the bytes of a JPEG to an upright picture of a size that is quick to work on.

The bytes come from anywhere. cv2 is only given what starts like a JPEG and whose own header claims a sane
size, so that a forged header cannot make it take gigabytes. The photo is decoded in a size that is enough
for reading, and once more in grey in half that size, which takes half the time: in that the board is looked
for while the colours are still on their way. Results are in pixels of the whole upright photo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.errors import NotAPhoto
from companion.vision.plane import Image, in_gray, shrunk

# Phones make up to 50 megapixels and a few (stitched or "200 MP") more, which nobody needs here: at 60 the
# decoder's own memory is still about 50 MB, as it is asked for a quarter of each side.
MOST_PIXELS = 60_000_000
# A panorama or a sliver of a picture shows no board.
MOST_STRETCHED = 6
SMALLEST_SIDE = 240
# A tile of a board that fills a third of the photo has then still some 40 pixels. More cost time, not errors.
ENOUGH_LONG_SIDE = 2000
# In grey: a board that fills the photo is then as large as the prints that are laid over it to the pixel.
ENOUGH_IN_GRAY = 1000

# How cv2 is asked for a picture with each side divided.
COLOUR = {
    1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}  # fmt: skip
GRAY = {
    1: cv2.IMREAD_GRAYSCALE, 2: cv2.IMREAD_REDUCED_GRAYSCALE_2, 4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}  # fmt: skip

# The plainest picture still takes a byte for every few dozen pixels.
MOST_PIXELS_A_BYTE = 500

# Marks of a JPEG's segments: EXIF, the start of the picture, and the several that tell its size.
EXIF, PICTURE = 0xE1, 0xDA
SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}

SAVE_IT_AS_JPEG = "save or send the photo as a JPEG straight from the camera."


@dataclass(frozen=True, slots=True)
class Photo:
    """An upright picture to work on, and how it compares to the whole photo."""

    image: Image
    scale: float
    """Pixels of `image` for one of the whole photo."""
    width: int
    height: int
    """Of the whole photo, upright."""

    def in_gray(self) -> Gray:
        gray, factor = shrunk(in_gray(self.image), ENOUGH_IN_GRAY)
        return Gray(gray, factor * self.scale, lambda: self)


@dataclass(frozen=True, slots=True)
class Gray:
    """A photo in grey, in the size in which its board is found."""

    image: Image
    scale: float
    """Pixels of `image` for one of the whole photo."""
    photo: Callable[[], Photo]
    """The photo itself, once its colours are there."""


@dataclass(frozen=True, slots=True)
class _Header:
    width: int
    height: int
    orientation: int


def decode(data: bytes) -> Photo:
    """The photo, upright. Raises NotAPhoto."""
    header = _checked_header(data)
    divisor = _divisor(header, ENOUGH_LONG_SIDE)
    image = _decoded(data, header, divisor, COLOUR[divisor])
    width, height = header.width, header.height
    if header.orientation >= 5:
        width, height = height, width
    return Photo(image, 1 / divisor, width, height)


def decode_gray(data: bytes, photo: Callable[[], Photo]) -> Gray:
    """The photo in grey, upright. Raises NotAPhoto."""
    header = _checked_header(data)
    divisor = _divisor(header, ENOUGH_IN_GRAY)
    return Gray(_decoded(data, header, divisor, GRAY[divisor]), 1 / divisor, photo)


def _checked_header(data: bytes) -> _Header:
    header = _header(data)
    _check_size(header)
    return header


def _check_size(header: _Header) -> None:
    short, long = sorted((header.width, header.height))
    if header.width * header.height > MOST_PIXELS:
        most = MOST_PIXELS // 1_000_000
        raise NotAPhoto(
            f"The photo has {header.width} x {header.height} pixels: take one with at most {most} megapixels."
        )
    if short < SMALLEST_SIDE or long > MOST_STRETCHED * short:
        raise NotAPhoto(
            f"A picture of {header.width} x {header.height} pixels is too small or narrow to show a board: "
            "send the photo itself, not a preview."
        )


def _divisor(header: _Header, enough: int) -> int:
    """The decoder can leave out detail while it decodes: by 2, 4 or 8, at almost no cost."""
    long = max(header.width, header.height)
    return max((d for d in COLOUR if long / d >= enough), default=1)


def _decoded(data: bytes, header: _Header, divisor: int, size: int) -> Image:
    """Upright."""
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), size | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        image = None
    if image is None:
        raise NotAPhoto(f"The JPEG is damaged and cannot be decoded: {SAVE_IT_AS_JPEG}")
    # the decoder rounds a reduced size up
    told = (header.height, header.width)
    if any(abs(image.shape[k] * divisor - told[k]) >= divisor for k in (0, 1)):
        raise NotAPhoto(f"This JPEG's header does not fit its picture: {SAVE_IT_AS_JPEG}")
    return _upright(np.asarray(image, np.uint8), header.orientation)


def _upright(image: Image, orientation: int) -> Image:
    """EXIF orientation: 2, 4, 5 and 7 are mirrored."""
    turn = {3: cv2.ROTATE_180, 6: cv2.ROTATE_90_CLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE}.get(orientation)
    if turn is not None:
        return np.asarray(cv2.rotate(image, turn), np.uint8)
    if orientation in (5, 7):
        image = np.asarray(cv2.transpose(image), np.uint8)
    flip = {2: 1, 4: 0, 7: -1}.get(orientation)
    return image if flip is None else np.asarray(cv2.flip(image, flip), np.uint8)


def _header(data: bytes) -> _Header:
    """Size and orientation, read by hand before any decoder sees the bytes."""
    if data[:3] != b"\xff\xd8\xff":
        raise NotAPhoto(f"This is not a JPEG photo: {SAVE_IT_AS_JPEG}")
    size: tuple[int, int] | None = None
    orientation = 1
    picture = len(data)
    for marker, body, end in _segments(data):
        if marker == EXIF and orientation == 1:
            orientation = _orientation(body)
        elif marker in SIZES:
            if size is not None or len(body) < 6:
                raise NotAPhoto(f"The JPEG's header is damaged: {SAVE_IT_AS_JPEG}")
            size = int.from_bytes(body[3:5], "big"), int.from_bytes(body[1:3], "big")
        elif marker == PICTURE:
            picture = end
    # within the picture a byte 255 is always followed by 0 or a restart mark, so this can only be its end
    if size is None or data.rfind(b"\xff\xd9", picture) < 0:
        raise NotAPhoto(f"The JPEG is cut off, a part of it is missing: {SAVE_IT_AS_JPEG}")
    if len(data) * MOST_PIXELS_A_BYTE < size[0] * size[1]:
        raise NotAPhoto(f"The JPEG's header does not fit its picture: {SAVE_IT_AS_JPEG}")
    return _Header(*size, orientation)


def _segments(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Marker, content and end of each segment up to the start of the picture."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        end = at + 2 + length
        if length < 2 or end > len(data):
            return
        yield marker, data[at + 4 : end], end
        if marker == PICTURE:
            return
        at = end


def _orientation(exif: bytes) -> int:
    """The value of tag 0x0112 in the first directory of an EXIF segment; 1 (upright) where there is none."""
    if exif[:6] != b"Exif\0\0":
        return 1
    tiff = exif[6:]
    order = {b"II": "little", b"MM": "big"}.get(tiff[:2])
    if order is None or len(tiff) < 8:
        return 1
    start = int.from_bytes(tiff[4:8], order)  # type: ignore[arg-type]
    count = int.from_bytes(tiff[start : start + 2], order)  # type: ignore[arg-type]
    for entry in range(start + 2, min(start + 2 + 12 * count, len(tiff) - 11), 12):
        if int.from_bytes(tiff[entry : entry + 2], order) == 0x0112:  # type: ignore[arg-type]
            value = int.from_bytes(tiff[entry + 8 : entry + 10], order)  # type: ignore[arg-type]
            return value if 1 <= value <= 8 else 1
    return 1
