"""A real browser at phone size on the real server with the fake camera process."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
Faultless = Callable[[Any, str], None]
Phone = Any
PHONES = ("Pixel 7", "iPhone SE", "Galaxy S9+ landscape")


def name_three(page: Any) -> None:
    page.get_by_role("button", name="+ one more player").click()
    for place, name in enumerate(("Ana", "Ben", "Cleo"), start=1):
        page.get_by_label(f"Name of player {place}").fill(name)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector(".seat")


def test_three_phones_see_a_round_rolled_read_and_scored_untouched(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("0.3")
    phones = [phone(server.url, device) for device in PHONES]
    pages = [one.open() for one in phones]
    name_three(pages[0])
    for page in pages:
        page.wait_for_selector(".between")
        names = page.locator(".seat h2").all_inner_texts()
        assert [name.split("\n")[-1] for name in names] == ["Ana", "Ben", "Cleo"]
    game = server.game()
    shown = [page.locator(".seat .column.total dd").all_inner_texts() for page in pages]
    truth = [str(seat["scores"]["total"]).replace("-", "\u2212") for seat in game["seats"]]
    assert shown == [truth] * 3
    assert all(one.hosts == {f"127.0.0.1:{server.port}"} for one in phones)


def test_a_die_is_corrected_in_two_taps_and_everybody_sees_it(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("20")  # time to look
    mine, other = phone(server.url), phone(server.url, "iPhone SE")
    page, second = mine.open(), other.open()
    name_three(page)
    page.wait_for_selector(".seat .column.total dd", timeout=90_000)
    before = page.locator(".seat").first.locator(".die-button").first.get_attribute("aria-label")
    page.locator(".seat").first.locator(".die-button").first.click()
    wanted = 5 if "5" not in before else 3
    page.get_by_role("button", name=f"yellow d6, {wanted}", exact=True).click()
    second.locator(f'.die-button[aria-label^="yellow d6, {wanted}:"]').first.wait_for()
    corrected = server.game()["seats"][0]["dice"][0]
    assert corrected.pop("image").startswith("/stills/")
    assert corrected | {"question": 0} == {
        "index": 0, "kind": "yellow-d6", "value": wanted, "corrected": True, "question": 0,
    }  # fmt: skip
    page.get_by_role("button", name="Undo").first.click()
    page.locator(f'.seat:first-child .die-button[aria-label="{before}"]').first.wait_for()


def test_the_page_heals_after_the_server_was_killed(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("20")
    page = phone(server.url).open()
    name_three(page)
    page.wait_for_selector(".seat .column.total dd", timeout=90_000)
    shown = page.locator(".seat .column.total dd").all_inner_texts()
    server.kill()
    page.get_by_text("No connection to the table").wait_for(timeout=5_000)
    server.start()
    started = time.monotonic()
    page.get_by_text("No connection to the table").wait_for(state="detached", timeout=5_000)
    assert time.monotonic() - started < 3.5
    assert page.locator(".seat .column.total dd").all_inner_texts()[: len(shown)] == shown


def test_a_stopped_camera_shows_on_the_page_within_five_seconds(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("1", FAKE_OPENS_AFTER_S="1.5")
    page = phone(server.url).open()
    wait_for(lambda: server.get("/healthz")["camera"]["state"] == "watching")
    (pid,) = wait_for(server.camera_pids)
    os.kill(pid, signal.SIGSTOP)
    page.get_by_text("Camera lost").wait_for(timeout=5_000)
    page.get_by_text("Camera lost").wait_for(state="detached", timeout=15_000)


def test_the_page_says_that_the_table_is_simulated(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("1")
    page = phone(server.url).open()
    page.get_by_text("Simulated table").wait_for()


@pytest.mark.parametrize("state", ["no_camera", "watching"])
def test_without_a_picture_the_camera_page_says_so(make_server: Make, phone: Callable[..., Phone], state: str) -> None:
    page = phone(
        make_server("1", FAKE_STATE=state, FAKE_MESSAGE="no camera: none" if state == "no_camera" else "").url
    ).open("/#camera")
    missing = page.get_by_text("No picture yet")
    there = [page.locator(".live img"), page.get_by_role("button", name="Does the camera hang well?")]
    if state == "watching":
        for part in there:
            part.wait_for()
        missing.wait_for(state="hidden")
    else:
        page.get_by_text("No camera. The dice can be tapped in.").wait_for()
        missing.wait_for()
        for part in there:
            part.wait_for(state="hidden")


def test_eleven_names_cannot_be_typed_and_double_names_are_refused(
    make_server: Make, phone: Callable[..., Phone]
) -> None:
    server = make_server("1")
    page = phone(server.url).open()
    add = page.get_by_role("button", name="+ one more player")
    for _ in range(8):
        add.click()
    assert page.locator(".names li").count() == 10
    assert not add.is_visible()
    page.get_by_label("Name of player 1", exact=True).fill("Ana")
    page.get_by_label("Name of player 2", exact=True).fill("ana")
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("alert").get_by_text("two players are called").wait_for()
    assert server.game() is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(
    make_server: Make, phone: Callable[..., Phone], scheme: str, faultless: Faultless
) -> None:
    server = make_server("8", FAKE_DOUBTS="1")
    page = phone(server.url, "Pixel 7", scheme).open()

    def check(what: str) -> None:
        faultless(page, what)

    check("start")
    name_three(page)
    page.wait_for_selector(".question")
    server.post("/api/simulated", {"paused": True})  # a simulated player would answer while axe looks
    check("question")
    page.locator(".question .quiet").first.click()
    check("correct dialog")
    page.get_by_role("button", name="It is another kind of die").click()
    check("kinds dialog")
    page.keyboard.press("Escape")
    page.locator(".question .answer").first.click()
    server.post("/api/simulated", {"paused": False})
    page.wait_for_selector(".between", timeout=60_000)
    page.locator("summary").first.click()
    check("table")
    for view in ("scores", "camera", "more"):
        page.goto(f"{server.url}/#{view}")
        check(view)
    page.locator('[data-focus="me-1"]').click()
    check("colours")
    page.get_by_role("button", name="Earlier games").click()
    page.locator("dialog .past li").first.wait_for()
    check("earlier games")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_hand_played_games_can_be_played_and_axe_finds_nothing(
    make_server: Make, phone: Callable[..., Phone], scheme: str, faultless: Faultless
) -> None:
    server = make_server("1")
    page = phone(server.url, "Pixel 7", scheme).open()

    def check(what: str) -> None:
        faultless(page, what)

    page.get_by_role("button", name="Pirate Box").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_role("button", name="The chest is shut").click()
    for space in range(12):
        page.locator(f'[data-focus="space-{space}"]:not([disabled])').click()
        page.locator(f'[data-focus="space-{space}"].taken').wait_for()
    page.get_by_role("button", name="Undo: a token put down (Player 2)", exact=True).wait_for()
    check("pirate grid")
    for space in range(12):
        page.locator(f'[data-focus="space-{space}"]').click()
        page.locator("dialog .choices button").nth(space % 6).click()
    page.get_by_role("button", name="Count the points", exact=True).click()
    page.get_by_text("Round 2 of 4").wait_for()
    assert len(server.game()["view"]["rounds"][0]["points"]) == 2
    check("pirate scores")

    server.post("/api/games", {"players": ["Ana", "Ben"], "game": "box"})
    for place in ("0,0", "1,0", "0,1", "1,1"):
        page.locator(f'[data-focus="dot-{place}"]').click()
    page.get_by_role("button", name="The card lies like this").click()
    page.get_by_text("Card 1 of 24").wait_for()
    assert len(server.game()["view"]["dots"]) == 4
    page.get_by_role("button", name="Undo: Starting card", exact=True).wait_for()
    check("box")

    server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"], "game": "pandoras-box"})
    page.locator(".rolls").nth(2).wait_for()
    for seat, face in enumerate((6, 3, 2)):
        page.locator(".rolls").nth(seat).get_by_role("button", name=str(face)).click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="These are the gods").click()
    page.get_by_role("button", name="1", exact=True).click()
    page.get_by_role("button", name="The board is laid").click()
    check("pandora")
    page.get_by_role("button", name="Battle").click()
    page.locator(".rolls").nth(0).get_by_role("button", name="6").click()
    page.locator(".rolls").nth(1).get_by_role("button", name="2").click()
    check("battle")
    page.locator("dialog .big").click()
    page.get_by_text("Ana wins").wait_for()
    page.get_by_role("button", name="Undo: Battle (Ana)", exact=True).wait_for()
    assert server.game()["view"]["players"][0]["tokens"] == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_big_screen_and_the_overlay(make_server: Make, chromium: Any, scheme: str, faultless: Faultless) -> None:
    server = make_server("2")
    playwright, browser = chromium
    del playwright
    context = browser.new_context(viewport={"width": 1920, "height": 1080}, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(60_000)

    def check(what: str) -> None:
        faultless(page, what)
        wide, high = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert (wide, high) == (1920, 1080), what

    page.goto(server.url + "/table")
    page.locator("#join img").wait_for()
    server.post("/api/lobby", {"id": "1", "name": "Ana"})
    page.get_by_text("Ana").wait_for()
    assert page.locator("#join img").bounding_box()["width"] > 400  # to be scanned from the sofa
    check("before the game")
    server.post("/api/games", {"players": ["Ana", "Maximiliana Beauregard", "Cleo"]})
    page.locator(".big-list li").nth(2).wait_for()
    page.locator(".between").wait_for()
    page.locator(".big-list li").first.get_by_role("img", name="leads").wait_for()
    assert page.locator(".big-list .crown").count() == len(server.game()["leaders"])
    cut = "one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
    assert page.locator(".big-list .name").evaluate_all(f"parts => parts.filter(one => {cut}).length") == 0
    page.locator("#last img").wait_for()
    check("table")
    live, boxes = page.locator("#live").bounding_box(), page.locator("#live-boxes").bounding_box()
    assert all(abs(live[key] - boxes[key]) < 2 for key in live), "the boxes do not lie on the picture"
    page.goto(server.url + "/overlay")
    page.locator(".big-list li").nth(2).wait_for()
    check("overlay")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    server.post("/api/games", {"players": ["Ana", "Ben"], "game": "pirate-box"})
    page.goto(server.url + "/table")
    page.get_by_role("heading", name="Pirate Box").wait_for()
    check("another game")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_owner_s_page_zones_and_advice(
    make_server: Make, phone: Callable[..., Phone], scheme: str, faultless: Faultless
) -> None:
    server = make_server("20")
    server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})
    page = phone(server.url, "Pixel 7", scheme).open("/#more")

    def check(what: str) -> None:
        faultless(page, what)

    page.get_by_role("button", name="Ben", exact=True).click()
    page.locator(".owner summary").click()
    check("owner")
    page.get_by_role("button", name="Whose part of the table").click()
    corner = page.locator(".corner").first
    corner.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    check("zones")
    page.get_by_role("button", name="Save", exact=True).click()
    page.locator("dialog").wait_for(state="detached")
    zones = server.get("/api/state")["settings"]["zones"]["3"]
    assert zones[0]["polygon"][0] == [pytest.approx(0.05), 0]
    page.goto(server.url + "/#table")
    assert page.locator(".seat h2").first.inner_text().endswith("Ben")
    assert server.post("/api/simulated", {"paused": True})[0] == 200
    page.get_by_role("button", name="tap it in").first.click()
    check("taps")


def test_a_whole_roll_is_tapped_in(make_server: Make, phone: Callable[..., Phone], wait_for: Any) -> None:
    server = make_server("60")  # the simulated players are slower than a finger
    page = phone(server.url, "iPhone SE").open()
    name_three(page)
    page.get_by_role("button", name="Pause").wait_for()
    assert page.get_by_role("button", name="tap it in").count() == 0  # the computer rolls
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="tap it in").first.click()
    page.get_by_role("button", name="yellow d6, 5", exact=True).click()
    page.get_by_role("button", name="Done: 5 on the die").click()
    page.locator(".seat").first.locator(".column.total dd").get_by_text("5").wait_for()
    assert server.game()["seats"][0]["dice"][0]["value"] == 5


def test_a_phone_that_loses_the_network_says_so_and_heals(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("20")
    one = phone(server.url)
    page = one.open()
    name_three(page)
    page.wait_for_timeout(500)
    one.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('online'))")  # try at once, as a phone does that changes its network
    page.get_by_text("No connection to the table").wait_for(timeout=15_000)
    server.post(
        f"/api/games/{server.game()['id']}/rolls", {"seat": 2, "round": 1, "dice": [{"kind": "yellow-d6", "value": 4}]}
    )
    one.context.set_offline(False)
    page.get_by_text("No connection to the table").wait_for(state="detached", timeout=4_000)
    page.locator(".seat").nth(2).locator(".column.total dd").get_by_text("4").wait_for(timeout=3_000)


def test_a_quiet_table_keeps_the_line(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("600")
    page = phone(server.url).open()
    page.evaluate(
        "window.lost = 0; new MutationObserver(() => {"
        " if (document.documentElement.classList.contains('offline')) window.lost += 1;"
        "}).observe(document.documentElement, { attributes: true })"
    )
    page.wait_for_timeout(15_000)  # longer than the page waits for a sign of life
    assert page.evaluate("window.lost") == 0
