"""A second server on one data folder touches nothing in it."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from tablesight.webui.cli import main


def test_a_second_server_leaves_a_damaged_log_to_the_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "tablesight.sqlite"
    log.write_bytes(b"no database" * 100)
    (tmp_path / "tablesight.jsonl").write_bytes(b"\0garbage\n")
    with (tmp_path / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(["serve", "--data-dir", str(tmp_path), "--host", "127.0.0.1", "--port", "1025"]) == 1
    assert "another Tablesight is using the data folder" in capsys.readouterr().err
    assert log.read_bytes() == b"no database" * 100
    assert (tmp_path / "tablesight.jsonl").read_bytes() == b"\0garbage\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "tablesight.jsonl", "tablesight.sqlite"]
