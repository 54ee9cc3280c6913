"""The table under the board: seamless textures, one pixel a millimetre."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator

from tools.kitmaker.paint import Colour, Picture, hsv, noise

SIDE = 1536


def make_table(rng: Generator) -> Picture:
    style = str(rng.choice(["wood", "wood", "planks", "cloth", "plain", "checked", "marble"]))
    hue = float(rng.uniform(15, 35)) if style in ("wood", "planks") else float(rng.uniform(0, 360))
    colour = hsv(hue, rng.uniform(0.25, 0.7), rng.uniform(0.25, 0.75))
    if style in ("plain", "marble"):
        colour = hsv(hue, rng.uniform(0, 0.2), rng.uniform(0.5, 0.95))
    picture = np.empty((SIDE, SIDE, 3), np.float32)
    picture[:] = colour
    shade = {
        "wood": _wood,
        "planks": _planks,
        "cloth": _cloth,
        "plain": _plain,
        "checked": _checked,
        "marble": _marble,
    }[style](rng)
    picture *= (1 + shade)[..., None]
    return np.asarray(_seamless(np.clip(picture, 0, 255)).astype(np.uint8))


def wall_colour(rng: Generator) -> Colour:
    return hsv(rng.uniform(0, 360), rng.uniform(0, 0.2), rng.uniform(0.3, 0.9))


def _seamless(picture: Picture) -> Picture:
    """Opposite edges meet: the last tenth fades into the wrapped beginning."""
    band = SIDE // 10
    fade = np.linspace(0, 1, band, dtype=np.float32)
    out = picture.copy()
    out[-band:] = out[-band:] * (1 - fade[:, None, None]) + out[:band][::-1] * fade[:, None, None]
    out[:, -band:] = out[:, -band:] * (1 - fade[None, :, None]) + out[:, :band][:, ::-1] * fade[None, :, None]
    return out


def _grain(rng: Generator) -> Picture:
    stretched = cv2.resize(
        noise(rng, (SIDE, SIDE // 12), 26, 5, 0.8), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC
    )
    y = np.arange(SIDE, dtype=np.float32)[:, None]
    rings = np.sin((y + 30 * stretched) / float(rng.uniform(4, 14)))
    fine = cv2.resize(noise(rng, (SIDE, SIDE // 30), 3, 1), (SIDE, SIDE))
    return np.asarray(0.12 * stretched + float(rng.uniform(0.03, 0.14)) * rings + 0.06 * fine)


def _wood(rng: Generator) -> Picture:
    return _grain(rng)


def _planks(rng: Generator) -> Picture:
    shade, width = _grain(rng), int(rng.integers(70, 150))
    for top in range(0, SIDE, width):
        plank = slice(top, top + width)
        shade[plank] = np.roll(shade[plank], int(rng.integers(SIDE)), axis=1) + float(rng.normal(0, 0.07))
        shade[top : top + 2] -= 0.35
    return shade


def _cloth(rng: Generator) -> Picture:
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32)
    step = float(rng.uniform(2.2, 4))
    weave = np.sin(2 * np.pi * x / step) * np.sin(2 * np.pi * y / step)
    return np.asarray(
        0.08 * weave + 0.06 * noise(rng, (SIDE, SIDE), 3, 1) + 0.07 * noise(rng, (SIDE, SIDE), 300, 3)
    )


def _plain(rng: Generator) -> Picture:
    return 0.05 * noise(rng, (SIDE, SIDE), 250, 3) + 0.02 * noise(rng, (SIDE, SIDE), 3, 1)


def _checked(rng: Generator) -> Picture:
    y, x = np.mgrid[0:SIDE, 0:SIDE]
    step = SIDE // int(rng.integers(20, 70)) + 1
    lanes = (x // step % 2).astype(np.float32) + (y // step % 2)
    return np.asarray(float(rng.uniform(0.1, 0.4)) * (lanes - 1) + 0.05 * noise(rng, (SIDE, SIDE), 3, 1))


def _marble(rng: Generator) -> Picture:
    veins = np.abs(noise(rng, (SIDE, SIDE), 300, 6, 0.6))
    return np.asarray(-0.35 * np.exp(-((veins / 0.06) ** 2)) + 0.06 * noise(rng, (SIDE, SIDE), 120, 4))
