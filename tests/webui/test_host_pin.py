from __future__ import annotations

from pathlib import Path

import pytest

from tablesight.webui.host_pin import host_pin


def test_the_pin_outlives_a_restart_and_only_the_owner_can_read_it(tmp_path: Path) -> None:
    pin = host_pin(tmp_path)
    assert len(pin) == 4
    assert pin.isdecimal()
    assert host_pin(tmp_path) == pin
    assert (tmp_path / "host-pin").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["host-pin"]


@pytest.mark.parametrize("kept", [pytest.param(b"", id="empty"), pytest.param(b"\xff\xfe", id="damaged")])
def test_a_file_that_holds_no_pin_is_written_anew(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "host-pin").write_bytes(kept)
    pin = host_pin(tmp_path)
    assert (tmp_path / "host-pin").read_text() == f"{pin}\n"


def test_a_pin_that_cannot_be_kept_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert len(host_pin(tmp_path / "absent")) == 4
    assert "cannot be kept" in caplog.text
