"""Learns a calibration from labelled photos: the prints of the sheets, then the looks of all things."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import cv2
import numpy as np

from companion.vision.calibration import Calibration
from companion.vision.errors import BadCalibration, NotAPhoto
from companion.vision.labelled_view import LabelledView
from companion.vision.looks import learn_looks
from companion.vision.model import Labelled, Source
from companion.vision.photo import Photo, decode
from companion.vision.prints import Print, learn_prints

Progress = Callable[[str, float], None]

# A sheet of which less was ever seen bare is hard to find again.
BARE_ENOUGH = 0.7
# The fine detail of a photo (grey values of its Laplacian, median over tiles that have any) below which it
# is blurred: half of what a phone held still gives.
SHARP_ENOUGH = 4.0


def learn(source: Source, progress: Progress = lambda what, share: None) -> Calibration:
    """`progress` is told what is being done and which share of all work lies behind, 0-1."""
    photos = []
    for index, labelled in enumerate(source.photos):
        progress(f"opening {labelled.photo.name}", 0.1 * index / len(source.photos))
        photos.append(opened(labelled))
    if not photos:
        raise BadCalibration("There is no labelled photo to learn from.")
    progress("laying the photos onto each other", 0.1)
    prints, found = learn_prints(source, photos)
    missing = sorted(source.design.sheets.keys() - prints.keys())
    if missing:
        raise BadCalibration(f"No photo shows {', '.join(missing)}: take one of the whole board.")
    progress("learning what lies on the board", 0.4)
    views = [
        LabelledView(photo.image, where.poses, labelled, photo.scale)
        for photo, where, labelled in zip(photos, found, source.photos, strict=True)
    ]
    looks = learn_looks(source.design, views, prints)
    progress("done", 1.0)
    weak = (*_weak_prints(source, prints), *_weak_photos(source, photos), *looks.weak)
    return Calibration(source.design, prints, looks, weak)


def opened(labelled: Labelled) -> Photo:
    try:
        return decode(labelled.photo.read_bytes())
    except OSError:
        raise BadCalibration(f"{labelled.photo} cannot be opened: put the photo beside its label.") from None
    except NotAPhoto as error:
        raise BadCalibration(f"{labelled.photo.name}: {error}") from None


def _weak_prints(source: Source, prints: Mapping[str, Print]) -> Iterator[str]:
    for name, bare in prints.items():
        inside = bare.window.mask(source.design.sheets[name].parts) > 0
        seen = float((bare.known[inside] > 0).mean())
        if seen < BARE_ENOUGH:
            yield f"Only {seen:.0%} of {name} was ever seen bare: add a photo of the empty board."


def _weak_photos(source: Source, photos: Sequence[Photo]) -> Iterator[str]:
    """Photos that are blurred, and where."""
    for labelled, photo in zip(source.photos, photos, strict=True):
        gray = cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY)
        detail = np.abs(cv2.Laplacian(gray, cv2.CV_32F))
        height, width = gray.shape
        corners = np.array(labelled.corners) * photo.scale
        left, right = np.clip([corners[:, 0].min(), corners[:, 0].max()], 0, width - 1).astype(int)
        top, bottom = np.clip([corners[:, 1].min(), corners[:, 1].max()], 0, height - 1).astype(int)
        third = max((right - left) // 3, 1)
        for word, start in (("left edge", left), ("middle", left + third), ("right edge", right - third)):
            part = detail[top : bottom + 1, start : start + third]
            if part.size and float(np.percentile(part, 90)) < SHARP_ENOUGH:
                yield f"{labelled.photo.name} is blurred at the {word}: take it again with a steady hand."
