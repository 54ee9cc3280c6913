"""How alike two small pictures are, so that what was named once need not be named again.

A look is the colours of a picture and its pattern, each made independent of how bright it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.plane import Image

Floats = NDArray[np.float32]

# Pixels a side to which a pattern is scaled.
PATTERN = 32
# Parts a side in which two pictures of one place are compared; and grey values added before logarithms are
# taken: in the dark noise would count for too much.
PARTS, DARKEST = 12, 8
# Cells a colour axis is divided into.
BINS = 12
# The pattern of two prints of one thing may be off by some pixels; all of these shifts are tried: five of
# 32 are what a tile that lies carelessly needs (values of 128 sides: 98 % with 3, 99 with 5).
SHIFTS = 5


@dataclass(frozen=True, slots=True)
class Look:
    colours: Floats
    """A histogram of the colours (without brightness), soft at its bins, that sums up to 1."""
    shades: Floats
    """A histogram of brightness, likewise."""
    pattern: Floats
    """The brightness of a small copy, without its mean and with length 1."""
    mean: Floats
    """The mean colour, Lab."""


def look_of(image: Image, mask: Image | None = None) -> Look:
    """`mask` is 255 where the picture counts."""
    small = cv2.resize(image, (PATTERN, PATTERN), interpolation=cv2.INTER_AREA)
    counted = (
        np.full((PATTERN, PATTERN), True)
        if mask is None
        else cv2.resize(mask, (PATTERN, PATTERN), interpolation=cv2.INTER_AREA) > 127
    )
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    points = lab[counted] if counted.any() else lab.reshape(-1, 3)
    gray = np.where(counted, lab[..., 0], points[:, 0].mean()).astype(np.float32)
    gray -= gray.mean()
    length = float(np.linalg.norm(gray))
    pattern = gray / length if length > 1e-3 else gray * 0
    return Look(_colours(points), _shades(points), pattern, points.mean(axis=0))


def alike(a: Look, b: Look, colour: float = 0.5) -> float:
    """0-1. `colour` is how much colours weigh against the pattern."""
    return colour * colours_alike(a, b) + (1 - colour) * max(0.0, pattern_alike(a, b))


def colours_alike(a: Look, b: Look) -> float:
    """0-1, by the overlap of their histograms."""
    colours = float(np.minimum(a.colours, b.colours).sum())
    return 0.75 * colours + 0.25 * float(np.minimum(a.shades, b.shades).sum())


def colour_likenesses(looks: Sequence[Look]) -> Floats:
    """How alike the colours of each two looks are, 0-1: n x n."""
    colours = np.stack([look.colours.ravel() for look in looks])
    shades = np.stack([look.shades for look in looks])
    rows = [
        0.75 * np.minimum(colours, one).sum(axis=1) + 0.25 * np.minimum(shades, other).sum(axis=1)
        for one, other in zip(colours, shades, strict=True)
    ]
    return np.asarray(rows, np.float32)


def pattern_alike(a: Look, b: Look) -> float:
    """-1 to 1: the best correlation over small shifts."""
    inner = a.pattern[3:-3, 3:-3]
    if not inner.any() or not b.pattern.any():
        return 0.0
    return float(cv2.matchTemplate(b.pattern, inner, cv2.TM_CCOEFF_NORMED).max())


def changed_unevenly(now: Image, was: Image) -> float:
    """How differently the parts of a place have changed between two pictures: other light changes all of them
    by the same factor."""
    change = _in_parts(now) - _in_parts(was)
    return float(np.sqrt(((change - change.mean(axis=(0, 1))) ** 2).mean()))


def light_between(now: Image, was: Image) -> Floats:
    """Logarithms of the factors by which blue, green and red have become lighter."""
    return np.asarray(np.median(_in_parts(now) - _in_parts(was), axis=(0, 1)))


def relit(image: Image, light: Floats) -> Image:
    """The picture in light that differs by these logarithms of factors."""
    lit = (image.astype(np.float32) + DARKEST) * np.exp(light) - DARKEST
    return np.clip(lit, 0, 255).astype(np.uint8)


def _in_parts(image: Image) -> Floats:
    parts = cv2.resize(image, (PARTS, PARTS), interpolation=cv2.INTER_AREA)
    return np.log(parts.astype(np.float32) + DARKEST)


def nearest(look: Look, known: Sequence[Look], colour: float = 0.5) -> list[tuple[int, float]]:
    """The known ones, the most alike first, with how alike they are."""
    found = [(index, alike(look, other, colour)) for index, other in enumerate(known)]
    return sorted(found, key=lambda one: -one[1])


def _colours(lab: Floats) -> Floats:
    """Two soft histograms would forget which a goes with which b: it is one of both."""
    at = np.clip((lab[:, 1:] - 64) / 128 * BINS - 0.5, 0, BINS - 1.001)
    low = np.floor(at).astype(int)
    part = at - low
    hist = np.zeros((BINS, BINS), np.float32)
    for a in (0, 1):
        for b in (0, 1):
            weight = np.abs(1 - a - part[:, 0]) * np.abs(1 - b - part[:, 1])
            np.add.at(hist, (low[:, 0] + a, low[:, 1] + b), weight)
    return hist / max(float(hist.sum()), 1e-6)


def _shades(lab: Floats) -> Floats:
    hist, _ = np.histogram(lab[:, 0], bins=BINS, range=(0, 256))
    return (hist / max(int(hist.sum()), 1)).astype(np.float32)


def groups(points: Floats, count: int) -> NDArray[np.int32]:
    """Which of `count` groups each point (n x d) belongs to; the same points give the same groups."""
    criteria = (cv2.TERM_CRITERIA_MAX_ITER | cv2.TERM_CRITERIA_EPS, 40, 0.1)
    cv2.setRNGSeed(1)
    start = np.zeros((len(points), 1), np.int32)
    _, labels, _ = cv2.kmeans(points.astype(np.float32), count, start, criteria, 6, cv2.KMEANS_PP_CENTERS)
    return np.asarray(labels.ravel(), np.int32)


def in_lab(image: Image) -> Floats:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), np.float32)


def rgb_of(lab: Floats) -> tuple[int, int, int]:
    """A colour as pages show it."""
    pixel = np.clip(np.asarray(lab, np.float32).reshape(1, 1, 3), 0, 255).astype(np.uint8)
    blue, green, red = (int(value) for value in cv2.cvtColor(pixel, cv2.COLOR_LAB2BGR)[0, 0])
    return red, green, blue


def stands_out(image: Image) -> Image:
    """How far each pixel is from the usual colour: light on dark and dark on light look the same then."""
    lab = in_lab(image)
    off = np.linalg.norm(lab - np.median(lab.reshape(-1, 3), axis=0), axis=2)
    grey = np.clip(off * 2, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def mark_in(image: Image) -> Image:
    """The part of a picture that holds what stands out of its ground; all of it where nothing does."""
    off = stands_out(image)[..., 0]
    level, _ = cv2.threshold(off, 0, 255, cv2.THRESH_OTSU)
    there = cv2.morphologyEx((off > level).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(there, connectivity=8)
    if count < 2:
        return image
    height, width = off.shape
    # large and near the middle: a neighbour's rim may stand out as well
    away = np.hypot(middles[1:, 0] / width - 0.5, middles[1:, 1] / height - 0.5)
    best = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA] * np.exp(-((away / 0.25) ** 2))))
    x, y, across, down = (int(value) for value in stats[best, :4])
    reach = max(across, down) / 2 + 2
    cx, cy = x + across / 2, y + down / 2
    left, right = max(0, round(cx - reach)), min(width, round(cx + reach))
    top, bottom = max(0, round(cy - reach)), min(height, round(cy + reach))
    return np.ascontiguousarray(image[top:bottom, left:right])


def small(gray: Floats) -> Floats:
    """A small copy, as `likenesses` compares them."""
    return np.asarray(
        cv2.resize(np.ascontiguousarray(gray), (PATTERN, PATTERN), interpolation=cv2.INTER_AREA)
    )


def likenesses(copies: Floats) -> Floats:
    """How alike each two small copies are, -1 to 1, over small shifts: n x n."""
    inner = PATTERN - 2 * SHIFTS
    starts = range(2 * SHIFTS + 1)
    whole = _unit(copies[:, SHIFTS:-SHIFTS, SHIFTS:-SHIFTS].reshape(len(copies), -1))
    best = np.full((len(copies), len(copies)), -1.0, np.float32)
    for y in starts:
        for x in starts:
            moved = _unit(copies[:, y : y + inner, x : x + inner].reshape(len(copies), -1))
            best = np.maximum(best, whole @ moved.T)
    return np.maximum(best, best.T)


def _unit(rows: Floats) -> Floats:
    centred = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(centred / np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-3), np.float32)


def odd_colours(middle: Look, around: Sequence[Look]) -> Floats:
    """The colours of a middle that its surroundings do not have, as one row."""
    usual = np.max([look.colours for look in around], axis=0)
    dark = np.max([look.shades for look in around], axis=0)
    colours = np.maximum(middle.colours - 2 * usual, 0).ravel()
    return np.concatenate([colours, 0.5 * np.maximum(middle.shades - 2 * dark, 0)])
