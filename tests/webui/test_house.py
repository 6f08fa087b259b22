"""Who may do what, settings, backup and restore, reports."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tablesight.webui.app import create_app
from tablesight.webui.house import House
from tablesight.webui.store import Store
from tablesight.webui.system_facts import temperature_c

PIN = "4711"


class Phones:
    """A house and the phones in it, each with its own cookie."""

    def __init__(self, data_dir: Path) -> None:
        self.house = House(data_dir, lambda _: [sys.executable, "-c", ""], pin=PIN)
        self.app = create_app(self.house)

    def phone(self) -> FlaskClient:
        client = self.app.test_client()
        client.get("/")
        return client

    def start(self, client: FlaskClient) -> str:
        return str(client.post("/api/games", json={"players": ["Ana", "Ben"]}).get_json()["id"])


@pytest.fixture
def phones(tmp_path: Path) -> Iterator[Phones]:
    phones = Phones(tmp_path / "data")
    yield phones
    phones.house.close()


def roll(seat: int, value: int) -> dict[str, Any]:
    return {"seat": seat, "round": 1, "dice": [{"kind": "yellow-d6", "value": value}]}


def test_nobody_is_asked_anything_until_the_table_is_locked(phones: Phones) -> None:
    host, other, program = phones.phone(), phones.phone(), phones.app.test_client()
    game = phones.start(host)
    assert host.get("/api/me").get_json() == {"host": True, "seat": None}
    assert other.get("/api/me").get_json()["host"] is False
    assert other.post(f"/api/games/{game}/rolls", json=roll(0, 3)).status_code == 200
    assert program.post(f"/api/games/{game}/undo", json={}).status_code == 200


def test_a_locked_table_lets_players_change_only_their_own_dice(phones: Phones) -> None:
    host, ben, watcher = phones.phone(), phones.phone(), phones.phone()
    game = phones.start(host)
    assert host.post("/api/settings", json={"locked": True}).status_code == 200
    assert ben.post("/api/me", json={"seat": 1}).get_json() == {"host": False, "seat": 1}
    assert ben.post(f"/api/games/{game}/rolls", json=roll(0, 3)).status_code == 403
    assert ben.post(f"/api/games/{game}/rolls", json=roll(1, 3)).status_code == 200
    fix = {"round": 1, "seat": 1, "die": 0, "value": 5}
    assert watcher.post(f"/api/games/{game}/corrections", json=fix).status_code == 403
    assert ben.post(f"/api/games/{game}/corrections", json=fix).status_code == 200
    assert ben.post(f"/api/games/{game}/undo", json={}).status_code == 403
    assert ben.post("/api/games", json={"players": ["A", "B"]}).status_code == 403
    assert ben.post("/api/settings", json={"locked": False}).status_code == 403
    assert host.post(f"/api/games/{game}/undo", json={}).status_code == 200
    assert host.post("/api/settings", json={"locked": False}).status_code == 200
    assert ben.post(f"/api/games/{game}/undo", json={}).status_code == 200


def test_the_pin_makes_another_phone_the_host_and_cannot_be_guessed(phones: Phones) -> None:
    host, other = phones.phone(), phones.phone()
    phones.start(host)
    assert other.post("/api/settings", json={"locked": True}).status_code == 403
    for guess in range(5):
        assert other.post("/api/host", json={"pin": f"{guess:04d}"}).status_code == 403
    assert other.post("/api/host", json={"pin": PIN}).status_code == 429
    phones.house.access._tries.clear()
    assert other.post("/api/host", json={"pin": PIN}).get_json()["host"] is True
    assert host.get("/api/me").get_json()["host"] is False


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"locked": "yes"}, id="a word for a flag"),
        pytest.param({"host": "me"}, id="the host is not set like this"),
        pytest.param({"colour": "red"}, id="an unknown setting"),
        pytest.param({"camera": 7}, id="a number as a camera"),
        pytest.param({"camera": " -x"}, id="an option as a camera"),
        pytest.param({"camera": "auto\x7f"}, id="a control character in a camera"),
        pytest.param({"zones": {"2": [{"seat": 0, "polygon": [[0, 0], [1, 0], [1, 1]]}]}}, id="one zone for two seats"),
        pytest.param({"zones": {"1": [{"seat": 0, "polygon": [[0, 0], [2, 0], [1, 1]]}]}}, id="a corner outside"),
        pytest.param({"zones": {"1": [{"seat": 0, "polygon": [[0, 0], [1, 0]]}]}}, id="two corners"),
        pytest.param({"zones": {"99": []}}, id="99 seats"),
    ],
)
def test_wrong_settings_are_refused(phones: Phones, body: Any) -> None:
    host = phones.phone()
    phones.start(host)
    answer = host.post("/api/settings", json={"chances": False, **body})
    assert (answer.status_code, bool(answer.get_json()["error"])) == (400, True)
    assert phones.house.settings["chances"] is True


def test_settings_and_zones_survive_a_restart_and_reach_the_camera(tmp_path: Path) -> None:
    first = Phones(tmp_path / "data")
    host = first.phone()
    first.start(host)
    zones = {"2": [{"seat": seat, "polygon": [[0.1, 0], [0.9, 0], [0.9, 1]]} for seat in (0, 1)]}
    assert host.post("/api/settings", json={"zones": zones, "chances": False}).status_code == 200
    assert first.house._told["configure"] == {"type": "configure", "seats": 2, "zones": zones["2"]}
    first.house.close()
    second = Phones(tmp_path / "data")
    assert second.house.settings["zones"] == zones
    assert second.house.settings["chances"] is False
    second.house.close()


def test_a_backup_put_back_brings_everything_back(phones: Phones, tmp_path: Path) -> None:
    host = phones.phone()
    game = phones.start(host)
    host.post(f"/api/games/{game}/rolls", json=roll(0, 6))
    before = host.get("/api/state").get_json()["game"]
    saved = host.get("/api/backup").data
    host.post(f"/api/games/{game}/rolls", json=roll(1, 2))
    phones.start(host)
    answer = host.post("/api/restore", data={"backup": (io.BytesIO(saved), "backup.zip")})
    assert answer.get_json() == {"entries": 3}
    assert host.get("/api/state").get_json()["game"] == before
    elsewhere = Phones(tmp_path / "elsewhere")
    assert elsewhere.phone().post("/api/restore", data={"backup": (io.BytesIO(saved), "b.zip")}).status_code == 200
    assert elsewhere.phone().get("/api/state").get_json()["game"] == before
    elsewhere.house.close()


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x05\x06" + b"\0" * 18], ids=["empty", "no zip", "an empty zip"])
def test_a_file_that_is_no_backup_changes_nothing(phones: Phones, data: bytes) -> None:
    host = phones.phone()
    game = phones.start(host)
    answer = host.post("/api/restore", data={"backup": (io.BytesIO(data), "b.zip")})
    assert answer.status_code == 400
    assert "no backup" in answer.get_json()["error"]
    assert host.get("/api/state").get_json()["game"]["id"] == game


def test_a_misread_is_packed_with_picture_reading_and_versions(phones: Phones) -> None:
    host = phones.phone()
    phones.start(host)
    phones.house.stills.keep("r1", b"\xff\xd8picture", {"dice": [{"id": "t1"}]})
    with zipfile.ZipFile(io.BytesIO(host.get("/stills/r1/report.zip?said=yellow-d6+4").data)) as archive:
        assert archive.read("still.jpg") == b"\xff\xd8picture"
        assert json.loads(archive.read("reading.json")) == {"dice": [{"id": "t1"}]}
        assert json.loads(archive.read("said.json")) == {"said": "yellow-d6 4"}
        assert "tablesight" in json.loads(archive.read("versions.json"))
    assert host.get("/stills/r2/report.zip").status_code == 404


def test_mats_for_every_seat_are_a_pdf(phones: Phones) -> None:
    host = phones.phone()
    answer = host.get("/mats.pdf?seats=2&paper=letter")
    assert answer.data.startswith(b"%PDF")
    for seats in ("11", "0", "-2", "nonsense", "2.5", "222222222222"):
        refused = host.get(f"/mats.pdf?seats={seats}")
        assert refused.status_code == 400
        assert seats in refused.get_json()["error"]
    assert host.get("/mats.pdf?paper=a3").status_code == 400


def test_the_machine_tells_its_temperature_where_it_can(phones: Phones, tmp_path: Path) -> None:
    facts = phones.phone().get("/api/system").get_json()
    assert facts["free_bytes"] > 0
    assert temperature_c(tmp_path) is None
    (tmp_path / "thermal_zone0").mkdir()
    (tmp_path / "thermal_zone0" / "temp").write_text("54321\n")
    assert temperature_c(tmp_path) == 54.3


def test_the_log_can_be_taken_away(phones: Phones) -> None:
    host = phones.phone()
    game = phones.start(host)
    lines = [json.loads(line) for line in host.get("/api/log.jsonl").data.splitlines()]
    assert lines[0]["game"] == game
    assert lines[0]["event"]["players"] == ["Ana", "Ben"]


@pytest.mark.parametrize("cookie", ["gerät", "x" * 500, "", "0" * 31, "A" * 32], ids=ascii)
def test_a_device_cookie_that_is_not_ours_is_replaced_and_harms_nobody(phones: Phones, cookie: str) -> None:
    odd, ana = phones.app.test_client(), phones.phone()
    headers = {"Cookie": f"device={cookie}"}
    odd.post("/api/games", json={"players": ["Ana", "Ben"]}, headers=headers)
    assert odd.get("/api/me", headers=headers).get_json()["host"] is False
    assert re.search("device=[0-9a-f]{32};", odd.get("/", headers=headers).headers["Set-Cookie"])
    phones.start(ana)
    assert ana.get("/api/me").get_json()["host"] is True


def test_a_host_that_an_older_version_kept_harms_nobody(phones: Phones) -> None:
    phones.house.settings.change("host", "gerät")
    ana = phones.phone()
    assert ana.get("/api/me").get_json()["host"] is False
    assert ana.post("/api/host", json={"pin": PIN}).get_json()["host"] is True


def test_odd_entries_of_the_log_do_not_stop_the_house(tmp_path: Path) -> None:
    store = Store(tmp_path / "data" / "tablesight.sqlite")
    for name, value in (("zones", 7), ("way", ["mats"]), ("locked", "no"), ("paper", "letter")):
        store.append(None, {"type": "setting_changed", "name": name, "value": value})
    store.append(None, {"type": "game_started", "game": "panda-royale", "players": ["Ana", "Ben"]})
    store.append("g", {"type": "game_started", "game": "panda-royale", "players": 5})
    store.close()
    phones = Phones(tmp_path / "data")
    assert [phones.house.settings[name] for name in ("zones", "way", "locked", "paper")] == [
        {},
        "zones",
        False,
        "letter",
    ]
    assert phones.phone().get("/api/state").get_json()["game"] is None
    assert phones.phone().get("/api/games").status_code == 200
    assert phones.start(phones.phone())
    phones.house.close()


INSERT = "INSERT INTO events (seq, game, at, who, event) VALUES "
CRAFTED = [
    pytest.param([INSERT + "(9007199254740993, 'g', 1.0, '', '{}')"], id="a number beyond counting"),
    pytest.param([INSERT + "(-1, 'g', 1.0, '', '{}')"], id="a number below 1"),
    pytest.param([INSERT + "(900, 'g', 1.0, '', '{\"type\": \"\\ud800\"}')"], id="half a character"),
    pytest.param([INSERT + f"(900, 'g', 1.0, '', '{'[' * 50_000}')"], id="50000 brackets"),
    pytest.param([INSERT + f"(900, 'g', 1.0, '', '{{\"a\": {'[' * 400 + ']' * 400}}}')"], id="a deep event"),
    pytest.param(["ALTER TABLE events RENAME TO e", "CREATE VIEW events AS SELECT * FROM e"], id="a view"),
    pytest.param(["CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM events; END"], id="a trigger"),
    pytest.param(["DROP TABLE events"], id="no table"),
    pytest.param(["DROP TABLE events", "CREATE TABLE events (seq)"], id="another table"),
]


@pytest.mark.parametrize("statements", CRAFTED)
def test_a_crafted_backup_is_refused_and_changes_nothing(phones: Phones, tmp_path: Path, statements: list[str]) -> None:
    host = phones.phone()
    game = phones.start(host)
    path = tmp_path / "crafted.sqlite"
    phones.house.store.backup(path)
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(path, "tablesight.sqlite")
    answer = host.post("/api/restore", data={"backup": (io.BytesIO(packed.getvalue()), "b.zip")})
    assert (answer.status_code, bool(answer.get_json()["error"])) == (400, True)
    assert host.get("/api/state").get_json()["game"]["id"] == game
    assert host.post(f"/api/games/{game}/rolls", json=roll(0, 3)).status_code == 200
