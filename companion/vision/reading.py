"""Reading every slot of a board that was found."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from companion.vision.confidence import face_readings
from companion.vision.faces import FaceLooks, beneath, margined, straighten
from companion.vision.faces_reading import find_faces
from companion.vision.light import Light, measure_light
from companion.vision.looks import Looks
from companion.vision.markers import read_markers
from companion.vision.model import Design, Faces, Found, MarkerReading, Reading, SheetPose
from companion.vision.pieces_ground import plan_of, survey
from companion.vision.pieces_reading import read_pieces
from companion.vision.pieces_sites import Sites, sites_of
from companion.vision.prints import Print
from companion.vision.wood_light import wood_light


def read_slots(
    image: NDArray[np.uint8],
    found: Found,
    scale: float,
    design: Design,
    prints: Mapping[str, Print],
    looks: Looks,
) -> tuple[tuple[Reading, ...], tuple[MarkerReading, ...]]:
    """What lies in each slot and where each marker stands."""
    readings: list[Reading] = []
    markers: tuple[MarkerReading, ...] = ()
    # what lies and what stands are read side by side: neither needs to know the other, and both the light
    with ThreadPoolExecutor(max_workers=1) as beside:
        light = beside.submit(measure_light, image, found.poses, scale, looks.grids)

        def lying_on(faces: FaceLooks) -> list[Reading]:
            return read_faces(image, found.poses, scale, design, light.result(), faces)

        def places_to_stand() -> Sites:
            return sites_of(found.poses, design, plan_of(image, found, scale, design), looks.pieces)

        sites = beside.submit(places_to_stand)
        lying = [beside.submit(lying_on, faces) for faces in looks.faces]
        if looks.pieces.names:
            ground = survey(image, found, scale, design, prints, light.result)
            wood = wood_light(ground, looks.pieces)
            pieces, free = read_pieces(ground, found.poses, sites.result(), looks.pieces, wood)
            markers = read_markers(ground, found.poses, design, looks.pieces, looks.markers, wood, free)
            readings += pieces
        for faces in lying:
            readings += faces.result()
    return tuple(readings), markers


# How far off its place a thing is looked for beyond what its slot allows, in mm: poses are not perfect.
SLACK = 1.0


def read_faces(
    image: NDArray[np.uint8], poses: tuple[SheetPose, ...], scale: float, design: Design, light: Light,
    looks: FaceLooks,
) -> list[Reading]:  # fmt: skip
    slots = [
        (pose, slot)
        for pose in poses
        for slot in design.slots.get(pose.sheet, ())
        if isinstance(slot.holds, Faces) and slot.holds == looks.holds
    ]
    if not slots:
        return []
    reach = looks.holds.shift + SLACK
    side = margined(looks.mm, reach)
    straight = straighten(image, scale, light, looks.mm, slots, looks.thickness, side)
    prints = np.array([beneath(pose.camera, slot, looks.thickness) for pose, slot in slots]) / looks.mm
    bare = np.array([looks.bare_of[slot.sheet, slot.name] for _, slot in slots])
    findings = find_faces(straight, prints.astype(np.float32), bare, looks, reach / looks.mm)
    size = image.shape[1] / scale, image.shape[0] / scale
    return face_readings(findings, slots, looks, size)
