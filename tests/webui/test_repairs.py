"""A damaged log that was repaired at the start is told to the host on the page, until it has been read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tablesight.webui.app import create_app
from tablesight.webui.house import House
from tablesight.webui.repairs import MOST, Repairs
from tablesight.webui.store import Store

Opener = Callable[[], tuple[House, FlaskClient]]


def play_and_damage(data_dir: Path) -> None:
    """Two players start a game; then both files of the log lose their tails."""
    house = House(data_dir, lambda _: [sys.executable, "-c", ""])
    client = create_app(house).test_client()
    client.post("/api/games", json={"players": ["Ana", "Ben"]})
    for number in range(30):
        house.store.append(None, {"type": "note", "n": number, "text": "x" * 200})
    house.close()
    damage(data_dir)


def damage(data_dir: Path) -> None:
    path = data_dir / "tablesight.sqlite"
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.write_bytes(path.read_bytes()[:4096])
    journal = path.with_suffix(".jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-10]))


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opener]:
    houses: list[House] = []

    def make() -> tuple[House, FlaskClient]:
        for house in houses:
            house.close()
        houses.append(House(tmp_path / "data", lambda _: [sys.executable, "-c", ""]))
        return houses[-1], create_app(houses[-1]).test_client()

    yield make
    for house in houses:
        house.close()


def test_the_host_is_told_which_game_how_much_and_where_until_it_is_read(opened: Opener, tmp_path: Path) -> None:
    play_and_damage(tmp_path / "data")
    Store(tmp_path / "data" / "tablesight.sqlite").close()  # as `serve` does, before the house opens it
    house, client = opened()
    (told,) = client.get("/api/state").get_json()["repairs"]
    assert told["kept"] == len(house.store.entries()) > 10
    assert told["game"]["game"] == "panda-royale"
    assert told["game"]["players"] == ["Ana", "Ben"]
    assert Path(told["aside"]).is_file()
    assert Path(told["aside"]).parent == tmp_path / "data"
    _, client = opened()  # a restart before anybody has looked
    assert client.get("/api/state").get_json()["repairs"] == [told]
    answer = client.post("/api/repairs", json={"id": told["id"]})
    assert (answer.status_code, answer.get_json()) == (200, {"repairs": 0})
    assert client.get("/api/state").get_json()["repairs"] == []
    _, client = opened()
    assert client.get("/api/state").get_json()["repairs"] == []


def test_a_locked_table_s_players_do_not_put_it_away(opened: Opener, tmp_path: Path) -> None:
    play_and_damage(tmp_path / "data")
    house, client = opened()
    house.settings.change("host", "somebody else")
    house.settings.change("locked", True)
    (told,) = client.get("/api/state").get_json()["repairs"]
    assert client.post("/api/repairs", json={"id": told["id"]}).status_code == 403
    assert client.get("/api/state").get_json()["repairs"] == [told]


def test_a_log_of_which_nothing_could_be_saved_names_no_game(opened: Opener, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tablesight.sqlite").write_bytes(b"no database" * 100)
    _, client = opened()
    (told,) = client.get("/api/state").get_json()["repairs"]
    assert (told["kept"], told["game"]) == (0, None)


def test_a_sound_log_tells_nothing(opened: Opener) -> None:
    opened()
    _, client = opened()
    assert client.get("/api/state").get_json()["repairs"] == []


def test_a_list_of_repairs_that_is_damaged_itself_costs_only_the_message(tmp_path: Path) -> None:
    path = tmp_path / "repairs.json"
    for text in ("", "[1]", '{"a": 1}', "[" * 5000, '[{"id": 1}]'):
        path.write_text(text)
        assert Repairs(path).unread == ()
    repairs = Repairs(path)
    for number in range(MOST + 2):
        repairs.note(number, None, tmp_path)
    assert [repair.kept for repair in Repairs(path).unread] == list(range(2, MOST + 2))


def put_an_older_file_back(data_dir: Path) -> None:
    """Two players start a game; somebody saves the file of the games; it goes on; the saved file is put back."""
    path = data_dir / "tablesight.sqlite"
    house = House(data_dir, lambda _: [sys.executable, "-c", ""])
    client = create_app(house).test_client()
    client.post("/api/games", json={"players": ["Ana", "Ben"]})
    saved = path.read_bytes()
    client.post("/api/games", json={"players": ["Cleo", "Dan"]})
    house.close()
    path.write_bytes(saved)


def players(client: FlaskClient) -> list[str]:
    return [seat["name"] for seat in client.get("/api/state").get_json()["game"]["seats"]]


def test_an_older_file_put_back_loses_nothing_and_the_host_goes_back_to_it_and_forth(
    opened: Opener, tmp_path: Path
) -> None:
    put_an_older_file_back(tmp_path / "data")
    house, client = opened()
    (told,) = client.get("/api/state").get_json()["repairs"]
    assert (told["what"], told["added"]) == ("behind", 1)
    assert players(client) == ["Cleo", "Dan"]
    entries = len(house.store.entries())
    answer = client.post("/api/repairs", json={"id": told["id"], "back": True})
    assert (answer.status_code, answer.get_json()) == (200, {"repairs": 1})
    assert players(client) == ["Ana", "Ben"]
    _, client = opened()  # it stays so
    assert players(client) == ["Ana", "Ben"]
    (told,) = client.get("/api/state").get_json()["repairs"]
    assert (told["what"], told["kept"]) == ("exchanged", entries - 1)
    assert client.post("/api/repairs", json={"id": told["id"], "back": True}).status_code == 200
    assert players(client) == ["Cleo", "Dan"]
    (told,) = client.get("/api/state").get_json()["repairs"]
    client.post("/api/repairs", json={"id": told["id"]})
    _, client = opened()
    assert client.get("/api/state").get_json()["repairs"] == []
    assert players(client) == ["Cleo", "Dan"]


def test_going_back_is_refused_where_there_is_nothing_to_go_back_to(opened: Opener, tmp_path: Path) -> None:
    put_an_older_file_back(tmp_path / "data")
    _, client = opened()
    (told,) = client.get("/api/state").get_json()["repairs"]
    assert client.post("/api/repairs", json={"id": "none", "back": True}).status_code == 404
    Path(told["aside"]).unlink()
    answer = client.post("/api/repairs", json={"id": told["id"], "back": True})
    assert answer.status_code == 400
    assert "nothing was changed" in answer.get_json()["error"]
    assert players(client) == ["Cleo", "Dan"]
    assert client.get("/api/state").get_json()["repairs"] == [told]


def test_the_page_lets_the_host_go_back_to_an_older_file(
    make_server: Callable[..., Any], phone: Callable[..., Any], tmp_path: Path
) -> None:
    put_an_older_file_back(tmp_path / "data")
    page = phone(make_server("600").url, "iPhone SE", locale="de-DE").open()
    card = page.locator(".repair")
    card.get_by_text("Ihre Kopie kannte 1 späteren Eintrag").wait_for()
    page.locator(".seat", has_text="Cleo").wait_for()
    assert "tablesight-older-" in card.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    card.get_by_role("button", name="Zurück zu dieser Datei").click()
    page.locator(".seat", has_text="Ana").wait_for()
    card.get_by_text("gilt wieder").wait_for()
    card.get_by_role("button", name="Verstanden").click()
    card.wait_for(state="detached")


def test_the_page_tells_the_host_in_german_and_forgets_it_when_understood(
    make_server: Callable[..., Any], phone: Callable[..., Any], tmp_path: Path
) -> None:
    play_and_damage(tmp_path / "data")
    server = make_server("600")
    host = phone(server.url, "iPhone SE", locale="de-DE")
    page = host.open()
    card = page.locator(".repair")
    card.get_by_text("Panda Royale mit Ana, Ben").wait_for()
    assert "tablesight.sqlite.damaged-" in card.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    page.reload()
    card.wait_for()
    # once there is a host, the others are not bothered
    page.evaluate(
        "fetch('/api/games', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify({players: ['Cleo', 'Dan']})})"
    )
    other = phone(server.url).open()
    other.locator(".seat").first.wait_for()
    assert other.locator(".repair").count() == 0
    page.reload()
    card.wait_for()
    card.get_by_role("button", name="Verstanden").click()
    card.wait_for(state="detached")
    page.reload()
    page.locator(".seat").first.wait_for()
    assert card.count() == 0
