"""Loads the ONNX models that come with the package, each checked against its card."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import onnxruntime as ort


class ModelError(Exception):
    """A model file is missing, damaged or does not fit its card; says which and what to do."""


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded network and its card (a JSON object: file, sha256, input, classes, temperatures, thresholds ...)."""

    session: ort.InferenceSession
    card: dict[str, Any]


def load_model(name: str, folder: Path | None = None, threads: int = 2) -> Model:
    """Loads `name`.onnx with `name`.json from `folder`, or from the installed `tablesight.models`."""
    place = folder or Path(str(files("tablesight.models")))
    try:
        card = json.loads((place / f"{name}.json").read_text())
        data = (place / f"{name}.onnx").read_bytes()
    except FileNotFoundError as error:
        raise ModelError(
            f"expected the model file {error.filename}, it is not there: install tablesight again"
        ) from error
    except (OSError, ValueError) as error:
        raise ModelError(f"model {name} cannot be read ({error}): install tablesight again") from error
    found = hashlib.sha256(data).hexdigest()
    if found != card.get("sha256"):
        raise ModelError(
            f"model {name}.onnx has sha256 {found[:12]}..., its card says {str(card.get('sha256'))[:12]}...: "
            "install tablesight again"
        )
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = False  # an arena keeps what the largest batch needed: 50 MB more, no faster
    # a camera watches most of the time: spinning threads would burn a core of the Pi for nothing
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = ort.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelError(f"model {name}.onnx does not load ({error}): install tablesight again") from error
    return Model(session, card)
