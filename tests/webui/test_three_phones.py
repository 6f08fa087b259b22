"""A whole simulated game on three phones and a big screen at once, on the installed product: `make three-phones`.

Pictures of every moment go to build/three-phones, to be looked at.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROUNDS = 10
NAMES = ("Ana", "Ben", "Cleo")
QUICK = os.environ.get("THREE_PHONES") == "quick"
"""The same with the fake camera process and without axe, for a machine that is busy: a minute or two."""

PICTURES = Path(__file__).resolve().parents[2] / "build" / "three-phones"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
spec = importlib.util.spec_from_file_location("looking", Path(__file__).with_name("looking.py"))
assert spec
assert spec.loader
looking = importlib.util.module_from_spec(spec)
spec.loader.exec_module(looking)


class Product:
    """`tablesight serve --camera simulated`, which can be killed and started again on the same port and folder."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        data = self.folder / "data"
        command = [
            sys.executable, "-m", "tablesight.webui.cli", "serve", "--camera", "simulated:seed=5", "--host",
            "127.0.0.1", "--port", str(self.port), "--data-dir", str(data),
        ]  # fmt: skip
        if QUICK:
            command = [sys.executable, str(Path(__file__).with_name("serve_fake.py")), str(self.port), str(data), "0.6"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "FAKE_DOUBTS": "3"})

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)


class Room:
    """Three phones and a big screen."""

    def __init__(self, browser: Any, url: str, axe: Any) -> None:
        self.axe, self.errors, self.problems = axe, [], []  # type: ignore[var-annotated]
        self.moments = 0
        self.contexts, self.pages = {}, {}  # type: ignore[var-annotated]
        for name, (width, height) in {**looking.PHONES, "big": (1920, 1080)}.items():
            phone = name != "big"
            context = browser.new_context(
                viewport={"width": width, "height": height}, is_mobile=phone, has_touch=phone, device_scale_factor=1
            )
            page = context.new_page()
            page.set_default_timeout(90_000)
            page.on("pageerror", lambda error: self.errors.append(str(error)))
            page.goto(url + ("/" if phone else "/table"))
            page.wait_for_selector("#main > *")
            self.contexts[name], self.pages[name] = context, page

    @property
    def phones(self) -> list[Any]:
        return [self.pages[name] for name in looking.PHONES]

    def moment(self, what: str, *only: str, dialogs: bool = False) -> None:
        """Takes a picture of each screen, and notes what a person would stumble over."""
        self.moments += 1
        for name, page in self.pages.items():
            if only and name not in only:
                continue
            page.wait_for_timeout(300)
            page.screenshot(path=PICTURES / f"{self.moments:02} {what} {name}.png")
            hidden = page.evaluate(looking.OUT_OF_SIGHT)
            if hidden and name != "big":
                self.problems.append((what, name, hidden))
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > page.viewport_size["width"]:
                self.problems.append((what, name, f"{wide} pixels wide"))
            if not QUICK:
                self.problems += [(what, name, *found) for found in looking.objections(page, self.axe)]


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    product = Product(tmp_path)
    product.start()
    yield product
    product.stop()


def answer_as_a_person(server: Any, room: Room, seen: set[str]) -> None:
    """Looks at the open question and taps what really lies there, on the phone whose question it is."""
    game = server.game()
    question = next((one for one in game["questions"] if one["what"] == "die"), None)
    if question is None:
        return
    if "question" not in seen and room.phones[question["seat"]].locator(".question .answer").count():
        seen.add("question")
        room.moment("a question")


def play_until(server: Any, wait_for: Any, room: Room, seen: set[str], what: Callable[[Any], bool]) -> Any:
    def there() -> Any:
        answer_as_a_person(server, room, seen)
        game = server.game()
        return game if what(game) else None

    return wait_for(there, 400, f"it did not happen: {server.game()['phase']} {server.game()['questions']}")


def scored(number: int) -> Callable[[Any], bool]:
    return lambda game: game["round"] >= number and game["phase"] in ("scored", "ended")


def test_a_whole_game_on_three_phones(
    product: Product, chromium: Any, make_client: Callable[[int], Any], wait_for: Any
) -> None:
    axe_module = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core-python is not installed")
    PICTURES.mkdir(parents=True, exist_ok=True)
    for old in PICTURES.glob("*.png"):
        old.unlink()
    server = make_client(product.port)
    wait_for(server.is_up, 90, "the server did not start")
    room = Room(chromium[1], server.url, axe_module.Axe())
    seen: set[str] = set()

    # everybody joins: each types the own name on the own phone
    room.moment("joining")
    room.phones[0].get_by_role("button", name="+ one more player").click()
    for place, (page, name) in enumerate(zip(room.phones, NAMES, strict=True), start=1):
        page.get_by_label(f"Name of player {place}", exact=True).fill(name)
        page.get_by_label(f"Name of player {place}", exact=True).blur()
    for page in room.phones:
        wait_for(lambda page=page: [box.input_value() for box in page.locator(".names input").all()] == [*NAMES], 90)
    room.moment("three names")
    room.phones[0].get_by_role("button", name="Start", exact=True).click()
    for page in room.phones:
        page.locator(".seat").nth(2).wait_for()
    # one round alone: looking at four screens takes longer than the players wait
    server.post("/api/simulated", {"paused": True})
    server.post("/api/simulated", {"next": True})
    room.moment("round 1 rolls")
    play_until(server, wait_for, room, seen, scored(1))
    for page in room.phones:
        page.locator(".between").wait_for()
    room.moment("round 1 scored")

    # a die is corrected on one phone, seen on the others, and taken back
    page = room.phones[1]
    yellow = [seat["dice"][0]["value"] for seat in server.game()["seats"]]
    before = yellow[1]
    page.locator(".seat").first.locator(".die-button").first.click()
    page.locator("dialog .choices button").first.wait_for()
    room.moment("correcting", "se")
    value = next(value for value in range(1, 7) if value not in yellow)  # a tie would be rolled again
    page.evaluate(looking.MARK)
    page.get_by_role("button", name=f"yellow d6, {value}", exact=True).click()
    page.locator("#toast:not([hidden])").wait_for()
    room.moment("corrected")
    for other in room.phones:
        # told above the page for a while, and kept in the list
        told = other.locator(".changes li", has_text="Corrected: a die of Ben in round 1.")
        told.first.wait_for(state="attached")
    page.get_by_role("button", name="Undo the correction").click()
    wait_for(lambda: server.game()["seats"][1]["dice"][0]["value"] == before, 60)

    # the next round when everybody has looked
    room.phones[0].get_by_role("button", name="Go on").click()
    play_until(server, wait_for, room, seen, lambda game: game["round"] >= 2)
    room.moment("round 2 rolls")
    play_until(server, wait_for, room, seen, scored(2))

    # one phone loses the network for a while
    play_until(server, wait_for, room, seen, lambda game: game["round"] >= 3)
    room.contexts["landscape"].set_offline(True)
    room.phones[2].evaluate("window.dispatchEvent(new Event('online'))")
    room.phones[2].get_by_text("No connection to the table").wait_for()
    room.moment("offline", "landscape")
    play_until(server, wait_for, room, seen, scored(3))
    room.contexts["landscape"].set_offline(False)
    room.phones[2].get_by_text("No connection to the table").wait_for(state="detached", timeout=20_000)
    wait_for(
        lambda: room.phones[2].locator("h1").first.inner_text() == room.phones[0].locator("h1").first.inner_text(), 60
    )

    # the server dies in the middle of round 5 and comes back
    play_until(server, wait_for, room, seen, lambda game: game["round"] >= 5)
    sheet = [row["scores"] for row in server.game()["sheet"][:4]]
    product.kill()
    for page in room.phones:
        page.get_by_text("No connection to the table").wait_for(timeout=20_000)
    room.moment("server gone")
    product.start()
    wait_for(server.is_up, 90, "the server did not come back")
    up_at_s = time.monotonic()
    for page in room.phones:
        page.get_by_text("No connection to the table").wait_for(state="detached", timeout=20_000)
    healed_s = time.monotonic() - up_at_s
    assert [row["scores"] for row in server.game()["sheet"][:4]] == sheet
    room.moment("server back")

    # on to the end
    for number in range(5, ROUNDS + 1):
        play_until(server, wait_for, room, seen, scored(number))
        if number == 8:
            room.moment("round 8 scored")
            room.phones[0].goto(server.url + "/#camera")
            room.phones[0].locator("figure.read img").wait_for()
            room.moment("camera", "pixel")
            room.phones[0].goto(server.url + "/#table")
        if number < ROUNDS:
            server.post("/api/simulated", {"next": True})
    play_until(server, wait_for, room, seen, lambda game: game["phase"] == "ended")
    for page in room.phones:
        page.locator(".podium").wait_for()
    room.moment("podium")
    for view in ("scores", "camera", "more"):
        for page in room.phones:
            page.goto(f"{server.url}/#{view}")
            page.locator(f"#main[data-page={view}] > *").first.wait_for()
        room.moment(view, *looking.PHONES)
    with (PICTURES / "problems.txt").open("w") as out:
        for problem in room.problems:
            print(*problem, sep=" | ", file=out)
    print(f"healed after {healed_s:.1f} s")
    assert room.errors == []
    assert room.problems == []
    if "question" not in seen:
        print("the camera was sure of every die: no picture of a question")
        assert not QUICK


def test_trades_and_drafts_are_tapped_on_three_phones(
    product: Product, chromium: Any, make_client: Callable[[int], Any], wait_for: Any
) -> None:
    axe_module = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core-python is not installed")
    PICTURES.mkdir(parents=True, exist_ok=True)
    server = make_client(product.port)
    wait_for(server.is_up, 90, "the server did not start")
    status, reply = server.post("/api/games", {"players": list(NAMES), "options": {"mode": "strict"}})
    assert status == 201, reply
    server.post("/api/simulated", {"paused": True})  # nobody rolls before everybody has said who holds what
    room = Room(chromium[1], server.url, axe_module.Axe())
    room.moments = 50
    seen: set[str] = set()
    for page, name in zip(room.phones, NAMES, strict=True):
        page.locator(".card.me").get_by_role("button", name=name).click()
    room.moment("who holds this phone")
    for page in room.phones:
        page.locator('[data-focus="colour-done"]').click()
    server.post("/api/simulated", {"paused": False})
    for number in (1, 2):
        game = play_until(server, wait_for, room, seen, lambda game: game["phase"] == "trade")
        if number == 1:
            room.moment("strict trade")
        while game["phase"] == "trade":
            seat = game["turn"][0]
            page = room.phones[seat]
            page.locator('[data-focus="trade-end"]').wait_for()
            give = page.locator('[data-focus="trade"]')
            if give.count() and "trade" not in seen:
                seen.add("trade")
                give.click()
                page.locator("dialog .choices button").first.wait_for()
                room.moment("for which die")
                taken = page.locator("dialog .choices button").first
                taken.click()
                page.locator("dialog").wait_for(state="detached")
            else:
                page.locator('[data-focus="trade-end"]').click()
            game = wait_for(lambda old=game: (now := server.game())["last"]["seq"] != old["last"]["seq"] and now)
        page = room.phones[0]
        page.locator('[data-focus="draw"]').click()
        for _ in range(4):  # everybody gets a clear one, so that there is something to trade
            page.get_by_role("button", name="clear d6", exact=True).first.click()
        if number == 1:
            room.moment("which dice are drawn", "pixel")
        page.get_by_role("button", name="Done", exact=True).click()
        game = wait_for(lambda: (now := server.game())["phase"] == "draft" and now)
        if number == 1:
            room.moment("strict draft")
        while game["phase"] == "draft":
            page = room.phones[game["turn"][0]]
            page.locator(".strict .choices button").first.click()
            game = wait_for(lambda old=game: (now := server.game())["last"]["seq"] != old["last"]["seq"] and now)
    play_until(server, wait_for, room, seen, lambda game: game["round"] == 3 and game["phase"] == "trade")
    with (PICTURES / "problems-strict.txt").open("w") as out:
        for problem in room.problems:
            print(*problem, sep=" | ", file=out)
    assert room.errors == []
    assert room.problems == []
    assert "trade" in seen
