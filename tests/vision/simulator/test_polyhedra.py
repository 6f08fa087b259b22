from __future__ import annotations

import numpy as np
import pytest

from tablesight.vision.simulator.polyhedra import opposite_faces, polyhedron, rotation_to_up


@pytest.mark.parametrize(
    ("sides", "vertices", "corners"),
    [
        pytest.param(4, 4, 3, id="a tetrahedron"),
        pytest.param(6, 8, 4, id="a cube"),
        pytest.param(8, 6, 3, id="an octahedron"),
        pytest.param(10, 12, 4, id="a pentagonal trapezohedron"),
        pytest.param(12, 20, 5, id="a dodecahedron"),
        pytest.param(20, 12, 3, id="an icosahedron"),
    ],
)
def test_shape(sides: int, vertices: int, corners: int) -> None:
    shape = polyhedron(sides)
    assert len(shape.vertices) == vertices
    assert [len(face.corners) for face in shape.faces] == [corners] * sides
    for face in shape.faces:
        np.testing.assert_allclose(shape.vertices[face.corners] @ face.normal, 1, atol=1e-6)
        # counter-clockwise seen from outside
        a, b, c = shape.vertices[face.corners[:3]]
        assert np.cross(b - a, c - b) @ face.normal > 0


def test_an_unknown_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="got 7"):
        polyhedron(7)


@pytest.mark.parametrize("sides", [6, 8, 10, 12, 20])
def test_every_face_that_can_be_up_has_one_parallel_to_the_table(sides: int) -> None:
    assert len(opposite_faces(sides)) == sides // 2


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12, 20])
def test_rotation_to_up_is_a_rotation_that_turns_the_face_up(sides: int) -> None:
    for normal in polyhedron(sides).normals:
        rotation = rotation_to_up(normal, 0.7)
        np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-9)
        assert np.linalg.det(rotation) == pytest.approx(1)
        np.testing.assert_allclose(rotation @ normal, [0, 0, 1], atol=1e-9)
