"""Previews at ten a second."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tablesight.vision.frame import Frame
from tablesight.vision.sources.pacing import PacedSource


class Instant:
    """A camera that has a picture whenever it is asked, `late_s` seconds after."""

    name = "instant"

    def __init__(self, clock: Any) -> None:
        self.clock = clock
        self.late_s = 0.0
        self.closed = False

    def preview(self) -> Frame:
        self.clock.pass_s(self.late_s)
        return Frame(np.zeros((2, 2, 3), np.uint8), self.clock())

    still = preview

    def close(self) -> None:
        self.closed = True


def test_previews_keep_their_distance_and_stills_do_not_wait(clock: Any) -> None:
    source = PacedSource(Instant(clock), clock, clock.pass_s)
    times = [source.preview().captured_at_s for _ in range(4)]
    assert np.diff(times) == pytest.approx([0.1, 0.1, 0.1])
    assert source.still().captured_at_s == times[-1]
    assert source.name == "instant"


def test_a_slow_camera_is_neither_held_up_nor_hurried(clock: Any) -> None:
    camera = Instant(clock)
    source = PacedSource(camera, clock, clock.pass_s)
    camera.late_s = 0.5
    times = [source.preview().captured_at_s for _ in range(3)]
    assert np.diff(times) == pytest.approx([0.5, 0.5])
    camera.late_s = 0.0
    times = [source.preview().captured_at_s for _ in range(4)]
    assert np.diff(times)[1:] == pytest.approx([0.1, 0.1])


def test_closing_closes_the_camera(clock: Any) -> None:
    camera = Instant(clock)
    PacedSource(camera, clock, clock.pass_s).close()
    assert camera.closed
