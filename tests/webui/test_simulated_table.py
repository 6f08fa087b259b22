"""The people at the simulated table answer the camera's questions, rightly, and the pages are told."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.app import create_app
from tablesight.webui.house import House
from tablesight.webui.panda_page import panda_page
from tablesight.webui.record import replayed
from tablesight.webui.simulated_players import Pace
from tablesight.webui.simulated_table import SimulatedTable

PACE = Pace(between_hands=1.0, between_rounds=4.0, after_clearing=2.0, patience=15.0, answers_after=8.0)


class Table:
    """A simulated game of two, with the messages that went to the camera process."""

    def __init__(self, data_dir: Path) -> None:
        self.house = House(data_dir, lambda _: [sys.executable, "-c", ""])
        self.sent: list[dict[str, Any]] = []
        self.people = SimulatedTable(self.house.session, self.sent.append, lambda: None, 1, PACE)
        self.house.session.start(["Ana", "Ben"], {}, "panda-royale", True, "")

    def lay(self, *dice: tuple[int, str, int, float]) -> None:
        """`(seat, kind, value, x)`: what the simulator says lies there."""
        lying = [
            {"seat": seat, "kind": kind, "value": value, "box": [x, 0, x + 40, 40]} for seat, kind, value, x in dice
        ]
        self.people.take_truth({"type": "truth", "width": 640, "height": 480, "dice": lying})

    def see(self, seat: int, *dice: tuple[str, int, float, bool]) -> None:
        """`(kind, value, x, accepted)`: what the camera reads."""
        found = [
            {"id": f"t{x}", "box": [x, 3, x + 38, 41], "kind": kind, "value": value, "confidence": 0.6,
             "accepted": accepted, "candidates": [{"kind": kind, "value": value, "p": 0.6}]}
            for kind, value, x, accepted in dice
        ]  # fmt: skip
        header = {"id": "r1", "at_s": 1.0, "zone": seat, "width": 640, "height": 480, "dice": found}
        self.people.take_reading(header, simulated=True)

    @property
    def hand(self) -> list[tuple[str, int]] | None:
        record = self.house.session.record
        assert record
        hand = record.state.rounds[0].lying[0]
        return None if hand is None else [(die.kind, die.value) for die in hand]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "data")
    yield table
    table.house.close()


def test_a_question_is_answered_with_what_lies_there_after_a_while(table: Table) -> None:
    table.lay((0, "yellow-d6", 4, 100), (1, "yellow-d6", 2, 300))
    table.see(0, ("yellow-d6", 6, 100, False))
    table.people.step(100.0)
    table.people.step(107.9)
    assert (table.hand, table.people.told) == (None, None)
    table.people.step(108.0)
    assert table.hand == [("yellow-d6", 4)]
    assert table.people.told == {"number": 1, "seat": 0, "kind": "yellow-d6", "value": 4}


def test_a_person_at_a_page_may_be_faster(table: Table) -> None:
    table.lay((0, "yellow-d6", 4, 100))
    table.see(0, ("yellow-d6", 6, 100, False))
    table.people.step(100.0)
    record = table.house.session.record
    assert record
    body = {"seat": 0, "die": "t100", "kind": "yellow-d6", "value": 4}
    table.house.session.answer(record.id, body, "somebody")
    table.people.step(120.0)
    assert table.people.told is None


def test_a_pause_right_after_the_start_is_not_forgotten(table: Table) -> None:
    record = table.house.session.record
    assert record
    table.people.pause(True)
    table.people.step(100.0)
    table.people.step(102.0)
    assert table.people.paused
    assert table.people.stands
    table.people.play_next()
    assert (table.people.paused, table.people.stands, table.people.comes) == (True, False, True)  # one round alone
    for seat in (0, 1):
        table.see(seat, ("yellow-d6", 4 + seat, 100, True))
    assert (table.people.stands, table.people.comes) == (True, False)


@pytest.mark.parametrize("who", ["simulated", "somebody"])
def test_only_what_a_person_told_is_marked_so(table: Table, who: str) -> None:
    table.lay((0, "yellow-d6", 4, 100))
    table.see(0, ("yellow-d6", 6, 100, False))
    session = table.house.session
    record = session.record
    assert record

    def marked() -> bool:
        assert session.record
        die = panda_page(session, session.record, [0, 1])["seats"][0]["dice"][0]
        assert die["value"] in (4, 5)
        return bool(die["corrected"])

    session.answer(record.id, {"seat": 0, "die": "t100", "kind": "yellow-d6", "value": 4}, who)
    assert marked() is (who == "somebody")
    again = replayed(table.house.store.entries(record.id))
    assert again
    assert again.note == session.record.note  # a restart marks the same dice
    body = {"round": 1, "seat": 0, "die": 0, "seen": {"kind": "yellow-d6", "value": 4}, "kind": "yellow-d6", "value": 5}
    session.correct(record.id, body, "somebody")
    assert marked()  # a person has corrected it


def test_what_is_no_die_is_called_so(table: Table) -> None:
    table.lay((0, "yellow-d6", 4, 100))
    table.see(0, ("yellow-d6", 4, 100, True), ("clear-d6", 1, 500, False))
    table.people.step(100.0)
    table.people.step(108.0)
    assert table.hand == [("yellow-d6", 4)]


def test_a_die_that_the_camera_does_not_see_is_looked_for_once_and_then_tapped_in(table: Table) -> None:
    table.lay((0, "yellow-d6", 4, 100))
    table.see(0, ("yellow-d6", 4, 100, True), ("clear-d6", 1, 500, True))
    table.people.step(100.0)
    table.people.step(108.0)
    assert {"type": "read_now"} in table.sent
    assert table.hand is None
    table.see(0, ("yellow-d6", 4, 100, True), ("clear-d6", 1, 500, True))
    table.people.step(109.0)
    table.people.step(117.0)
    assert table.hand == [("yellow-d6", 4)]


def test_nobody_throws_the_dice_of_an_open_question_away(table: Table) -> None:
    table.people.step(1.0)
    table.people.step(2.0)
    assert [message["type"] for message in table.sent] == ["throw"]
    table.lay((0, "yellow-d6", 4, 100))
    table.see(0, ("yellow-d6", 6, 100, False))
    table.people.step(9.9)
    table.people.step(17.5)
    assert [list(m["seats"]) for m in table.sent if m["type"] == "throw"] == [["0"], ["1"]]


def kinds_sent(table: Table) -> list[str]:
    return [message["type"] for message in table.sent]


def test_a_paused_table_throws_and_answers_nothing_until_it_goes_on(table: Table) -> None:
    table.people.step(1.0)
    table.people.step(2.0)
    assert kinds_sent(table) == ["throw"]
    table.people.pause(True)
    table.lay((0, "yellow-d6", 4, 100))
    table.see(0, ("yellow-d6", 6, 100, False))
    table.sent.clear()
    for now_s in (3.0, 50.0, 100.0):
        table.people.step(now_s)
    assert (table.sent, table.people.told, table.people.paused) == ([], None, True)
    table.people.pause(False)
    table.people.step(101.0)
    table.people.step(110.0)
    assert kinds_sent(table) == ["throw"]  # Ben's; the die in doubt stays
    assert table.people.told is not None


def phase(table: Table) -> str:
    """What the pages show."""
    session = table.house.session
    assert session.record
    return str(panda_page(session, session.record, [0, 1])["phase"])


def score_a_round(table: Table) -> None:
    table.see(0, ("yellow-d6", 4, 100, True))
    table.see(1, ("yellow-d6", 2, 300, True))
    assert phase(table) == "scored"
    record = table.house.session.record
    assert record
    assert record.state.phase == "trade"
    table.sent.clear()


def test_a_paused_table_plays_one_round_when_it_is_asked_to(table: Table) -> None:
    table.people.step(1.0)
    score_a_round(table)
    table.people.pause(True)
    table.people.step(2.0)
    table.people.step(60.0)
    assert table.sent == []
    table.people.play_next()
    table.people.step(61.0)
    table.people.step(64.0)
    table.people.step(66.0)
    assert kinds_sent(table) == ["clear", "throw", "throw"]


ROUND_2 = (("yellow-d6", 5, 100, True), ("green-d20", 3, 200, True))


def test_a_pause_at_the_scores_holds_though_the_next_dice_are_in_the_air(table: Table) -> None:
    table.people.step(1.0)
    score_a_round(table)
    for now_s in (2.0, 6.0, 8.0):  # the table is cleared, the first hand is thrown; the camera has not read it yet
        table.people.step(now_s)
    assert kinds_sent(table) == ["clear", "throw"]
    assert phase(table) == "scored"
    table.people.pause(True)
    assert kinds_sent(table) == ["clear", "throw", "clear"]  # taken up again
    table.see(0, *ROUND_2)  # the camera was about to read it
    for now_s in (9.0, 30.0):
        table.people.step(now_s)
    assert (phase(table), len(table.sent)) == ("scored", 3)
    table.people.pause(False)
    assert table.people.comes
    for now_s in (31.0, 33.0, 34.0):
        table.people.step(now_s)
    assert kinds_sent(table)[3:] == ["clear", "throw", "throw"]
    table.see(0, *ROUND_2)
    assert phase(table) == "roll"


def test_a_pause_in_the_middle_of_a_round_lets_what_is_thrown_count(table: Table) -> None:
    table.people.step(1.0)
    score_a_round(table)
    for now_s in (2.0, 6.0, 8.0, 9.0):
        table.people.step(now_s)
    table.see(0, *ROUND_2)
    assert (phase(table), kinds_sent(table)) == ("roll", ["clear", "throw", "throw"])
    table.people.pause(True)
    assert kinds_sent(table) == ["clear", "throw", "throw"]
    table.see(1, ("yellow-d6", 2, 100, True), ("green-d20", 1, 200, True), ("pink-d12", 1, 300, True))
    assert phase(table) == "scored"


def test_nobody_pauses_between_the_look_whether_it_is_paused_and_a_throw(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = table.house.session.lock
    free = []

    def try_lock() -> None:
        free.append(lock.acquire(blocking=False))
        if free[-1]:
            lock.release()

    def step(*_: Any) -> list[dict[str, Any]]:
        other = threading.Thread(target=try_lock)
        other.start()
        other.join()
        return []

    monkeypatch.setattr("tablesight.webui.simulated_players.SimulatedPlayers.step", step)
    table.people.step(1.0)
    assert free == [False]


def test_a_round_that_was_asked_for_is_over_once_it_is_scored(table: Table) -> None:
    table.people.step(1.0)
    table.people.pause(True)
    table.people.play_next()
    table.people.step(2.0)
    score_a_round(table)
    table.people.step(3.0)
    record = table.house.session.record
    assert record
    table.house.session.apply(record.id, {"type": "undone"}, "somebody")
    table.people.step(60.0)
    table.people.step(90.0)
    assert (phase(table), table.people.stands, table.sent) == ("roll", True, [])


def test_who_has_seen_the_scores_need_not_wait(table: Table) -> None:
    table.people.step(1.0)
    score_a_round(table)
    table.people.step(2.0)
    table.people.step(3.0)
    assert table.sent == []  # time to look
    table.people.play_next()
    table.people.step(3.5)
    assert kinds_sent(table) == ["clear"]
    assert not table.people.paused


def test_a_new_game_is_not_paused(table: Table) -> None:
    table.people.step(1.0)
    table.people.pause(True)
    table.house.session.start(["Cleo", "Dan"], {}, "panda-royale", True, "")
    table.people.step(2.0)
    assert not table.people.paused


def test_a_paused_table_is_still_paused_after_the_server_was_killed(tmp_path: Path) -> None:
    def opened() -> House:
        return House(tmp_path / "data", lambda _: [sys.executable, "-c", ""], source="simulated")

    def is_paused(house: House) -> bool:
        client = create_app(house).test_client()
        return bool(client.get("/api/state").get_json()["game"]["plays_itself"]["paused"])

    first = opened()
    first.session.start(["Ana", "Ben"], {}, "panda-royale", True, "")
    assert create_app(first).test_client().post("/api/simulated", json={"paused": True}).status_code == 200
    second = opened()  # the first did not end in order
    assert is_paused(second)
    assert create_app(second).test_client().post("/api/simulated", json={"paused": False}).status_code == 200
    third = opened()
    assert not is_paused(third)
    third.session.start(["Cleo", "Dan"], {}, "panda-royale", True, "")
    (tmp_path / "data" / "paused").write_bytes(b"\xff of another game")
    fourth = opened()
    assert not is_paused(fourth)
    for house in (first, second, third, fourth):
        house.close()


def test_a_page_pauses_only_what_plays_itself(tmp_path: Path) -> None:
    house = House(tmp_path / "data", lambda _: [sys.executable, "-c", ""], source="simulated")
    client = create_app(house).test_client()
    assert client.post("/api/simulated", json={"paused": True}).status_code == 409  # no game
    house.session.start(["Ana", "Ben"], {}, "panda-royale", True, "")
    assert client.get("/api/state").get_json()["game"]["plays_itself"] == {"paused": False, "comes": False}
    assert client.post("/api/simulated", json={"paused": True}).get_json() == {"paused": True}
    assert client.get("/api/state").get_json()["game"]["plays_itself"] == {"paused": True, "comes": False}
    assert client.post("/api/simulated", json={"next": True}).get_json() == {"paused": True}
    assert client.post("/api/simulated", json={"paused": "yes"}).status_code == 400
    house.session.start(["Ana", "Ben"], {}, "panda-royale", False, "")
    answer = client.post("/api/simulated", json={"paused": True})
    assert (answer.status_code, "people roll the dice" in answer.get_json()["error"]) == (409, True)
    house.close()


def test_a_real_game_is_never_answered_by_the_simulator(tmp_path: Path) -> None:
    table = Table(tmp_path / "real")
    table.house.session.start(["Ana", "Ben"], {}, "panda-royale", False, "")
    table.lay((0, "yellow-d6", 4, 100))
    for now_s in (1.0, 50.0, 100.0):
        table.people.step(now_s)
    assert (table.sent, table.people.told) == ([], None)
    table.house.close()


def test_a_hand_that_no_trade_explains_is_let_count_in_the_end(table: Table) -> None:
    score_a_round(table)
    record = table.house.session.record
    assert record
    table.house.session.take_gate({"0": "empty", "1": "empty"})
    strange = [("red-d6", 3, 110, True), ("green-d20", 7, 210, True)]
    if 0 in record.state.pity_for(2):
        strange.append(("pink-d12", 5, 310, True))
    table.lay(*((0, kind, value, x) for kind, value, x, _ in strange))
    table.see(0, *strange)
    table.people.step(100.0)
    table.people.step(109.0)
    assert {"type": "read_now"} in table.sent
    table.see(0, *strange)
    table.people.step(110.0)
    table.people.step(119.0)
    after = table.house.session.record
    assert after
    assert after.state.round_number == 2
    assert sorted(die.kind for die in after.state.rounds[1].lying[0]) == sorted(kind for kind, *_ in strange)
