"""What one phone takes back or corrects, the others see, whatever page they look at, and find it again later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]
Phone = Any


def test_an_undo_elsewhere_is_told_on_the_page_of_scores_until_it_was_seen(
    make_server: Make, phone: Callable[..., Phone]
) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="none", FAKE_MESSAGE="")
    game = server.post("/api/games", {"players": ["Ana", "Ben"]})[1]["id"]
    device = phone(server.url, "iPhone SE")
    device.page.clock.install()
    page = device.open("/#scores")
    roll = {"seat": 0, "round": 1, "dice": [{"kind": "yellow-d6", "value": 4}]}
    assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    page.locator(".rounds td.sum", has_text="4").wait_for()
    assert page.locator(".news").count() == 0
    assert server.post(f"/api/games/{game}/undo", {})[0] == 200
    news = page.locator(".news")
    news.get_by_text("Taken back: the roll of Ana").wait_for()
    page.locator("#news").get_by_text("Ana: now 0 in all, before 4").wait_for()
    page.evaluate("scrollTo(0, 500)")
    assert news.evaluate("card => card.getBoundingClientRect().top") >= 0  # in sight, however far down one reads
    assert news.evaluate("card => card.offsetHeight") < 70  # and it lies over little of it
    page.locator("nav a").first.click()
    news.wait_for()
    news.get_by_role("button", name="Close").click()
    news.wait_for(state="detached")
    page.reload()
    page.locator(".seat").first.wait_for()
    assert page.locator(".news").count() == 0  # it is not told twice
    assert server.post(f"/api/games/{game}/redo", {})[0] == 200
    page.locator(".news").get_by_text("Brought back: the roll of Ana").wait_for()
    correction = {"round": 1, "seat": 0, "die": 0, "value": 6}
    assert server.post(f"/api/games/{game}/corrections", correction)[0] == 200
    page.locator(".news").get_by_text("Corrected: a die of Ana in round 1.").wait_for()
    page.locator("#news").get_by_text("Ana: now 6 in all, before 4").wait_for()
    page.clock.run_for(13_000)  # seen for long enough
    news.wait_for(state="detached")
    page.locator(".changes summary").click()
    told = page.locator(".changes li")
    assert [text.split(":")[0] for text in told.all_inner_texts()] == ["Corrected", "Brought back", "Taken back"]
    told.get_by_text("Ana: now 6 in all, before 4").wait_for()
    page.reload()
    page.locator(".changes").wait_for()
    assert page.locator(".news").count() == 0
