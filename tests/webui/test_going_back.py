"""From page to page and back: each shows what it showed, also where nothing has changed in between."""

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
        page.wait_for_function("document.getElementById('main').innerText.trim().length > 20", timeout=5000)
