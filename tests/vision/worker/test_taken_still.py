"""A still is corrected for the light where it is looked at."""

from __future__ import annotations

import numpy as np

from tablesight.vision.mat_light import balanced
from tablesight.vision.worker.taken_still import AROUND, TakenStill
from tablesight.vision.zones import Zone, default_zones

GAINS_BGR = (1.5, 1.1, 0.9)


def test_a_zone_and_what_lies_around_it_are_shown_in_white_light() -> None:
    raw_bgr = np.random.default_rng(1).integers(1, 150, (360, 640, 3), np.uint8)
    before = raw_bgr.copy()
    taken = TakenStill(raw_bgr, 0.0, {0, 1}, GAINS_BGR)
    white_bgr = balanced(raw_bgr, GAINS_BGR)
    zone = Zone(0, ((0.5, 0.25), (0.75, 0.25), (0.75, 0.5), (0.5, 0.5)))
    shown = taken.show(zone)
    around = round(AROUND * 640)
    part = (slice(90 - around, 180 + around), slice(320 - around, 480 + around))
    assert np.array_equal(shown[part], white_bgr[part])
    assert not shown[:40].any()  # the rest is not asked for
    assert taken.image_bgr is shown
    assert np.array_equal(taken.raw_bgr, before)  # the light is measured in the still as it was taken


def test_the_zones_shown_before_stay() -> None:
    raw_bgr = np.random.default_rng(2).integers(1, 150, (90, 160, 3), np.uint8)
    taken = TakenStill(raw_bgr, 0.0, {0, 1}, GAINS_BGR)
    for zone in default_zones(2):
        taken.show(zone)
    assert np.array_equal(taken.image_bgr, balanced(raw_bgr, GAINS_BGR))


def test_without_mats_a_still_is_shown_as_it_was_taken() -> None:
    raw_bgr = np.zeros((90, 160, 3), np.uint8)
    assert TakenStill(raw_bgr, 0.0, {0}).show(default_zones(2)[0]) is raw_bgr
