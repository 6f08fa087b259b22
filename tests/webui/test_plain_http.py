"""What needs https has a way round: screen lock, clipboard, share sheet, random ids, storage that is switched off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]
Phone = Any

AS_ON_PLAIN_HTTP = """
for (const name of ["wakeLock", "clipboard", "share", "canShare", "serviceWorker"]) delete Navigator.prototype[name];
delete Crypto.prototype.randomUUID;
delete Crypto.prototype.subtle;
"""


def test_every_page_works_without_what_needs_https(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("0.02")
    one = phone(server.url, permissions=["clipboard-read"])
    one.page.add_init_script(AS_ON_PLAIN_HTTP)
    page = one.open()
    assert page.evaluate("[navigator.wakeLock, navigator.clipboard, navigator.share, crypto.randomUUID].every(x => !x)")
    page.get_by_role("button", name="+ one more player").click()  # a random id
    for place, name in enumerate(("Ana", "Ben", "Cleo"), start=1):
        page.get_by_label(f"Name of player {place}").fill(name)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".seat")
    wait_for(lambda: page.evaluate("document.querySelector('video.awake-film')?.paused === false"), 60)
    page.goto(f"{server.url}/#more")
    page.get_by_role("button", name="Copy the address").click()
    page.get_by_text("Copied.").wait_for()
    page.goto(f"{server.url}/#table")
    page.get_by_role("link", name="Share the picture").wait_for(timeout=200_000)
    wait_for(
        lambda: page.evaluate("document.querySelector('video.awake-film')?.paused === true"), 60
    )  # the game is over
    with page.expect_download() as download:
        page.get_by_role("link", name="Share the picture").click()
    assert download.value.suggested_filename == "panda-royale.png"
    page.goto(f"{server.url}/#scores")
    assert (
        page.get_by_role("link", name="To BG Stats").get_attribute("href").startswith("bgstats://app.bgstatsapp.com/")
    )


def test_with_https_the_wake_lock_is_used(make_server: Make, phone: Callable[..., Phone], wait_for: Any) -> None:
    server = make_server("600")
    one = phone(server.url)
    one.page.add_init_script(
        "window.asked = 0; const lock = { release: async () => {} };"
        "const request = async () => { window.asked += 1; return lock; };"
        "Object.defineProperty(Navigator.prototype, 'wakeLock', { get: () => ({ request }) });"
    )
    page = one.open()
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    wait_for(lambda: page.evaluate("window.asked === 1"), 60)
    assert page.locator("video").count() == 0
