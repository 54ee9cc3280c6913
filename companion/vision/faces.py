"""Comparing flat things with the faces that were learnt: which one, in which turn, lying how.

Coarse to fine. A small copy of every slot is compared with small copies of every face in every turn and
twist at every shift: that tells roughly how the thing lies. Then each slot is aligned to its best face,
all faces are compared again, and the likeliest few are aligned and compared on their own, at full
resolution, where a numeral decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.light import Light, linear
from companion.vision.model import Faces, SheetPose, Slot

Floats = NDArray[np.float32]

# Pixels across a face: a numeral is about a sixth of a face's width, and needs some eight pixels.
FINE = 56
# Pixels across a face when aligning it: half of that, since alignment leans on edges, not on numerals.
MIDDLE = 28
# Pixels across a face when searching how it lies: coarse, but the colours of its parts are still apart.
COARSE = 10
# Steps of twist that are tried, in degrees: half a step moves a face's edge by half a coarse pixel.
TWIST_STEP = 8.0
# Only this part of a face is compared: its rim is shaded by its own edge and cut by imprecise learning.
INNER = 0.94
# Detail is luminance and colour against their surroundings, this many fine pixels about, in units of the
# contrast there: the light's strength, slope and veil drop out, symbols stay. About a symbol's width.
DETAIL = 9
# Contrast below this (logarithms; luminance, two colour differences) is noise or paper, and is not blown up.
FAINT = np.array([0.05, 0.12, 0.12], dtype=np.float32)
# Luminance against the two colour differences in detail: JPEG keeps colour at half the resolution.
DETAIL_WEIGHTS = np.sqrt(np.array([1.0, 0.5, 0.5], dtype=np.float32))
# The same when searching: the colours of a face's parts tell its turn from afar.
COARSE_WEIGHTS = np.array([0.3, 1.0, 1.0], dtype=np.float32)
# How much of a face's overall colour counts when searching: relighting gets it about right, not quite.
OVERALL_COLOUR = 0.5
# Pixels at a picture's rim whose detail was taken partly from outside the face.
RIM = DETAIL // 2
# Detail energy (per pixel) below which two pictures are alike for having none.
PLAIN = 0.1
# Two pictures compare fairly only when equally sharp: the blurred one of a pair sets the pace. These are the
# blurs (fine pixels) to which pictures are brought, from a near photo's to that of a board's far end.
BLURS = (1.0, 1.4, 2.0, 2.8)
# The blur of a sharp photo in its own pixels: lens, sensor, JPEG and sampling together.
PIXEL_BLUR = 0.8
# Rounds of alignment: each about halves what is left, from half a coarse pixel down to a fifth of a fine one.
ROUNDS = 4
# How many candidates are aligned and compared on their own.
CLOSE = 30


def opponent(relit: Floats) -> Floats:
    """Logarithms of B, G, R as luminance and two colour differences."""
    blue, green, red = relit[..., 0], relit[..., 1], relit[..., 2]
    light = 0.2 * blue + 0.5 * green + 0.3 * red
    return np.stack([light, red - green, (red + green) / 2 - blue], axis=-1).astype(np.float32)


def detail(colours: Floats) -> Floats:
    """What stands out from its surroundings in an `opponent` picture (h x w x 3)."""
    box = (DETAIL, DETAIL)
    mean = cv2.blur(colours, box)
    spread = np.maximum(cv2.blur(colours * colours, box) - mean * mean, 0)
    return np.asarray((colours - mean) * DETAIL_WEIGHTS / np.sqrt(spread + FAINT * FAINT), dtype=np.float32)


def face_mask(size: tuple[float, float], pixels: int, rim: float = 0) -> Floats:
    """1 where an unturned face of this size is in a square picture, `rim` pixels less on each side."""
    width, height = (pixels * side / max(size) for side in size)
    along = np.abs(np.arange(pixels) - (pixels - 1) / 2)
    inside = (along[:, None] < height / 2 - rim) & (along[None, :] < width / 2 - rim)
    return np.asarray(inside, dtype=np.float32)


class Leveller:
    """Takes the lamp's slope across a face out of small pictures of it: a sum of low powers of x and y."""

    def __init__(self) -> None:
        along = np.linspace(-1, 1, COARSE)
        y, x = (grid.ravel() for grid in np.meshgrid(along, along, indexing="ij"))
        basis, _ = np.linalg.qr(np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y]))
        # for each channel and power: a flat picture of that power in that channel
        full = np.einsum("pk,cd->pckd", basis, np.eye(3)).reshape(3 * len(x), -1)
        kept = np.zeros((basis.shape[1], 3))
        kept[0, 1:] = OVERALL_COLOUR
        self.basis = full.astype(np.float32)
        self.kept = kept.ravel().astype(np.float32)

    def level(self, pictures: Floats) -> Floats:
        """n x COARSE x COARSE x 3 -> n x (COARSE * COARSE * 3), of unit length, ready for `match`."""
        flat = (pictures * COARSE_WEIGHTS).reshape(len(pictures), -1)
        parts = flat @ self.basis
        # levelled twice: once for itself, once for the picture it is compared with
        twice = flat - (parts * (1 - self.kept**2)) @ self.basis.T
        return np.asarray(twice / (np.sqrt(self._energy(flat, parts))[:, None] + 1e-6), dtype=np.float32)

    def match(self, pictures: Floats, levelled: Floats) -> Floats:
        """Correlation of each picture, levelled, with each levelled one."""
        flat = (pictures * COARSE_WEIGHTS).reshape(len(pictures), -1)
        energy = self._energy(flat, flat @ self.basis)
        return np.asarray((flat @ levelled.T) / (np.sqrt(energy)[:, None] + 1e-6))

    def _energy(self, flat: Floats, parts: Floats) -> Floats:
        left = np.square(flat).sum(axis=1) - np.square(parts) @ (1 - self.kept**2)
        return np.asarray(np.maximum(left, 0), dtype=np.float32)


@dataclass(frozen=True)
class FaceLooks:
    """The looks of all faces that one kind of slot may hold, in the light of the print."""

    holds: Faces
    names: tuple[str, ...]
    colours: Floats
    """Faces x (FINE + 2 RIM) x (FINE + 2 RIM) x 3, unturned, as `opponent` gives them, with a rim around."""
    sharpness: Floats
    """Faces: photo pixels per mm where each was learnt."""
    thickness: float
    slots: tuple[tuple[str, str], ...] = ()
    """Sheet and name of every slot of this kind."""
    bare: Floats = field(default_factory=lambda: np.zeros((0, FINE, FINE, 3), dtype=np.float32))
    """Slots x FINE x FINE x 3: the print of each."""

    def on(self, slots: tuple[tuple[str, str], ...], bare: Floats) -> FaceLooks:
        return replace(self, slots=slots, bare=bare)

    @cached_property
    def bare_of(self) -> dict[tuple[str, str], int]:
        return {slot: index for index, slot in enumerate(self.slots)}

    @property
    def mm(self) -> float:
        """Millimetres per fine pixel."""
        return max(self.holds.size) * INNER / FINE

    @property
    def blurs(self) -> Floats:
        """How blurred each picture is, in fine pixels."""
        return np.asarray(PIXEL_BLUR / (self.sharpness * self.mm), dtype=np.float32)

    @cached_property
    def bank(self) -> Bank:
        return Bank.of(self)


@dataclass(frozen=True)
class Bank:
    """Every face in every turn, ready to be compared."""

    face: NDArray[np.int64]
    turn: NDArray[np.int64]
    fine: Floats
    """Blurs x candidates x (FINE * FINE * 3): detail."""
    masks: tuple[Floats, Floats]
    """FINE x FINE: unturned, and after a quarter turn."""
    middle: Floats
    """Blurs x candidates x (MIDDLE * MIDDLE * 3): the same, smaller."""
    pull: Floats
    """Candidates x 3 x (MIDDLE * MIDDLE * 3): turns a difference into a correction of (x, y, twist)."""
    tiny: Floats
    """Candidates x COARSE x COARSE x 3: colours."""
    level: Leveller
    coarse: Floats
    """(Candidates * twists) x (COARSE * COARSE * 3), unit length."""
    twists: Floats

    @classmethod
    def of(cls, looks: FaceLooks) -> Bank:
        turns = range(0, 4, 4 // looks.holds.turns)
        face = np.array([index for index in range(len(looks.names)) for _ in turns])
        turn = np.array([quarter for _ in looks.names for quarter in turns])
        size = looks.holds.size
        masks = [face_mask(size, FINE), np.rot90(face_mask(size, FINE))]
        pairs = list(zip(face, turn, strict=True))
        inner = slice(RIM, -RIM)
        colours = [np.rot90(looks.colours[f][inner, inner], -t) for f, t in pairs]
        blurred = [
            [
                detail(brought(p, b, goal))[inner, inner]
                for p, b in zip(looks.colours, looks.blurs, strict=True)
            ]
            for goal in BLURS
        ]
        details = np.stack(
            [[np.rot90(each[f], -t) * masks[t % 2][..., None] for f, t in pairs] for each in blurred]
        )
        middle = np.stack([[shrunk(picture, MIDDLE) for picture in each] for each in details])
        reach = int(looks.holds.twist // TWIST_STEP)
        twists = np.arange(-reach, reach + 1, dtype=np.float32) * np.float32(TWIST_STEP)
        level = Leveller()
        tiny = np.stack([shrunk(picture, COARSE) for picture in colours])
        coarse = level.level(
            np.stack([shrunk(twisted(p, float(t)), COARSE) for p in colours for t in twists])
        )
        return cls(
            face, turn, details.reshape(len(BLURS), len(face), -1), (masks[0], masks[1]),
            middle.reshape(len(BLURS), len(face), -1), pulls(middle[1]), tiny, level, coarse, twists,
        )  # fmt: skip


def brought(picture: Floats, blur: float, goal: float) -> Floats:
    """A picture that is blurred by `blur`, brought to `goal`."""
    more = np.sqrt(max(0.0, goal * goal - blur * blur))
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), more)) if more > 0.3 else picture


def blur_step(blur: Floats) -> NDArray[np.int64]:
    """The least of BLURS that a picture with this blur can be brought to."""
    return np.minimum(np.searchsorted(np.array(BLURS) * 1.1, blur), len(BLURS) - 1)


def shrunk(picture: Floats, pixels: int) -> Floats:
    return np.asarray(cv2.resize(picture, (pixels, pixels), interpolation=cv2.INTER_AREA))


def twisted(picture: Floats, degrees: float) -> Floats:
    """Turned clockwise about its middle."""
    side = len(picture)
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), -degrees, 1.0)
    return np.asarray(cv2.warpAffine(picture, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE))


def pulls(pictures: Floats) -> Floats:
    """Least squares of a small (x, y, twist) on the change that it makes to each picture."""
    pixels = pictures.shape[1]
    along = np.arange(pixels, dtype=np.float32) - (pixels - 1) / 2
    dx, dy = np.gradient(pictures, axis=2), np.gradient(pictures, axis=1)
    # one degree of twist moves a point by its distance from the middle, times pi / 180
    dt = (dy * along[None, None, :, None] - dx * along[None, :, None, None]) * np.float32(np.pi / 180)
    slopes = np.stack([dx, dy, dt], axis=1).reshape(len(pictures), 3, -1)
    curve = np.matmul(slopes, slopes.transpose(0, 2, 1)) + np.eye(3, dtype=np.float32)
    return np.asarray(np.linalg.solve(curve, slopes), dtype=np.float32)


@dataclass(frozen=True)
class Straightened:
    """Slots cut out of a photo, level with the face that would lie there, with a margin around."""

    colours: Floats
    """n x side x side x 3, relit, as `opponent` gives them."""
    blurs: Floats
    """n: how blurred each is, in pixels."""

    def details(self, steps: NDArray[np.int64]) -> Floats:
        """What stands out in each, brought to the given step of blur."""
        return np.stack(
            [
                detail(brought(picture, float(blur), BLURS[step]))
                for picture, blur, step in zip(self.colours, self.blurs, steps, strict=True)
            ]
        )


def straighten(
    image: NDArray[np.uint8], scale: float, light: Light, mm: float,
    slots: Sequence[tuple[SheetPose, Slot]], height: float, side: int,
) -> Straightened:  # fmt: skip
    """Cuts `side` pixels of `mm` about the middle of each slot, `height` mm above the print."""
    seen = np.empty((len(slots), side, side, 3), dtype=np.uint8)
    terms = np.empty((3, len(slots), 1, 1, 3), dtype=np.float32)
    blurs = np.empty(len(slots), dtype=np.float32)
    for index, (pose, slot) in enumerate(slots):
        camera = pose.camera.scaled(scale)
        middle = np.mean(np.array(slot.polygon), axis=0)
        onto = camera.homography(height)
        cv2.warpPerspective(
            image, onto @ cut_to_mm(slot, mm, side), (side, side), dst=seen[index],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        terms[:, index, 0, 0] = np.concatenate(light.at(pose, camera, middle[None]))
        blurs[index] = PIXEL_BLUR / (_pixels_per_mm(onto, middle) * mm)
    gain, veil, add = terms
    light_seen = linear(seen.reshape(-1, side, 3)).reshape(seen.shape)
    return Straightened(opponent(light.apply(light_seen, (gain, veil, add))), blurs)


def cut_to_mm(slot: Slot, mm: float, side: int) -> NDArray[np.float64]:
    """From pixels of a slot's cut-out to mm of its sheet."""
    x, y = np.mean(np.array(slot.polygon), axis=0) - mm * (side - 1) / 2
    return np.array([[mm, 0, x], [0, mm, y], [0, 0, 1.0]])


def _pixels_per_mm(onto: NDArray[np.float64], spot: NDArray[np.float64]) -> float:
    """How much a homography enlarges at a spot: the root of its area."""
    depth = float(onto[2] @ (spot[0], spot[1], 1.0))
    return float(np.sqrt(abs(np.linalg.det(onto)) / abs(depth) ** 3))


def margined(mm: float, millimetres: float) -> int:
    """Pixels across a face with this much around it."""
    return FINE + 4 * int(np.ceil(millimetres / mm / 2))


def coarse_search(straight: Straightened, bank: Bank) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """How each thing lies, roughly, were it in each of its turns.

    Gives slots, the best candidate of one turn for each, and (x, y, twist) in fine pixels and degrees. Each
    turn on its own, since faces may have been learnt a little off their middle.
    """
    side = straight.colours.shape[1]
    small = round(side * COARSE / FINE)
    steps = small - COARSE + 1
    tiny = np.stack([shrunk(canvas, small) for canvas in straight.colours])
    views = np.lib.stride_tricks.sliding_window_view(tiny, (COARSE, COARSE), axis=(1, 2))
    windows = views.transpose(0, 1, 2, 4, 5, 3).reshape(-1, COARSE, COARSE, 3)
    n, twists = len(tiny), len(bank.twists)
    scores = bank.level.match(windows, bank.coarse).reshape(n, steps * steps, len(bank.face), twists)
    every, candidates, lies = [], [], []
    for turn in np.unique(bank.turn):
        these = np.flatnonzero(bank.turn == turn)
        best = scores[:, :, these].reshape(n, -1).argmax(axis=1)
        where, which = np.divmod(best, len(these) * twists)
        candidate, twist = np.divmod(which, twists)
        row, column = np.divmod(where, steps)
        spot = (np.column_stack([column, row]) - (small - COARSE) / 2) * (side / small)
        every.append(np.arange(n))
        candidates.append(these[candidate])
        lies.append(np.column_stack([spot, bank.twists[twist]]))
    return np.concatenate(every), np.concatenate(candidates), np.concatenate(lies).astype(np.float32)


def sample(canvases: Floats, which: NDArray[np.int64], lies: Floats, pixels: int) -> Floats:
    """Cut-outs as they lie (pixels of the canvases), of canvases `which`: n x pixels x pixels x channels."""
    out = np.empty((len(lies), pixels, pixels, canvases.shape[3]), dtype=np.float32)
    inner, outer = (pixels - 1) / 2, (canvases.shape[1] - 1) / 2
    cosines, sines = np.cos(np.deg2rad(lies[:, 2])), np.sin(np.deg2rad(lies[:, 2]))
    for index, (c, s) in enumerate(zip(cosines, sines, strict=True)):
        x, y = outer + lies[index, 0], outer + lies[index, 1]
        matrix = np.array([[c, -s, x - (c - s) * inner], [s, c, y - (s + c) * inner]])
        cv2.warpAffine(
            canvases[which[index]], matrix, (pixels, pixels), dst=out[index],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return out


def halved(pictures: Floats) -> Floats:
    side = pictures.shape[1] // 2
    return np.stack([shrunk(picture, side) for picture in pictures])


def align(
    halves: Floats, which: NDArray[np.int64], lies: Floats, candidates: NDArray[np.int64],
    bank: Bank, rounds: int = ROUNDS,
) -> Floats:  # fmt: skip
    """Moves and twists the sampling of slots `which` (halved details) until each fits its candidate."""
    lies = lies * np.array([0.5, 0.5, 1.0], dtype=np.float32)
    start = lies.copy()
    most = np.array([2.0, 2.0, 4.0], dtype=np.float32)
    targets, pulls = bank.middle[1, candidates], bank.pull[candidates]
    for _ in range(rounds):
        seen = sample(halves, which, lies, MIDDLE).reshape(len(lies), -1)
        off = np.where(targets == 0, 0, targets - seen)
        lies = lies + np.clip(np.matmul(pulls, off[..., None])[..., 0], -1.0, 1.0)
        lies = np.clip(lies, start - most, start + most)
    return np.asarray(lies * np.array([2.0, 2.0, 1.0]), dtype=np.float32)


def likeness(seen: Floats, weights: Floats, targets: Floats) -> Floats:
    """How alike details are, 1 for the same: n seen (n x d), weights (n x d / 3), m targets: n x m."""
    heavy = np.repeat(weights, 3, axis=1)
    total = np.maximum(weights.sum(axis=1), 1e-6)[:, None]
    weighted = seen * heavy
    product = weighted @ targets.T / total
    ours = (weighted * seen).sum(axis=1)[:, None] / total
    theirs = heavy @ np.square(targets).T / total
    return np.asarray((product + PLAIN) / np.sqrt((ours + PLAIN) * (theirs + PLAIN)))
