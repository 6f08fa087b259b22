from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

import pytest

from tablesight.webui.doctor.models import check_models

IDENTITY_ONNX: Final = bytes.fromhex(
    "08083a370a100a017812017922084964656e746974791201675a0f0a0178120a0a08080112040a020801620f0a0179120a0a08080112040a0208"
    "0142040a00100d"
)
"""The smallest model: y = x, one float32; IR 8, opset 13."""


def lay(folder: Path, content: bytes, described: bytes | None) -> None:
    """A model file and, where `described` is given, the card of those bytes."""
    (folder / "reader.onnx").write_bytes(content)
    if described is not None:
        card = {"file": "reader.onnx", "sha256": hashlib.sha256(described).hexdigest()}
        (folder / "reader.json").write_text(json.dumps(card), encoding="utf-8")


def test_a_model_that_is_its_cards_and_loads_is_well(tmp_path: Path) -> None:
    lay(tmp_path, IDENTITY_ONNX, IDENTITY_ONNX)
    assert [finding.state for finding in check_models(tmp_path)] == ["ok"]


@pytest.mark.parametrize(
    ("content", "described", "words"),
    [
        pytest.param(IDENTITY_ONNX[:-5], IDENTITY_ONNX, "checksum", id="half fetched"),
        pytest.param(b"version https://git-lfs", b"version https://git-lfs", "does not load", id="not a model"),
        pytest.param(IDENTITY_ONNX, None, "no card", id="no card"),
    ],
)
def test_a_damaged_model_is_a_failure(tmp_path: Path, content: bytes, described: bytes | None, words: str) -> None:
    lay(tmp_path, content, described)
    (finding,) = check_models(tmp_path)
    assert finding.state == "failure"
    assert words in finding.text


def test_a_card_without_its_model_is_a_failure(tmp_path: Path) -> None:
    lay(tmp_path, IDENTITY_ONNX, IDENTITY_ONNX)
    (tmp_path / "reader.onnx").unlink()
    (finding,) = check_models(tmp_path)
    assert (finding.state, finding.text) == ("failure", "reader.onnx is missing, though reader.json describes it")


def test_a_card_without_a_checksum_proves_nothing(tmp_path: Path) -> None:
    lay(tmp_path, IDENTITY_ONNX, IDENTITY_ONNX)
    (tmp_path / "reader.json").write_text('{"file": "reader.onnx"}', encoding="utf-8")
    (finding,) = check_models(tmp_path)
    assert finding.state == "failure"
    assert "its card says none" in finding.text


def test_an_unreadable_card_is_a_failure_and_other_json_is_left_alone(tmp_path: Path) -> None:
    lay(tmp_path, IDENTITY_ONNX, IDENTITY_ONNX)
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "kinds.json").write_text('["d6"]', encoding="utf-8")
    assert [finding.state for finding in check_models(tmp_path)] == ["failure", "ok"]


def test_no_models_at_all_is_a_failure(tmp_path: Path) -> None:
    (finding,) = check_models(tmp_path)
    assert finding.text == "there are no models: no die can be read"
