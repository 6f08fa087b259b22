"""The camera process as the web process sees it: real pipes, a real process, the simulated table."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision.messages import Message, read_message, write_message
from tablesight.vision.worker.requests import Configure, Expect, ReadNow, ReadPhoto, Throw, parse_request

START_S = 60.0
"""How long the slowest machine may take to import everything."""


class WorkerProcess:
    """A started worker; its messages are collected by a thread."""

    def __init__(self, source: str, folder: Path, seats: int = 2) -> None:
        self.log = (folder / "stderr.txt").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tablesight.vision.worker", "--source", source, "--seats", str(seats),
             "--data-dir", str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
        )  # fmt: skip
        self.inbox: queue.Queue[Message | None] = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while (message := read_message(self.process.stdout)) is not None:
                self.inbox.put(message)
        finally:
            self.inbox.put(None)

    def say(self, header: dict[str, object], payload: bytes = b"") -> None:
        assert self.process.stdin is not None
        write_message(self.process.stdin, header, payload)  # type: ignore[arg-type]  # Popen's pipe is a binary stream

    def wait_for(self, wanted: Callable[[Message], bool], within_s: float = START_S) -> Message:
        deadline_s = time.monotonic() + within_s
        while (left_s := deadline_s - time.monotonic()) > 0:
            try:
                message = self.inbox.get(timeout=left_s)
            except queue.Empty:
                break
            if message is None:
                raise AssertionError(f"the worker has ended: {self.process.poll()}")
            if wanted(message):
                return message
        raise AssertionError(f"no such message within {within_s} s")

    def watching(self) -> Message:
        return self.wait_for(lambda m: m.type == "status" and m.header["state"] == "watching")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.log):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    started: list[WorkerProcess] = []

    def make(source: str = "simulated:seed=1", seats: int = 2) -> WorkerProcess:
        started.append(WorkerProcess(source, tmp_path, seats))
        return started[-1]

    yield make
    for worker in started:
        worker.close()


def test_the_simulated_table_from_start_to_end(start: Callable[..., WorkerProcess]) -> None:
    worker = start()
    first = worker.wait_for(lambda m: True)
    assert first.type == "status"  # before anything heavy is imported or opened
    status = worker.watching()
    assert status.header["simulated"] is True
    assert status.header["source"] == "simulated table"
    assert set(status.header["gate"]) <= {"0", "1"}
    preview = worker.wait_for(lambda m: m.type == "preview")
    picture = cv2.imdecode(np.frombuffer(preview.payload, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[:2] == (preview.header["height"], preview.header["width"])
    worker.say({"type": "configure", "seats": 3, "zones": None})
    worker.wait_for(lambda m: m.type == "status" and set(m.header["gate"]) == {"0", "1", "2"})
    worker.say({"type": "throw", "seats": {"2": ["yellow-d6", "green-d20"]}, "only": None})
    worker.wait_for(lambda m: m.type == "status" and m.header["gate"].get("2") == "moving")
    truth = worker.wait_for(lambda m: m.type == "truth" and len(m.header["dice"]) == 2)
    assert [(die["seat"], die["kind"]) for die in truth.header["dice"]] == [(2, "yellow-d6"), (2, "green-d20")]
    worker.wait_for(lambda m: m.type == "status" and m.header["gate"].get("2") == "settled")
    worker.say({"type": "clear"})
    worker.wait_for(lambda m: m.type == "truth" and m.header["dice"] == [])
    assert worker.process.stdin is not None
    worker.process.stdin.close()
    assert worker.process.wait(timeout=5) == 0


def test_zones_come_from_the_mats_on_the_table(start: Callable[..., WorkerProcess]) -> None:
    worker = start("simulated:seed=4,mats=1", seats=3)
    worker.say({"type": "configure", "seats": 3, "zones": "mats", "paper": "a4"})
    mats = worker.wait_for(lambda m: m.type == "mats" and m.header["missing"] == [])
    assert [zone["seat"] for zone in mats.header["zones"]] == [0, 1, 2]
    assert all(zone["tags"] == 4 for zone in mats.header["zones"])
    worker.wait_for(lambda m: m.type == "status" and set(m.header["gate"]) == {"0", "1", "2"})
    worker.say({"type": "advise"})
    advice = worker.wait_for(lambda m: m.type == "advice")
    assert [item["topic"] for item in advice.header["items"]] == ["scale", "sharpness", "light", "glare", "tilt"]
    assert 40 < advice.header["items"][0]["value"] < 60  # pixels across a small die


def test_bad_messages_are_refused_and_change_nothing(start: Callable[..., WorkerProcess]) -> None:
    worker = start()
    worker.watching()
    for header in (
        {"type": "configure", "seats": 11},
        {"type": "configure", "seats": 2, "zones": [{"seat": 9}]},
        {"type": "configure", "seats": 2, "zones": "mats", "paper": "a3"},
        {"type": "expect", "seats": [["yellow-d7"]]},
        {"type": "throw", "seats": {"7": ["yellow-d6"]}},
        {"type": "throw", "seats": {"0": ["green-d20"] * 30, "1": ["green-d20"] * 999}},
        {"type": "dance"},
        {"type": "read_photo", "id": "1"},
    ):
        worker.say(header)
    worker.say({"type": "read_photo", "id": "text"}, b"this is no photo at all")
    answer = worker.wait_for(lambda m: m.type == "photo")
    assert answer.header["id"] == "text"
    assert answer.header["error"][0].isupper()
    worker.watching()
    worker.log.flush()
    text = Path(worker.log.name).read_text()
    assert text.count("was refused") == 8
    assert "Traceback" not in text


def test_a_stopped_process_falls_silent_and_goes_on(start: Callable[..., WorkerProcess]) -> None:
    worker = start()
    worker.watching()
    os.kill(worker.process.pid, signal.SIGSTOP)
    in_the_pipe = 0
    while in_the_pipe < 30:
        try:
            worker.wait_for(lambda m: True, within_s=1.5)
        except AssertionError:
            break
        in_the_pipe += 1
    assert in_the_pipe < 30
    os.kill(worker.process.pid, signal.SIGCONT)
    worker.watching()


def test_junk_on_the_pipe_ends_the_process_with_a_word(start: Callable[..., WorkerProcess]) -> None:
    worker = start()
    worker.watching()
    assert worker.process.stdin is not None
    worker.process.stdin.write(b"GET / HTTP/1.1\r\n\r\n")
    worker.process.stdin.flush()
    assert worker.process.wait(timeout=10) == 2
    assert "cannot be understood" in Path(worker.log.name).read_text()


@pytest.mark.parametrize(
    ("source", "state"),
    [
        pytest.param("simulated:lamp=neon", "error", id="an option that does not exist"),
        pytest.param("v4l2:97", "error", id="a camera that is not there"),
        pytest.param("/nowhere/at/all.mp4", "error", id="a file that is not there"),
    ],
)
def test_a_camera_that_cannot_be_opened_is_a_state(
    start: Callable[..., WorkerProcess], source: str, state: str
) -> None:
    worker = start(source)
    status = worker.wait_for(lambda m: m.type == "status" and m.header["state"] not in ("starting", "watching"))
    assert status.header["state"] in (state, "no_camera")
    assert len(status.header["message"]) > 20
    worker.wait_for(lambda m: m.type == "status")  # and it lives on


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        pytest.param({"type": "configure", "seats": 2}, Configure, id="configure"),
        pytest.param({"type": "expect", "seats": None}, Expect, id="expect nothing"),
        pytest.param({"type": "expect", "seats": [["red-d6"], []], "open": [1, 0]}, Expect, id="expect hands"),
        pytest.param(
            {"type": "expect", "seats": [["red-d6"], []], "open": [1, 0], "count": [2, 0]}, Expect, id="counts"
        ),
        pytest.param(
            {"type": "expect", "seats": [["red-d6"]], "open": [1], "new": [{"blue-d6": 0.4}]},
            Expect,
            id="what may come",
        ),
        pytest.param({"type": "throw", "seats": {"0": ["red-d6"]}, "only": "yellow"}, Throw, id="throw"),
        pytest.param({"type": "read_now"}, ReadNow, id="read now"),
    ],
)
def test_requests_are_understood(header: dict[str, object], expected: type) -> None:
    assert isinstance(parse_request(Message(header)), expected)
    assert parse_request(Message({"type": "read_photo", "id": 7}, b"x")) == ReadPhoto("7", b"x")


@pytest.mark.parametrize(
    "header",
    [
        pytest.param({"type": "configure", "seats": True}, id="a number of seats that is none"),
        pytest.param({"type": "expect", "seats": {"0": []}}, id="hands by name"),
        pytest.param({"type": "expect", "seats": [[]], "open": [1, 2]}, id="open for another number of seats"),
        pytest.param({"type": "expect", "seats": [[]], "count": [-1]}, id="less than no dice"),
        pytest.param(
            {"type": "expect", "seats": [[]], "new": [{"brown-d6": 1}]}, id="a kind that may come and is none"
        ),
        pytest.param({"type": "expect", "seats": [[]], "new": [{"red-d6": "1"}]}, id="how many may come as a text"),
        pytest.param({"type": "expect", "seats": [[]], "new": []}, id="what may come for another number of seats"),
        pytest.param({"type": "throw", "seats": [["red-d6"]]}, id="hands as a list"),
        pytest.param({"type": "throw", "seats": {"-1": []}}, id="a seat below none"),
        pytest.param({"type": "throw", "seats": {}, "only": "brown"}, id="an unknown colour"),
        pytest.param({"type": "throw", "seats": {"0": [["red-d6"]]}}, id="a hand of lists"),
    ],
)
def test_requests_that_make_no_sense_say_what_was_expected(header: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_request(Message(header))
