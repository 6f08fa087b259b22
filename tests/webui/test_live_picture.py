"""The live picture is asked for while there is a camera, and only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("camera", "asks"),
    [
        pytest.param("no_camera", False, id="no camera: nothing is asked for"),
        pytest.param("watching", True, id="a camera: the picture is asked for again and again"),
    ],
)
def test_only_a_camera_is_asked_for_pictures(
    make_server: Make, phone: Callable[..., Any], wait_for: Any, camera: str, asks: bool
) -> None:
    server = make_server("600", FAKE_STATE=camera)
    wait_for(lambda: server.get("/api/state")["camera"]["state"] == camera)
    page = phone(server.url).page
    asked: list[str] = []
    page.on("request", lambda request: "/camera.jpg" in request.url and asked.append(page.url))
    page.clock.install()
    for path, shown in (("/table", "#no-live"), ("/#camera", ".live.boxed")):
        page.goto(server.url + path)
        page.locator(shown).wait_for(state="attached")
        for _ in range(4):  # a picture is fetched in real time, the pause after it passes on the page's clock
            with page.expect_response("**/camera.jpg*") if asks else page.expect_response("**/healthz"):
                page.evaluate("fetch('/healthz')")
                page.clock.run_for(2000)
    page.get_by_role("button", name="Whose part of the table is where?").click()
    picture = page.locator("dialog img")
    picture.wait_for(state="attached")
    assert (picture.get_attribute("src") is not None) == asks
    box = picture.bounding_box()  # the parts can be drawn without a picture too
    assert box
    assert box["height"] > box["width"] / 3
    assert bool(asked) == asks
