"""A network camera: RTSP, or HTTP with MJPEG."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from logging import getLogger
from typing import Any, Final
from urllib.parse import urlsplit, urlunsplit

import cv2
import numpy as np

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.sources.preview import Clock, shrink

logger = getLogger(__name__)

SCHEMES: Final = ("http", "https", "rtsp", "rtsps", "rtmp", "udp", "tcp")
OPEN_TIMEOUT_MS: Final = 8_000
READ_TIMEOUT_MS: Final = 5_000
WAIT_S: Final = 2.5
"""A picture must come within this time: the page shows a camera that hangs within five seconds."""
CLOSE_S: Final = 0.5
"""Closing waits so long for the read that is going on; a read that hangs ends by itself, in the background."""


def without_password(url: str) -> str:
    """The address as it may be shown and logged."""
    parts = urlsplit(url)
    if "@" not in parts.netloc:
        return url
    return urlunsplit(parts._replace(netloc="***@" + parts.netloc.rpartition("@")[2]))


def _open(url: str) -> Any:
    options = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
    return cv2.VideoCapture(url, cv2.CAP_FFMPEG, options)


class StreamSource:
    """Reads the stream all the time in a thread of its own, so that no picture is older than the question for it."""

    def __init__(
        self,
        url: str,
        clock: Clock = time.monotonic,
        open_capture: Callable[[str], Any] = _open,
        wait_s: float = WAIT_S,
    ) -> None:
        self._shown_url = without_password(url)
        scheme = urlsplit(url).scheme.lower()
        if scheme not in SCHEMES:
            raise SourceError(f"expected an address with one of {', '.join(SCHEMES)}, got {self._shown_url!r}")
        self._clock = clock
        self._wait_s = wait_s
        self._capture = open_capture(url)
        if not self._capture.isOpened():
            raise SourceError(
                f"expected a video stream at {self._shown_url}, got no answer: "
                "is the camera on, in the same network, and is the address right?"
            )
        self._changed = threading.Condition()
        self._wanted = False
        self._closing = False
        self._ended = False
        self._frame: Frame | None = None
        self._thread = threading.Thread(target=self._pump, name="stream", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """The address, without the password in it."""
        return f"network camera {self._shown_url}"

    def preview(self) -> Frame:
        """The next picture, small."""
        frame = self._next()
        return Frame(shrink(frame.image_bgr), frame.captured_at_s)

    def still(self) -> Frame:
        """The next picture, as large as the stream."""
        return self._next()

    def close(self) -> None:
        """Lets the stream go; the thread ends with the read it is in."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSE_S)

    def _next(self) -> Frame:
        with self._changed:
            if self._closing:
                raise SourceError(f"the network camera {self._shown_url} is closed: open it again")
            self._frame, self._wanted = None, True
            self._changed.wait_for(lambda: self._frame is not None or self._ended or self._closing, self._wait_s)
            frame, ended = self._frame, self._ended
        if frame is not None:
            return frame
        reason = "its end" if ended else f"nothing for {self._wait_s:g} s"
        raise SourceError(
            f"expected pictures from {self._shown_url}, got {reason}: is the camera still on and in the network?"
        )

    def _pump(self) -> None:
        try:
            while not self._closing and self._capture.grab():
                if self._wanted:
                    self._publish()
        except Exception:  # reason: whatever happens in the thread, the caller must not wait for ever
            logger.exception("reading %s failed", self._shown_url)
        finally:
            self._capture.release()
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _publish(self) -> None:
        taken, image = self._capture.retrieve()
        if not taken or image is None:
            return
        image_bgr: ImageBGR = np.asarray(image, np.uint8)
        with self._changed:
            self._frame = Frame(image_bgr, self._clock())
            self._wanted = False
            self._changed.notify_all()
