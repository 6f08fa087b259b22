"""The main thing to do is in sight on every phone, and no message lies over anything to be tapped."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]
spec = importlib.util.spec_from_file_location("looking", Path(__file__).with_name("looking.py"))
assert spec
assert spec.loader
looking = importlib.util.module_from_spec(spec)
spec.loader.exec_module(looking)


@pytest.fixture
def pages(chromium: Any) -> Any:
    """A page of each size, on the address given."""
    playwright, browser = chromium
    del playwright
    contexts: list[Any] = []

    def make(url: str) -> dict[str, Any]:
        found = {}
        for name, (width, height) in looking.PHONES.items():
            size = {"width": width, "height": height}
            contexts.append(browser.new_context(viewport=size, is_mobile=True, has_touch=True, locale="de"))
            page = contexts[-1].new_page()
            page.set_default_timeout(60_000)
            page.goto(url)
            page.wait_for_selector("#main[data-page] > *")
            found[name] = page
        return found

    yield make
    for context in contexts:
        context.close()


def test_the_thing_to_do_is_in_sight_on_every_phone(make_server: Make, pages: Callable[[str], dict[str, Any]]) -> None:
    server = make_server("1", FAKE_DOUBTS="1")
    opened = pages(server.url)

    def check(what: str, selector: str) -> None:
        for name, page in opened.items():
            page.locator(selector).first.wait_for()
            assert page.evaluate(looking.OUT_OF_SIGHT) is None, f"{what} on {name}"

    for place in range(8):
        server.post("/api/lobby", {"id": f"row{place}", "name": f"Spieler mit Namen {place}"})
    check("ten players", ".names li:nth-child(8)")
    check("start", ".action .big")
    game = server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})[1]["id"]
    check("question", ".question .answer")
    assert server.post("/api/simulated", {"paused": True})[0] == 200
    question = server.game()["questions"][0]
    for name, page in opened.items():  # a message while a question is open
        page.evaluate(looking.MARK)
        page.evaluate(
            "async () => (await import(document.querySelector('link[href$=\"js/toast.js\"]').href))"
            ".toast('Zwei Zeilen, weil es länger ist, als man denkt', {label: 'Zurück', run() {}})"
        )
        page.locator("#toast:not([hidden])").wait_for()
        assert page.evaluate(looking.COVERED) == [], name
    body = {"seat": 0, "die": question["die"], **question["candidates"][0]}
    assert server.post(f"/api/games/{game}/answers", body)[0] == 200
    server.post("/api/simulated", {"paused": False})
    check("scored", ".action .big")
    small = opened["se"]
    edges = [
        small.locator(part).bounding_box()
        for part in (".totals tbody tr:last-child", ".who .me", ".steps .between", ".action")
    ]
    who_got_what, who_holds_it, steps, action = (edge["y"] for edge in edges)
    assert who_got_what + edges[0]["height"] <= action  # seen without scrolling
    assert who_got_what < who_holds_it < steps
    table = server.game()
    totals = [row.split() for row in small.locator(".totals tbody tr").all_inner_texts()]
    by_name = {seat["name"]: [f"{seat['scores']['total']:+d}", str(seat["running"])] for seat in table["seats"]}
    assert {row[-3]: row[-2:] for row in totals} == {
        name: [text.replace("-", "\u2212") for text in texts] for name, texts in by_name.items()
    }
    for page in opened.values():
        page.locator(".die-button").first.click()
    check("correcting", "dialog .choices button.now")


def test_the_players_are_named_where_the_camera_speaks_of_seats(
    make_server: Make, pages: Callable[[str], dict[str, Any]]
) -> None:
    told = "Two dice of seat 1 lie on one another: lay them side by side, or roll again."
    server = make_server("1", FAKE_MESSAGE=told, FAKE_DOUBTS="1")
    page = pages(server.url)["se"]
    page.get_by_text("Zwei Würfel von Spieler 1 liegen").wait_for()
    server.post("/api/games", {"players": ["Ana", "Ben"]})
    page.get_by_text("Zwei Würfel von Ana liegen").wait_for()


LAYOUT = """async ([count, part]) => {
  const { layOut } = await import(document.querySelector('link[href$="js/boxes.js"]').href);
  let seed = count * 7 + 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const dice = Array.from({ length: count }, (_, place) => {
    const [x, y] = [500 + (place % 4) * 75 + random() * 20, 300 + Math.floor(place / 4) * 75 + random() * 20];
    const [label, short] = place % 3 ? ['Yellow 4', 'Ye 4'] : ['Red -7 ?', 'Re -7 ?'];
    return { box: [x, y, x + 52, y + 52], label, short };
  });
  const { labels } = layOut({ width: 1600, height: 900, dice, part });
  const shared = (a, b, low) => Math.min(a[low + 2], b[low + 2]) - Math.max(a[low], b[low]);
  const over = (a, b) => shared(a, b, 0) > 0.5 && shared(a, b, 1) > 0.5;
  let found = 0;
  labels.forEach((label, at) => {
    if (label[0] < part[0] || label[1] < part[1] || label[2] > part[2] || label[3] > part[3]) found += 1;
    labels.forEach((other, place) => { if (place > at && over(label, other)) found += 1; });
    dice.forEach((die, own) => { if (over(label, die.box) && !(label.inside && own === at)) found += 1; });
  });
  return [found, labels.filter((label) => label.inside).length <= (count > 11 ? count : count / 4)];
}"""


def test_labels_of_crowded_dice_cover_neither_dice_nor_one_another(
    make_server: Make, pages: Callable[[str], dict[str, Any]]
) -> None:
    page = pages(make_server("600").url)["pixel"]
    for count in (1, 8, 11, 16, 30):
        assert page.evaluate(LAYOUT, [count, [0, 0, 1600, 900]]) == [0, True], count  # and most stand beside their dice
    for count in (1, 8):  # in a player's own part of the picture: the dice lie at three of its edges
        assert page.evaluate(LAYOUT, [count, [497, 297, 830, 460]])[0] == 0, count


NAMES = """async ([name, polygon, usual, y]) => {
  const { zoneName } = await import(document.querySelector('link[href$="js/zones.js"]').href);
  const { h } = await import(document.querySelector('link[href$="js/dom.js"]').href);
  const svg = h("svg", { viewBox: "0 0 1600 900", class: "zones" }, zoneName(name, polygon, usual, y ?? undefined));
  document.body.append(svg);
  const box = svg.firstChild.getBBox();
  svg.remove();
  return [box.x, box.y, box.x + box.width, box.y + box.height];
}"""


@pytest.mark.parametrize("name", ["Ana", "Maximiliana Beauregard", "WWWWWWWWWWWW"])
def test_no_name_is_cut_off_at_the_edge_of_the_picture(
    make_server: Make, pages: Callable[[str], dict[str, Any]], name: str
) -> None:
    page = pages(make_server("600").url)["pixel"]
    for left in (0, 0.45, 0.9):
        polygon = [[left, 0], [left + 0.1, 0], [left + 0.1, 0.5], [left, 0.5]]
        for usual, y in ((64, None), (46, 70)):
            x0, y0, x1, y1 = page.evaluate(NAMES, [name, polygon, usual, y])
            assert (x0 >= 0, y0 >= 0, x1 <= 1600, y1 <= 900) == (True,) * 4, (left, usual)
