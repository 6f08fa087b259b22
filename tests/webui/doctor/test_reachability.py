from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tablesight.webui.doctor import reachability
from tablesight.webui.doctor.reachability import check_address, check_name, check_port

HEALTHY = {"status": "ok", "camera": {"source": "v4l2:0", "state": "running"}, "version": "0.1.0"}


@contextmanager
def answering(body: bytes, status: int = 200) -> Iterator[int]:
    """A web server on a free port of 127.0.0.1 that answers every question with `body`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def test_a_free_port_is_well() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
    assert check_port(port).text == f"port {port} is free: Tablesight is not running"


@pytest.mark.parametrize(
    ("body", "status", "state", "words"),
    [
        pytest.param(json.dumps(HEALTHY), 200, "ok", "its camera (v4l2:0) is running", id="Tablesight itself"),
        pytest.param(
            json.dumps(HEALTHY | {"status": "degraded"}), 200, "advice", "status degraded", id="Tablesight with a fault"
        ),
        pytest.param("<h1>It works!</h1>", 200, "failure", "another program", id="another web server"),
        pytest.param('{"status": "ok"}', 200, "failure", "another program", id="another program with a health page"),
        pytest.param("not found", 404, "failure", "another program", id="a web server without the page"),
    ],
)
def test_who_has_the_port_is_found_out(body: str, status: int, state: str, words: str) -> None:
    with answering(body.encode(), status) as port:
        finding = check_port(port)
    assert finding.state == state
    assert words in finding.text


def test_a_program_that_hangs_is_told_from_tablesight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachability, "ANSWER_TIMEOUT_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        finding = check_port(server.getsockname()[1])
    assert finding.state == "failure"
    assert "does not answer" in finding.text


@pytest.mark.parametrize(
    ("address", "state", "words"),
    [
        pytest.param("192.168.1.20", "ok", "http://192.168.1.20:8000", id="IPv4"),
        pytest.param("2001:db8::5", "ok", "http://[2001:db8::5]:8000", id="IPv6 only"),
        pytest.param("127.0.0.1", "advice", "no address in a network", id="no network"),
    ],
)
def test_the_address_is_shown_as_a_phone_needs_it(address: str, state: str, words: str) -> None:
    finding = check_address(address, 8000)
    assert finding.state == state
    assert words in finding.text


def test_the_name_needs_avahi() -> None:
    assert "http://kitchen.local:8000" in check_name(True, "kitchen", 8000).text
    assert check_name(False, "kitchen", 8000).state == "advice"
