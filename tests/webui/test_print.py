"""The score sheet on paper: one page, however many play."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
Phone = Any

NAMES = ["Ana", "Ben", "Cleo", "Theodora", "Eve", "Finn", "Gus", "Hanna", "Ida", "Maximiliana-Alexandria"]
SMALLEST_PX = 7.5 * 96 / 72
"""Letters of a printed table are no smaller than 7.5 points."""


@pytest.mark.parametrize("players", [4, 10])
def test_the_sheet_of_a_game_is_one_page(make_server: Make, phone: Callable[..., Phone], players: int) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="none", FAKE_MESSAGE="")
    game = server.post("/api/games", {"players": NAMES[:players]})[1]["id"]
    for seat in range(players):
        roll = {"seat": seat, "round": 1, "dice": [{"kind": "yellow-d6", "value": 2 if seat else 5}]}
        assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    page = phone(server.url, "iPhone SE", scheme="dark").open("/#scores")
    page.locator(".paper").nth(players - 1).wait_for()
    for paper in ("A4", "Letter"):
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper))) == 1, paper
    page.emulate_media(media="print")
    sizes = page.evaluate(
        "[...document.querySelectorAll('.paper td')].map(cell => parseFloat(getComputedStyle(cell).fontSize))"
    )
    assert min(sizes) >= SMALLEST_PX
    assert page.locator(".paper").count() == players
    assert page.locator("nav, .standings, .chart, .luck").filter(visible=True).count() == 0
    assert page.locator(".print-only").inner_text().startswith("Panda Royale")
