"""The list of players before a game, and the colours that people choose."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from tablesight.webui.app import create_app
from tablesight.webui.house import House
from tablesight.webui.seat_colours import colours_of


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data", lambda _: [sys.executable, "-c", ""], pin="1234")
    yield house
    house.close()


def phone(house: House) -> FlaskClient:
    client = create_app(house).test_client()
    client.get("/")
    return client


def rows(client: FlaskClient) -> list[tuple[str, int]]:
    return [(row["name"], row["color"]) for row in client.get("/api/state").get_json()["lobby"]]


def put(client: FlaskClient, **body: Any) -> tuple[int, Any]:
    answer = client.post("/api/lobby", json=body)
    return answer.status_code, answer.get_json()


def test_two_phones_type_into_one_list(house: House) -> None:
    ana, ben = phone(house), phone(house)
    assert rows(ana) == [("", 0), ("", 1)]
    assert put(ana, id="1", name="Ana", seen="")[0] == 200
    assert put(ben, id="2", name="Ben", seen="")[0] == 200
    assert put(ben, id="k3", name="Cleo")[0] == 200
    assert rows(ana) == [("Ana", 0), ("Ben", 1), ("Cleo", 2)]


def test_two_phones_in_the_same_line_the_second_is_told_and_nothing_is_lost(house: House) -> None:
    ana, ben = phone(house), phone(house)
    put(ana, id="1", name="Ana", seen="")
    status, reply = put(ben, id="1", name="Ben", seen="")
    assert status == 409
    assert "typing" in reply["error"]
    assert rows(ben)[0][0] == "Ana"
    assert put(ana, id="1", name="Anna", seen="Ana")[0] == 200


def test_a_colour_is_chosen_once(house: House) -> None:
    client = phone(house)
    put(client, id="1", name="Ana", color=5)
    assert rows(client)[0] == ("Ana", 5)
    status, reply = put(client, id="2", name="Ben", color=5)
    assert (status, "Ana has this colour" in reply["error"]) == (409, True)
    assert rows(client)[1] == ("", 1)
    assert put(client, id="2", color=10)[0] == 400


def test_the_colours_go_with_the_players_into_the_game_and_into_the_next(house: House) -> None:
    client = phone(house)
    client.post("/api/games", json={"players": ["Ana", "Ben"], "colors": [4, 2]})
    assert [seat["color"] for seat in client.get("/api/state").get_json()["game"]["seats"]] == [4, 2]
    assert rows(client) == [("Ana", 4), ("Ben", 2)]  # of the next game
    client.post("/api/games", json={"players": ["Cleo", "ben", "Ana"]})
    assert [seat["color"] for seat in client.get("/api/state").get_json()["game"]["seats"]] == [0, 2, 4]


def test_a_player_changes_the_colour_in_the_middle_of_a_game(house: House) -> None:
    client = phone(house)
    client.post("/api/games", json={"players": ["Ana", "Ben"]})
    assert client.post("/api/me", json={"seat": 1, "color": 7}).status_code == 200
    assert [seat["color"] for seat in client.get("/api/state").get_json()["game"]["seats"]] == [0, 7]
    answer = client.post("/api/me", json={"seat": 0, "color": 7})
    assert answer.status_code == 409
    assert "Ben has this colour" in answer.get_json()["error"]


def choose_at_once(house: House, monkeypatch: pytest.MonkeyPatch, colours: Sequence[int]) -> list[int]:
    """Each seat's phone chooses its colour, all in the same moment; the answers' statuses."""
    phones = [phone(house) for _ in colours]
    phones[0].post("/api/games", json={"players": ["Ana", "Ben"]})
    writing, change = threading.Barrier(len(colours)), house.settings.change

    def slow(name: str, value: Any, who: str = "") -> None:
        # a write waits for the other phone's, as on a slow card; where no other comes, it goes on
        with contextlib.suppress(threading.BrokenBarrierError):
            writing.wait(0.5)
        change(name, value, who)

    monkeypatch.setattr(house.settings, "change", slow)

    def choose(seat: int) -> int:
        return phones[seat].post("/api/me", json={"seat": seat, "color": colours[seat]}).status_code

    with ThreadPoolExecutor(len(colours)) as pool:
        return list(pool.map(choose, range(len(colours))))


def test_two_phones_that_choose_one_colour_in_the_same_moment_do_not_both_get_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sorted(choose_at_once(house, monkeypatch, [3, 3])) == [200, 409]
    assert list(house.settings["colors"].values()) == [3]


def test_two_phones_that_choose_two_colours_in_the_same_moment_both_keep_theirs(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert choose_at_once(house, monkeypatch, [3, 4]) == [200, 200]
    assert house.settings["colors"] == {"ana": 3, "ben": 4}


def test_a_game_does_not_start_with_one_colour_for_two_players(house: House) -> None:
    client = phone(house)
    answer = client.post("/api/games", json={"players": [" Ana ", "Ben"], "colors": [4, 4]})
    assert answer.status_code == 409
    assert answer.get_json()["error"] == "Ana has this colour: choose another one"
    assert client.get("/api/state").get_json()["game"] is None
    assert client.post("/api/games", json={"players": [7, "Ben"], "colors": [4, 4]}).status_code == 400


def test_names_and_colours_survive_a_restart(tmp_path: Path) -> None:
    first = House(tmp_path / "data", lambda _: [sys.executable, "-c", ""])
    phone(first).post("/api/games", json={"players": ["Ana", "Ben"], "colors": [3, 8]})
    first.close()
    second = House(tmp_path / "data", lambda _: [sys.executable, "-c", ""])
    assert rows(phone(second)) == [("Ana", 3), ("Ben", 8)]
    second.close()


def test_at_a_locked_table_everybody_changes_only_the_own_line(house: House) -> None:
    host, ben = phone(house), phone(house)
    host.post("/api/host", json={"pin": "1234"})
    host.post("/api/settings", json={"locked": True})
    assert put(ben, id="1", name="Ben")[0] == 200
    assert put(phone(house), id="1", name="Nobody", seen="Ben")[0] == 403
    assert put(ben, id="1", name="Benny", seen="Ben")[0] == 200
    assert put(host, id="1", name="Ben", seen="Benny")[0] == 200


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"id": "<b>", "name": "A"}, id="no id"),
        pytest.param({"id": "1", "name": 7}, id="a number as a name"),
        pytest.param({"id": "1", "color": True}, id="a truth as a colour"),
        pytest.param({"name": "A"}, id="nothing to change"),
    ],
)
def test_a_wrong_line_is_refused(house: House, body: dict[str, Any]) -> None:
    client = phone(house)
    assert client.post("/api/lobby", json=body).status_code == 400
    assert rows(client) == [("", 0), ("", 1)]


def test_ten_lines_and_no_more_two_and_no_fewer(house: House) -> None:
    client = phone(house)
    for number in range(3, 11):
        assert put(client, id=str(number), name="")[0] == 200
    assert put(client, id="11", name="")[0] == 400
    for number in range(1, 11):
        put(client, id=str(number), gone=True)
    assert len(rows(client)) == 2


@given(
    st.lists(st.sampled_from("abcdefghij"), min_size=2, max_size=10, unique=True),
    st.dictionaries(st.sampled_from("abcdefghij"), st.integers(0, 9)),
)
def test_no_two_players_have_one_colour_and_the_first_who_likes_one_has_it(
    names: list[str], liked: dict[str, int]
) -> None:
    colours = colours_of(names, liked)
    assert len(set(colours)) == len(names)
    for seat, name in enumerate(names):
        earlier = {liked.get(other) for other in names[:seat]}
        if name in liked and liked[name] not in earlier:
            assert colours[seat] == liked[name]


def test_what_turns_the_line_round_is_left_out_of_a_name_while_it_is_typed(house: House) -> None:
    client = phone(house)
    assert put(client, id="1", name="A\u202en\u2066a\u200f\x07")[0] == 200
    assert rows(client)[0][0] == "Ana"
