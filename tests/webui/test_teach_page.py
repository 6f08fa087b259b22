"""Teach my dice, on phones, with the fake camera process: it sees one die of each kind, and doubts the last one."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tablesight.vision.teaching.taught_folder import load_taught

Make = Callable[..., Any]
Faultless = Callable[[Any, str], None]
Phone = Any


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    out = io.BytesIO()
    Image.new("RGB", (320, 240), "#604020").save(out, "JPEG")
    path = tmp_path / "photo.jpg"
    path.write_bytes(out.getvalue())
    return path


def open_page(one: Phone) -> Any:
    one.page.goto(f"{one.url}/teach")
    one.page.locator(".lies").wait_for()
    return one.page


def choose(page: Any, *kinds: str) -> None:
    for kind in kinds:
        page.get_by_role("button", name=kind, exact=True).click()


def kept(server: Any) -> list[tuple[str, int]]:
    return [(die.kind, die.value) for die in load_taught(server.data_dir / "taught")]


def test_two_photos_are_taught_by_taps_and_can_be_forgotten(
    make_server: Make, phone: Callable[..., Phone], photo: Path
) -> None:
    server = make_server("20")
    page = open_page(phone(server.url))
    page.set_input_files("#teach-file", photo)
    page.get_by_text("Tap first which kinds").wait_for()
    choose(page, "yellow d6", "red d6", "pink d12")
    page.set_input_files("#teach-file", photo)
    rows = page.locator(".seen > li")
    rows.nth(2).wait_for()
    save = page.locator('[data-focus="save"]')
    assert save.is_disabled()
    assert page.locator(".seen > li.check").count() == 1
    page.get_by_role("button", name="Die 3 is: pink d12, 5").click()
    page.get_by_role("button", name="Die 2 is something else").click()
    page.get_by_role("button", name="red d6, minus 4").click()
    page.get_by_role("button", name="Leave die 1 out").click()
    page.get_by_role("button", name="Remember these 2 dice").click()
    page.get_by_text("1 of 6 photos").wait_for()
    assert kept(server) == [("red-d6", -4), ("pink-d12", 5)]
    page.get_by_text("The camera knows their colours and their numbers").wait_for()
    page.set_input_files("#teach-file", photo)
    page.get_by_role("button", name="Die 3 is: pink d12, 2").click()
    page.get_by_role("button", name="Remember these 3 dice").click()
    page.get_by_text("2 of 6 photos").wait_for()
    page.get_by_role("link", name="That is enough").wait_for()
    assert len(kept(server)) == 5
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget red d6").click()
    page.get_by_role("button", name="Forget red d6").wait_for(state="detached")
    assert kept(server) == [("pink-d12", 5), ("yellow-d6", 2), ("pink-d12", 2)]


def test_a_photo_that_is_none_is_said_and_the_next_one_works(
    make_server: Make, phone: Callable[..., Phone], photo: Path, tmp_path: Path
) -> None:
    server = make_server("20")
    page = open_page(phone(server.url, "iPhone SE"))
    choose(page, "clear d6")
    bad = tmp_path / "bad.jpg"
    bad.write_text("no photo")
    page.set_input_files("#teach-file", bad)
    page.get_by_role("alert").wait_for()
    page.set_input_files("#teach-file", photo)
    page.locator(".seen > li").wait_for()
    page.get_by_role("button", name="Throw this photo away").click()
    page.locator(".lies").wait_for()
    assert kept(server) == []
    # the kinds are remembered on this phone
    page.reload()
    assert page.get_by_role("button", name="clear d6").get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    make_server: Make, phone: Callable[..., Phone], photo: Path, scheme: str, faultless: Faultless
) -> None:
    server = make_server("20")
    page = open_page(phone(server.url, "Pixel 7", scheme))

    def check(what: str) -> None:
        faultless(page, what)

    choose(page, "yellow d6", "red d6", "glitter d6")
    check("kinds")
    page.set_input_files("#teach-file", photo)
    page.locator(".seen > li").nth(2).wait_for()
    page.get_by_role("button", name="Leave die 1 out").click()
    check("photo")
    page.get_by_role("button", name="Die 2 is something else").click()
    check("numbers")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Die 3 is: glitter d6, 2").click()
    page.locator('[data-focus="save"]').click()
    page.get_by_role("button", name="Forget all").wait_for()
    check("known")


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_sticks_out_on_the_smallest_phone_in_large_type(
    make_server: Make, phone: Callable[..., Phone], photo: Path, language: str
) -> None:
    server = make_server("20")
    one = phone(server.url, "iPhone SE", locale=language)
    one.page.add_init_script("localStorage.setItem('large', 'yes')")
    page = open_page(one)

    def check(what: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, what
        wide = page.evaluate(
            "() => [...document.querySelectorAll('button, a, input:not(.sr)')]"
            ".filter(part => part.getBoundingClientRect().right > innerWidth).map(part => part.outerHTML.slice(0, 120))"
        )
        assert wide == [], what

    page.locator('[data-focus="all"]').click()
    check("kinds")
    page.set_input_files("#teach-file", photo)
    page.locator(".seen > li").nth(12).wait_for()
    check("photo")
    page.locator(".seen .answer").first.click()
    page.locator('[data-focus="save"]').click()
    page.locator('[data-focus="forget"]').wait_for()
    check("known")


def test_the_owner_finds_the_page_and_keeps_corrections_when_wanted(
    make_server: Make, phone: Callable[..., Phone]
) -> None:
    server = make_server("20")
    page = phone(server.url).open("/#more")
    page.locator(".owner summary").click()
    switch = page.get_by_role("switch", name="Keep corrected rolls")
    assert not switch.is_checked()
    switch.click()
    page.get_by_text("No corrected roll of real dice yet").wait_for()
    assert server.get("/api/state")["settings"]["keep_corrections"] is True
    page.get_by_role("link", name="Teach my dice").click()
    page.locator(".lies").wait_for()
