"""What the routes refuse: a sentence, the right status, and nothing changed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tablesight.webui.app import create_app
from tablesight.webui.house import MOST_PHOTOS, House


class Door:
    """A client of a house without a running camera process."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        answer = self.client.post(path, json=body)
        return answer.status_code, answer.get_json()

    def start(self) -> str:
        status, reply = self.post("/api/games", {"players": ["Ana", "Ben"]})
        assert status == 201, reply
        return str(reply["id"])

    @property
    def game(self) -> Any:
        return self.client.get("/api/state").get_json()["game"]


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    house = House(tmp_path / "data", lambda _: [sys.executable, "-c", ""])
    yield Door(create_app(house).test_client())
    house.close()


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        pytest.param({}, "list of names", id="no players"),
        pytest.param({"players": "Ana, Ben"}, "list of names", id="a text"),
        pytest.param({"players": ["Ana"]}, "2 to 10", id="one player"),
        pytest.param({"players": [f"P{n}" for n in range(11)]}, "2 to 10", id="eleven players"),
        pytest.param({"players": ["Ana", "  "]}, "player 2 has no name", id="an empty name"),
        pytest.param({"players": ["Ana", "\u200b\u3164\x07"]}, "player 2 has no name", id="an invisible name"),
        pytest.param({"players": ["Ana", "An\u200ba"]}, "two players are called", id="a name that looks the same"),
        pytest.param({"players": ["Ana", "\ud800"]}, "whole characters", id="half a character"),
        pytest.param({"players": ["Ana", "Ben"], "options": {"\udfff": 1}}, "whole characters", id="half a name"),
        pytest.param({"players": ["Ana", " ana "]}, "two players are called", id="the same name twice"),
        pytest.param({"players": ["Ana", 7]}, "text as the name of player 2", id="a number as a name"),
        pytest.param({"players": ["Ana", "B" * 25]}, "at most 24", id="a very long name"),
        pytest.param({"players": ["Ana", "Ben"], "options": {"mode": "magic"}}, "mode", id="an unknown option"),
        pytest.param({"players": ["Ana", "Ben"], "options": []}, "object", id="options that are a list"),
        pytest.param({"players": ["Ana", "Ben"], "game": "chess"}, "panda-royale", id="an unknown game"),
    ],
)
def test_a_bad_start_is_refused_with_a_sentence_and_loses_nothing(door: Door, body: Any, sentence: str) -> None:
    running = door.start()
    status, reply = door.post("/api/games", body)
    assert status == 400
    assert sentence in reply["error"]
    assert door.game["id"] == running


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        pytest.param("corrections", {"round": 1, "seat": 0, "die": 0}, 400, id="a correction without a value"),
        pytest.param("corrections", {"round": 1, "seat": 0, "die": 0, "value": 7}, 400, id="7 on a d6"),
        pytest.param("corrections", {"round": 1, "seat": 0, "die": 0, "value": 0}, 400, id="0 on a d6"),
        pytest.param("corrections", {"round": 1, "seat": 0, "die": 0, "value": True}, 400, id="true as a value"),
        pytest.param("corrections", {"round": 99, "seat": 0, "die": 0, "value": 1}, 400, id="round 99"),
        pytest.param("corrections", {"round": 1, "seat": -1, "die": 0, "value": 1}, 400, id="seat -1"),
        pytest.param("corrections", {"round": 1, "seat": 0, "die": 5, "value": 1}, 400, id="die 5 of one"),
        pytest.param("corrections", {"round": 1, "seat": 0, "die": 0, "value": 1, "kind": "d4"}, 400, id="a d4"),
        pytest.param("events", {}, 400, id="an event without a type"),
        pytest.param("events", {"type": "cheat"}, 400, id="an unknown event"),
        pytest.param("events", {"type": "undone"}, 400, id="undo has its own address"),
        pytest.param("redo", {}, 409, id="nothing to redo"),
        pytest.param("answers", {"seat": 0}, 409, id="no question"),
        pytest.param("rolls", {"seat": 9, "round": 1, "dice": []}, 409, id="a roll of seat 9"),
        pytest.param("rolls", {"seat": 1, "round": 1, "dice": [{"kind": 5}]}, 400, id="dice without values"),
    ],
)
def test_bad_writes_get_a_sentence_and_change_nothing(door: Door, path: str, body: Any, status: int) -> None:
    game_id = door.start()
    roll = {"seat": 0, "round": 1, "dice": [{"kind": "yellow-d6", "value": 3}]}
    assert door.post(f"/api/games/{game_id}/rolls", roll)[0] < 300
    before = door.game
    code, reply = door.post(f"/api/games/{game_id}/{path}", body)
    assert (code, bool(reply["error"])) == (status, True)
    assert door.game == before


def test_a_game_that_is_not_there_is_missing(door: Door) -> None:
    assert door.post("/api/games/nothing/undo", {})[0] == 404
    assert door.client.get("/api/games/nothing/sheet.csv").status_code == 404
    assert door.client.get("/stills/../../etc/passwd.jpg").status_code == 404
    assert door.client.get("/stills/nothing.jpg").get_json()["error"]
    assert door.client.get("/api/simulated/truth").status_code == 404
    assert door.client.get("/nowhere").get_json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "https://evil.example"}, id="another origin"),
        pytest.param({"Origin": "http://[bad"}, id="an origin that is no address"),
        pytest.param({"Sec-Fetch-Site": "cross-site"}, id="cross-site"),
        pytest.param({"Origin": "http://rebound.example", "Host": "rebound.example"}, id="a rebound name"),
    ],
)
def test_writes_from_other_sites_are_refused(door: Door, headers: dict[str, str]) -> None:
    answer = door.client.post("/api/games", json={"players": ["Ana", "Ben"]}, headers=headers)
    assert answer.status_code == 403
    assert door.game is None


def test_a_body_that_is_no_json_is_refused(door: Door) -> None:
    answer = door.client.post("/api/games", data="players=Ana", content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 415
    for data, sentence in (
        (b"{", "JSON object"),
        (b"\xff", "JSON object"),
        (b"[]", "JSON object"),
        (b'{"players": NaN}', "NaN"),
        (b"[" * 50_000, "levels"),
        (b'{"players": ' + b"[" * 500 + b"]" * 500 + b"}", "levels"),
    ):
        answer = door.client.post("/api/games", data=data, content_type="application/json")
        assert (answer.status_code, sentence in answer.get_json()["error"]) == (400, True)
    assert door.client.post("/api/games", data=b" " * 1_000_001, content_type="application/json").status_code == 413


def test_control_characters_are_dropped_from_a_name_and_emoji_stay_whole(door: Door) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert door.post("/api/games", {"players": ["A\x00n\x1ba\u202e", family]})[0] == 201
    assert [seat["name"] for seat in door.game["seats"]] == ["Ana", family]


@pytest.mark.parametrize(("path", "name"), [("/api/settings", "camera"), ("/api/host", "pin")])
def test_half_a_character_in_a_setting_or_a_pin_is_refused(door: Door, path: str, name: str) -> None:
    status, reply = door.post(path, {name: "\ud800"})
    assert (status, "whole characters" in reply["error"]) == (400, True)


def test_the_fourth_photo_at_the_same_time_is_refused_before_it_is_taken_in(door: Door) -> None:
    house = door.client.application.extensions["house"]
    photo = lambda: {"photo": (io.BytesIO(b"\xff\xd8"), "a.jpg")}  # noqa: E731  # a file is read once
    with house.place_for_photo(), house.place_for_photo(), house.place_for_photo():
        answer = door.client.post("/api/photos", data=photo())
        assert answer.status_code == 503
        assert "send this one again in a minute" in answer.get_json()["error"]
    for _ in range(MOST_PHOTOS + 1):  # a photo that fails gives its place back
        assert "just starting" in door.client.post("/api/photos", data=photo()).get_json()["error"]


def test_photos_too_large_empty_or_missing_are_refused(door: Door) -> None:
    head = b'--edge\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n\xff\xd8'
    huge = head + b"\0" * (41 * 1024 * 1024) + b"\r\n--edge--\r\n"
    answer = door.client.post("/api/photos", data=huge, content_type="multipart/form-data; boundary=edge")
    assert answer.status_code == 413
    assert "40 MB" in answer.get_json()["error"]
    answer = door.client.post("/api/photos", data={"photo": (io.BytesIO(b""), "a.jpg")})
    assert "empty" in answer.get_json()["error"]
    assert door.client.post("/api/photos", data={}).status_code == 400
