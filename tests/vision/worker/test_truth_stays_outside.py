"""The simulated table's frames reach the reading as pixels only: another truth, the same readings."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tablesight.vision.kinds import KINDS
from tablesight.vision.photo_reader import ModelError, PhotoReader
from tablesight.vision.simulator.script import LyingDie
from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.camera_line import CameraLine
from tablesight.vision.worker.requests import Throw
from tablesight.vision.worker.table_watch import TableWatch
from tablesight.vision.worker.watch_settings import WatchSettings

HAND = ("yellow-d6", "purple-d8", "blue-d12", "red-d6", "green-d20", "clear-d6", "pink-d12", "glitter-d6")


class LyingSource(SimulatedSource):
    """Says of every die that it is another one, elsewhere."""

    def truth(self) -> tuple[list[LyingDie], list[tuple[float, float, float, float]]]:
        dice, boxes = super().truth()
        kinds = list(KINDS)
        swapped = [
            replace(die, kind=kinds[(kinds.index(die.kind) + 5) % len(kinds)], value=1, face=1, seat=1 - die.seat)
            for die in dice
        ]
        return swapped, boxes[::-1]


class NoPulse:
    def alive(self) -> None: ...

    def now(self) -> None: ...


def play(source: type[SimulatedSource], photo: PhotoReader) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """One throw of both players; the readings and the truths that were sent."""
    now_s = [0.0]
    table = source(seats=2, options=TableOptions(seed=9), clock=lambda: now_s[0], wait=None)
    sent: list[dict[str, Any]] = []
    reader = TableReader(photo.detector, photo.reader)
    one_look = WatchSettings(looks=1)  # how many there is time for must not decide
    watch = TableWatch(CameraLine(lambda: table), lambda: reader, lambda: "", lambda h, p: sent.append(h), 2, one_look)

    def turns(count: int) -> None:
        for _ in range(count):
            now_s[0] += 0.1
            watch.turn(NoPulse())

    turns(12)
    watch.handle(Throw({0: HAND, 1: HAND}, None))
    turns(50)
    readings = [message for message in sent if message["type"] == "reading"]
    seen = [
        {key: value for key, value in reading.items() if key not in {"id", "at_s", "settled_at_s", "ms"}}
        for reading in readings
    ]
    return seen, [message for message in sent if message["type"] == "truth"]


def test_another_truth_changes_no_reading() -> None:
    try:
        photo = PhotoReader.load()
    except ModelError as error:
        pytest.skip(f"the models are not there: {error}")
    honest, truth = play(SimulatedSource, photo)
    swapped, lie = play(LyingSource, photo)
    assert truth[-1]["dice"] != lie[-1]["dice"]
    assert len(truth[-1]["dice"]) == 16
    assert sorted(reading["zone"] for reading in honest) == [0, 1]
    assert all(len(reading["dice"]) == 8 for reading in honest)
    assert swapped == honest
