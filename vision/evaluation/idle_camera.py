"""Measures what the camera process computes while nothing happens: over an empty table, and with dice lying there.

`python -m tablesight.vision.evaluation.idle_camera --seats 3 10 --seconds 30`

The real process watches the simulated table at 10 previews a second, with the models loaded, and says how many seconds
it has computed, all threads together; drawing the table is left out of that (a camera would only deliver it).
Processor time says nearly the same on a busy machine, but for what the processes take from each other's caches.
"""

from __future__ import annotations

import argparse
import json
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from tablesight.vision.messages import read_message, write_message

Json = dict[str, Any]
HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "green-d20")


class Worker:
    """A camera process over a simulated table."""

    def __init__(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self._stdin, self._stdout = stdin, stdout
        self._heard: queue.SimpleQueue[Json | None] = queue.SimpleQueue()
        self._read: set[int] = set()
        threading.Thread(target=self._listen, name="camera-reader", daemon=True).start()

    def tell(self, header: Json) -> None:
        """Send a message."""
        write_message(self._stdin, header)

    def status_when(self, is_so: Callable[[Json], bool], within_s: float = 120) -> Json:
        """The first status from now on of which this is so. Raises RuntimeError where none comes."""
        end = time.monotonic() + within_s
        while (left_s := end - time.monotonic()) > 0:
            try:
                header = self._heard.get(timeout=left_s)
            except queue.Empty:
                break
            if header is None:
                raise RuntimeError("the camera process has ended: see what it said")
            if header["type"] == "status" and is_so(header):
                return header
        raise RuntimeError(f"the camera process did not get so far within {within_s:.0f} s")

    def wait_until_read(self, seats: int) -> None:
        """Until a hand of each seat has been told. Raises RuntimeError where that does not come."""
        self.status_when(lambda _: len(self._read) == seats)

    def idle_share(self, seconds: float) -> Json:
        """How much of one core it takes from now on, and how many previews a second it looks at."""
        before = self._newest()
        began_s = time.monotonic()
        end_s, rates = began_s + seconds, []
        while time.monotonic() < end_s:
            status = self._newest()
            rates.append(float(status["frames_per_s"]))
        took_s = time.monotonic() - began_s
        share = (float(status["cpu_s"]) - float(before["cpu_s"])) / took_s
        return {"core_percent": round(100 * share, 2), "previews_per_s": round(sum(rates) / len(rates), 1)}

    def _newest(self) -> Json:
        while not self._heard.empty():
            self._heard.get()
        return self.status_when(lambda _: True, 20)

    def _listen(self) -> None:
        while (message := read_message(self._stdout)) is not None:
            if message.header["type"] == "reading":
                self._read.add(int(message.header["zone"]))
            self._heard.put(message.header)
        self._heard.put(None)


@contextmanager
def watching(seats: int, options: str, mats: bool) -> Iterator[Worker]:
    """A camera process that has its models and sees all zones empty."""
    source = f"simulated:{options}" + (",mats=1" if mats else "")
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-m", "tablesight.vision.worker", "--source", source, "--seats", str(seats)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        try:
            worker = Worker(cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout))
            worker.tell({"type": "configure", "seats": seats, "zones": "mats" if mats else None, "paper": "a4"})
            worker.status_when(lambda s: s["state"] == "watching" and not s["message"] and _all(s, seats, "empty"))
            yield worker
        finally:
            process.kill()
            process.wait()


def _all(status: Json, seats: int, state: str) -> bool:
    return list(status["gate"].values()) == [state] * seats


def measure(seats: int, options: str, mats: bool, seconds: float) -> Json:
    """Idle over the empty table, and with a hand of dice in each zone."""
    with watching(seats, options, mats) as worker:
        time.sleep(3)  # what the start has left to do
        empty = worker.idle_share(seconds)
        worker.tell({"type": "throw", "seats": {str(seat): list(HAND) for seat in range(seats)}, "only": None})
        worker.status_when(lambda s: "moving" in s["gate"].values())
        worker.status_when(lambda s: _all(s, seats, "settled"))
        worker.wait_until_read(seats)
        time.sleep(5)  # the mats are looked for once more after that
        return {"seats": seats, "mats": mats, "empty": empty, "with_dice": worker.idle_share(seconds)}


def main(argv: list[str] | None = None) -> int:
    """Measure and print one JSON line for each number of seats; 1 where it is more than `--most` percent of a core."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seats", type=int, nargs="+", default=[3], help="one after the other")
    parser.add_argument("--mats", action="store_true", help="zones by mats")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--options", default="seed=7", help="as after simulated:")
    parser.add_argument("--most", type=float, default=8.0, help="percent of a core that is allowed")
    args = parser.parse_args(argv)
    status = 0
    for seats in args.seats:
        told = measure(seats, args.options, args.mats, args.seconds)
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()
        if max(told["empty"]["core_percent"], told["with_dice"]["core_percent"]) > args.most:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
