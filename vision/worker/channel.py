"""The two pipes to the web process, each with a thread of its own, so that a slow reader never stops the watching."""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from logging import getLogger
from typing import Any, BinaryIO, Final

from tablesight.vision.messages import Message, MessageError, read_message, write_message

logger = getLogger(__name__)

MAX_WAITING: Final = 50
"""Messages that may wait for a slow web process; previews are given up first, then the oldest."""


class Channel:
    """`send` never blocks; `receive` returns what has come in. When the web process is gone the process ends."""

    def __init__(self, stdin: BinaryIO, stdout: BinaryIO) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._outbox: deque[tuple[dict[str, Any], bytes]] = deque()
        self._ready = threading.Condition()
        threading.Thread(target=self._listen, name="channel-in", daemon=True).start()
        threading.Thread(target=self._talk, name="channel-out", daemon=True).start()

    def send(self, header: dict[str, Any], payload: bytes = b"") -> None:
        """Hand a message over; it is sent as soon as the web process takes it."""
        with self._ready:
            if header["type"] in ("preview", "status"):  # only the newest of these is worth anything
                for waiting in [item for item in self._outbox if item[0]["type"] == header["type"]]:
                    self._outbox.remove(waiting)
            if len(self._outbox) >= MAX_WAITING:
                dropped = self._outbox.popleft()[0]["type"]
                logger.warning("the web process does not listen: a %r message is dropped", dropped)
            self._outbox.append((header, payload))
            self._ready.notify()

    def receive(self) -> list[Message]:
        """The messages that have come in since the last call."""
        messages: list[Message] = []
        while True:
            try:
                messages.append(self._inbox.get_nowait())
            except queue.Empty:
                return messages

    def _listen(self) -> None:
        try:
            while (message := read_message(self._stdin)) is not None:
                self._inbox.put(message)
            logger.info("the web process has closed the pipe: ending")
            os._exit(0)  # at once, whatever the camera or a model is busy with
        except (MessageError, OSError) as error:
            logger.error("the web process cannot be understood: %s", error)
            os._exit(2)

    def _talk(self) -> None:
        while True:
            with self._ready:
                while not self._outbox:
                    self._ready.wait()
                header, payload = self._outbox.popleft()
            try:
                write_message(self._stdout, header, payload)
            except MessageError as error:
                logger.error("a message was not sent: %s", error)
            except (OSError, ValueError):
                logger.info("the web process is gone: ending")
                os._exit(0)
