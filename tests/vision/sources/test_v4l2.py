"""USB cameras, with a capture that behaves as OpenCV's does on a real one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tablesight.vision.frame import ImageBGR, SourceError
from tablesight.vision.sources.v4l2 import FOCUS_FRAMES, TRIES, V4L2Source
from tablesight.vision.sources.v4l2_flicker import set_flicker
from tablesight.vision.sources.v4l2_nodes import v4l2_nodes

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
YUYV = cv2.VideoWriter.fourcc(*"YUYV")


def node(sysfs: Path, number: int, name: str, index: str = "0") -> None:
    folder = sysfs / f"video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(name + "\n")
    (folder / "index").write_text(index + "\n")


@pytest.fixture
def sysfs(tmp_path: Path) -> Path:
    node(tmp_path, 0, "HD Pro Webcam C920")
    node(tmp_path, 1, "HD Pro Webcam C920", index="1")
    node(tmp_path, 10, "unicam-image")
    node(tmp_path, 13, "bcm2835-isp-output0")
    node(tmp_path, 19, "rp1-cfe-csi2_ch0")
    node(tmp_path, 20, "pispbe-input")
    (tmp_path / "v4l-subdev0").mkdir()
    return tmp_path


class FakeCapture:
    """A camera of 1920 x 1080; picture n has the level n. Every `broken`-th JPEG is cut off."""

    def __init__(self, mjpg: bool = True, opened: bool = True, broken: int = 0, pictures: int = 10_000) -> None:
        self.properties: dict[int, float] = {
            cv2.CAP_PROP_FOURCC: YUYV,
            cv2.CAP_PROP_FRAME_WIDTH: 640,
            cv2.CAP_PROP_FRAME_HEIGHT: 480,
            cv2.CAP_PROP_CONVERT_RGB: 1,
            cv2.CAP_PROP_BUFFERSIZE: 4,
            cv2.CAP_PROP_AUTOFOCUS: 1,
        }
        self.mjpg, self.opened, self.broken, self.left = mjpg, opened, broken, pictures
        self.ages_s: list[float | None] = []
        self.grabbed = 0
        self.released = 0

    def isOpened(self) -> bool:
        return self.opened

    def set(self, name: int, value: float) -> bool:
        if name == cv2.CAP_PROP_FOURCC and not self.mjpg:
            return False
        largest = {cv2.CAP_PROP_FRAME_WIDTH: 1920, cv2.CAP_PROP_FRAME_HEIGHT: 1080}
        self.properties[name] = min(value, largest.get(name, value))
        return True

    def get(self, name: int) -> float:
        if name == cv2.CAP_PROP_POS_MSEC:
            age_s = self.ages_s.pop(0) if self.ages_s else 0.0
            return 0.0 if age_s is None else 1000 * (time.monotonic() - age_s)
        return self.properties.get(name, -1)

    def grab(self) -> bool:
        self.left -= 1
        self.grabbed += 1
        return self.left >= 0

    def retrieve(self) -> tuple[bool, Any]:
        size = int(self.get(cv2.CAP_PROP_FRAME_HEIGHT)), int(self.get(cv2.CAP_PROP_FRAME_WIDTH))
        image_bgr: ImageBGR = np.full((*size, 3), self.grabbed % 256, np.uint8)
        if self.get(cv2.CAP_PROP_CONVERT_RGB):
            return True, image_bgr
        jpeg = cv2.imencode(".jpg", image_bgr)[1].reshape(1, -1)
        if self.broken and self.grabbed % self.broken == 0:
            return True, np.zeros((1, 400), np.uint8)
        # the driver's buffer is longer than the picture in it
        return True, np.concatenate([jpeg, np.zeros((1, 300), np.uint8)], axis=1)

    def release(self) -> None:
        self.released += 1


def open_fake(capture: FakeCapture, sysfs: Path, clock: Any, number: int = 0) -> V4L2Source:
    return V4L2Source(number, clock, open_capture=lambda _: capture, sysfs=sysfs)


def test_the_list_tells_cameras_from_the_rest(sysfs: Path) -> None:
    assert [(item.number, item.is_camera) for item in v4l2_nodes(sysfs)] == [
        (0, True), (1, False), (10, False), (13, False), (19, False), (20, False),
    ]  # fmt: skip
    assert v4l2_nodes(sysfs / "absent") == ()


@pytest.mark.parametrize("number", [1, 10, 13, 19, 20])
def test_nodes_without_pictures_are_never_opened(number: int, sysfs: Path, clock: Any) -> None:
    opened: list[int] = []
    with pytest.raises(SourceError, match="gives no pictures"):
        V4L2Source(number, clock, open_capture=opened.append, sysfs=sysfs)
    assert opened == []


def test_an_absent_device_is_told(sysfs: Path, clock: Any) -> None:
    with pytest.raises(SourceError, match=r"/dev/video7, got no such device"):
        V4L2Source(7, clock, sysfs=sysfs)


def test_a_camera_in_use_is_told_and_let_go(sysfs: Path, clock: Any) -> None:
    capture = FakeCapture(opened=False)
    with pytest.raises(SourceError, match="another program using it"):
        open_fake(capture, sysfs, clock)
    assert capture.released == 1


def test_it_runs_at_the_highest_resolution_in_jpeg_with_few_buffers(sysfs: Path, clock: Any) -> None:
    capture = FakeCapture()
    source = open_fake(capture, sysfs, clock)
    assert capture.get(cv2.CAP_PROP_FOURCC) == MJPG
    assert capture.get(cv2.CAP_PROP_CONVERT_RGB) == 0
    assert capture.get(cv2.CAP_PROP_BUFFERSIZE) == 2
    assert source.name == "USB camera HD Pro Webcam C920 (1920 x 1080, video0)"
    assert source.still().image_bgr.shape == (1080, 1920, 3)
    assert source.preview().image_bgr.shape == (360, 640, 3)


def test_a_camera_without_jpeg_works_too(sysfs: Path, clock: Any) -> None:
    capture = FakeCapture(mjpg=False)
    source = open_fake(capture, sysfs, clock)
    assert capture.get(cv2.CAP_PROP_CONVERT_RGB) == 1
    assert source.still().image_bgr.shape == (1080, 1920, 3)
    assert source.preview().image_bgr.shape == (360, 640, 3)


@pytest.mark.parametrize(
    ("kind", "ages_s", "taken"),
    [
        pytest.param("still", [0.3, 0.2, -0.03], 3, id="a still waits for a picture taken after the question"),
        pytest.param("still", [0.03, -0.001], 2, id="however little too old it is"),
        pytest.param("preview", [0.3, 0.03], 2, id="a preview may be a little older"),
        pytest.param("preview", [-0.01], 1, id="a new one is taken at once"),
        pytest.param("still", [0.5] * 9, 4, id="a camera that lags is not waited for for ever"),
        pytest.param("still", [1e9] * 9, 2, id="on another clock the second one is taken"),
        pytest.param("preview", [None] * 9, 2, id="without times the second one is taken"),
    ],
)
def test_old_pictures_in_the_buffer_are_thrown_away(
    kind: str, ages_s: list[float | None], taken: int, sysfs: Path, clock: Any
) -> None:
    capture = FakeCapture()
    source = open_fake(capture, sysfs, clock)
    capture.ages_s = list(ages_s)
    before = capture.grabbed
    frame = source.preview() if kind == "preview" else source.still()
    assert capture.grabbed == before + taken
    assert abs(float(frame.image_bgr.mean()) - capture.grabbed) < 1.5
    assert frame.captured_at_s == clock()


def test_a_broken_jpeg_is_passed_over_and_many_are_told(sysfs: Path, clock: Any) -> None:
    source = open_fake(FakeCapture(broken=2), sysfs, clock)
    assert source.still().image_bgr.shape == (1080, 1920, 3)
    with pytest.raises(SourceError, match=f"{TRIES} broken ones"):
        open_fake(FakeCapture(broken=1), sysfs, clock)


def test_unplugging_is_told(sysfs: Path, clock: Any) -> None:
    source = open_fake(FakeCapture(pictures=2), sysfs, clock)
    source.preview()
    with pytest.raises(SourceError, match="still plugged in"):
        source.still()


def test_the_lens_is_held_once_it_has_had_time_to_focus(sysfs: Path, clock: Any) -> None:
    capture = FakeCapture(mjpg=False)
    source = open_fake(capture, sysfs, clock)
    while capture.grabbed < FOCUS_FRAMES - 1:
        source.preview()
    assert capture.get(cv2.CAP_PROP_AUTOFOCUS) == 1
    source.preview()
    assert capture.get(cv2.CAP_PROP_AUTOFOCUS) == 0


def test_closing_twice_is_fine_and_then_it_is_closed(sysfs: Path, clock: Any) -> None:
    capture = FakeCapture()
    source = open_fake(capture, sysfs, clock)
    source.close()
    source.close()
    assert capture.released == 1
    with pytest.raises(SourceError, match="closed"):
        source.preview()


def test_a_device_without_a_flicker_control_is_left_alone(tmp_path: Path) -> None:
    assert not set_flicker(str(tmp_path / "absent"), 50)
    assert not set_flicker("/dev/null", 60)
