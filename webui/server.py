"""gunicorn, embedded: one worker process with many threads, on a socket that is open already."""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from tablesight.webui.patient_worker import PatientWorker

log = logging.getLogger(__name__)

THREADS: Final = 64
"""Server-sent events hold one thread a phone (at most `FeedLimits.clients`), the rest answer requests."""

WORKER_KILLED: Final = "Worker (pid:%s) was sent %s!"
"""The beginning of a message of gunicorn."""

WENT_AWAY: Final = (errno.EAGAIN, errno.ETIMEDOUT, errno.EHOSTUNREACH, errno.ENETUNREACH)
"""Errors of a socket whose phone fell silent or left the network."""

SILENCE_S: Final = 8
"""A request that stops half way gives its thread back after so long."""


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """`make_app` is called once, in the worker process, where its threads may start."""

    def __init__(self, sock: socket.socket, make_app: Callable[[], Any], close_app: Callable[[], None]) -> None:
        self._sock = sock
        # connections inherit it; gunicorn itself waits for the rest of a request for ever
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", SILENCE_S, 0))
        self._make_app = make_app
        self._close_app = close_app
        self._words = PlainWords()
        logging.getLogger("gunicorn.error").addFilter(self._words)
        super().__init__()

    def run(self) -> None:
        """Serves until somebody stops it."""
        Master(self, self._words).run()

    def load_config(self) -> None:
        """gunicorn's settings."""
        parent = os.getpid()
        settings = {
            "bind": f"fd://{self._sock.fileno()}",
            "workers": 1,
            "worker_class": PatientWorker,
            "threads": THREADS,
            "worker_connections": 400,
            "timeout": 0,
            "graceful_timeout": 1,
            "keepalive": 15,
            "accesslog": None,
            "loglevel": "warning",
            "control_socket_disable": True,
            "post_fork": lambda server, worker: end_with_parent(parent),
            "worker_exit": lambda server, worker: self._close_app(),
        }
        for name, value in settings.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        """The WSGI application."""
        return self._make_app()


class PlainWords(logging.Filter):
    """What gunicorn says, in plain words.

    It guesses why its worker process was killed ("Perhaps out of memory?"): the log says what is known, and nothing
    where it was gunicorn itself while the server was being stopped. And it writes a traceback where a phone goes away
    in the middle of a request's header, which happens.
    """

    def __init__(self) -> None:
        super().__init__()
        self.is_stopping = False

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record is written; its words may change."""
        if str(record.msg).startswith(WORKER_KILLED):
            record.msg = "the web process %s was ended by %s; it is started again, the scores are safe"
            return not self.is_stopping
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, OSError) and error.errno in WENT_AWAY:
            log.debug("a request stopped half way: %s", error)
            return False
        return True


class Master(Arbiter):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn's own process: it starts the web process, and starts it again where it ended by itself."""

    def __init__(self, app: BaseApplication, words: PlainWords) -> None:
        super().__init__(app)
        self._words = words

    def stop(self, graceful: bool = True) -> None:
        """Ends the web process, with force where a phone's open line keeps it."""
        self._words.is_stopping = True
        super().stop(graceful)


def end_with_parent(parent: int) -> None:
    """A worker whose master was killed ends at once: it would keep the port and the game log to itself."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL), 0, 0, 0)  # PR_SET_PDEATHSIG

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()
