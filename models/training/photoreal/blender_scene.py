"""Builds a table from its job folder. Runs inside Blender; centimetres are Blender's units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import mathutils
import numpy as np

from photoreal.blender_materials import die_material, plain_material, table_material

_SENSOR_MM = 36.0


def build_scene(folder: Path, job: dict[str, Any]) -> list[Any]:
    """Replaces whatever scene there is; returns the objects of the dice."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    import addon_utils

    addon_utils.enable("cycles")
    scene = bpy.context.scene
    _settings(scene, job)
    _room(scene, str(folder / "room.hdr"))
    for lamp in job["lamps"]:
        _lamp(scene, lamp)
    _camera(scene, job)
    bpy.ops.mesh.primitive_plane_add(size=600)
    bpy.context.object.data.materials.append(table_material(str(folder / "table.png"), job["table"]))
    for i, prop in enumerate(job["props"]):
        _prop(i, prop, folder)
    return [_die(scene, i, die, folder) for i, die in enumerate(job["dice"])]


def _settings(scene: Any, job: dict[str, Any]) -> None:
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.samples, cycles.seed = job["samples"], job["seed"]
    cycles.use_adaptive_sampling = False
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "BALANCED"
    cycles.max_bounces, cycles.transmission_bounces, cycles.glossy_bounces, cycles.diffuse_bounces = 5, 5, 2, 1
    cycles.caustics_refractive = cycles.caustics_reflective = False
    cycles.sample_clamp_indirect = 4.0
    scene.render.resolution_x, scene.render.resolution_y = job["size_px"]
    scene.render.resolution_percentage = 100
    scene.render.threads_mode, scene.render.threads = "FIXED", job["threads"]
    scene.view_settings.view_transform = "Raw"


def _room(scene: Any, panorama: str) -> None:
    world = bpy.data.worlds.new("room")
    scene.world = world
    world.use_nodes = True
    tree = world.node_tree
    image = tree.nodes.new("ShaderNodeTexEnvironment")
    image.image = bpy.data.images.load(panorama)
    image.image.colorspace_settings.name = "Linear Rec.709"
    tree.links.new(image.outputs[0], tree.nodes["Background"].inputs[0])


def _lamp(scene: Any, lamp: dict[str, Any]) -> None:
    light = bpy.data.lights.new("lamp", "AREA")
    light.energy, light.size, light.color = lamp["watts"], lamp["size_cm"], lamp["color"]
    thing = bpy.data.objects.new("lamp", light)
    thing.location = lamp["position_cm"]
    thing.rotation_euler = (-mathutils.Vector(lamp["position_cm"])).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(thing)


def _camera(scene: Any, job: dict[str, Any]) -> None:
    what = job["camera"]
    data = bpy.data.cameras.new("camera")
    data.sensor_fit, data.sensor_width = "HORIZONTAL", _SENSOR_MM
    data.lens = what["focal_px"] * _SENSOR_MM / job["size_px"][0]
    data.clip_end = 10000
    if what["fstop"] is not None:
        data.dof.use_dof = True
        # an f-number is of the lens in its own millimetres; distances here are centimetres
        data.dof.focus_distance, data.dof.aperture_fstop = what["distance"] - 1, what["fstop"] * data.lens / 180
    right, down, forward = (np.array(axis) for axis in what["axes"])
    turn = np.stack([right, -down, -forward], 1)
    thing = bpy.data.objects.new("camera", data)
    thing.matrix_world = mathutils.Matrix.Translation(what["position"]) @ mathutils.Matrix(turn.tolist()).to_4x4()
    scene.collection.objects.link(thing)
    scene.camera = thing


def _die(scene: Any, number: int, die: dict[str, Any], folder: Path) -> Any:
    mesh = bpy.data.meshes.new(f"die{number}")
    mesh.from_pydata((np.array(die["vertices"]) * die["radius"]).tolist(), [], die["faces"])
    thing = bpy.data.objects.new(f"die{number}", mesh)
    scene.collection.objects.link(thing)
    rounded = thing.modifiers.new("rounded", "BEVEL")
    rounded.width, rounded.segments = die["rounding"] * die["radius"], 4
    rounded.limit_method, rounded.harden_normals = "NONE", True
    bpy.context.view_layer.objects.active = thing
    mesh.shade_smooth()
    bpy.ops.object.modifier_apply(modifier="rounded")
    mesh = thing.data
    _lay_prints(mesh, die)
    mesh.materials.append(die_material(f"die{number}", str(folder / die["prints"]), die["material"]))
    turn = mathutils.Matrix(die["rotation"]).to_4x4()
    thing.matrix_world = mathutils.Matrix.Translation(die["position"]) @ turn
    return thing


def _lay_prints(mesh: Any, die: dict[str, Any]) -> None:
    """Each polygon takes the tile of the face that it looks most like; tiles are projected along the face's normal."""
    tiles, across, radius = die["tiles"], die["columns"], die["radius"]
    normals = np.array([tile["normal"] for tile in tiles])
    layer = mesh.uv_layers.new()
    for polygon in mesh.polygons:
        index = int(np.argmax(normals @ np.array(polygon.normal)))
        tile = tiles[index]
        row, column = divmod(index, across)
        for loop in polygon.loop_indices:
            point = np.array(mesh.vertices[mesh.loops[loop].vertex_index].co) / radius - tile["center"]
            x, y = point @ tile["right"] / tile["reach"] / 2, point @ tile["up"] / tile["reach"] / 2
            x, y = float(np.clip(x, -0.49, 0.49)), float(np.clip(y, -0.49, 0.49))
            layer.data[loop].uv = ((column + 0.5 + x) / across, 1 - (row + 0.5 - y) / across)


def _prop(number: int, prop: dict[str, Any], folder: Path) -> None:
    add = bpy.ops.mesh
    width, depth, height = prop["size"]
    if prop["shape"] == "disc":
        add.primitive_cylinder_add(vertices=64, radius=0.5, depth=1)
    elif prop["shape"] == "ball":
        add.primitive_uv_sphere_add(radius=0.5)
    elif prop["shape"] == "rod":
        add.primitive_cylinder_add(vertices=24, radius=0.5, depth=1, rotation=(1.5708, 0, 0))
        bpy.ops.object.transform_apply(rotation=True)
    elif prop["shape"] == "pawn":
        add.primitive_cone_add(vertices=48, radius1=0.5, radius2=0.14, depth=0.75, location=(0, 0, -0.125))
        cone = bpy.context.object
        add.primitive_uv_sphere_add(radius=0.28, location=(0, 0, 0.3))
        cone.select_set(True)
        bpy.ops.object.join()
        bpy.ops.object.origin_set(type="ORIGIN_CURSOR")
    else:
        add.primitive_cube_add(size=1)
    thing = bpy.context.object
    if prop["shape"] != "pawn":
        thing.scale = (width, depth, height)
    else:
        thing.scale = (width, width, height)
    thing.location = prop["position"]
    thing.rotation_euler = (0, 0, prop["turn"])
    if prop["shape"] in ("cube", "slab", "disc"):
        edge = thing.modifiers.new("edge", "BEVEL")
        edge.width, edge.segments = min(0.12, height * 0.2), 3
    picture = None if prop["picture"] is None else str(folder / prop["picture"])
    thing.data.materials.append(plain_material(f"prop{number}", prop, picture))
