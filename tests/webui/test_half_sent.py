"""Requests that stop half way take nobody else's place."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest

from tablesight.webui.patient_worker import has_header

HALVES = 200


def test_two_hundred_half_sent_requests_stop_nobody(
    make_server: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    server = make_server("600")
    server.get("/healthz")
    with ExitStack() as stack:
        began = time.monotonic()
        halves = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 10)) for _ in range(HALVES)]
        for half in halves:
            half.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-")
        slowest = 0.0
        for _ in range(5):
            asked = time.monotonic()
            assert server.get("/healthz")
            slowest = max(slowest, time.monotonic() - asked)
        taken = time.monotonic() - began
        with capsys.disabled():
            print(f" [answered within {slowest:.2f} s beside {HALVES} half-sent requests]", end="")
        assert taken < 7.5  # before any of them is given up
        # the rest of one that was only slow is answered
        halves[0].sendall(b"Late: yes\r\nConnection: close\r\n\r\n")
        assert halves[0].recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("sent", "there"),
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", True, id="a whole header"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: x\r\n", False, id="half a header"),
        pytest.param(b"", False, id="nothing yet"),
        pytest.param(b"x" * 20_000, True, id="more than any header"),
        pytest.param(None, True, id="gone"),
    ],
)
def test_whether_a_header_is_there(sent: bytes | None, there: bool) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        if sent is None:
            theirs.close()
        else:
            theirs.sendall(sent)
        assert has_header(ours, 0.05) is there
        if sent and there:
            ours.setblocking(True)
            assert ours.recv(5) == sent[:5]  # it was only looked at
