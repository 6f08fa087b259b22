from __future__ import annotations

import os
import signal
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tablesight.webui.camera_supervisor import CameraStatus, CameraSupervisor, SupervisorTimes, worker_command

TIMES = SupervisorTimes(first_sign=10, silence=1.0, longest_silence=3.0, first_retry=0.05, last_retry=0.2)
WORKER = """
import sys, time, threading
from tablesight.vision.messages import read_message, write_message
lock = threading.Lock()
def beat():
    while True:
        with lock:
            write_message(sys.stdout.buffer, {"type": "status", "state": "watching", "source": "test",
                                              "simulated": True,
                                              "frames_per_s": 9.5, "gate": {"0": "empty"}, "message": ""})
        time.sleep(0.1)
threading.Thread(target=beat, daemon=True).start()
while (message := read_message(sys.stdin.buffer)) is not None:
    with lock:
        write_message(sys.stdout.buffer, {"type": "echo", "of": message.header}, message.payload)
"""


class Watched:
    def __init__(self, tmp_path: Path, script: str) -> None:
        path = tmp_path / "worker.py"
        path.write_text(textwrap.dedent(script))
        self.messages: list[tuple[dict[str, Any], bytes]] = []
        self.states: list[CameraStatus] = []
        self.supervisor = CameraSupervisor(
            [sys.executable, str(path)], lambda *message: self.messages.append(message), self.states.append, times=TIMES
        )

    def echoes(self) -> list[dict[str, Any]]:
        return [header["of"] for header, _ in self.messages if header["type"] == "echo"]


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Any]:
    made: list[Watched] = []

    def make(script: str = WORKER) -> Watched:
        made.append(Watched(tmp_path, script))
        made[-1].supervisor.start()
        return made[-1]

    yield make
    for watched in made:
        watched.supervisor.close()


def wait_for(what: Any, seconds: float = 10) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := what():
            return answer
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


def test_messages_go_both_ways(watch: Any) -> None:
    watched = watch()
    wait_for(lambda: watched.supervisor.status.state == "watching")
    assert watched.supervisor.send({"type": "read_photo", "id": "p"}, b"bytes of a photo")
    header, payload = wait_for(lambda: next(iter(watched.messages), None))
    assert header["of"] == {"type": "read_photo", "id": "p", "payload": 16}
    assert payload == b"bytes of a photo"
    assert watched.supervisor.status.frames_per_s == 9.5


@pytest.mark.parametrize("sig", [signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV], ids=lambda sig: sig.name)
def test_a_dead_or_hung_camera_is_said_to_be_lost_and_comes_back_configured(watch: Any, sig: signal.Signals) -> None:
    watched = watch()
    configure = {"type": "configure", "seats": 4, "zones": None}
    watched.supervisor.send(configure)
    wait_for(lambda: watched.echoes() == [configure])
    pid = watched.supervisor.pid
    assert pid
    watched.messages.clear()
    os.kill(pid, sig)
    wait_for(lambda: watched.supervisor.status.state == "lost", 5)
    wait_for(lambda: watched.supervisor.status.state == "watching")
    wait_for(lambda: watched.echoes() == [configure])
    assert watched.supervisor.pid not in (None, pid)
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc here")
def test_a_camera_that_is_silent_because_it_computes_is_given_more_time(watch: Any) -> None:
    watched = watch(
        "import sys\n"
        "from tablesight.vision.messages import write_message\n"
        "write_message(sys.stdout.buffer, {'type': 'status', 'state': 'watching'})\n"
        "while True: pass\n"
    )
    wait_for(lambda: watched.supervisor.status.state == "watching", 30)
    began = time.monotonic()
    wait_for(lambda: watched.supervisor.status.state == "lost", 30)
    assert time.monotonic() - began > TIMES.longest_silence - 0.5 > 2 * TIMES.silence


def test_what_is_no_message_costs_the_process_its_life_not_ours(watch: Any) -> None:
    watched = watch("print('I am no camera', flush=True)\nimport time\ntime.sleep(60)")
    wait_for(lambda: watched.supervisor.status.restarts >= 2)


def test_a_command_that_does_not_exist_is_tried_again(tmp_path: Path) -> None:
    states: list[CameraStatus] = []
    supervisor = CameraSupervisor([str(tmp_path / "nothing")], lambda *_: None, states.append, times=TIMES)
    supervisor.start()
    wait_for(lambda: supervisor.status.restarts >= 2)
    assert supervisor.status.state == "lost"
    assert not supervisor.send({"type": "read_now"})
    supervisor.close()


def test_a_handler_that_fails_does_not_take_the_camera_down(tmp_path: Path) -> None:
    path = tmp_path / "worker.py"
    path.write_text(textwrap.dedent(WORKER))

    def fail(*_: object) -> None:
        raise RuntimeError("this message is too strange")

    supervisor = CameraSupervisor([sys.executable, str(path)], fail, lambda _: None, times=TIMES)
    supervisor.start()
    wait_for(lambda: supervisor.status.state == "watching")
    pid = supervisor.pid
    supervisor.send({"type": "read_now"})
    supervisor.send({"type": "read_now"})
    wait_for(lambda: supervisor.status.state == "watching")
    assert supervisor.pid == pid
    supervisor.close()


def test_a_camera_that_is_not_open_yet_does_not_say_whether_it_is_simulated(tmp_path: Path) -> None:
    path = tmp_path / "worker.py"
    path.write_text(
        "import sys, time\n"
        "from tablesight.vision.messages import write_message\n"
        "for state in ('starting', 'watching', 'no_camera'):\n"
        "    write_message(sys.stdout.buffer, {'type': 'status', 'state': state, 'simulated': state == 'watching'})\n"
        "time.sleep(30)\n"
    )
    seen: list[tuple[str, bool]] = []
    supervisor = CameraSupervisor(
        [sys.executable, str(path)],
        lambda *_: None,
        lambda status: seen.append((status.state, status.simulated)),
        simulated=True,
        times=TIMES,
    )
    supervisor.start()
    wait_for(lambda: len(seen) >= 3)
    supervisor.close()
    assert seen[:3] == [("starting", True), ("watching", True), ("no_camera", True)]


def test_a_camera_that_looks_like_an_option_is_one_sentence_and_not_a_worker_that_cannot_start(
    tmp_path: Path, wait_for: Any
) -> None:
    seen: list[CameraStatus] = []
    supervisor = CameraSupervisor(worker_command("-x", 2, tmp_path), lambda header, payload: None, seen.append)
    supervisor.start()
    try:
        wait_for(lambda: any(status.state == "error" for status in seen), 60)
    finally:
        supervisor.close()
    assert any("nothing of that name exists" in status.message for status in seen)
