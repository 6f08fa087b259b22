"""The whole server as a process, with a fake camera process: what survives what."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]
THREE = {"players": ["Ana", "Ben", "Cleo"]}


def scored(server: Any) -> list[Any]:
    return [row for row in server.game()["sheet"] if all(row["scores"])]


def test_a_simulated_game_plays_itself_and_every_score_is_the_truth(make_server: Make, wait_for: Any) -> None:
    server = make_server("0.05")
    assert server.post("/api/games", THREE)[0] == 201
    wait_for(lambda: server.game()["phase"] == "ended", 120, "the game did not end")
    truth = server.get("/api/simulated/truth")["dice"]
    game = server.game()
    for seat in game["seats"]:
        lying = sorted((die["kind"], die["value"]) for die in seat["dice"])
        assert lying == sorted((die["kind"], die["value"]) for die in truth if die["seat"] == seat["seat"])
    totals = [sum(row["scores"][seat]["total"] for row in game["sheet"]) for seat in range(3)]
    assert totals == [seat["running"] for seat in game["seats"]]
    assert game["winners"] == [seat for seat in range(3) if totals[seat] == max(totals)]


def test_a_killed_server_shows_the_same_game_after_a_restart(make_server: Make, wait_for: Any) -> None:
    server = make_server("0.1")
    server.post("/api/games", THREE)
    wait_for(lambda: len(scored(server)) >= 2, 60)
    before = server.game()
    worker_pids = server.camera_pids()
    server.kill()
    wait_for(
        lambda: not any(Path(f"/proc/{pid}").exists() for pid in worker_pids), 10, "the camera process outlived it"
    )
    server.start()
    after = server.game()
    assert after["id"] == before["id"]
    rows = [row for row in before["sheet"] if all(row["scores"])]
    assert after["sheet"][: len(rows)] == rows
    wait_for(lambda: len(scored(server)) > len(rows), 60, "the game did not go on")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "systemd"])
def test_a_server_stopped_while_a_phone_listens_speaks_of_no_death(make_server: Make, stop: signal.Signals) -> None:
    server = make_server("600")
    with urllib.request.urlopen(server.url + "/api/events", timeout=10) as events:
        assert events.readline().startswith(b"retry")
        server.process.send_signal(stop)
        assert server.process.wait(30) == 0
    said = (server.data_dir.parent / "server.log").read_text()
    assert [line for line in said.splitlines() if "SIGKILL" in line or "ended by" in line or "Traceback" in line] == []


def test_a_web_process_that_is_killed_is_said_to_be_and_started_again(make_server: Make, wait_for: Any) -> None:
    server = make_server("600")
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    (worker,) = children.read_text().split()
    os.kill(int(worker), signal.SIGKILL)
    wait_for(lambda: worker not in children.read_text().split() and server.is_up(), 60)
    said = (server.data_dir.parent / "server.log").read_text()
    assert f"the web process {worker} was ended by SIGKILL; it is started again, the scores are safe" in said


def test_a_copy_with_the_log_s_tail_cut_off_keeps_all_intact_rounds(make_server: Make, wait_for: Any) -> None:
    server = make_server("0.05")
    server.post("/api/games", THREE)
    wait_for(lambda: len(scored(server)) >= 3, 60)
    rows = scored(server)[:3]
    server.kill()
    log = server.data_dir / "tablesight.sqlite"
    log.write_bytes(log.read_bytes()[:-1000])
    copy = server.data_dir / "tablesight.jsonl"
    copy.write_bytes(copy.read_bytes()[:-20])
    server.start()
    assert scored(server)[:3] == rows


def test_a_stopped_camera_shows_within_five_seconds_and_comes_back(make_server: Make, wait_for: Any) -> None:
    server = make_server("0.1")
    wait_for(lambda: server.get("/healthz")["camera"]["state"] == "watching")
    (pid,) = wait_for(server.camera_pids)
    os.kill(pid, signal.SIGSTOP)
    stopped = time.monotonic()
    wait_for(lambda: server.get("/api/state")["camera"]["state"] == "lost", 5, "the page does not show it")
    assert time.monotonic() - stopped < 5
    assert server.get("/healthz")["status"] == "degraded"
    wait_for(lambda: server.get("/healthz")["camera"]["state"] == "watching", 15, "the camera did not come back")
    assert server.camera_pids() != [pid]


def test_ten_phones_listen_and_an_eleventh_hears_at_once(make_server: Make, wait_for: Any) -> None:
    server = make_server("0.1")
    heard: list[list[str]] = [[] for _ in range(60)]

    def listen(place: int) -> None:
        with urllib.request.urlopen(server.url + "/api/events", timeout=20) as stream:
            for line in stream:
                heard[place].append(line.decode())
                if len(heard[place]) > 200:
                    return

    for place in range(60):
        threading.Thread(target=listen, args=(place,), daemon=True).start()
    wait_for(lambda: all(any(line.startswith("event: state") for line in lines) for lines in heard), 20)
    # sixty are more than there is room for: the oldest were sent away, everything else still answers
    assert server.get("/healthz")["version"]
    assert any("event: full\n" in lines for lines in heard)


def test_a_phone_that_slept_catches_up_from_its_last_event(make_server: Make, wait_for: Any) -> None:
    server = make_server("0.05")
    server.post("/api/games", THREE)
    wait_for(lambda: scored(server), 30)
    request = urllib.request.Request(server.url + "/api/events", headers={"Last-Event-ID": "1"})
    numbers = []
    with urllib.request.urlopen(request, timeout=10) as stream:
        name = ""
        for raw in stream:
            line = raw.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            if name == "log" and line.startswith("data: "):
                numbers.append(json.loads(line[6:])["seq"])
            if name == "state":
                break
    assert numbers[:3] == [2, 3, 4]


def test_a_taken_port_and_a_second_server_on_the_same_data_say_what_to_do(make_server: Make, tmp_path: Path) -> None:
    server = make_server()
    command = [sys.executable, "-m", "tablesight.webui.cli", "serve", "--camera", "simulated"]
    same_port = [*command, "--port", str(server.port), "--host", "127.0.0.1", "--data-dir", str(tmp_path / "other")]
    ended = subprocess.run(same_port, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1
    assert f"port {server.port} is taken" in ended.stderr
    assert "Traceback" not in ended.stderr
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    same_data = [*command, "--port", str(port), "--data-dir", str(server.data_dir)]
    ended = subprocess.run(same_data, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1
    assert "another Tablesight is using the data folder" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_data_folder_that_cannot_be_written_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    command = [
        sys.executable, "-m", "tablesight.webui.cli", "serve", "--port", "1025", "--data-dir",
        str(tmp_path / "file" / "x"),
    ]  # fmt: skip
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1
    assert "--data-dir" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_ipv6_clients_get_in(tmp_path: Path) -> None:
    from tablesight.webui.network import listen

    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        pytest.skip("IPv6 is off on this machine")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with listen(None, port) as sock:
        for family, address in ((socket.AF_INET6, "::1"), (socket.AF_INET, "127.0.0.1")):
            with socket.socket(family) as client:
                client.connect((address, port))
                sock.accept()[0].close()


def test_requests_that_stop_half_way_do_not_keep_the_others_out_for_long(make_server: Make) -> None:
    server = make_server("0.1")
    halves = []
    for number in range(80):
        half = socket.create_connection(("127.0.0.1", server.port), timeout=30)
        head = b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
        half.sendall(head if number else head[:40])
        halves.append(half)
    began = time.monotonic()
    with urllib.request.urlopen(server.url + "/healthz", timeout=40) as answer:
        assert answer.status == 200
    assert time.monotonic() - began < 30
    assert halves[1].recv(999).startswith(b"HTTP/1.1 408 ")
    for half in halves[2:]:
        half.close()
    assert halves[0].recv(999) == b""  # half a header: given up without an answer
    assert "Traceback" not in (server.data_dir.parent / "server.log").read_text()
    for half in halves:
        half.close()
    assert server.post("/api/games", THREE)[0] == 201


@pytest.mark.parametrize("name", ["lock", "tablesight.jsonl", "tablesight.sqlite", "stills"])
def test_a_folder_for_a_file_or_a_file_for_a_folder_says_what_to_do(tmp_path: Path, name: str) -> None:
    if name == "stills":
        (tmp_path / name).write_text("")
    else:
        (tmp_path / name).mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "tablesight.webui.cli", "serve", "--port", str(port), "--data-dir", str(tmp_path),
        "--camera", "simulated", "--host", "127.0.0.1",
    ]  # fmt: skip
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert ended.returncode == 1
    assert name in ended.stderr
    assert "--data-dir" in ended.stderr
    assert "Traceback" not in ended.stderr
