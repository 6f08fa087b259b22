"""Who may do what: nobody is asked until the host locks the table."""

from __future__ import annotations

import hmac
import threading
import time
from collections import deque
from typing import Final

from tablesight.webui.errors import RequestError
from tablesight.webui.settings import Settings

TRIES: Final = 5
PER_S: Final = 60.0


class Access:
    """Devices are known by a random cookie. The host is the first that starts a game, or the last that knew the PIN."""

    def __init__(self, settings: Settings, pin: str) -> None:
        self._settings = settings
        self._pin = pin
        self._lock = threading.Lock()
        self._tries: deque[float] = deque()
        self._seats: dict[tuple[str, str], int] = {}

    def is_host(self, device: str) -> bool:
        """Whether this device may do everything."""
        host = str(self._settings["host"])
        return bool(device) and hmac.compare_digest(device.encode(errors="replace"), host.encode(errors="replace"))

    def starts_game(self, device: str) -> None:
        """The first device that starts a game becomes the host."""
        if device and not self._settings["host"]:
            self._settings.change("host", device, device)

    def claim_host(self, device: str, pin: str) -> None:
        """Makes the device the host. Raises RequestError for a wrong PIN or too many tries."""
        with self._lock:
            now_s = time.monotonic()
            while self._tries and now_s - self._tries[0] > PER_S:
                self._tries.popleft()
            if len(self._tries) >= TRIES:
                raise RequestError("too many wrong PINs: wait a minute", 429)
            if not self._pin or not hmac.compare_digest(pin.encode(errors="replace"), self._pin.encode()):
                self._tries.append(now_s)
                raise RequestError("this is not the PIN: type the one that is shown where the server was started", 403)
        if not device:
            raise RequestError("this browser keeps no cookies and cannot be the host: allow cookies for this page", 403)
        self._settings.change("host", device, device)

    def sit(self, device: str, game_id: str, seat: int) -> None:
        """This device belongs to the player on that seat."""
        if device:
            self._seats[device, game_id] = seat

    def seat_of(self, device: str, game_id: str) -> int | None:
        """The seat that this device took, None for a watcher."""
        return self._seats.get((device, game_id))

    def check_host(self, device: str) -> None:
        """Raises RequestError where the table is locked and the device is not the host's."""
        if self._settings["locked"] and not self.is_host(device):
            raise RequestError("the table is locked, only the host can do this: ask there", 403)

    def check_seat(self, device: str, game_id: str, seat: object) -> None:
        """Raises RequestError where the table is locked and the dice are another player's."""
        if self._settings["locked"] and not self.is_host(device) and self.seat_of(device, game_id) != seat:
            raise RequestError("the table is locked, players change only their own dice: ask the host", 403)
