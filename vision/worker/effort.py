"""What the camera process has spent up to a moment, so that what a reading cost can be told without the simulator."""

from __future__ import annotations

import time
from dataclasses import dataclass

from tablesight.vision.frame import FrameSource
from tablesight.vision.sources.simulated import SimulatedSource


@dataclass(frozen=True, slots=True)
class Effort:
    """Seconds: `at_s` of Unix time; `steady_s` of a clock that is never set; `cpu_s` that this process computed, all
    its threads together; `drawn_s` and `drawn_cpu_s` of both that the simulated table took to draw its pictures."""

    at_s: float
    steady_s: float
    cpu_s: float
    drawn_s: float = 0.0
    drawn_cpu_s: float = 0.0

    @classmethod
    def now(cls, source: FrameSource | None) -> Effort:
        """Up to now, with this camera."""
        drawn = (source.drawn_s, source.drawn_cpu_s) if isinstance(source, SimulatedSource) else (0.0, 0.0)
        return cls(time.time(), time.monotonic(), time.process_time(), *drawn)

    @property
    def computed_s(self) -> float:
        """What this process has computed, without the drawing."""
        return self.cpu_s - self.drawn_cpu_s

    def drawn_ms(self, later: Effort) -> float:
        """How long the simulated table drew from this moment to a later one: a camera would not have to."""
        return (later.drawn_s - self.drawn_s) * 1e3

    def cpu_ms(self, later: Effort) -> float:
        """What was computed from this moment to a later one, without the drawing."""
        return (later.cpu_s - self.cpu_s - later.drawn_cpu_s + self.drawn_cpu_s) * 1e3
