"""What can go wrong with a photo or a calibration, each in one sentence that says what to do."""

from __future__ import annotations


class VisionError(Exception):
    """Its text is a sentence for the person who took the photo."""


class NotAPhoto(VisionError):
    """The bytes cannot be read as a JPEG photo."""


class PoorPhoto(VisionError):
    """A photo, but too dark or too blurred to be read."""


class BoardNotFound(VisionError):
    """The board, or too much of it, is not in the photo."""


class BadCalibration(VisionError):
    """A calibration that is damaged, or made by a newer program, or cannot be learnt."""
