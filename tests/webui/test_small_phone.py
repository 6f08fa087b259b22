"""The page on the smallest phone that is still about, 320 pixels wide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
Phone = Any


CUT_OFF = """() => [...document.querySelectorAll("select, button, a, h1, h2, dd, dt")].filter(part => {
  if (!part.offsetParent || part.closest("[hidden]")) return false;
  const style = getComputedStyle(part);
  if (!part.matches("select")) return part.scrollWidth > part.clientWidth + 1 && style.overflow !== "visible";
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const room = part.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 18;
  return pen.measureText(part.selectedOptions[0]?.text ?? "").width > room;
}).map(part => part.outerHTML.slice(0, 120))"""
"""Texts that do not fit into what they stand in; a select's arrow takes 18 pixels."""


@pytest.mark.parametrize("large", [pytest.param("no", id="at the usual size"), pytest.param("yes", id="in large type")])
@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_sticks_out_on_the_smallest_phone(
    make_server: Make, phone: Callable[..., Phone], language: str, large: str
) -> None:
    server = make_server("0.3", FAKE_DOUBTS="1")
    one = phone(server.url, "iPhone SE", locale=language)
    one.page.add_init_script(f"localStorage.setItem('large', '{large}')")
    page = one.open()

    def check(what: str) -> None:
        wide, cards = page.evaluate(
            "() => [document.documentElement.scrollWidth, [...document.querySelectorAll('.card, .question, form')]"
            ".flatMap(card => [...card.querySelectorAll('button, a, select, input:not(.sr)')]"
            ".filter(part => part.getBoundingClientRect().right"
            " > card.getBoundingClientRect().right - 8 * card.matches('.card, .question'))"
            ".map(part => part.outerHTML.slice(0, 120)))]"
        )
        assert wide <= 320, what
        assert cards == [], what
        assert page.evaluate(CUT_OFF) == [], what

    page.locator("form.start > button.quiet").first.click()  # a third player: the names get crosses
    page.locator(".names li").nth(2).wait_for()
    check("start")
    server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})
    page.wait_for_selector(".seat")
    page.wait_for_selector(".question")
    check("question")
    for view in ("scores", "camera", "more"):
        page.goto(f"{server.url}/#{view}")
        page.locator(f"#main[data-page={view}] > *").first.wait_for()
        if view == "more":
            page.locator(".owner summary").click()
        check(view)


BROKEN = """async () => {
  const { endCard } = await import(document.querySelector("script[type=module]").src.replace("main.js", "end.js"));
  const names = ["Theodora-Alexandria", "Maximiliana", "Bob"];
  const seats = names.map((name, seat) => ({ seat, name, running: 90 - seat, color: seat }));
  document.getElementById("main").replaceChildren(endCard({ id: "1", winners: [0], seats }));
  return [...document.querySelectorAll(".podium b")].flatMap(name => {
    const text = name.firstChild;
    return [...text.data.matchAll(/[^-]+-?/g)].filter(word => {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      return new Set([...range.getClientRects()].map(part => part.y)).size > 1;  // an ellipsis has one line, two parts
    }).map(word => word[0]);
  });
}"""
"""The words of names on the podium that are broken between two lines."""


def test_no_name_on_the_podium_is_broken_inside_a_word(make_server: Make, phone: Callable[..., Phone]) -> None:
    page = phone(make_server("600").url, "iPhone SE").open()
    assert page.evaluate(BROKEN) == []
    sizes = page.evaluate("[...document.querySelectorAll('.podium li')].map(one => one.scrollWidth - one.clientWidth)")
    assert max(sizes) <= 0
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize("device", ["iPhone SE", "Pixel 7"])
def test_the_scores_of_many_rounds_do_not_widen_the_page(
    make_server: Make, phone: Callable[..., Phone], device: str
) -> None:
    server = make_server("600", FAKE_STATE="no_camera", FAKE_CAMERA="none")
    one = phone(server.url, device)
    page = one.open()
    drafted = ("blue-d6", "red-d6", "green-d20", "blue-d8", "purple-d12", "red-d8", "blue-d12")
    game = server.post("/api/games", {"players": ["Ana", "Ben"]})[1]["id"]
    for number in range(1, len(drafted) + 1):
        for seat in range(2):
            dice = [{"kind": kind, "value": 5 - seat} for kind in ("yellow-d6", *drafted[: number - 1])]
            dice += [{"kind": "pink-d12", "value": 1}] * ("pink-d12" in server.game()["seats"][seat]["expects"])
            status, answer = server.post(f"/api/games/{game}/rolls", {"seat": seat, "round": number, "dice": dice})
            assert status == 200, answer
    page.goto(f"{server.url}/#scores")
    page.locator("#main[data-page=scores] table").first.wait_for()
    width, wide = page.evaluate("() => [innerWidth, document.documentElement.scrollWidth]")
    assert wide <= width == page.viewport_size["width"]
