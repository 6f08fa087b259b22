"""Each model file is the one its card speaks of, small, and takes what the card says."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from tablesight.vision.model_files import ModelError, load_model

MODELS = Path(str(files("tablesight.models")))
NAMES = ("detector", "pose", "face")


@pytest.mark.parametrize("name", NAMES)
def test_card_and_file_belong_together(name: str) -> None:
    card = json.loads((MODELS / f"{name}.json").read_text())
    data = (MODELS / card["file"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == card["sha256"]
    assert len(data) < 6e6
    assert card["licence"] == "MIT"
    assert card["iterations"] > 0


@pytest.mark.parametrize(
    ("name", "size", "outputs"),
    [
        pytest.param("detector", (96, 128), {"heat": (1, 1, 24, 32), "distances": (1, 4, 24, 32)}, id="detector"),
        pytest.param(
            "pose",
            (88, 88),
            {
                "geometry": (1, 5),
                "phases": (1, 5, 2),
                "turn": (1, 2),
                "shape": (1, 5),
                "color": (1, 9),
                "tilt": (1, 14),
            },
            id="pose",
        ),
        pytest.param("face", (56, 56), {"face": (1, 20), "ink": (1, 4), "pips": (1, 2), "upright": (1, 1)}, id="face"),
    ],
)
def test_outputs(name: str, size: tuple[int, int], outputs: dict[str, tuple[int, ...]]) -> None:
    session = load_model(name, threads=1).session
    inputs = {"image": np.full((1, *size, 3), 114, np.uint8)}
    if name == "pose":
        inputs["tilt_deg"] = np.array([-1.0], np.float32)
    results = session.run(list(outputs), inputs)
    assert {k: r.shape for k, r in zip(outputs, results, strict=True)} == outputs
    assert all(np.isfinite(r).all() for r in results)


def test_a_damaged_model_is_refused_with_advice(tmp_path: Path) -> None:
    (tmp_path / "pose.json").write_text((MODELS / "pose.json").read_text())
    (tmp_path / "pose.onnx").write_bytes((MODELS / "pose.onnx").read_bytes()[:-100])
    with pytest.raises(ModelError, match="install tablesight again"):
        load_model("pose", tmp_path)


def test_a_missing_model_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="install tablesight again"):
        load_model("pose", tmp_path)
