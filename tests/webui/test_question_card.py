"""The question of a doubtful die, on phones, with the fake camera process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]
Phone = Any


def start_game(page: Any, server: Any) -> None:
    server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})
    page.wait_for_selector(".seat")


def test_a_doubt_is_one_question_with_a_picture_and_two_big_buttons(
    make_server: Make, phone: Callable[..., Phone]
) -> None:
    server = make_server("0.3", FAKE_DOUBTS="1")
    page = phone(server.url, "iPhone SE").open()
    start_game(page, server)
    page.wait_for_selector(".question")
    buttons = page.locator(".question .answer")
    assert buttons.count() == 2
    for place in range(2):
        box = buttons.nth(place).bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 44
    picture = page.locator(".question img")
    picture.wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 50
    buttons.first.click()
    page.wait_for_selector(".between")
    assert page.locator(".question").count() == 0


def test_two_kinds_in_one_question_are_named_in_words(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("0.3", FAKE_DOUBTS="1", FAKE_DOUBTED_KIND="yellow-d8")
    page = phone(server.url, "iPhone SE").open()
    start_game(page, server)
    page.wait_for_selector(".question")
    assert page.locator(".question .answer small").all_inner_texts() == ["yellow d6", "yellow d8"]


def test_the_sheet_of_a_question_that_somebody_answered_closes(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("0.3", FAKE_DOUBTS="1")
    mine, other = phone(server.url), phone(server.url, "iPhone SE")
    page, second = mine.open(), other.open()
    start_game(page, server)
    page.locator(".question .quiet").first.click()
    page.locator("dialog .choices").wait_for()
    second.locator(".question .answer").first.click()
    page.locator("dialog").wait_for(state="detached")
    page.get_by_text("The dice were read again").wait_for()


def test_a_sure_die_beside_a_doubtful_one_can_be_corrected(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("0.3", FAKE_DOUBTS="2")
    page = phone(server.url).open()
    start_game(page, server)
    page.locator(".question .answer").first.click()
    page.locator(".die-button.asks").wait_for(state="detached")
    page.locator(".die-button.asks").wait_for()
    page.locator('[data-focus="die-0-1"]:not(.asks)').click()
    page.locator("dialog .choices button:not(.now)").first.click()
    page.locator('[data-focus="die-0-1"] .pen').wait_for()
