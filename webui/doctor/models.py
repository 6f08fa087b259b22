"""The models: each file as its card says, and one that onnxruntime can load."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from tablesight.webui.doctor.finding import Finding, failure, ok

FETCH_AGAIN: Final = "fetch the files again: git checkout models (a service: sudo deploy/install.sh)"


def check_models(folder: Traversable | None = None) -> Iterator[Finding]:
    """One finding a model card (`*.json` with the keys `file` and `sha256`); `folder`: the installed models if None."""
    folder = resources.files("tablesight.models") if folder is None else folder
    files = {entry.name: entry for entry in folder.iterdir() if entry.is_file()}
    described: set[str] = set()
    for name in sorted(name for name in files if name.endswith(".json")):
        try:
            card = json.loads(files[name].read_text(encoding="utf-8"))
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            yield failure("models", f"the card {name} cannot be read: {error}", FETCH_AGAIN)
            continue
        if not isinstance(card, dict) or "file" not in card:
            continue  # not a card
        model = str(card["file"])
        described.add(model)
        if model not in files:
            yield failure("models", f"{model} is missing, though {name} describes it", FETCH_AGAIN)
        else:
            yield check_model(model, files[model].read_bytes(), card.get("sha256"))
    for name in sorted(name for name in files if name.endswith(".onnx") and name not in described):
        yield failure("models", f"{name} has no card, so nobody can tell whether it is whole", FETCH_AGAIN)
    if not any(name.endswith(".onnx") for name in files) and not described:
        yield failure("models", "there are no models: no die can be read", FETCH_AGAIN)


def check_model(name: str, content: bytes, expected_sha256: object) -> Finding:
    """Whether a model is the one of its card, and loads."""
    found = hashlib.sha256(content).hexdigest()
    if found != expected_sha256:
        shown = f"{expected_sha256[:12]}..." if isinstance(expected_sha256, str) else "none"
        return failure("models", f"{name} has the checksum {found[:12]}..., its card says {shown}", FETCH_AGAIN)
    try:
        runtime = importlib.import_module("onnxruntime")
        runtime.InferenceSession(content, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors have no common base but Exception
        return failure("models", f"{name} does not load: {error}", "install again, with onnxruntime 1.22 or newer")
    return ok("models", f"{name}, {len(content) / 1e6:.1f} MB, is the one of its card and loads")
