"""The lens is measured from the page: asked for, followed, told; nothing is left hanging when the camera is lost."""

from __future__ import annotations

from typing import Any

import pytest

Table = Any


@pytest.fixture
def sent(table: Table) -> list[dict[str, Any]]:
    """What the camera process was told; it takes everything."""
    messages: list[dict[str, Any]] = []
    table.house.camera_setup._send = lambda message: messages.append(message) or True
    return messages


def shown(table: Table) -> Any:
    return table.client.get("/api/state").get_json()["camera"]["calibration"]


def test_the_page_follows_it(table: Table, sent: list[dict[str, Any]]) -> None:
    assert shown(table) is None
    assert table.post("/api/calibration", {"paper": "letter"})[0] == 200
    assert sent == [{"type": "calibrate", "paper": "letter"}]
    said = {"type": "calibration", "state": "looking", "views": 3, "wanted": 14}
    table.house._on_camera(said, b"")
    assert shown(table) == {"state": "looking", "views": 3, "wanted": 14}
    table.house._on_camera({**said, "state": "done", "views": 14, "field_deg": 66.2, "error": 0.0002}, b"")
    assert shown(table) == {"state": "done", "views": 14, "wanted": 14, "field_deg": 66.2}
    assert table.post("/api/calibration", {"paper": None})[0] == 200
    assert sent[-1] == {"type": "calibrate", "paper": None}


def test_without_a_camera_and_with_another_paper_it_is_refused(table: Table) -> None:
    status, reply = table.post("/api/calibration", {"paper": "a4"})
    assert status == 503
    assert "does not answer" in reply["error"]
    status, reply = table.post("/api/calibration", {"paper": "a3"})
    assert status == 400
    assert "'a3'" in reply["error"]


def test_a_camera_that_is_started_again_measures_nothing_any_more(table: Table) -> None:
    table.house._on_camera({"type": "calibration", "state": "looking", "views": 3, "wanted": 14}, b"")
    table.house.camera_setup.camera_restarted()
    assert shown(table)["state"] == "stopped"
