"""Notes of a roll that are none are refused before anything is stored; a log that holds some is read without them."""

from __future__ import annotations

from typing import Any

import pytest

from tablesight.webui.corrections import corrected_rolls

Table = Any

BAD = [
    pytest.param({"by_hand": ["x"]}, id="a text as a place"),
    pytest.param({"by_hand": 5}, id="a number as the places"),
    pytest.param({"by_hand": None}, id="null as the places"),
    pytest.param({"by_hand": [[1]]}, id="a list as a place"),
    pytest.param({"by_hand": {"a": 1}}, id="an object as the places"),
    pytest.param({"by_hand": [1]}, id="a place without a die"),
    pytest.param({"by_hand": [-1]}, id="a place before the first"),
    pytest.param({"by_hand": [True]}, id="true as a place"),
    pytest.param({"by_hand": [0, 0]}, id="one place twice"),
    pytest.param({"played": 5}, id="a number as those that were played"),
    pytest.param({"played": [[]]}, id="a list in those that were played"),
    pytest.param({"ids": 5}, id="a number as the ids"),
    pytest.param({"ids": {"a": 1}}, id="an object as the ids"),
    pytest.param({"ids": [1]}, id="a number as an id"),
    pytest.param({"ids": ["../x"]}, id="a path as an id"),
    pytest.param({"ids": ["a", "b"]}, id="more ids than dice"),
    pytest.param({"reading": [1]}, id="a list as the picture"),
    pytest.param({"reading": "../../x"}, id="a path as the picture"),
]


@pytest.mark.parametrize("note", BAD)
def test_a_note_that_is_none_is_refused_and_nothing_is_stored(table: Table, note: dict[str, Any]) -> None:
    game_id = table.start("Ana", "Ben")
    before = table.house.store.last_seq()
    roll = {"type": "seat_rolled", "seat": 0, "dice": [{"kind": "yellow-d6", "value": 1}]}
    status, reply = table.post(f"/api/games/{game_id}/events", {**roll, **note})
    assert (status, repr(next(iter(note))) in reply["error"]) == (400, True)
    assert table.house.store.last_seq() == before
    assert table.seat(0)["state"] == "waiting"
    fine = {"reading": "r1-0", "ids": ["t1.0"], "by_hand": [0], "played": []}
    assert table.post(f"/api/games/{game_id}/events", {**roll, **fine})[0] == 200
    assert table.seat(0)["dice"][0]["corrected"]


@pytest.mark.parametrize("note", BAD)
def test_a_log_with_such_a_note_is_read_without_it(table: Table, note: dict[str, Any]) -> None:
    game_id = table.start("Ana", "Ben")
    roll = {"type": "seat_rolled", "seat": 0, "dice": [{"kind": "yellow-d6", "value": 1}], "reading": "r1-0"}
    table.house.store.append(game_id, {**roll, **note})
    table.house.session.reload()
    assert table.seat(0)["state"] == "rolled"
    assert table.seat(0)["scores"]["yellow"] == 1
    for address in ("/", "/api/state", f"/api/games/{game_id}/rounds/1", f"/api/games/{game_id}/sheet.json"):
        assert table.client.get(address).status_code == 200
    assert corrected_rolls(table.house.store.entries(), lambda _: None, simulated=True) == ()
    assert table.post(f"/api/games/{game_id}/undo", {})[0] == 200
