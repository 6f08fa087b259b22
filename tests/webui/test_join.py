"""Joining: names and colours typed on several phones, who holds which phone, and what each phone then shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]
Phone = Any


def test_two_phones_fill_one_list_choose_colours_and_know_whose_they_are(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("600")
    ana, ben = phone(server.url).open(), phone(server.url, "iPhone SE").open()
    ana.get_by_label("Name of player 1").fill("Ana")
    wait_for(lambda: ben.evaluate("document.querySelector('.names input').value === 'Ana'"), 60)
    ben.get_by_label("Name of player 2").fill("Ben")
    wait_for(lambda: ana.evaluate("document.querySelectorAll('.names input')[1].value === 'Ben'"), 60)
    # a colour that somebody has cannot be taken
    ben.get_by_role("button", name="Colour of player 2: blue").click()
    assert ben.get_by_role("button", name="red, taken by Ana").is_disabled()
    ben.get_by_role("button", name="turquoise").click()
    ana.get_by_role("button", name="Colour of player 2: turquoise").wait_for()
    ana.get_by_role("button", name="Start", exact=True).click()
    for page in (ana, ben):
        page.wait_for_selector(".seat")
    assert [(seat["name"], seat["color"]) for seat in server.game()["seats"]] == [("Ana", 0), ("Ben", 5)]
    # each typed one name: the phones need not be asked, and the own dice come first
    wait_for(lambda: ana.evaluate("localStorage.getItem('me') === 'Ana'"), 60)
    wait_for(lambda: ben.evaluate("document.querySelector('.seat h2').textContent.endsWith('Ben')"), 60)
    assert ben.locator(".card.me").count() == 0
    # the phone remembers, and the house the colour
    server.post("/api/games", {"players": ["Cleo", "Ana", "Ben"]})
    wait_for(lambda: ben.evaluate("document.querySelectorAll('.seat').length === 3"), 60)
    wait_for(lambda: ben.evaluate("document.querySelector('.seat h2').textContent.endsWith('Ben')"), 60)
    assert [seat["color"] for seat in server.game()["seats"]] == [1, 0, 5]


def test_on_a_slow_line_a_name_is_not_taken_for_somebody_else_s(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("600")
    page = phone(server.url, "iPhone SE").open()
    page.evaluate(
        """() => { const now = window.fetch;
        window.fetch = (...asked) => String(asked[0]).endsWith("/api/lobby")
          ? now(...asked).then(answer => new Promise(done => setTimeout(() => done(answer), 1500)))
          : now(...asked); }"""
    )
    page.get_by_label("Name of player 1").fill("Ana")
    page.wait_for_timeout(600)  # the name is on its way
    page.get_by_label("Name of player 2").fill("Ben")  # leaving a line tells its name once more
    page.get_by_label("Name of player 1").focus()
    wait_for(lambda: [row["name"] for row in server.get("/api/state")["lobby"]] == ["Ana", "Ben"], 60)
    page.wait_for_timeout(4000)  # all answers have come
    assert page.locator(".names input").count() == 2


def test_a_phone_that_comes_later_is_asked_whose_it_is_and_in_which_colour(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("600")
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    page = phone(server.url, "iPhone SE").open()
    page.get_by_role("button", name="Ben", exact=True).click()
    page.get_by_text("Hello Ben! Your colour:").wait_for()
    assert page.get_by_role("button", name="red, taken by Ana").is_disabled()
    page.get_by_role("button", name="purple").click()
    wait_for(lambda: server.game()["seats"][1]["color"] == 3, 20)
    page.locator(".card.me").wait_for(state="detached")  # a choice closes it
    assert page.locator(".seat h2").first.inner_text().endswith("Ben")


def test_once_a_round_is_scored_the_question_takes_one_line(make_server: Make, phone: Callable[..., Phone]) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="none")
    game = server.post("/api/games", {"players": ["Ana", "Ben"]})[1]["id"]
    page = phone(server.url, "iPhone SE").open()
    card = page.locator(".card.me")
    assert card.get_by_role("button", name="Ben", exact=True).is_visible()  # before the first roll it is asked in full
    for seat in (0, 1):
        roll = {"seat": seat, "round": 1, "dice": [{"kind": "yellow-d6", "value": 3 + seat}]}
        assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    page.locator(".between").wait_for()
    assert card.bounding_box()["height"] < 56
    assert not card.get_by_role("button", name="Ben", exact=True).is_visible()
    card.get_by_text("Who holds this phone?").click()
    card.get_by_role("button", name="Ben", exact=True).click()
    card.get_by_text("Hello Ben! Your colour:").wait_for()
    card.get_by_role("button", name="Done").click()
    card.wait_for(state="detached")


def test_a_watcher_is_asked_once_and_the_own_zone_is_live_until_the_dice_are_read(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("600")
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    page = phone(server.url).open()
    page.get_by_role("button", name="Nobody: just watching").click()
    page.locator(".card.me").wait_for(state="detached")
    page.reload()
    page.wait_for_selector(".seat")
    assert page.locator(".card.me").count() == 0
    page.goto(f"{server.url}/#more")
    page.get_by_role("button", name="Ben", exact=True).click()
    page.goto(f"{server.url}/#table")
    picture = page.get_by_alt_text("your dice, live")
    picture.wait_for()
    wait_for(lambda: page.evaluate("document.querySelector('.zone-picture')?.naturalWidth > 0"), 60)
    frame, whole = page.locator(".own-zone").bounding_box(), page.locator(".zone-whole").bounding_box()
    assert whole["width"] / frame["width"] > 1.8  # half the table, cut out
    game = server.game()["id"]
    server.post(f"/api/games/{game}/rolls", {"seat": 1, "round": 1, "dice": [{"kind": "yellow-d6", "value": 4}]})
    picture.wait_for(state="detached")
    page.locator(".seat details[open]").first.wait_for()  # the own why is open


def test_two_phones_correct_one_die_and_the_second_is_told(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("600")
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    game = server.game()["id"]
    roll = {"seat": 1, "round": 1, "dice": [{"kind": "yellow-d6", "value": 6}]}  # the computer has thrown Ana's
    assert server.post(f"/api/games/{game}/rolls", roll)[0] == 200
    pages = [phone(server.url).open(), phone(server.url, "iPhone SE").open()]
    for page in pages:
        page.locator(".seat").nth(1).get_by_role("button", name="yellow d6, 6: tap to correct").click()
        page.locator("dialog").wait_for()
    first, second = pages
    first.get_by_role("button", name="yellow d6, 2", exact=True).click()
    first.locator(".seat").nth(1).get_by_role("button", name="yellow d6, 2: tap to correct").wait_for()
    second.get_by_role("button", name="yellow d6, 5", exact=True).click()
    second.get_by_text("Somebody was faster: this die is now a yellow d6 with 2.").wait_for()
    assert server.game()["seats"][1]["dice"][0]["value"] == 2


def test_new_scores_are_spoken_by_the_live_region_and_an_answer_of_a_simulated_player_is_shown(
    make_server: Make, phone: Callable[..., Phone], wait_for: Any
) -> None:
    server = make_server("0.1", FAKE_DOUBTS="1")
    page = phone(server.url).open()
    page.evaluate(
        "window.heard = []; const region = document.getElementById('spoken');"
        "new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true })"
    )
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    page.get_by_text("Ana has looked: yellow d6").wait_for(timeout=90_000)
    page.wait_for_selector(".between", timeout=90_000)
    heard = " ".join(page.evaluate("window.heard"))
    assert "A question about a die of Ana" in heard
    for seat in server.game()["seats"]:
        assert f"{seat['name']}: " in heard
    assert page.locator("#spoken").get_attribute("aria-live") == "polite"
