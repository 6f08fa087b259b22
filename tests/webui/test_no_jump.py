"""What is drawn anew keeps its focus, and the page stays where the player looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tablesight.webui.app import STATIC

Make = Callable[..., Any]


def test_a_redraw_after_a_touch_does_not_scroll(make_server: Make, phone: Callable[..., Any]) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="v4l2:9")
    game = server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})[1]["id"]
    page = phone(server.url, "iPhone SE").open()
    button = page.get_by_role("button", name="Tap in the dice of Ana", exact=True)
    box = button.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # tap() would scroll by itself
    page.locator("dialog").get_by_role("button", name="Close").tap()
    page.locator("dialog").wait_for(state="detached")
    assert page.evaluate("document.activeElement.dataset.focus") == "tap"
    roll = {"seat": 0, "round": 1, "dice": [{"kind": "yellow-d6", "value": 3}]}
    assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    page.get_by_role("button", name="Tap in the dice of Ben", exact=True).wait_for()
    assert page.evaluate("document.activeElement.dataset.focus") == "tap"  # for whoever has a keyboard
    assert page.evaluate("window.scrollY") == 0


@pytest.mark.parametrize("script", ["dom.js", "dialog.js", "teach.js", "zones.js"])
def test_no_focus_that_is_given_back_scrolls(script: str) -> None:
    text = (STATIC / "js" / script).read_text(encoding="utf-8")
    assert ".focus({ preventScroll: true })" in text
    assert ".focus()" not in text
