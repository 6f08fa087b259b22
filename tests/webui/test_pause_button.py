"""At the simulated table: one button to pause and one to go on, at the scores of a round and while one is rolled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]


def tell(server: Any, game: str, seat: int, number: int, *dice: tuple[str, int]) -> None:
    body = {"seat": seat, "round": number, "dice": [{"kind": kind, "value": value} for kind, value in dice]}
    status, answer = server.post(f"/api/games/{game}/rolls", body)
    assert status == 200, answer


def buttons(page: Any) -> list[str]:
    return [text.strip() for text in page.locator(".action button").all_inner_texts()]


def test_a_pause_is_seen_on_every_screen_and_one_button_ends_it(
    make_server: Make, phone: Callable[..., Any], chromium: Any, wait_for: Any
) -> None:
    server = make_server("600", FAKE_OPENS_AFTER_S="9999")  # the players wait for the camera: only this test rolls
    game = server.post("/api/games", {"players": ["Ana", "Ben"]})[1]["id"]
    page = phone(server.url, "iPhone SE").open()
    context = chromium[1].new_context(viewport={"width": 1920, "height": 1080})
    big = context.new_page()
    big.goto(server.url + "/table")
    tell(server, game, 0, 1, ("yellow-d6", 4))
    tell(server, game, 1, 1, ("yellow-d6", 2))
    page.get_by_role("button", name="Next round").wait_for()
    assert buttons(page) == ["Next round", "Pause"]
    page.get_by_role("button", name="Pause").dblclick()  # a tap that bounces does not go on again
    page.locator(".action").get_by_text("Paused: the next round waits.").wait_for()
    big.locator("#headline").get_by_text("Paused: the next round waits.").wait_for()
    page.wait_for_timeout(900)
    assert (buttons(page), server.game()["plays_itself"]["paused"]) == (["Go on"], True)

    # who is in front: by whole rounds, not by what is counted of this one
    assert (page.locator(".seat .crown").count(), big.locator(".crown").count()) == (1, 1)
    tell(server, game, 1, 2, ("yellow-d6", 6), ("green-d20", 9), ("pink-d12", 1))
    page.locator(".action").get_by_text("Paused: nobody rolls. Dice already thrown still count.").wait_for()
    big.locator("#headline").get_by_text("Paused: nobody rolls. Dice already thrown still count.").wait_for()
    assert (page.locator(".crown").count(), big.locator(".crown").count()) == (0, 0)
    assert buttons(page) == ["Go on"]
    tell(server, game, 0, 2, ("yellow-d6", 5), ("green-d20", 3))
    page.locator(".seat .crown").wait_for()

    page.get_by_role("button", name="Go on").click()
    page.locator(".action").get_by_text("The next round begins …").wait_for()
    assert buttons(page) == ["Pause"]
    big.locator("#headline").get_by_text("Paused").wait_for(state="detached")
    context.close()
