"""How often the watcher does what, and how it says that it lives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol


class Pulse(Protocol):
    """The heartbeat, as the loop feeds it: `tablesight.vision.worker.heartbeat.Heartbeat`."""

    def alive(self) -> None:
        """The loop has got on."""

    def now(self) -> None:
        """The status has changed."""


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Seconds. `preview_gap_s`: between previews sent to the page. `looks`: stills taken of doubtful dice at most, the
    first one included; none after `more_looks_ms` were computed for it. `read_on_s`: one more zone is read before the
    next preview where the last one is younger than this. `search_gap_s`: between searches for mats while one is
    missing, `found_gap_s` when none is, `read_gap_s` after something has been read; `restless_s`: for so long a search
    waits for the table to lie still. `still_s`: without motion before it is judged whether the camera has moved.
    `moved_hint_s`: how long it is said that the camera has moved."""

    preview_gap_s: float = 0.3
    read_on_s: float = 0.05
    looks: int = 3
    more_looks_ms: float = 400.0
    search_gap_s: float = 1.5
    found_gap_s: float = 60.0
    read_gap_s: float = 2.0
    restless_s: float = 5.0
    still_s: float = 0.25
    moved_hint_s: float = 30.0


SETTINGS: Final = WatchSettings()
