"""When a recording takes a still: what a player would have asked for, and a little more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class StillPlanSettings:
    """Times in seconds."""

    burst: int = 3  # stills after settling, so that several can be fused
    burst_gap_s: float = 0.2
    moving_gap_s: float = 1.0  # while one player rolls another's dice may lie still: at most 0.5 s from any moment
    settled_gap_s: float = 10.0


SETTINGS: Final = StillPlanSettings()


class StillPlan:
    """Asked after each preview whether a still is due."""

    def __init__(self, settings: StillPlanSettings = SETTINGS) -> None:
        self._settings = settings
        self._last_at_s: float | None = None
        self._burst_left = 0

    def due(self, at_s: float, moving: bool, newly_settled: bool) -> bool:
        """Whether to take a still now, at `at_s` seconds; counts it as taken."""
        if newly_settled:
            self._burst_left, self._last_at_s = self._settings.burst, None
        if moving:
            self._burst_left = 0
        if self._burst_left:
            gap_s = self._settings.burst_gap_s
        else:
            gap_s = self._settings.moving_gap_s if moving else self._settings.settled_gap_s
        if self._last_at_s is not None and at_s - self._last_at_s < gap_s - 1e-6:
            return False
        self._last_at_s = at_s
        self._burst_left = max(0, self._burst_left - 1)
        return True
