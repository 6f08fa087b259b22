"""A full disk: one sentence, nothing lost, and all is well again once there is room."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from tablesight.webui.app import create_app
from tablesight.webui.house import House
from tablesight.webui.store import Store


def test_a_full_disk_is_said_in_one_sentence_and_costs_nothing(tmp_path: Path) -> None:
    house = House(tmp_path / "data", lambda _: [sys.executable, "-c", ""])
    client = create_app(house).test_client()
    game = client.post("/api/games", json={"players": ["Ana", "Ben"]}).get_json()["id"]
    saved = client.get("/api/backup").data
    (pages,) = house.store._db.execute("PRAGMA page_count").fetchone()
    house.store._db.execute(f"PRAGMA max_page_count={pages}")
    before = client.get("/api/state").get_json()["game"]
    for body in ({"players": ["A" * 20, "B" * 20], "game": "panda-royale"},) * 40:
        answer = client.post("/api/games", json=body)
        if answer.status_code != 201:
            break
        before = client.get("/api/state").get_json()["game"]
    assert (answer.status_code, "the disk is full" in answer.get_json()["error"]) == (507, True)
    assert client.get("/api/state").get_json()["game"] == before
    assert client.get("/healthz").get_json()["status"] == "degraded"
    house.store._db.execute("PRAGMA max_page_count=1000000")
    assert client.post("/api/games", json={"players": ["Ana", "Ben"]}).status_code == 201
    assert house.store.is_full is False
    assert client.post("/api/restore", data={"backup": (io.BytesIO(saved), "b.zip")}).status_code == 200
    assert client.get("/api/state").get_json()["game"]["id"] == game
    house.close()


def test_a_copy_that_fell_behind_is_written_anew_with_the_next_entry(tmp_path: Path) -> None:
    store = Store(tmp_path / "log.sqlite")
    store.append("g", {"type": "note", "n": 0})
    with Path("/dev/full").open("ab", buffering=0) as full:
        usual, store._journal._file = store._journal._file, full
        store.append("g", {"type": "note", "n": 1})
    store._journal._file = usual
    assert len(store._journal.entries()) == 1
    store.append("g", {"type": "note", "n": 2})
    assert store._journal.entries() == store.entries()
    store.append("g", {"type": "note", "n": 3})
    assert store._journal.entries() == store.entries()
    store.close()
