"""The report of `tablesight doctor`: its lines, its JSON, its exit status."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablesight.webui import cli
from tablesight.webui.commands import doctor
from tablesight.webui.doctor.finding import Finding, advice, failure, ok


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.fixture
def one_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's own state left out: an ok, an advice and a failure."""

    def examine(port: int, data_dir: Path) -> Iterator[Finding]:
        yield ok("python", "Python 3.11.2")
        yield advice("warmth", "82 degrees Celsius", "give it a fan")
        yield failure("models", "reader.onnx is missing", "fetch it again")

    monkeypatch.setattr(doctor, "examine", examine)


@pytest.mark.usefixtures("one_failure")
def test_each_finding_is_a_line_and_each_fault_has_its_remedy_under_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "ok       python   Python 3.11.2",
        "advice   warmth   82 degrees Celsius",
        "                  -> give it a fan",
        "failure  models   reader.onnx is missing",
        "                  -> fetch it again",
        "1 to repair, 1 to improve",
    ]


@pytest.mark.usefixtures("one_failure")
def test_json_has_the_same_findings(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["failures"] == 1
    assert [finding["state"] for finding in report["findings"]] == ["ok", "advice", "failure"]
    assert report["findings"][2] == {
        "topic": "models",
        "state": "failure",
        "text": "reader.onnx is missing",
        "remedy": "fetch it again",
    }


def test_advice_alone_is_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "examine", lambda port, data_dir: iter([advice("camera", "none", "connect one")]))
    assert cli.main(["doctor"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 to repair, 1 to improve"


def test_a_check_that_breaks_does_not_end_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken() -> Iterator[Finding]:
        raise RuntimeError("no such bus")
        yield  # a generator, like every check

    monkeypatch.setattr(doctor, "check_cameras", broken)
    findings = list(doctor.examine(free_port(), tmp_path))
    assert [finding.text for finding in findings if finding.topic == "doctor"] == [
        "a check stopped: RuntimeError: no such bus"
    ]
    assert findings[-1].topic in {"warmth", "power"}


def test_this_machine_runs_the_program(tmp_path: Path) -> None:
    findings = list(doctor.examine(free_port(), tmp_path))
    by_topic = {finding.topic for finding in findings}
    assert by_topic >= {"python", "library", "models", "camera", "data", "disk", "port", "network", "warmth"}
    broken = [finding for finding in findings if finding.state == "failure" and finding.topic in {"python", "library"}]
    assert broken == []


def test_a_long_remedy_is_folded_without_breaking_a_command() -> None:
    text = doctor.as_text(
        failure("port", "x " * 80, "sudo ss -ltnp names it: start with --port 8001 and look again " * 3)
    )
    assert all(len(line) <= doctor.WIDTH for line in text.splitlines())
    assert "--\n" not in text
