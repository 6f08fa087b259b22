"""The lens is measured from a mat that is moved about, and said how far it has got; nothing is read meanwhile."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR
from tablesight.vision.lens import Lens
from tablesight.vision.messages import Message
from tablesight.vision.simulator.table_setting import TableOptions
from tablesight.vision.sources.simulated import SimulatedSource
from tablesight.vision.worker.calibration_desk import CalibrationDesk
from tablesight.vision.worker.requests import Calibrate, parse_request


class Bench:
    """A desk and what it said."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.lenses: list[Lens] = []
        self.desk = CalibrationDesk(lambda header, _: self.sent.append(header), self.lenses.append)

    def look(self, still: ImageBGR, now_s: float) -> None:
        assert self.desk.wants_still(now_s)
        self.desk.look(still, now_s)


def test_a_mat_that_is_moved_about_tells_the_lens() -> None:
    now_s = [0.0]
    table = SimulatedSource(seats=2, options=TableOptions.parse("seed=5"), clock=lambda: now_s[0], wait=None)
    table.hold_mat("a4")
    bench = Bench()
    bench.desk.start("a4", 0.0)
    while bench.desk.is_running and now_s[0] < 80:
        now_s[0] += 0.5
        bench.look(table.still().image_bgr, now_s[0])
    assert [said["views"] for said in bench.sent] == [*range(14), 14]
    assert [said["state"] for said in bench.sent] == ["looking"] * 14 + ["done"]
    camera = table.setting.still_camera
    (lens,) = bench.lenses
    assert lens.focal == pytest.approx(camera.focal_px / camera.width_px, rel=0.03)
    assert bench.sent[-1]["field_deg"] == pytest.approx(lens.field_deg(), abs=0.1)


def test_a_table_without_a_mat_tells_nothing_and_says_so_in_the_end() -> None:
    bench, bare = Bench(), np.full((720, 1280, 3), 90, np.uint8)
    bench.desk.start("a4", 10.0)
    bench.look(bare, 10.0)
    assert not bench.desk.wants_still(10.2)  # time to move the mat
    bench.look(bare, 101.0)
    assert [(said["state"], said["views"]) for said in bench.sent] == [("looking", 0), ("failed", 0)]
    assert bench.lenses == []
    assert not bench.desk.is_running


def test_it_can_be_given_up_and_ends_with_another_camera() -> None:
    bench = Bench()
    bench.desk.stop()
    assert bench.sent == []
    bench.desk.start("letter", 0.0)
    bench.desk.stop()
    assert [said["state"] for said in bench.sent] == ["looking", "stopped"]
    assert not bench.desk.wants_still(5.0)


def test_the_watcher_reads_nothing_meanwhile(bench: Any) -> None:
    bench.begin()
    bench.watch.handle(Calibrate("a4"))
    bench.throw([(100, 120, 5)])
    assert bench.readings() == []
    bench.watch.handle(Calibrate(None))
    assert [h["state"] for h, _ in bench.sent if h["type"] == "calibration"] == ["looking", "stopped"]
    bench.turns(3)
    assert [die["value"] for reading in bench.readings() for die in reading["dice"]] == [5]


def test_requests_are_understood() -> None:
    assert parse_request(Message({"type": "calibrate", "paper": "letter"})) == Calibrate("letter")
    assert parse_request(Message({"type": "calibrate", "paper": None})) == Calibrate(None)
    with pytest.raises(ValueError, match="expected paper"):
        parse_request(Message({"type": "calibrate", "paper": "a3"}))
