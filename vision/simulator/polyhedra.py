"""The shapes of dice as half-space intersections, and how they rest on a table."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
_GOLDEN = (1 + 5**0.5) / 2
_CUBE_CORNERS = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]


@dataclass(frozen=True, slots=True)
class Face:
    """A planar face. `corners` indexes the vertices counter-clockwise seen from outside; the other arrays have shape
    (3,), `plane_xy` (k, 2) gives the corners in the face's own axes `axis_u`, `axis_w` about its centre."""

    corners: npt.NDArray[np.int64]
    normal: Array
    center: Array
    axis_u: Array
    axis_w: Array
    plane_xy: Array
    inradius: float


@dataclass(frozen=True, slots=True)
class Polyhedron:
    """A convex die whose inscribed sphere has radius 1. `vertices` (n, 3), `normals` (sides, 3)."""

    sides: int
    vertices: Array
    normals: Array
    faces: tuple[Face, ...]


def _face_normals(sides: int) -> Array:
    signs = (-1.0, 1.0)
    rows: list[tuple[float, float, float]] = []
    if sides == 4:
        rows = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    elif sides == 6:
        rows = [(s, 0, 0) for s in signs] + [(0, s, 0) for s in signs] + [(0, 0, s) for s in signs]
    elif sides == 8:
        rows = _CUBE_CORNERS.copy()
    elif sides == 10:
        rows = [(np.cos(np.pi / 5 * i), np.sin(np.pi / 5 * i), 0.84 * (-1) ** i) for i in range(10)]
    elif sides == 12:
        for a, b in itertools.product(signs, repeat=2):
            rows += [(0, a, b * _GOLDEN), (a, b * _GOLDEN, 0), (a * _GOLDEN, 0, b)]
    elif sides == 20:
        rows = _CUBE_CORNERS.copy()
        for a, b in itertools.product(signs, repeat=2):
            rows += [(0, a / _GOLDEN, b * _GOLDEN), (a / _GOLDEN, b * _GOLDEN, 0), (a * _GOLDEN, 0, b / _GOLDEN)]
    else:
        raise ValueError(f"expected a die of 4, 6, 8, 10, 12 or 20 sides, got {sides!r}")
    normals = np.array(rows, float)
    unit: Array = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    return unit


@cache
def polyhedron(sides: int) -> Polyhedron:
    """The die with this many sides (4, 6, 8, 10, 12 or 20), inscribed sphere of radius 1 about the origin."""
    normals = _face_normals(sides)
    vertices: list[Array] = []
    for triple in itertools.combinations(range(sides), 3):
        planes = normals[list(triple)]
        if abs(np.linalg.det(planes)) < 1e-6:
            continue
        point = np.asarray(np.linalg.solve(planes, np.ones(3)), np.float64)
        if (normals @ point <= 1 + 1e-6).all() and not any(np.linalg.norm(point - v) < 1e-6 for v in vertices):
            vertices.append(point)
    corners = np.array(vertices)
    return Polyhedron(sides, corners, normals, tuple(_face(corners, normal) for normal in normals))


def _face(vertices: Array, normal: Array) -> Face:
    indices = np.flatnonzero(np.abs(vertices @ normal - 1) < 1e-6)
    center = vertices[indices].mean(0)
    axis_u = vertices[indices[0]] - center
    axis_u /= np.linalg.norm(axis_u)
    axis_w = np.cross(normal, axis_u)
    xy = np.stack([(vertices[indices] - center) @ axis_u, (vertices[indices] - center) @ axis_w], 1)
    order = np.argsort(np.arctan2(xy[:, 1], xy[:, 0]))
    xy = xy[order]
    following = np.roll(xy, -1, 0)
    edge = following - xy
    distance = np.abs(edge[:, 0] * xy[:, 1] - edge[:, 1] * xy[:, 0]) / np.linalg.norm(edge, axis=1)
    return Face(indices[order], normal, center, axis_u, axis_w, xy, float(distance.min()))


def rotation_to_up(normal: Array, yaw_rad: float) -> Array:
    """A rotation (3, 3) that turns `normal` to +z and then the die about z by `yaw_rad`."""
    axis = np.cross(normal, (0.0, 0.0, 1.0))
    cosine = float(normal[2])
    if np.linalg.norm(axis) < 1e-9:
        tip = np.eye(3) if cosine > 0 else np.diag([1.0, -1.0, -1.0])
    else:
        x, y, z = axis
        skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        tip = np.eye(3) + skew + skew @ skew / (1 + cosine)
    c, s = np.cos(yaw_rad), np.sin(yaw_rad)
    turn: Array = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ tip
    return turn


def opposite_faces(sides: int) -> tuple[tuple[int, int], ...]:
    """Pairs of indices of parallel faces (a d4 has none)."""
    normals = polyhedron(sides).normals
    pairs: list[tuple[int, int]] = []
    for i in range(sides):
        j = int(np.argmin(normals @ normals[i]))
        if i < j and normals[i] @ normals[j] < -0.999:
            pairs.append((i, j))
    return tuple(pairs)
