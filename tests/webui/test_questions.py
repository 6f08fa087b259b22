"""Questions about doubtful dice on a real session, and their answers."""

from __future__ import annotations

from typing import Any

import pytest

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


def two_doubts(table: Table) -> str:
    """A game whose first seat has two doubtful dice on the table."""
    game_id = table.start("Ana", "Ben", mode="watching")
    table.post(
        f"/api/games/{game_id}/events",
        {"type": "rolled", "dice": [[{"kind": "yellow-d6", "value": 1}], [{"kind": "yellow-d6", "value": 2}]]},
    )
    table.empty(0, 1)
    header = table.reading(0, [("yellow-d6", 4), ("blue-d6", 2)], 2)
    for die in header["dice"]:
        die["accepted"] = False
    table.house._on_camera(header, b"")
    assert len(table.game["questions"]) == 2
    return str(game_id)


def test_who_answers_a_question_otherwise_than_a_faster_phone_is_told(table: Table) -> None:
    game_id = two_doubts(table)
    body = {"seat": 0, "reading": "r2-0", "die": "t2-0-0", "kind": "yellow-d6", "value": 6}
    assert table.house.session.answer(game_id, body, "ana")
    for late in ({"value": 5}, {"kind": "red-d6"}, {"none": True}):
        status, reply = table.post(f"/api/games/{game_id}/answers", {**body, **late})
        assert (status, "somebody was faster: this die is now a yellow d6 with 6" in reply["error"]) == (409, True)
    assert len(table.seat(0)["dice"]) == 2
    assert table.seat(0)["dice"][0]["value"] == 6
    assert table.house.session.answer(game_id, {**body, "value": 3}, "ana")  # the own mind may be changed
    assert table.seat(0)["dice"][0]["value"] == 3
    assert table.post(f"/api/games/{game_id}/answers", {**body, "value": 3})[0] == 200  # they agree
    seen = {"seen": {"kind": "yellow-d6", "value": 3}}
    assert table.post(f"/api/games/{game_id}/answers", {**body, "value": 2, **seen})[0] == 200  # knows what was told
    assert table.post(f"/api/games/{game_id}/answers", {**body, "value": 1, **seen})[0] == 409
    assert table.post(f"/api/games/{game_id}/answers", {**body, "value": 1, "seen": 5})[0] == 400
    assert table.seat(0)["dice"][0]["value"] == 2


def test_who_corrects_a_doubtful_die_that_is_another_by_now_is_told(table: Table) -> None:
    game_id = two_doubts(table)
    body = {"round": 2, "seat": 0, "die": 0, "value": 6, "seen": {"kind": "yellow-d6", "value": 4}}
    assert table.post(f"/api/games/{game_id}/corrections", body)[0] == 200
    status, reply = table.post(f"/api/games/{game_id}/corrections", {**body, "value": 5})
    assert (status, "this die is now a yellow d6 with 6" in reply["error"]) == (409, True)
    assert table.seat(0)["dice"][0]["value"] == 6
    again = {**body, "value": 5, "seen": {"kind": "yellow-d6", "value": 6}}
    assert table.post(f"/api/games/{game_id}/corrections", again)[0] == 200
    assert table.seat(0)["dice"][0]["value"] == 5


@pytest.mark.parametrize("kind", [pytest.param([], id="a list"), pytest.param({"a": 1}, id="an object"), 5, None])
def test_a_kind_that_is_none_is_refused_with_a_sentence(table: Table, kind: Any) -> None:
    game_id = two_doubts(table)
    answer = {"seat": 0, "reading": "r2-0", "die": "t2-0-0", "kind": kind, "value": 6}
    in_doubt = {"round": 2, "seat": 0, "die": 0, "value": 6, "kind": kind}
    scored = {"round": 1, "seat": 0, "die": 0, "value": 6, "kind": kind}
    for name, body in (("answers", answer), ("corrections", in_doubt), ("corrections", scored)):
        status, reply = table.post(f"/api/games/{game_id}/{name}", body)
        assert (status, "kind" in reply["error"]) == (400, True)
    if kind is not None:
        status, reply = table.post("/api/teach/forget", {"kind": kind})
        assert (status, "thirteen kinds" in reply["error"]) == (400, True)
