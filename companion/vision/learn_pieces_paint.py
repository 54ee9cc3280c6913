"""Learns a paint from the pixels that show it: a few colours, each with its spread."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.pieces import Paint
from companion.vision.pieces_print import GAMMA, Floats, opponent

# Colours of one paint: top, bright side, dark side.
SPOTS = 3
# A spot with less than this share of the pixels is something else.
LEAST_SHARE = 0.1
# No paint is known better than this: luminance, two colour differences; other lamps and seats differ. Strong
# colours change more under another lamp than pale ones.
LEAST_SPREAD = np.array([0.22, 0.06, 0.06], dtype=np.float32)
SPREAD_OF_STRONG = 0.12
# Sides that were not learnt: how much darker than most of the paint (logarithms), or how much of white they
# mirror (light); how often each, and how much wider their spread.
SHADES, GLOSSES = (0.3, 0.6), (0.1, 0.25)
OTHER_SHARE, OTHER_SPREAD, OTHER_LEAST = 0.05, 1.3, np.array([0.25, 0.08, 0.08], dtype=np.float32)


def paint_of(pixels: Floats) -> Paint:
    cv2.setRNGSeed(0)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 1e-3)
    count = min(SPOTS, len(pixels))
    _, label, _ = cv2.kmeans(pixels, count, np.zeros((0, 1), np.int32), criteria, 4, cv2.KMEANS_PP_CENTERS)
    spots = [pixels[label.ravel() == k] for k in range(count)]
    spots = [spot for spot in spots if len(spot) >= LEAST_SHARE * len(pixels)]
    middles = np.stack([np.median(spot, axis=0) for spot in spots])
    least = np.hypot(LEAST_SPREAD, SPREAD_OF_STRONG * np.hypot(middles[:, 1], middles[:, 2])[:, None])
    spreads = np.hypot(np.stack([spot.std(axis=0) for spot in spots]), least)
    shares = np.array([len(spot) for spot in spots]) / sum(len(spot) for spot in spots)
    # another lamp leaves other sides dark, and mirrors in others, than those that were learnt
    most = middles[shares.argmax()]
    other = np.stack([most - (shade, 0, 0) for shade in SHADES] + [_glossy(most, gloss) for gloss in GLOSSES])
    wide = np.maximum(spreads[shares.argmax()] * OTHER_SPREAD, OTHER_LEAST)
    middles = np.concatenate([middles, other])
    spreads = np.concatenate([spreads, np.repeat(wide[None], len(other), axis=0)])
    shares = np.concatenate([shares * (1 - OTHER_SHARE * len(other)), np.full(len(other), OTHER_SHARE)])
    return Paint(middles.astype(np.float32), spreads.astype(np.float32), shares.astype(np.float32))


def _glossy(colour: Floats, gloss: float) -> Floats:
    """A colour with some white light added."""
    light, red_green, yellow_blue = colour
    # the inverse of `opponent`: logarithms of blue, green and red
    mean = light + 0.2 * yellow_blue + 0.1 * red_green
    blue = mean - yellow_blue
    green = mean - red_green / 2
    red = mean + red_green / 2
    logs = np.array([[[blue, green, red]]], dtype=np.float32)
    mirrored = np.log(np.exp(logs * GAMMA) + np.float32(gloss)) / np.float32(GAMMA)
    return np.asarray(opponent(np.asarray(mirrored, dtype=np.float32))[0, 0])
