"""Asks the camera process how well the camera hangs, and has its lens measured."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from tablesight.webui.errors import RequestError

ADVICE_WAIT_S: Final = 10.0
SHOWN: Final = ("state", "views", "wanted", "field_deg")


class CameraSetup:
    """`send` gives the camera process a message, and says whether it is there to take it; `changed` is called when
    there is something new to see."""

    def __init__(self, send: Callable[[dict[str, Any]], bool], changed: Callable[[], None]) -> None:
        self._send = send
        self._changed = changed
        self._advice: dict[str, Any] = {}
        self._advice_came = threading.Event()
        self._calibration: dict[str, Any] | None = None

    @property
    def calibration(self) -> Mapping[str, Any] | None:
        """How far the measuring of the lens has got, or what came of the last one; None before the first."""
        return self._calibration

    def advice(self) -> dict[str, Any]:
        """How well the camera hangs, judged from a still taken now. Raises RequestError."""
        self._advice_came.clear()
        if not self._send({"type": "advise"}) or not self._advice_came.wait(ADVICE_WAIT_S):
            raise RequestError("the camera does not answer: see what the page of the camera says, then try again", 503)
        return self._advice

    def calibrate(self, paper: str | None) -> None:
        """Begins to measure the lens with a mat on this paper; None gives it up. Raises RequestError."""
        if not self._send({"type": "calibrate", "paper": paper}):
            raise RequestError("the camera does not answer: see what the page of the camera says, then try again", 503)

    def take(self, header: Mapping[str, Any]) -> None:
        """An `advice` or `calibration` message of the camera process."""
        if header["type"] == "advice":
            self._advice = {"items": header.get("items", [])}
            self._advice_came.set()
        else:
            self._calibration = {name: header[name] for name in SHOWN if name in header}
            self._changed()

    def camera_restarted(self) -> None:
        """The camera process remembers nothing of a calibration."""
        if self._calibration is not None and self._calibration.get("state") == "looking":
            self._calibration = {**self._calibration, "state": "stopped"}
            self._changed()
