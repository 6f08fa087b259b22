"""Why somebody gets the pink die is said as the rules decide it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
TIE = "fewest points this round; on a tie, who is next counter-clockwise from the Panda"


@pytest.mark.parametrize(
    ("values", "who", "why"),
    [
        pytest.param((6, 3, 2), "Cleo", "fewest points this round", id="one has fewest"),
        pytest.param((6, 3, 3), "Cleo", TIE, id="two have equally few"),
        pytest.param((3, 6, 3), "Ana", TIE, id="the other of the two, where the Panda sits elsewhere"),
    ],
)
def test_a_tie_is_told_by_what_breaks_it(
    make_server: Make, phone: Callable[..., Any], values: tuple[int, ...], who: str, why: str
) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="none")
    game = server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})[1]["id"]
    for seat, value in enumerate(values):
        roll = {"seat": seat, "round": 1, "dice": [{"kind": "yellow-d6", "value": value}]}
        assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    page = phone(server.url, "iPhone SE").open()
    pink = page.locator(".between li").first
    pink.wait_for()
    assert pink.locator(".what").inner_text() == who
    assert pink.locator("small").inner_text() == why
