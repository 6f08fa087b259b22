"""A die that was read or told wrong, put right: at once, later, by two at the same time."""

from __future__ import annotations

from typing import Any

import pytest

Table = Any


def test_a_correction_before_the_roll_counts_is_taken_too(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)], doubt=0)
    status, _ = table.post(f"/api/games/{game_id}/corrections", {"round": 1, "seat": 0, "die": 0, "value": 4})
    assert status == 200
    assert table.seat(0)["scores"]["yellow"] == 4


def test_a_corrected_die_is_never_overwritten_by_a_later_still(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)])
    assert table.post(f"/api/games/{game_id}/corrections", {"round": 1, "seat": 0, "die": 0, "value": 2})[0] == 200
    table.see(0, [("yellow-d6", 6)], 2)
    table.empty(0)
    table.see(0, [("yellow-d6", 6)], 3)
    assert table.seat(0)["dice"] == [
        {
            "index": 0, "kind": "yellow-d6", "value": 2, "corrected": True, "question": False,
            "image": "/stills/r1-0/dice/t1-0-0.jpg",
        }
    ]  # fmt: skip


def test_two_phones_correcting_the_same_die_the_second_is_told(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)])
    seen = {"kind": "yellow-d6", "value": 6}
    first = {"round": 1, "seat": 0, "die": 0, "value": 2, "seen": seen}
    assert table.post(f"/api/games/{game_id}/corrections", first)[0] == 200
    status, reply = table.post(f"/api/games/{game_id}/corrections", {**first, "value": 5})
    assert status == 409
    assert "faster" in reply["error"]
    assert table.seat(0)["dice"][0]["value"] == 2


@pytest.mark.parametrize(
    "seen", [pytest.param(5, id="a number"), pytest.param([], id="a list"), pytest.param(None, id="null")]
)
def test_what_was_seen_must_be_a_die(table: Table, seen: object) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)])
    body = {"round": 1, "seat": 0, "die": 0, "value": 2, "seen": seen}
    status, reply = table.post(f"/api/games/{game_id}/corrections", body)
    assert status == 400
    assert "expected an object with 'kind' and 'value' as 'seen'" in reply["error"]
    assert table.seat(0)["dice"][0]["value"] == 6


def test_a_correction_of_round_2_while_in_round_4_changes_the_totals(table: Table) -> None:
    game_id = table.start("Ana", "Ben", mode="strict")
    post = lambda event: table.post(f"/api/games/{game_id}/events", event)  # noqa: E731  # one line is clearer here
    hands: list[list[str]] = [["yellow-d6"], ["yellow-d6"]]
    for number in range(1, 4):
        pity = table.game["seats"]
        dice = [
            [{"kind": kind, "value": 2 + seat} for kind in hands[seat]]
            + ([{"kind": "pink-d12", "value": 1}] if pity[seat]["pink"] else [])
            for seat in range(2)
        ]
        assert post({"type": "rolled", "dice": dice})[0] == 200
        for seat in table.game["turn"]:
            assert post({"type": "trading_ended", "seat": seat})[0] == 200
        assert post({"type": "pool_drawn", "dice": ["red-d6", "red-d6", "red-d6"]})[0] == 200
        for seat in table.game["turn"]:
            assert post({"type": "drafted", "seat": seat, "kind": "red-d6"})[0] == 200
            hands[seat].append("red-d6")
        assert table.game["round"] == number + 1
    before = table.seat(0)["running"]
    die = next(
        d
        for d in table.client.get(f"/api/games/{game_id}/rounds/2").get_json()["seats"][0]["dice"]
        if d["kind"] == "red-d6"
    )
    body = {"round": 2, "seat": 0, "die": die["index"], "value": -6}
    assert table.post(f"/api/games/{game_id}/corrections", body)[0] == 200
    assert table.seat(0)["running"] == before - 8
    assert any(change["what"] == "score" for change in table.game["last"]["changes"])
    assert table.post(f"/api/games/{game_id}/undo", {})[0] == 200
    assert table.seat(0)["running"] == before
    assert table.post(f"/api/games/{game_id}/redo", {})[0] == 200
    assert table.seat(0)["running"] == before - 8


def test_every_die_that_counts_comes_with_its_own_picture(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 4)])
    table.see(1, [("yellow-d6", 4)])
    assert table.game["phase"] == "reroll"
    table.house.session.take_gate({"0": "moving", "1": "moving"})
    for seat, value in ((0, 3), (1, 5)):
        rolled = {"seat": seat, "round": 1, "dice": [{"kind": "yellow-d6", "value": value}]}
        assert table.post(f"/api/games/{game_id}/rolls", rolled)[0] == 200
    round_one = table.client.get(f"/api/games/{game_id}/rounds/1").get_json()
    pictures = [[die["image"] for die in seat["dice"]] for seat in round_one["seats"]]
    assert pictures == [[None], [None]]  # tapped in: the old picture would show another number
    table.empty(0, 1)
    table.see(0, [("yellow-d6", 1), ("red-d6", -2)], 2)
    dice = {die["kind"]: die["image"] for die in table.seat(0)["dice"]}
    assert dice == {"yellow-d6": "/stills/r2-0/dice/t2-0-0.jpg", "red-d6": "/stills/r2-0/dice/t2-0-1.jpg"}
