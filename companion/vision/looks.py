"""What everything looks like that may lie on the sheets: learnt once from an owner's labelled photos."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.faces import FINE, PIXEL_BLUR, FaceLooks, Floats
from companion.vision.faces_bank import apart, bank_of
from companion.vision.labelled_view import LabelledView
from companion.vision.learn_faces import FaceView, learn_faces, print_crop
from companion.vision.learn_faces_hidden import hidden_in
from companion.vision.learn_markers import learn_markers
from companion.vision.learn_pieces import grounds, learn_pieces
from companion.vision.light import PrintGrid, measure_light
from companion.vision.markers import MarkerLooks
from companion.vision.model import Design, Faces, Slot
from companion.vision.pieces import PieceLooks
from companion.vision.prints import Print

Arrays = dict[str, NDArray[Any]]

# Two faces more alike than this are named to the owner: one pip or a small mark tells them apart.
LOOK_ALIKE = 0.97
# A slot of which this part was seen bare is known.
SEEN = 0.9
# A face whose photo had fewer pixels per mm than this part of the usual one is named as well.
BLURRED = 0.6


@dataclass(frozen=True)
class Looks:
    faces: tuple[FaceLooks, ...]
    """One for each kind of slot that takes flat things."""
    pieces: PieceLooks
    markers: MarkerLooks
    grids: Mapping[str, PrintGrid]
    """By sheet: what light is measured by."""
    weak: tuple[str, ...] = ()
    """What the owner should know, a sentence each."""


def learn_looks(design: Design, views: Sequence[LabelledView], prints: Mapping[str, Print]) -> Looks:
    grids = {sheet: PrintGrid.of(print_) for sheet, print_ in prints.items()}
    shown = grounds(design, views, prints)
    pieces = learn_pieces(design, shown)
    faces = tuple(_learn_faces(design, views, prints, grids, pieces))
    markers = learn_markers(design, shown, pieces)
    weak = (*(sentence for looks in faces for sentence in _weak_faces(looks)), *pieces.weak)
    return Looks(faces, pieces, markers, grids, weak)


def _kinds(design: Design) -> list[Faces]:
    """The different kinds of slots for flat things."""
    kinds: list[Faces] = []
    for slots in design.slots.values():
        for slot in slots:
            if isinstance(slot.holds, Faces) and slot.holds not in kinds:
                kinds.append(slot.holds)
    return kinds


def _learn_faces(
    design: Design, views: Sequence[LabelledView], prints: Mapping[str, Print],
    grids: Mapping[str, PrintGrid], pieces: PieceLooks,
) -> list[FaceLooks]:  # fmt: skip
    hidden = [hidden_in(view, design, pieces.forms) for view in views]
    lights = [measure_light(view.image, view.poses, view.scale, grids) for view in views]
    learnt = []
    for holds in _kinds(design):
        shown = [
            FaceView(
                view.image,
                view.scale,
                light,
                tuple(
                    (pose, slot, view.labelled.things[pose.sheet, slot.name])
                    for pose in view.poses
                    for slot in design.slots.get(pose.sheet, ())
                    if slot.holds == holds
                    and view.labelled.things.get((pose.sheet, slot.name))
                    and view.labelled.things[pose.sheet, slot.name].names
                ),
                before,
            )
            for view, light, before in zip(views, lights, hidden, strict=True)
        ]
        if any(view.slots for view in shown):
            slots = [slot for sheet in prints for slot in design.slots.get(sheet, ()) if slot.holds == holds]
            looks = learn_faces(holds, shown, prints)
            bare = [print_crop(prints[slot.sheet], slot, looks.mm, FINE) for slot in slots]
            names = tuple((slot.sheet, slot.name) for slot in slots)
            coarse = min(print_.per_mm for print_ in prints.values())
            bare_seen = np.array([_was_seen(prints[slot.sheet], slot) for slot in slots])
            learnt.append(looks.on(names, np.stack(bare), bare_seen, PIXEL_BLUR / (coarse * looks.mm)))
    return learnt


def _was_seen(print_: Print, slot: Slot) -> bool:
    inside = print_.window.mask((slot.polygon,)) > 0
    return float((print_.known[inside] > 0).mean()) > SEEN if inside.any() else False


def _weak_faces(looks: FaceLooks) -> list[str]:
    weak = []
    missing = [name for name in looks.holds.names if name not in looks.names]
    if missing:
        weak.append(f"No photo shows {', '.join(missing)}: they will be read as unknown.")
    blurred = looks.sharpness < BLURRED * np.median(looks.sharpness)
    if blurred.any():
        names = ", ".join(name for name, is_so in zip(looks.names, blurred, strict=True) if is_so)
        weak.append(f"The photo of {names} is coarse: take one from nearer.")
    for one, other in _alike(looks):
        weak.append(f"{one} and {other} look alike.")
    return weak


def _alike(looks: FaceLooks) -> list[tuple[str, str]]:
    """Pairs of faces that could be taken for each other in some turn."""
    bank = bank_of(looks)
    upright = bank.fine[0].of_those(np.flatnonzero(bank.turn == 0))
    alike = 1 - apart(upright, bank.fine[0]).mean(axis=0)
    pairs = set()
    for one, candidate in zip(*np.nonzero(alike > LOOK_ALIKE), strict=True):
        other = bank.face[candidate]
        if one < other:
            pairs.add((looks.names[one], looks.names[other]))
    return sorted(pairs)


def contact_sheet(looks: Looks) -> NDArray[np.uint8]:
    """A picture of all faces that were learnt, to look at."""
    rows = [
        _row(looks.faces[0].colours[start : start + 8]) for start in range(0, len(looks.faces[0].names), 8)
    ]
    return np.vstack(rows)


def _row(pictures: Floats) -> NDArray[np.uint8]:
    shown = [_as_picture(picture) for picture in pictures]
    return np.hstack(shown + [np.zeros_like(shown[0])] * (8 - len(shown)))


def _as_picture(colours: Floats) -> NDArray[np.uint8]:
    """Back from luminance and colour differences to BGR."""
    light, red_green, yellow_blue = colours[..., 0], colours[..., 1], colours[..., 2]
    green = light - 0.4 * red_green + 0.2 * yellow_blue
    red, blue = green + red_green, green + red_green / 2 - yellow_blue
    picture = np.clip(np.exp(np.stack([blue, green, red], axis=-1)) * 255, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))


def looks_to_store(looks: Looks) -> tuple[Arrays, dict[str, Any]]:
    """As arrays and JSON-able facts."""
    arrays: Arrays = {}
    for sheet, grid in looks.grids.items():
        arrays[f"grid/{sheet}/light"], arrays[f"grid/{sheet}/known"] = grid.light, grid.known
    for number, faces in enumerate(looks.faces):
        arrays[f"faces/{number}/colours"] = faces.colours.astype(np.float16)
        arrays[f"faces/{number}/sharpness"] = faces.sharpness
        arrays[f"faces/{number}/known"] = faces.known
        arrays[f"faces/{number}/white"] = faces.white
        arrays[f"faces/{number}/bare"] = faces.bare.astype(np.float16)
        arrays[f"faces/{number}/bare_seen"] = faces.bare_seen
    piece_arrays, piece_facts = looks.pieces.to_store()
    arrays |= {f"pieces/{name}": array for name, array in piece_arrays.items()}
    facts = {
        "pieces": piece_facts,
        "markers": looks.markers.to_store(),
        "grids": {sheet: list(grid.first) for sheet, grid in looks.grids.items()},
        "faces": [
            {
                "holds": asdict(faces.holds),
                "names": list(faces.names),
                "thickness": faces.thickness,
                "bare_blur": faces.bare_blur,
                "slots": [list(slot) for slot in faces.slots],
            }
            for faces in looks.faces
        ],
        "weak": list(looks.weak),
    }
    return arrays, facts


def looks_from_store(arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any]) -> Looks:
    grids = {
        sheet: PrintGrid(arrays[f"grid/{sheet}/light"], arrays[f"grid/{sheet}/known"], (first[0], first[1]))
        for sheet, first in facts["grids"].items()
    }
    faces = tuple(
        FaceLooks(
            _holds(data["holds"]),
            tuple(data["names"]),
            arrays[f"faces/{number}/colours"].astype(np.float32),
            arrays[f"faces/{number}/sharpness"].astype(np.float32),
            float(data["thickness"]),
            tuple((sheet, name) for sheet, name in data["slots"]),
            arrays[f"faces/{number}/bare"].astype(np.float32),
            float(data["bare_blur"]),
            arrays[f"faces/{number}/known"],
            # calibrations from before these were looked at have none
            arrays.get(f"faces/{number}/white", np.zeros((0, 3), dtype=np.float32)),
            arrays.get(f"faces/{number}/bare_seen", np.zeros(0, dtype=np.bool_)),
        )
        for number, data in enumerate(facts["faces"])
    )
    prefix = "pieces/"
    of_pieces = {
        name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)
    }
    pieces = PieceLooks.from_store(of_pieces, facts["pieces"])
    return Looks(faces, pieces, MarkerLooks.from_store(facts["markers"]), grids, tuple(facts["weak"]))


def _holds(data: Mapping[str, Any]) -> Faces:
    return Faces(
        names=tuple(data["names"]),
        turns=int(data["turns"]),
        thickness=float(data["thickness"]),
        size=(float(data["size"][0]), float(data["size"][1])),
        shift=float(data["shift"]),
        twist=float(data["twist"]),
        plain=tuple(data["plain"]),
        once=tuple(data["once"]),
        parts={name: tuple(words) for name, words in data["parts"].items()},
    )
