"""Strange bodies at every address that writes: a sentence each, never a crash, and the game stays as it was."""

from __future__ import annotations

import logging
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.app import create_app
from tablesight.webui.house import House

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 10**30, 1.5, float("1e308"), "", "0", "yellow-d6", "x" * 5000, [], {}, [[]],
    [{"kind": "yellow-d6", "value": 3}], {"seat": 0}, [None], {"a": {"b": {"c": []}}}, "\u0000", "../../etc/passwd",
)  # fmt: skip
FIELDS = (
    "players", "options", "game", "type", "round", "seat", "die", "dice", "value", "kind", "seen", "reading", "again",
    "accept", "none", "pin", "locked", "zones", "camera", "way", "paper", "chances", "by_hand", "as_seen",
)  # fmt: skip
TYPES = (
    "rolled",
    "seat_rolled",
    "seat_rerolled",
    "rerolled",
    "corrected",
    "hand_accepted",
    "traded",
    "drafted",
    "undone",
)


@pytest.mark.parametrize("seed", range(4))
def test_strange_bodies_never_crash_the_server(tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    rng = random.Random(seed)
    house = House(tmp_path, lambda _: [sys.executable, "-c", ""], pin="1234")
    client = create_app(house).test_client()
    game = client.post("/api/games", json={"players": ["Ana", "Ben"]}).get_json()["id"]
    addresses = [
        "/api/games", "/api/me", "/api/host", "/api/settings",
        *(f"/api/games/{game}/{what}" for what in ("events", "corrections", "answers", "rolls", "undo", "redo")),
    ]  # fmt: skip
    for _ in range(400):
        body: Any = {name: rng.choice(STRANGE) for name in rng.sample(FIELDS, rng.randint(0, 8))}
        if rng.random() < 0.5:
            body["type"] = rng.choice(TYPES)
        if rng.random() < 0.5:
            body |= {"seat": rng.randint(0, 1), "round": 1, "die": 0}
        if rng.random() < 0.1:
            body = rng.choice(STRANGE)
        address = rng.choice(addresses)
        answer = client.post(address, json=body)
        assert answer.status_code < 500, (address, body)
        if answer.status_code >= 400:
            assert answer.get_json()["error"], (address, body)
        state = client.get("/api/state")
        assert state.status_code == 200, (address, body)
    house.close()
    assert [record.getMessage() for record in caplog.records] == []
    again = House(tmp_path, lambda _: [sys.executable, "-c", ""])
    assert create_app(again).test_client().get("/api/state").status_code == 200
    again.close()
