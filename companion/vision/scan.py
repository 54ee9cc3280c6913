"""A photo in, everything that it shows out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from companion.vision.calibration import Calibration
from companion.vision.model import Observation
from companion.vision.photo import decode, decode_gray
from companion.vision.reading import read_slots
from companion.vision.registration import find_board


def scan(data: bytes, calibration: Calibration) -> Observation:
    """Reads the bytes of a JPEG. Raises a VisionError whose text says what is wrong and what to do."""
    with ThreadPoolExecutor(max_workers=1) as beside:
        colours = beside.submit(decode, data)
        found = find_board(decode_gray(data, colours.result), calibration.landmarks)
        photo = colours.result()
    readings, markers = read_slots(
        photo.image, found, photo.scale, calibration.design, calibration.prints, calibration.looks
    )
    return Observation(photo.width, photo.height, found, readings, markers)
