"""`tablesight score`."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.cli import main
from tablesight.webui.commands.score import EXAMPLES, SCORERS

HAND = {"dice": [{"kind": "red-d6", "value": -4}, {"kind": "yellow-d8", "value": 7}]}
ROW = {"yellow": 7, "purple": 0, "blue": 0, "red": -4, "green": 0, "clear": 0, "pink": 0, "total": 3}


def lines(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("text", "status", "expected"),
    [
        pytest.param(json.dumps(HAND), 0, [ROW], id="one object"),
        pytest.param(json.dumps([HAND, HAND]), 0, [ROW, ROW], id="a JSON list"),
        pytest.param(f"{json.dumps(HAND)}\n\n{json.dumps(HAND)}\n", 0, [ROW, ROW], id="JSON lines with a blank one"),
        pytest.param("\ufeff" + json.dumps(HAND), 0, [ROW], id="a byte order mark"),
        pytest.param(
            *(
                '{"dice": [], "note": "a\u2028b"}\n' + json.dumps(HAND),
                0,
                [{**ROW, "yellow": 0, "red": 0, "total": 0}, ROW],
            ),
            id="a line separator within a text ends no line",
        ),
        pytest.param("[]", 0, [], id="an empty list"),
        pytest.param('{"dice": []}', 0, [{**ROW, "yellow": 0, "red": 0, "total": 0}], id="no dice"),
    ],
)
def test_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, status: int, expected: list[Any]) -> None:
    file = tmp_path / "hands.json"
    file.write_text(text, encoding="utf-8")
    assert main(["score", "panda-royale", str(file), "--json"]) == status
    assert lines(capsys) == expected


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        pytest.param("not json", "expected JSON", id="no JSON"),
        pytest.param('{"dice": [{"kind": "red-d7", "value": 1}]}', "got 'red-d7'", id="a kind that is none"),
        pytest.param('{"dice": [{"kind": "red-d6", "value": 0}]}', "got 0", id="a red zero"),
        pytest.param('{"dice": [{"kind": "red-d6", "value": true}]}', "got True", id="true is no number"),
        pytest.param('{"dice": [{"kind": "red-d6", "value": NaN}]}', "NaN is not a JSON number", id="NaN"),
        pytest.param('{"dice": [{"kind": "red-d6", "value": 1e400}]}', "got inf", id="infinity"),
        pytest.param(
            '{"dice": [{"kind": "red-d6", "value": ' + "9" * 5000 + "}]}", "expected JSON", id="a huge number"
        ),
        pytest.param('{"dice": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply", id="deep nesting"),
        pytest.param('{"hand": []}', "expected a field 'dice'", id="no dice given"),
        pytest.param("[1, 2]", "expected a JSON object, got [1, 2]", id="a list for a hand"),
        pytest.param("null", "expected a JSON object, got None", id="null"),
    ],
)
def test_a_bad_hand_gets_its_own_line_and_the_others_are_scored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bad: str, message: str
) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(f"{json.dumps(HAND)}\n{bad}\n{json.dumps(HAND)}\n", encoding="utf-8")
    assert main(["score", "panda-royale", str(file), "--json"]) == 1
    first, second, third = lines(capsys)
    assert (first, third) == (ROW, ROW)
    assert list(second) == ["error"]
    assert message in second["error"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(HAND).encode())))
    assert main(["score", "panda-royale", "-"]) == 0
    assert lines(capsys) == [ROW]
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(HAND)))
    assert main(["score", "panda-royale"]) == 0
    assert lines(capsys) == [ROW]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(None, "no such file or directory", id="no file"),
        pytest.param(b"", "expected JSON, got an empty input", id="an empty file"),
        pytest.param(b"\xff\xd8\xff\xe0", "expected UTF-8 text, got the byte 0xff", id="a photo"),
        pytest.param(b"{\n  'dice': []\n}", "expected JSON, a list or one value a line", id="broken JSON"),
    ],
)
def test_nothing_to_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, message: str
) -> None:
    file = tmp_path / "hands.json"
    if content is not None:
        file.write_bytes(content)
    assert main(["score", "panda-royale", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err


@pytest.mark.parametrize(
    ("game", "given", "expected"),
    [
        pytest.param(
            *("pirate-box", {"counts": {"crown": 2, "jewel": 1, "sword": 5}}),
            {"crowns_jewels": 4, "swords": 8, "silver": 0, "rum": 0, "masks": 0, "total": 12},
            id="pirate box",
        ),
        pytest.param(
            *("pirate-box", {"counts": {"sword": 5}, "options": {"swords_5_6": "zero"}}),
            {"crowns_jewels": 0, "swords": 0, "silver": 0, "rum": 0, "masks": 0, "total": 0},
            id="pirate box, another reading",
        ),
        pytest.param(
            *("box", {"dots": [[0, 0, "red"], [1, 0, "red"], [0, 1, "red"], [1, 1, "red"], [5, 5, "gray"]]}),
            {"red": {"squares": [[0, 0, 2]], "score": 2}},
            id="box",
        ),
        pytest.param("pandoras-box", {"players": 6, "me": 0, "roll": 3}, 3, id="pandora: the counting rule"),
        pytest.param("pandoras-box", {"type": "hero", "god": "hermes"}, 3, id="pandora: movement"),
    ],
)
def test_the_other_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str, given: Any, expected: Any
) -> None:
    file = tmp_path / "board.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    assert main(["score", game, str(file), "--json"]) == 0
    assert lines(capsys) == [expected]


def test_a_hand_is_no_battle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(HAND), encoding="utf-8")
    assert main(["score", "pandoras-box", str(file)]) == 1
    assert "expected a battle" in lines(capsys)[0]["error"]


def test_an_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["score", "chess", "-"])
    assert stop.value.code == 2
    assert "pandoras-box" in capsys.readouterr().err


@pytest.mark.parametrize("game", sorted(SCORERS))
def test_the_example_of_each_game_is_in_the_help_in_the_error_and_scores(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example = json.dumps(EXAMPLES[game])
    with pytest.raises(SystemExit, match="0"):
        main(["score", "--help"])
    assert f"  {game}\n    {example}\n" in capsys.readouterr().out
    file = tmp_path / "input.json"
    file.write_text(f'{example}\n{{"hand": []}}\n')
    assert main(["score", game, str(file), "--json"]) == 1
    scored, refused = lines(capsys)
    assert "error" not in scored
    assert refused["error"].endswith(f"for example {example}")
