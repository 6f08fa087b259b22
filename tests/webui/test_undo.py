"""Undo takes back what the person saw, not what has happened since."""

from __future__ import annotations

from typing import Any

Table = Any


def test_what_happened_since_is_not_undone_in_its_place(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)])
    correction = {"round": 1, "seat": 0, "die": 0, "value": 2}
    status, reply = table.post(f"/api/games/{game_id}/corrections", correction)
    assert status == 200
    roll = {"seat": 1, "round": 1, "dice": [{"kind": "yellow-d6", "value": 3}]}
    status, later = table.post(f"/api/games/{game_id}/rolls", roll)
    assert status == 200
    status, refusal = table.post(f"/api/games/{game_id}/undo", {"seq": reply["seq"]})
    assert (status, refusal["error"]) == (409, "something else has happened meanwhile: look again")
    assert table.seat(1)["scores"]["yellow"] == 3
    assert table.post(f"/api/games/{game_id}/undo", {"seq": later["seq"]})[0] == 200
    assert table.seat(0)["scores"]["yellow"] == 2


def test_after_an_undo_the_page_knows_what_the_next_one_takes_back(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)])
    table.see(1, [("yellow-d6", 4)])
    assert table.post(f"/api/games/{game_id}/corrections", {"round": 1, "seat": 0, "die": 0, "value": 2})[0] == 200
    rolls = [{"type": "seat_rolled", "seat": seat} for seat in (0, 1)]
    for left in ({"type": "corrected", "seat": 0}, rolls[1], rolls[0]):
        assert table.game["undoes"] == left
        assert table.post(f"/api/games/{game_id}/undo", {})[0] == 200
    assert not table.game["can_undo"]
    assert table.post(f"/api/games/{game_id}/redo", {})[0] == 200
    assert table.game["undoes"] == rolls[0]


def test_what_was_taken_back_is_told_to_whoever_did_not_tap(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)])
    assert table.game["last"]["turned"] is None
    assert table.post(f"/api/games/{game_id}/undo", {})[0] == 200
    taken = table.game["last"]
    assert (taken["type"], taken["turned"]["type"], taken["turned"]["seat"]) == ("undone", "seat_rolled", 0)
    assert table.post(f"/api/games/{game_id}/redo", {})[0] == 200
    brought = table.game["last"]
    assert (brought["type"], brought["turned"]["type"], brought["turned"]["seat"]) == ("redone", "seat_rolled", 0)
