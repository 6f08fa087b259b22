"""Pirate Box counted by player and put right rounds later, BOX with claimed squares: to the end, by taps on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]
Phone = Callable[..., Any]
Faultless = Callable[[Any, str], None]
NO_CAMERA = {"FAKE_STATE": "no_camera", "FAKE_CAMERA": "none", "FAKE_MESSAGE": ""}


def faultless_in_both(page: Any, what: str, faultless: Faultless) -> None:
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        faultless(page, f"{what}, {scheme}")


def count(page: Any, name: str, icon: str, times: int) -> None:
    for _ in range(times):
        page.locator("dialog").get_by_role("group", name=name).locator(".choices button", has_text=icon).click()


def test_pirate_box_is_counted_by_player_and_an_earlier_round_is_put_right(
    make_server: Make, phone: Phone, wait_for: Any, faultless: Faultless
) -> None:
    server = make_server("600", **NO_CAMERA)
    server.post("/api/games", {"players": ["Ana", "Ben"], "game": "pirate-box"})
    page = phone(server.url, "iPhone SE").open()
    each = server.game()["view"]["tokens_each"]
    rounds = server.game()["view"]["last_round"]
    for number in range(1, rounds + 1):
        page.get_by_role("button", name="Count the dice of each player instead").click()
        done = page.locator("dialog").get_by_role("button", name="Count the points")
        count(page, "Ana", "silver", each)
        assert done.is_disabled()
        if number == 1:
            faultless_in_both(page, "counting by player", faultless)
        count(page, "Ben", "silver", each - 2)
        count(page, "Ben", "mask", 2)
        done.click()
        wait_for(lambda number=number: len(server.game()["view"]["rounds"][number - 1]["points"]) == 2)
        page.locator("dialog").wait_for(state="detached")
    assert server.game()["phase"] == "ended"
    before = server.game()["view"]["totals"]
    page.get_by_text("Why? Round 1").click()
    page.locator('[data-focus="correct-1"]').click()
    page.locator("dialog").get_by_role("group", name="Ben").get_by_role("button", name="Start over").click()
    count(page, "Ben", "silver", each)
    page.locator("dialog").get_by_role("button", name="Count the points").click()
    page.locator("dialog").wait_for(state="detached")
    view = server.game()["view"]
    assert view["rounds"][0]["counts"] == [{"silver": each}] * 2
    assert view["totals"][0] == before[0]
    assert view["totals"][1] != before[1]
    page.get_by_role("button", name="Play again").click()
    page.locator(".picker").wait_for()


def test_an_icon_of_an_earlier_round_is_put_right(make_server: Make, phone: Phone, wait_for: Any) -> None:
    server = make_server("600", **NO_CAMERA)
    game = server.post("/api/games", {"players": ["Ana", "Ben"], "game": "pirate-box"})[1]["id"]
    each = server.game()["view"]["tokens_each"]
    for space in range(2 * each):
        event = {"type": "placed", "seat": server.game()["view"]["turn"], "space": space}
        assert server.post(f"/api/games/{game}/events", event)[0] == 200
    chest = ["silver"] * 2 * each + [None] * (16 - 2 * each)
    assert server.post(f"/api/games/{game}/events", {"type": "opened", "chest": chest})[0] == 200
    page = phone(server.url, "iPhone SE").open()
    page.get_by_text("Why? Round 1").click()
    page.get_by_role("button", name="Put something right").click()
    page.locator("dialog").get_by_role("button", name="space 1:").click()
    page.locator("dialog").get_by_role("button", name="crown").click()
    page.locator("dialog").wait_for(state="detached")
    assert server.game()["view"]["rounds"][0]["chest"][:2] == ["crown", "silver"]


def test_box_with_claimed_squares_has_an_end(
    make_server: Make, phone: Phone, wait_for: Any, faultless: Faultless
) -> None:
    server = make_server("600", **NO_CAMERA)
    body = {"players": ["Ana", "Ben", "Cleo", "Dan"], "game": "box", "options": {"squares": "claimed"}}
    game = server.post("/api/games", body)[1]["id"]
    corners = [[0, 0], [2, 0], [0, 2], [2, 2]]
    dots = [[x, y, "red"] for x, y in corners] + [[x + 4, y, "blue"] for x, y in corners]
    for event in (
        {"type": "started", "dots": [[0, 0, "red"]]},
        {"type": "board_read", "dots": dots, "plays": 24},
        {"type": "revealed", "colours": ["red", "blue"]},
    ):
        assert server.post(f"/api/games/{game}/events", event)[0] == 200
    page = phone(server.url, "iPhone SE").open()
    page.get_by_role("button", name="Ben + Dan").click()
    page.locator('[data-focus="dot-4,0"]').click()
    page.locator('[data-focus="dot-6,0"]').click()
    page.get_by_text("These are no opposite corners of a square.").wait_for()
    page.locator('[data-focus="dot-6,0"]').click()
    page.locator('[data-focus="dot-4,2"]').click()
    wait_for(lambda: server.game()["view"]["teams"][1]["squares"] == [[4, 0, 3]])
    faultless_in_both(page, "a claimed square", faultless)
    page.get_by_role("button", name="No more squares").click()
    page.get_by_role("button", name="Play again").wait_for()
    assert server.game()["winners"] == [1]
    page.locator(".lead").get_by_text("Ben + Dan wins!").wait_for()
    line = server.get("/api/games")["games"][0]
    assert (line["game"], line["winners"]) == ("box", [1, 3])  # the team, by seat
    # a dot that was read wrong is put right afterwards too
    page.locator('[data-focus="dot-4,0"]').click()
    page.locator("dialog").get_by_role("button", name="red", exact=True).click()
    wait_for(lambda: server.game()["view"]["teams"][1]["squares"] == [])
    big = page.context.new_page()
    big.goto(server.url + "/table")
    big.locator("#headline").get_by_text("wins!").wait_for()
