"""Finds the sentences of the server in its source: every text with a blank in it, f-strings with {1}, {2} ... for what
is filled in. A module of its own, so that a translator can list them: `python tests/webui/sentences.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

SHOWN: Final = (
    "rules/log.py", "rules/options.py", "rules/parsing.py", "rules/players.py", "rules/games/*.py",
    "vision/photo.py", "vision/photo_format.py", "vision/placement_advice.py", "vision/sources/*.py",
    "vision/worker/camera_line.py", "vision/worker/heartbeat.py", "vision/worker/model_shelf.py",
    "vision/worker/photo_desk.py", "vision/worker/table_watch.py", "vision/worker/zone_book.py",
    "vision/model_files.py",
    "webui/access.py", "webui/app.py", "webui/backup.py", "webui/camera_setup.py", "webui/camera_supervisor.py",
    "webui/errors.py",
    "webui/house.py", "webui/lobby.py", "webui/player_names.py", "webui/repairs.py", "webui/same_origin.py",
    "webui/session.py", "webui/settings.py", "webui/stale.py", "webui/store.py", "webui/teaching.py",
    "webui/corrections.py", "webui/routes/*.py",
)  # fmt: skip
"""Where sentences come from that a person at a page may read."""

FOR_PROGRAMS: Final = Path(__file__).with_name("sentences_for_programs.txt")
"""Texts that no page can bring about: answers to programs that send what the pages never send; names, SQL, types."""


def sentences(path: Path) -> Iterator[str]:
    """The texts of a Python file that have a blank in them, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            passed |= {id(part) for part in node.values}
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("log.", "logger.", "_logger.")):
            passed |= {id(part) for part in node.args}
    for node in ast.walk(tree):
        if id(node) in passed:
            continue
        text = template(node)
        if text and " " in text.strip():
            yield text


def template(node: ast.AST) -> str | None:
    """The text of a node, with a number for each gap; None where it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return None
    text, gaps = "", 0
    for part in node.values:
        if isinstance(part, ast.Constant):
            text += str(part.value)
        else:
            gaps += 1
            text += f"{{{gaps}}}"
    return text


def shown() -> list[str]:
    """Every sentence that a person may read, each once."""
    passed = set(FOR_PROGRAMS.read_text(encoding="utf-8").splitlines()) if FOR_PROGRAMS.exists() else set()
    found: dict[str, None] = {}
    for pattern in SHOWN:
        for path in sorted(ROOT.glob(pattern)):
            for text in sentences(path):
                if text.replace("\n", "\\n") not in passed:
                    found.setdefault(text, None)
    return list(found)


if __name__ == "__main__":
    print("\n".join(shown()))
