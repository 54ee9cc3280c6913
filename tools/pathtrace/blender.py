"""Renders a scene description with Cycles: python -m tools.pathtrace.blender SCENE.json OUT.npy

Runs in the environment that holds bpy. Descriptions are in board millimetres, x right, y down, height up,
colours linear RGB with 1.0 about white paper in full light; OUT is the linear picture, rows x columns x RGB,
float16.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from tools.pathtrace import bodies, materials
from tools.pathtrace.bodies import SCALE, at

Described = dict[str, Any]


def main() -> None:
    described: Described = json.loads(Path(sys.argv[1]).read_text())
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _camera(described["camera"])
    _world(described["room"])
    for lamp in described["lamps"]:
        _lamp(lamp)
    _table(described["table"])
    for sheet in described["sheets"]:
        _sheet(sheet)
    for solid in described["solids"]:
        bodies.solid(solid, materials.paint(solid))
    np.save(sys.argv[2], _render(described["quality"]))


def _camera(camera: Described) -> None:
    width, height = camera["size"]
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "HORIZONTAL"
    data.sensor_width = 36.0
    data.lens = 36.0 * camera["focal"] / width
    data.clip_start, data.clip_end = 0.01, 1000.0
    data.dof.use_dof = camera["aperture"] > 0
    data.dof.focus_distance = camera["focus"] * SCALE
    # Blender makes the opening's radius from lens (in thousandths of a unit) and f-number
    data.dof.aperture_fstop = data.lens * 1e-3 / max(camera["aperture"] * SCALE, 1e-9)
    body = bpy.data.objects.new("camera", data)
    right, down, forward = (Vector((v[0], -v[1], v[2])) for v in camera["axes"])
    turn = Matrix((right, -down, -forward)).transposed().to_4x4()
    body.matrix_world = Matrix.Translation(at(camera["eye"])) @ turn
    bpy.context.scene.collection.objects.link(body)
    bpy.context.scene.camera = body
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = width, height, 100


def _world(room: Described) -> None:
    """An even glow, a little brighter from one side; the camera itself sees the wall."""
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method = "NONE"  # it is even enough to be met by chance
    tree = world.node_tree
    nodes, links = tree.nodes, tree.links
    nodes.clear()
    place = nodes.new("ShaderNodeTexCoord")
    lean = nodes.new("ShaderNodeVectorMath")
    lean.operation = "DOT_PRODUCT"
    x, y, z = room["brighter"]
    lean.inputs[1].default_value = (x, -y, z)
    links.new(place.outputs["Generated"], lean.inputs[0])
    amount = nodes.new("ShaderNodeMath")
    amount.operation = "MULTIPLY_ADD"
    amount.inputs[1].default_value = 0.5
    amount.inputs[2].default_value = 1.0
    links.new(lean.outputs["Value"], amount.inputs[0])
    glow, wall = nodes.new("ShaderNodeBackground"), nodes.new("ShaderNodeBackground")
    glow.inputs["Color"].default_value = (*room["ambient"], 1)
    links.new(amount.outputs[0], glow.inputs["Strength"])
    wall.inputs["Color"].default_value = (*room["wall"], 1)
    path = nodes.new("ShaderNodeLightPath")
    either = nodes.new("ShaderNodeMixShader")
    links.new(path.outputs["Is Camera Ray"], either.inputs[0])
    links.new(glow.outputs[0], either.inputs[1])
    links.new(wall.outputs[0], either.inputs[2])
    out = nodes.new("ShaderNodeOutputWorld")
    links.new(either.outputs[0], out.inputs["Surface"])


def _lamp(lamp: Described) -> None:
    """A round face that looks at the board's middle and lights level paper there with `colour`."""
    place, target = at(lamp["at"]), at(lamp["towards"])
    data = bpy.data.lights.new("lamp", "AREA")
    data.shape = "DISK"
    data.size = 2 * lamp["radius"] * SCALE
    ray = target - place
    level = abs(ray.normalized().z)
    # an even face of power P sends P cos / (pi d^2) to a small face; paper turns pi of that into 1
    data.energy = math.pi**2 * ray.length_squared / max(level, 0.05)
    data.color = lamp["colour"]
    body = bpy.data.objects.new("lamp", data)
    body.matrix_world = Matrix.Translation(place) @ ray.to_track_quat("-Z", "Y").to_matrix().to_4x4()
    body.visible_camera = False
    bpy.context.scene.collection.objects.link(body)


def _table(table: Described) -> None:
    """A square top with the texture repeated over it."""
    half, depth = table["reach"], table["height"]
    corners = [(-half, -half, depth), (half, -half, depth), (half, half, depth), (-half, half, depth)]
    repeats = 2 * half / table["millimetres"]
    cover = [(0.0, 0.0), (repeats, 0.0), (repeats, -repeats), (0.0, -repeats)]
    bodies.flat("table", corners, cover, materials.printed(table))


def _sheet(sheet: Described) -> None:
    """Board or tile: a print on cardboard."""
    edge = materials.plain(sheet["edge"], 0.7, 0.2)
    bodies.slab(sheet["outline"], sheet["low"], sheet["high"], materials.printed(sheet), edge)


def _render(quality: Described) -> Any:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", quality["threads"]
    scene.render.resolution_percentage = round(100 * quality["scale"])
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples = quality["samples"]
    cycles.seed = quality["seed"]
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = False  # what grain is left is less than a phone's
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 1, 1, 1
    cycles.use_light_tree = False
    cycles.caustics_reflective = cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 3.0
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = f"{folder}/linear.exr"
        scene.render.image_settings.file_format = "OPEN_EXR"
        scene.render.image_settings.color_depth = "32"
        bpy.ops.render.render(write_still=True)
        picture = bpy.data.images.load(scene.render.filepath)
        width, height = picture.size
        pixels = np.empty(width * height * picture.channels, np.float32)
        picture.pixels.foreach_get(pixels)
    rows = pixels.reshape(height, width, picture.channels)[::-1, :, :3]
    return np.ascontiguousarray(np.clip(rows, 0, 6e4)).astype(np.float16)


if __name__ == "__main__":
    main()
