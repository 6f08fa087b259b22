"""What users of other score apps and dice readers complain about, as tests: what is about the log and the page.

Numbers are those of the complaints; 1, 3, 5, 6, 11 and 13 are about reading (tests/vision/test_complaints.py), 2, 4 and
7 about watching as well (tests/vision/test_complaints_watching.py).
"""

from __future__ import annotations

import json
import shutil
import socket
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

Table = Any
Make = Callable[..., Any]

FIRST = [("yellow-d6", 6)]


def pink(table: Table, number: int, seat: int) -> list[dict[str, Any]]:
    """The pity die where the seat has one in that round."""
    return [told("pink-d12", 1)] if seat in table.house.session.record.state.pity_for(number) else []


def told(kind: str, value: int) -> dict[str, Any]:
    return {"kind": kind, "value": value}


def test_2_lens_covered_in_mid_round_leaves_the_scores_and_the_next_good_frame_counts(table: Table) -> None:
    table.start("Ana", "Ben")
    table.see(0, FIRST)
    before = table.game["seats"]
    table.house.session.take_gate({"0": "moving", "1": "moving"})  # what a gate says that cannot see
    assert table.game["seats"][0]["scores"] == before[0]["scores"]
    assert table.game["round"] == 1
    table.see(1, [("yellow-d6", 2)])
    assert [seat["dice"][0]["value"] for seat in table.game["seats"]] == [6, 2]


def test_4_a_roll_outside_a_round_is_shown_and_is_no_score_event(table: Table) -> None:
    table.house._on_camera(table.reading(0, FIRST), b"")  # no game is on
    assert table.game is None
    game_id = table.start("Ana", "Ben", mode="strict")
    table.see(0, FIRST)
    table.see(1, [("yellow-d6", 2)])
    assert table.game["phase"] == "trade"
    entries = len(table.house.store.entries(game_id))
    table.empty(0, 1)
    table.house._on_camera(table.reading(0, [("red-d6", 5), ("yellow-d6", 1)], 2), b"")
    assert len(table.house.store.entries(game_id)) == entries
    assert table.game["questions"] == []
    look = table.client.get("/api/state").get_json()["look"]
    assert [(die["kind"], die["value"]) for die in look["dice"]] == [("red-d6", 5), ("yellow-d6", 1)]


def test_7_after_a_shifted_camera_any_die_is_corrected_in_one_request(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, FIRST)
    table.house._on_camera({"type": "camera_moved", "dx": 0.04, "dy": 0.0}, b"")
    assert table.seat(0)["dice"][0]["value"] == 6
    assert table.post(f"/api/games/{game_id}/corrections", {"round": 1, "seat": 0, "die": 0, "value": 5})[0] == 200
    assert table.seat(0)["scores"]["yellow"] == 5


def test_8_reload_reconnect_and_a_die_corrected_twice_leave_one_entry_a_round_with_the_last_value(
    table: Table, make_table: Any, tmp_path: Path
) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, FIRST)
    table.see(1, [("yellow-d6", 2)])
    for value in (3, 4):
        body = {"round": 1, "seat": 0, "die": 0, "value": value}
        assert table.post(f"/api/games/{game_id}/corrections", body)[0] == 200
        for _ in range(3):
            assert table.client.get("/").status_code == 200  # the page is reloaded
    sheet = table.game["sheet"]
    table.house.close()
    again = make_table(tmp_path / "data")
    try:
        assert again.game["sheet"] == sheet
        rows = [row for row in again.game["sheet"] if any(row["scores"])]
        assert [row["scores"][0]["yellow"] for row in rows] == [4]
        assert [row["scores"] for row in again.game["sheet"] if row not in rows] == [[None, None]] * 9
    finally:
        again.house.close()


def test_9_killed_in_round_7_and_the_logs_tail_cut_off_all_rounds_are_intact(
    table: Table, make_table: Any, tmp_path: Path
) -> None:
    game_id = table.start("Ana", "Ben", mode="watching")
    hands = [["yellow-d6"], ["yellow-d6"]]
    for number in range(1, 8):
        dice = [
            [told(kind, 1 + (seat + place + number) % 6) for place, kind in enumerate(hands[seat])]
            + pink(table, number, seat)
            for seat in range(2)
        ]
        status, reply = table.post(f"/api/games/{game_id}/events", {"type": "rolled", "dice": dice})
        while status == 200 and table.game["phase"] == "reroll":
            waiting = [seat["seat"] for seat in table.game["seats"] if seat["rerolls"]]
            again = {"type": "rerolled", "dice": {str(s): [told("yellow-d6", 1 + s)] for s in waiting}}
            status, reply = table.post(f"/api/games/{game_id}/events", again)
        assert status == 200, reply
        for hand in hands:
            hand.append("red-d6" if number % 2 else "blue-d6")
    sheet = table.game["sheet"]
    assert sum(any(row["scores"]) for row in sheet) == 7
    data = tmp_path / "data"
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "tablesight.sqlite").write_bytes((data / "tablesight.sqlite").read_bytes()[:-700])
    (copy / "tablesight.jsonl").write_bytes((data / "tablesight.jsonl").read_bytes()[:-9])
    killed = tmp_path / "killed"
    shutil.copytree(data, killed)  # what lies on the card when the process is killed: nothing was closed
    table.house.close()
    for folder, rounds in ((data, 7), (killed, 7), (copy, 6)):
        after = make_table(folder)
        try:
            assert after.game["id"] == game_id
            assert after.game["sheet"][:rounds] == sheet[:rounds]
        finally:
            after.house.close()


def test_9_a_phone_that_slept_for_twenty_minutes_is_told_all_it_missed(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    entries = table.house.store.entries(game_id)
    table.see(0, FIRST)
    table.see(1, [("yellow-d6", 2)])
    missed = [entry.seq for entry in table.house.store.entries(game_id)][len(entries) :]
    assert len(missed) >= 2
    stream = table.house.feed.listen(entries[-1].seq)  # its last event before it slept
    told = []
    for event in stream:
        told.append(event)
        if event.startswith("event: state"):
            break
    stream.close()
    logged = [event for event in told if event.startswith("event: log")]
    assert [int(event.split("\n")[1].removeprefix("id: ")) for event in logged] == missed
    state = json.loads(told[-1].split("data: ", 1)[1])
    assert [seat["dice"][0]["value"] for seat in state["game"]["seats"]] == [6, 2]


@pytest.mark.parametrize("device", ["Pixel 7", "iPhone 13"])
def test_10_page_and_live_picture_within_five_seconds_of_the_qr_code(
    make_server: Make, phone: Make, wait_for: Any, device: str
) -> None:
    server = make_server("20")
    server.post("/api/games", {"players": ["Ana", "Ben", "Cleo"]})
    wait_for(lambda: _has_picture(server), 30, "the camera gave no picture")
    one = phone(server.url, device)
    one.page.goto(server.url + "/join.svg")
    drawn = cv2.imdecode(np.frombuffer(one.page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    address, *_ = cv2.QRCodeDetector().detectAndDecode(drawn)
    assert address.startswith("http://")
    assert address == server.get("/api/state")["join"]
    start = time.monotonic()
    page = one.open("/")
    page.goto(server.url + "/#camera")
    live = "[...document.images].some(i => i.src.includes('camera.jpg') && i.naturalWidth > 100)"
    wait_for(lambda: page.evaluate(live), 10, "no live picture on the page")
    assert time.monotonic() - start < 5


def _has_picture(server: Any) -> bool:
    try:
        with urllib.request.urlopen(server.url + "/camera.jpg", timeout=5) as answer:
            return bool(answer.read())
    except OSError:
        return False


def test_12_a_legal_value_that_the_model_never_proposed_is_accepted_and_scored(table: Table) -> None:
    game_id = table.start("Ana", "Ben")
    table.see(0, FIRST, doubt=0)
    (question,) = table.game["questions"]
    assert told("yellow-d6", 1) not in question["candidates"]
    body = {"seat": 0, "die": question["die"], **told("yellow-d6", 1)}
    assert table.post(f"/api/games/{game_id}/answers", body)[0] == 200
    assert table.seat(0)["scores"]["yellow"] == 1


def test_14_a_client_on_ipv6_gets_the_page(tmp_path: Path) -> None:
    if not _has_ipv6():
        pytest.skip("IPv6 is off on this machine")
    import subprocess

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "tablesight.webui.cli", "serve", "--camera", str(tmp_path), "--port", str(port),
        "--data-dir", str(tmp_path / "data"),
    ]  # fmt: skip
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"http://[::1]:{port}/", timeout=10) as answer:
                    assert b"Tablesight" in answer.read()
                break
            except OSError:
                assert time.monotonic() < end, "no page over IPv6"
                time.sleep(0.2)
    finally:
        process.terminate()
        process.wait(15)


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_15_a_zero_a_negative_round_and_a_late_correction_are_entered_shown_and_added_up(table: Table) -> None:
    game_id = table.start("Ana", "Ben", mode="watching")

    def roll(*hands: list[dict[str, Any]]) -> None:
        status, reply = table.post(f"/api/games/{game_id}/events", {"type": "rolled", "dice": list(hands)})
        assert status == 200, reply

    roll([told("yellow-d6", 1)], [told("yellow-d6", 2)])
    roll([told("yellow-d6", 1), told("red-d6", -6), *pink(table, 2, 0)], [told("yellow-d6", 2), told("red-d6", -2)])
    shown = table.game["sheet"]
    assert shown[1]["scores"][0]["total"] < 0
    assert shown[1]["scores"][1]["total"] == 0
    totals = [seat["running"] for seat in table.game["seats"]]
    assert totals == [sum(row["scores"][seat]["total"] for row in shown[:2]) for seat in range(2)]
    body = {"round": 2, "seat": 1, "die": 1, **told("red-d6", -1)}
    assert table.post(f"/api/games/{game_id}/corrections", body)[0] == 200
    after = table.game
    assert after["sheet"][1]["scores"][1]["red"] == -1
    assert after["seats"][1]["running"] == sum(row["scores"][1]["total"] for row in after["sheet"][:2])
