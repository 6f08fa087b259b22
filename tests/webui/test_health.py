from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.app import create_app
from tablesight.webui.house import House


@pytest.mark.parametrize(
    ("state", "status"),
    [
        pytest.param("starting", "degraded", id="nothing was seen yet"),
        pytest.param("watching", "ok", id="pictures come"),
        pytest.param("cannot_see", "ok", id="pictures come, the page asks for light"),
        pytest.param("no_camera", "degraded", id="no camera"),
    ],
)
def test_the_product_is_well_once_the_pictures_come(tmp_path: Path, state: Any, status: str) -> None:
    house = House(tmp_path, lambda _: [sys.executable, "-c", ""])
    client = create_app(house).test_client()
    try:
        assert client.get("/healthz").get_json()["status"] == "degraded"
        house.camera._say(replace(house.camera.status, state=state))
        health = client.get("/healthz").get_json()
        assert health["status"] == status
        assert health["camera"]["state"] == state
    finally:
        house.close()
