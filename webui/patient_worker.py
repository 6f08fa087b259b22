"""gunicorn's threaded worker, which lends no thread to a request that is still on its way.

gunicorn waits for the rest of a request's header in one of its threads: as many half-sent requests as there are threads
stop everybody else. Here such a connection goes back to the others every `LOOK_S`, until its header is there or
`PATIENCE_S` have passed.
"""

from __future__ import annotations

import socket
import time
from typing import Any, Final

from gunicorn.workers import gthread

LOOK_S: Final = 0.1
"""How long a thread looks at a connection whose header is not there yet, before it serves somebody else."""

PATIENCE_S: Final = 8.0
"""A header that is not there after so long never comes: phones send theirs in one piece."""

LONGEST_HEADER: Final = 16_384
"""More than gunicorn reads of one line: what is longer is its own to refuse."""


class PatientWorker(gthread.ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """`handle` runs in a thread, for each request of a connection."""

    def handle(self, conn: Any) -> Any:
        """Serves the request where its header is there, else looks again later."""
        defer = getattr(gthread, "_DEFER", None)  # gunicorn 27; one that cannot put a connection back waits as ever
        if defer is None or conn.initialized or has_header(conn.sock, LOOK_S):
            return super().handle(conn)
        now_s = time.monotonic()
        conn.came_at_s = getattr(conn, "came_at_s", now_s)
        return defer if now_s - conn.came_at_s < PATIENCE_S else False


def has_header(sock: socket.socket, wait_s: float) -> bool:
    """Whether a whole header, or the end of what is sent, can be read from a socket; waits `wait_s` where it is not."""
    end_s = time.monotonic() + wait_s
    while True:
        sock.setblocking(False)
        try:
            seen = sock.recv(LONGEST_HEADER, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            seen = None
        except OSError:
            return True  # gone: gunicorn says what there is to say
        if seen is not None and (not seen or b"\r\n\r\n" in seen or len(seen) >= LONGEST_HEADER):
            return True
        left_s = end_s - time.monotonic()
        if left_s <= 0:
            return False
        time.sleep(min(0.02, left_s))
