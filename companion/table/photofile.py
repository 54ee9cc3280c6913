"""Photos out of files, as the JPEG that the vision room takes; other formats are turned into one here.

Pillow opens them under limits: a few hundred bytes of PNG can claim gigabytes of picture. And it decodes one
at a time: of the largest that are allowed, twelve threads would take six gigabytes at once.
"""

from __future__ import annotations

import io
import threading
import warnings
from pathlib import Path

from PIL import Image, ImageOps

from companion.vision.errors import NotAPhoto

LARGEST = 60_000_000
"""Bytes. A photo of 50 megapixels has some 25 million."""
MOST_PIXELS = 60_000_000
FORMATS = ("PNG", "WEBP", "BMP", "TIFF", "GIF")
QUALITY = 95
"""Of the JPEG made out of another format: what it loses is less than the lens did."""

_one_at_a_time = threading.RLock()


def photo_in(path: Path) -> bytes:
    """The photo in a file. Raises NotAPhoto, with what to do."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except IsADirectoryError:
        raise NotAPhoto(f"{path} is a folder: name the photos in it.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise NotAPhoto(f"{path} cannot be read ({reason}): check the name.") from None
    return as_jpeg(data)


def as_jpeg(data: bytes) -> bytes:
    if len(data) > LARGEST:
        raise NotAPhoto(
            f"The file is larger than {LARGEST // 1_000_000} MB: send the photo itself as a JPEG."
        )
    if data[:3] == b"\xff\xd8\xff":
        return data
    try:
        with _one_at_a_time, warnings.catch_warnings():
            warnings.simplefilter("error")
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
            if picture.width * picture.height > MOST_PIXELS:
                raise NotAPhoto("The picture claims too many pixels: send the photo itself as a JPEG.")
            out = io.BytesIO()
            _upright(picture).save(out, "JPEG", quality=QUALITY)
            return out.getvalue()
    except NotAPhoto:
        raise
    except Exception:
        # whatever a decoder trips over in bytes from outside, it is not a photo that can be used
        raise NotAPhoto(
            "This is not a photo that can be opened: send a JPEG straight from the camera."
        ) from None


def upright(jpeg: bytes) -> Image.Image:
    """A photo decoded, turned as it was taken."""
    with _one_at_a_time:
        return _upright(Image.open(io.BytesIO(jpeg), formats=["JPEG"]))


def _upright(picture: Image.Image) -> Image.Image:
    """In place where it can be: a copy of the largest takes 240 MB."""
    picture.load()
    ImageOps.exif_transpose(picture, in_place=True)
    return picture if picture.mode == "RGB" else picture.convert("RGB")
