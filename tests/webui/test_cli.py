"""The command line as a whole; what each command does is tested under commands/."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tablesight.webui import cli


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    text = capsys.readouterr().out
    assert ended.value.code == 0
    assert [command for command in cli.COMMANDS if command not in text] == []


@pytest.mark.parametrize("command", list(cli.COMMANDS))
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([command, "--help"])
    assert ended.value.code == 0
    assert cli.COMMANDS[command] in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("arguments", [pytest.param([], id="none"), pytest.param(["dance"], id="an unknown one")])
def test_a_wrong_command_is_refused_with_the_right_ones(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "COMMAND" in capsys.readouterr().err


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    hands = json.dumps([{"dice": [{"kind": "red-d6", "value": 1}]}] * 20_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "tablesight.webui.cli", "score", "panda-royale", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write(hands.encode())
    process.stdin.close()
    assert b"total" in process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait(60) == 1
