"""Materials of dice, tables and things as Cycles shaders. Runs inside Blender."""

from __future__ import annotations

from typing import Any

import bpy


class Nodes:
    """A node tree that is wired by short calls."""

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()
        self.output = self.tree.nodes.new("ShaderNodeOutputMaterial")

    def add(self, kind: str, **values: Any) -> Any:
        """A node of this kind with these inputs: values, or sockets to link to. Underscores are spaces."""
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in values.items():
            self.put(node.inputs[name.replace("_", " ")], value)
        return node

    def put(self, socket: Any, value: Any) -> None:
        """Sets or links an input."""
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = value

    def math(self, operation: str, first: Any, second: Any = 0.0) -> Any:
        """One arithmetic step; its output socket."""
        node = self.tree.nodes.new("ShaderNodeMath")
        node.operation = operation
        self.put(node.inputs[0], first)
        self.put(node.inputs[1], second)
        return node.outputs[0]

    def mix(self, share: Any, first: Any, second: Any, blend: str = "MIX") -> Any:
        """Two colours mixed; its output socket."""
        node = self.tree.nodes.new("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", blend
        self.put(node.inputs["Factor"], share)
        self.put(node.inputs[6], first)
        self.put(node.inputs[7], second)
        return node.outputs[2]

    def picture(self, path: str, color: bool, where: Any = None, extension: str = "EXTEND") -> Any:
        """A picture's node."""
        node = self.tree.nodes.new("ShaderNodeTexImage")
        node.image = bpy.data.images.load(path)
        node.extension = extension
        if not color:
            node.image.colorspace_settings.name = "Non-Color"
        if where is not None:
            self.put(node.inputs["Vector"], where)
        return node


def _rgba(color: list[float]) -> tuple[float, float, float, float]:
    return (color[0], color[1], color[2], 1.0)


def die_material(name: str, sheet: str, look: dict[str, Any]) -> Any:
    """Body and paint with the sheet of prints between them, cut in by a bump; clear bodies let shadows' light pass."""
    n = Nodes(name)
    prints = n.add("SeparateColor", Color=n.picture(sheet, False).outputs["Color"])
    paint, which, depth = (prints.outputs[i] for i in range(3))
    cut = n.add("Bump", Strength=0.25 + 0.75 * look["engraving"], Distance=0.05, Height=depth)
    cut.invert = True
    normal = cut.outputs[0]
    place = n.add("TexCoord").outputs["Object"]
    shifted = n.add("Mapping", Vector=place, Location=tuple((look["seed"] >> s) % 97 / 7.0 for s in (0, 4, 8)))
    where = shifted.outputs[0]
    body: Any = _rgba(look["body"])
    second = _rgba(look["second"])
    metallic: Any = 0.0
    finish = look["finish"]
    body_normal = normal
    if finish in ("swirl", "speckle"):
        noise = n.add("TexNoise", Vector=where, Scale=look["scale"] * (1 if finish == "swirl" else 9), Detail=3.0)
        n.put(noise.inputs["Distortion"], look["distortion"] if finish == "swirl" else 0.0)
        middle = 0.5 if finish == "swirl" else 0.62
        sharp = n.math("MULTIPLY_ADD", n.math("SUBTRACT", noise.outputs[0], middle), look["contrast"])
        sharp.node.inputs[2].default_value = 0.5
        sharp.node.use_clamp = True
        body = n.mix(sharp, body, second)
    elif finish == "glitter":
        cells = n.add("TexVoronoi", Vector=where, Scale=look["flakes"])
        parts = n.add("SeparateColor", Color=cells.outputs["Color"])
        shine = n.math("GREATER_THAN", parts.outputs[0], 1 - look["flake_share"])
        depths = n.add("TexNoise", Vector=where, Scale=look["scale"]).outputs[0]
        body = n.mix(n.math("MULTIPLY", depths, 0.6), body, second)
        body = n.mix(shine, body, _rgba(look["flake"]))
        metallic = n.math("MULTIPLY", shine, 0.9)
        tilt = n.add("Bump", Strength=0.7, Distance=0.04, Height=parts.outputs[1], Normal=normal)
        body_normal = tilt.outputs[0]
    elif finish == "metal":
        metallic = 1.0
    shell = n.add(
        "BsdfPrincipled", Base_Color=body, Roughness=look["roughness"], IOR=look["ior"], Metallic=metallic,
        Transmission_Weight=look["transmission"], Coat_Weight=look["coat"], Coat_Roughness=0.04, Normal=body_normal,
    )  # fmt: skip
    inks = look["inks"]
    ink = n.mix(which, _rgba(inks[0]), _rgba(inks[-1]))
    painted = n.add(
        "BsdfPrincipled", Base_Color=ink, Roughness=look["ink_roughness"], Metallic=look["ink_metal"], Normal=normal
    )
    both = n.add("MixShader")
    n.put(both.inputs[0], paint)
    n.put(both.inputs[1], shell.outputs[0])
    n.put(both.inputs[2], painted.outputs[0])
    surface = both.outputs[0]
    if look["transmission"] > 0:  # without caustics, clear plastic would throw the shadow of a brick
        seen = n.add("LightPath").outputs["Is Shadow Ray"]
        passing = n.add("BsdfTransparent", Color=(*(0.2 + 0.75 * c for c in look["body"]), 1.0))
        last = n.add("MixShader")
        n.put(last.inputs[0], n.math("MULTIPLY", seen, look["transmission"] * 0.8))
        n.put(last.inputs[1], surface)
        n.put(last.inputs[2], passing.outputs[0])
        surface = last.outputs[0]
    n.put(n.output.inputs[0], surface)
    return n.material


def table_material(picture: str, table: dict[str, Any]) -> Any:
    """The covering, mirrored to all sides."""
    n = Nodes("table")
    scale = 1 / table["size"]
    place = n.add("TexCoord").outputs["Object"]
    where = n.add("Mapping", Vector=place, Location=(0.5, 0.5, 0.0), Rotation=(0.0, 0.0, table["turn"]))
    where.inputs["Scale"].default_value = (scale, scale, 1.0)
    image = n.picture(picture, True, where.outputs[0], "MIRROR")
    if table["roughness"] > 0.7:  # cloth and paper: nothing but diffuse, which is much quicker
        shell = n.add("BsdfDiffuse", Color=image.outputs["Color"])
    else:
        shell = n.add("BsdfPrincipled", Base_Color=image.outputs["Color"], Roughness=table["roughness"])
    n.put(n.output.inputs[0], shell.outputs[0])
    return n.material


def plain_material(name: str, look: dict[str, Any], picture: str | None) -> Any:
    """One colour, or a picture in that colour on the sides that look up (mapped over the thing's own box)."""
    n = Nodes(name)
    color: Any = _rgba(look["color"])
    if picture is not None:
        printed = n.picture(picture, True, n.add("TexCoord").outputs["Generated"]).outputs["Color"]
        upward = n.add("SeparateXYZ", Vector=n.add("NewGeometry").outputs["Normal"]).outputs[2]
        tint = n.mix(1.0, printed, color, "MULTIPLY") if look["metal"] else printed
        color = n.mix(n.math("GREATER_THAN", upward, 0.9), color, tint)
    shell = n.add("BsdfPrincipled", Base_Color=color, Roughness=look["roughness"], Metallic=look["metal"])
    n.put(n.output.inputs[0], shell.outputs[0])
    return n.material
