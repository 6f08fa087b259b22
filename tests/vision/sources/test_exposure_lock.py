"""Holding exposure and white balance, and measuring them anew."""

from __future__ import annotations

from typing import Any

from tablesight.vision.sources.exposure_lock import SETTINGS, ExposureLock

METADATA: dict[str, Any] = {"ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.6, 1.9), "AeLocked": False}
LOCKED = METADATA | {"AeLocked": True}
HOLD = {
    "AeEnable": False, "ExposureTime": 20_000, "AnalogueGain": 2.0, "AwbEnable": False, "ColourGains": (1.6, 1.9),
}  # fmt: skip
RELEASE = {"AeEnable": True, "AwbEnable": True}


def feed(lock: ExposureLock, count: int, metadata: dict[str, Any], level: float) -> list[dict[str, Any]]:
    return [controls for _ in range(count) if (controls := lock.update(metadata, level))]


def locked() -> ExposureLock:
    lock = ExposureLock()
    feed(lock, SETTINGS.settle_least, LOCKED, 100)
    return lock


def test_it_holds_what_has_settled() -> None:
    lock = ExposureLock()
    assert feed(lock, SETTINGS.settle_least - 1, LOCKED, 100) == []
    assert not lock.locked
    assert feed(lock, 1, LOCKED, 100) == [HOLD]
    assert lock.locked
    assert feed(lock, 100, LOCKED, 100) == []


def test_it_waits_while_the_camera_is_still_measuring_but_not_for_ever() -> None:
    lock = ExposureLock()
    assert feed(lock, SETTINGS.settle_most - 1, METADATA, 100) == []
    assert feed(lock, 1, METADATA, 100) == [HOLD]


def test_the_newer_state_of_libcamera_is_understood() -> None:
    lock = ExposureLock()
    assert feed(lock, SETTINGS.settle_least, {"ExposureTime": 1, "AnalogueGain": 1.0, "AeState": 2}, 100) == [
        {"AeEnable": False, "ExposureTime": 1, "AnalogueGain": 1.0}
    ]


def test_a_camera_without_metadata_is_left_alone() -> None:
    lock = ExposureLock()
    assert feed(lock, 200, {}, 100) == []


def test_hands_and_dice_change_nothing() -> None:
    lock = locked()
    assert feed(lock, SETTINGS.drift_pictures - 1, LOCKED, 30) == []  # an arm in the light, two seconds
    assert feed(lock, 1, LOCKED, 100) == []
    assert feed(lock, SETTINGS.drift_pictures - 1, LOCKED, 250) == []
    assert feed(lock, 200, LOCKED, 150) == []


def test_another_lamp_is_measured_anew_and_held_again() -> None:
    lock = locked()
    assert feed(lock, SETTINGS.drift_pictures, LOCKED, 220) == [RELEASE]
    assert not lock.locked
    assert feed(lock, SETTINGS.settle_least, LOCKED, 110) == [HOLD]


def test_the_lamp_going_out_and_on_again_keeps_the_values() -> None:
    lock = locked()
    assert feed(lock, 500, LOCKED, 2) == []
    assert feed(lock, 500, LOCKED, 100) == []
    assert lock.locked


def test_started_in_the_dark_it_waits_for_light() -> None:
    lock = ExposureLock()
    assert feed(lock, 500, LOCKED, 2) == []
    assert feed(lock, SETTINGS.settle_least - 1, LOCKED, 100) == []
    assert feed(lock, 1, LOCKED, 100) == [HOLD]
