"""The main loop on a drawn table, with a reader that needs no model: squares whose brightness is their value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import Frame, ImageBGR, SourceError
from tablesight.vision.hand_decoder import Expectation
from tablesight.vision.kinds import COLORS, INKS
from tablesight.vision.posterior import SHAPES, DiePosterior
from tablesight.vision.reading import BoxXYXY, Detection
from tablesight.vision.sources.errors import NoCamera
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.camera_line import CameraLine, RetryTimes
from tablesight.vision.worker.requests import Clear, Configure, Expect, ReadNow, Throw
from tablesight.vision.worker.table_watch import TableWatch
from tablesight.vision.zones import Zone

Square = tuple[int, int, int]
"""x, y (pixels of the preview) and value 1-6 of a yellow die."""

LEFT: list[Square] = [(100, 120, 5), (150, 180, 2), (200, 100, 3)]
RIGHT: list[Square] = [(420, 120, 4), (500, 220, 1)]


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

    def detect(self, image_bgr: ImageBGR, long_sides_px: tuple[int, ...] | None = None) -> tuple[Detection, ...]:
        red = (image_bgr[..., 2].astype(int) - image_bgr[..., 0] > 60).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(red, cv2.MORPH_OPEN, np.ones((5, 5))))
        boxes = [tuple(float(v) for v in (x, y, x + w, y + h)) for x, y, w, h, _ in stats[1:count]]
        return tuple(Detection(box, 0.9) for box in boxes)  # type: ignore[arg-type]  # four floats

    def posteriors(self, image_bgr: ImageBGR, boxes_xyxy_px: Sequence[BoxXYXY]) -> tuple[DiePosterior, ...]:
        return tuple(self.posterior(image_bgr, box) for box in boxes_xyxy_px)

    def posterior(self, image_bgr: ImageBGR, box: BoxXYXY) -> DiePosterior:
        left, top, right, bottom = (int(v) for v in box)
        level = float(image_bgr[top + 5 : bottom - 5, left + 5 : right - 5, 2].mean())
        value = int(np.clip(round((level - 120) / 20), 1, 6))
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

    def __init__(self, seats: int = 2) -> None:
        self.camera = DrawnCamera()
        self.opened = 0
        self.refuse: SourceError | None = None
        self.eyes = SquareEyes()
        self.reader: TableReader | None = TableReader(self.eyes, self.eyes)
        self.sent: list[tuple[dict[str, Any], bytes]] = []
        self.clock_s = 0.0
        self.line = CameraLine(self.open, RetryTimes(1.0, 4.0), lambda: self.clock_s)
        problem = "The dice models are missing."
        self.watch = TableWatch(self.line, lambda: self.reader, lambda: problem, self.send, seats, wait=self.pass_time)

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

    def throw(self, dice: list[Square]) -> None:
        rng = np.random.default_rng(3)
        for _ in range(4):
            self.camera.dice = [(x + int(rng.integers(-9, 9)), y + int(rng.integers(-9, 9)), v) for x, y, v in dice]
            self.turns(1)
        self.camera.dice = dice
        self.turns(14)


def values(reading: dict[str, Any]) -> list[int]:
    return sorted(die["value"] for die in reading["dice"])


def test_a_throw_is_told_once_with_boxes_in_its_own_picture() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    bench.turns(30)
    (reading,) = bench.readings()
    assert reading["zone"] == 0
    assert reading["throw"] == 1
    assert values(reading) == [2, 3, 5]
    payload = next(payload for header, payload in bench.sent if header is reading)
    picture = cv2.imdecode(np.frombuffer(payload, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (reading["height"], reading["width"], 3)
    for die in reading["dice"]:
        left, top, right, bottom = (int(v) for v in die["box"])
        inside = picture[top + 4 : bottom - 4, left + 4 : right - 4].reshape(-1, 3).mean(axis=0)
        assert inside[2] == pytest.approx(120 + 20 * die["value"], abs=12)
        assert die["candidates"][0]["value"] == die["value"]
    assert {"detect", "read", "total"} <= set(reading["ms"])
    assert bench.watch.status()["gate"] == {"0": "settled", "1": "empty"}


def test_both_zones_are_read_from_one_still() -> None:
    bench = Bench()
    bench.begin()
    stills = bench.camera.stills
    bench.throw(LEFT + RIGHT)
    assert sorted((r["zone"], tuple(values(r))) for r in bench.readings()) == [(0, (2, 3, 5)), (1, (1, 4))]
    assert bench.camera.stills == stills + 1


def test_dice_taken_up_mean_nothing_and_a_second_throw_is_a_new_one() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    bench.throw(LEFT[:2])  # one die is taken up
    bench.throw([])
    assert len(bench.readings()) == 1
    bench.throw(LEFT)
    assert [reading["throw"] for reading in bench.readings()] == [1, 2]


def test_only_some_dice_thrown_again_keeps_the_others_the_same_dice() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    bench.camera.dice = LEFT[:2]
    bench.turns(12)
    bench.throw([*LEFT[:2], (260, 240, 1)])
    first, second = bench.readings()
    before = {die["value"]: die["id"] for die in first["dice"]}
    after = {die["value"]: die["id"] for die in second["dice"]}
    assert after[5] == before[5]
    assert after[2] == before[2]
    assert after[1] not in before.values()
    assert {die["value"]: die["throw"] for die in second["dice"]} == {5: 1, 2: 1, 1: 2}


def test_a_nudged_die_is_the_same_die_and_no_throw() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    x, y, value = LEFT[0]
    bench.camera.dice = [(x + 9, y + 5, value), *LEFT[1:]]
    bench.turns(20)
    assert len(bench.readings()) == 1


def test_a_die_thrown_again_to_the_same_place_with_the_same_value_is_a_throw() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    bench.camera.dice = LEFT[1:]  # taken up,
    bench.turns(3)
    bench.throw(LEFT)  # and thrown before the zone has come to rest
    first, second = bench.readings()
    assert second["throw"] == first["throw"] + 1
    assert len({die["id"] for die in first["dice"]} & {die["id"] for die in second["dice"]}) == 2


def test_a_doubtful_die_is_looked_at_again() -> None:
    bench = Bench()
    bench.begin()
    bench.eyes.doubts = 1
    stills = bench.camera.stills
    bench.throw([(100, 120, 6), (150, 180, 2)])
    assert bench.camera.stills >= stills + 2
    (reading,) = bench.readings()
    assert reading["ms"]["looks"] == bench.camera.stills - stills


def test_a_die_that_stays_doubtful_is_told_as_such() -> None:
    bench = Bench()
    bench.begin()
    bench.eyes.doubts = 99
    bench.throw([(100, 120, 6), (150, 180, 2)])
    (reading,) = bench.readings()
    assert [die["accepted"] for die in sorted(reading["dice"], key=lambda d: d["value"])] == [True, False]


def test_a_zone_that_stirs_while_it_is_read_waits_until_it_lies_still_again() -> None:
    bench = Bench()
    bench.begin()

    def nudge() -> None:
        bench.camera.on_still = None
        bench.camera.dice = [(x + 30, y + 20, 4) for x, y, _ in LEFT]

    bench.camera.on_still = nudge
    bench.throw(LEFT)
    bench.turns(14)
    (reading,) = bench.readings()
    assert values(reading) == [4, 4, 4]


def test_what_the_hand_should_hold_is_told_with_the_reading() -> None:
    bench = Bench()
    bench.begin()
    bench.watch.handle(Expect((Expectation(("yellow-d6",) * 2 + ("green-d20",)), Expectation(("yellow-d6",) * 2))))
    bench.throw(LEFT[:2] + RIGHT)
    left, right = sorted(bench.readings(), key=lambda reading: reading["zone"])
    assert left["hand"]["missing"] == ["green-d20"]
    assert right["hand"]["missing"] == []
    assert right["hand"]["unexpected"] == []
    assert right["hand"]["p"] > 0.9


def test_read_now_tells_what_lies_there_again() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    bench.watch.handle(ReadNow())
    bench.turns(3)
    first, second = bench.readings()
    assert second["throw"] == first["throw"] == 1
    assert [die["id"] for die in second["dice"]] == [die["id"] for die in first["dice"]]


def test_without_models_the_table_is_watched_and_read_as_soon_as_they_are_there() -> None:
    bench = Bench()
    reader, bench.reader = bench.reader, None
    bench.throw(LEFT)
    status = bench.watch.status()
    assert status["state"] == "watching"
    assert status["message"] == "The dice models are missing."
    assert bench.readings() == []
    bench.reader = reader
    bench.turns(2)
    assert [values(reading) for reading in bench.readings()] == [[2, 3, 5]]


def test_a_lamp_that_goes_out_is_cannot_see_and_scores_nothing() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    bench.camera.lamp = 0.02
    bench.turns(12)
    status = bench.watch.status()
    assert status["state"] == "cannot_see"
    assert "lamp" in status["message"]
    bench.camera.lamp = 1.0
    bench.turns(15)
    assert bench.watch.status()["state"] == "watching"
    assert len(bench.readings()) == 1


def test_a_camera_that_fails_is_said_and_opened_again_with_growing_pauses() -> None:
    bench = Bench()
    bench.begin()
    bench.camera.broken = SourceError("the camera was unplugged: plug it in again")
    bench.turns(1)
    status = bench.watch.status()
    assert status["state"] == "error"
    assert status["message"] == "The camera was unplugged: plug it in again"
    assert status["frames_per_s"] == 0
    assert bench.camera.closed == 1
    bench.refuse = NoCamera("no camera found: plug one in")
    bench.turns(80)  # each waits 0.1 s
    assert bench.opened == 1 + 3  # after 1, 2 and 4 s
    assert bench.watch.status()["state"] == "no_camera"
    bench.refuse, bench.camera.broken = None, None
    bench.turns(60)
    assert bench.watch.status()["state"] == "watching"
    bench.throw(LEFT)
    assert [values(reading) for reading in bench.readings()] == [[2, 3, 5]]


def test_a_driver_with_an_error_of_its_own_does_not_end_the_watching() -> None:
    bench = Bench()
    bench.begin()
    bench.camera.broken = RuntimeError("V4L2: ioctl")
    bench.turns(2)
    assert bench.watch.status()["state"] == "error"
    assert "V4L2: ioctl" in bench.watch.status()["message"]


def test_a_picture_that_upsets_a_model_is_passed_over() -> None:
    bench = Bench()
    bench.begin()
    detect, bench.eyes.detect = bench.eyes.detect, lambda *_: 1 / 0  # type: ignore[assignment,return-value,method-assign]
    bench.throw(LEFT)
    assert bench.readings() == []
    assert bench.camera.closed == 0
    bench.eyes.detect = detect  # type: ignore[method-assign]
    bench.throw([])
    bench.throw(RIGHT)
    assert [values(reading) for reading in bench.readings()] == [[1, 4]]


def test_other_zones_begin_anew_and_a_tray_may_go_from_player_to_player() -> None:
    bench = Bench()
    bench.begin()
    whole = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    bench.watch.handle(Configure(2, (Zone(0, whole),)))
    bench.turns(12)
    assert bench.watch.status()["gate"] == {"0": "empty"}
    bench.throw(LEFT)
    bench.throw([])
    bench.watch.handle(Configure(2, (Zone(1, whole),)))
    bench.turns(1)
    assert bench.watch.status()["gate"] == {"1": "empty"}
    bench.throw(RIGHT)
    assert [(reading["zone"], values(reading)) for reading in bench.readings()] == [(0, [2, 3, 5]), (1, [1, 4])]


def test_nobody_throws_dice_at_a_real_camera() -> None:
    bench = Bench()
    bench.begin()
    for request in (Throw({0: ("yellow-d6",)}, None), Clear()):
        with pytest.raises(ValueError, match="expected the simulated table"):
            bench.watch.handle(request)


def test_previews_go_to_the_page() -> None:
    bench = Bench()
    bench.turns(3)
    header, payload = next((h, p) for h, p in bench.sent if h["type"] == "preview")
    picture = cv2.imdecode(np.frombuffer(payload, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (header["height"], header["width"], 3) == (360, 640, 3)


def test_a_pushed_camera_is_noticed_and_the_dice_stay_the_same_dice() -> None:
    bench = Bench()
    bench.begin()
    bench.throw(LEFT)
    bench.camera.pushed_px = 27  # three centimetres
    bench.turns(30)
    (moved,) = [header for header, _ in bench.sent if header["type"] == "camera_moved"]
    assert moved["dx"] * 640 == pytest.approx(-27, abs=4)
    assert moved["dy"] * 360 == pytest.approx(27, abs=4)
    assert "camera has been moved" in bench.watch.status()["message"]
    assert len(bench.readings()) == 1  # nothing was thrown
    bench.throw([*LEFT, (260, 240, 1)])
    first, second = bench.readings()
    assert {die["id"] for die in first["dice"]} < {die["id"] for die in second["dice"]}
