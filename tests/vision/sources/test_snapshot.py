"""Cameras that give one photo for each request, from a real server on this machine."""

from __future__ import annotations

import base64
import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import SourceError
from tablesight.vision.sources.opening import open_source
from tablesight.vision.sources.snapshot import SnapshotSource, gives_snapshots


class Phone(BaseHTTPRequestHandler):
    """/photo.jpg, brighter with each request; /secret.jpg with a password; /page; /broken.jpg; /slow.jpg; /stream."""

    requests = 0
    waiting = threading.Event()

    def do_GET(self) -> None:
        wanted = "Basic " + base64.b64encode(b"anna:s3cret").decode()
        if self.path == "/secret.jpg" and self.headers.get("Authorization") != wanted:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
            return
        match self.path:
            case "/photo.jpg" | "/secret.jpg":
                type(self).requests += 1
                level = 20 * self.requests
                content = cv2.imencode(".jpg", np.full((960, 1280, 3), level, np.uint8))[1].tobytes()
                self.answer("image/jpeg", content)
            case "/page":
                self.answer("text/html", b"<!doctype html><p>camera</p>")
            case "/broken.jpg":
                self.answer("image/jpeg", b"\xff\xd8\xff cut off")
            case "/stream":
                self.answer("multipart/x-mixed-replace; boundary=x", b"--x\r\n")
            case "/slow.jpg":
                self.waiting.wait(10)
            case _:
                self.send_error(404)

    def answer(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with contextlib.suppress(OSError):  # the viewer has gone
            self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Silence."""


@pytest.fixture
def phone() -> Iterator[str]:
    Phone.requests = 0
    Phone.waiting.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Phone) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"127.0.0.1:{http.server_address[1]}"
        Phone.waiting.set()
        http.shutdown()
        thread.join()


def test_each_picture_is_a_new_photo(phone: str, clock: Any) -> None:
    source = open_source(f"http://{phone}/photo.jpg", clock, wait=clock.pass_s)
    assert source.name == f"network camera http://{phone}/photo.jpg"
    first, second, still = source.preview(), source.preview(), source.still()
    assert first.image_bgr.shape == (480, 640, 3)
    assert still.image_bgr.shape == (960, 1280, 3)
    assert first.image_bgr.mean() < second.image_bgr.mean() < still.image_bgr.mean()
    source.close()


def test_a_stream_a_page_and_nothing_are_no_snapshots(phone: str) -> None:
    assert gives_snapshots(f"http://{phone}/photo.jpg")
    for path in ("stream", "page", "absent"):
        assert not gives_snapshots(f"http://{phone}/{path}")
    assert not gives_snapshots("http://127.0.0.1:9/photo.jpg")
    assert not gives_snapshots("rtsp://127.0.0.1/photo.jpg")


def test_a_password_in_the_address_is_used_and_never_shown(phone: str) -> None:
    source = SnapshotSource(f"http://anna:s3cret@{phone}/secret.jpg")
    assert source.still().image_bgr.shape == (960, 1280, 3)
    assert "s3cret" not in source.name
    with pytest.raises(SourceError) as caught:
        SnapshotSource(f"http://anna:wrong@{phone}/secret.jpg")
    assert "401" in str(caught.value)
    assert "wrong" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        pytest.param("absent", "404 Not Found", id="a wrong address"),
        pytest.param("broken.jpg", "damaged or cut-off", id="a broken photo"),
        pytest.param("page", "a web page", id="a page"),
        pytest.param("slow.jpg", "timed out", id="no answer in time"),
    ],
)
def test_what_is_wrong_is_told(path: str, words: str, phone: str) -> None:
    with pytest.raises(SourceError) as caught:
        SnapshotSource(f"http://{phone}/{path}", timeout_s=0.3)
    assert words in str(caught.value)


def test_a_camera_that_is_switched_off_is_told() -> None:
    with pytest.raises(SourceError, match="connection refused"):
        SnapshotSource("http://127.0.0.1:9/photo.jpg")
