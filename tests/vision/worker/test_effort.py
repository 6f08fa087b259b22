"""What the camera process says it computes leaves out what the simulated table takes to draw itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.worker.effort import Effort


def test_what_was_computed_leaves_out_the_drawing() -> None:
    source = SimulatedSource(seats=2, options=TableOptions(seed=1), clock=lambda: 0.0, wait=None)
    before = Effort.now(source)
    for _ in range(5):
        source.preview()
        source.truth()
    drawn = Effort.now(source)
    assert drawn.drawn_cpu_s > before.drawn_cpu_s
    assert drawn.computed_s - before.computed_s < 0.2 * (drawn.cpu_s - before.cpu_s)
    pixels = np.random.default_rng(1).random(2_000_000)
    for _ in range(20):
        pixels = np.sqrt(pixels + 1)
    after = Effort.now(source)
    assert after.computed_s - drawn.computed_s > 0.8 * (after.cpu_s - drawn.cpu_s) > 0


def test_the_status_says_what_was_computed(bench: Any) -> None:
    bench.turns(3)
    before = bench.watch.status()["cpu_s"]
    bench.turns(10)
    assert bench.watch.status()["cpu_s"] > before > 0
