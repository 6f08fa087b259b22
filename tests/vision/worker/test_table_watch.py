"""The main loop on a drawn table, with a reader that needs no model: squares whose brightness is their value."""

from __future__ import annotations

import time
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import SourceError
from tablesight.vision.hand_decoder import Expectation
from tablesight.vision.sources.errors import NoCamera, NoCameraWanted
from tablesight.vision.table_reader import TableReader
from tablesight.vision.worker.requests import Clear, Configure, Expect, ReadNow, Throw
from tablesight.vision.zones import Zone

Square = tuple[int, int, int]
"""x, y (pixels of the preview) and value 1-6 of a yellow die."""

LEFT: list[Square] = [(100, 120, 5), (150, 180, 2), (200, 100, 3)]
RIGHT: list[Square] = [(420, 120, 4), (500, 220, 1)]


def values(reading: dict[str, Any]) -> list[int]:
    return sorted(die["value"] for die in reading["dice"])


def test_a_throw_is_told_once_with_boxes_in_its_own_picture(bench: Any) -> None:
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


def test_the_picture_that_is_kept_shows_the_zone_and_says_where_it_is(bench: Any) -> None:
    bench.begin()
    bench.throw(RIGHT)
    (reading,) = bench.readings()
    left, top, right, bottom = reading["part"]
    assert left == pytest.approx(0.5 - 0.02, abs=0.002)  # the right half, and a little of the table around it
    assert (top, right, bottom) == (0, 1, 1)
    assert reading["width"] == pytest.approx((right - left) * 1280, abs=1)
    middles = [(die["box"][0] + die["box"][2]) / 2 / reading["width"] for die in reading["dice"]]
    seen = sorted(640 * (left + middle * (right - left)) for middle in middles)
    assert seen == pytest.approx([420, 500], abs=1)


def test_both_zones_are_read_from_one_still(bench: Any) -> None:
    bench.begin()
    stills = bench.camera.stills
    bench.throw(LEFT + RIGHT)
    assert sorted((r["zone"], tuple(values(r))) for r in bench.readings()) == [(0, (2, 3, 5)), (1, (1, 4))]
    assert bench.camera.stills == stills + 1


def settle_right_before_left(bench: Any) -> None:
    bench.begin()
    bench.camera.dice = RIGHT
    bench.turns(3)
    bench.camera.dice = RIGHT + LEFT
    with bench.busy():  # until both lie still
        bench.turns(14)


def test_the_zone_that_settled_first_is_told_first(bench: Any) -> None:
    settle_right_before_left(bench)
    stills = bench.camera.stills
    bench.turns(2)
    assert [reading["zone"] for reading in bench.readings()] == [1]
    bench.turns(1)
    assert [reading["zone"] for reading in bench.readings()] == [1, 0]
    assert bench.camera.stills == stills + 1


def test_zones_that_settled_together_are_read_before_the_next_preview_where_there_is_time(quick_bench: Any) -> None:
    bench = quick_bench
    settle_right_before_left(bench)
    stills = bench.camera.stills
    bench.turns(1)
    assert bench.readings() == []  # what was read is told when a preview shows that nothing has stirred
    bench.turns(1)
    assert [reading["zone"] for reading in bench.readings()] == [1, 0]
    assert bench.camera.stills == stills + 1


def test_of_zones_read_together_one_that_stirs_is_read_again_and_the_other_told(quick_bench: Any) -> None:
    bench = quick_bench
    bench.begin()
    with bench.busy():
        bench.throw(LEFT + RIGHT)
    bench.turns(1)
    moved = [(x + 30, y + 20, 4) for x, y, _ in LEFT]
    bench.camera.dice = moved + RIGHT
    bench.turns(2)
    assert [reading["zone"] for reading in bench.readings()] == [1]
    bench.turns(14)
    assert [(reading["zone"], values(reading)) for reading in bench.readings()] == [(1, [1, 4]), (0, [4, 4, 4])]


def test_a_doubtful_zone_does_not_hold_up_the_others(bench: Any) -> None:
    bench.begin()
    bench.eyes.doubts = 3
    bench.throw([(100, 120, 6), *RIGHT])
    assert [reading["zone"] for reading in bench.readings()] == [1, 0]
    right, left = bench.readings()
    assert right["ms"]["looks"] == 1
    assert left["ms"]["looks"] == 2
    assert all(die["accepted"] for die in left["dice"])


def test_a_reading_tells_what_it_cost_since_the_zone_settled(bench: Any) -> None:
    bench.begin()
    bench.throw(LEFT)
    (reading,) = bench.readings()
    assert reading["ms"]["drawn"] == 0  # nothing is drawn for a real camera
    assert 0 < reading["ms"]["cpu"] < 60_000
    assert reading["settled_at_s"] <= reading["at_s"]


def test_dice_taken_up_mean_nothing_and_a_second_throw_is_a_new_one(bench: Any) -> None:
    bench.begin()
    bench.throw(LEFT)
    bench.throw(LEFT[:2])  # one die is taken up
    bench.throw([])
    assert len(bench.readings()) == 1
    bench.throw(LEFT)
    assert [reading["throw"] for reading in bench.readings()] == [1, 2]


def test_only_some_dice_thrown_again_keeps_the_others_the_same_dice(bench: Any) -> None:
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


def test_a_nudged_die_is_the_same_die_and_no_throw(bench: Any) -> None:
    bench.begin()
    bench.throw(LEFT)
    x, y, value = LEFT[0]
    bench.camera.dice = [(x + 9, y + 5, value), *LEFT[1:]]
    bench.turns(20)
    assert len(bench.readings()) == 1


def test_a_die_thrown_again_to_the_same_place_with_the_same_value_is_a_throw(bench: Any) -> None:
    bench.begin()
    bench.throw(LEFT)
    bench.camera.dice = LEFT[1:]  # taken up,
    bench.turns(3)
    bench.throw(LEFT)  # and thrown before the zone has come to rest
    first, second = bench.readings()
    assert second["throw"] == first["throw"] + 1
    assert len({die["id"] for die in first["dice"]} & {die["id"] for die in second["dice"]}) == 2


@pytest.mark.parametrize(("doubts", "looks"), [(0, 1), (1, 1), (3, 2)])
def test_a_doubtful_die_is_looked_at_again_first_in_the_same_still(bench: Any, doubts: int, looks: int) -> None:
    bench.begin()
    bench.eyes.doubts = doubts
    stills = bench.camera.stills
    bench.throw([(100, 120, 6), (150, 180, 2)])
    (reading,) = bench.readings()
    assert values(reading) == [2, 6]
    assert all(die["accepted"] for die in reading["dice"])
    assert reading["ms"]["looks"] == bench.camera.stills - stills == looks


def test_a_weak_thing_is_a_die_only_where_one_is_missing(bench: Any) -> None:
    weak = (160, 200, 5)
    bench.eyes.weak = {5}
    bench.reader = TableReader(bench.eyes, bench.eyes, strong_score=0.5)
    bench.begin()
    bench.watch.handle(Expect((Expectation(("yellow-d6",) * 2), Expectation(()))))
    bench.throw([*LEFT[:2], weak])
    bench.watch.handle(Expect((Expectation(("yellow-d6",) * 3), Expectation(()))))
    bench.watch.handle(ReadNow())
    bench.turns(3)
    without, with_it = bench.readings()
    assert len(without["dice"]) == 2
    assert len(with_it["dice"]) == 3
    assert with_it["hand"]["missing"] == []


def test_a_die_that_stays_doubtful_is_told_as_such(bench: Any) -> None:
    bench.begin()
    bench.eyes.doubts = 99
    bench.throw([(100, 120, 6), (150, 180, 2)])
    (reading,) = bench.readings()
    assert [die["accepted"] for die in sorted(reading["dice"], key=lambda d: d["value"])] == [True, False]


def test_a_zone_that_stirs_while_it_is_read_waits_until_it_lies_still_again(bench: Any) -> None:
    bench.begin()

    def nudge() -> None:
        bench.camera.on_still = None
        bench.camera.dice = [(x + 30, y + 20, 4) for x, y, _ in LEFT]

    bench.camera.on_still = nudge
    bench.throw(LEFT)
    bench.turns(14)
    (reading,) = bench.readings()
    assert values(reading) == [4, 4, 4]


def test_a_zone_over_which_an_arm_goes_has_settled_when_that_is_gone(bench: Any) -> None:
    bench.begin()
    with bench.busy():
        bench.throw(LEFT)
        bench.camera.dice = [*LEFT, (60, 60, 1), (80, 60, 1)]
        bench.turns(2)
        bench.camera.dice = list(LEFT)
        bench.turns(1)
    gone_at_s = time.time()
    bench.turns(14)
    (reading,) = bench.readings()
    assert values(reading) == sorted(value for _, _, value in LEFT)
    assert gone_at_s <= reading["settled_at_s"] <= reading["at_s"]


def test_what_the_hand_should_hold_is_told_with_the_reading(bench: Any) -> None:
    bench.begin()
    bench.watch.handle(Expect((Expectation(("yellow-d6",) * 2 + ("green-d20",)), Expectation(("yellow-d6",) * 2))))
    bench.throw(LEFT[:2] + RIGHT)
    left, right = sorted(bench.readings(), key=lambda reading: reading["zone"])
    assert left["hand"]["missing"] == ["green-d20"]
    assert right["hand"]["missing"] == []
    assert right["hand"]["unexpected"] == []
    assert right["hand"]["p"] > 0.9


def test_read_now_tells_what_lies_there_again(bench: Any) -> None:
    bench.begin()
    bench.throw(LEFT)
    bench.watch.handle(ReadNow())
    bench.turns(3)
    first, second = bench.readings()
    assert second["throw"] == first["throw"] == 1
    assert [die["id"] for die in second["dice"]] == [die["id"] for die in first["dice"]]


def test_without_models_the_table_is_watched_and_read_as_soon_as_they_are_there(bench: Any) -> None:
    reader, bench.reader = bench.reader, None
    bench.throw(LEFT)
    status = bench.watch.status()
    assert status["state"] == "watching"
    assert status["message"] == "The dice models are missing."
    assert bench.readings() == []
    bench.reader = reader
    bench.turns(3)
    assert [values(reading) for reading in bench.readings()] == [[2, 3, 5]]


def test_a_lamp_that_goes_out_is_cannot_see_and_scores_nothing(bench: Any) -> None:
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


def test_a_camera_that_fails_is_said_and_opened_again_with_growing_pauses(bench: Any) -> None:
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


def test_a_driver_with_an_error_of_its_own_does_not_end_the_watching(bench: Any) -> None:
    bench.begin()
    bench.camera.broken = RuntimeError("V4L2: ioctl")
    bench.turns(2)
    assert bench.watch.status()["state"] == "error"
    assert "V4L2: ioctl" in bench.watch.status()["message"]


def test_a_picture_that_upsets_a_model_is_passed_over(bench: Any) -> None:
    bench.begin()
    detect, bench.eyes.detect = bench.eyes.detect, lambda *_: 1 / 0  # type: ignore[assignment,return-value,method-assign]
    bench.throw(LEFT)
    assert bench.readings() == []
    assert bench.camera.closed == 0
    bench.eyes.detect = detect  # type: ignore[method-assign]
    bench.throw([])
    bench.throw(RIGHT)
    assert [values(reading) for reading in bench.readings()] == [[1, 4]]


def test_other_zones_begin_anew_and_a_tray_may_go_from_player_to_player(bench: Any) -> None:
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


def test_nobody_throws_dice_at_a_real_camera(bench: Any) -> None:
    bench.begin()
    for request in (Throw({0: ("yellow-d6",)}, None), Clear()):
        with pytest.raises(ValueError, match="expected the simulated table"):
            bench.watch.handle(request)


def test_previews_go_to_the_page(bench: Any) -> None:
    bench.turns(3)
    header, payload = next((h, p) for h, p in bench.sent if h["type"] == "preview")
    picture = cv2.imdecode(np.frombuffer(payload, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (header["height"], header["width"], 3) == (360, 640, 3)


def test_a_pushed_camera_is_noticed_and_the_dice_stay_the_same_dice(bench: Any) -> None:
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


def test_where_no_camera_is_wanted_none_is_asked_for_again_and_nothing_is_said(bench: Any, caplog: Any) -> None:
    bench.refuse = NoCameraWanted("no camera is wanted: to have one, name it with --camera")
    with caplog.at_level("WARNING"):
        bench.turns(200)
        bench.pass_time(3600)
        bench.turns(5)
    assert bench.opened == 1
    status = bench.watch.status()
    assert (status["state"], status["message"]) == ("no_camera", "")
    assert caplog.records == []
