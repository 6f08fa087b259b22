"""What is refused says what to do next: every sentence of the interface and of `tablesight evaluate`."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from tablesight.vision.evaluation.labels import LabelError
from tablesight.webui.commands.evaluate import measure

spec = importlib.util.spec_from_file_location("sentences", Path(__file__).with_name("sentences.py"))
assert spec
assert spec.loader
sentences = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sentences)

REFUSALS = ("RequestError", "Conflict", "Missing", "CannotWrite", "StoreError", "LabelError")
NEXT_STEP = re.compile(r"[:;] [a-z]")
"""What was expected and what came stand before the colon, the next step after it."""


def refusals() -> dict[str, str]:
    """Every sentence that is raised as one of these, and its file."""
    found = {}
    folders = ("webui/*.py", "webui/routes/*.py", "webui/commands/evaluate.py", "vision/evaluation/*.py")
    for path in (path for pattern in folders for path in sorted(sentences.ROOT.glob(pattern))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in REFUSALS and node.args:
                text = sentences.template(node.args[0])
                if text and " " in text.replace(": ", ""):
                    found[text] = path.name
    return found


def test_every_refusal_names_the_next_step() -> None:
    assert len(refusals()) > 90
    assert sorted((name, text) for text, name in refusals().items() if not NEXT_STEP.search(text)) == []


@pytest.mark.parametrize(
    ("method", "path", "words"),
    [
        pytest.param("get", "/nowhere", ("nothing at '/nowhere'", "open the page anew"), id="an unknown address"),
        pytest.param("put", "/api/games", ("GET", "POST", "got PUT", "use one of these"), id="another method"),
    ],
)
def test_addresses_and_methods_that_are_none_say_so(table: Any, method: str, path: str, words: tuple[str, ...]) -> None:
    sentence = getattr(table.client, method)(path).get_json()["error"]
    assert [word for word in words if word not in sentence] == []


def test_evaluate_names_the_folders_that_there_are(tmp_path: Path) -> None:
    for name in ("blue", "red"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "labels.csv").write_text("file\n")
    with pytest.raises(LabelError, match=r"named gr\* in .*, got none: there are blue, red"):
        measure(lambda folder: pytest.fail("nothing is to be read"), tmp_path, False, (), ["gr*"])
