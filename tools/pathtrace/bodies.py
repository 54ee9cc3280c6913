"""Meshes from described bodies: prints on cardboard, wooden pieces with their edges sanded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bmesh
import bpy
from mathutils import Vector

SCALE = 0.01
"""Blender units a millimetre."""


def at(point: Sequence[float]) -> Any:
    """Board millimetres (y down, height up) in Blender's right-handed space."""
    x, y, z = point
    return Vector((x * SCALE, -y * SCALE, z * SCALE))


def flat(
    name: str, corners: Sequence[Sequence[float]], cover: Sequence[Sequence[float]], material: Any
) -> None:
    """One face; `cover` says which places of its texture lie on the corners."""
    bm = bmesh.new()
    _printed_face(bm, [bm.verts.new(at(corner)) for corner in corners], cover)
    _link(name, bm, [material])


def slab(
    outline: Sequence[Sequence[float]],
    low: float,
    high: float,
    material: Any,
    edge: Any,
    round_off: float = 0.15,
) -> None:
    """A sheet of cardboard, printed on top. `outline`: top left, top right, bottom right, bottom left."""
    bm = bmesh.new()
    top = [bm.verts.new(at((x, y, high))) for x, y in outline]
    rim = [bm.verts.new(at((*_outward(outline, k, round_off), high - round_off))) for k in range(4)]
    base = [bm.verts.new(at((*_outward(outline, k, round_off), low))) for k in range(4)]
    _printed_face(bm, top, [(0, 1), (1, 1), (1, 0), (0, 0)])
    for upper, lower in ((top, rim), (rim, base)):
        for k in range(4):
            wall = bm.faces.new((upper[k], lower[k], lower[(k + 1) % 4], upper[(k + 1) % 4]))
            wall.material_index = 1
    _link("sheet", bm, [material, edge])


def _outward(outline: Sequence[Sequence[float]], corner: int, reach: float) -> tuple[float, float]:
    middle = [sum(point[axis] for point in outline) / len(outline) for axis in (0, 1)]
    x, y = outline[corner]
    away = (x - middle[0], y - middle[1])
    length = math.hypot(*away)
    return x + reach * away[0] / length, y + reach * away[1] / length


def solid(described: dict[str, Any], material: Any) -> None:
    for part in described["parts"]:
        bm = bmesh.new()
        verts = [bm.verts.new(at(corner)) for corner in part["corners"]]
        for face in part["faces"]:
            bm.faces.new([verts[k] for k in face])
        bmesh.ops.holes_fill(bm, edges=[edge for edge in bm.edges if edge.is_boundary], sides=0)
        bmesh.ops.remove_doubles(bm, verts=list(bm.verts), dist=0.02 * SCALE)
        bmesh.ops.recalc_face_normals(bm, faces=list(bm.faces))
        sharp = [edge for edge in bm.edges if len(edge.link_faces) == 2 and edge.calc_face_angle(0.0) > 0.6]
        if described["sanded"] > 0 and sharp:
            bmesh.ops.bevel(
                bm, geom=sharp, offset=described["sanded"] * SCALE, segments=2, profile=0.5, affect="EDGES",
                clamp_overlap=True,
            )  # fmt: skip
        _link("solid", bm, [material], smooth=True)


def _printed_face(bm: Any, verts: Sequence[Any], cover: Sequence[Sequence[float]]) -> None:
    face = bm.faces.new(verts)
    layer = bm.loops.layers.uv.verify()
    for loop, place in zip(face.loops, cover, strict=True):
        loop[layer].uv = place


def _link(name: str, bm: Any, materials: Sequence[Any], smooth: bool = False) -> None:
    if not smooth:
        bmesh.ops.recalc_face_normals(bm, faces=list(bm.faces))
    mesh = bpy.data.meshes.new(name)
    bm.to_mesh(mesh)
    bm.free()
    for material in materials:
        mesh.materials.append(material)
    if smooth:
        mesh.shade_smooth()
        mesh.set_sharp_from_angle(angle=math.radians(32))
    bpy.context.scene.collection.objects.link(bpy.data.objects.new(name, mesh))
