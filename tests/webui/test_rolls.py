"""Rolls on a real session, without a camera process: what counts, what is asked, what is left."""

from __future__ import annotations

from typing import Any

Table = Any


def test_what_the_camera_reads_is_scored_as_on_the_paper(table: Table) -> None:
    table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.see(1, [("yellow-d6", 5)])
    assert table.game["phase"] == "scored"
    assert table.game["token"] == 1
    assert [seat["running"] for seat in table.game["seats"]] == [2, 5]
    table.empty(0, 1)
    table.see(0, [("yellow-d6", 4), ("red-d6", -6), ("pink-d12", 11)], 2)
    table.see(1, [("yellow-d6", 1), ("glitter-d6", 3)], 2)
    game = table.game
    assert game["round"] == 2
    assert game["seats"][0]["scores"] == {
        "yellow": 4, "purple": 0, "blue": 0, "red": -6, "green": 0, "clear": 0, "pink": 11, "total": 9,
        "has": ["yellow", "red", "pink"],
    }  # fmt: skip
    assert game["seats"][1]["scores"]["blue"] == 6


def test_a_whole_roll_by_taps(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    body = {"seat": 1, "round": 1, "dice": [{"kind": "yellow-d6", "value": 5}]}
    assert table.post(f"/api/games/{game_id}/rolls", body)[0] == 200
    assert table.seat(1)["scores"]["total"] == 5
    status, reply = table.post(f"/api/games/{game_id}/rolls", body)
    assert status == 409
    assert "already" in reply["error"]
    assert table.seat(1)["scores"]["total"] == 5


def test_a_wrong_number_of_dice_is_asked_about_not_scored(table: Table) -> None:
    table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6), ("yellow-d6", 2)])
    assert table.seat(0)["state"] == "count"
    (question,) = table.game["questions"]
    assert (question["what"], question["seen"], question["expected"]) == ("count", 2, 1)
    assert table.seat(0)["scores"] is None


def test_a_hand_that_cannot_be_is_said_and_can_be_accepted(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("blue-d6", 6)])
    (question,) = table.game["questions"]
    assert question["what"] == "hand"
    assert "blue d6" in question["text"]
    assert table.post(f"/api/games/{game_id}/answers", {"seat": 0, "accept": True})[0] == 200
    assert table.seat(0)["scores"]["blue"] == 6


def test_dice_that_stay_on_the_table_are_not_the_next_roll(table: Table) -> None:
    table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.see(1, [("yellow-d6", 5)])
    table.see(1, [("yellow-d6", 5)], 2)
    game = table.game
    assert (game["phase"], game["round"], game["questions"]) == ("scored", 1, [])


def test_dice_taken_up_again_mean_nothing(table: Table) -> None:
    table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.empty(0)
    assert table.seat(0)["dice"][0]["value"] == 2
    table.see(0, [("yellow-d6", 6)], 2)
    assert table.seat(0)["dice"][0]["value"] == 2


def test_a_tie_for_yellow_rolls_only_the_yellow_dice_again(table: Table) -> None:
    table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 4)])
    table.see(1, [("yellow-d6", 4)])
    assert table.game["phase"] == "reroll"
    table.see(0, [("yellow-d6", 1)], 2)
    table.see(1, [("yellow-d6", 3)], 2)
    assert table.game["phase"] == "scored"
    assert [seat["running"] for seat in table.game["seats"]] == [1, 3]


def test_a_real_game_never_goes_on_with_simulated_dice(table: Table) -> None:
    table.start("Ana", "Ben")
    assert table.house.session.take_reading(table.reading(0, [("yellow-d6", 2)]), simulated=True) is False
    assert table.seat(0)["state"] == "waiting"


def test_looking_again_at_one_seat_does_not_count_another_s_dice_twice(table: Table) -> None:
    table.start("Ana", "Ben")
    table.house._on_camera(table.numbered(0, 1, [("yellow-d6", 4)]), b"")
    table.house._on_camera(table.numbered(1, 1, [("yellow-d6", 4)]), b"")
    assert table.game["phase"] == "reroll"
    # "read now" reads every zone; these are the dice of the tie
    table.house._on_camera({**table.numbered(0, 1, [("yellow-d6", 4)]), "id": "again"}, b"")
    assert table.seat(0)["state"] == "waiting"
    table.house._on_camera(table.numbered(0, 2, [("yellow-d6", 4)]), b"")
    assert table.seat(0)["state"] == "rolled"


def test_a_restarted_camera_that_reads_the_old_dice_again_changes_nothing(table: Table) -> None:
    table.start("Ana", "Ben")
    table.house._on_camera(table.numbered(0, 5, [("yellow-d6", 4)]), b"")
    table.house._on_camera(table.numbered(1, 5, [("yellow-d6", 4)]), b"")
    table.house.session.camera_restarted()
    table.house._on_camera(table.numbered(0, 1, [("yellow-d6", 4)]), b"")
    assert table.seat(0)["state"] == "waiting"
    table.house._on_camera(table.numbered(0, 2, [("yellow-d6", 3)]), b"")
    assert table.seat(0)["state"] == "rolled"


def test_the_referee_tells_how_the_hands_came_about(table: Table) -> None:
    table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.see(1, [("yellow-d6", 5)])
    table.empty(0, 1)
    table.see(0, [("yellow-d6", 4), ("red-d6", -6), ("pink-d12", 11)], 2)
    table.see(1, [("yellow-d6", 1), ("glitter-d6", 3)], 2)
    assert table.game["story"] == [
        {"seat": 0, "draft": "red-d6", "takes": []},
        {"seat": 1, "draft": "glitter-d6", "takes": []},
    ]
