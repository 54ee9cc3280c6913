"""The looks of flat things as they were learnt, and slots of a photo cut out to be compared with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.camera import Camera
from companion.vision.light import Light, linear, logs
from companion.vision.model import Faces, SheetPose, Slot
from companion.vision.plane import inverse, moved

Floats = NDArray[np.float32]

# Pixels across a face: a numeral is about a sixth of a face's width, and needs some eight pixels.
FINE = 56
# Pixels across a face when aligning it: half of that, since alignment leans on edges, not on numerals.
MIDDLE = 28
# Pixels across a face as it is kept: what a phone shows of a whole board.
SHARP = 84
# Only this part of a face is compared: its rim is shaded by its own edge and cut by imprecise learning.
INNER = 0.94
# Detail is luminance and colour against their surroundings, this many fine pixels about, in units of the
# contrast there: the light's strength, slope and veil drop out, symbols stay. About a symbol's width.
DETAIL = 9
# Contrast below this (logarithms; luminance, two colour differences) is noise or paper, and is not blown up.
FAINT = np.array([0.05, 0.12, 0.12], dtype=np.float32)
# Luminance against the two colour differences in detail: JPEG keeps colour at half the resolution.
DETAIL_WEIGHTS = np.sqrt(np.array([1.0, 0.5, 0.5], dtype=np.float32))
# Pixels at a picture's rim whose detail was taken partly from outside the face.
RIM = DETAIL // 2
SHARP_RIM = RIM * SHARP // FINE
# Two pictures compare fairly only when equally sharp: the blurred one of a pair sets the pace. These are the
# blurs (fine pixels) to which pictures are brought, from a near photo's to that of a board's far end.
BLURS = (1.0, 1.4, 2.0, 2.8)
# The blur of a sharp photo in its own pixels: lens, sensor, JPEG and sampling together.
PIXEL_BLUR = 0.8


# From logarithms of B, G, R to luminance and two colour differences, and back.
OPPONENT = np.array([[0.2, 0.0, -1.0], [0.5, -1.0, 0.5], [0.3, 1.0, 0.5]], dtype=np.float32)
BACK = np.linalg.inv(OPPONENT).astype(np.float32)
# A stored byte from here on may stand for any brighter light. Where more than this part of a cut-out is so,
# it shows no more than the sensor could tell.
FULL, MUCH_FULL = 250, 0.03


def opponent(relit: Floats) -> Floats:
    """Logarithms of B, G, R as luminance and two colour differences."""
    return np.asarray(relit @ OPPONENT, dtype=np.float32)


def capped(colours: Floats, white: Floats) -> Floats:
    """`opponent` pictures as they look where nothing above `white` (logarithms of B, G, R) can be told."""
    flat = colours.reshape(1, -1, 3)
    relit = np.minimum(cv2.transform(flat, BACK.T), white)
    return np.asarray(cv2.transform(relit, OPPONENT.T), dtype=np.float32).reshape(colours.shape)


def detail(colours: Floats) -> Floats:
    """What stands out from its surroundings in an `opponent` picture (h x w x 3)."""
    box = (DETAIL, DETAIL)
    mean: Floats = np.asarray(cv2.blur(colours, box), dtype=np.float32)
    spread: Floats = np.ascontiguousarray(cv2.blur(cv2.multiply(colours, colours), box), np.float32)
    spread -= mean * mean
    # rounding may leave a little less than nothing
    np.maximum(spread, 0, out=spread)
    # by whole rows: numpy is slow with the three numbers of a pixel
    rows, width = spread.reshape(len(spread), -1), spread.shape[1]
    rows += np.tile(FAINT * FAINT, width)
    np.sqrt(rows, out=rows)
    rows /= np.tile(DETAIL_WEIGHTS, width)
    off = np.subtract(colours, mean, out=mean)
    return np.divide(off, spread, out=off)


@dataclass(frozen=True, eq=False)
class FaceLooks:
    """The looks of all faces that one kind of slot may hold, in the light of the print."""

    holds: Faces
    names: tuple[str, ...]
    colours: Floats
    """Faces x (SHARP + 2 SHARP_RIM) twice x 3, unturned, as `opponent` gives them, with a rim around."""
    sharpness: Floats
    """Faces: photo pixels per mm where each was learnt."""
    thickness: float
    slots: tuple[tuple[str, str], ...] = ()
    """Sheet and name of every slot of this kind."""
    bare: Floats = field(default_factory=lambda: np.zeros((0, FINE, FINE, 3), dtype=np.float32))
    """Slots x FINE x FINE x 3: the print of each."""

    def on(
        self, slots: tuple[tuple[str, str], ...], bare: Floats, bare_seen: NDArray[np.bool_], bare_blur: float
    ) -> FaceLooks:
        return replace(self, slots=slots, bare=bare, bare_seen=bare_seen, bare_blur=bare_blur)

    bare_blur: float = PIXEL_BLUR
    """How blurred the prints are, in fine pixels."""
    known: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    """Faces x rows x columns of `colours`: False where it was guessed, not seen. Empty: all was seen."""
    white: Floats = field(default_factory=lambda: np.zeros((0, 3), dtype=np.float32))
    """Faces x 3: the brightest light that could be told from brighter (logarithms of B, G, R), infinite where
    nothing was that bright. Empty: nowhere."""
    bare_seen: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    """Slots: whether a photo showed its print. Empty: all were seen."""

    @cached_property
    def bare_of(self) -> dict[tuple[str, str], int]:
        return {slot: index for index, slot in enumerate(self.slots)}

    @cached_property
    def fine(self) -> Floats:
        """Faces x (FINE + 2 RIM) x (FINE + 2 RIM) x 3."""
        return np.stack([shrunk(picture, FINE + 2 * RIM) for picture in self.colours])

    @property
    def mm(self) -> float:
        """Millimetres per fine pixel."""
        return max(self.holds.size) * INNER / FINE

    @property
    def blurs(self) -> Floats:
        """How blurred each picture is, in fine pixels."""
        return np.asarray(PIXEL_BLUR / (self.sharpness * self.mm), dtype=np.float32)


def brought(picture: Floats, blur: float, goal: float) -> Floats:
    """A picture that is blurred by `blur`, brought to `goal`."""
    more = np.sqrt(max(0.0, goal * goal - blur * blur))
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), more)) if more > 0.3 else picture


def blur_step(blur: Floats) -> NDArray[np.int64]:
    """The least of BLURS that a picture with this blur can be brought to."""
    return np.minimum(np.searchsorted(np.array(BLURS) * 1.1, blur), len(BLURS) - 1)


def shrunk_all(pictures: Floats, times: int) -> Floats:
    """Pictures (n x side x side x 3) made smaller by a whole number that divides their side."""
    n, side = pictures.shape[:2]
    tall = cv2.resize(
        pictures.reshape(n * side, side, -1), (side // times, n * side // times), interpolation=cv2.INTER_AREA
    )
    return np.asarray(tall, dtype=np.float32).reshape(n, side // times, side // times, -1)


def shrunk(picture: Floats, pixels: int) -> Floats:
    return np.asarray(cv2.resize(picture, (pixels, pixels), interpolation=cv2.INTER_AREA))


@dataclass(frozen=True)
class Straightened:
    """Slots cut out of a photo, level with the face that would lie there, with a margin around."""

    colours: Floats
    """n x side x side x 3, relit, as `opponent` gives them."""
    blurs: Floats
    """n: how blurred each is, in pixels."""
    white: Floats = field(default_factory=lambda: np.zeros((0, 3), dtype=np.float32))
    """n x 3, as that of `FaceLooks`."""

    def details(self, steps: NDArray[np.int64]) -> Floats:
        """What stands out in each, brought to the given step of blur."""
        soft = [
            brought(picture, float(blur), BLURS[step])
            for picture, blur, step in zip(self.colours, self.blurs, steps, strict=True)
        ]
        # one picture of all is quicker; a few rows of the margins see their neighbours
        return detail(np.concatenate(soft)).reshape(self.colours.shape)


def straighten(
    image: NDArray[np.uint8], scale: float, light: Light, mm: float,
    slots: Sequence[tuple[SheetPose, Slot]], height: float, side: int,
) -> Straightened:  # fmt: skip
    """Cuts `side` pixels of `mm` about the middle of each slot, `height` mm above the print."""
    colours = np.empty((len(slots), side, side, 3), dtype=np.float32)
    blurs = np.empty(len(slots), dtype=np.float32)
    white = np.full((len(slots), 3), np.inf, dtype=np.float32)
    middles = np.array([np.mean(np.array(slot.polygon), axis=0) for _, slot in slots])
    for pose in {id(pose): pose for pose, _ in slots}.values():
        camera = pose.camera.scaled(scale)
        onto = camera.homography(height)
        ours = [index for index, (other, _) in enumerate(slots) if other is pose]
        tables, adds = _relit_tables(light, light.at(pose, camera, middles[ours]))
        for index, table, add in zip(ours, tables, adds, strict=True):
            cut = onto @ cut_to_mm(middles[index], mm, side)
            colours[index], full = _cut(image, cut, side, light, table, add)
            if full > MUCH_FULL:
                white[index] = table[0, FULL] @ light.matrix + add @ BACK
            blurs[index] = PIXEL_BLUR / (_pixels_per_mm(onto, middles[index]) * mm)
    return Straightened(colours, blurs, white)


def _cut(
    image: NDArray[np.uint8], cut: NDArray[np.float64], side: int, light: Light, table: Floats, add: Floats
) -> tuple[Floats, float]:
    """What `cut` maps into the photo from a square of pixels, relit; the part of it that is full of light."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = cv2.warpPerspective(image, cut, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    full = cv2.countNonZero(cv2.inRange(seen, (FULL,) * 3, (255,) * 3)) / (side * side)
    turned = np.column_stack([(light.matrix @ OPPONENT).T, add])
    return np.asarray(cv2.transform(cv2.LUT(seen, table), turned), dtype=np.float32), full


def _relit_tables(light: Light, at: tuple[Floats, Floats, Floats]) -> tuple[Floats, Floats]:
    """For each of n slots what a stored byte of B, G, R becomes (n x 1 x 256 x 3); what to add at the end.

    Light hardly changes within a slot: 256 values each are worked out, not every pixel.
    """
    gain, veil, add = at
    levels = linear(np.arange(256, dtype=np.uint8)).reshape(1, -1, 1)
    tables = logs((levels - veil[:, None]) / gain[:, None])
    return np.ascontiguousarray(tables[:, None]), add @ OPPONENT


def cut_to_mm(middle: NDArray[np.float64], mm: float, side: int) -> NDArray[np.float64]:
    """From pixels of a cut-out about a point to mm of its sheet."""
    x, y = middle - mm * (side - 1) / 2
    return np.array([[mm, 0, x], [0, mm, y], [0, 0, 1.0]])


def _pixels_per_mm(onto: NDArray[np.float64], spot: NDArray[np.float64]) -> float:
    """How much a homography enlarges at a spot: the root of its area."""
    depth = float(onto[2] @ (spot[0], spot[1], 1.0))
    return float(np.sqrt(abs(np.linalg.det(onto)) / abs(depth) ** 3))


def beneath(camera: Camera, slot: Slot, height: float) -> NDArray[np.float64]:
    """Where the slot's middle on the print is seen among things `height` mm above it: mm from its middle."""
    middle = np.mean(np.array(slot.polygon), axis=0)
    return np.asarray(moved(inverse(camera.homography(height)), camera.project(middle[None]))[0] - middle)


def margined(mm: float, millimetres: float) -> int:
    """Pixels across a face with this much around it."""
    # whole cells of eight pixels, so that smaller copies have whole pixels too
    return FINE + 16 * int(np.ceil(millimetres / mm / 8))
