"""Golden cases: every form of test vector, computed from its inputs alone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.commands.check import check_case

HERE = Path(__file__).resolve().parent / "vectors"
SHARED = Path(os.environ.get("TABLESIGHT_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
ALL = SHARED / "spec" / "vectors"


def cases(path: Path) -> list[Any]:
    loaded = json.loads(path.read_text(encoding="utf-8"))
    assert isinstance(loaded, list)
    return loaded


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(HERE.glob("*.json"))])
def test_the_cases_kept_here(path: Path) -> None:
    assert len(cases(path)) > 1
    for case in cases(path):
        computed, problems = check_case(case)
        assert problems == []
        stripped = {key: value for key, value in case.items() if key != "expected"}
        assert check_case(stripped) == (computed, [])


@pytest.mark.skipif(not ALL.is_dir(), reason="the folder of all test vectors is not here (TABLESIGHT_SHARED)")
def test_all_the_cases_there_are() -> None:
    for path in sorted(ALL.glob("*.json")):
        for case in cases(path):
            assert check_case(case)[1] == [], (path.name, case.get("id"))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in sorted(HERE.glob("*.json"))])
def test_a_wrong_expectation_is_noticed(path: Path) -> None:
    for case in cases(path):
        wrong = json.loads(json.dumps(case))
        if isinstance(wrong["expected"], dict):
            key = next(key for key in reversed(wrong["expected"]) if key != "why")
            wrong["expected"][key] = "something else"
        else:
            wrong["expected"] += 1
        assert check_case(wrong)[1] != []
