"""From page to page and back, and what is said above them: nothing empty, nothing that is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]
Phone = Any


def test_no_page_is_empty_when_it_is_opened_again(make_server: Make, phone: Callable[..., Phone]) -> None:
    page = phone(make_server("20").url).open()
    page.get_by_label("Name of player 1").fill("Ana")
    page.get_by_label("Name of player 2").fill("Ben")
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".seat")
    for name in ("scores", "table", "scores", "more", "camera", "more", "table", "more", "camera", "scores"):
        page.locator(f'#nav a[href="#{name}"]').click()
        page.wait_for_function("name => document.body.dataset.page === name", arg=name)
        page.wait_for_function("document.getElementById('main').innerText.trim().length > 20")


def test_a_die_that_leans_is_said_only_while_it_is_asked_about(make_server: Make, phone: Callable[..., Phone]) -> None:
    leans = "A die of seat 1 leans: is it flat on the table? Else lay it flat, or roll it again."
    page = phone(make_server("2", FAKE_DOUBTS="1", FAKE_MESSAGE=leans).url).open()
    page.get_by_label("Name of player 1").fill("Ana")
    page.get_by_label("Name of player 2").fill("Ben")
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".question").first.wait_for()
    page.locator(".notice", has_text="leans").wait_for()
    page.locator(".question .answer").first.click()
    page.locator(".notice", has_text="leans").wait_for(state="detached")
