"""The benchmark's own arithmetic, without the models of others."""

from __future__ import annotations

import importlib
import subprocess
from pathlib import Path

import pytest

TRAINING = Path(__file__).resolve().parents[2] / "models" / "training"


@pytest.fixture(autouse=True)
def _scripts_know_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TRAINING))


def test_all_tasks_take_turns_so_that_a_busy_machine_disturbs_all_alike():
    calls = []
    best = importlib.import_module("bench").timed({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, 3)
    assert calls == ["a", "b"] * 4
    assert set(best) == {"a", "b"}
    assert all(0 <= ms < 100 for ms in best.values())


def test_the_stills_show_ten_dice_and_none():
    bench = importlib.import_module("bench")
    stills = bench.draw_stills(5)
    assert stills.still_bgr.shape == stills.empty_bgr.shape == (1296, 2304, 3)
    assert stills.large_bgr.shape == (2592, 4608, 3)
    assert sum(len(hand) for hand in bench.HANDS.values()) == 10
    differs = (abs(stills.still_bgr.astype(int) - stills.empty_bgr).max(-1) > 40).mean()
    assert 0.002 < differs < 0.2


def test_a_command_that_fails_stops_the_making_of_references(tmp_path):
    with pytest.raises(subprocess.CalledProcessError):
        importlib.import_module("bench_references")._run(["false"], tmp_path)


def test_no_code_here_imports_the_packages_of_the_references():
    names = importlib.import_module("bench_references").PACKAGES
    assert "ultralytics" in names
    for path in [*TRAINING.rglob("*.py"), *(TRAINING.parents[1] / "vision").rglob("*.py")]:
        assert "import ultralytics" not in path.read_text()
        assert "from ultralytics" not in path.read_text()
