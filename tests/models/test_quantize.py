"""The step that makes int8 networks: what it allows, what it writes, and that it leaves decided ones alone."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest

onnx = pytest.importorskip("onnx", reason="needed for training only: make training")

TRAINING = Path(__file__).resolve().parents[2] / "models" / "training"
PICTURE = np.random.default_rng(0).integers(0, 255, (1, 24, 32, 3)).astype(np.uint8)


@pytest.fixture
def quantize(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(TRAINING))
    module = importlib.import_module("quantize")
    monkeypatch.setattr(module, "DATA", tmp_path / "data")
    for part in ("fp32", "int8"):
        (tmp_path / "data" / part).mkdir(parents=True)
    return module


def network() -> Any:
    """As exported by torch: Transpose, Gather, Cast, Div, Sub, and two convolutions."""
    rng = np.random.default_rng(1)
    tensors = {
        "order": np.array([2, 1, 0]),
        "scale": np.array(255, np.float32),
        "half": np.array(0.5, np.float32),
        "first": rng.normal(0, 0.3, (8, 3, 3, 3)).astype(np.float32),
        "bias": rng.normal(0, 0.3, 8).astype(np.float32),
        "second": rng.normal(0, 0.3, (4, 8, 3, 3)).astype(np.float32),
    }
    make = onnx.helper.make_node
    nodes = [
        make("Transpose", ["image"], ["chw"], perm=[0, 3, 1, 2]),
        make("Gather", ["chw", "order"], ["rgb"], axis=1),
        make("Cast", ["rgb"], ["float"], to=onnx.TensorProto.FLOAT),
        make("Div", ["float", "scale"], ["share"]),
        make("Sub", ["share", "half"], ["x"]),
        make("Conv", ["x", "first", "bias"], ["a"], "first_conv", pads=[1, 1, 1, 1]),
        make("Relu", ["a"], ["b"]),
        make("Conv", ["b", "second"], ["out"], "second_conv", pads=[1, 1, 1, 1]),
    ]
    info = onnx.helper.make_tensor_value_info
    graph = onnx.helper.make_graph(
        nodes,
        "small",
        [info("image", onnx.TensorProto.UINT8, ["n", "h", "w", 3])],
        [info("out", onnx.TensorProto.FLOAT, ["n", 4, "h", "w"])],
        [onnx.numpy_helper.from_array(value, name) for name, value in tensors.items()],
    )
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)], ir_version=8)


def output(model: Any) -> np.ndarray:
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"image": PICTURE})[0])


def test_colour_order_and_scale_folded_into_the_first_convolution_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("torch", reason="needed for training only: make training")
    monkeypatch.syspath_prepend(str(TRAINING))
    fold = importlib.import_module("export").fold_picture
    model = network()
    before = output(model)
    fold(model)
    assert not {"Div", "Gather"} & {node.op_type for node in model.graph.node}
    np.testing.assert_allclose(output(model), before, atol=1e-5)
    with pytest.raises(ValueError, match="expected Transpose, Gather, Cast, Div, Sub, Conv"):
        fold(model)


def test_an_int8_network_answers_alike_keeps_its_first_convolution_and_is_the_same_each_time(
    quantize: ModuleType, tmp_path: Path
) -> None:
    source, feeds = tmp_path / "face.onnx", [{"image": PICTURE}]
    onnx.save(network(), str(source))
    for name in ("a.onnx", "b.onnx"):
        quantize.quantize(source, tmp_path / name, feeds)
    assert (tmp_path / "a.onnx").read_bytes() == (tmp_path / "b.onnx").read_bytes()
    model = onnx.load(str(tmp_path / "a.onnx"))
    made = {value: node.op_type for node in model.graph.node for value in node.output}
    weights = [made.get(node.input[1]) for node in model.graph.node if node.op_type == "Conv"]
    assert weights == [None, "DequantizeLinear"]
    before, after = output(network()), output(model)
    assert not np.array_equal(before, after)
    assert np.abs(before - after).max() < 0.05 * np.ptp(before)


def _folder(quantize: ModuleType, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path / "models"
    folder.mkdir()
    for place in (folder, tmp_path / "data/fp32"):
        (place / "face.onnx").write_bytes(b"fp32")
    (tmp_path / "data/int8/face.onnx").write_bytes(b"int8")
    card = {"sha256": quantize.sha256(folder / "face.onnx"), "precision": "fp32", "parameters": 3}
    (folder / "face.json").write_text(json.dumps(card))
    return folder, card


FIGURES = {"face": 0.95, "kind and value": 0.96}


def test_int8_takes_the_place_of_fp32_where_it_is_as_good(quantize: ModuleType, tmp_path: Path) -> None:
    folder, card = _folder(quantize, tmp_path)
    assert quantize.decide("face", quantize.Trial(FIGURES, {**FIGURES, "face": 0.949}, 0.5), folder, card)
    written = json.loads((folder / "face.json").read_text())
    assert (folder / "face.onnx").read_bytes() == b"int8"
    assert written["precision"] == "int8"
    assert written["parameters"] == 3
    assert written["quantization"]["from_fp32_sha256"] == card["sha256"]
    assert written["quantization"]["held_out"]["int8"]["face"] == 0.949
    assert quantize.is_decided(written, folder / "face.onnx")


def test_fp32_stays_where_int8_loses_more_than_is_allowed_and_the_card_says_what(
    quantize: ModuleType, tmp_path: Path
) -> None:
    folder, card = _folder(quantize, tmp_path)
    trial = quantize.Trial(FIGURES, {"face": 0.99, "kind and value": 0.95}, 0.5)
    assert not quantize.decide("face", trial, folder, card)
    written = json.loads((folder / "face.json").read_text())
    assert (folder / "face.onnx").read_bytes() == b"fp32"
    assert written["precision"] == "fp32"
    assert written["quantization"]["lost_too_much"] == {"kind and value": 0.01}
    assert quantize.is_decided(written, folder / "face.onnx")


def test_a_network_exported_anew_is_not_decided_on(quantize: ModuleType, tmp_path: Path) -> None:
    folder, card = _folder(quantize, tmp_path)
    assert not quantize.is_decided(card, folder / "face.onnx")
    quantize.decide("face", quantize.Trial(FIGURES, FIGURES, 0.5), folder, card)
    written = json.loads((folder / "face.json").read_text())
    (folder / "face.onnx").write_bytes(b"another")
    assert not quantize.is_decided(written, folder / "face.onnx")
