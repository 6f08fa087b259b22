"""Without a camera the whole game is played by taps: one button leads from player to player and from round to round."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
Table = Any


def tap_in(page: Any, name: str, *dice: tuple[str, str]) -> None:
    """`dice` are (kind, value) as the page names them; the kind is chosen only where it is asked for."""
    page.get_by_role("button", name=f"Tap in the dice of {name}", exact=True).click()
    for kind, value in dice:
        page.locator("dialog .choices").wait_for()
        if page.locator("dialog .choices.kinds").count():
            page.locator("dialog").get_by_role("button", name=kind, exact=True).click()
        page.locator("dialog .choices.values").get_by_role("button", name=f"{kind}, {value}", exact=True).click()
    page.locator("dialog .big").click()
    page.locator("dialog").wait_for(state="detached")


def test_two_rounds_and_a_tie_are_tapped_in(make_server: Make, phone: Callable[..., Any], wait_for: Any) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="v4l2:9", FAKE_MESSAGE="no camera: none")
    page = phone(server.url, "iPhone SE").open()
    page.get_by_label("Name of player 1").fill("Ana")
    page.get_by_label("Name of player 2").fill("Ben")
    page.get_by_role("button", name="Start", exact=True).click()
    tap_in(page, "Ana", ("yellow d6", "4"))
    tap_in(page, "Ben", ("yellow d6", "4"))
    page.locator("#main").get_by_text("Yellow is tied: everybody rolls the yellow dice again.").wait_for()
    tap_in(page, "Ana", ("yellow d6", "5"))
    tap_in(page, "Ben", ("yellow d6", "2"))
    page.locator(".between").wait_for()
    tap_in(page, "Ana", ("yellow d6", "3"), ("blue d6", "6"))
    page.get_by_text("Still to roll: Ben").wait_for()
    tap_in(page, "Ben", ("yellow d6", "1"), ("pink d12", "12"), ("red d8", "minus 3"))
    game = wait_for(lambda: (now := server.game())["phase"] == "scored" and now)
    assert game["round"] == 2
    assert [seat["running"] for seat in game["seats"]] == [5 + 3 + 6, 2 + 1 + 12 - 3]
    # why there is no camera is said where somebody looks after it, and does not alarm the players
    assert page.locator("#notice .bad").count() == 0
    page.goto(server.url + "/#camera")
    page.locator("#notice .bad", has_text="The camera says: no camera: none").wait_for()


def test_a_hand_that_is_closed_half_told_is_there_again(make_server: Make, phone: Callable[..., Any]) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="none", FAKE_MESSAGE="")
    game = server.post("/api/games", {"players": ["Ana", "Ben"]})[1]["id"]
    for seat in (0, 1):
        roll = {"seat": seat, "round": 1, "dice": [{"kind": "yellow-d6", "value": 3 + seat}]}
        assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    page = phone(server.url, "iPhone SE").open()
    dialog = page.locator("dialog")
    page.get_by_role("button", name="Tap in the dice of Ana", exact=True).click()
    dialog.get_by_role("button", name="yellow d6, 3", exact=True).click()
    dialog.get_by_role("button", name="One die more").click()
    dialog.get_by_role("button", name="One die less").click()  # takes away what nothing was told of
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Tap in the dice of Ana", exact=True).click()
    dialog.locator(".entered").get_by_role("button", name="yellow d6, 3", exact=True).wait_for()
    told = [die.get_attribute("aria-label") for die in dialog.locator(".entered button").all()]
    assert told[:2] == ["yellow d6, 3", "pink d12, not read"]
    assert len(told) == server.game()["seats"][0]["expected"]


@pytest.mark.parametrize("pity", [0, 1])
def test_what_is_to_be_rolled_next_is_known_before_it_begins(table: Table, pity: int) -> None:
    table.start("Ana", "Ben")
    for seat in (0, 1):
        table.see(seat, [("yellow-d6", 2 if seat == pity else 5)])
    assert table.game["phase"] == "scored"
    for seat in (0, 1):
        assert table.seat(seat)["rolls"] == 2
        assert table.seat(seat)["expected"] == 2 + (seat == pity)
        assert table.seat(seat)["expects"] == ["yellow-d6"] + ["pink-d12"] * (seat == pity)


def test_where_a_camera_watches_nobody_seems_to_have_to_tap(
    make_server: Make, phone: Callable[..., Any], wait_for: Any
) -> None:
    server = make_server("600", FAKE_CAMERA="v4l2:0")
    wait_for(lambda: (now := server.get("/api/state")["camera"])["state"] == "watching" and not now["simulated"])
    game = server.post("/api/games", {"players": ["Ana", "Ben"]})[1]["id"]
    page = phone(server.url, "iPhone SE").open()
    page.locator(".seat").first.wait_for()
    assert page.locator(".action > *").count() == 0  # the dice are awaited: each player's card says so
    for seat in (0, 1):
        roll = {"seat": seat, "round": 1, "dice": [{"kind": "yellow-d6", "value": 3 + seat}]}
        assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    bar = page.locator(".action")
    bar.get_by_text("The camera reads the next roll.").wait_for()
    assert bar.locator(".big").count() == 0
    bar.get_by_role("button", name="tap them in Ana").click()
    page.locator("dialog").get_by_text("What did Ana roll?").wait_for()


@pytest.mark.parametrize("path", ["/#table", "/#camera", "/#more"])
def test_where_no_camera_is_wanted_nothing_warns(make_server: Make, phone: Callable[..., Any], path: str) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="none", FAKE_MESSAGE="")
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    page = phone(server.url, "iPhone SE").open(path)
    page.wait_for_function("document.querySelector('.action .big, .facts .chip, .card.join')")
    assert page.locator("#notice > *").count() == 0
    assert page.locator(".chip-camera-no_camera").count() == 0
