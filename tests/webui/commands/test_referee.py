"""`tablesight referee`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.cli import main

VECTORS = Path(__file__).resolve().parents[2] / "rules" / "vectors"


def golden() -> Any:
    return json.loads((VECTORS / "panda_games.json").read_text(encoding="utf-8"))[0]


def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, data: Any) -> tuple[int, Any, str]:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    status = main(["referee", game, str(file), "--json"])
    captured = capsys.readouterr()
    return status, [json.loads(line) for line in captured.out.splitlines()], captured.err


def test_a_strict_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = golden()
    status, (report,), _ = run(tmp_path, capsys, "panda-royale", case)
    assert status == 0
    assert set(report) == {"rounds", "totals", "winners"}
    assert report["totals"] == case["expected"]["totals"]
    assert report["winners"] == case["expected"]["winners"]
    assert set(report["rounds"][0]) == {"scores", "token", "pity", "trade_order", "draft_order"}
    totals = [[score["total"] for score in row["scores"]] for row in report["rounds"]]
    assert totals == case["expected"]["row_totals"]
    assert (report["rounds"][9]["token"], report["rounds"][9]["pity"]) == (None, [])


def test_a_watched_game_has_stories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = golden()
    case["options"] = {"mode": "watching"}
    case["events"] = [event for event in case["events"] if event["type"] in ("rolled", "rerolled")]
    status, (report,), _ = run(tmp_path, capsys, "panda-royale", case)
    assert status == 0
    assert report["totals"] == case["expected"]["totals"]
    assert [story["after_round"] for story in report["stories"]] == list(range(1, 10))
    kinds = {event["type"] for story in report["stories"] for event in story["events"]}
    assert kinds == {"traded", "trading_ended", "pool_drawn", "drafted"}


def test_names_instead_of_a_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = golden()
    case["players"] = ["Anna", "Ben", "Cleo", "Dora"]
    case["events"][2]["seat"] = 0
    status, (report,), error = run(tmp_path, capsys, "panda-royale", case)
    assert status == 2
    assert report["index"] == 2
    assert "Anna wants to trade: expected Dora" in report["error"]
    assert report["error"] in error


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"players": 1}, "players: expected 2, 3, 4", id="one player"),
        pytest.param({"players": True}, "expected a list, got True", id="true players"),
        pytest.param({"players": ["A", "A", "B", "C"]}, "different names", id="a name twice"),
        pytest.param({"game": "box"}, "game: expected 'panda-royale', got 'box'", id="another game"),
        pytest.param({"events": {}}, "events: expected a list, got {}", id="no list of events"),
        pytest.param({"options": []}, "options: expected a JSON object, got []", id="options as a list"),
        pytest.param({"options": {"mode": "loose"}}, "option 'mode': expected one of", id="a mode that is none"),
        pytest.param({"events": ["rolled"]}, "event: expected a JSON object, got 'rolled'", id="an event as a word"),
    ],
)
def test_what_is_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], message: str
) -> None:
    status, (report,), error = run(tmp_path, capsys, "panda-royale", {**golden(), **change})
    assert status == 2
    assert message in report["error"]
    assert message in error


def test_unknown_keys_and_options_are_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = {**golden(), "comment": "x", "options": {"mode": "strict", "music": "loud"}}
    status, (report,), error = run(tmp_path, capsys, "panda-royale", case)
    assert (status, report["totals"]) == (0, case["expected"]["totals"])
    assert "'music'" in error


def test_several_games_and_undo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = golden()
    undone = {**case, "events": [*case["events"], {"type": "undone"}]}
    status, reports, _ = run(tmp_path, capsys, "panda-royale", [case, undone])
    assert status == 0
    assert [len(report["rounds"]) for report in reports] == [10, 9]
    assert reports[1]["winners"] == []


def test_a_game_of_pirates_by_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = json.loads((VECTORS / "pirate_games.json").read_text(encoding="utf-8"))[1]
    status, (report,), _ = run(tmp_path, capsys, "pirate-box", case)
    assert status == 0
    assert report["totals"] == case["expected"]["totals"]
    for row, played in zip(report["rounds"], case["rounds"], strict=True):
        assert {key: row[key] for key in played["expected"]} == played["expected"]


def test_a_person_is_told_which_game_and_which_event_and_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.json"
    games = [
        {"players": 2, "events": []},
        {"players": 2, "events": [{"type": "rolld"}]},
        {"type": "rolled", "dice": []},
    ]
    file.write_text(json.dumps(games), encoding="utf-8")
    assert main(["referee", "panda-royale", str(file), "--json"]) == 2
    told = capsys.readouterr().err
    assert "game 1, event 0 ('rolld'): event type: expected 'rolled'" in told
    assert "game 2, input: expected a game with 'players' and 'events', got an event of type 'rolled'" in told
    assert "2 of 3 games were refused" in told
    assert "run it again" in told
