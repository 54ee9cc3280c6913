"""Looks at a photo that is to be learnt from, and says what to do where it is of no use."""

from __future__ import annotations

from companion.table.errors import BadInput, BoardNotFound, NotAPhoto, TableError, sentence
from companion.vision.errors import BoardNotFound as NotFound
from companion.vision.errors import NotAPhoto as NoPhoto
from companion.vision.errors import PoorPhoto, VisionError
from companion.vision.photo import Photo, decode
from companion.vision.quality import quality_of

DARK = sentence("The photo is too dark: turn on a lamp or go to a window, and take it again.")
BLURRED = sentence("The photo is blurred: hold the phone still, tap the board to focus, and take it again.")
CUT_OFF = sentence("The board is cut off: step back until all four corners are in the picture.")
NOT_THE_BOARD = sentence(
    "This does not show the board of your first photo: show all of it from above, with nothing in front."
)


def good_photo(jpeg: bytes) -> Photo:
    """The photo, decoded; raises a TableError where it is none to learn from."""
    try:
        photo = decode(jpeg)
    except NoPhoto as error:
        raise NotAPhoto("%(why)s", why=str(error)) from None
    quality = quality_of(photo)
    if quality.is_dark:
        raise BadInput(DARK)
    if quality.is_blurred:
        raise BadInput(BLURRED)
    return photo


def not_found(error: VisionError) -> TableError:
    """Why no board was found, in words that can be translated."""
    if isinstance(error, PoorPhoto):
        return BadInput(DARK if "dark" in str(error) else BLURRED)
    if isinstance(error, NotFound) and str(error).startswith("Only"):
        return BoardNotFound(CUT_OFF)
    return BoardNotFound(NOT_THE_BOARD)
