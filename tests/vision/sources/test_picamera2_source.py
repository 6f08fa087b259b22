"""The Pi camera's source, with a class that answers as picamera2 0.3 does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import SourceError
from tablesight.vision.sources.errors import NoCamera
from tablesight.vision.sources.picamera2_source import Picamera2Settings, Picamera2Source

SENSOR = {"Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0, "Model": "imx708"}
WEBCAM = {"Id": "/base/scb/pcie/usb1-1:1.0-046d:0825", "Num": 1, "Model": "C270"}
CONTROLS = (
    "AfMode",
    "LensPosition",
    "AeFlickerPeriod",
    "AeEnable",
    "AwbEnable",
    "ExposureTime",
    "AnalogueGain",
    "ColourGains",
)


class FakeRequest:
    """One picture of both streams."""

    def __init__(self, camera: FakePicamera2) -> None:
        self.camera = camera

    def get_metadata(self) -> dict[str, Any]:
        return dict(self.camera.metadata[0] if len(self.camera.metadata) == 1 else self.camera.metadata.pop(0))

    def make_array(self, stream: str) -> np.ndarray[Any, Any]:
        self.camera.arrays_made.append(stream)
        configuration = self.camera.configuration[stream]
        width, height = configuration["size"]
        if configuration["format"] == "YUV420":
            return np.full((height * 3 // 2, width + 64), 128, np.uint8)
        if configuration["format"] == "NV12":
            return np.full((height * 3 // 2, width), 128, np.uint8)
        return np.full((height, width, 3), 90, np.uint8)


class FakePicamera2:
    """The methods that are used, and what they were given."""

    cameras: ClassVar[list[dict[str, Any]]] = [SENSOR]
    changes: ClassVar[dict[str, dict[str, Any]]] = {}
    controls_known: tuple[str, ...] = CONTROLS
    fails_at: str = ""
    last: FakePicamera2

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.cameras

    def __init__(self, number: int) -> None:
        type(self).last = self
        self.number = number
        self.sensor_resolution = (4608, 2592)
        self.camera_controls = dict.fromkeys(self.controls_known, (0, 1, 0))
        self.metadata: list[dict[str, Any]] = [{"LensPosition": 2.5}]
        self.controls_set: list[dict[str, Any]] = []
        self.arrays_made: list[str] = []
        self.steps: list[str] = []
        self.held = 0

    def _step(self, name: str) -> None:
        self.steps.append(name)
        if name == self.fails_at:
            raise RuntimeError(f"Failed to {name} camera")

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:
        return options

    def configure(self, configuration: dict[str, Any]) -> None:
        self._step("configure")
        self.asked = configuration
        self.configuration = {
            name: dict(configuration[name]) | self.changes.get(name, {}) for name in ("main", "lores")
        }

    def camera_configuration(self) -> dict[str, Any]:
        return self.configuration

    def start(self) -> None:
        self._step("start")

    def cancel_all_and_flush(self) -> None:
        self._step("cancel")

    def stop(self) -> None:
        self._step("stop")

    def close(self) -> None:
        self._step("close")

    def autofocus_cycle(self, wait: bool) -> str:
        self._step("focus")
        assert wait is False
        return "job"

    def wait(self, job: str, timeout: float) -> bool:
        assert job == "job"
        assert timeout > 0
        return True

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls_set.append(controls)

    @contextmanager
    def captured_request(self, wait: float) -> Iterator[FakeRequest]:
        if self.fails_at == "capture":
            raise TimeoutError
        self.held += 1
        try:
            yield FakeRequest(self)
        finally:
            self.held -= 1


@pytest.fixture
def picamera2() -> type[FakePicamera2]:
    """A class of its own for each test."""

    class Fresh(FakePicamera2):
        pass

    return Fresh


def opened(picamera2: type[FakePicamera2], clock: Any, **options: Any) -> tuple[Picamera2Source, FakePicamera2]:
    source = Picamera2Source(clock, load=lambda: picamera2, **options)
    return source, picamera2.last


def test_a_small_stream_is_watched_beside_the_full_one(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, camera = opened(picamera2, clock)
    assert camera.asked["main"] == {"size": (4608, 2592), "format": "RGB888"}
    assert camera.asked["lores"] == {"size": (640, 360), "format": "YUV420"}
    assert camera.asked["raw"] is None
    assert source.name == "Raspberry Pi camera imx708 (4608 x 2592)"
    camera.arrays_made.clear()
    preview, still = source.preview(), source.still()
    assert preview.image_bgr.shape == (360, 640, 3)
    assert still.image_bgr.shape == (2592, 4608, 3)
    assert camera.arrays_made == ["lores", "main"]  # the large picture is not touched for a preview
    assert preview.captured_at_s == still.captured_at_s == clock()
    assert camera.held == 0


def test_what_libcamera_gives_instead_is_converted(picamera2: type[FakePicamera2], clock: Any) -> None:
    picamera2.changes = {"main": {"size": (1280, 720), "format": "NV12"}, "lores": {"size": (320, 180)}}
    source, _ = opened(picamera2, clock)
    assert source.still().image_bgr.shape == (720, 1280, 3)
    assert source.preview().image_bgr.shape == (180, 320, 3)


def test_a_64_megapixel_sensor_is_halved(picamera2: type[FakePicamera2], clock: Any) -> None:
    class Hawkeye(picamera2):  # type: ignore[misc,valid-type]
        def __init__(self, number: int) -> None:
            super().__init__(number)
            self.sensor_resolution = (9152, 6944)

    _, camera = opened(Hawkeye, clock)
    assert camera.asked["main"]["size"] == (4576, 3472)


def test_the_lens_is_swept_once_and_held(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, camera = opened(picamera2, clock)
    assert camera.steps == ["configure", "start", "focus"]
    assert camera.controls_set == [{"AfMode": 0, "LensPosition": 2.5}]
    source.preview()
    assert camera.steps.count("focus") == 1


def test_a_camera_without_a_motor_is_not_swept(picamera2: type[FakePicamera2], clock: Any) -> None:
    picamera2.controls_known = ("AeEnable",)
    _, camera = opened(picamera2, clock)
    assert "focus" not in camera.steps
    assert camera.asked["controls"] == {}


def test_a_lens_that_fails_does_not_stop_the_camera(
    picamera2: type[FakePicamera2], clock: Any, caplog: pytest.LogCaptureFixture
) -> None:
    picamera2.fails_at = "focus"
    source, _ = opened(picamera2, clock)
    assert source.preview().image_bgr.shape == (360, 640, 3)
    assert "focusing failed" in caplog.text


@pytest.mark.parametrize(
    ("flicker_hz", "controls"),
    [
        (50, {"AeFlickerMode": 1, "AeFlickerPeriod": 10_000}),
        (60, {"AeFlickerMode": 1, "AeFlickerPeriod": 8_333}),
        (0, {}),
    ],
)
def test_the_flicker_of_the_lamps_is_set(
    flicker_hz: int, controls: dict[str, Any], picamera2: type[FakePicamera2], clock: Any
) -> None:
    _, camera = opened(picamera2, clock, flicker_hz=flicker_hz)
    assert camera.asked["controls"] == controls


def test_exposure_is_held_once_it_has_settled(picamera2: type[FakePicamera2], clock: Any) -> None:
    picamera2.controls_known = ("AeEnable", "ExposureTime", "AnalogueGain")
    source, camera = opened(picamera2, clock)
    camera.metadata = [{"AeLocked": True, "ExposureTime": 9_000, "AnalogueGain": 1.5, "ColourGains": (1.0, 1.0)}]
    for _ in range(60):
        source.preview()
    # the white balance is left out: this camera has no such control
    assert camera.controls_set == [{"AeEnable": False, "ExposureTime": 9_000, "AnalogueGain": 1.5}]


def test_a_still_is_exposed_after_the_question(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, camera = opened(picamera2, clock)
    old = {"SensorTimestamp": time.monotonic_ns() - 10**9, "ExposureTime": 20_000}
    during = {"SensorTimestamp": time.monotonic_ns() + 10**9, "ExposureTime": 2_000_000}
    new = {"SensorTimestamp": time.monotonic_ns() + 10**10, "ExposureTime": 20_000}
    camera.metadata = [old, during, new, {"unused": 1}, {"unused": 1}]
    camera.arrays_made.clear()
    source.still()
    assert camera.arrays_made == ["main"]
    assert len(camera.metadata) == 2


def test_a_preview_takes_what_there_is(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, camera = opened(picamera2, clock)
    camera.metadata = [{"SensorTimestamp": 5, "ExposureTime": 20_000}, {"unused": 1}, {"unused": 2}]
    source.preview()
    assert camera.metadata == [{"unused": 1}, {"unused": 2}]


def test_a_clock_that_is_off_does_not_make_it_wait_for_ever(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, camera = opened(picamera2, clock)
    camera.metadata = [{"SensorTimestamp": 5, "ExposureTime": 20_000}]
    assert source.still().image_bgr.shape == (2592, 4608, 3)


def test_no_camera_is_told_apart_from_a_broken_one(picamera2: type[FakePicamera2], clock: Any) -> None:
    picamera2.cameras = [WEBCAM]
    with pytest.raises(NoCamera, match="ribbon cable"):
        opened(picamera2, clock)
    picamera2.cameras = [WEBCAM, SENSOR | {"Num": 3}]
    _, camera = opened(picamera2, clock)
    assert camera.number == 1  # picamera2 counts in its own list


@pytest.mark.parametrize("step", ["configure", "start"])
def test_a_camera_in_use_is_told_and_let_go(step: str, picamera2: type[FakePicamera2], clock: Any) -> None:
    picamera2.fails_at = step
    with pytest.raises(SourceError, match=f"'Failed to {step} camera'.*another program") as caught:
        opened(picamera2, clock)
    assert not isinstance(caught.value, NoCamera)
    assert picamera2.last.steps[-3:] == ["cancel", "stop", "close"]


def test_a_silent_sensor_is_told(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, camera = opened(picamera2, clock, settings=Picamera2Settings(wait_s=0.1))
    camera.fails_at = "capture"
    for ask in (source.preview, source.still):
        with pytest.raises(SourceError, match="got 'TimeoutError'"):
            ask()


def test_closing_twice_is_fine_and_a_failing_stop_still_closes(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, camera = opened(picamera2, clock)
    camera.fails_at = "stop"
    source.close()
    source.close()
    assert camera.steps[-3:] == ["cancel", "stop", "close"]
    with pytest.raises(SourceError, match="closed"):
        source.preview()


def test_without_picamera2_it_says_what_to_install(clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "picamera2", None)
    with pytest.raises(NoCamera, match="apt install python3-picamera2"):
        Picamera2Source(clock)


def test_the_gray_of_the_small_stream_is_gray(picamera2: type[FakePicamera2], clock: Any) -> None:
    source, _ = opened(picamera2, clock)
    image_bgr = source.preview().image_bgr
    assert float(np.ptp(cv2.mean(image_bgr)[:3])) < 2
