"""The phone: exposure, white balance, lens, blur, noise, sharpening, JPEG and its orientation tag."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tools.kitmaker.light import ground_points
from tools.kitmaker.paint import Picture
from tools.kitmaker.view import View

GRAIN = 509
"""Side of the patch of sensor noise."""


@dataclass(frozen=True)
class Phone:
    exposure: float
    balance: tuple[float, float, float]
    """What is left of the lamps' tint, BGR."""
    contrast: float
    saturation: float
    vignette: float
    defocus: float
    """Sigma in pixels of a 2400 px photo."""
    soft_ends: float
    """Extra sigma where the board is much nearer or farther than the plane in focus."""
    shake: tuple[float, float]
    """Length in pixels of a 2400 px photo, and direction in degrees."""
    noise: float
    chroma: float
    sharpen: float
    quality: int


def any_phone(rng: Generator, hard: bool) -> Phone:
    worse = 1.6 if hard else 1.0
    shaky = rng.random() < (0.4 if hard else 0.15)
    return Phone(
        float(rng.uniform(0.5, 1.05)) if not hard else float(rng.uniform(0.4, 1.35)),
        (float(rng.normal(1, 0.05 * worse)), 1.0, float(rng.normal(1, 0.05 * worse))),
        float(rng.uniform(0.9, 1.2)),
        float(rng.uniform(0.8, 1.15)),
        float(rng.uniform(0.0, 0.35)),
        float(rng.uniform(0.4, 0.9)) * (float(rng.uniform(1, 1.9)) if hard else 1.0),
        float(rng.uniform(0.5, 1.6 * worse)) if rng.random() < 0.3 else 0.0,
        (float(rng.uniform(1.5, 4.0 * worse)) if shaky else 0.0, float(rng.uniform(0, 180))),
        float(rng.uniform(0.004, 0.016)) * worse,
        float(rng.uniform(0.3, 1.0)),
        float(rng.uniform(0.0, 0.6)),
        int(rng.integers(75, 96)),
    )


def careful_phone(rng: Generator) -> Phone:
    """For the setup photos: enough light, held still."""
    phone = any_phone(rng, False)
    return replace(
        phone,
        exposure=max(phone.exposure, 0.75),
        defocus=min(phone.defocus, 0.75),
        soft_ends=min(phone.soft_ends, 0.5),
        shake=(0.0, 0.0),
        noise=phone.noise * 0.7,
        quality=max(phone.quality, 86),
    )


def develop(rng: Generator, light: NDArray[Any], view: View, phone: Phone) -> Picture:
    """The upright photo, 8 bit BGR."""
    scale = max(view.size) / 2400
    light = cv2.remap(light, *view.bend_maps(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    light = _blurred(light, phone, scale)
    if phone.soft_ends * scale > 0.25:
        light = _soft_ends(light, view, phone.soft_ends * scale)
    middle = float(np.percentile(light[::16, ::16].mean(-1), 90))  # the phone meters on the bright parts
    gains = np.array(phone.balance) * (0.6 * phone.exposure / max(middle, 1e-3))
    light *= gains.astype(np.float32)
    if phone.vignette:
        light *= _vignette(view, phone.vignette)[..., None]
    light += _grain(rng, light, phone)
    photo = _tone(light, phone)
    if phone.sharpen:
        soft = cv2.GaussianBlur(photo, (0, 0), 1.2)
        photo = cv2.addWeighted(photo, 1 + phone.sharpen, soft, -phone.sharpen, 0)
    return np.asarray(photo)


def _blurred(light: NDArray[Any], phone: Phone, scale: float) -> NDArray[Any]:
    if phone.defocus * scale > 0.25:
        light = cv2.GaussianBlur(light, (0, 0), phone.defocus * scale)
    length, direction = phone.shake[0] * scale, np.radians(phone.shake[1])
    if length > 1:
        side = int(np.ceil(length)) | 1
        side += 2
        kernel = np.zeros((side * 8, side * 8), np.float32)
        reach = length * 4 * np.array([np.cos(direction), np.sin(direction)])
        middle = np.array([side * 4, side * 4])
        ends = [tuple(int(v) for v in np.round(middle + sign * reach)) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0, 6)
        small = cv2.resize(kernel, (side, side), interpolation=cv2.INTER_AREA)
        light = cv2.filter2D(light, -1, small / small.sum())
    return light


def _soft_ends(light: NDArray[Any], view: View, sigma: float) -> NDArray[Any]:
    """The lens is focused on the middle of the photo."""
    points, _ = ground_points(view, 0.0625)
    away = np.hypot(*np.moveaxis(points - view.eye[:2], -1, 0))
    depth = np.hypot(away, view.eye[2])
    focus = depth[depth.shape[0] // 2, depth.shape[1] // 2]
    off = np.clip(np.abs(1 / depth - 1 / focus) * focus * 2.5, 0, 1).astype(np.float32)
    weight = cv2.resize(off, view.size, interpolation=cv2.INTER_LINEAR)[..., None]
    soft = cv2.GaussianBlur(light, (0, 0), sigma)
    soft -= light
    soft *= weight
    return np.asarray(light + soft)


def _vignette(view: View, amount: float) -> NDArray[Any]:
    width, height = view.size
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :] * (width / np.hypot(width, height))
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * (height / np.hypot(width, height))
    return np.asarray(1 - amount * (x * x + y * y))


def _grain(rng: Generator, light: NDArray[Any], phone: Phone) -> NDArray[Any]:
    """Shot and read noise; phones smear it into soft grain, colour more than brightness."""
    height, width = light.shape[:2]
    # the same patch of noise again and again: nobody can tell, and it is drawn in a tenth of the time
    patch = rng.standard_normal((GRAIN, GRAIN, 4), np.float32)
    grey = cv2.GaussianBlur(patch[..., 0], (0, 0), 0.6) * 1.7
    tint = cv2.resize(patch[: GRAIN // 2, : GRAIN // 2, 1:], (GRAIN, GRAIN)) * phone.chroma
    tile = grey[..., None] + tint
    grain = np.tile(tile, (height // GRAIN + 1, width // GRAIN + 1, 1))[:height, :width]
    brightness = np.clip(cv2.cvtColor(light, cv2.COLOR_BGR2GRAY), 0, 1.5)
    strength = cv2.sqrt(brightness * (2 * phone.noise**2) + 0.05 * phone.noise**2)
    return np.asarray(grain * strength[..., None])


def _tone(light: NDArray[Any], phone: Phone) -> Picture:
    """Display curve with a shoulder, contrast about the middle, saturation."""
    levels = np.linspace(0, 2, 4096)
    shown = np.clip(levels, 0, None)
    shown = np.where(shown < 0.7, shown, 0.7 + 0.3 * (1 - np.exp(-(shown - 0.7) / 0.3)))
    shown = shown ** (1 / 2.2)
    shown = np.clip(0.45 + (shown - 0.45) * phone.contrast, 0, 1)
    table = (shown * 255).astype(np.float32)
    photo = table[np.clip(light * (4095 / 2), 0, 4095).astype(np.int16)]
    keep = phone.saturation
    grey = (1 - keep) / 3
    mixing = np.full((3, 3), grey) + np.eye(3) * keep
    return np.asarray(cv2.transform(photo, mixing).clip(0, 255).astype(np.uint8))


# Orientation tag -> what a viewer does to the stored pixels; the photo is stored the other way round.
STORED = {
    1: lambda p: p,
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.transpose(1, 0, 2),
    6: lambda p: np.rot90(p, 1),
    7: lambda p: p.transpose(1, 0, 2)[::-1, ::-1],
    8: lambda p: np.rot90(p, -1),
}


def encode(photo: Picture, quality: int, orientation: int = 1) -> bytes:
    """A JPEG whose upright look is `photo`."""
    stored = np.ascontiguousarray(STORED[orientation](photo))
    done, data = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("OpenCV could not encode the photo as JPEG.")
    jpeg = data.tobytes()
    return jpeg if orientation == 1 else jpeg[:2] + _orientation_segment(orientation) + jpeg[2:]


def _orientation_segment(orientation: int) -> bytes:
    """APP1 with the one EXIF entry that says how the camera was held."""
    entry = (
        (0x0112).to_bytes(2, "big")
        + (3).to_bytes(2, "big")
        + (1).to_bytes(4, "big")
        + orientation.to_bytes(2, "big")
        + b"\0\0"
    )
    tiff = b"MM\0*" + (8).to_bytes(4, "big") + (1).to_bytes(2, "big") + entry + (0).to_bytes(4, "big")
    body = b"Exif\0\0" + tiff
    return b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body
