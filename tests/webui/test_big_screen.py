"""The big screen without a camera: a calm sentence where the live picture would be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        pytest.param("no_camera", "Keine Kamera: Tippt die Würfel auf den Handys ein.", id="no camera"),
        pytest.param("watching", None, id="a camera"),
    ],
)
def test_no_broken_picture_is_shown(make_server: Make, chromium: Any, state: str, sentence: str | None) -> None:
    server = make_server("600", FAKE_STATE=state)
    context = chromium[1].new_context(viewport={"width": 1920, "height": 1080}, locale="de-DE")
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(server.url + "/table")
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    if sentence:
        page.locator("figure.live").get_by_text(sentence).wait_for()
        assert not page.locator("#live").is_visible()
    else:
        page.locator("#live").wait_for()  # only once there is a picture
        assert page.evaluate("document.getElementById('live').naturalWidth") > 0
        assert not page.locator("#no-live").is_visible()
    context.close()
