"""`tablesight check`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.cli import main

VECTORS = Path(__file__).resolve().parents[2] / "rules" / "vectors"
FILES = sorted(VECTORS.glob("*.json"))


def lines(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def cases(*files: Path) -> list[Any]:
    return [case for file in files for case in json.loads(file.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in FILES])
def test_a_file_that_agrees(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(file), "--json"]) == 0
    *computed, count = lines(capsys)
    expected = [case["expected"] for case in cases(file)]
    assert count == {"agree": len(expected), "of": len(expected)}
    for line, wanted in zip(computed, expected, strict=True):
        if isinstance(wanted, dict):
            assert {**line, "why": 0} == {**wanted, "why": 0}
        else:
            assert line == wanted


def test_mixed_forms_without_anything_expected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mixed = cases(*FILES)[::-1]
    stripped = [{key: value for key, value in case.items() if key != "expected"} for case in mixed]
    file = tmp_path / "mixed.json"
    file.write_text("\n".join(json.dumps(case) for case in stripped), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    *computed, count = lines(capsys)
    assert count == {"agree": 0, "of": 0}
    assert [type(line) for line in computed] == [type(case["expected"]) for case in mixed]


def test_one_case_that_disagrees_and_one_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right, wrong = cases(VECTORS / "panda_scores.json")[:2]
    wrong["expected"]["total"] += 1
    file = tmp_path / "some.json"
    file.write_text(json.dumps([right, wrong, {"id": 7, "what": 1}, 3]), encoding="utf-8")
    assert main(["check", str(file)]) == 1
    captured = capsys.readouterr()
    *computed, count = [json.loads(line) for line in captured.out.splitlines()]
    assert count == {"agree": 1, "of": 4}
    assert computed[1]["total"] == wrong["expected"]["total"] - 1
    assert "expected the keys of a" in computed[2]["error"]
    assert "case 1: total: computed" in captured.err
    assert "case 7: " in captured.err
    assert "3 of 4 cases do not agree: 'computed' is by the rules" in captured.err


@pytest.mark.parametrize(
    "case",
    [
        pytest.param({"dice": "many"}, id="dice as a word"),
        pytest.param({"first_roll": [], "round": 1}, id="a round of nobody"),
        pytest.param({"first_roll": [[], []], "round": 11}, id="an eleventh round"),
        pytest.param(
            {"first_roll": [[{"kind": "yellow-d6", "value": 1}]] * 2, "round": 1}, id="a tie without re-rolls"
        ),
        pytest.param({"attempt": {}, "hands": [[], []], "turn": []}, id="an empty attempt"),
        pytest.param({"events": [{"type": "rolled"}], "players": 2}, id="a roll without dice"),
        pytest.param({"events": 3, "players": 2}, id="events as a number"),
        pytest.param({"players": 2, "rounds": [{}]}, id="a round without chest"),
        pytest.param({"counts": {"gold": 1}}, id="an icon that is none"),
        pytest.param({"dots": [[0, 0]]}, id="a dot without colour"),
        pytest.param({"dots": [], "card": [[0, 0, "red"]], "at": ["a", 0]}, id="a place as a word"),
        pytest.param({"attacker": {"type": "dragon", "god": "ares"}, "defender": {}, "rolls": [[1, 2]]}, id="a dragon"),
        pytest.param({"unit": {"type": "hero", "god": "ares"}, "roll": 7}, id="a 7 on a die"),
        pytest.param({"mode": "slow", "tokens": 1, "roll": 1}, id="a mode that is none"),
        pytest.param({"players": 1, "me": 0, "roll": 1}, id="counting alone"),
        pytest.param({"type": "hero", "god": "thor"}, id="a god of elsewhere"),
    ],
)
def test_a_malformed_case_gets_a_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str], case: Any) -> None:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps([case]), encoding="utf-8")
    assert main(["check", str(file), "--json"]) == 1
    error, count = lines(capsys)
    assert "expected" in error["error"]
    assert count == {"agree": 0, "of": 1}


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = [sys.executable, "-m", "tablesight.webui.cli", "check", str(VECTORS / "pirate_scores.json")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


def test_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "none.json")]) == 2
    assert "no such file" in capsys.readouterr().err
