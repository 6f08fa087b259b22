"""A backup that this version cannot read to its end is refused, says where, and costs nothing."""

from __future__ import annotations

import io
import json
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


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Two players have rolled in round 1; the host has changed a setting."""
    house = House(tmp_path / "data", lambda _: [sys.executable, "-c", ""])
    client = create_app(house).test_client()
    game = client.post("/api/games", json={"players": ["Ana", "Ben"]}).get_json()["id"]
    for seat in (0, 1):
        dice = [{"kind": "yellow-d6", "value": 3 + seat}]
        assert client.post(f"/api/games/{game}/rolls", json={"seat": seat, "round": 1, "dice": dice}).status_code == 200
    house.settings.change("chances", False)
    yield house
    house.close()


def zipped(log: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("tablesight.sqlite", log)
    return out.getvalue()


def changed(store: Store, folder: Path, statement: str, values: list[Any]) -> bytes:
    """The log after an SQL statement."""
    path = folder / "changed.sqlite"
    store.backup(path)
    db = sqlite3.connect(path)
    db.execute(statement, values)
    db.commit()
    db.close()
    return path.read_bytes()


def put_back(client: FlaskClient, data: bytes) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/restore", data={"backup": (io.BytesIO(data), "backup.zip")})
    return answer.status_code, answer.get_json()


EVENT = "UPDATE events SET event = ? WHERE seq = ?"
ROLL = {"type": "seat_rolled", "seat": 0, "dice": [{"kind": "yellow-d6", "value": 3}]}
START = {"type": "game_started", "version": 1, "game": "panda-royale", "players": ["Ana", "Ben"], "options": {}}
UNREADABLE = [
    pytest.param(EVENT, ['{"type": "se', 2], 2, "JSON|delimiter|Unterminated", id="half an event"),
    pytest.param(EVENT, ["[]", 2], 2, "expected an event", id="a list as an event"),
    pytest.param(EVENT, [json.dumps({**ROLL, "type": "dice_flew"}), 2], 2, "dice_flew", id="an unknown type"),
    pytest.param(EVENT, [json.dumps({"seat": 0}), 2], 2, "type", id="no type"),
    pytest.param(EVENT, [json.dumps({"type": "mood_changed"}), 4], 4, "mood_changed", id="an unknown one of the house"),
    pytest.param(EVENT, [json.dumps({**ROLL, "dice": [{"kind": "gold-d6", "value": 3}]}), 2], 2, "gold", id="no die"),
    pytest.param(EVENT, [json.dumps({**ROLL, "seat": 7}), 2], 2, "seat", id="a seat that is none"),
    pytest.param(EVENT, [json.dumps({**START, "game": "chess"}), 1], 1, "chess", id="an unknown game"),
    pytest.param(EVENT, [json.dumps({**START, "players": "Ana"}), 1], 1, "players", id="players that are none"),
    pytest.param("DELETE FROM events WHERE seq = ?", [1], 1, "game_started", id="a game without its beginning"),
    pytest.param("UPDATE events SET at = ? WHERE seq = 3", [9e99], 3, "time", id="a time that is none"),
]


@pytest.mark.parametrize(("statement", "values", "entry", "words"), UNREADABLE)
@pytest.mark.parametrize("alone", [False, True], ids=["zip", "the log alone"])
def test_a_backup_with_an_entry_that_cannot_be_read_names_it_and_changes_nothing(
    house: House, tmp_path: Path, statement: str, values: list[Any], entry: int, words: str, alone: bool
) -> None:
    client = create_app(house).test_client()
    log = changed(house.store, tmp_path, statement, values)
    before, files = house.store.entries(), sorted((tmp_path / "data").iterdir())
    status, answer = put_back(client, log if alone else zipped(log))
    assert status == 400
    assert f"entry {entry} of this backup cannot be read (" in answer["error"]
    assert any(word in answer["error"] for word in words.split("|"))
    assert "nothing was changed; choose another backup" in answer["error"]
    assert house.store.entries() == before
    assert sorted((tmp_path / "data").iterdir()) == files


def test_what_an_older_version_wrote_into_the_house_s_own_log_can_be_put_back(house: House) -> None:
    client = create_app(house).test_client()
    assert house.session.record is not None
    game = house.session.record.id
    house.store.append(game, {"type": "of_another_time"})
    saved = client.get("/api/backup").data
    house.store.append(None, {"type": "setting_changed", "name": "chances", "value": True})
    assert put_back(client, saved) == (200, {"entries": 5})


def test_a_log_alone_is_a_backup_too(house: House, tmp_path: Path) -> None:
    client = create_app(house).test_client()
    log = (tmp_path / "data" / "tablesight.sqlite").read_bytes()
    house.settings.change("chances", True)
    assert put_back(client, log) == (200, {"entries": 4})
    assert house.settings["chances"] is False


def test_a_backup_with_a_damaged_page_says_so(house: House, tmp_path: Path) -> None:
    client = create_app(house).test_client()
    log = bytearray((tmp_path / "data" / "tablesight.sqlite").read_bytes())
    log[4096:4500] = b"\xff" * 404
    status, answer = put_back(client, zipped(bytes(log)))
    assert status == 400
    assert "the log in this backup is damaged (" in answer["error"]
    assert len(house.store.entries()) == 4


@pytest.mark.parametrize("name", ["../tablesight.sqlite", "/etc/tablesight.sqlite", "taught/../../evil", "..\\evil"])
def test_a_backup_that_names_files_elsewhere_writes_none(house: House, tmp_path: Path, name: str) -> None:
    client = create_app(house).test_client()
    with zipfile.ZipFile(packed := io.BytesIO(client.get("/api/backup").data), "a") as archive:
        archive.writestr(name, b"evil")
    before = sorted(tmp_path.rglob("*"))
    put_back(client, packed.getvalue())
    after = set(tmp_path.rglob("*")) - set(before)
    assert [path for path in after if path.is_file() and path.read_bytes() == b"evil"] == []
    assert {path.parent for path in after} <= {tmp_path / "data", tmp_path / "data" / "taught"}


def test_killed_between_log_and_copy_a_restore_holds(house: House, tmp_path: Path) -> None:
    older = house.store.entries()[:2]
    house.store._journal.rewrite = lambda entries: None  # type: ignore[method-assign]  # it comes to nothing more
    house.store._journal.path.write_bytes(b"")  # the first thing that `replace` does
    house.store.replace(older)
    house.store.close()
    store = Store(tmp_path / "data" / "tablesight.sqlite")
    assert store.entries() == older
    store.close()
