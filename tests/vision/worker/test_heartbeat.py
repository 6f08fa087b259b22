"""The heartbeat goes on while the loop does, also through a long opening, and stops when the loop hangs."""

from __future__ import annotations

import threading
import time
from typing import Any

from tablesight.vision.worker.heartbeat import Heartbeat

BEAT_S, PATIENCE_S, MOST_S = 0.01, 0.15, 0.8


class Listener:
    def __init__(self) -> None:
        self.beats = 0
        self.beaten = threading.Condition()
        self.hung = threading.Event()

    def send(self, header: dict[str, Any]) -> None:
        assert header == {"type": "status"}
        with self.beaten:
            self.beats += 1
            self.beaten.notify_all()

    def more(self, count: int, within_s: float) -> bool:
        with self.beaten:
            wanted = self.beats + count
            return self.beaten.wait_for(lambda: self.beats >= wanted, within_s)


def heartbeat(is_busy: bool = False) -> tuple[Heartbeat, Listener]:
    listener = Listener()
    beating = Heartbeat(
        lambda: {"type": "status"}, listener.send, BEAT_S, PATIENCE_S, MOST_S, listener.hung.set, lambda: is_busy
    )
    beating.start()
    return beating, listener


def test_it_stops_when_the_loop_hangs_and_goes_on_with_it() -> None:
    beating, listener = heartbeat()
    deadline_s = time.monotonic() + 0.5
    while time.monotonic() < deadline_s:
        beating.alive()
        assert listener.more(1, within_s=2)
    assert listener.more(10_000, within_s=2) is False  # nobody says that the loop is alive
    assert listener.more(1, within_s=0.5) is False
    assert listener.hung.is_set()
    beating.alive()
    assert listener.more(2, within_s=2)


def test_what_may_take_long_is_announced() -> None:
    beating, listener = heartbeat()
    with beating.busy(1.0):
        assert listener.more(int(2 * PATIENCE_S / BEAT_S), within_s=5)
    assert listener.more(10_000, within_s=1) is False


def test_a_loop_that_is_slow_on_a_busy_machine_does_not_hang_but_one_that_never_ends_does() -> None:
    began_s = time.monotonic()
    _, listener = heartbeat(is_busy=True)
    assert listener.hung.wait(10)
    assert time.monotonic() - began_s >= MOST_S
