"""A clock that only moves when told, and pictures that tell their number."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR


class ManualClock:
    """Monotonic seconds by hand."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def gray() -> Callable[..., ImageBGR]:
    """A plain picture of one level, which survives any codec."""

    def make(level: int, width: int = 320, height: int = 240) -> ImageBGR:
        return np.full((height, width, 3), level, np.uint8)

    return make


@pytest.fixture
def make_video(tmp_path: Path, gray: Callable[..., ImageBGR]) -> Callable[..., Path]:
    """Writes a video whose picture i has the level 20 + 20 * i."""

    def make(name: str = "dice.avi", frames: int = 10, frames_per_s: float = 10.0) -> Path:
        path = tmp_path / name
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), frames_per_s, (320, 240))
        assert writer.isOpened()
        for index in range(frames):
            writer.write(gray(20 + 20 * index))
        writer.release()
        return path

    return make
