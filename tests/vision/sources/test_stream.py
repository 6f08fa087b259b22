"""Network cameras: a real MJPEG server on this machine, and streams that fail."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR, SourceError
from tablesight.vision.sources.stream import StreamSource, without_password


class Camera(BaseHTTPRequestHandler):
    """Sends the same JPEG over and over, or what the path says."""

    jpeg = cv2.imencode(".jpg", np.full((480, 960, 3), 120, np.uint8))[1].tobytes()
    stopped = threading.Event()

    def do_GET(self) -> None:
        if self.path != "/video":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
        self.end_headers()
        try:
            while not self.stopped.wait(0.02):
                head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self.jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + self.jpeg + b"\r\n")
        except OSError:
            pass  # the viewer has gone

    def log_message(self, *_: Any) -> None:
        """Silence."""


@pytest.fixture
def server() -> Iterator[str]:
    Camera.stopped.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Camera) as http:
        http.daemon_threads = True
        thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://127.0.0.1:{http.server_address[1]}"
        Camera.stopped.set()
        http.shutdown()
        thread.join()


class FakeCapture:
    """Gives `pictures` pictures, then ends or hangs."""

    def __init__(self, pictures: int, then_hangs: threading.Event | None = None, opened: bool = True) -> None:
        self.left = pictures
        self.hangs = then_hangs
        self.opened = opened
        self.released = threading.Event()
        self.turn = threading.Semaphore(0)
        self.grabbed = 0

    def isOpened(self) -> bool:
        return self.opened

    def grab(self) -> bool:
        if self.left == 0:
            if self.hangs is not None:
                self.hangs.wait(10)
            return False
        self.left -= 1
        self.grabbed += 1
        return True

    def retrieve(self) -> tuple[bool, ImageBGR]:
        return True, np.full((720, 1280, 3), self.grabbed % 256, np.uint8)

    def release(self) -> None:
        self.released.set()


def test_a_real_mjpeg_stream_is_read(server: str, clock: Any) -> None:
    source = StreamSource(f"{server}/video", clock)
    try:
        assert source.preview().image_bgr.shape == (320, 640, 3)
        still = source.still()
        assert still.image_bgr.shape == (480, 960, 3)
        assert abs(float(still.image_bgr.mean()) - 120) < 2
        assert still.captured_at_s == clock()
    finally:
        source.close()
        source.close()


def test_an_address_without_a_camera_is_refused(server: str, clock: Any) -> None:
    with pytest.raises(SourceError, match="got no answer"):
        StreamSource(f"{server}/nothing", clock)
    with pytest.raises(SourceError, match="got no answer"):
        StreamSource("http://127.0.0.1:9/video", clock)


def test_a_server_that_stops_is_told(server: str, clock: Any) -> None:
    source = StreamSource(f"{server}/video", clock)
    source.preview()
    Camera.stopped.set()
    errors = []
    for _ in range(50):  # a few pictures may still be on their way
        try:
            source.preview()
        except SourceError as error:
            errors.append(str(error))
            break
    assert "got its end" in errors[0]
    source.close()


def test_a_stream_that_hangs_is_told_in_time(clock: Any) -> None:
    freed = threading.Event()
    capture = FakeCapture(0, then_hangs=freed)
    source = StreamSource("rtsp://camera/1", clock, lambda _: capture, wait_s=0.05)
    with pytest.raises(SourceError, match=r"nothing for 0.05 s"):
        source.preview()
    freed.set()
    source.close()
    assert capture.released.wait(5)


def test_a_picture_is_never_older_than_the_question(clock: Any) -> None:
    capture = FakeCapture(1_000_000)
    source = StreamSource("rtsp://camera/1", clock, lambda _: capture)
    before = capture.grabbed
    first = source.still()
    assert before <= capture.grabbed
    assert source.still().image_bgr is not first.image_bgr
    source.close()
    with pytest.raises(SourceError, match="closed"):
        source.still()


def test_a_failure_in_the_thread_reaches_the_caller(clock: Any, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(FakeCapture):
        def grab(self) -> bool:
            raise cv2.error("no")

    source = StreamSource("rtsp://camera/1", clock, lambda _: Broken(1))
    with pytest.raises(SourceError, match="got its end"):
        source.preview()
    source.close()
    assert "failed" in caplog.text


def test_passwords_are_neither_shown_nor_logged(clock: Any, caplog: pytest.LogCaptureFixture) -> None:
    url = "rtsp://anna:s3cret@camera.lan:554/live?x=1"
    assert without_password(url) == "rtsp://***@camera.lan:554/live?x=1"
    with pytest.raises(SourceError) as caught:
        StreamSource(url, clock, lambda _: FakeCapture(0, opened=False))
    source = StreamSource(url, clock, lambda _: FakeCapture(0))
    assert "s3cret" not in f"{caught.value} {source.name} {caplog.text}"
    source.close()


@pytest.mark.parametrize("url", ["ftp://camera/1", "file:///etc/passwd", "://"])
def test_other_kinds_of_address_are_refused_unopened(url: str, clock: Any) -> None:
    opened: list[str] = []
    open_capture: Callable[[str], Any] = opened.append
    with pytest.raises(SourceError, match="expected an address"):
        StreamSource(url, clock, open_capture)
    assert opened == []
