"""What people say of red dice reaches the camera process, once."""

from __future__ import annotations

from typing import Any

Table = Any


def test_a_red_die_that_a_person_names_teaches_its_ink_and_a_correction_too(table: Table) -> None:
    sent: list[dict[str, Any]] = []
    table.house._inks._send = lambda message: sent.append(message) or True
    table.start("Ana", "Ben")
    for seat in (0, 1):
        table.house._on_camera(table.reading(seat, [("yellow-d6", 2 + seat)]), b"")
    table.empty(0, 1)
    table.house._on_camera(table.reading(1, [("yellow-d6", 5), ("red-d6", 4)], 2, doubt=1), b"")
    assert sent == []
    body = {"seat": 1, "die": "t2-1-1", "kind": "red-d6", "value": -4}
    assert table.client.post(f"/api/games/{table.game['id']}/answers", json=body).status_code == 200
    confirmed = {"type": "confirm_ink", "kind": "red-d6", "face": 4, "ink": "black"}
    assert sent == [confirmed]
    table.house._on_camera(table.reading(0, [("yellow-d6", 5), ("blue-d8", 4), ("pink-d12", 3)], 2), b"")
    assert sent == [confirmed]
    dice = table.seat(1)["dice"]
    place = next(number for number, die in enumerate(dice) if die["kind"] == "red-d6")
    body = {"round": 2, "seat": 1, "die": place, "value": 4}
    assert table.client.post(f"/api/games/{table.game['id']}/corrections", json=body).status_code == 200
    assert sent == [confirmed, {**confirmed, "ink": "white"}]


def test_a_camera_that_is_not_there_is_told_later(table: Table) -> None:
    sent: list[dict[str, Any]] = []
    table.house._inks._send = lambda message: sent.append(message)
    table.start("Ana", "Ben")
    for seat in (0, 1):
        table.house._on_camera(table.reading(seat, [("yellow-d6", 2 + seat)]), b"")
    table.empty(0, 1)
    table.house._on_camera(table.reading(1, [("yellow-d6", 5), ("red-d6", 4)], 2, doubt=1), b"")
    body = {"seat": 1, "die": "t2-1-1", "kind": "red-d6", "value": 4}
    table.client.post(f"/api/games/{table.game['id']}/answers", json=body)
    table.house._on_camera(table.reading(0, [("yellow-d6", 5), ("blue-d8", 4), ("pink-d12", 3)], 2), b"")
    assert len(sent) >= 2
    assert {message["ink"] for message in sent} == {"white"}
