"""The pencil marks what a person told, die by die, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from tablesight.webui.record import SIMULATED, replayed

Table = Any


def second_round(table: Table) -> str:
    """Two players have scored a round; in the second the camera doubts both dice of the first player."""
    game = str(table.start("Ana", "Ben"))
    table.see(0, [("yellow-d6", 6)])
    table.see(1, [("yellow-d6", 4)])
    table.empty(0, 1)
    header = table.reading(0, [("yellow-d6", 6), ("blue-d6", 2)], 2)
    for die in header["dice"]:
        die["accepted"] = False
    table.house._on_camera(header, b"")
    return game


def tell(table: Table, game: str, die: int, who: str) -> None:
    kind, value = (("yellow-d6", 6), ("blue-d6", 2))[die]
    table.house.session.answer(game, {"seat": 0, "die": f"t2-0-{die}", "kind": kind, "value": value}, who)


def marked(table: Table) -> list[bool]:
    return [die["corrected"] for die in table.seat(0)["dice"]]


@pytest.mark.parametrize("person_first", [True, False])
def test_a_hand_told_by_a_person_and_a_simulated_player_is_marked_die_by_die(table: Table, person_first: bool) -> None:
    game = second_round(table)
    tellers = ("somebody", SIMULATED) if person_first else (SIMULATED, "somebody")
    for die, who in enumerate(tellers):
        tell(table, game, die, who)
    assert table.seat(0)["state"] == "rolled"
    assert marked(table) == [person_first, not person_first]
    again = replayed(table.house.store.entries(game))
    assert again
    assert again.note == table.house.session.record.note  # a restart marks the same dice


def test_yellow_dice_that_are_rolled_again_are_told_by_nobody(table: Table) -> None:
    game = second_round(table)
    for die in (0, 1):
        tell(table, game, die, "somebody")
    table.house._on_camera(table.reading(1, [("yellow-d6", 6), ("red-d6", 1), ("pink-d12", 3)], 2), b"")
    assert table.game["phase"] == "reroll"
    assert marked(table) == [True, True]
    for seat, value in ((0, 3), (1, 2)):
        event = {"type": "seat_rerolled", "seat": seat, "dice": [{"kind": "yellow-d6", "value": value}]}
        assert table.post(f"/api/games/{game}/events", event)[0] == 200
    assert table.game["phase"] == "scored"
    assert [die["value"] for die in table.seat(0)["dice"]] == [3, 2]
    assert marked(table) == [False, True]


@pytest.mark.parametrize("by_taps", [pytest.param(True, id="tapped in"), pytest.param(False, id="seen by the camera")])
def test_yellow_dice_of_a_tie_are_marked_where_people_told_them(table: Table, by_taps: bool) -> None:
    game = str(table.start("Ana", "Ben"))
    table.see(0, [("yellow-d6", 6)])
    table.see(1, [("yellow-d6", 4)])
    table.empty(0, 1)
    for seat, hand in ((0, ["red-d6", "yellow-d6"]), (1, ["pink-d12", "blue-d6", "yellow-d6"])):
        dice = [{"kind": kind, "value": 5} for kind in hand]
        event = {"type": "seat_rolled", "seat": seat, "dice": dice, "by_hand": [0]}
        assert table.post(f"/api/games/{game}/events", event)[0] == 200
    assert table.game["phase"] == "reroll"
    for seat, value in ((0, 3), (1, 2)):
        dice = [{"kind": "yellow-d6", "value": value}]
        if by_taps:
            assert table.post(f"/api/games/{game}/rolls", {"seat": seat, "round": 2, "dice": dice})[0] == 200
        else:
            event = {"type": "seat_rerolled", "seat": seat, "dice": dice}
            assert table.post(f"/api/games/{game}/events", event)[0] == 200
    assert table.game["phase"] == "scored"
    shown = {die["kind"]: die["corrected"] for die in table.seat(0)["dice"]}
    assert shown == {"red-d6": True, "yellow-d6": by_taps}
    again = replayed(table.house.store.entries(game))
    assert again
    assert again.note == table.house.session.record.note
