"""A calibration as a folder of open files: JSON, PNG and NPZ, with a checksum of each.

manifest.json        format, version, and the SHA-256 of every other file
design.json          sheets, slots, assemblies, scales
prints.json          the sheets in order, with the size and place of their print in millimetres
print-N.png          the clean print of sheet N; transparent where it was never seen bare
looks.json, .npz     what things look like
weak.json            what the owner should know of it
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.calibration import Calibration
from companion.vision.design_json import design_from_json, design_to_json
from companion.vision.errors import BadCalibration
from companion.vision.looks import contact_sheet, looks_from_store, looks_to_store
from companion.vision.prints import Print

FORMAT = "companion calibration"
VERSION = 3
MANIFEST = "manifest.json"
# A calibration is some 10 MB. What is larger, or unpacks to more, was not made by this program.
LARGEST_FILE = 64_000_000
LARGEST_UNPACKED = 256_000_000
MOST_PIXELS = 16_000_000
# What the makers of the parts raise when a file is not as they wrote it.
UNEXPECTED = (LookupError, TypeError, ValueError, AttributeError, zipfile.BadZipFile, cv2.error, EOFError)
# The same calibration gives the same bytes.
UNDATED = (1980, 1, 1, 0, 0, 0)
AGAIN = "calibrate again, or copy the folder once more."


def save(calibration: Calibration, folder: Path, beside: Mapping[str, bytes] | None = None) -> None:
    """Writes the folder whole or not at all; `beside` are files of the caller's that belong to it."""
    files = _files(calibration)
    for name, content in (beside or {}).items():
        if name in files or name == MANIFEST or Path(name).name != name or name.startswith("."):
            raise ValueError(f"'{name}' cannot lie beside a calibration")
        files[name] = content
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "game": calibration.design.name,
        "beside": sorted(beside or ()),
        "sha256": listed,
    }
    files[MANIFEST] = _json(manifest)
    _check_replaceable(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        fresh.chmod(0o755)
        for name, content in files.items():
            (fresh / name).write_bytes(content)
        _swap(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def load(folder: Path) -> Calibration:
    """Raises BadCalibration with what is wrong and what to do."""
    files = _checked_files(folder)
    try:
        design = design_from_json(json.loads(files["design.json"]))
        prints = {
            name: _print_of(files[f"print-{number}.png"], facts)
            for number, (name, facts) in enumerate(json.loads(files["prints.json"]).items())
        }
        looks = looks_from_store(_arrays(files["looks.npz"]), json.loads(files["looks.json"]))
        weak = tuple(str(sentence) for sentence in json.loads(files["weak.json"]))
    except BadCalibration:
        raise
    except UNEXPECTED as error:
        what = f"holds something unexpected ({type(error).__name__})"
        raise BadCalibration(f"The calibration in {folder} {what}: {AGAIN}") from None
    if prints.keys() != design.sheets.keys():
        raise BadCalibration(f"The calibration in {folder} lacks the print of a sheet: {AGAIN}")
    return Calibration(design, prints, looks, weak)


def beside(folder: Path) -> dict[str, bytes]:
    """The caller's own files, as they were given to `save`."""
    files = _checked_files(folder)
    names = json.loads(files[MANIFEST])["beside"]
    return {name: files[name] for name in names}


def _files(calibration: Calibration) -> dict[str, bytes]:
    arrays, facts = looks_to_store(calibration.looks)
    packed = io.BytesIO()
    if any(array.dtype.hasobject for array in arrays.values()):
        raise ValueError("only plain numbers go into a calibration")
    # a file of this kind is a zip of .npy files; written by hand, as numpy would date each entry
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            one = io.BytesIO()
            np.save(one, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", UNDATED), one.getvalue(), zipfile.ZIP_DEFLATED)
    files = {
        "design.json": _json(design_to_json(calibration.design)),
        "prints.json": _json(
            {
                name: {"per_mm": bare.per_mm, "origin": list(bare.origin)}
                for name, bare in calibration.prints.items()
            }
        ),
        "looks.json": _json(facts),
        "looks.npz": packed.getvalue(),
        "weak.json": _json(list(calibration.weak)),
    }
    if calibration.looks.faces:
        files["contact.png"] = cv2.imencode(".png", contact_sheet(calibration.looks))[1].tobytes()
    # numbered, as a sheet may be called anything
    for number, bare in enumerate(calibration.prints.values()):
        picture = np.dstack([bare.image, bare.known])
        files[f"print-{number}.png"] = cv2.imencode(".png", picture)[1].tobytes()
    return files


def _json(value: object) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False).encode()


def _check_replaceable(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MANIFEST).is_file():
        raise BadCalibration(f"{folder} holds other files: name a new folder for the calibration.")
    if folder.exists() and not folder.is_dir():
        raise BadCalibration(f"{folder} is a file: name a folder for the calibration.")


def _swap(fresh: Path, folder: Path) -> None:
    """The old folder stays whole until the new one is."""
    old = fresh.with_name(fresh.name + "-old")
    if folder.exists():
        os.replace(folder, old)
    os.replace(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)


def _checked_files(folder: Path) -> dict[str, bytes]:
    """All files of the folder, each as its checksum says."""
    manifest = _manifest(folder)
    files = {}
    for name, checksum in manifest["sha256"].items():
        content = _content(folder, name)
        if hashlib.sha256(content).hexdigest() != checksum:
            raise BadCalibration(f"{folder / name} is damaged: {AGAIN}")
        files[name] = content
    files[MANIFEST] = _content(folder, MANIFEST)
    return files


def _manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(_content(folder, MANIFEST))
        known = manifest["format"] == FORMAT
        version = manifest["version"]
        listed, extra = manifest["sha256"], manifest["beside"]
        sound = (
            isinstance(version, int)
            and isinstance(listed, dict)
            and all(Path(name).name == name and isinstance(listed[name], str) for name in listed)
            and isinstance(extra, list)
            and all(name in listed for name in extra)
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        known = sound = False
        version = VERSION
    if known and isinstance(version, int) and version > VERSION:
        raise BadCalibration(
            f"The calibration in {folder} was made by a newer version of this program: update the program."
        )
    if known and isinstance(version, int) and version < VERSION:
        raise BadCalibration(f"The calibration in {folder} was made by an older version: {AGAIN}")
    if not (known and sound):
        raise BadCalibration(f"{folder / MANIFEST} is damaged or not of a calibration: {AGAIN}")
    return dict(manifest)


def _content(folder: Path, name: str) -> bytes:
    if not folder.is_dir():
        raise BadCalibration(f"There is no calibration in {folder}: make one with 'companion calibrate'.")
    try:
        with (folder / name).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError:
        raise BadCalibration(f"The calibration in {folder} lacks {name}: {AGAIN}") from None
    if len(content) > LARGEST_FILE:
        raise BadCalibration(f"{folder / name} is far larger than any calibration: {AGAIN}")
    return content


def _print_of(png: bytes, facts: Mapping[str, Any]) -> Print:
    # the size stands at a fixed place of every PNG: looked at before anything is unpacked
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    if png[:8] != b"\x89PNG\r\n\x1a\n" or not 0 < width * height <= MOST_PIXELS:
        raise ValueError("a print that is no picture of a sheet")
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.shape != (height, width, 4) or picture.dtype != np.uint8:
        raise ValueError("a print that is no picture of a sheet")
    x, y = (float(v) for v in facts["origin"])
    image, known = np.ascontiguousarray(picture[..., :3]), np.ascontiguousarray(picture[..., 3])
    return Print(image.astype(np.uint8), known.astype(np.uint8), float(facts["per_mm"]), (x, y))


def _arrays(npz: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(npz)) as packed:
        if sum(entry.file_size for entry in packed.infolist()) > LARGEST_UNPACKED:
            raise ValueError("arrays that are far larger than any calibration's")
    with np.load(io.BytesIO(npz), allow_pickle=False) as loaded:
        return {name: loaded[name] for name in loaded.files}
