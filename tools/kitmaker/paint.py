"""Brushes: noise, textures of terrain, stamps, glyphs. Pictures are BGR, uint8 or float32 in 0-255."""

from __future__ import annotations

import colorsys
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Picture = NDArray[Any]
Colour = tuple[float, float, float]
Font = int | str
"""One of OpenCV's, or a TrueType file."""

PATCH = 130.0
"""Millimetres of a texture that are drawn mark by mark."""
TEXTURES = ("painted", "washed", "flat", "hatched", "dotted", "strokes", "rows", "speckled")
FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX | cv2.FONT_ITALIC,
)


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """A BGR colour from a hue in degrees and two shares of 1."""
    r, g, b = colorsys.hsv_to_rgb(hue % 360 / 360, min(max(saturation, 0), 1), min(max(value, 0), 1))
    return b * 255, g * 255, r * 255


def mix(a: Colour, b: Colour, share: float) -> Colour:
    return tuple(x * (1 - share) + y * share for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def luminance(colour: Colour) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def contrasting(colour: Colour) -> Colour:
    return (20.0, 18.0, 15.0) if luminance(colour) > 120 else (245.0, 250.0, 250.0)


def noise(
    rng: Generator, shape: tuple[int, int], cell: float, octaves: int = 4, fade: float = 0.55
) -> Picture:
    """Smooth noise of about -1 to 1, its coarsest blobs `cell` pixels wide."""
    height, width = shape
    total = np.zeros(shape, np.float32)
    weight, sum_weight = 1.0, 0.0
    for _ in range(octaves):
        grid = (max(2, round(height / cell) + 2), max(2, round(width / cell) + 2))
        rough = rng.uniform(-1, 1, grid).astype(np.float32)
        total += weight * cv2.resize(rough, (width, height), interpolation=cv2.INTER_CUBIC)
        sum_weight += weight
        weight *= fade
        cell = max(cell / 2.2, 1.0)
    return total * (1.6 / sum_weight)


def texture(
    rng: Generator, style: str, shape: tuple[int, int], colour: Colour, mm: float, rough: float = 1.0
) -> Picture:
    """A field of `colour` in one of TEXTURES; `mm` is pixels a millimetre."""
    base = np.empty((*shape, 3), np.float32)
    base[:] = colour
    if style == "flat":
        return base + noise(rng, shape, 40 * mm, 1)[..., None] * 4 * rough
    if style in ("painted", "washed"):
        cell = 14 * mm if style == "painted" else 40 * mm
        for channel in range(3):
            base[..., channel] += noise(rng, shape, cell, 5) * 22 * rough
        base += noise(rng, shape, 6 * mm, 4, 0.8)[..., None] * 26 * rough
        return base
    base += noise(rng, shape, 25 * mm, 3)[..., None] * 10 * rough
    side = int(PATCH * mm)
    patch = _marks(rng, style, (min(side, shape[0]), min(side, shape[1])), mm)
    # mirrored side by side, so that the patch's edges do not show
    double = np.vstack([np.hstack([patch, patch[:, ::-1]]), np.hstack([patch[::-1], patch[::-1, ::-1]])])
    ink = np.tile(double, (shape[0] // double.shape[0] + 1, shape[1] // double.shape[1] + 1))
    base += ink[: shape[0], : shape[1], None] * (34 * rough)
    return base


def _marks(rng: Generator, style: str, shape: tuple[int, int], mm: float) -> Picture:
    """Ink of -1 (dark) to 1 (light) over the whole field."""
    ink = np.zeros(shape, np.float32)
    height, width = shape
    sign = -1.0 if rng.random() < 0.6 else 1.0
    if style in ("hatched", "rows"):
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        angle = rng.uniform(0, np.pi)
        step = rng.uniform(1.6, 3.5) * mm * (1.6 if style == "rows" else 1.0)
        bend = noise(rng, shape, 30 * mm, 2) * (2.5 * mm if style == "rows" else 0.4 * mm)
        phase = (x * np.cos(angle) + y * np.sin(angle) + bend) / step * 2 * np.pi
        return np.asarray(sign * np.clip(np.sin(phase) * 2.2 - 0.9, 0, 1), np.float32)
    count = int(height * width / (mm * mm) / {"dotted": 9, "strokes": 7, "speckled": 3.5}[style])
    places = rng.uniform(0, 1, (count, 2)) * (width, height)
    turn = rng.uniform(0, np.pi)
    for x, y in places:
        tone = float(rng.uniform(0.3, 1.0)) * (sign if style != "speckled" else float(rng.choice([-1, 1])))
        at = (int(x), int(y))
        if style == "strokes":
            a = turn + rng.normal(0, 0.35)
            reach = rng.uniform(1, 3) * mm
            cv2.line(
                ink,
                at,
                (int(x + reach * np.cos(a)), int(y + reach * np.sin(a))),
                tone,
                max(1, round(0.3 * mm)),
                cv2.LINE_AA,
            )
        else:
            cv2.circle(ink, at, max(1, round(rng.uniform(0.2, 0.7) * mm)), tone, -1, cv2.LINE_AA)
    return ink


def fill(
    canvas: Picture, points: Any, paint: Picture | Colour, opacity: float = 1.0, tint: Any = 0.0
) -> None:
    """Fills a polygon (pixels) with a colour or with the same place of a picture as large as the canvas."""
    polygon = np.asarray(points, np.float64)
    low = np.maximum(np.floor(polygon.min(0)).astype(int) - 1, 0)
    high = np.minimum(np.ceil(polygon.max(0)).astype(int) + 2, (canvas.shape[1], canvas.shape[0]))
    if (high <= low).any():
        return
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillPoly(mask, [np.round((polygon - low) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    part = canvas[low[1] : high[1], low[0] : high[0]]
    new = (
        paint[low[1] : high[1], low[0] : high[0]]
        if isinstance(paint, np.ndarray)
        else np.array(paint, np.float32)
    )
    alpha = (mask.astype(np.float32) * (opacity / 255))[..., None]
    part[:] = part * (1 - alpha) + (new + tint) * alpha


def line(canvas: Picture, points: Any, colour: Colour, width: float, closed: bool = True) -> None:
    """A line through `points` (pixels), `width` pixels wide; nothing where that is below half a pixel."""
    if width >= 0.5:
        path = np.round(np.asarray(points, np.float64) * 16).astype(np.int32)
        cv2.polylines(canvas, [path], closed, colour, max(1, round(width)), cv2.LINE_AA, 4)


def glyph(text: str, font: Font, colour: Colour, bold: float) -> Picture:
    """Text as a BGRA stamp whose height is the digits' height; `bold` is the stroke's share of it, for a font
    that is drawn in strokes."""
    if isinstance(font, str):
        return inked(_typeset(text, font), colour)
    scale = 96 / max(cv2.getTextSize("0", font, 1.0, 1)[0][1], 1)
    thick = max(1, round(96 * bold))
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    pad = thick + 8
    stamp = np.zeros((height + 2 * pad, width + 2 * pad), np.uint8)
    cv2.putText(stamp, text, (pad, pad + height), font, scale, 255, thick, cv2.LINE_AA)
    return inked(stamp[pad - thick : pad + height + thick], colour)


def _typeset(text: str, font: str) -> Picture:
    face = ImageFont.truetype(font, 128)
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text))
    page = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(page).text((-left, -top), text, fill=255, font=face)
    return np.asarray(page)


def inked(mask: Picture, colour: Colour) -> Picture:
    stamp = np.empty((*mask.shape, 4), np.uint8)
    stamp[..., :3] = np.clip(colour, 0, 255)
    stamp[..., 3] = mask
    return stamp


def stamp(canvas: Picture, art: Picture, at: Any, height: float, degrees: float = 0.0) -> None:
    """Prints a BGRA stamp about `at` (pixels), `height` pixels high, turned clockwise."""
    scale = height / art.shape[0]
    if scale < 1:
        art = cv2.resize(art, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        scale = 1.0
    rows, columns = art.shape[:2]
    reach = int(np.ceil(np.hypot(rows, columns) * scale / 2)) + 2
    x0, y0 = round(float(at[0])) - reach, round(float(at[1])) - reach
    warp = cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), -degrees, scale)
    warp[:, 2] += (float(at[0]) - x0 - (columns - 1) / 2, float(at[1]) - y0 - (rows - 1) / 2)
    art = art.astype(np.float32)
    art[..., :3] *= art[..., 3:] / 255
    inked_art = cv2.warpAffine(art, warp, (2 * reach, 2 * reach), flags=cv2.INTER_LINEAR)
    top, left = max(0, -y0), max(0, -x0)
    bottom = min(2 * reach, canvas.shape[0] - y0)
    right = min(2 * reach, canvas.shape[1] - x0)
    if bottom <= top or right <= left:
        return
    part = canvas[y0 + top : y0 + bottom, x0 + left : x0 + right]
    new = inked_art[top:bottom, left:right]
    part[:] = part * (1 - new[..., 3:] / 255) + new[..., :3]
