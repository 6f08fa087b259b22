"""The address by name is shown only where somebody answers for it."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator

import pytest

from tablesight.webui import mdns
from tablesight.webui.commands import serve

Responder = Callable[[Callable[[bytes], bytes]], tuple[str, int]]


@pytest.fixture
def responder() -> Iterator[Responder]:
    sockets: list[socket.socket] = []

    def make(reply: Callable[[bytes], bytes]) -> tuple[str, int]:
        sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sock.bind(("127.0.0.1", 0))
        sock.settimeout(10)
        sockets.append(sock)

        def answer() -> None:
            query, sender = sock.recvfrom(9000)
            sock.sendto(reply(query), sender)

        threading.Thread(target=answer, daemon=True).start()
        return str(sock.getsockname()[0]), int(sock.getsockname()[1])

    yield make
    for sock in sockets:
        sock.close()


def response(query: bytes, flags: int = 0x8400, answers: int = 1) -> bytes:
    number = query[:2]
    record = query[12:] + struct.pack("!IH4B", 120, 4, 192, 168, 1, 5)
    return number + struct.pack("!5H", flags, 0, answers, 0, 0) + (record if answers else b"")


@pytest.mark.parametrize(
    ("reply", "answered"),
    [
        pytest.param(response, True, id="an address"),
        pytest.param(lambda query: response(query, answers=0), False, id="an empty answer"),
        pytest.param(lambda query: response(query, flags=0x8403), False, id="no such name"),
        pytest.param(lambda query: query, False, id="its own question, echoed"),
        pytest.param(lambda query: b"\x12", False, id="half a packet"),
        pytest.param(lambda query: bytes([query[0] ^ 1]) + response(query)[1:], False, id="an answer to somebody else"),
    ],
)
def test_who_answers_for_a_name(responder: Responder, reply: Callable[[bytes], bytes], answered: bool) -> None:
    assert mdns.is_answered("pi.local", responder(reply), 0.5) is answered


def test_the_question_is_a_plain_dns_query_for_the_address() -> None:
    assert mdns.question("pi.local", 7) == b"\0\7\0\0\0\1\0\0\0\0\0\0\2pi\5local\0\0\1\0\1"


@pytest.mark.parametrize("answered", [True, False])
def test_the_terminal_shows_only_addresses_that_work(
    answered: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "is_answered", lambda name: answered)
    monkeypatch.setattr(serve.socket, "gethostname", lambda: "Kitchen.home")
    serve.show_addresses("http://192.168.1.5:8000", 8000, "123456")
    shown = capsys.readouterr().out
    assert "http://192.168.1.5:8000" in shown
    assert "123456" in shown
    assert ("http://kitchen.local:8000" in shown) is answered
    assert ("by name" in shown) is answered
