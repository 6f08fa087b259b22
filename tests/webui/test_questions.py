"""Questions about doubtful dice on a real session, and their answers."""

from __future__ import annotations

from typing import Any

Table = Any


def test_a_doubtful_die_is_asked_about_and_nothing_counts_before(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)], doubt=0)
    assert table.seat(0)["state"] == "asks"
    assert table.seat(0)["scores"] is None
    (question,) = table.game["questions"]
    assert [(c["kind"], c["value"]) for c in question["candidates"]] == [("yellow-d6", 6), ("yellow-d6", 3)]
    body = {"seat": 0, "reading": question["reading"], "die": question["die"], "kind": "yellow-d6", "value": 3}
    assert table.post(f"/api/games/{game_id}/answers", body)[0] == 200
    assert table.seat(0)["state"] == "rolled"
    assert table.seat(0)["dice"][0]["value"] == 3
    assert table.seat(0)["dice"][0]["corrected"]
    assert table.post(f"/api/games/{game_id}/answers", body)[0] == 409


def test_a_legal_value_that_the_model_never_proposed_is_accepted_and_scored(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)], doubt=0)
    question = table.game["questions"][0]
    body = {"seat": 0, "reading": question["reading"], "die": question["die"], "kind": "yellow-d6", "value": 1}
    assert table.post(f"/api/games/{game_id}/answers", body)[0] == 200
    assert table.seat(0)["scores"]["yellow"] == 1
    body["value"] = 9
    table.see(1, [("yellow-d6", 2)], doubt=0)
    question = table.game["questions"][0]
    status, reply = table.post(
        f"/api/games/{game_id}/answers", {**body, "seat": 1, "reading": question["reading"], "die": question["die"]}
    )
    assert status == 400
    assert "1 to 6" in reply["error"]


def test_an_answer_stays_when_the_same_dice_are_read_again(table: Table) -> None:
    game_id = table.start("Ana", "Ben", mode="watching")
    table.post(
        f"/api/games/{game_id}/events",
        {"type": "rolled", "dice": [[{"kind": "yellow-d6", "value": 1}], [{"kind": "yellow-d6", "value": 2}]]},
    )
    table.empty(0, 1)
    dice = [("yellow-d6", 4), ("blue-d6", 2), ("pink-d12", 5)]
    header = table.reading(0, dice, 2)
    for die in header["dice"][:2]:
        die["accepted"] = False
    table.house._on_camera(header, b"")
    assert len(table.game["questions"]) == 2
    body = {"seat": 0, "reading": "r2-0", "die": "t2-0-0", "kind": "yellow-d6", "value": 6}
    table.post(f"/api/games/{game_id}/answers", body)
    table.house._on_camera({**header, "id": "r2-0b"}, b"")
    assert [die["value"] for die in table.seat(0)["dice"]] == [6, 2, 5]
    assert len(table.game["questions"]) == 1


def test_a_question_stays_when_the_dice_are_taken_away(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6)], doubt=0)
    table.empty(0, 1)
    (question,) = table.game["questions"]
    body = {"seat": 0, "die": question["die"], "kind": "yellow-d6", "value": 6}
    assert table.post(f"/api/games/{game_id}/answers", body)[0] == 200
    assert table.seat(0)["scores"]["yellow"] == 6


def test_what_is_no_die_can_be_taken_out_of_a_hand(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 6), ("blue-d6", 2)], doubt=1)
    (question,) = table.game["questions"]
    assert question["too_many"]
    assert table.post(f"/api/games/{game_id}/answers", {"seat": 0, "die": question["die"], "none": True})[0] == 200
    assert [die["kind"] for die in table.seat(0)["dice"]] == ["yellow-d6"]


def test_a_die_that_was_read_for_certain_and_not_touched_stays_read(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    rolled = {"type": "rolled", "dice": [[{"kind": "yellow-d6", "value": 1}], [{"kind": "yellow-d6", "value": 2}]]}
    table.post(f"/api/games/{game_id}/events", rolled)
    table.empty(0, 1)
    dice = [("yellow-d6", 4), ("green-d20", 2), ("pink-d12", 5)]
    table.house._on_camera(table.reading(0, dice, 2, doubt=1), b"")
    again = table.reading(0, [("yellow-d6", 3), ("green-d20", 9), ("pink-d12", 5)], 2, doubt=0)
    again["dice"][1]["id"] = "thrown again"
    table.house._on_camera({**again, "id": "later"}, b"")
    assert table.seat(0)["state"] == "rolled"
    assert sorted((die["kind"], die["value"]) for die in table.seat(0)["dice"]) == [
        ("green-d20", 9),
        ("pink-d12", 5),
        ("yellow-d6", 4),
    ]
