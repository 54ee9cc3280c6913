"""What light meets: printed paper with its gloss and grain, cardboard, painted or bare wood."""

from __future__ import annotations

from typing import Any

import bpy

from tools.pathtrace.bodies import SCALE


def plain(colour: list[float], rough: float, gloss: float) -> Any:
    return _surface("plain", rough, gloss, colour)[0]


def printed(described: dict[str, Any]) -> Any:
    """A picture under varnish; `emboss` is how deep its linen or grain is pressed, in mm."""
    material, surface = _surface("print", described["rough"], described["gloss"])
    tree = material.node_tree
    picture = tree.nodes.new("ShaderNodeTexImage")
    picture.image = bpy.data.images.load(described["texture"], check_existing=True)
    picture.interpolation = "Linear"
    tree.links.new(picture.outputs["Color"], surface.inputs["Base Color"])
    _emboss(tree, surface, described["emboss"], 1.2)
    return material


def paint(described: dict[str, Any]) -> Any:
    """Wood, painted or bare: its grain shows in the colour as much as `grain` says."""
    material, surface = _surface("wood", described["rough"], described["gloss"])
    tree = material.node_tree
    place = tree.nodes.new("ShaderNodeTexCoord")
    stretch = tree.nodes.new("ShaderNodeMapping")
    # rings along one direction of the piece, some 0.7 mm apart
    stretch.inputs["Scale"].default_value = (1.4, 1.4, 0.12)
    stretch.inputs["Rotation"].default_value = described["lie"]
    tree.links.new(place.outputs["Object"], stretch.inputs["Vector"])
    rings = tree.nodes.new("ShaderNodeTexNoise")
    rings.inputs["Scale"].default_value = 1.0 / SCALE
    rings.inputs["Detail"].default_value = 3.0
    tree.links.new(stretch.outputs[0], rings.inputs["Vector"])
    between = tree.nodes.new("ShaderNodeMixRGB")
    grain = described["grain"]
    dark = [c * max(0.0, 1 - grain) for c in described["colour"]]
    light = [min(1.0, c * (1 + 0.6 * grain)) for c in described["colour"]]
    between.inputs["Color1"].default_value = (*dark, 1)
    between.inputs["Color2"].default_value = (*light, 1)
    tree.links.new(rings.outputs["Fac"], between.inputs["Fac"])
    tree.links.new(between.outputs["Color"], surface.inputs["Base Color"])
    return material


def _emboss(tree: Any, surface: Any, depth: float, size: float) -> None:
    if depth <= 0:
        return
    place = tree.nodes.new("ShaderNodeTexCoord")
    relief = tree.nodes.new("ShaderNodeTexNoise")
    relief.inputs["Scale"].default_value = 1 / (size * SCALE)
    relief.inputs["Detail"].default_value = 0.0
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Distance"].default_value = depth * SCALE
    tree.links.new(place.outputs["Object"], relief.inputs["Vector"])
    tree.links.new(relief.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], surface.inputs["Normal"])


def _surface(name: str, rough: float, gloss: float, colour: list[float] | None = None) -> tuple[Any, Any]:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    surface = material.node_tree.nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = rough
    surface.inputs["Specular IOR Level"].default_value = gloss
    if colour is not None:
        surface.inputs["Base Color"].default_value = (*colour, 1)
    return material, surface
