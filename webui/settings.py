"""The choices of the house, kept in the log like everything else: the last one told counts."""

from __future__ import annotations

import logging
import threading
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from tablesight.webui.errors import RequestError
from tablesight.webui.store import Store

log = logging.getLogger(__name__)

CHANGED: Final = "setting_changed"
MOST_COLORS: Final = 200


@dataclass(frozen=True, slots=True)
class Setting:
    """One choice: its default, what it means, and the check of a new value (RequestError where it is wrong)."""

    default: Any
    meaning: str
    check: Callable[[Any], Any]


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise RequestError(f"expected true or false, got {value!r:.40}: send one of them")
    return value


def _device(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 64:
        raise RequestError(f"expected the id of a device, got {value!r:.40}: send one of 64 letters at most")
    return value


def _camera(value: Any) -> str:
    text = value.strip() if isinstance(value, str) else "-"
    odd = any(unicodedata.category(letter) in ("Cc", "Cs") for letter in text)
    if odd or text.startswith("-") or len(text) > 400:
        raise RequestError(
            f"expected a camera as for `tablesight serve --camera`, got {value!r:.40}: try auto or v4l2:0"
        )
    return text


def _way(value: Any) -> str:
    if value not in ("zones", "mats", "tray"):
        raise RequestError(f"expected zones, mats or tray, got {value!r:.40}: send one of them")
    return str(value)


def _paper(value: Any) -> str:
    if value not in ("a4", "letter"):
        raise RequestError(f"expected a4 or letter, got {value!r:.40}: send one of them")
    return str(value)


def _zones(value: Any) -> dict[str, list[dict[str, Any]]]:
    """By number of seats: the polygon of each seat, corners as fractions of the picture."""
    if not isinstance(value, dict):
        raise RequestError(
            f"expected an object of zones by number of seats, got {value!r:.40}: send a list of zones for each"
        )
    for seats, zones in value.items():
        if not (isinstance(seats, str) and seats.isdecimal() and 1 <= int(seats) <= 10 and isinstance(zones, list)):
            raise RequestError(f"expected zones for 1 to 10 seats, got {seats!r:.20}: send a list for such a number")
        found = sorted(_zone(zone) for zone in zones)
        if found != list(range(int(seats))):
            raise RequestError(f"expected one zone for each of {seats} seats, got {found!r:.80}: send each seat once")
    return value


def _colors(value: Any) -> dict[str, int]:
    """By a player's name in lower case: a colour from 0 to 9."""
    if not isinstance(value, dict) or len(value) > MOST_COLORS:
        raise RequestError(
            f"expected an object of at most {MOST_COLORS} colours by name, got {value!r:.40}: send fewer"
        )
    for name, color in value.items():
        if not isinstance(name, str) or len(name) > 80 or type(color) is not int or not 0 <= color <= 9:
            raise RequestError(
                f"expected a colour from 0 to 9 for each name, got {name!r:.40}: {color!r:.40}; send a whole number"
            )
    return value


def _zone(zone: Any) -> int:
    corners = zone.get("polygon") if isinstance(zone, dict) else None
    seat = zone.get("seat") if isinstance(zone, dict) else None
    good = isinstance(corners, list) and 3 <= len(corners) <= 50 and isinstance(seat, int)
    for corner in corners if good and corners else ():
        pair = isinstance(corner, list) and len(corner) == 2
        good = good and pair and all(isinstance(part, int | float) and 0 <= part <= 1 for part in corner)
    if not good or not isinstance(seat, int):
        raise RequestError(
            f"expected a zone with a seat and 3 or more corners from 0 to 1, got {zone!r:.80}: send shares"
        )
    return seat


SETTINGS: Final[Mapping[str, Setting]] = MappingProxyType(
    {
        "host": Setting("", "the device that may do everything", _device),
        "locked": Setting(
            False, "only the host starts games and takes things back; players change their own dice", _flag
        ),
        "chances": Setting(True, "show everybody's chance to win", _flag),
        "camera": Setting(
            "", "the camera, as for `tablesight serve --camera`; empty: as the server was started", _camera
        ),
        "way": Setting("zones", "whose dice are whose: zones of the picture, printed mats, or a tray, in turn", _way),
        "paper": Setting("a4", "what the mats are printed on: a4 or letter", _paper),
        "keep_corrections": Setting(
            False, "keep the pictures of rolls that players corrected, to be exported by the owner", _flag
        ),
        "zones": Setting({}, "the seats' zones in the picture, by number of seats", _zones),
        "colors": Setting({}, "the colours that players chose, by name in lower case", _colors),
    }
)


class Settings:
    """Reads and writes the settings; safe to call from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._values: dict[str, Any] = {}
        self.reload()

    def reload(self) -> None:
        """Reads them from the log again."""
        values = {name: setting.default for name, setting in SETTINGS.items()}
        for entry in self._store.house_entries():
            name = str(entry.event.get("name"))
            if entry.event.get("type") == CHANGED and name in SETTINGS:
                try:
                    values[name] = SETTINGS[name].check(entry.event.get("value", SETTINGS[name].default))
                except RequestError as error:
                    log.warning("entry %d: the setting %s is left as it was: %s", entry.seq, name, error)
        with self._lock:
            self._values = values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def change(self, name: str, value: Any, who: str = "") -> None:
        """Sets one. Raises RequestError for an unknown name or a wrong value."""
        if name not in SETTINGS:
            raise RequestError(f"expected a setting of {', '.join(SETTINGS)}, got {name!r:.40}: send one of these")
        checked = SETTINGS[name].check(value)
        if checked == self._values[name]:
            return
        self._store.append(None, {"type": CHANGED, "name": name, "value": checked}, who)
        with self._lock:
            self._values[name] = checked
