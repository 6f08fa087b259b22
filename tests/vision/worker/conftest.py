"""A table drawn with squares, and a reader that needs no model: their brightness is their value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.kinds import COLORS, INKS
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.reading import BoxXYXY, Detection
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.camera_line import CameraLine, RetryTimes
from tablesight.vision.worker.table_watch import TableWatch
from tablesight.vision.worker.watch_settings import WatchSettings

Square = tuple[int, int, int]
"""x, y (pixels of the preview) and value 1-6 of a yellow die."""


class DrawnCamera:
    """A table of grey cloth; previews 640 and stills 1280 pixels wide, a tenth of a second apart."""

    name = "drawn camera"

    def __init__(self) -> None:
        self.dice: list[Square] = []
        self.at_s = 0.0
        self.stills = 0
        self.broken: Exception | None = None
        self.lamp = 1.0
        self.on_still: Any = None
        self.closed = 0
        self.pushed_px = 0
        self.rng = np.random.default_rng(1)
        self.cloth = self.rng.normal(90, 8, (360, 640, 1)).astype(np.float32)

    def draw(self, scale: int) -> ImageBGR:
        picture = np.repeat(self.cloth, 3, axis=2)
        image = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_NEAREST)
        for x, y, value in self.dice:
            corner, far = ((x - 9) * scale, (y - 9) * scale), ((x + 9) * scale - 1, (y + 9) * scale - 1)
            cv2.rectangle(image, corner, far, (20, 20, 120 + 20 * value), -1)
        image = np.roll(image, (self.pushed_px * scale, -self.pushed_px * scale), axis=(0, 1))
        image = image * self.lamp + self.rng.normal(0, 1.5, image.shape)
        return np.clip(image, 0, 255).astype(np.uint8)

    def preview(self) -> Frame:
        if self.broken:
            raise self.broken
        self.at_s += 0.1
        return Frame(self.draw(1), self.at_s)

    def still(self) -> Frame:
        if self.broken:
            raise self.broken
        self.stills += 1
        image = self.draw(2)
        if self.on_still:
            self.on_still()
        return Frame(image, self.at_s)

    def close(self) -> None:
        self.closed += 1


class SquareEyes:
    """Finds red squares and reads their brightness; unsure of value 6 as long as `doubts` lasts."""

    accept_from = 0.9

    def __init__(self) -> None:
        self.doubts = 0
        self.weak: set[int] = set()

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] | None = None) -> tuple[Detection, ...]:
        red = (image_bgr[..., 2].astype(int) - image_bgr[..., 0] > 60).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(red, cv2.MORPH_OPEN, np.ones((5, 5))))
        boxes = [tuple(float(v) for v in (x, y, x + w, y + h)) for x, y, w, h, _ in stats[1:count]]
        return tuple(Detection(box, 0.3 if self.value(image_bgr, box) in self.weak else 0.9) for box in boxes)  # type: ignore[arg-type]  # four floats

    def posteriors(
        self,
        image_bgr: ImageBGR,
        boxes_xyxy_px: Sequence[BoxXYXY],
        nadir_xy_px: tuple[float, float] | None = None,
    ) -> tuple[DiePosterior, ...]:
        return tuple(self.posterior(image_bgr, box) for box in boxes_xyxy_px)

    def tilts(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[np.ndarray, ...]:
        return (np.full((8, 14), 1 / 14),) * len(boxes_xyxy_px)

    def value(self, image_bgr: ImageBGR, box: BoxXYXY) -> int:
        left, top, right, bottom = (int(v) for v in box)
        level = float(image_bgr[top + 5 : bottom - 5, left + 5 : right - 5, 2].mean())
        return int(np.clip(round((level - 120) / 20), 1, 6))

    def posterior(self, image_bgr: ImageBGR, box: BoxXYXY) -> DiePosterior:
        value = self.value(image_bgr, box)
        sure = 0.98
        if value == 6 and self.doubts > 0:
            self.doubts -= 1
            sure = 0.5
        colors, shapes, inks = np.full(len(COLORS), 1e-4), np.full(len(SHAPES), 1e-4), np.full(len(INKS), 0.25)
        colors[COLORS.index("yellow")] = shapes[SHAPES.index(6)] = 1.0
        faces = np.full((len(SHAPES), 20), 1e-9)
        faces[0, :6] = (1 - sure) / 5
        faces[0, value - 1] = sure
        return DiePosterior(colors / colors.sum(), shapes / shapes.sum(), faces, inks, 0.0)


class NoPulse:
    def alive(self) -> None: ...

    def now(self) -> None: ...


class Bench:
    """A watcher with its camera; collects what is sent."""

    def __init__(self, seats: int = 2, read_on_s: float = 0.0) -> None:
        self.camera = DrawnCamera()
        self.opened = 0
        self.refuse: SourceError | None = None
        self.eyes = SquareEyes()
        self.reader: TableReader | None = TableReader(self.eyes, self.eyes)
        self.sent: list[tuple[dict[str, Any], bytes]] = []
        self.clock_s = 0.0
        self.line = CameraLine(self.open, RetryTimes(1.0, 4.0), lambda: self.clock_s)
        problem = "The dice models are missing."
        # however busy the machine is
        settings = WatchSettings(more_looks_ms=float("inf"), read_on_s=read_on_s)
        self.watch = TableWatch(
            self.line, lambda: self.reader, lambda: problem, self.send, seats, settings, wait=self.pass_time
        )

    def open(self) -> DrawnCamera:
        self.opened += 1
        if self.refuse:
            raise self.refuse
        return self.camera

    def send(self, header: dict[str, Any], payload: bytes) -> None:
        self.sent.append((header, payload))

    def pass_time(self, seconds: float) -> None:
        self.clock_s += seconds

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.watch.turn(NoPulse())

    def readings(self) -> list[dict[str, Any]]:
        return [header for header, _ in self.sent if header["type"] == "reading"]

    def begin(self) -> None:
        self.turns(12)
        assert self.watch.status()["gate"] == {"0": "empty", "1": "empty"}
        assert self.readings() == []

    @contextmanager
    def busy(self) -> Iterator[None]:
        """The reader has something else to do meanwhile."""
        reader, self.reader = self.reader, None
        yield
        self.reader = reader

    def throw(self, dice: list[Square]) -> None:
        rng = np.random.default_rng(3)
        for _ in range(4):
            self.camera.dice = [(x + int(rng.integers(-9, 9)), y + int(rng.integers(-9, 9)), v) for x, y, v in dice]
            self.turns(1)
        self.camera.dice = dice
        self.turns(14)


@pytest.fixture
def bench() -> Bench:
    """A watcher of two seats, that reads one zone between two previews."""
    return Bench()


@pytest.fixture
def quick_bench() -> Bench:
    """A watcher that is so quick that it reads all zones before the next preview."""
    return Bench(read_on_s=float("inf"))
