"""A calibration as one file to pass on: the set, its straightened sheets and faces, and no photo.

It is a zip of the files of a calibration folder under their fixed names. Nothing in it is trusted: names,
number and sizes are checked before anything is unpacked, every file against its checksum, and all of it is
read as a calibration before it is put where calibrations lie.
"""

from __future__ import annotations

import io
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from companion.table.castelli.calibrating.weakness import weaknesses
from companion.table.castelli.reading import SET, set_in
from companion.table.errors import BadInput, StorageFailed, Told, TooLarge, sentence
from companion.table.jsondoor import BadFile, parse, read_text
from companion.vision.calibration import Calibration
from companion.vision.errors import BadCalibration
from companion.vision.looks import contact_sheet
from companion.vision.store import MANIFEST, VERSION, load

MEMBER = re.compile(
    r"(manifest|design|prints|looks|weak|set)\.json|looks\.npz|contact\.png|print-(\d|[1-9]\d)\.png"
)
MOST_MEMBERS = 110
LARGEST = 64_000_000
"""Bytes of the file; a calibration has some 10 million."""
LARGEST_UNPACKED = 160_000_000
UNDATED = (1980, 1, 1, 0, 0, 0)
THUMBNAIL = 320
FACES = 1200


@dataclass(frozen=True, slots=True)
class Preview:
    title: str
    name: str
    """Under which it could be kept here."""
    pieces: tuple[str, ...]
    tiles: int
    colours: tuple[str, ...]
    sheets: tuple[tuple[str, bytes], ...]
    """Each with a small picture, a JPEG."""
    faces: bytes | None
    """All faces in one JPEG."""
    version: int
    """Of the file's form."""
    weak: tuple[Told, ...]


def pack(folder: Path) -> bytes:
    """The same calibration gives the same bytes."""
    _read(folder)  # damaged ones are not passed on
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            if MEMBER.fullmatch(file.name):
                entry = zipfile.ZipInfo(file.name, UNDATED)
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return out.getvalue()


def preview(data: bytes) -> Preview:
    """What is in a file, without keeping anything of it. Raises BadInput or TooLarge with what is wrong."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "set"
        calibration = _unpacked(_members(data), folder)
        game_set = set_in((folder / SET).read_bytes(), SET)
    slug = re.sub(r"[^a-z0-9]+", "-", game_set.name.lower()).strip("-")[:30] or "set"
    return Preview(
        game_set.name,
        slug,
        tuple(game_set.pieces),
        len(game_set.tiles),
        game_set.colours,
        tuple((name, _jpeg(sheet.image, THUMBNAIL)) for name, sheet in calibration.prints.items()),
        _jpeg(contact_sheet(calibration.looks), FACES) if calibration.looks.faces else None,
        VERSION,
        tuple(one.told for one in weaknesses(calibration.weak)),
    )


def unpack(data: bytes, folder: Path) -> None:
    """Puts the calibration into `folder`, which must not be there yet: whole or not at all."""
    members = _members(data)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".import-", dir=folder.parent))
    except OSError as error:
        raise _disk(error) from None
    try:
        _unpacked(members, fresh / "set")
        (fresh / "set").rename(folder)
    except OSError as error:
        raise _disk(error) from None
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _members(data: bytes) -> dict[str, bytes]:
    """The files in the zip, whose names and sizes are checked before any is unpacked."""
    if len(data) > LARGEST:
        raise TooLarge(sentence("The file is far larger than any set; is it the right one?"))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            names = [entry.filename for entry in entries]
            strange = not all(MEMBER.fullmatch(name) for name in names) or len(set(names)) < len(names)
            if strange or any(stat.S_ISLNK(entry.external_attr >> 16) for entry in entries):
                raise BadInput(sentence("The file holds something that does not belong into a set."))
            if len(entries) > MOST_MEMBERS or sum(entry.file_size for entry in entries) > LARGEST_UNPACKED:
                raise TooLarge(sentence("The file unpacks to far more than any set; it was left alone."))
            return {entry.filename: _member(archive, entry) for entry in entries}
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError, OSError, zlib.error):
        raise BadInput(sentence("The file is damaged or no set; ask for it again.")) from None


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """What an entry says of its size may be a lie: no more than that is ever read."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise BadInput(sentence("The file is damaged or no set; ask for it again."))
    return content


def _unpacked(members: Mapping[str, bytes], folder: Path) -> Calibration:
    if SET not in members or MANIFEST not in members:
        raise BadInput(sentence("The file is damaged or no set; ask for it again."))
    try:
        for name, content in members.items():
            if name.endswith(".json"):  # nested too deep, or too large, or no text
                parse(read_text(content, name), name)
    except BadFile as bad:
        raise BadInput(sentence("The set in the file cannot be used: %(why)s"), why=str(bad)) from None
    folder.mkdir()
    for name, content in members.items():
        (folder / name).write_bytes(content)
    return _read(folder)


def _read(folder: Path) -> Calibration:
    try:
        calibration = load(folder)
        set_in((folder / SET).read_bytes(), SET)
    except BadCalibration as error:
        newer = "newer" in str(error)
        raise BadInput(
            sentence("The set was made by a newer version of this program: update it.")
            if newer
            else sentence("The file is damaged or no set; ask for it again.")
        ) from None
    except BadFile as bad:
        raise BadInput(sentence("The set in the file cannot be used: %(why)s"), why=str(bad)) from None
    except OSError as error:
        raise _disk(error) from None
    return calibration


def _jpeg(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], longest: int) -> bytes:
    picture = Pillow.fromarray(np.ascontiguousarray(image[..., ::-1]))
    picture.thumbnail((longest, longest))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=85)
    return out.getvalue()


def _disk(error: OSError) -> StorageFailed:
    return StorageFailed(
        sentence("Nothing was kept: the disk did not take it (%(reason)s). Make room and try again."),
        reason=error.strerror or error,
    )
