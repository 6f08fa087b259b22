"""The routes on a real session, without a camera process."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from PIL import Image

from tablesight.webui.app import create_app
from tablesight.webui.house import House


def reading(seat: int, dice: list[tuple[str, int]], number: int = 1, doubt: int | None = None) -> dict[str, Any]:
    """A reading of the camera process; `doubt` is the place of a die that it is not sure of."""
    return {
        "type": "reading", "id": f"r{number}-{seat}", "at_s": 1.0, "width": 640, "height": 480, "zone": seat,
        "ms": {"detect": 1, "read": 1, "total": 2},
        "dice": [
            {
                "id": f"t{number}-{seat}-{place}", "box": [10, 10, 50, 50], "kind": kind,
                "color": kind.partition("-")[0],
                "sides": int(kind.partition("-d")[2]), "marking": "numeral", "ink": "white", "face": abs(value),
                "value": value, "confidence": 0.5 if place == doubt else 0.99, "accepted": place != doubt,
                "candidates": [
                    {"kind": kind, "face": abs(value), "value": value, "p": 0.5},
                    {"kind": kind, "face": 3, "value": 3, "p": 0.4},
                ],
            }
            for place, (kind, value) in enumerate(dice)
        ],
    }  # fmt: skip


class Table:
    """A house without a running camera process, and a client of it."""

    def __init__(self, data_dir: Path) -> None:
        self.house = House(data_dir, lambda _: [sys.executable, "-c", ""])
        self.client: FlaskClient = create_app(self.house).test_client()

    def post(self, path: str, body: Any) -> tuple[int, Any]:
        answer = self.client.post(path, json=body)
        return answer.status_code, answer.get_json()

    def start(self, *players: str, **options: Any) -> str:
        status, reply = self.post("/api/games", {"players": list(players), "options": options})
        assert status == 201, reply
        return str(reply["id"])

    def see(self, seat: int, dice: list[tuple[str, int]], number: int = 1, doubt: int | None = None) -> bool:
        header = reading(seat, dice, number, doubt)
        self.house._on_camera(header, b"")
        game = self.game
        return bool(game and game["seats"][seat]["state"] != "waiting")

    def empty(self, *seats: int) -> None:
        self.house.session.take_gate({str(seat): "empty" for seat in seats})

    @property
    def game(self) -> Any:
        return self.client.get("/api/state").get_json()["game"]

    def seat(self, seat: int) -> Any:
        return self.game["seats"][seat]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "data")
    yield table
    table.house.close()


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
        {"index": 0, "kind": "yellow-d6", "value": 2, "corrected": True, "question": False}
    ]  # fmt: skip


def test_an_answer_stays_when_the_same_dice_are_read_again(table: Table) -> None:
    game_id = table.start("Ana", "Ben", mode="watching")
    table.post(
        f"/api/games/{game_id}/events",
        {"type": "rolled", "dice": [[{"kind": "yellow-d6", "value": 1}], [{"kind": "yellow-d6", "value": 2}]]},
    )
    table.empty(0, 1)
    dice = [("yellow-d6", 4), ("blue-d6", 2), ("pink-d12", 5)]
    header = reading(0, dice, 2)
    for die in header["dice"][:2]:
        die["accepted"] = False
    table.house._on_camera(header, b"")
    assert len(table.game["questions"]) == 2
    body = {"seat": 0, "reading": "r2-0", "die": "t2-0-0", "kind": "yellow-d6", "value": 6}
    table.post(f"/api/games/{game_id}/answers", body)
    table.house._on_camera({**header, "id": "r2-0b"}, b"")
    assert [die["value"] for die in table.seat(0)["dice"]] == [6, 2, 5]
    assert len(table.game["questions"]) == 1


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
    assert table.house.session.take_reading(reading(0, [("yellow-d6", 2)]), simulated=True) is False
    assert table.seat(0)["state"] == "waiting"


def test_a_whole_roll_by_taps(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    body = {"seat": 1, "round": 1, "dice": [{"kind": "yellow-d6", "value": 5}]}
    assert table.post(f"/api/games/{game_id}/rolls", body)[0] == 200
    assert table.seat(1)["scores"]["total"] == 5
    status, reply = table.post(f"/api/games/{game_id}/rolls", body)
    assert status == 409
    assert "already" in reply["error"]
    assert table.seat(1)["scores"]["total"] == 5


def test_the_sheet_goes_out_as_csv_and_json(table: Table) -> None:
    game_id = table.start("=Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.see(1, [("yellow-d6", 5)])
    text = table.client.get(f"/api/games/{game_id}/sheet.csv").get_data(as_text=True)
    assert "player,round,yellow,purple,blue,red,green,clear,pink,total" in text
    assert "'=Ana,1,2,0,0,0,0,0,0,2" in text
    data = table.client.get(f"/api/games/{game_id}/sheet.json").get_json()
    assert data["rounds"][0]["dice"] == [[{"kind": "yellow-d6", "value": 2}], [{"kind": "yellow-d6", "value": 5}]]
    assert data["totals"] == [2, 5]


def test_the_state_survives_a_restart_to_the_last_entry(tmp_path: Path) -> None:
    first = Table(tmp_path / "data")
    game_id = first.start("Ana", "Ben")
    first.see(0, [("yellow-d6", 2)])
    first.post(f"/api/games/{game_id}/corrections", {"round": 1, "seat": 0, "die": 0, "value": 6})
    first.see(1, [("yellow-d6", 5)])
    before = first.game
    first.house.close()
    second = Table(tmp_path / "data")
    assert second.game == before
    second.house.close()


def numbered(seat: int, throw: int, dice: list[tuple[str, int]]) -> dict[str, Any]:
    """A reading of a camera process that tells throws apart."""
    return {**reading(seat, dice, throw), "throw": throw}


def test_looking_again_at_one_seat_does_not_count_another_s_dice_twice(table: Table) -> None:
    table.start("Ana", "Ben")
    table.house._on_camera(numbered(0, 1, [("yellow-d6", 4)]), b"")
    table.house._on_camera(numbered(1, 1, [("yellow-d6", 4)]), b"")
    assert table.game["phase"] == "reroll"
    # "read now" reads every zone; these are the dice of the tie
    table.house._on_camera({**numbered(0, 1, [("yellow-d6", 4)]), "id": "again"}, b"")
    assert table.seat(0)["state"] == "waiting"
    table.house._on_camera(numbered(0, 2, [("yellow-d6", 4)]), b"")
    assert table.seat(0)["state"] == "rolled"


def test_a_restarted_camera_that_reads_the_old_dice_again_changes_nothing(table: Table) -> None:
    table.start("Ana", "Ben")
    table.house._on_camera(numbered(0, 5, [("yellow-d6", 4)]), b"")
    table.house._on_camera(numbered(1, 5, [("yellow-d6", 4)]), b"")
    table.house.session.camera_restarted()
    table.house._on_camera(numbered(0, 1, [("yellow-d6", 4)]), b"")
    assert table.seat(0)["state"] == "waiting"
    table.house._on_camera(numbered(0, 2, [("yellow-d6", 3)]), b"")
    assert table.seat(0)["state"] == "rolled"


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


def test_the_final_sheet_is_a_picture_too_and_games_are_listed_with_their_scores(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, [("yellow-d6", 2)])
    table.see(1, [("yellow-d6", 5)])
    png = table.client.get(f"/api/games/{game_id}/sheet.png").data
    assert png.startswith(b"\x89PNG")
    (listed,) = table.client.get("/api/games").get_json()["games"]
    assert (listed["players"], listed["totals"], listed["ended"]) == (["Ana", "Ben"], [2, 5], False)


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


def test_the_dice_of_a_picture_are_cut_out_one_by_one_and_together(table: Table) -> None:
    picture = Image.new("RGB", (640, 480), "green")
    picture.paste((255, 255, 0), (300, 200, 340, 240))
    jpeg = io.BytesIO()
    picture.save(jpeg, "JPEG")
    header = reading(0, [("yellow-d6", 2)])
    header["dice"][0]["box"] = [300, 200, 340, 240]
    table.start("Ana", "Ben")
    table.house._on_camera(header, jpeg.getvalue())
    with Image.open(io.BytesIO(table.client.get("/stills/r1-0/dice/t1-0-0.jpg").data)) as die:
        assert die.size == (256, 256)
        assert sum(die.convert("RGB").getpixel((128, 128))[:2]) > 400
    with Image.open(io.BytesIO(table.client.get("/stills/r1-0/hand.jpg").data)) as hand:
        assert hand.size == (120, 120)
    assert table.client.get("/stills/r1-0/dice/t9.jpg").status_code == 404
    assert table.client.get("/stills/r9/hand.jpg").status_code == 404
    assert table.game["seats"][0]["still"] == "r1-0"
    assert table.client.get("/api/state").get_json()["boxes"][0]["box"] == [0.4688, 0.4167, 0.5312, 0.5]


def test_a_die_that_was_read_for_certain_and_not_touched_stays_read(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    rolled = {"type": "rolled", "dice": [[{"kind": "yellow-d6", "value": 1}], [{"kind": "yellow-d6", "value": 2}]]}
    table.post(f"/api/games/{game_id}/events", rolled)
    table.empty(0, 1)
    dice = [("yellow-d6", 4), ("green-d20", 2), ("pink-d12", 5)]
    table.house._on_camera(reading(0, dice, 2, doubt=1), b"")
    again = reading(0, [("yellow-d6", 3), ("green-d20", 9), ("pink-d12", 5)], 2, doubt=0)
    again["dice"][1]["id"] = "thrown again"
    table.house._on_camera({**again, "id": "later"}, b"")
    assert table.seat(0)["state"] == "rolled"
    assert sorted((die["kind"], die["value"]) for die in table.seat(0)["dice"]) == [
        ("green-d20", 9),
        ("pink-d12", 5),
        ("yellow-d6", 4),
    ]
