"""Setup photos laid onto each other: where the board lies in each, better than a person can tap.

The barest photo is the reference. Blocks of its print are found again in every other photo, which ties the
photos together to a fraction of a pixel, and shows how the lens bends lines. Where the board's corners are
on that common print is the mean of all taps, then drawn to the edge of the board where it can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.bare import arrangement_of, assembly_of, bare, long_side
from companion.vision.camera import Matrix
from companion.vision.errors import BadCalibration
from companion.vision.model import NOTHING, Design, Labelled, Source
from companion.vision.photo import Photo
from companion.vision.plane import NO_MAP, Image, Window, homography_of, in_gray, inverse, moved
from companion.vision.refine import BLOCK_AGREES, Level, View, fitted_view, shifts

# Taps of two photos may each be off by some pixels: the first look searches this far, as a part of the
# board's long side, the second only mops up.
FIRST_SEARCH = 0.014
SECOND_SEARCH = 0.004
# Pixels for the board's long side while overlaying.
OVERLAY_PIXELS = 1000
BLOCK, MOST_BLOCKS = 32, 150
# Too few blocks cannot tell a wrong label from a bare sheet.
FEWEST_BLOCKS = 12
# How far from the mean of the taps the board's edge is looked for, as a part of the long side, and how much
# less a far one is believed.
EDGE_REACH = 0.008
EDGE_USUAL = 0.003


@dataclass(frozen=True, slots=True)
class _Tie:
    """Points of the reference photo, and the same points of the print in another one."""

    sheets: tuple[str, ...]
    here: Matrix
    """n x 2, pixels of the reference photo."""
    there: Matrix


def overlaid(source: Source, photos: Sequence[Photo]) -> tuple[View, ...]:
    """For each photo the view of the board's millimetres in its working image."""
    reference = barest(source)
    views = [
        _tapped(source.design, labelled, photo) for labelled, photo in zip(source.photos, photos, strict=True)
    ]
    ties: dict[int, _Tie] = {}
    for search in (FIRST_SEARCH, SECOND_SEARCH):
        found = {
            index: _tie(source, photos, views, reference, index, search)
            for index in range(len(photos))
            if index != reference
        }
        ties = {index: tie for index, tie in found.items() if tie is not None}
        views = _tied(source, photos, views, reference, ties)
    # photos that a plain print does not tie together are laid to the board's edges one by one
    alone = [[index] for index in range(len(photos)) if index not in ties and index != reference]
    for together in ([reference, *ties], *alone):
        _centre_on_taps(source, photos, views, together)
        _draw_to_edges(source, photos, views, together)
    return tuple(views)


def barest(source: Source) -> int:
    """The photo with the fewest things on it."""

    def things(index: int) -> tuple[bool, int]:
        labelled = source.photos[index]
        return labelled.covered, sum(thing != NOTHING for thing in labelled.things.values()) + len(
            labelled.markers
        )

    return min(range(len(source.photos)), key=things)


def _tapped(design: Design, labelled: Labelled, photo: Photo) -> View:
    assembly = assembly_of(design, labelled)
    pixels = (np.array(labelled.corners) + 0.5) * photo.scale - 0.5
    height, width = photo.image.shape[:2]
    return View.straight(homography_of(np.array(assembly.corners), pixels), (width, height))


def _tie(
    source: Source, photos: Sequence[Photo], views: Sequence[View], reference: int, other: int, search: float
) -> _Tie | None:
    """None where the print shows nothing to tie by."""
    design = source.design
    per_mm = OVERLAY_PIXELS / long_side(design)
    reach = int(np.ceil(search * OVERLAY_PIXELS))
    grays = [in_gray(photos[i].image) for i in (reference, other)]
    frees = [bare(design, source.photos[i], photos[i], views[i]) for i in (reference, other)]
    at = [arrangement_of(assembly_of(design, source.photos[i]), source.photos[i]) for i in (reference, other)]
    sheets: list[str] = []
    here, there, looked_for = [], [], 0
    for name in sorted(at[0].keys() & at[1].keys()):
        window = Window.around(design.sheets[name].parts, per_mm)
        picture = seen(grays[0], views[reference], at[0][name], window)
        mask = window.mask(design.sheets[name].parts)
        for free, i, place in zip(frees, (reference, other), at, strict=True):
            mask &= seen(free, views[i], place[name], window)
        level = Level.of(picture, np.where(mask == 255, 255, 0).astype(np.uint8), window, BLOCK, MOST_BLOCKS)
        wide = replace(
            window,
            left=window.left - reach / per_mm,
            top=window.top - reach / per_mm,
            width=window.width + 2 * reach,
            height=window.height + 2 * reach,
        )
        blocks = level.blocks
        other_picture = seen(grays[1], views[other], at[1][name], wide)
        side = blocks.size + 2 * reach
        around = [other_picture[y : y + side, x : x + side] for x, y in blocks.corners.tolist()]
        off, agree = shifts(np.array(around, np.uint8).reshape(-1, side, side), level.pattern, reach)
        good = agree > BLOCK_AGREES
        middles = moved(window.to_mm(), blocks.middles())
        found = moved(window.to_mm(), blocks.middles() + off)
        here.append(views[reference].project(moved(at[0][name], middles[good])))
        there.append(views[other].project(moved(at[1][name], found[good])))
        sheets += [name] * int(good.sum())
        looked_for += level.clear
    if max(looked_for, len(sheets)) < FEWEST_BLOCKS:
        return None
    if len(sheets) < FEWEST_BLOCKS:
        names = f"{source.photos[reference].photo.name} and {source.photos[other].photo.name}"
        raise BadCalibration(
            f"{names} do not show the same print where their labels say: check corners and arrangement."
        )
    return _Tie(tuple(sheets), np.concatenate(here), np.concatenate(there))


def seen(image: Image, view: View, place: Matrix, window: Window) -> Image:
    """The straightened picture of a window on a sheet that lies on the board at `place`."""
    # the lens bends slowly: every 16th pixel is projected, those between are interpolated
    xs, ys = np.arange(-16, window.width + 32, 16), np.arange(-16, window.height + 32, 16)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2).astype(np.float64)
    pixels = view.project(moved(place @ window.to_mm(), grid)).reshape(len(ys), len(xs), 2).astype(np.float32)
    spread = np.array([[16.0, 0, -16.0], [0, 16.0, -16.0]])
    maps = cv2.warpAffine(pixels, spread, (window.width, window.height), flags=cv2.INTER_CUBIC)
    return np.asarray(cv2.remap(image, maps, NO_MAP, cv2.INTER_LINEAR), np.uint8)


def _tied(
    source: Source, photos: Sequence[Photo], views: Sequence[View], reference: int, ties: dict[int, _Tie]
) -> list[View]:
    """All views fitted to the ties, for the bend of the reference's lens that ties them best."""
    bends = np.linspace(-0.06, 0.06, 13)
    misses = []
    for bend in bends:
        _, miss = _fits(source, photos, views, reference, ties, float(bend))
        misses.append(miss)
    best = int(np.clip(np.argmin(misses), 1, len(bends) - 2))
    a, b, c = misses[best - 1 : best + 2]
    bow = a - 2 * b + c
    offset = 0.5 * (a - c) / bow if bow > 0 else 0.0
    bend = float(bends[best] + np.clip(offset, -1, 1) * (bends[1] - bends[0])) if ties else 0.0
    return _fits(source, photos, views, reference, ties, bend)[0]


def _fits(
    source: Source,
    photos: Sequence[Photo],
    views: Sequence[View],
    reference: int,
    ties: dict[int, _Tie],
    bend: float,
) -> tuple[list[View], float]:
    base = replace(views[reference], bend=bend)
    start = arrangement_of(assembly_of(source.design, source.photos[reference]), source.photos[reference])
    fitted = list(views)
    fitted[reference] = base
    total = 0.0
    for index, tie in ties.items():
        place = arrangement_of(assembly_of(source.design, source.photos[index]), source.photos[index])
        on_board = moved(inverse(base.homography), base.ideal(tie.here))
        points = np.empty_like(on_board)
        names = np.array(tie.sheets)
        for name in sorted(set(tie.sheets)):
            chosen = names == name
            points[chosen] = moved(place[name] @ inverse(start[name]), on_board[chosen])
        fitted[index], miss = fitted_view(points, tie.there, np.ones(len(points)), views[index])
        total += float(np.minimum(miss, 3.0).mean()) ** 2
    return fitted, total


def _onto(views: Sequence[View], corners: Matrix, goal: Matrix) -> list[View]:
    """The same views where what was thought to be `corners` on the board is in truth `goal`."""
    back = homography_of(goal, corners)
    return [replace(view, homography=view.homography @ back) for view in views]


def _centre_on_taps(
    source: Source, photos: Sequence[Photo], views: list[View], together: Sequence[int]
) -> None:
    for assembly in source.design.assemblies:
        members = [i for i in together if source.photos[i].assembly == assembly.name]
        if not members:
            continue
        taps = [
            moved(
                inverse(views[i].homography),
                views[i].ideal((np.array(source.photos[i].corners) + 0.5) * photos[i].scale - 0.5),
            )
            for i in members
        ]
        for i, view in zip(
            members,
            _onto([views[i] for i in members], np.mean(taps, axis=0), np.array(assembly.corners)),
            strict=True,
        ):
            views[i] = view


def _draw_to_edges(
    source: Source, photos: Sequence[Photo], views: list[View], together: Sequence[int]
) -> None:
    for assembly in source.design.assemblies:
        members = [i for i in together if source.photos[i].assembly == assembly.name]
        if not members:
            continue
        shown = [(photos[i].image, views[i]) for i in members]
        for i, view in zip(members, drawn_to_edges(shown, np.array(assembly.corners)), strict=True):
            views[i] = view


def drawn_to_edges(shown: Sequence[tuple[Image, View]], corners: Matrix) -> list[View]:
    """The board's rim is where the photos agree that a straight edge runs, close to where it was thought."""
    lines = [_edge_line(shown, corners[k], corners[(k + 1) % 4]) for k in range(4)]
    edges = np.array(
        [np.cross(*lines_pair) for lines_pair in zip(np.roll(lines, 1, axis=0), lines, strict=True)]
    )
    return _onto([view for _, view in shown], edges[:, :2] / edges[:, 2:], corners)


def _edge_line(seen_by: Sequence[tuple[Image, View]], start: Matrix, end: Matrix) -> Matrix:
    """The line (a, b, c with ax + by + c = 0) of the edge from `start` to `end`."""
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length
    across = np.array([-along[1], along[0]])
    reach, fine = EDGE_REACH * length, length / 2400
    offsets = np.arange(-reach, reach + fine, fine)
    stops = np.linspace(0.03, 0.97, 1 + 16 * 24) * length
    points = start + stops[:-1, None, None] * along + offsets[None, :, None] * across
    total = np.zeros((16, len(offsets)))
    for image, view in seen_by:
        pixels = view.project(points.reshape(-1, 2)).reshape(*points.shape).astype(np.float32)
        strip = cv2.remap(image, pixels, NO_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
            np.float32
        )
        # 16 stretches; averaging along each keeps what runs along it and drowns the rest of the print
        profile = strip.reshape(16, -1, len(offsets), 3).mean(axis=1)
        step = np.abs(profile[:, 4:] - profile[:, :-4]).sum(axis=2)
        strength = np.pad(step, ((0, 0), (2, 2)))
        total += strength / (np.median(strength, axis=1, keepdims=True) + 3 * 2.0)
    believed = total * np.exp(-0.5 * (offsets / (EDGE_USUAL * length)) ** 2)
    at = offsets[np.argmax(believed, axis=1)]
    strong = believed.max(axis=1)
    middles = stops[:-1].reshape(16, -1).mean(axis=1)
    slope, offset = _steady_line(middles - length / 2, at, strong)
    if np.mean(np.abs(at - offset - slope * (middles - length / 2)) < 4 * fine) < 0.5:
        slope = offset = 0.0
    a = start + (offset - slope * length / 2) * across
    b = end + (offset + slope * length / 2) * across
    return np.cross([*a, 1.0], [*b, 1.0])


def _steady_line(x: Matrix, y: Matrix, weights: Matrix) -> tuple[float, float]:
    """Slope and offset of the line on which most of the weight lies."""
    slope, offset = 0.0, float(np.median(y))
    for _ in range(10):
        miss = np.abs(y - offset - slope * x)
        trust = weights / (1 + (miss / max(float(np.median(miss)), 1e-3)) ** 2)
        slope, offset = (float(v) for v in np.polyfit(x, y, 1, w=np.sqrt(trust)))
    return slope, offset
