"""Keeps the camera process alive: starts it, listens to it, kills it when it hangs, starts it again."""

from __future__ import annotations

import logging
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, cast

from tablesight.vision.messages import Message, read_message, write_message
from tablesight.vision.process_activity import ProcessActivity

log = logging.getLogger(__name__)

CameraState = Literal["starting", "watching", "no_camera", "cannot_see", "error", "lost"]
OPEN: Final = ("watching", "cannot_see")
STATES: Final = ("starting", "watching", "no_camera", "cannot_see", "error")


@dataclass(frozen=True, slots=True)
class SupervisorTimes:
    """When to give up on a camera process, seconds."""

    first_sign: float = 45.0
    """Until the first heartbeat: importing OpenCV and loading the models takes 10 s on a Pi 4."""
    silence: float = 3.0
    """Between two heartbeats (the worker sends one every 0.5 s) of a process in which nothing runs or wants to."""
    longest_silence: float = 20.0
    """... of one that computes, or waits for a core on a busy machine: it is slow, not dead."""
    first_retry: float = 0.1
    last_retry: float = 10.0
    healthy: float = 20.0
    """A process that lived this long starts the retries over at `first_retry`."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """What the page shows about the camera. `message` is a plain sentence or empty."""

    state: CameraState
    source: str
    simulated: bool
    frames_per_s: float
    message: str
    gate: dict[str, str]
    restarts: int


class CameraSupervisor:
    """Runs `command` as the camera process and passes its messages on.

    `on_message(header, payload)` and `on_status(status)` are called from the supervisor's own threads; they must not
    block for long. `send` never blocks: what cannot be delivered is dropped, and `configure` and `expect` are said
    again after each restart.
    """

    def __init__(
        self,
        command: Sequence[str],
        on_message: Callable[[dict[str, Any], bytes], None],
        on_status: Callable[[CameraStatus], None],
        *,
        source: str = "",
        simulated: bool = False,
        times: SupervisorTimes | None = None,
    ) -> None:
        self._command = list(command)
        self._on_message = on_message
        self._on_status = on_status
        self._times = times or SupervisorTimes()
        self._lock = threading.Lock()
        self._status = CameraStatus("starting", source, simulated, 0.0, "", {}, 0)
        self._process: subprocess.Popen[bytes] | None = None
        self._outbox: queue.Queue[tuple[dict[str, Any], bytes] | None] = queue.Queue()
        self._remembered: dict[str, dict[str, Any]] = {}
        self._last_sign_s = 0.0
        self._heard = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera-supervisor", daemon=True)

    @property
    def status(self) -> CameraStatus:
        """The camera as last heard of."""
        return self._status

    @property
    def pid(self) -> int | None:
        """The process id of the camera process, None while there is none."""
        process = self._process
        return process.pid if process and process.poll() is None else None

    def start(self) -> None:
        """Starts watching; returns at once."""
        self._thread.start()

    def send(self, header: dict[str, Any], payload: bytes = b"") -> bool:
        """Queues a message for the camera process; False where there is none to take it."""
        if header["type"] in ("configure", "expect"):
            with self._lock:
                self._remembered[header["type"]] = header
        if self.pid is None:
            return False
        self._outbox.put((header, payload))
        return True

    def change(self, command: Sequence[str]) -> None:
        """Another camera: ends the camera process; the next one is started with this command."""
        self._command = list(command)
        self._kill()

    def close(self) -> None:
        """Ends the camera process and the threads."""
        self._closing.set()
        self._kill()
        if self._thread.is_alive():
            self._thread.join(5)

    def _run(self) -> None:
        retry_s = self._times.first_retry
        while not self._closing.is_set():
            started_s = time.monotonic()
            try:
                reason = self._run_once()
            except OSError as error:
                reason = f"the camera process could not be started: {error}"
            if self._closing.is_set():
                return
            if time.monotonic() - started_s > self._times.healthy:
                retry_s = self._times.first_retry
            log.warning("camera lost: %s; starting it again in %.1f s", reason, retry_s)
            self._say(
                replace(
                    self._status,
                    state="lost",
                    frames_per_s=0.0,
                    message="The camera is lost. It is being started again; the scores are safe.",
                    gate={},
                    restarts=self._status.restarts + 1,
                )
            )
            self._closing.wait(retry_s)
            retry_s = min(retry_s * 2, self._times.last_retry)

    def _run_once(self) -> str:
        """One life of the camera process; returns why it ended."""
        process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        with self._lock:
            self._process = process
            remembered = list(self._remembered.values())
        self._outbox = queue.Queue()
        for header in remembered:
            self._outbox.put((header, b""))
        self._heard = False
        self._last_sign_s = time.monotonic()
        reader = threading.Thread(target=self._listen, args=(process,), name="camera-reader", daemon=True)
        writer = threading.Thread(target=self._talk, args=(process, self._outbox), name="camera-writer", daemon=True)
        reader.start()
        writer.start()
        activity, busy_s = ProcessActivity(process.pid), 0.0
        try:
            while True:
                if self._closing.wait(0.1):
                    return "the server is closing"
                if process.poll() is not None:
                    return ending(process.returncode)
                now_s, sign_s = time.monotonic(), self._last_sign_s
                silent_s = now_s - sign_s
                if not self._heard:
                    if silent_s > self._times.first_sign:
                        return f"no sign of life for {silent_s:.1f} s"
                    continue
                if silent_s > self._times.silence / 4 and activity.is_busy():
                    busy_s = now_s
                if now_s - max(sign_s, busy_s) > self._times.silence or silent_s > self._times.longest_silence:
                    return f"no sign of life for {silent_s:.1f} s"
        finally:
            self._kill()
            self._outbox.put(None)
            reader.join(2)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        stdout = cast(BinaryIO, process.stdout)
        try:
            while (message := read_message(stdout)) is not None:
                if process is not self._process:
                    return
                self._last_sign_s = time.monotonic()
                self._heard = True
                self._take(message)
        except (OSError, ValueError) as error:
            log.warning("the camera process cannot be understood: %s", error)
            _kill_group(process)
        finally:
            stdout.close()

    def _take(self, message: Message) -> None:
        header = message.header
        try:
            if header["type"] == "status":
                state = header["state"]
                if state == "starting" and self._status.state == "lost":
                    return  # it stays lost until there is a picture, or none to be had
                self._say(
                    CameraStatus(
                        state=state if state in STATES else "error",
                        source=str(header.get("source", "")),
                        # a camera that is not open yet says nothing about what it will be
                        simulated=bool(header.get("simulated")) if state in OPEN else self._status.simulated,
                        frames_per_s=float(header.get("frames_per_s", 0.0)),
                        message=str(header.get("message", "")),
                        gate={str(zone): str(gate) for zone, gate in (header.get("gate") or {}).items()},
                        restarts=self._status.restarts,
                    )
                )
            else:
                self._on_message(header, message.payload)
        except Exception:
            # one message that cannot be used must not take the camera down with it
            log.exception("a %r message of the camera process could not be used", header.get("type"))

    def _talk(self, process: subprocess.Popen[bytes], outbox: queue.Queue[tuple[dict[str, Any], bytes] | None]) -> None:
        stdin = cast(BinaryIO, process.stdin)
        try:
            while (item := outbox.get()) is not None:
                write_message(stdin, item[0], item[1])
        except (OSError, ValueError) as error:
            log.info("the camera process does not listen any more: %s", error)
        finally:
            try:
                stdin.close()
            except OSError:
                log.debug("the pipe to the camera process was broken already")

    def _say(self, status: CameraStatus) -> None:
        self._status = status
        self._on_status(status)

    def _kill(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            _kill_group(process)
            process.wait()


def ending(status: int) -> str:
    """How a process ended, in words; `status` is negative for a signal."""
    if status >= 0:
        return f"its process ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"its process was ended by {name}"


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL reaches a stopped process too."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        log.debug("the camera process %d is gone already", process.pid)


def worker_command(source: str, seats: int, data_dir: Path) -> list[str]:
    """The command line of the camera process; it dies with this process even when it hangs."""
    return [
        sys.executable, "-m", "tablesight.webui.die_with_parent", str(os.getpid()), "tablesight.vision.worker",
        f"--source={source}", "--seats", str(seats), "--data-dir", str(data_dir),
    ]  # fmt: skip
