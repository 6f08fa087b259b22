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
        # shown once there is a picture; one that fails to come is hidden a moment after
        page.wait_for_function("(live => live.offsetParent && live.naturalWidth > 0)(document.getElementById('live'))")
        assert not page.locator("#no-live").is_visible()
    context.close()


DRAFTED = ("blue-d6", "red-d6", "green-d20", "blue-d8", "purple-d12", "red-d8", "blue-d12", "purple-d8", "clear-d6")


def in_the_last_round(server: Any, *players: str) -> None:
    """Ten rounds are told by hand: everybody has ten dice then, and whoever has fewest points eleven."""
    game = server.post("/api/games", {"players": list(players)})[1]["id"]
    for number in range(1, 11):
        for seat in range(len(players)):
            kinds = ("yellow-d6", *DRAFTED[: number - 1])
            dice = [{"kind": kind, "value": 6 - seat if kind == "yellow-d6" else 2} for kind in kinds]
            dice += [{"kind": "pink-d12", "value": 1}] * ("pink-d12" in server.game()["seats"][seat]["expects"])
            status, answer = server.post(f"/api/games/{game}/rolls", {"seat": seat, "round": number, "dice": dice})
            assert status == 200, answer


@pytest.mark.parametrize(
    "players",
    [
        pytest.param(("Maximiliana Beauregard", "Theodora-Alexandria", "Cleo"), id="three players"),
        pytest.param(tuple(f"Player named {number}" for number in range(6)), id="six players"),
    ],
)
def test_no_die_of_the_last_round_is_cut_off(make_server: Make, chromium: Any, players: tuple[str, ...]) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="v4l2:9")
    in_the_last_round(server, *players)
    context = chromium[1].new_context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(server.url + "/table")
    page.locator(".big-list li").nth(len(players) - 1).wait_for()
    assert page.locator(".big-list .die").count() == 10 * len(players) + 1 + (len(players) > 3)
    cut = page.evaluate(
        "[...document.querySelectorAll('.big-list .die, .big-list .name')].filter(part => {"
        " const [own, row] = [part, part.closest('li')].map(one => one.getBoundingClientRect());"
        " return own.top < row.top || own.bottom > row.bottom + 1 || row.bottom > innerHeight; }).length"
    )
    assert cut == 0
    # legible from the sofa
    assert page.locator(".big-list .die").first.bounding_box()["height"] >= (60 if len(players) == 3 else 30)
    context.close()
